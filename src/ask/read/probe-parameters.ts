// Looks up parameter values that no dictionary has, in the column that the statement compares them with. If a value isn't
// stored, svc must not answer "0, as certified": the planner reads the question, and if it has no answer, svc asks back.
import type { Clarification } from '../../contract/ask.ts';
import { emptyPlan, type FieldRef, type LensPlan } from '../../plan/lens-plan.ts';
import type { GrantedLens } from '../outcome.ts';
import type { CertifiedMatch } from './match-certified.ts';
import { type CheckedValues, checkValues, isClarification } from './values/check-values.ts';
import type { ProbeLimits } from './values/probe-values.ts';

export interface ProbedMatch {
  match: CertifiedMatch | null;
  /** The question matches the entry, but a value isn't stored. */
  absent: Clarification | null;
}

export async function probeParameters(
  granted: GrantedLens,
  match: CertifiedMatch | null,
  limits: ProbeLimits,
): Promise<ProbedMatch> {
  if (!match || match.unproven.length === 0) return { match, absent: null };
  const parameters = { ...match.parameters };
  for (const { name, field, value } of match.unproven) {
    const found = await checkValues(granted, probeQuery(field, value), {}, limits);
    if (isClarification(found)) return { match: null, absent: found };
    const stored = found.values.known === true ? valuesOf(found) : [];
    if (stored.length !== 1) return { match: null, absent: null };
    parameters[name] = stored[0]!;
  }
  return { match: { ...match, parameters, unproven: [] }, absent: null };
}

const probeQuery = (field: FieldRef, value: string): LensPlan => ({
  ...emptyPlan(),
  filters: [{ field, op: '=', values: [value] }],
});
const valuesOf = ({ lensPlan }: CheckedValues): string[] =>
  lensPlan.filters.flatMap((filter) => ('field' in filter ? filter.values.map(String) : []));
