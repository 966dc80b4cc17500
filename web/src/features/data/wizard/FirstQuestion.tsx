import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Section } from '../../../ui/Page.tsx';
import { ErrorState, LoadingState } from '../../../ui/States.tsx';
import { createLensQuery } from '../../ask/api/lenses.ts';
import { Facts } from '../../lenses/facts/Facts.tsx';
import type { IntrospectionResult } from './introspection-result.ts';

export function FirstQuestion({ draftResult: { lens: name } }: { draftResult: IntrospectionResult }) {
  const { data: lens, error, refetch } = useQuery(createLensQuery(name));
  if (error) return <ErrorState fault={error} onRetry={() => void refetch()} />;
  if (!lens) return <LoadingState lines={8} />;
  return (
    <>
      <Section
        title={`${name} is published`}
        description="You can ask a question now. If you confirm the facts below first, svc can verify more answers."
        actions={
          <Button component={Link} to="/" search={{ lens: name } as never} size="sm">
            Ask this lens
          </Button>
        }
      >
        <Link to="/lenses/$name" params={{ name }}>
          View metrics, fields and map
        </Link>
      </Section>
      <Facts lens={lens} />
    </>
  );
}
