import { Button, Modal, PasswordInput, Select } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { paths } from '../../api/schema.d.ts';
import { sessionQuery } from '../../api/session.ts';
import { Section } from '../../ui/Page.tsx';
import { ErrorState } from '../../ui/States.tsx';
import css from './access.module.css';
import { allCallersQuery } from './callers-query.ts';
import { RoleSelect } from './RoleSelect.tsx';

type Account = paths['/mgmt/users']['get']['responses']['200']['content']['application/json']['items'][number];
type AccountChange = NonNullable<paths['/mgmt/users/{id}']['patch']['requestBody']>['content']['application/json'];

export function AccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwnAccount = session.user?.email === account.email;
  return (
    <Modal
      opened
      onClose={onClose}
      title={account.email}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      centered
    >
      <RoleAndCaller account={account} onClose={onClose} />
      <Section title="Password">
        <NewPassword id={account.id} />
      </Section>
      <Section title="Access">
        {isOwnAccount ? (
          <p>You are signed in with this account, so you can’t disable or delete it here.</p>
        ) : (
          <EndAccess account={account} onClose={onClose} />
        )}
      </Section>
    </Modal>
  );
}

const changeAccount = (id: string, body: AccountChange) =>
  unwrapData(apiClient.PATCH('/mgmt/users/{id}', { params: { path: { id } }, body }));
const reloadAccounts = () => queryClient.invalidateQueries({ queryKey: ['users'] });

function RoleAndCaller({ account, onClose }: { account: Account; onClose: () => void }) {
  const [role, setRole] = useState(account.role);
  const [caller, setCaller] = useState(account.caller);
  const callers = useQuery(allCallersQuery);
  const names = new Set(callers.data?.items.map(({ name }) => name)).add(account.caller ?? '');
  const save = useMutation({
    mutationFn: () =>
      changeAccount(account.id, {
        ...(role === account.role ? {} : { role }),
        ...(caller === account.caller ? {} : { caller }),
      }),
    onSuccess: async () => {
      await reloadAccounts();
      onClose();
    },
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <RoleSelect value={role} onChange={setRole} />
      <Select
        label="Caller"
        description="If you change the caller, OAuth clients must ask this person for consent again."
        clearable
        clearButtonProps={{ 'aria-label': 'Clear caller' }}
        data={[...names].filter(Boolean)}
        value={caller}
        onChange={setCaller}
      />
      {callers.error && <ErrorState fault={callers.error} />}
      {save.error && <ErrorState fault={save.error} />}
      <Button type="submit" disabled={role === account.role && caller === account.caller} loading={save.isPending}>
        Save
      </Button>
    </form>
  );
}

function NewPassword({ id }: { id: string }) {
  const [password, setPassword] = useState('');
  const save = useMutation({
    mutationFn: () =>
      unwrapData(apiClient.POST('/mgmt/users/{id}/password', { params: { path: { id } }, body: { password } })),
    onSuccess: () => setPassword(''),
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <PasswordInput
        label="New password"
        description="At least 8 characters. A new password signs this person out everywhere."
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {save.error && <ErrorState fault={save.error} />}
      <div>
        <Button type="submit" variant="default" disabled={!password} loading={save.isPending}>
          Set password
        </Button>{' '}
        <span role="status">{save.isSuccess && !password && 'The password has been changed.'}</span>
      </div>
    </form>
  );
}

function EndAccess({ account, onClose }: { account: Account; onClose: () => void }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const disable = useMutation({
    mutationFn: () => changeAccount(account.id, { disabled: !account.disabled }),
    onSuccess: async () => {
      await reloadAccounts();
      onClose();
    },
  });
  const remove = useMutation({
    mutationFn: () => unwrapData(apiClient.DELETE('/mgmt/users/{id}', { params: { path: { id: account.id } } })),
    onSuccess: async () => {
      await reloadAccounts();
      onClose();
    },
  });
  const fault = disable.error ?? remove.error;
  return (
    <div className={css.form}>
      <p>
        {isDeleting
          ? 'Delete this account with its conversations and boards? You can’t undo this.'
          : 'If you disable or delete an account, svc signs the person out immediately and revokes the access of their OAuth clients.'}
      </p>
      {fault && <ErrorState fault={fault} />}
      <div className={css.buttons}>
        {isDeleting ? (
          <>
            <Button variant="default" onClick={() => setIsDeleting(false)}>
              Cancel
            </Button>
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          </>
        ) : (
          <>
            <Button variant="default" loading={disable.isPending} onClick={() => disable.mutate()}>
              {account.disabled ? 'Enable account' : 'Disable account'}
            </Button>
            <Button variant="default" onClick={() => setIsDeleting(true)}>
              Delete account
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
