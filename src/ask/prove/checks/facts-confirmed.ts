// An answer that depends on an inferred fact isn't verified until a person confirms the fact.
import { createFactId } from '../../../lens/model/facts.ts';
import type { LensFact } from '../../../lens/model/lens.ts';
import { mentionsDate } from '../../../lens/model/mentions-date.ts';
import { findUsedFacts, listFactsOfPolicies } from '../../../plan/facts-used.ts';
import type { CompiledPlan } from '../../outcome.ts';
import { type AnswerCheck, createFailVerdict, createInapplicableVerdict, createPassVerdict } from '../check.ts';

export const factsConfirmedCheck: AnswerCheck = {
  name: 'facts_confirmed',
  critical: false,
  checkPlan(plan) {
    const { lens, name } = plan.grantedLens;
    const isApproved = plan.readingOrigin.by === 'approval';
    const unconfirmedFacts =
      plan.plan === 'compiled' && !isApproved
        ? findUsedFacts(lens, plan.lensPlan, plan.compiledQuery, createNamedDateTest(plan))
        : listFactsOfPolicies(lens, plan.scope.row_policies);
    if (unconfirmedFacts.length === 0) {
      if (isApproved) return createInapplicableVerdict('A person approved the SQL itself.');
      if (plan.plan !== 'compiled') return null;
      if (!lens.facts?.length) return createInapplicableVerdict('The lens has no inferred facts.');
      return createPassVerdict('Every fact that the answer depends on is confirmed or declared.');
    }
    // With row policies, leaves out the evidence, because its counts include hidden rows.
    const isRestricted = plan.scope.row_policies.length > 0;
    const facts = unconfirmedFacts
      .map((fact) => writeFactSentence(fact) + (isRestricted ? '' : ` (${fact.evidence})`))
      .join('; ');
    const ids = unconfirmedFacts.map((fact) => createFactId(lens, fact));
    const detail = `Not confirmed: ${facts}. To confirm, open the Facts page of the lens or run: npx svc lens facts ${name} --confirm ${ids.join(' ')}`;
    return { ...createFailVerdict(detail), facts: ids };
  },
};

/**
 * Returns a function that reports whether the caller named a date. A default date or a date in a model's plan doesn't
 * count as named.
 */
function createNamedDateTest({
  readingOrigin: readBy,
  usualDate: usesDefaultDate,
}: CompiledPlan): (date: string) => boolean {
  if (readBy.by === 'caller') return () => usesDefaultDate !== true;
  if (readBy.by !== 'reader') return () => false;
  const question = readBy.words.map(({ text }) => text).join(' ');
  return (date) => mentionsDate(question, date);
}

function writeFactSentence({ kind, of, says, withdrawn }: LensFact): string {
  const suffix = withdrawn ? ', which the data contradicts' : '';
  switch (kind) {
    case 'join':
      return `${of} refers to ${says}${suffix}`;
    case 'key':
      return `${says} identifies a row of ${of}${suffix}`;
    case 'time_field':
      return `${says} is the usual date of ${of}`;
    case 'aggregation':
      return `${of} is aggregated by ${says}`;
    case 'unit':
      return `${of} is in ${says}`;
    case 'codes':
      return `codes of ${of} mean ${says}`;
    case 'reading':
      return `${of} is converted with ${says}`;
  }
}
