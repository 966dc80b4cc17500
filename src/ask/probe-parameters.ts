// Names filled into a parameterised entry that no dictionary holds are looked for in the column that the statement
// compares them with; one that is not found is no answer "0, as certified" but a question for the planner.
import { emptyIntent, type FieldRef, type Intent } from '../lens/intent.ts';
import { type CheckedValues, checkValues, isClarification, type ProbeLimits } from './check-values.ts';
import type { CertifiedMatch } from './match-certified.ts';
import type { GrantedLens } from './outcome.ts';

export async function probeParameters(
  granted: GrantedLens,
  match: CertifiedMatch | null,
  limits: ProbeLimits,
): Promise<CertifiedMatch | null> {
  if (!match || match.unproven.length === 0) return match;
  const parameters = { ...match.parameters };
  for (const { name, field, value } of match.unproven) {
    const found = await checkValues(granted, asking(field, value), {}, limits);
    const stored = isClarification(found) || !found.known ? [] : valuesOf(found);
    if (stored.length !== 1) return null;
    parameters[name] = stored[0]!;
  }
  return { ...match, parameters, unproven: [] };
}

const asking = (field: FieldRef, value: string): Intent => ({
  ...emptyIntent(),
  filters: [{ kind: 'condition', field, op: '=', values: [value] }],
});
const valuesOf = ({ intent }: CheckedValues): string[] =>
  intent.filters.flatMap((filter) => (filter.kind === 'condition' ? filter.values.map(String) : []));
