// A helper that failed is named in each answer that it touched, with what failed, and never looks like a refusal.
import type { Envelope } from '../../contract/ask.ts';
import type { ModelUsage } from '../../domain/ports.ts';
import type { Journal } from '../journal.ts';

// What the caller ended, and what was replaced by the plain sentence, is no failure of a model.
const ANSWERED = /^(?:ok|cancelled|replaced\b.*)$/s;

const failedCall = ({ modelCalls }: Pick<Journal, 'modelCalls'>): ModelUsage | undefined =>
  modelCalls.find(({ outcome }) => !ANSWERED.test(outcome));

/** An ask waits once for a model that says nothing. */
export const modelIsSilent = ({ modelCalls }: Pick<Journal, 'modelCalls'>): boolean =>
  modelCalls.some(({ outcome }) => outcome === 'timeout');

export function withHelpersAway(envelope: Envelope, journal: Journal): Envelope {
  const notes = [];
  const call = failedCall(journal);
  if (call) notes.push(failureOf(call));
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
      ? `This may be answered once its helper works; ask again shortly. ${notes.join(' ')} Without it: ${envelope.answer ?? ''}`.trim()
      : envelope.answer,
  };
}

function failureOf({ entry, model, outcome, ms }: ModelUsage): string {
  const named = `The language model ${model} (${entry} entry)`;
  switch (outcome) {
    case 'timeout':
      return `${named} did not answer within ${Math.round(ms / 100) / 10} s (timeout). A longer models.${entry}.timeout_ms gives it more time.`;
    case 'truncated':
      return `${named} was cut off at its token limit (truncated), so its reply could not be used.`;
    case 'invalid_json':
      return `${named} answered with text that is no JSON (invalid_json), so its reply could not be used.`;
    case 'unusable':
      return `${named} gave a reply that could not be used (unusable).`;
    default:
      return `${named} could not be asked just now (${outcome}).`;
  }
}
