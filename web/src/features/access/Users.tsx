import { Button, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import { AccountDialog } from './AccountDialog.tsx';
import css from './access.module.css';
import { CallerLensSelect } from './CallerLensSelect.tsx';
import { allCallersQuery } from './callers-query.ts';
import { ROLE_NAMES, type Role, RoleSelect } from './RoleSelect.tsx';

export function Users() {
  const [adding, setAdding] = useState(false);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const users = usePagedList(['users'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/users', { signal, params: { query: { limit: 100, cursor } } })),
  );
  const selectedAccount = users.rows?.find(({ id }) => id === selectedId);
  return (
    <>
      <div className={css.bar}>
        <Button onClick={() => setAdding(true)}>New account</Button>
      </div>
      <PagedList
        label="Accounts"
        pages={users}
        empty={<EmptyState title="No accounts yet" />}
        columns={[
          { id: 'email', header: 'Email', wraps: true, cell: ({ email }) => email },
          { id: 'role', header: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
          { id: 'caller', header: 'Caller', cell: ({ caller }) => caller ?? '–' },
          {
            id: 'state',
            header: 'Status',
            cell: ({ disabled }) => <StatusBadge status={disabled ? 'disabled' : 'active'} />,
          },
          {
            id: 'since',
            header: 'Created',
            hiddenIfNarrow: true,
            cell: ({ created_at }) => formatDateTime(created_at),
          },
          {
            id: 'edit',
            header: 'Actions',
            cell: ({ id, email }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Change the account ${email}`}
                onClick={() => setSelectedId(id)}
              >
                Change
              </Button>
            ),
          },
        ]}
      />
      {selectedAccount && <AccountDialog account={selectedAccount} onClose={() => setSelectedId(null)} />}
      <NewUser opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

const NEW_CALLER = 'new';
const CALLER_PREFIX = 'caller ';

function NewUser({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [chosenCaller, setChosenCaller] = useState<string | null>();
  const [callerName, setCallerName] = useState<string | null>(null);
  const [lensNames, setLensNames] = useState<string[]>([]);
  const [createdCaller, setCreatedCaller] = useState<{ id: string; name: string } | null>(null);
  const caller = chosenCaller === undefined ? (role === 'viewer' ? NEW_CALLER : null) : chosenCaller;
  const newCallerName = (callerName ?? email).trim();
  const callers = useQuery({ ...allCallersQuery, enabled: opened });
  const createCaller = async (): Promise<string> => {
    const created =
      createdCaller?.name === newCallerName
        ? createdCaller
        : await unwrapData(apiClient.POST('/mgmt/callers', { body: { name: newCallerName } }));
    setCreatedCaller(created);
    void queryClient.invalidateQueries({ queryKey: ['callers'] });
    const params = { path: { id: created.id } };
    await unwrapData(apiClient.PUT('/mgmt/callers/{id}/grants', { params, body: { lenses: lensNames } }));
    return created.name;
  };
  const createUser = useMutation({
    mutationFn: async () => {
      const callerOfUser = caller === NEW_CALLER ? await createCaller() : (caller?.slice(CALLER_PREFIX.length) ?? null);
      return unwrapData(
        apiClient.POST('/mgmt/users', { body: { email: email.trim(), password, role, caller: callerOfUser } }),
      );
    },
    onSuccess: () => {
      setEmail('');
      setPassword('');
      setChosenCaller(undefined);
      setCallerName(null);
      setLensNames([]);
      setCreatedCaller(null);
      onClose();
      void queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="New account"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      centered
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          createUser.mutate();
        }}
      >
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          value={email}
          data-autofocus
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description="At least 8 characters"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <RoleSelect value={role} onChange={setRole} />
        <Select
          label="Caller"
          description="A viewer can use only the lenses of this caller"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear caller' }}
          data={[
            { value: NEW_CALLER, label: 'New caller' },
            ...(callers.data?.items ?? []).map(({ name }) => ({ value: CALLER_PREFIX + name, label: name })),
          ]}
          value={caller}
          onChange={setChosenCaller}
        />
        {caller === NEW_CALLER && (
          <>
            <TextInput
              label="Name of the new caller"
              value={callerName ?? email}
              onChange={({ currentTarget }) => setCallerName(currentTarget.value)}
            />
            <CallerLensSelect value={lensNames} onChange={setLensNames} />
          </>
        )}
        {createUser.error && (
          <>
            {createdCaller && caller === NEW_CALLER && (
              <p>{`svc created the caller ${createdCaller.name}, but not the account. Correct the problem, then select “Create” again.`}</p>
            )}
            <ErrorState fault={createUser.error} />
          </>
        )}
        <Button
          type="submit"
          disabled={!email.trim() || !password || (caller === NEW_CALLER && !newCallerName)}
          loading={createUser.isPending}
        >
          Create
        </Button>
      </form>
    </Modal>
  );
}
