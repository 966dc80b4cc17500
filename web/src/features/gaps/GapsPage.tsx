import { Button, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { paths } from '../../api/schema.d.ts';
import { toUserMessage } from '../../api/user-messages.ts';
import { formatLabel, StatusBadge } from '../../ui/Badges.tsx';
import { formatCheckName } from '../../ui/Checks.tsx';
import { formatCountWithNoun, formatDateTime } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { Page } from '../../ui/Page.tsx';
import { usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';
import { ChangeForm, type LensChange } from './ChangeForm.tsx';
import css from './gaps.module.css';
import { type Patch, PatchCard } from './PatchCard.tsx';

type Gap = paths['/mgmt/gap-map']['get']['responses']['200']['content']['application/json']['items'][number];

const CAUSE_TEXTS: Record<string, { title: string; advice: string }> = {
  question_covered: {
    title: 'svc doesn’t understand part of the question',
    advice: 'Draft a fix for the missing word, or certify the question.',
  },
  whole_question: { title: 'The answer might leave out a part of the question', advice: 'Certify the question.' },
  data_fresh: { title: 'The data might be out of date', advice: 'Load newer data, or increase fresh_for in the lens.' },
  facts_confirmed: { title: 'The answer depends on unconfirmed facts', advice: 'Confirm the facts of the lens.' },
  governed_metrics: {
    title: 'The question asks for a measure that isn’t a metric',
    advice: 'Define a metric for the measure that the question asks for, or certify the question.',
  },
  certified_failed: {
    title: 'A certified entry no longer runs',
    advice: 'Open “Certified entries”, check the entry, and approve SQL that runs.',
  },
  upstream: {
    title: 'The database didn’t answer',
    advice: 'Test the connection under “Data”, then open a request to see its error.',
  },
  unreachable: { title: 'The database can’t be reached', advice: 'Test the connection under “Data”.' },
  timeout: { title: 'The answer took too long', advice: 'Open a request to see its SQL and how long it took.' },
};
const formatCause = (word: string, failedCheck: boolean): string =>
  CAUSE_TEXTS[word]?.title ?? (failedCheck ? `Check failed: ${formatCheckName(word)}` : formatLabel(word));

const GAP_KIND_TITLES = {
  unread: 'Words that svc doesn’t understand',
  uncovered: 'No lens covers the question',
  low_confidence: 'Answered with low confidence',
  failed: 'Failed',
} as const;
const RESOLUTION_LABELS: Record<string, string> = { patched: 'Fix drafted' };
const reloadGaps = () => void queryClient.invalidateQueries({ queryKey: ['gaps'] });

export function GapsPage() {
  const [status, setStatus] = useState<'open' | 'resolved'>('open');
  const { rows, error, retry, more } = usePagedList<Gap>(['gaps', status], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/gap-map', { signal, params: { query: { limit: 50, status, cursor } } })),
  );
  const refresh = useMutation({
    mutationFn: () => unwrapData(apiClient.POST('/mgmt/gap-map/refresh')),
    onSuccess: reloadGaps,
  });
  return (
    <Page
      title="Gaps"
      description="A gap is a question that svc couldn’t answer well. Each card shows one cause."
      actions={
        <>
          <SegmentedControl
            aria-label="Gaps to show"
            value={status}
            onChange={(value) => setStatus(value as typeof status)}
            data={[
              { value: 'open', label: 'Open' },
              { value: 'resolved', label: 'Resolved' },
            ]}
          />
          <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh
          </Button>
        </>
      }
    >
      {refresh.error && <ErrorState fault={refresh.error} />}
      {error ? (
        <ErrorState fault={error} onRetry={retry} />
      ) : !rows ? (
        <LoadingState lines={6} />
      ) : rows.length === 0 ? (
        <EmptyState title={status === 'open' ? 'No open gaps' : 'No resolved gaps'}>
          {status === 'open' &&
            'Questions that svc couldn’t answer well appear here. Select “Refresh” to find new gaps.'}
        </EmptyState>
      ) : (
        <ul className={css.gaps}>
          {rows.map((gap) => (
            <GapCard key={gap.id} gap={gap} />
          ))}
        </ul>
      )}
      {more.has && (
        <Button variant="default" loading={more.loading} onClick={more.fetch}>
          Load more
        </Button>
      )}
    </Page>
  );
}

function GapCard({ gap }: { gap: Gap }) {
  const titleOf = useLensTitle();
  const [writing, setWriting] = useState(false);
  const [patch, setPatch] = useState<Patch | null>(null);
  const resolve = useMutation({
    mutationFn: (change: LensChange | null) =>
      unwrapData(
        apiClient.POST('/mgmt/gap-map/{id}/resolve', {
          params: { path: { id: gap.id } },
          body: change ? { how: 'patched', change } : { how: 'out_of_scope' },
        }),
      ),
    onSuccess: ({ patch: drafted }) => (drafted ? setPatch(drafted) : reloadGaps()),
  });
  const firstQuestion = gap.questions[0];
  const isLowConfidence = gap.kind === 'low_confidence';
  const areUnknownWords = !isLowConfidence && gap.kind !== 'failed';
  const advice = gap.missing.map((word) => (areUnknownWords ? undefined : CAUSE_TEXTS[word]?.advice)).filter(Boolean);
  return (
    <li className={css.gap}>
      <p className={css.head}>
        <span className={css.missing}>
          {gap.missing.length > 0
            ? gap.missing.map((word) => (
                <span key={word}>{areUnknownWords ? `“${word}”` : formatCause(word, isLowConfidence)}</span>
              ))
            : GAP_KIND_TITLES[gap.kind]}
        </span>
        <span className={css.quiet}>
          {`${gap.lens ? titleOf(gap.lens) : 'No lens'} · ${formatCountWithNoun(gap.asks, 'ask')} from ${formatCountWithNoun(gap.callers, 'caller')} · ${formatDateTime(gap.last_at)}`}
        </span>
      </p>
      <p className={css.quiet}>{GAP_KIND_TITLES[gap.kind]}</p>
      <ul className={css.questions}>
        {gap.questions.slice(0, 4).map(({ question, request_id }) => (
          <li key={request_id}>
            <Link to="/requests/$id" params={{ id: request_id }}>
              {showHiddenCharacters(question)}
            </Link>
          </li>
        ))}
      </ul>
      {gap.resolution && (
        <p>
          <StatusBadge status="resolved" /> {RESOLUTION_LABELS[gap.resolution.how] ?? formatLabel(gap.resolution.how)},
          by {gap.resolution.by}
        </p>
      )}
      {!gap.resolution && !patch && (
        <p>{advice.join(' ') || (isLowConfidence ? LOW_CONFIDENCE_ADVICE : toUserMessage(gap.suggestion.text))}</p>
      )}
      {resolve.error && <ErrorState fault={resolve.error} />}
      {patch ? (
        <PatchCard patch={patch} askedQuestion={firstQuestion?.question ?? null} previewsAtOnce />
      ) : gap.resolution?.patch_id && gap.lens ? (
        <DraftedFix lens={gap.lens} id={gap.resolution.patch_id} askedQuestion={firstQuestion?.question ?? null} />
      ) : gap.resolution ? null : writing && gap.lens ? (
        <ChangeForm
          lens={gap.lens}
          suggested={gap.suggestion.change as LensChange | null}
          isBusy={resolve.isPending}
          onChange={resolve.mutate}
          onLeave={() => setWriting(false)}
        />
      ) : (
        <div className={css.buttons}>
          {gap.lens && (
            <Button size="xs" onClick={() => setWriting(true)}>
              Draft a fix
            </Button>
          )}
          <Button size="xs" variant="default" disabled={resolve.isPending} onClick={() => resolve.mutate(null)}>
            Mark as out of scope
          </Button>
        </div>
      )}
    </li>
  );
}

function DraftedFix({ lens, id, askedQuestion }: { lens: string; id: string; askedQuestion: string | null }) {
  const { data } = useQuery({
    queryKey: ['patch', lens, id],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/lenses/{name}/patches/{id}', { signal, params: { path: { name: lens, id } } })),
  });
  return data ? <PatchCard patch={data} askedQuestion={askedQuestion} /> : null;
}

const LOW_CONFIDENCE_ADVICE =
  'These checks lower the grade. Confirm the facts of the lens, certify the question, or define a metric for the measure that the question asks for.';
