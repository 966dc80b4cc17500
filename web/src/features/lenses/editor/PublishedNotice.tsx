import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { ErrorState } from '../../../ui/States.tsx';

export function PublishedNotice({ name, origin, version }: { name: string; origin: 'file' | 'api'; version: number }) {
  const edits = useQuery({
    queryKey: ['edits'],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/project/edits', { signal, params: { query: { limit: 500 } } })),
    enabled: origin === 'file',
    staleTime: 0,
  });
  const edit = edits.data?.items.find(({ path }) => path === `lenses/${name}/lens.yaml`);
  return (
    <Page
      title={`Version ${version} of ${name} is published`}
      description="Questions that are already running use the previous version."
      actions={
        <>
          <Button component={Link} to={`/lenses/${name}`} search={{ tab: 'versions' } as never} variant="default">
            Versions
          </Button>
          <Button component={Link} to="/" search={{ lens: name } as never}>
            Ask this lens
          </Button>
        </>
      }
    >
      {edits.error && <ErrorState fault={edits.error} />}
      {edit && (
        <Section
          title="Diff for your files"
          description="This lens comes from project files. Add this change to your files. Until then, svc keeps it as an edit."
        >
          <CodeBlock text={edit.diff} label="Diff for your files" />
        </Section>
      )}
    </Page>
  );
}
