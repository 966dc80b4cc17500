// The columns that an approved entry reads, and the metrics and terms in its question. Each has a hash, so that svc can
// name the dependencies that changed since the approval.
import type { CertifiedEntry, Lens } from '../../lens/model/lens.ts';
import { createYieldIfDue } from '../../platform/schedule/in-turns.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { normalizeQuestion } from '../../reader/meaning-check.ts';
import type { LensChange } from '../lenses/lens-diff.ts';
import { computeSha256, toCanonicalJson } from '../receipts/canonical-json.ts';
import { listEntriesThatUse } from './entry-repository.ts';

/** `columns` contains names in the form `dataset.field`, as in the guard's report. */
export function hashDependencies(
  lens: Lens,
  entry: Pick<CertifiedEntry, 'question' | 'alsoAsked'>,
  columns: readonly string[],
): Record<string, string> {
  const meanings: Record<string, string> = {};
  const recordMeaning = (name: string, value: unknown) => {
    meanings[name] = computeSha256(toCanonicalJson(value));
  };
  for (const column of columns) {
    const [dataset, name] = column.split('.') as [string, string];
    const field = lens.datasets.find((item) => item.name === dataset)?.fields.find((field) => field.name === name);
    if (field)
      recordMeaning(`field ${column}`, { datatype: field.datatype, expression: field.expression, unit: field.unit });
  }
  for (const dataset of new Set(columns.map((column) => column.split('.')[0]!)))
    recordMeaning(`dataset ${dataset}`, lens.datasets.find(({ name }) => name === dataset)?.source ?? null);
  const questions = [entry.question, ...entry.alsoAsked].map((text) => ` ${normalizeQuestion(text)} `);
  const isMentioned = (words: string[]) =>
    words
      .map((word) => normalizeQuestion(word.replaceAll('_', ' ')))
      .some((word) => word !== '' && questions.some((text) => text.includes(` ${word} `)));
  for (const metric of lens.metrics)
    if (isMentioned([metric.name, ...metric.synonyms]))
      recordMeaning(`metric ${metric.name}`, describeMetricMeaning(lens, metric.name));
  for (const { term, synonyms, meaning, metric, filter, field, senses } of lens.definitions)
    if (isMentioned([term, ...synonyms]))
      recordMeaning(`definition ${term}`, { meaning, metric, filter, field, senses });
  return meanings;
}

function describeMetricMeaning(lens: Lens, name: string, ancestorMetrics: string[] = []): unknown {
  const metric = lens.metrics.find((metric) => metric.name === name);
  if (!metric || ancestorMetrics.includes(name)) return null;
  const { expression, filter, unit, references } = metric;
  return {
    expression,
    filter,
    unit,
    of: references.metrics.map((metricName) => describeMetricMeaning(lens, metricName, [...ancestorMetrics, name])),
  };
}

/** A name that only the current lens recognizes in the question doesn't count as a change. */
export const findChangedMeanings = (
  storedMeanings: Record<string, string>,
  currentMeanings: Record<string, string>,
): string[] => Object.keys(storedMeanings).filter((name) => currentMeanings[name] !== storedMeanings[name]);

/** Comparing an entry reads all names of the lens, so the number of compared entries is limited. */
const MAX_COMPARED_ENTRIES = 100;

/** Names the approved entries that svc would suspend if it served the changed lens. Null if there are none. */
export async function describeSuspensions(
  tenancy: Tenancy,
  orgId: string,
  { lensId, lens }: { lensId: string; lens: Lens },
  changes: readonly LensChange[],
): Promise<string | null> {
  if (changes.length === 0) return null;
  // A derived metric can change with the metrics that it combines.
  const derivedMetrics = lens.metrics.filter(({ references }) => references.metrics.length > 0);
  const names = [
    ...changes.map(({ kind, name }) => `${kind} ${name}`),
    ...derivedMetrics.map(({ name }) => `metric ${name}`),
  ];
  const candidates = await tenancy.inTenant(orgId, (db) => listEntriesThatUse(db, lensId, names, MAX_COMPARED_ENTRIES));
  const pause = createYieldIfDue();
  const suspended: string[] = [];
  for (const { dependencies, ...entry } of candidates) {
    await pause();
    const { meanings, columns } = dependencies!;
    const changedNames = findChangedMeanings(meanings, hashDependencies(lens, entry, columns));
    if (changedNames.length > 0) suspended.push(`“${entry.question}” (${changedNames.join(', ')})`);
  }
  if (suspended.length === 0) return null;
  const count = `${suspended.length}${candidates.length === MAX_COMPARED_ENTRIES ? ' or more' : ''}`;
  const listed = suspended.slice(0, 3).join(', ') + (suspended.length > 3 ? ' and others' : '');
  return `Publishing suspends ${count} certified ${count === '1' ? 'entry' : 'entries'}: ${listed}. After publishing, reapprove the entries that you still need.`;
}
