import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { canManage, sessionQuery } from '../../api/session.ts';
import { Page } from '../../ui/Page.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { lensesQuery } from '../ask/api/lenses.ts';
import css from './lenses.module.css';

export function LensesPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  return (
    <Page
      title="Lenses"
      description="A lens is a governed view of your data, with metrics, terms and certified entries."
      actions={
        canManage(session) && (
          <Button component={Link} to="/data/new">
            New lens
          </Button>
        )
      }
    >
      {lenses.length === 0 ? (
        <EmptyState title="No lenses yet">Ask an admin for access to a lens.</EmptyState>
      ) : (
        <ul className={css.cards}>
          {lenses.map(({ name, title, description, version, certified_count }) => (
            <li key={name}>
              <h2>
                <Link to="/lenses/$name" params={{ name }}>
                  {title}
                </Link>
              </h2>
              <p>{description}</p>
              <p className={css.quiet}>
                Version {version} · {certified_count} certified {certified_count === 1 ? 'entry' : 'entries'}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
