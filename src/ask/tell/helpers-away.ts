// A helper that could not be asked is told of in each answer that it touched, and never looks like a refusal.
import type { Envelope } from '../../contract/ask.ts';
import type { ModelUsage } from '../../domain/ports.ts';
import type { Journal } from '../journal.ts';

// What a model wrote, and what the asker ended, is no outage.
const ANSWERED = /^(?:ok|unusable|cancelled|replaced\b.*)$/s;

const awayCall = ({ modelCalls }: Pick<Journal, 'modelCalls'>): ModelUsage | undefined =>
  modelCalls.find(({ outcome }) => !ANSWERED.test(outcome));

/** An ask waits once for a model that says nothing. */
export const modelIsSilent = ({ modelCalls }: Pick<Journal, 'modelCalls'>): boolean =>
  modelCalls.some(({ outcome }) => outcome === 'timeout');

export function withHelpersAway(envelope: Envelope, journal: Journal): Envelope {
  const notes = [];
  const call = awayCall(journal);
  if (call)
    notes.push(
      `The language model could not be asked just now (${call.entry} entry: ${call.outcome}), so this was done without it.`,
    );
  if (journal.embedderAway)
    notes.push(
      'The embedding service could not be asked just now, so the question was not compared with the certified ones by likeness.',
    );
  if (notes.length === 0) return envelope;
  const declined = envelope.status === 'refused' || envelope.status === 'uncovered';
  return {
    ...envelope,
    warnings: [...envelope.warnings, ...notes],
    answer: declined
      ? `This may be answered once its helper is back; ask again shortly. ${notes.join(' ')} ${envelope.answer ?? ''}`.trim()
      : envelope.answer,
  };
}
