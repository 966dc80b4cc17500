// Checks filter values against stored values. A value in a dictionary counts as stored. svc reports a value as absent
// only after querying the warehouse. Declared synonyms and spellings match. Similar values are only offered as options.
import type { Clarification } from '../../../contract/ask.ts';
import { withFilters, withInner } from '../../../plan/filters.ts';
import type { Condition, Filter, LensPlan } from '../../../plan/lens-plan.ts';
import type { GrantedLens, ProvenValues } from '../../outcome.ts';
import { ValueLookups } from '../value-lookups.ts';
import { hasPattern, numeral, type ValueMention, valueMentionsOf } from './named-values.ts';
import type { Found, ProbeLimits } from './probe-values.ts';
import { foldValue } from './value-spellings.ts';

export interface CheckedValues {
  lensPlan: LensPlan;
  values: ProvenValues;
  notes: string[];
}

export async function checkValues(
  granted: GrantedLens,
  lensPlan: LensPlan,
  choices: Record<string, string>,
  limits: ProbeLimits,
): Promise<CheckedValues | Clarification> {
  const namings = valueMentionsOf(granted.lens, lensPlan);
  const detail = namings.length === 0 && hasPattern(lensPlan) ? PATTERN_DETAIL : null;
  const checked: CheckedValues = { lensPlan, values: { known: null, said: detail, assumed: [] }, notes: [] };
  if (namings.length === 0) return checked;
  const found = new ValueLookups(granted, limits);
  await found.look(namings.map((naming) => [naming, textsToLookUp(naming)]));
  const chosen = (naming: ValueMention, text: string): string | null =>
    found.of(naming, text)?.is === 'stored'
      ? null
      : (choices[naming.term] ?? choices[naming.condition.field.field] ?? null);
  await found.look(
    namings.map((naming) => [naming, textsToLookUp(naming).flatMap((text) => chosen(naming, text) ?? [])]),
  );

  const settled = new Map<Condition, Condition>();
  for (const naming of namings) {
    const one = applyStoredValue(naming, found, chosen, checked);
    if ('kind' in one) return one;
    settled.set(naming.condition, one);
  }
  const replaced = (filters: Filter[]): Filter[] => filters.map((filter) => withConditions(filter, settled));
  return { ...checked, lensPlan: withFilters(lensPlan, replaced) };
}

const PATTERN_DETAIL = 'No filter needs a stored value: a text is compared with a pattern.';

export const isClarification = (value: CheckedValues | Clarification): value is Clarification => 'kind' in value;

/** The values to look up. The compiler refuses a string that should be a number. */
const textsToLookUp = ({ condition, field }: ValueMention): string[] =>
  condition.values.flatMap((value) => (field.datatype === 'string' ? String(value) : (numeral(value) ?? [])));

function applyStoredValue(
  naming: ValueMention,
  looked: ValueLookups,
  chosen: (naming: ValueMention, text: string) => string | null,
  checked: CheckedValues,
): Condition | Clarification {
  const { condition, term } = naming;
  const { values: proven } = checked;
  const values: Condition['values'] = [];
  for (const original of condition.values) {
    const text = naming.field.datatype === 'string' ? String(original) : numeral(original);
    if (text === null) {
      values.push(original);
      continue;
    }
    const choice = chosen(naming, text);
    const insisted = choice !== null && foldValue(choice) === foldValue(text);
    const found = looked.of(naming, choice ?? text);
    if (found?.is === 'stored') {
      proven.known ??= true;
      if (!found.live) proven.assumed.push({ naming, values: found.values });
      if (!found.values.includes(text))
        checked.notes.push(
          `“${text}” was interpreted as ${found.values.map((value) => `“${value}”`).join(' or ')} (${term}).`,
        );
      values.push(...(naming.field.datatype === 'string' ? found.values : [choice ?? original]));
    } else if (found?.is === 'absent' && !insisted) {
      return clarifyValues(naming, choice ?? text, found.nearest);
    } else {
      addDoubt(checked, term, choice ?? text, found);
      values.push(choice ?? original);
    }
  }
  const distinct = [...new Set(values)];
  if (distinct.length <= 1) return { ...condition, values: distinct };
  const op = condition.op === '=' ? 'in' : condition.op === '!=' ? 'not_in' : condition.op;
  return { ...condition, op, values: distinct };
}

function addDoubt(checked: CheckedValues, term: string, value: string, found: Found | undefined): void {
  const detail =
    found?.is === 'absent'
      ? `“${value}” is not a value of ${term}. The caller accepted that.`
      : `svc can’t tell whether “${value}” is a value of ${term}: ${found?.is === 'untold' ? found.why : 'svc did not look it up'}.`;
  const { values } = checked;
  values.known = found?.is === 'absent' || values.known === false ? false : 'unknown';
  values.said = values.said ? `${values.said} ${detail}` : detail;
  if (found?.is === 'absent') checked.notes.push(detail);
}

function withConditions(filter: Filter, settled: ReadonlyMap<Condition, Condition>): Filter {
  const settledFilter = 'field' in filter ? (settled.get(filter) ?? filter) : filter;
  return withInner(settledFilter, (one) => withConditions(one, settled));
}

export function clarifyValues({ term }: ValueMention, value: string, options: string[]): Clarification {
  const optionsText = options
    .slice(0, 5)
    .map((option) => `“${option}”`)
    .join(', ');
  const message =
    options.length === 0
      ? `“${value}” is not a value of ${term}; the column has no values.`
      : `“${value}” is not a value of ${term}. Its values are ${optionsText}${options.length > 5 ? ' and others' : ''}. Ask again with the right value, or choose “${value}” to accept that it does not exist.`;
  return { kind: 'unknown_value', term, value, message, options };
}
