// One question and what came of it: still running, an answer, a question back, a no, or a fault.
import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Status } from '../../../ui/Badges.tsx';
import { inert } from '../../../ui/inert.ts';
import { Failed } from '../../../ui/States.tsx';
import type { Asked, Envelope } from '../api/ask.ts';
import type { TurnState } from '../lib/turn-state.ts';
import { Answer } from './Answer.tsx';
import css from './ask.module.css';

export function Turn(given: { turn: TurnState; onAsk: (asked: Asked) => void; onFollow: () => void }) {
  const { turn, onAsk } = given;
  const { asked, envelope, fault } = turn;
  return (
    <article className={css.turn} aria-label={titleOf(asked)}>
      <h2 className={css.question}>{inert(titleOf(asked))}</h2>
      <div aria-live="polite">
        {!envelope && !fault && <Running since={turn.startedAt} />}
        {fault ? <Failed fault={fault} again={() => onAsk(asked)} /> : null}
        {envelope?.status === 'answered' && <Answer envelope={envelope} onAsk={onAsk} onFollow={followOf(given)} />}
        {envelope?.status === 'clarification' && <AskedBack envelope={envelope} asked={asked} onAsk={onAsk} />}
        {envelope && ['refused', 'uncovered'].includes(envelope.status) && (
          <Refused envelope={envelope} asked={asked} onAsk={onAsk} />
        )}
        {envelope?.status === 'failed' && (
          <Failed fault={new Error(envelope.answer ?? 'The ask failed.')} again={() => onAsk(asked)} />
        )}
      </div>
    </article>
  );
}

const titleOf = (asked: Asked): string => (asked.kind === 'question' ? asked.q : asked.title);
const followOf = ({ turn, onFollow }: { turn: TurnState; onFollow: () => void }) =>
  turn.asked.kind === 'question' ? onFollow : null;

function Running({ since }: { since: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <p className={css.running}>
      <Loader size="xs" />
      {seconds < 2 ? 'Reading the question and asking the warehouse' : `Still working, ${seconds} s`}
    </p>
  );
}

interface Given {
  envelope: Envelope;
  asked: Asked;
  onAsk: (asked: Asked) => void;
}

function AskedBack({ envelope, asked, onAsk }: Given) {
  const { clarification, lens } = envelope;
  if (!clarification) return null;
  const choose = (key: string) =>
    onAsk({ ...asked, lens: lens ?? asked.lens, choices: { ...asked.choices, [clarification.term]: key } } as Asked);
  return (
    <div className={css.card}>
      <p>{clarification.message}</p>
      <div className={css.options2}>
        {clarification.options.map((option) =>
          typeof option === 'string' ? (
            <Button key={option} variant="default" onClick={() => choose(option)}>
              {option}
            </Button>
          ) : (
            <button type="button" key={option.key} className={css.meaning} onClick={() => choose(option.key)}>
              <strong>{option.label}</strong>
              {option.meaning && <span>{option.meaning}</span>}
            </button>
          ),
        )}
      </div>
    </div>
  );
}

function Refused({ envelope, asked, onAsk }: Given) {
  const { answer, suggestions, status, lens } = envelope;
  const again = (q: string, of: string | null) => onAsk({ kind: 'question', q, lens: of, choices: {}, before: [] });
  return (
    <div className={css.card}>
      <p className={css.refusedHead}>
        <Status of={status} />
      </p>
      <p>{inert(answer ?? '')}</p>
      {suggestions && suggestions.length > 0 && (
        <>
          <h3>Ask instead</h3>
          <div className={css.samples}>
            {suggestions.flatMap((one) =>
              typeof one === 'string'
                ? [<Instead key={one} q={one} onClick={() => again(one, lens ?? asked.lens)} />]
                : one.sample_questions
                    .slice(0, 2)
                    .map((q) => <Instead key={one.lens + q} q={q} hint={one.why} onClick={() => again(q, one.lens)} />),
            )}
          </div>
        </>
      )}
    </div>
  );
}

const Instead = ({ q, hint, onClick }: { q: string; hint?: string; onClick: () => void }) => (
  <button type="button" className={css.sample} onClick={onClick}>
    <span>{q}</span>
    {hint && <span className={css.hint}>{hint}</span>}
  </button>
);
