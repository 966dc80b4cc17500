// Checks filter values against stored values. A value in a dictionary counts as stored. svc reports a value as absent
// only after querying the warehouse. A declared synonym or spelling matches its value. svc offers similar values only
// as options.
import type { Clarification } from '../../../contract/ask.ts';
import { withFilters, withInnerFilters } from '../../../plan/filters.ts';
import type { Condition, Filter, LensPlan } from '../../../plan/lens-plan.ts';
import type { GrantedLens, ProvenValues } from '../../outcome.ts';
import { findValueMentions, hasPattern, toCanonicalNumber, type ValueMention } from './named-values.ts';
import { type ProbeLimits, type ValueLookup, ValueLookups } from './probe-values.ts';
import { foldValue } from './value-spellings.ts';

export interface CheckedValues {
  lensPlan: LensPlan;
  values: ProvenValues;
  notes: string[];
}

export async function checkValues(
  grantedLens: GrantedLens,
  lensPlan: LensPlan,
  choices: Record<string, string>,
  limits: ProbeLimits,
): Promise<CheckedValues | Clarification> {
  const mentions = findValueMentions(grantedLens.lens, lensPlan);
  const detail = mentions.length === 0 && hasPattern(lensPlan) ? PATTERNS_ONLY_DETAIL : null;
  const checkedValues: CheckedValues = {
    lensPlan,
    values: { certainty: null, detail, assumedValues: [] },
    notes: [],
  };
  if (mentions.length === 0) return checkedValues;
  const lookups = new ValueLookups(grantedLens, limits);
  await lookups.lookUp(mentions.map((mention) => [mention, listTextsToLookUp(mention)]));
  const choiceFor = (mention: ValueMention, text: string): string | null =>
    lookups.getResult(mention, text)?.kind === 'stored'
      ? null
      : (choices[mention.term] ?? choices[mention.condition.field.field] ?? null);
  await lookups.lookUp(
    mentions.map((mention) => [mention, listTextsToLookUp(mention).flatMap((text) => choiceFor(mention, text) ?? [])]),
  );

  const replacements = new Map<Condition, Condition>();
  for (const mention of mentions) {
    const appliedValue = applyStoredValue(mention, lookups, choiceFor, checkedValues);
    if ('kind' in appliedValue) return appliedValue;
    replacements.set(mention.condition, appliedValue);
  }
  const replaceConditions = (filters: Filter[]): Filter[] =>
    filters.map((filter) => withConditions(filter, replacements));
  return { ...checkedValues, lensPlan: withFilters(lensPlan, replaceConditions) };
}

const PATTERNS_ONLY_DETAIL = 'No filter needs a stored value, because the plan compares strings only with patterns.';

export const isClarification = (value: CheckedValues | Clarification): value is Clarification => 'kind' in value;

/** The values to look up. Leaves out a string for a numeric field, because the compiler refuses such a string. */
const listTextsToLookUp = ({ condition, field }: ValueMention, values = condition.values): string[] =>
  values.flatMap((value) => (field.datatype === 'string' ? String(value) : (toCanonicalNumber(value) ?? [])));

function applyStoredValue(
  mention: ValueMention,
  lookups: ValueLookups,
  choiceFor: (mention: ValueMention, text: string) => string | null,
  checkedValues: CheckedValues,
): Condition | Clarification {
  const { condition, term } = mention;
  const { values: provenValues } = checkedValues;
  const values: Condition['values'] = [];
  for (const originalValue of condition.values) {
    const text = listTextsToLookUp(mention, [originalValue])[0] ?? String(originalValue);
    const choice = choiceFor(mention, text);
    const isAccepted = choice !== null && foldValue(choice) === foldValue(text);
    const lookup = lookups.getResult(mention, choice ?? text);
    if (lookup?.kind === 'stored') {
      provenValues.certainty ??= true;
      if (!lookup.fromWarehouse) provenValues.assumedValues.push({ mention, values: lookup.values });
      if (!lookup.values.includes(text))
        checkedValues.notes.push(
          `“${text}” was interpreted as ${lookup.values.map((value) => `“${value}”`).join(' or ')} (${term}).`,
        );
      values.push(...(mention.field.datatype === 'string' ? lookup.values : [choice ?? originalValue]));
    } else if (lookup?.kind === 'absent' && !isAccepted) {
      return createValueClarification(mention, choice ?? text, lookup.nearest);
    } else {
      addValueDoubt(checkedValues, term, choice ?? text, lookup);
      values.push(choice ?? originalValue);
    }
  }
  const distinctValues = [...new Set(values)];
  if (distinctValues.length <= 1) return { ...condition, values: distinctValues };
  const op = condition.op === '=' ? 'in' : condition.op === '!=' ? 'not_in' : condition.op;
  return { ...condition, op, values: distinctValues };
}

function addValueDoubt(
  checkedValues: CheckedValues,
  term: string,
  value: string,
  lookup: ValueLookup | undefined,
): void {
  const detail =
    lookup?.kind === 'absent'
      ? `“${value}” is not a value of ${term}. The caller accepted this value.`
      : `svc can’t tell whether “${value}” is a value of ${term}: ${lookup?.kind === 'unknown' ? lookup.reason : 'svc did not look it up'}.`;
  const { values } = checkedValues;
  values.certainty = lookup?.kind === 'absent' || values.certainty === false ? false : 'unknown';
  values.detail = values.detail ? `${values.detail} ${detail}` : detail;
  if (lookup?.kind === 'absent') checkedValues.notes.push(detail);
}

function withConditions(filter: Filter, replacements: ReadonlyMap<Condition, Condition>): Filter {
  const replacedFilter = 'field' in filter ? (replacements.get(filter) ?? filter) : filter;
  return withInnerFilters(replacedFilter, (inner) => withConditions(inner, replacements));
}

export function createValueClarification({ term }: ValueMention, value: string, options: string[]): Clarification {
  const optionsText = options
    .slice(0, 5)
    .map((option) => `“${option}”`)
    .join(', ');
  const message =
    options.length === 0
      ? `“${value}” is not a value of ${term}; the column has no values.`
      : `“${value}” is not a value of ${term}. The values of ${term} are ${optionsText}${options.length > 5 ? ' and others' : ''}. Ask again with the right value, or choose “${value}” to accept that it does not exist.`;
  return { kind: 'unknown_value', term, value, message, options };
}
