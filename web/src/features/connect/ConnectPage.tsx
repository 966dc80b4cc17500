// Shows the settings for each client. The browser inserts the key into the settings and doesn't store it.
import { PasswordInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { Sql } from '../../ui/Sql.tsx';
import { ErrorState, LoadingState } from '../../ui/States.tsx';
import { type LensSummary, lensesQuery } from '../ask/api/lenses.ts';
import { curlOf } from '../ask/lib/export-answer.ts';
import css from './connect.module.css';

const PLACE = /<[^<>\n]*key[^<>\n]*>|YOUR_KEY|\$SVC_KEY/gi;

const commandOf = ([first]: LensSummary[]): string => {
  const q = first?.sample_questions[0] ?? 'Your question';
  return curlOf({ kind: 'question', q, lens: first?.name ?? null, choices: {}, before: [] }, window.location.origin);
};

export function ConnectPage() {
  const [key, setKey] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['snippets'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/mgmt/activation/snippets', { signal, params: { query: { limit: 100 } } })),
  });
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const withKey = (code: string) => (key.trim() ? code.replace(PLACE, key.trim()) : code);
  return (
    <Page title="Connect" description="Connect agents, apps and notebooks. Each needs its own key.">
      {error ? (
        <ErrorState fault={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingState lines={6} />
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
              <Sql text={withKey(data.connect_line)} label="Line for your AI assistant" />
            </Section>
          )}
          {data.items.map(({ id, label, auth, code }) => (
            <Section
              key={id}
              title={label}
              description={auth === 'oauth' ? 'Signs in through OAuth and needs no key.' : undefined}
            >
              <Sql text={withKey(code)} label={label} />
            </Section>
          ))}
          <Section
            title="Scripts and notebooks"
            description="Asks over HTTP. The reply is JSON, or CSV with the header “Accept: text/csv”."
          >
            <Sql text={withKey(commandOf(lenses))} label="curl" />
          </Section>
        </>
      )}
    </Page>
  );
}
