// An accepted correction becomes a fix. SQL becomes a certified entry, a meaning becomes a definition, and a number
// becomes an eval that fails until the cause is fixed.
import type { PatchChange } from '../../contract/mgmt/reviews.ts';
import type { StoredTrace } from '../observe/trace-repository.ts';
import type { Review } from '../reviews/review-repository.ts';
import { toExpectation } from './patches.ts';

export function patchFromReview(
  { correction }: Pick<Review, 'correction'>,
  trace: StoredTrace | null,
): PatchChange | null {
  const question = trace?.envelope.question;
  if (!correction || !question) return null;
  if (correction.sql)
    return {
      kind: 'certified',
      ...(trace.envelope.certified_id && { cert_id: trace.envelope.certified_id }),
      question,
      sql: correction.sql,
    };
  if (correction.definition) {
    const { clarification } = trace.envelope;
    const openTerm = correction.term ?? (clarification?.kind === 'ambiguous_term' ? clarification.term : null);
    if (openTerm) return { kind: 'definition', term: openTerm, meaning: correction.definition };
    const citedEntry =
      trace.envelope.citations.find(({ kind }) => kind === 'definition') ??
      trace.envelope.citations.find(({ kind }) => kind === 'metric');
    return citedEntry
      ? {
          kind: 'definition',
          term: citedEntry.name,
          meaning: correction.definition,
          ...(citedEntry.kind === 'metric' && { metric: citedEntry.name }),
        }
      : null;
  }
  const expect = toExpectation(correction);
  return expect && { kind: 'eval', question, expect };
}
