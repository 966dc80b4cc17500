// Proves the parameters of an approved entry like filter values. Each value must be stored in the columns that it is
// compared with, and gets the stored spelling. Otherwise svc asks back.
import type { Clarification, JsonValue } from '../../contract/ask.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { type CertifiedPlan, type EarlyEnd, type GrantedLens, isEarlyEnd, type ProvenValues } from '../outcome.ts';
import type { CertifiedMatch } from './match-certified.ts';
import { planCertified } from './plan-certified.ts';
import { askBack } from './plan-question.ts';
import { comparedWith } from './prove-parameters.ts';
import { ValueLookups } from './value-lookups.ts';
import { clarifyValues } from './values/check-values.ts';
import { isNamed, numeral, type ValueMention } from './values/named-values.ts';
import type { ProbeLimits } from './values/probe-values.ts';
import { foldValue } from './values/value-spellings.ts';

const NO_PARAMETER_DETAIL =
  'No parameter is compared with a text, key or code. Values in the approved SQL are part of its approval.';

interface Proven extends Omit<ProvenValues, 'said'> {
  parameters: Record<string, JsonValue>;
  said: string[];
  notes: string[];
}

export async function planProven(
  granted: GrantedLens,
  entry: CertifiedEntry,
  parameters: Record<string, JsonValue>,
  choices: Record<string, string>,
  limits: ProbeLimits,
): Promise<CertifiedPlan | EarlyEnd> {
  const proven: Proven = { parameters: { ...parameters }, known: null, said: [], notes: [], assumed: [] };
  const found = new ValueLookups(granted, limits);
  for (const [name, value] of Object.entries(parameters)) {
    const clarification = await proveParameter(granted, entry, { name, value, choices }, found, proven);
    if (clarification) return askBack(granted, clarification, limits);
  }
  const plan = planCertified(granted, entry, proven.parameters);
  const { known, assumed } = proven;
  const detail = known === null ? NO_PARAMETER_DETAIL : proven.said.join(' ') || null;
  return { ...plan, values: { known, said: detail, assumed }, warnings: [...plan.warnings, ...proven.notes] };
}

/** An entry with a name that no dictionary has matches the question only if the name is stored. */
export const isProvenMatch = ({ unproven }: CertifiedMatch, plan: CertifiedPlan | EarlyEnd): boolean =>
  !unproven || (!isEarlyEnd(plan) && plan.values.known === true);

async function proveParameter(
  granted: GrantedLens,
  entry: CertifiedEntry,
  parameter: { name: string; value: JsonValue; choices: Record<string, string> },
  found: ValueLookups,
  proven: Proven,
): Promise<Clarification | null> {
  const { name, value } = parameter;
  const namings = valueMentionsIn(granted, entry, name, value);
  const [first] = namings;
  const text = first?.field.datatype === 'string' ? String(value) : numeral(value);
  if (!first || text === null) return null;
  await found.look(namings.map((naming) => [naming, [text]]));
  const results = namings.map((naming) => ({ naming, found: found.of(naming, text)! }));
  const spellings = new Set(results.flatMap(({ found: one }) => (one.is === 'stored' ? one.values : [])));
  const exact = spellings.has(text);
  if (spellings.size > 1 && !exact)
    return { ...clarifyValues(first, text, [...spellings]), message: severalMatchesText(text, first, spellings) };
  if (spellings.size > 0) {
    const stored = exact ? text : [...spellings][0]!;
    proven.known ??= true;
    if (!exact) proven.notes.push(`“${text}” was interpreted as “${stored}” (${first.term}).`);
    if (first.field.datatype === 'string') proven.parameters[name] = stored;
    for (const { naming, found: one } of results)
      if (one.is === 'stored' && !one.live) proven.assumed.push({ naming, values: [stored] });
    return null;
  }
  const undetermined = results.find(({ found: one }) => one.is === 'untold')?.found;
  const choice = parameter.choices[name] ?? namings.map(({ term }) => parameter.choices[term]).find(Boolean);
  if (undetermined?.is === 'untold') {
    if (proven.known !== false) proven.known = 'unknown';
    proven.said.push(`svc can’t tell whether “${text}” is a value of ${first.term}: ${undetermined.why}.`);
    return null;
  }
  if (choice === undefined || foldValue(choice) !== foldValue(text)) {
    const nearest = results.flatMap(({ found: one }) => (one.is === 'absent' ? one.nearest : []));
    return clarifyValues(first, text, [...new Set(nearest)].slice(0, 50));
  }
  proven.known = false;
  proven.said.push(`“${text}” is not a value of ${first.term}. The caller accepted that.`);
  proven.notes.push(proven.said.at(-1)!);
  return null;
}

/** The comparisons whose columns must have the parameter's value. None for a pattern. */
export function valueMentionsIn(
  { lens }: GrantedLens,
  entry: CertifiedEntry,
  name: string,
  value: JsonValue,
): ValueMention[] {
  if (value === null || typeof value === 'boolean') return [];
  const pattern = /[%_]/.test(String(value)) && new RegExp(String.raw`like\s+[^:]*:${name}\b`, 'i').test(entry.sql);
  if (pattern) return [];
  const compared = comparedWith(lens, entry.sql, name);
  const text = entry.parameters[name]?.datatype === 'string';
  return compared
    .filter(
      ({ dataset, field }) => !field.masked && isNamed(lens, dataset, field) && (field.datatype === 'string') === text,
    )
    .map(({ dataset, field }) => ({
      condition: { field: { path: dataset.name, field: field.name }, op: '=', values: [value] },
      dataset,
      field,
      term: `${dataset.name}.${field.name}`,
    }));
}

const severalMatchesText = (text: string, { term }: ValueMention, spellings: ReadonlySet<string>): string =>
  `“${text}” may be ${[...spellings].map((spelling) => `“${spelling}”`).join(' or ')} in ${term}. Give the one that you mean.`;
