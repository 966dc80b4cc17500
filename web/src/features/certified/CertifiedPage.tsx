import { Button, Select } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { apiClient, unwrapData } from '../../api/client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { lensesQuery } from '../ask/api/lenses.ts';
import { describeLastCheck, EntryDialog } from './EntryDialog.tsx';

export function CertifiedPage() {
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const search = useSearch({ from: '/app/certified' });
  const navigate = useNavigate();
  const lens = search.lens ?? (lenses.find(({ certified_count }) => certified_count > 0) ?? lenses[0])?.name ?? '';
  const show = (entry: string | undefined) => void navigate({ to: '/certified', search: { lens, entry } });
  return (
    <Page
      title="Certified entries"
      description="A certified entry is a question with approved SQL. svc answers the question with this SQL."
      actions={
        <Select
          aria-label="Lens"
          allowDeselect={false}
          data={lenses.map(({ name, title }) => ({ value: name, label: title }))}
          value={lens}
          onChange={(value) => value && void navigate({ to: '/certified', search: { lens: value } })}
        />
      }
    >
      {lens ? <EntryTable key={lens} lens={lens} onShow={show} /> : <EmptyState title="No lenses yet" />}
      {search.entry && <EntryDialog lens={lens} id={search.entry} onClose={() => show(undefined)} />}
    </Page>
  );
}

function EntryTable({ lens, onShow }: { lens: string; onShow: (entry: string) => void }) {
  const entries = usePagedList(['certified', lens], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/lenses/{name}/certified', {
        signal,
        params: { path: { name: lens }, query: { limit: 100, cursor } },
      }),
    ),
  );
  return (
    <PagedList
      label="Certified entries"
      pages={entries}
      empty={
        <EmptyState title="No certified entries yet">
          To create one, select “…” below a good answer, then “Certify”.
        </EmptyState>
      }
      columns={[
        {
          id: 'question',
          header: 'Question',
          wraps: true,
          cell: ({ question }) => (
            <Link to="/" search={{ q: question, lens }}>
              {question}
            </Link>
          ),
        },
        { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        {
          id: 'check',
          header: 'Last check',
          wraps: true,
          cell: ({ last_check, status_reason }) => status_reason ?? (last_check ? describeLastCheck(last_check) : '–'),
        },
        { id: 'by', header: 'Approved by', hiddenIfNarrow: true, cell: ({ approved_by }) => approved_by ?? '–' },
        {
          id: 'act',
          header: 'Actions',
          cell: ({ cert_id, question }) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`View SQL of “${question}”`}
              onClick={() => onShow(cert_id)}
            >
              View SQL
            </Button>
          ),
        },
      ]}
    />
  );
}
