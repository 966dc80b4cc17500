import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';

export function Drafts({ name }: { name: string }) {
  const drafts = usePagedList(['drafts', name], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/lenses/{name}/drafts', { signal, params: { path: { name }, query: { limit: 50, cursor } } }),
    ),
  );
  const discardDraft = useMutation({
    mutationFn: (id: string) =>
      unwrapData(apiClient.DELETE('/mgmt/lenses/{name}/drafts/{id}', { params: { path: { name, id } } })),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['drafts', name] }),
  });
  return (
    <>
      {discardDraft.error && <ErrorState fault={discardDraft.error} />}
      <PagedList
        label="Drafts"
        pages={drafts}
        empty={<EmptyState title="No drafts">Select “Edit” to create one from the published version.</EmptyState>}
        columns={[
          { id: 'since', header: 'Updated', cell: ({ updated_at }) => formatDateTime(updated_at) },
          { id: 'by', header: 'Created by', cell: ({ created_by }) => created_by },
          { id: 'base', header: 'Base version', numeric: true, cell: ({ base_version }) => base_version ?? '–' },
          {
            id: 'status',
            header: 'Status',
            cell: ({ status, published_version }) =>
              status === 'published' ? `Published as version ${published_version}` : <StatusBadge status="open" />,
          },
          {
            id: 'do',
            header: 'Actions',
            cell: ({ id, status, updated_at }) =>
              status === 'published' ? (
                '–'
              ) : (
                <>
                  <Link to="/lenses/$name/edit" params={{ name }} search={{ draft: id }}>
                    Continue
                  </Link>{' '}
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={discardDraft.isPending}
                    aria-label={`Delete the draft of ${formatDateTime(updated_at)}`}
                    onClick={() => discardDraft.mutate(id)}
                  >
                    Delete
                  </Button>
                </>
              ),
          },
        ]}
      />
    </>
  );
}
