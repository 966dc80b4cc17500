import { Button, Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Section } from '../../../ui/Page.tsx';
import { usePagedList } from '../../../ui/PagedList.tsx';
import { ErrorState } from '../../../ui/States.tsx';
import { formatEngineName } from '../engine-name.ts';
import { addConnection } from './connect.ts';
import {
  type ConnectionForm,
  changeAddressField,
  EMPTY_CONNECTION_FORM,
  toConnectionConfig,
} from './connection-form.ts';
import css from './wizard.module.css';

export function ConnectStep({ onConnected }: { onConnected: (name: string) => void }) {
  const connections = usePagedList(['connections'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/connections', { signal, params: { query: { limit: 100, cursor } } })),
  );
  return (
    <>
      {connections.rows && connections.rows.length > 0 && (
        <Section title="Use an existing connection">
          <div className={css.connections}>
            {connections.rows.map(({ name, kind }) => (
              <Button key={name} variant="default" justify="space-between" onClick={() => onConnected(name)}>
                {name} ({formatEngineName(kind)})
              </Button>
            ))}
          </div>
        </Section>
      )}
      <Section title="Or connect a database" description="Use a database user with read-only access.">
        <NewConnection takenNames={connections.rows?.map(({ name }) => name) ?? []} onConnected={onConnected} />
      </Section>
    </>
  );
}

const KIND_OPTIONS = [
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL or MariaDB' },
  { value: 'duckdb', label: 'DuckDB file on the server' },
  { value: 'other', label: 'Other' },
];

function NewConnection({
  takenNames: taken,
  onConnected,
}: {
  takenNames: string[];
  onConnected: (name: string) => void;
}) {
  const [address, setAddress] = useState<ConnectionForm>(EMPTY_CONNECTION_FORM);
  const changeAddress = (changes: Partial<ConnectionForm>) => setAddress({ ...address, ...changes });
  const createConnection = useMutation({
    mutationFn: () => addConnection(address.name, toConnectionConfig(address)),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['connections'] });
      onConnected(address.name);
    },
  });
  const { kind, name } = address;
  const nameFault = taken.includes(name) ? `A connection named “${name}” already exists. Use another name.` : undefined;
  const field = (
    label: string,
    key: 'name' | 'host' | 'port' | 'database' | 'user' | 'path',
    description?: string,
    hint?: string,
  ) => (
    <TextInput
      label={label}
      error={key === 'name' ? nameFault : undefined}
      description={description}
      placeholder={hint}
      autoComplete="off"
      spellCheck={false}
      value={address[key]}
      onChange={({ currentTarget: { value } }) => setAddress(changeAddressField(address, key, value))}
    />
  );
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        createConnection.mutate();
      }}
    >
      <Select
        label="Engine"
        data={KIND_OPTIONS}
        allowDeselect={false}
        value={kind}
        onChange={(value) => changeAddress({ kind: (value ?? 'postgres') as ConnectionForm['kind'] })}
      />
      {(kind === 'postgres' || kind === 'mysql') && (
        <>
          {field('Host', 'host', 'Or paste a connection URL to fill in the other fields', 'db.example.com')}
          {field('Port', 'port', undefined, kind === 'mysql' ? '3306' : '5432')}
          {field('Database', 'database')}
          {field('User', 'user')}
          <PasswordInput
            label="Password"
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            value={address.password}
            onChange={({ currentTarget: { value } }) => changeAddress({ password: value })}
          />
          <Checkbox
            label="Use TLS"
            checked={address.ssl}
            onChange={({ currentTarget: { checked } }) => changeAddress({ ssl: checked })}
          />
        </>
      )}
      {kind === 'duckdb' && field('File path', 'path', 'In the project folder, for example data/sales.duckdb')}
      {kind === 'other' && (
        <Textarea
          label="Configuration (JSON)"
          description='The guide lists the settings of each engine. For example: {"kind": "clickhouse", "host": "…"}'
          autosize
          minRows={4}
          spellCheck={false}
          value={address.members}
          onChange={({ currentTarget: { value } }) => changeAddress({ members: value })}
        />
      )}
      {field('Connection name', 'name', 'Lowercase letters, digits, _ and -')}
      {createConnection.error && <ErrorState fault={createConnection.error} />}
      <div className={css.choices}>
        <Button type="submit" loading={createConnection.isPending} disabled={!name || nameFault !== undefined}>
          Connect
        </Button>
        {!name && <span className={css.hint}>Enter a connection name.</span>}
      </div>
    </form>
  );
}
