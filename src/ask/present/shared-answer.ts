// Protects an answer that another person requested first. The answer's wording may contain names and values that this
// reader can't see. svc shows the wording only if the reader's own ask explained every word and proved every value.
import type { Envelope } from '../../contract/ask.ts';
import type { Plan } from '../outcome.ts';
import { findStatementValues } from '../read/plan-certified-entry.ts';
import { createBaseEnvelope } from './envelopes.ts';

const WORDING_CHECKS = new Set(['question_covered', 'terms_resolved', 'values_known']);

export const mayShowWording = ({ status, checks, scope }: Envelope, plan: Plan | null): boolean =>
  status === 'answered' &&
  checks.every(
    ({ name, outcome }) =>
      !WORDING_CHECKS.has(name) ||
      outcome === 'pass' ||
      outcome === 'not_applicable' ||
      (name === 'question_covered' && readsEveryWord(plan)),
  ) &&
  (!isRestricted(scope) || !hasUnprovenText(plan));

/** Whether the reader's interpretation accounts for every word, even if svc doubts the meaning of a word. */
const readsEveryWord = (plan: Plan | null): boolean => plan?.readingOrigin.by === 'reader';

const isRestricted = (scope: Envelope['scope']): boolean =>
  scope !== null && scope.row_policies.length + (scope.masks?.length ?? 0) > 0;

/** An exact match proves a value. A pattern or a bound could match a hidden row. */
function hasUnprovenText(plan: Plan | null): boolean {
  if (plan?.plan === 'certified')
    return Object.entries(plan.parameters).some(
      ([name, value]) => isText(value) && findStatementValues(plan.grantedLens, plan.entry, name, value).length === 0,
    );
  return plan?.plan !== 'compiled' || hasUnprovenValue(plan.lensPlan);
}

const PROVING_OPERATORS = new Set<unknown>(['=', 'in']);
const DATE_PATTERN = /^\d{4}-\d\d-\d\d/;
const isText = (value: unknown): boolean => typeof value === 'string' && !DATE_PATTERN.test(value);

function hasUnprovenValue(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { op, values } = part as { op?: unknown; values?: unknown };
  const hasText = Array.isArray(values) && values.some(isText);
  return (hasText && !PROVING_OPERATORS.has(op)) || Object.values(part).some(hasUnprovenValue);
}

export const NO_ANSWER_MESSAGE =
  'With your access, svc can’t answer this question, so there is nothing to show. Ask the person who shared it, or ask your own question.';
const HIDDEN_WORDING_MESSAGES: Partial<Record<Envelope['status'], string>> = {
  answered: 'This answer names something that you may not see, so it can’t be shown to you.',
  clarification:
    'svc needs a choice to answer this question, so there is no answer to show. Ask the person who shared it to ask again with the choice.',
  failed: 'svc could not read the data of this answer. Try again shortly.',
};

/** Returns the same outcome without any words of the question. */
export function hideWording(envelope: Envelope): Envelope {
  const failure = envelope.status === 'failed' ? envelope.error : null;
  const certifiedFailed = envelope.certification === 'certified_failed';
  const message = certifiedFailed
    ? 'The approved SQL of this answer failed. Ask an admin or a curator to check it.'
    : (HIDDEN_WORDING_MESSAGES[envelope.status] ?? NO_ANSWER_MESSAGE);
  const { request_id, lens, lens_version, routing, timings_ms } = envelope;
  return {
    ...createBaseEnvelope({
      requestId: request_id,
      lens,
      lensVersion: lens_version,
      question: null,
      routing,
      timings: timings_ms,
    }),
    status: failure ? 'failed' : 'refused',
    answer: message,
    unplaced: [],
    proposal: null,
    certification: certifiedFailed ? 'certified_failed' : 'none',
    error: failure && { ...failure, message, param: null, details: [] },
  };
}
