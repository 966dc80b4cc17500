import { Button, MultiSelect } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { lensesQuery } from '../ask/api/lenses.ts';
import css from './access.module.css';
import { createGrantsQuery } from './grants-query.ts';

export function CallerDetail({ id }: { id: string }) {
  const grants = useQuery(createGrantsQuery(id));
  return (
    <>
      <Section
        title="Lenses"
        description="To remove a lens that a group or a project file grants, change that group or file."
      >
        {grants.error ? (
          <ErrorState fault={grants.error} />
        ) : grants.data ? (
          <CallerGrants
            id={id}
            granted={grants.data.lenses}
            effective={grants.data.effective.map(({ lens }) => lens)}
          />
        ) : (
          <LoadingState lines={2} />
        )}
      </Section>
      <Section title="Keys">
        <CallerKeys id={id} />
      </Section>
    </>
  );
}

function CallerGrants({ id, granted, effective }: { id: string; granted: string[]; effective: string[] }) {
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const [wanted, setWanted] = useState(granted);
  const saveGrants = useMutation({
    mutationFn: () =>
      unwrapData(apiClient.PUT('/mgmt/callers/{id}/grants', { params: { path: { id } }, body: { lenses: wanted } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['grants', id] }),
  });
  const otherLenses = effective.filter((lens) => !granted.includes(lens));
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        saveGrants.mutate();
      }}
    >
      <MultiSelect
        label="Lenses granted here"
        description={otherLenses.length > 0 ? `From groups or files: ${otherLenses.join(', ')}` : undefined}
        data={lenses.map((lens) => ({ value: lens.name, label: lens.title }))}
        value={wanted}
        onChange={setWanted}
      />
      {saveGrants.error && <ErrorState fault={saveGrants.error} />}
      <div>
        <Button type="submit" size="xs" loading={saveGrants.isPending}>
          Save
        </Button>{' '}
        <span role="status">{saveGrants.isSuccess && 'Saved.'}</span>
      </div>
    </form>
  );
}

function CallerKeys({ id }: { id: string }) {
  const keys = usePagedList(['keys', id], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/callers/{id}/keys', { signal, params: { path: { id }, query: { limit: 100, cursor } } }),
    ),
  );
  const revoke = useMutation({
    mutationFn: (key_id: string) =>
      unwrapData(apiClient.DELETE('/mgmt/callers/{id}/keys/{key_id}', { params: { path: { id, key_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys', id] }),
  });
  return (
    <>
      {revoke.error && <ErrorState fault={revoke.error} />}
      <PagedList
        label="Keys"
        pages={keys}
        empty={<EmptyState title="No keys yet" />}
        columns={[
          { id: 'key', header: 'Key', cell: ({ prefix, last_four }) => <code>{`${prefix}…${last_four}`}</code> },
          { id: 'label', header: 'Label', cell: ({ label }) => label ?? '–' },
          { id: 'made', header: 'Created', cell: ({ created_at }) => formatDateTime(created_at) },
          { id: 'used', header: 'Last used', cell: ({ last_used_at }) => formatDateTime(last_used_at) },
          { id: 'ends', header: 'Expires', cell: ({ expires_at }) => formatDateTime(expires_at) },
          {
            id: 'do',
            header: 'Actions',
            cell: ({ key_id, last_four, revoked_at }) =>
              revoked_at ? (
                `Revoked ${formatDateTime(revoked_at)}`
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={revoke.isPending}
                  aria-label={`Revoke the key that ends in ${last_four}`}
                  onClick={() => revoke.mutate(key_id)}
                >
                  Revoke
                </Button>
              ),
          },
        ]}
      />
    </>
  );
}
