// A question and its outcome: running, an answer, a clarification, a refusal, or an error.
import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { inOwnWords } from '../../../api/own-words.ts';
import { moment } from '../../../ui/format.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { Failed } from '../../../ui/States.tsx';
import type { Asked, Envelope } from '../api/ask.ts';
import type { TurnState } from '../lib/turn-state.ts';
import { Answer } from './Answer.tsx';
import css from './ask.module.css';
import { Refused } from './Refused.tsx';

export function Turn(props: { turn: TurnState; onAsk: (asked: Asked) => void; onFollow: () => void }) {
  const { turn, onAsk } = props;
  const { asked, envelope, fault } = turn;
  return (
    <article className={css.turn} aria-label={titleOf(asked)}>
      <h2 className={css.question}>{showHiddenCharacters(titleOf(asked))}</h2>
      <div aria-live="polite">
        {!envelope && !fault && <Running since={turn.startedAt} />}
        {turn.opened && <ChangedSince opened={turn.opened} />}
        {fault ? <Failed fault={fault} again={() => onAsk(asked)} /> : null}
        {envelope?.status === 'answered' && (
          <Answer envelope={envelope} asked={asked} onAsk={onAsk} onFollow={followOf(props)} />
        )}
        {envelope?.status === 'clarification' && <AskedBack envelope={envelope} asked={asked} onAsk={onAsk} />}
        {envelope && ['refused', 'uncovered'].includes(envelope.status) && (
          <Refused envelope={envelope} asked={asked} onAsk={onAsk} />
        )}
        {envelope?.status === 'failed' && (
          <Failed
            fault={new Error(inOwnWords(envelope.answer ?? 'The ask failed.', envelope.error?.code))}
            again={() => onAsk(asked)}
          />
        )}
      </div>
    </article>
  );
}

/** When the answer was first computed, and whether data or lens have changed since. */
function ChangedSince({ opened: { own, asked_at, changed } }: { opened: NonNullable<TurnState['opened']> }) {
  const changeTexts = [changed.rows && 'The data has changed', changed.lens && 'the lens has a newer version'].filter(
    Boolean,
  );
  const text = changeTexts.join(', and ');
  return (
    <p className={css.changed}>
      Asked {moment(asked_at)}, computed now{own ? '' : ' with your access'}.
      {text && ` ${text.charAt(0).toUpperCase()}${text.slice(1)} since.`}
    </p>
  );
}

const titleOf = (asked: Asked): string => (asked.kind === 'question' ? asked.q : asked.title);
const followOf = ({ turn, onFollow }: { turn: TurnState; onFollow: () => void }) =>
  turn.asked.kind === 'question' ? onFollow : null;

function Running({ since }: { since: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => void import('../../../ui/Chart.tsx').catch(() => undefined), []); // the chart code loads while svc computes the answer
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <p className={css.running}>
      <Loader size="xs" />
      {seconds < 2 ? 'Reading the question and querying the warehouse' : `Still working, ${seconds} s`}
    </p>
  );
}

function AskedBack({ envelope, asked, onAsk }: { envelope: Envelope; asked: Asked; onAsk: (asked: Asked) => void }) {
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
              {option.meaning && option.meaning !== option.label && <span>{option.meaning}</span>}
            </button>
          ),
        )}
      </div>
    </div>
  );
}
