import { Button, Modal } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { ErrorState, LoadingState } from '../../ui/States.tsx';
import css from './certified.module.css';

export const createEntryQuery = (lens: string, id: string) =>
  queryOptions({
    queryKey: ['certified', lens, 'entry', id],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/lenses/{name}/certified/{id}', { signal, params: { path: { name: lens, id } } })),
  });
type Entry = Awaited<ReturnType<NonNullable<ReturnType<typeof createEntryQuery>['queryFn']>>>;

export function EntryDialog({ lens, id, onClose }: { lens: string; id: string; onClose: () => void }) {
  const { data, error } = useQuery(createEntryQuery(lens, id));
  return (
    <Modal
      opened
      onClose={onClose}
      title="Certified entry"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
      centered
    >
      {error ? <ErrorState fault={error} /> : data ? <EntryBody lens={lens} entry={data} /> : <LoadingState />}
    </Modal>
  );
}

function EntryBody({ lens, entry }: { lens: string; entry: Entry }) {
  const { cert_id, question, status, status_reason, sql, approved_by, approved_at, last_check } = entry;
  const params = { path: { name: lens, id: cert_id } };
  const runAction = useMutation({
    mutationFn: (action: 'approve' | 'retire' | 'check'): Promise<unknown> => {
      if (action === 'check') return unwrapData(apiClient.POST('/mgmt/lenses/{name}/certified/{id}/check', { params }));
      return action === 'approve'
        ? unwrapData(apiClient.POST('/mgmt/lenses/{name}/certified/{id}/approve', { params, body: {} }))
        : unwrapData(apiClient.POST('/mgmt/lenses/{name}/certified/{id}/retire', { params, body: {} }));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['certified', lens] }),
  });
  return (
    <div className={css.form}>
      <p>
        <Link to="/" search={{ q: question, lens }}>
          {question}
        </Link>
      </p>
      <p>
        <StatusBadge status={status} /> {status_reason}
      </p>
      <CodeBlock text={sql} label="SQL of the entry" />
      {approved_by && <p>{`Approved by ${approved_by}${approved_at ? `, ${formatDateTime(approved_at)}` : ''}`}</p>}
      {last_check && <p>{`Last check: ${describeLastCheck(last_check)}`}</p>}
      {runAction.error && <ErrorState fault={runAction.error} />}
      <div className={css.row}>
        {status !== 'approved' && (
          <Button loading={runAction.isPending} onClick={() => runAction.mutate('approve')}>
            {status === 'draft' ? 'Approve this SQL' : 'Approve this SQL again'}
          </Button>
        )}
        <Button variant="default" disabled={runAction.isPending} onClick={() => runAction.mutate('check')}>
          Check
        </Button>
        {status !== 'retired' && (
          <Button variant="default" disabled={runAction.isPending} onClick={() => runAction.mutate('retire')}>
            Retire
          </Button>
        )}
      </div>
    </div>
  );
}

export const describeLastCheck = ({ fault, broken, checked_at }: NonNullable<Entry['last_check']>): string =>
  fault ?? (broken.join(', ') || `Passed, ${formatDateTime(checked_at)}`);
