import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { toUserMessage } from '../../../api/user-messages.ts';
import { formatDateTime } from '../../../ui/format.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { ErrorState } from '../../../ui/States.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { type ConversationTurn, formatTurnTitle } from '../lib/turn-state.ts';
import { Answer } from './Answer.tsx';
import css from './ask.module.css';
import { Refusal } from './Refusal.tsx';

export function Turn(props: {
  turn: ConversationTurn;
  onAsk: (inquiry: Inquiry) => void;
  onAskAgain: () => void;
  onFollowUp: () => void;
}) {
  const { turn, onAsk, onAskAgain: onAgain } = props;
  const { inquiry, envelope, fault } = turn;
  return (
    <article className={css.turn} aria-label={formatTurnTitle(inquiry)}>
      <h2 className={css.question}>{showHiddenCharacters(formatTurnTitle(inquiry))}</h2>
      <div aria-live="polite">
        {!envelope && !fault && <RunningNotice since={turn.startedAt} />}
        {inquiry.kind === 'question' && inquiry.earlierQuestions.length > 0 && (
          <p className={css.hint}>
            A follow-up to <q>{showHiddenCharacters(inquiry.earlierQuestions.at(-1)!)}</q>
          </p>
        )}
        {turn.reopenDetails && <ChangesSinceAsk details={turn.reopenDetails} />}
        {fault ? <ErrorState fault={fault} onRetry={onAgain} /> : null}
        {envelope?.status === 'answered' && (
          <Answer
            envelope={envelope}
            inquiry={inquiry}
            onAsk={onAsk}
            onAskAgain={onAgain}
            onFollowUp={props.onFollowUp}
          />
        )}
        {envelope?.status === 'clarification' && (
          <ClarificationCard envelope={envelope} inquiry={inquiry} onAsk={onAsk} />
        )}
        {envelope && ['refused', 'uncovered'].includes(envelope.status) && (
          <Refusal envelope={envelope} inquiry={inquiry} onAsk={onAsk} onAskAgain={onAgain} />
        )}
        {envelope?.status === 'failed' && (
          <ErrorState
            fault={new Error(toUserMessage(envelope.answer ?? 'The request failed.', envelope.error?.code))}
            onRetry={onAgain}
          />
        )}
      </div>
    </article>
  );
}

function ChangesSinceAsk({
  details: { own, asked_at, changed },
}: {
  details: NonNullable<ConversationTurn['reopenDetails']>;
}) {
  const changeTexts = [
    changed.rows && 'the rows have changed',
    changed.lens && 'a newer version of the lens was published',
  ];
  const text = changeTexts.filter(Boolean).join(', and ');
  return (
    <p className={css.changed}>
      Asked {formatDateTime(asked_at)}, computed now{own ? '' : ' with your access'}.{text && ` Since then, ${text}.`}
    </p>
  );
}

function RunningNotice({ since }: { since: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => void import('../../../ui/Chart.tsx').catch(() => undefined), []); // loads the chart code while svc computes the answer
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <p className={css.running}>
      <Loader size="xs" />
      {seconds < 2 ? 'Interpreting the question and querying the database' : `Still working, ${seconds} s`}
    </p>
  );
}

function ClarificationCard({
  envelope,
  inquiry,
  onAsk,
}: {
  envelope: Envelope;
  inquiry: Inquiry;
  onAsk: (asked: Inquiry) => void;
}) {
  const { clarification, lens } = envelope;
  if (!clarification) return null;
  const choose = (key: string) =>
    onAsk({
      ...inquiry,
      lens: lens ?? inquiry.lens,
      choices: { ...inquiry.choices, [clarification.term]: key },
    } as Inquiry);
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
