import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { formatCount, formatDateTime } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';

export function OauthAccess() {
  const grants = usePagedList(['oauth grants'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/oauth/grants', { signal, params: { query: { limit: 100, cursor } } })),
  );
  const clients = usePagedList(['oauth clients'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/oauth/clients', { signal, params: { query: { limit: 100, cursor } } })),
  );
  const reload = () => {
    void queryClient.invalidateQueries({ queryKey: ['oauth grants'] });
    void queryClient.invalidateQueries({ queryKey: ['oauth clients'] });
  };
  const endGrant = useMutation({
    mutationFn: (id: string) => unwrapData(apiClient.DELETE('/mgmt/oauth/grants/{id}', { params: { path: { id } } })),
    onSuccess: reload,
  });
  const revokeClient = useMutation({
    mutationFn: (id: string) => unwrapData(apiClient.DELETE('/mgmt/oauth/clients/{id}', { params: { path: { id } } })),
    onSuccess: reload,
  });
  const fault = endGrant.error ?? revokeClient.error;
  return (
    <>
      {fault && <ErrorState fault={fault} />}
      <Section title="Grants">
        <PagedList
          label="Grants"
          pages={grants}
          empty={
            <EmptyState title="No clients have access yet">MCP clients that sign in with OAuth appear here.</EmptyState>
          }
          columns={[
            { id: 'client', header: 'Client', cell: ({ client_name }) => client_name },
            { id: 'who', header: 'Approved by', cell: ({ user }) => user ?? '–' },
            { id: 'caller', header: 'Caller', cell: ({ caller }) => caller },
            { id: 'since', header: 'Created', cell: ({ created_at }) => formatDateTime(created_at) },
            { id: 'used', header: 'Last used', cell: ({ last_used_at }) => formatDateTime(last_used_at) },
            { id: 'state', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
            {
              id: 'do',
              header: 'Actions',
              cell: ({ id, status, client_name }) =>
                status === 'live' ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={endGrant.isPending}
                    aria-label={`Revoke the grant of ${client_name}`}
                    onClick={() => endGrant.mutate(id)}
                  >
                    Revoke
                  </Button>
                ) : (
                  '–'
                ),
            },
          ]}
        />
      </Section>
      <Section title="Clients">
        <PagedList
          label="Clients"
          pages={clients}
          empty={<EmptyState title="No clients yet" />}
          columns={[
            { id: 'name', header: 'Client', cell: ({ client_name }) => client_name },
            { id: 'to', header: 'Redirect URIs', wraps: true, cell: ({ redirect_uris }) => redirect_uris.join(', ') },
            {
              id: 'grants',
              header: 'Active grants',
              numeric: true,
              cell: ({ live_grants }) => formatCount(live_grants),
            },
            { id: 'used', header: 'Last used', cell: ({ last_used_at }) => formatDateTime(last_used_at) },
            {
              id: 'do',
              header: 'Actions',
              cell: ({ id, client_name }) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={revokeClient.isPending}
                  aria-label={`Block ${client_name}`}
                  onClick={() => revokeClient.mutate(id)}
                >
                  Block
                </Button>
              ),
            },
          ]}
        />
      </Section>
    </>
  );
}
