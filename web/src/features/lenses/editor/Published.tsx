// After publishing: what to ask, and what the author's own files have to take over.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, told } from '../../../api/client.ts';
import { Page, Section } from '../../../ui/Page.tsx';
import { Sql } from '../../../ui/Sql.tsx';
import { Failed } from '../../../ui/States.tsx';

export function Published({ name, origin, version }: { name: string; origin: 'file' | 'api'; version: number }) {
  const edits = useQuery({
    queryKey: ['edits'],
    queryFn: ({ signal }) => told(api.GET('/mgmt/project/edits', { signal, params: { query: { limit: 500 } } })),
    enabled: origin === 'file',
    staleTime: 0,
  });
  const edit = edits.data?.items.find(({ path }) => path === `lenses/${name}/lens.yaml`);
  return (
    <Page
      title={`Version ${version} of ${name} is in service`}
      about="Asks that are under way finish on the version they began with."
      actions={
        <>
          <Button component={Link} to={`/lenses/${name}`} search={{ tab: 'versions' } as never} variant="default">
            Its versions
          </Button>
          <Button component={Link} to="/" search={{ lens: name } as never}>
            Ask this lens
          </Button>
        </>
      }
    >
      {edits.error && <Failed fault={edits.error} />}
      {edit && (
        <Section
          title="For your files"
          about="This lens came from project files. Take this over there; until then it is kept as an edit, and “svc diff” shows it."
        >
          <Sql text={edit.diff} label="Change for your files" />
        </Section>
      )}
    </Page>
  );
}
