// Plans an approved entry and proves its parameters in the same way as filter values. Each value must be stored in the
// columns that it is compared with, and svc uses the stored spelling. Otherwise svc asks for clarification.
import type { Clarification, JsonScalar } from '../../contract/ask.ts';
import { fillQuestion } from '../../domain/certified/parameters.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import {
  type CertifiedPlan,
  createStatementScope,
  type EarlyEnd,
  type GrantedLens,
  isEarlyEnd,
  type ProvenValues,
} from '../outcome.ts';
import type { CertifiedMatch } from './match-certified.ts';
import { createClarificationOrRefusal } from './plan-question.ts';
import { findComparedColumns } from './prove-parameters.ts';
import { createValueClarification } from './values/check-values.ts';
import { requiresStoredValue, toCanonicalNumber, type ValueMention } from './values/named-values.ts';
import { type ProbeLimits, type ValueLookup, ValueLookups } from './values/probe-values.ts';
import { foldValue } from './values/value-spellings.ts';

const NO_PARAMETER_DETAIL =
  'No parameter is compared with a string, key or code. Values in the approved SQL are part of its approval.';

interface ParameterProof extends Omit<ProvenValues, 'detail'> {
  parameters: Record<string, JsonScalar>;
  reasons: string[];
  notes: string[];
}

export async function createProvenEntryPlan(
  grantedLens: GrantedLens,
  entry: CertifiedEntry,
  parameters: Record<string, JsonScalar>,
  choices: Record<string, string>,
  limits: ProbeLimits,
): Promise<CertifiedPlan | EarlyEnd> {
  const proof: ParameterProof = {
    parameters: { ...parameters },
    certainty: null,
    reasons: [],
    notes: [],
    assumedValues: [],
  };
  const lookups = new ValueLookups(grantedLens, limits);
  for (const [name, value] of Object.entries(parameters)) {
    const clarification = await proveParameter(grantedLens, entry, { name, value, choices }, lookups, proof);
    if (clarification) return createClarificationOrRefusal(clarification);
  }
  const plan = createCertifiedPlan(grantedLens, entry, proof.parameters);
  const { certainty, assumedValues } = proof;
  const detail = certainty === null ? NO_PARAMETER_DETAIL : proof.reasons.join(' ') || null;
  return { ...plan, values: { certainty, detail, assumedValues }, warnings: [...plan.warnings, ...proof.notes] };
}

/** If a name in the question isn't in any dictionary, the entry matches only if the warehouse stores that name. */
export const isProvenMatch = ({ unproven }: CertifiedMatch, plan: CertifiedPlan | EarlyEnd): boolean =>
  !unproven || (!isEarlyEnd(plan) && plan.values.certainty === true);

const collectStoredSpellings = (results: readonly { found: ValueLookup }[]): Set<string> =>
  new Set(results.flatMap(({ found: result }) => (result.kind === 'stored' ? result.values : [])));

async function proveParameter(
  grantedLens: GrantedLens,
  entry: CertifiedEntry,
  parameter: { name: string; value: JsonScalar; choices: Record<string, string> },
  lookups: ValueLookups,
  proof: ParameterProof,
): Promise<Clarification | null> {
  const { name, value } = parameter;
  const mentions = findStatementValues(grantedLens, entry, name, value);
  const [firstMention] = mentions;
  const text = firstMention?.field.datatype === 'string' ? String(value) : toCanonicalNumber(value);
  if (!firstMention || text === null) return null;
  await lookups.lookUp(mentions.map((mention) => [mention, [text]]));
  let results = mentions.map((mention) => ({ mention, found: lookups.getResult(mention, text)! }));
  if (collectStoredSpellings(results).size > 1 && !collectStoredSpellings(results).has(text))
    results = await Promise.all(
      mentions.map(async (mention) => ({ mention, found: await lookups.findVisibleResult(mention, text) })),
    );
  const spellings = collectStoredSpellings(results);
  const isExact = spellings.has(text);
  if (spellings.size > 1 && !isExact)
    return {
      ...createValueClarification(firstMention, text, [...spellings]),
      message: describeSeveralMatches(text, firstMention, spellings),
    };
  if (spellings.size > 0) {
    const storedText = isExact ? text : [...spellings][0]!;
    proof.certainty ??= true;
    if (!isExact) proof.notes.push(`“${text}” was interpreted as “${storedText}” (${firstMention.term}).`);
    if (firstMention.field.datatype === 'string') proof.parameters[name] = storedText;
    for (const { mention, found: result } of results)
      if (result.kind === 'stored' && !result.fromWarehouse)
        proof.assumedValues.push({ mention, values: [storedText] });
    return null;
  }
  const undeterminedLookup = results.find(({ found: result }) => result.kind === 'unknown')?.found;
  const choice = parameter.choices[name] ?? mentions.map(({ term }) => parameter.choices[term]).find(Boolean);
  if (undeterminedLookup?.kind === 'unknown') {
    if (proof.certainty !== false) proof.certainty = 'unknown';
    proof.reasons.push(
      `svc can’t tell whether “${text}” is a value of ${firstMention.term}: ${undeterminedLookup.reason}.`,
    );
    return null;
  }
  if (choice === undefined || foldValue(choice) !== foldValue(text)) {
    const nearestValues = results.flatMap(({ found: result }) => (result.kind === 'absent' ? result.nearest : []));
    return createValueClarification(firstMention, text, [...new Set(nearestValues)].slice(0, 50));
  }
  proof.certainty = false;
  proof.reasons.push(`“${text}” is not a value of ${firstMention.term}. The caller accepted this value.`);
  proof.notes.push(proof.reasons.at(-1)!);
  return null;
}

/** The comparisons whose columns must contain the parameter's value. Empty if the parameter is a pattern. */
export function findStatementValues(
  { lens }: GrantedLens,
  entry: CertifiedEntry,
  name: string,
  value: JsonScalar,
): ValueMention[] {
  if (value === null || typeof value === 'boolean') return [];
  const isPattern = /[%_]/.test(String(value)) && new RegExp(String.raw`like\s+[^:]*:${name}\b`, 'i').test(entry.sql);
  if (isPattern) return [];
  const comparedColumns = findComparedColumns(lens, entry.sql, name);
  const isText = entry.parameters[name]?.datatype === 'string';
  return comparedColumns
    .filter(
      ({ dataset, field }) =>
        !field.masked && requiresStoredValue(lens, dataset, field) && (field.datatype === 'string') === isText,
    )
    .map(({ dataset, field }) => ({
      condition: { field: { path: dataset.name, field: field.name }, op: '=', values: [value] },
      dataset,
      field,
      term: `${dataset.name}.${field.name}`,
    }));
}

const describeSeveralMatches = (text: string, { term }: ValueMention, spellings: ReadonlySet<string>): string =>
  `“${text}” may be ${[...spellings].map((spelling) => `“${spelling}”`).join(' or ')} in ${term}. Give the value that you mean.`;

/** Creates a plan with the unchanged SQL and bound parameters. The approval replaces the checks of the plan. */
function createCertifiedPlan(
  grantedLens: GrantedLens,
  entry: CertifiedEntry,
  parameters: Record<string, JsonScalar>,
): CertifiedPlan {
  const approverText = entry.approvedBy ? ` by ${entry.approvedBy}` : '';
  const dateText = entry.approvedAt ? ` on ${entry.approvedAt}` : '';
  const approval = `Approved${approverText}${dateText} as certified entry ${entry.certId}.`;
  const question = fillQuestion(entry.question, parameters);
  return {
    plan: 'certified',
    grantedLens,
    entry,
    parameters,
    units: [],
    readingOrigin: { by: 'approval', detail: approval },
    values: { certainty: null, detail: null, assumedValues: [] },
    // Leaves out policies and masks. The guard adds them to the scope when it applies them to the approved SQL.
    scope: createStatementScope(`${question.replace(/[?.!\s]+$/, '')}, as certified.`),
    citations: [{ kind: 'certified', name: entry.certId, lens: grantedLens.name, text: entry.notes ?? entry.question }],
    warnings: [],
  };
}
