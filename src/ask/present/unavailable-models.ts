// Names a failed model or embedder in each answer that it affected, so that the failure doesn't look like a refusal.
import type { Envelope } from '../../contract/ask.ts';
import type { ModelUsage } from '../../domain/ports.ts';
import type { Journal } from '../journal.ts';

// A model didn't fail if the caller canceled the call, or if the deterministic sentence replaced the model's text.
const SUCCESSFUL_OUTCOME_PATTERN = /^(?:ok|cancelled|replaced\b.*)$/s;

const findFailedCall = ({ modelCalls }: Pick<Journal, 'modelCalls'>): ModelUsage | undefined =>
  modelCalls.find(({ outcome }) => !SUCCESSFUL_OUTCOME_PATTERN.test(outcome));

/** After one timeout, an ask doesn't call any more models. */
export const hasModelTimedOut = ({ modelCalls }: Pick<Journal, 'modelCalls'>): boolean =>
  modelCalls.some(({ outcome }) => outcome === 'timeout');

export function addUnavailabilityNotes(envelope: Envelope, journal: Journal): Envelope {
  const notes = [];
  const call = findFailedCall(journal);
  if (call) notes.push(describeFailedCall(call));
  if (journal.isEmbedderDown)
    notes.push(
      'The embedding service did not respond, so svc could not compare the question with certified questions.',
    );
  if (notes.length === 0) return envelope;
  const isDeclined = envelope.status === 'refused' || envelope.status === 'uncovered';
  return {
    ...envelope,
    warnings: [...envelope.warnings, ...notes],
    answer: isDeclined
      ? `svc may be able to answer this later. Ask again shortly. ${notes.join(' ')} ${envelope.answer ?? ''}`.trim()
      : envelope.answer,
  };
}

function describeFailedCall({ entry, model, outcome, ms }: ModelUsage): string {
  const modelLabel = `The language model ${model} (${entry} entry)`;
  switch (outcome) {
    case 'timeout':
      return `${modelLabel} did not answer within ${Math.round(ms / 100) / 10} s (timeout). To give the model more time, increase models.${entry}.timeout_ms.`;
    case 'truncated':
      return `${modelLabel} reached its token limit (truncated), so svc could not use its reply.`;
    case 'invalid_json':
      return `${modelLabel} returned invalid JSON (invalid_json), so svc could not use its reply.`;
    case 'unusable':
      return `${modelLabel} returned an unusable reply (unusable).`;
    default:
      return `${modelLabel} did not respond (${outcome}).`;
  }
}
