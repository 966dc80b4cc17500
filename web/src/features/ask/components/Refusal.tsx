import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { canCurate, sessionQuery } from '../../../api/session.ts';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { ErrorState } from '../../../ui/States.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { useLensTitle } from '../api/lenses.ts';
import css from './ask.module.css';
import { TeachWordForm } from './TeachWordForm.tsx';

type UnplacedText = NonNullable<Envelope['unplaced']>[number];

const UNPLACED_TEXT_PREFIX = "svc can't match ";
const describeMissingWord = (unplaced: UnplacedText[], lens: string | null): string =>
  `${unplaced.map(({ text }) => `“${text}”`).join(' and ')} ${unplaced.length > 1 ? 'aren’t' : 'isn’t'} in ${lens ?? 'this lens'}.`;

export function Refusal(props: {
  envelope: Envelope;
  inquiry: Inquiry;
  onAsk: (inquiry: Inquiry) => void;
  onAskAgain: () => void;
}) {
  const { envelope, inquiry, onAsk } = props;
  const { answer, suggestions, status, lens, proposal } = envelope;
  const unplaced = inquiry.kind === 'question' ? (envelope.unplaced ?? []) : [];
  const titleOfLens = useLensTitle();
  const reason =
    answer?.startsWith(UNPLACED_TEXT_PREFIX) && unplaced.length > 0
      ? describeMissingWord(unplaced, lens && titleOfLens(lens))
      : (answer ?? '');
  const questions = (suggestions ?? [])
    .flatMap((item): { q: string; lens: string | null; why?: string }[] =>
      typeof item === 'string'
        ? [{ q: item, lens: lens ?? inquiry.lens }]
        : item.sample_questions.slice(0, 2).map((q) => ({ q, lens: item.lens, why: item.why })),
    )
    .filter(
      ({ q, lens: of }, index, all) =>
        (!proposal || normalizeQuestion(q) !== normalizeQuestion(formatProposalTitle(proposal))) &&
        all.findIndex((other) => other.lens === of && normalizeQuestion(other.q) === normalizeQuestion(q)) === index,
    );
  const askAgain = (q: string, lensName: string | null) =>
    onAsk({ kind: 'question', q, lens: lensName, choices: {}, earlierQuestions: [] });
  return (
    <div className={css.card}>
      <p className={css.refusedHead}>
        <StatusBadge status={status} />
      </p>
      <p>{showHiddenCharacters(reason)}</p>
      {inquiry.kind === 'question' && unplaced.some(({ nearest }) => nearest.length > 0) && (
        <ReplacementChoices
          q={inquiry.q}
          unplaced={unplaced}
          onAsk={(q) => onAsk({ ...inquiry, q, lens: lens ?? inquiry.lens, choices: {} })}
        />
      )}
      {(proposal || questions.length > 0) && (
        <>
          <h3>Ask instead</h3>
          <div className={css.samples}>
            {proposal && lens && <ProposalCard proposal={proposal} lens={lens} onAsk={onAsk} />}
            {questions.map(({ q, lens: of, why }) => (
              <SuggestedQuestions key={`${of} ${q}`} q={q} hint={why} onClick={() => askAgain(q, of)} />
            ))}
          </div>
        </>
      )}
      {inquiry.kind === 'question' && inquiry.q !== '' && inquiry.lens && inquiry.earlierQuestions.length === 0 && (
        <p className={css.hint}>
          svc looked only in the lens “{titleOfLens(inquiry.lens)}”.{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => askAgain(inquiry.q, null)}>
            Ask any lens
          </Button>
        </p>
      )}
      <UnknownWordActions envelope={envelope} unplaced={unplaced} onAgain={props.onAskAgain} />
    </div>
  );
}

const LEAVE_OUT_OPTION = '';
const formatReplacement = ({ kind, name }: UnplacedText['nearest'][number]): string =>
  kind === 'value' || kind === 'spelling' ? name : (name.split('.').at(-1) ?? name).replaceAll('_', ' ');

/** A metric and a field with the same name give the same replacement text. */
const removeRepeatedReplacements = (nearest: UnplacedText['nearest']): UnplacedText['nearest'] => [
  ...new Map(nearest.map((item) => [`${formatReplacement(item)} ${item.field ?? ''}`, item])).values(),
];

/** After the last choice, the app asks the whole question again. */
function ReplacementChoices({
  q,
  unplaced,
  onAsk,
}: {
  q: string;
  unplaced: UnplacedText[];
  onAsk: (q: string) => void;
}) {
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const choose = (word: string, other: string) => {
    const allReplacements = { ...chosen, [word]: other };
    setChosen(allReplacements);
    if (unplaced.every(({ text }) => text in allReplacements)) onAsk(replaceWords(q, allReplacements));
  };
  return (
    <>
      {unplaced.map(({ text, nearest }) => (
        <fieldset key={text} className={css.otherWords}>
          <legend>
            Replace <mark>{showHiddenCharacters(text)}</mark>
          </legend>
          {removeRepeatedReplacements(nearest).map((item) => (
            <Button
              key={item.kind + item.name}
              size="xs"
              variant={chosen[text] === formatReplacement(item) ? 'filled' : 'default'}
              onClick={() => choose(text, formatReplacement(item))}
            >
              {formatReplacement(item)}
              {item.field && <span className={css.optionOf}>{item.field.split('.').at(-1)?.replaceAll('_', ' ')}</span>}
            </Button>
          ))}
          <Button
            size="xs"
            variant={chosen[text] === LEAVE_OUT_OPTION ? 'filled' : 'subtle'}
            onClick={() => choose(text, LEAVE_OUT_OPTION)}
          >
            Leave out
          </Button>
        </fieldset>
      ))}
    </>
  );
}

/** Replaces only whole words: "win" doesn't match inside "window". */
function replaceWords(question: string, chosen: Record<string, string>): string {
  const replaced = Object.entries(chosen).reduce((text, [word, other]) => {
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'iu'), () => other);
  }, question);
  return replaced
    .replace(/\s+([?.!,])/g, '$1')
    .replace(/\s{2,}/g, ' ')
    .trim();
}

type Proposal = NonNullable<Envelope['proposal']>;
const formatProposalTitle = ({ sentence }: Proposal): string =>
  sentence.replace(/\s*svc left out .*$/s, '').replace(/[.\s]+$/, '');
/** Removes the words that don't change the question, so that "What was revenue in 2016?" equals "Revenue in 2016". */
const normalizeQuestion = (question: string): string =>
  question
    .toLowerCase()
    .replace(/^(what (was|were|is|are)|show|list) (the )?/, '')
    .replace(/^total /, '')
    .replace(/[?.\s]+$/, '');

function ProposalCard(props: { proposal: Proposal; lens: string; onAsk: (inquiry: Inquiry) => void }) {
  const { plan } = props.proposal;
  const leftOutWords = plan.answers?.leaves_out ?? [];
  const title = formatProposalTitle(props.proposal);
  return (
    <button
      type="button"
      className={css.sample}
      onClick={() => props.onAsk({ kind: 'plan', title, lens: props.lens, body: plan, choices: {} })}
    >
      <span>{showHiddenCharacters(title)}</span>
      {leftOutWords.length > 0 && (
        <span className={css.leavesOut}>
          Leaves out {leftOutWords.map((word) => `“${showHiddenCharacters(word)}”`).join(', ')}
        </span>
      )}
    </button>
  );
}

const SuggestedQuestions = ({ q, hint, onClick }: { q: string; hint?: string | undefined; onClick: () => void }) => (
  <button type="button" className={css.sample} onClick={onClick}>
    <span>{q}</span>
    {hint && <span className={css.hint}>{hint}</span>}
  </button>
);

/** People who can change the lens can define the word. Other people can report the question. */
function UnknownWordActions(props: { envelope: Envelope; unplaced: UnplacedText[]; onAgain: () => void }) {
  const { envelope, unplaced } = props;
  const { data: session } = useQuery(sessionQuery);
  const [teaching, setTeaching] = useState(false);
  const words = unplaced.map(({ text }) => `“${text}”`).join(', ');
  const report = useMutation({
    mutationFn: () =>
      unwrapData(
        apiClient.POST('/v1/reviews', {
          body: {
            request_id: envelope.request_id,
            note: words ? `Not understood: ${words}.` : 'svc can’t answer this question.',
          },
        }),
      ),
  });
  if (!session) return null;
  if (teaching && envelope.lens && unplaced[0])
    return (
      <TeachWordForm
        lens={envelope.lens}
        word={unplaced[0]}
        question={envelope.question}
        onAskAgain={props.onAgain}
        onLeave={() => setTeaching(false)}
      />
    );
  return (
    <div className={css.actions}>
      {canCurate(session) && envelope.lens && unplaced[0] && (
        <Button size="xs" variant="default" onClick={() => setTeaching(true)}>
          Define “{showHiddenCharacters(unplaced[0].text)}”
        </Button>
      )}
      {report.data ? (
        <p role="status">
          Reported.{' '}
          <Link to="/reviews/$id" params={{ id: report.data.ticket_id }}>
            Follow the review
          </Link>
        </p>
      ) : (
        <Button size="xs" variant="default" loading={report.isPending} onClick={() => report.mutate()}>
          Send for review
        </Button>
      )}
      {report.error && <ErrorState fault={report.error} />}
    </div>
  );
}
