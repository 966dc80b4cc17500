import { Button, MultiSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { waitForRun } from '../../../api/runs.ts';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { Section } from '../../../ui/Page.tsx';
import { ErrorState } from '../../../ui/States.tsx';
import type { IntrospectionResult } from './introspection-result.ts';
import css from './wizard.module.css';

const FINDING_TITLES: Record<string, string> = {
  join: 'Joins that svc left out, because the values don’t prove them',
  code: 'Codes with unknown meanings',
  adding_up: 'Fields that might not be safe to sum',
  person: 'Personal data that callers can see',
  date: 'Several possible dates',
  text: 'Text that looks like dates or numbers',
};
const formatColumns = (columnNames: string | string[]): string =>
  typeof columnNames === 'string' ? columnNames : columnNames.join(', ');

export function ReviewStep({
  drafted: draftResult,
  onPublished,
}: {
  drafted: IntrospectionResult;
  onPublished: () => void;
}) {
  const [callers, setCallers] = useState<string[]>([]);
  const callersQuery = useQuery({
    queryKey: ['callers', 'all'],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/mgmt/callers', { signal, params: { query: { limit: 500 } } })),
  });
  const publish = useMutation({
    mutationFn: () => publishDraft(draftResult, callers),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['lenses'] });
      onPublished();
    },
  });
  const topics = [...new Set(draftResult.look_at.map(({ topic }) => topic))];
  return (
    <>
      <p className={css.lead}>
        {`Tables read: ${draftResult.tables}. Joins found: ${draftResult.joins.length}. Review the points below. Nothing is published yet.`}
      </p>
      {topics.map((topic) => (
        <Section key={topic} title={FINDING_TITLES[topic] ?? topic.replaceAll('_', ' ')}>
          <FindingList
            lines={draftResult.look_at
              .filter((item) => item.topic === topic)
              .map(({ about, message }) => (message ? `${about}: ${message}` : about))}
          />
        </Section>
      ))}
      {draftResult.left_out.length > 0 && (
        <Section title="Left out of the draft">
          <FindingList lines={draftResult.left_out} />
        </Section>
      )}
      {draftResult.joins.length > 0 && (
        <Section title="Joins and their evidence">
          <FindingList
            lines={draftResult.joins.map(
              ({ from, to, evidence }) => `${formatColumns(from)} → ${formatColumns(to)}: ${evidence}`,
            )}
          />
        </Section>
      )}
      <Section title="Draft">
        <details>
          <summary>lens.yaml</summary>
          <CodeBlock text={Object.values(draftResult.files)[0] ?? ''} label="lens.yaml of the draft" />
        </details>
      </Section>
      <Section title="Publish">
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            publish.mutate();
          }}
        >
          <MultiSelect
            label="Callers that can use the lens"
            description="Admins and curators can use every lens"
            data={callersQuery.data?.items.map(({ name }) => name) ?? []}
            value={callers}
            onChange={setCallers}
          />
          {publish.error && <ErrorState fault={publish.error} />}
          <div className={css.choices}>
            <Button type="submit" loading={publish.isPending}>
              Publish
            </Button>
            <Link
              to="/lenses/$name/edit"
              params={{ name: draftResult.lens }}
              search={{ draft: draftResult.draft_id ?? undefined }}
            >
              Edit the draft first
            </Link>
          </div>
        </form>
      </Section>
    </>
  );
}

const FindingList = ({ lines }: { lines: string[] }) => (
  <ul className={css.lines}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

async function publishDraft({ lens, draft_id }: IntrospectionResult, callers: string[]): Promise<void> {
  const reply = await unwrapData(
    apiClient.POST('/mgmt/lenses/{name}/drafts/{id}/publish', {
      params: { path: { name: lens, id: draft_id! } },
      headers: { prefer: 'respond-async' },
    }),
  );
  if ('run_id' in reply) await waitForRun(String(reply.run_id));
  if (callers.length > 0)
    await unwrapData(
      apiClient.PUT('/mgmt/lenses/{name}/grants', { params: { path: { name: lens } }, body: { callers, groups: [] } }),
    );
}
