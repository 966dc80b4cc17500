// Unanswered questions, grouped by what was missing, with drafted fixes and their effect on answers.
import { Button, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { toUserMessage } from '../../api/own-words.ts';
import { queryClient } from '../../api/query-client.ts';
import type { paths } from '../../api/schema.d.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { checkName } from '../../ui/Checks.tsx';
import { formatCount, formatMoment } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { usePages } from '../../ui/ListOf.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { type Change, ChangeForm } from './ChangeForm.tsx';
import css from './gaps.module.css';
import { type Patch, PatchCard } from './PatchCard.tsx';

type Gap = paths['/mgmt/gap-map']['get']['responses']['200']['content']['application/json']['items'][number];

const KINDS = {
  unread: 'Words that svc does not understand',
  uncovered: 'No lens covers this',
  low_confidence: 'Answered with low confidence',
  failed: 'Failed',
} as const;
const reload = () => void queryClient.invalidateQueries({ queryKey: ['gaps'] });

export function GapsPage() {
  const [status, setStatus] = useState<'open' | 'resolved'>('open');
  const { rows, error, again, more } = usePages<Gap>(['gaps', status], ({ cursor, signal }) =>
    dataOrThrow(api.GET('/mgmt/gap-map', { signal, params: { query: { limit: 50, status, cursor } } })),
  );
  const refresh = useMutation({ mutationFn: () => dataOrThrow(api.POST('/mgmt/gap-map/refresh')), onSuccess: reload });
  return (
    <Page
      title="Gaps"
      description="Questions without a good answer, grouped by cause."
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
        <ErrorState fault={error} onRetry={again} />
      ) : !rows ? (
        <LoadingState lines={6} />
      ) : rows.length === 0 ? (
        <EmptyState title={status === 'open' ? 'No open gaps' : 'No resolved gaps'}>
          {status === 'open' && 'Refused questions appear here. Select “Refresh” to find new ones.'}
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
          More
        </Button>
      )}
    </Page>
  );
}

function GapCard({ gap }: { gap: Gap }) {
  const [writing, setWriting] = useState(false);
  const [patch, setPatch] = useState<Patch | null>(null);
  const resolve = useMutation({
    mutationFn: (change: Change | null) =>
      dataOrThrow(
        api.POST('/mgmt/gap-map/{id}/resolve', {
          params: { path: { id: gap.id } },
          body: change ? { how: 'patched', change } : { how: 'out_of_scope' },
        }),
      ),
    onSuccess: ({ patch: drafted }) => (drafted ? setPatch(drafted) : reload()),
  });
  const first = gap.questions[0];
  const checked = gap.kind === 'low_confidence';
  return (
    <li className={css.gap}>
      <p className={css.head}>
        <span className={css.missing}>
          {gap.missing.length > 0
            ? gap.missing.map((word) => <mark key={word}>{checked ? `Failed check: ${checkName(word)}` : word}</mark>)
            : KINDS[gap.kind]}
        </span>
        <span className={css.quiet}>
          {`${gap.lens ?? 'no lens'} · ${countWithNoun(gap.asks, 'ask')} from ${countWithNoun(gap.callers, 'caller')} · ${formatMoment(gap.last_at)}`}
        </span>
      </p>
      <p className={css.quiet}>{KINDS[gap.kind]}</p>
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
          <StatusBadge status="resolved" /> {gap.resolution.how.replaceAll('_', ' ')} by {gap.resolution.by}
        </p>
      )}
      {!gap.resolution && !patch && <p>{checked ? LOW_CONFIDENCE : toUserMessage(gap.suggestion.text)}</p>}
      {resolve.error && <ErrorState fault={resolve.error} />}
      {patch ? (
        <PatchCard patch={patch} askedQuestion={first?.question ?? null} autoPreview />
      ) : gap.resolution?.patch_id && gap.lens ? (
        <DraftedFix lens={gap.lens} id={gap.resolution.patch_id} askedQuestion={first?.question ?? null} />
      ) : gap.resolution ? null : writing && gap.lens ? (
        <ChangeForm
          lens={gap.lens}
          suggested={gap.suggestion.change as Change | null}
          busy={resolve.isPending}
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
            Out of scope
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
      dataOrThrow(api.GET('/mgmt/lenses/{name}/patches/{id}', { signal, params: { path: { name: lens, id } } })),
  });
  return data ? <PatchCard patch={data} askedQuestion={askedQuestion} /> : null;
}

const LOW_CONFIDENCE =
  'These checks keep the grade down. Confirm the facts of the lens, certify the question, or define a metric for what it measures.';
const countWithNoun = (number: number, noun: string): string =>
  `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
