import { Button, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { formatMoment } from '../../ui/format.ts';
import { PagedList, usePages } from '../../ui/ListOf.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import css from './access.module.css';

export function Users() {
  const [adding, setAdding] = useState(false);
  const users = usePages(['users'], ({ cursor, signal }) =>
    dataOrThrow(api.GET('/mgmt/users', { signal, params: { query: { limit: 100, cursor } } })),
  );
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
          { id: 'email', header: 'Email', cell: ({ email }) => email },
          { id: 'role', header: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
          { id: 'caller', header: 'Caller', cell: ({ caller }) => caller ?? '–' },
          {
            id: 'state',
            header: 'Status',
            cell: ({ disabled }) => <StatusBadge status={disabled ? 'disabled' : 'active'} />,
          },
          { id: 'since', header: 'Created', cell: ({ created_at }) => formatMoment(created_at) },
        ]}
      />
      <NewUser opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

const ROLES = ['viewer', 'curator', 'admin'] as const;
type Role = (typeof ROLES)[number];
const ROLE_NAMES = { viewer: 'Viewer', curator: 'Curator', admin: 'Admin' };
const ROLE_DESCRIPTIONS = {
  viewer: 'Can use the lenses of the caller below. Without a caller, sees everything but can’t ask.',
  curator: 'Sees all rows of every lens. Can change what lenses mean, but not data, access or settings.',
  admin: 'Can change everything.',
};

function NewUser({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [caller, setCaller] = useState<string | null>(null);
  const callers = useQuery({
    queryKey: ['callers', 'all'],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/mgmt/callers', { signal, params: { query: { limit: 500 } } })),
    enabled: opened,
  });
  const createUser = useMutation({
    mutationFn: () => dataOrThrow(api.POST('/mgmt/users', { body: { email: email.trim(), password, role, caller } })),
    onSuccess: () => {
      setEmail('');
      setPassword('');
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
        <Select
          label="Role"
          description={ROLE_DESCRIPTIONS[role]}
          allowDeselect={false}
          data={ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
          value={role}
          onChange={(value) => setRole(value as Role)}
        />
        <Select
          label="Caller"
          description="A viewer can use the lenses of this caller"
          clearable
          clearButtonProps={{ 'aria-label': 'No caller' }}
          data={callers.data?.items.map(({ name }) => name) ?? []}
          value={caller}
          onChange={setCaller}
        />
        {createUser.error && <ErrorState fault={createUser.error} />}
        <Button type="submit" disabled={!email.trim() || !password} loading={createUser.isPending}>
          Create
        </Button>
      </form>
    </Modal>
  );
}
