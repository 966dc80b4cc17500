// Settings for each client. The key is inserted in the browser and never stored.
import { PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { Sql } from '../../ui/Sql.tsx';
import { Failed, Loading } from '../../ui/States.tsx';
import css from './connect.module.css';

const PLACE = /<[^<>\n]*key[^<>\n]*>|YOUR_KEY|\$SVC_KEY/gi;

export function ConnectPage() {
  const [key, setKey] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['snippets'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/mgmt/activation/snippets', { signal, params: { query: { limit: 100 } } })),
  });
  const filled = (code: string) => (key.trim() ? code.replace(PLACE, key.trim()) : code);
  return (
    <Page title="Connect" about="Connect agents, apps and notebooks. Each needs its own key.">
      {error ? (
        <Failed fault={error} again={() => void refetch()} />
      ) : !data ? (
        <Loading lines={6} />
      ) : (
        <>
          <div className={css.key}>
            <PasswordInput
              label="Key"
              description="Used in the snippets below; it stays on this page"
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
            <Link to="/access">Create a key</Link>
          </div>
          {data.connect_line && (
            <Section title="Paste this line into your AI assistant">
              <Sql text={filled(data.connect_line)} label="Line for your AI assistant" />
            </Section>
          )}
          {data.items.map(({ id, label, auth, code }) => (
            <Section
              key={id}
              title={label}
              about={auth === 'oauth' ? 'Signs in through OAuth and needs no key.' : undefined}
            >
              <Sql text={filled(code)} label={label} />
            </Section>
          ))}
        </>
      )}
    </Page>
  );
}
