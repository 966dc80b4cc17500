// The browser inserts the key into the settings and doesn't store it.
import { PasswordInput, Tabs } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Page } from '../../ui/Page.tsx';
import { ErrorState, LoadingState } from '../../ui/States.tsx';
import { type LensSummary, lensesQuery } from '../ask/api/lenses.ts';
import { toCurlCommand } from '../ask/lib/export-answer.ts';
import css from './connect.module.css';

const ASSISTANT_TAB = 'line';
const SCRIPTS_TAB = 'scripts';
const KEY_PLACEHOLDER_PATTERN = /<[^<>\n]*key[^<>\n]*>|YOUR_KEY|\$SVC_KEY/gi;

const createCurlCommand = ([first]: LensSummary[]): string => {
  const q = first?.sample_questions[0] ?? 'Your question';
  return toCurlCommand(
    { kind: 'question', q, lens: first?.name ?? null, choices: {}, earlierQuestions: [] },
    window.location.origin,
  ).replace('$SVC_KEY', '<API_KEY>');
};

export function ConnectPage() {
  const [key, setKey] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['snippets'],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/activation/snippets', { signal, params: { query: { limit: 100 } } })),
  });
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const withKey = (code: string) => (key.trim() ? code.replace(KEY_PLACEHOLDER_PATTERN, key.trim()) : code);
  return (
    <Page
      title="Connect"
      description="Connect agents, apps and notebooks to svc. Most clients need a key, and some sign in with OAuth."
    >
      {error ? (
        <ErrorState fault={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingState lines={6} />
      ) : (
        <>
          <div className={css.key}>
            <PasswordInput
              label="Caller key"
              description="The commands and settings below include this key. The key stays in your browser."
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
            <Link to="/access">Create a key</Link>
          </div>
          <Tabs
            className={css.clients}
            defaultValue={data.connect_line ? ASSISTANT_TAB : data.items[0]?.id}
            keepMounted={false}
          >
            <Tabs.List>
              {data.connect_line && <Tabs.Tab value={ASSISTANT_TAB}>Any AI assistant</Tabs.Tab>}
              {data.items.map(({ id, label }) => (
                <Tabs.Tab key={id} value={id}>
                  {label.replace(/ \(.*/, '')}
                </Tabs.Tab>
              ))}
              <Tabs.Tab value={SCRIPTS_TAB}>Scripts and notebooks</Tabs.Tab>
            </Tabs.List>
            {data.connect_line && (
              <Tabs.Panel value={ASSISTANT_TAB}>
                <p>Paste this line into your AI assistant.</p>
                <CodeBlock text={withKey(data.connect_line)} label="Line for your AI assistant" />
              </Tabs.Panel>
            )}
            {data.items.map(({ id, label, auth, code }) => (
              <Tabs.Panel key={id} value={id}>
                {auth === 'oauth' ? <InstructionSteps text={code} label={label} /> : <p>{label}</p>}
                {auth === 'key' && <CodeBlock noWrap text={withKey(code)} label={label} />}
              </Tabs.Panel>
            ))}
            <Tabs.Panel value={SCRIPTS_TAB}>
              <p>
                This command asks a question over HTTP. The response is JSON. For CSV, add the header “Accept:
                text/csv”.
              </p>
              <CodeBlock noWrap text={withKey(createCurlCommand(lenses))} label="curl" />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Page>
  );
}

function InstructionSteps({ text, label }: { text: string; label: string }) {
  const [url] = /https?:\S+[^\s.,]/.exec(text) ?? [];
  return (
    <>
      <ol className={css.steps}>
        {text.split(/(?<=\.)\s+/).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {url && <CodeBlock noWrap text={url} label={`URL for ${label}`} />}
    </>
  );
}
