// Lists the certified entries of a lens, and shows the reason for entries that svc suspended.
import { Button, Select } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { formatMoment } from '../../ui/format.ts';
import { PagedList, usePages } from '../../ui/ListOf.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import { lensesQuery } from '../ask/api/lenses.ts';
import css from './certified.module.css';

export function CertifiedPage() {
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const [lens, setLens] = useState(
    () => (lenses.find(({ certified_count }) => certified_count > 0) ?? lenses[0])?.name ?? '',
  );
  return (
    <Page
      title="Certified entries"
      description="Questions with approved SQL. svc answers these questions with that SQL."
      actions={
        <Select
          aria-label="Lens"
          allowDeselect={false}
          data={lenses.map(({ name, title }) => ({ value: name, label: title }))}
          value={lens}
          onChange={(value) => setLens(value ?? lens)}
        />
      }
    >
      {lens ? <Library key={lens} lens={lens} /> : <EmptyState title="No lenses yet" />}
    </Page>
  );
}

function Library({ lens }: { lens: string }) {
  const key = ['certified', lens];
  const entries = usePages(key, ({ cursor, signal }) =>
    dataOrThrow(
      api.GET('/mgmt/lenses/{name}/certified', {
        signal,
        params: { path: { name: lens }, query: { limit: 100, cursor } },
      }),
    ),
  );
  const runAction = useMutation({
    mutationFn: ({ id, action }: { id: string; action: 'approve' | 'retire' | 'check' }): Promise<unknown> => {
      const params = { path: { name: lens, id } };
      if (action === 'check') return dataOrThrow(api.POST('/mgmt/lenses/{name}/certified/{id}/check', { params }));
      return action === 'approve'
        ? dataOrThrow(api.POST('/mgmt/lenses/{name}/certified/{id}/approve', { params, body: {} }))
        : dataOrThrow(api.POST('/mgmt/lenses/{name}/certified/{id}/retire', { params, body: {} }));
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: key }),
  });
  return (
    <>
      {runAction.error && <ErrorState fault={runAction.error} />}
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
            cell: ({ last_check, status_reason }) =>
              status_reason ??
              (last_check
                ? (last_check.fault ??
                  (last_check.broken.join(', ') || `Passed, ${formatMoment(last_check.checked_at)}`))
                : '–'),
          },
          { id: 'by', header: 'Approved by', minor: true, cell: ({ approved_by }) => approved_by ?? '–' },
          {
            id: 'act',
            header: 'Actions',
            cell: ({ cert_id, status, question }) => (
              <span className={css.row}>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Check “${question}”`}
                  onClick={() => runAction.mutate({ id: cert_id, action: 'check' })}
                >
                  Check
                </Button>
                {status === 'approved' ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Retire “${question}”`}
                    onClick={() => runAction.mutate({ id: cert_id, action: 'retire' })}
                  >
                    Retire
                  </Button>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Approve “${question}”`}
                    onClick={() => runAction.mutate({ id: cert_id, action: 'approve' })}
                  >
                    Approve
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
