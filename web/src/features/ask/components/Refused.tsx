// Shows a question that svc declined, and the next steps: replace each unknown word, ask the part that svc can answer,
// ask a sample question, or contact someone who can change the lens.
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOrThrow } from '../../../api/client.ts';
import { mayCurate, sessionQuery } from '../../../api/session.ts';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { ErrorState } from '../../../ui/States.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import css from './ask.module.css';
import { TeachWord } from './TeachWord.tsx';

type Unplaced = NonNullable<Envelope['unplaced']>[number];

export function Refusal(props: { envelope: Envelope; inquiry: Inquiry; onAsk: (inquiry: Inquiry) => void }) {
  const { envelope, inquiry, onAsk } = props;
  const { answer, suggestions, status, lens, proposal } = envelope;
  const unplaced = inquiry.kind === 'question' ? (envelope.unplaced ?? []) : [];
  const again = (q: string, lensName: string | null) =>
    onAsk({ kind: 'question', q, lens: lensName, choices: {}, before: [] });
  return (
    <div className={css.card}>
      <p className={css.refusedHead}>
        <StatusBadge status={status} />
      </p>
      <p>{showHiddenCharacters(answer ?? '')}</p>
      {inquiry.kind === 'question' && unplaced.some(({ nearest }) => nearest.length > 0) && (
        <OtherWords
          q={inquiry.q}
          unplaced={unplaced}
          onAsk={(q) => onAsk({ ...inquiry, q, lens: lens ?? inquiry.lens, choices: {} })}
        />
      )}
      {proposal && lens && <Proposed proposal={proposal} lens={lens} onAsk={onAsk} />}
      {suggestions && suggestions.length > 0 && (
        <>
          <h3>Ask instead</h3>
          <div className={css.samples}>
            {suggestions.flatMap((suggestion) =>
              typeof suggestion === 'string'
                ? [
                    <AskInstead
                      key={suggestion}
                      q={suggestion}
                      onClick={() => again(suggestion, lens ?? inquiry.lens)}
                    />,
                  ]
                : suggestion.sample_questions
                    .slice(0, 2)
                    .map((q) => (
                      <AskInstead
                        key={suggestion.lens + q}
                        q={q}
                        hint={suggestion.why}
                        onClick={() => again(q, suggestion.lens)}
                      />
                    )),
            )}
          </div>
        </>
      )}
      <TeachOrReport envelope={envelope} unplaced={unplaced} onAgain={() => onAsk(inquiry)} />
    </div>
  );
}

const LEFT_OUT = '';
const refusalText = ({ kind, name }: Unplaced['nearest'][number]): string =>
  kind === 'value' || kind === 'spelling' ? name : (name.split('.').at(-1) ?? name).replaceAll('_', ' ');

/** Offers replacements for each unknown word. After the last choice, the app asks the whole question again. */
function OtherWords({ q, unplaced, onAsk }: { q: string; unplaced: Unplaced[]; onAsk: (q: string) => void }) {
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
            Instead of <mark>{showHiddenCharacters(text)}</mark>
          </legend>
          {nearest.map((item) => (
            <Button
              key={item.kind + item.name}
              size="xs"
              variant={chosen[text] === refusalText(item) ? 'filled' : 'default'}
              onClick={() => choose(text, refusalText(item))}
            >
              {refusalText(item)}
              {item.field && <span className={css.optionOf}>{item.field.split('.').at(-1)?.replaceAll('_', ' ')}</span>}
            </Button>
          ))}
          <Button
            size="xs"
            variant={chosen[text] === LEFT_OUT ? 'filled' : 'subtle'}
            onClick={() => choose(text, LEFT_OUT)}
          >
            Leave it out
          </Button>
        </fieldset>
      ))}
    </>
  );
}

/** Replaces whole words only: "win" doesn't match inside "window". */
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

function Proposed(props: {
  proposal: NonNullable<Envelope['proposal']>;
  lens: string;
  onAsk: (inquiry: Inquiry) => void;
}) {
  const { plan, sentence } = props.proposal;
  const left = plan.answers?.leaves_out ?? [];
  const title = sentence.replace(/\s*This leaves out .*$/s, '').replace(/[.\s]+$/, '');
  return (
    <>
      <h3>The part that can be answered</h3>
      <button
        type="button"
        className={css.sample}
        onClick={() => props.onAsk({ kind: 'plan', title, lens: props.lens, body: plan, choices: {} })}
      >
        <span>{showHiddenCharacters(title)}</span>
        {left.length > 0 && (
          <span className={css.leavesOut}>
            Leaves out {left.map((word) => `“${showHiddenCharacters(word)}”`).join(', ')}
          </span>
        )}
      </button>
    </>
  );
}

const AskInstead = ({ q, hint, onClick }: { q: string; hint?: string; onClick: () => void }) => (
  <button type="button" className={css.sample} onClick={onClick}>
    <span>{q}</span>
    {hint && <span className={css.hint}>{hint}</span>}
  </button>
);

/** People who can change the lens can teach it the word. Others can report it. */
function TeachOrReport(props: { envelope: Envelope; unplaced: Unplaced[]; onAgain: () => void }) {
  const { envelope, unplaced } = props;
  const { data: session } = useQuery(sessionQuery);
  const [teaching, setTeaching] = useState(false);
  const words = unplaced.map(({ text }) => `“${text}”`).join(', ');
  const report = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.POST('/v1/reviews', {
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
      <TeachWord
        lens={envelope.lens}
        word={unplaced[0]}
        question={envelope.question}
        onAgain={props.onAgain}
        onLeave={() => setTeaching(false)}
      />
    );
  return (
    <div className={css.actions}>
      {mayCurate(session) && envelope.lens && unplaced[0] && (
        <Button size="xs" variant="default" onClick={() => setTeaching(true)}>
          Teach “{showHiddenCharacters(unplaced[0].text)}”
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
          Report as a gap
        </Button>
      )}
      {report.error && <ErrorState fault={report.error} />}
    </div>
  );
}
