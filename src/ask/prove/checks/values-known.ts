// Checks that filter values exist in their columns. For an empty answer, looks up again the values that only the cache
// confirmed, so that svc doesn't report a removed value as zero.
import type { Certainty, FetchedRows, Verdict } from '../../outcome.ts';
import {
  type AnswerCheck,
  createFailVerdict,
  createInapplicableVerdict,
  createPassVerdict,
  createUnknownVerdict,
} from '../check.ts';
import { findNamedValues } from '../statement/literals.ts';

export const valuesKnownCheck: AnswerCheck = {
  name: 'values_known',
  critical: false,
  checkPlan: ({ values }) => toVerdict(values.certainty, values.detail),
  /** A statement compares exact strings, so another spelling of a stored value finds nothing. */
  async checkStatement(reader, plan, probes) {
    const namedValues = reader.views.flatMap((view) => findNamedValues(plan.grantedLens.lens, reader, view));
    if (namedValues.length === 0)
      return createInapplicableVerdict('There is no comparison with a string, key or code.');
    const absentTexts: string[] = [];
    const unknownValues: string[] = [];
    const lookups = await Promise.all(namedValues.map(({ mention, wanted }) => probes.lookUpValues(mention, wanted)));
    namedValues.forEach(({ mention, wanted }, index) => {
      for (const value of wanted) {
        const result = lookups[index]!.get(value);
        if (result?.kind === 'stored' && result.values.includes(value)) continue;
        if (result?.kind === 'unknown')
          unknownValues.push(`svc can’t tell whether “${value}” is a value of ${mention.term}: ${result.reason}.`);
        else
          absentTexts.push(
            describeMissingValue(
              value,
              mention.term,
              result?.kind === 'stored' ? result.values : (result?.nearest ?? []),
            ),
          );
      }
    });
    const detail = [...new Set([...absentTexts, ...unknownValues])].join(' ');
    if (absentTexts.length > 0) return createFailVerdict(detail);
    return unknownValues.length > 0 ? createUnknownVerdict(detail) : toVerdict(true, null);
  },
  async checkRows(fetchedRows, verdict, probes) {
    const { assumedValues } = fetchedRows.plan.values;
    if (assumedValues.length === 0 || !hasEmptyResult(fetchedRows)) return verdict;
    const removedValues: string[] = [];
    const unknownValues: string[] = [];
    const lookups = await Promise.all(assumedValues.map(({ mention, values }) => probes.lookUpValues(mention, values)));
    assumedValues.forEach(({ mention }, index) => {
      for (const [value, result] of lookups[index]!) {
        if (result.kind === 'absent') removedValues.push(`“${value}” is no longer a value of ${mention.term}.`);
        if (result.kind === 'unknown')
          unknownValues.push(
            `svc can’t tell whether “${value}” is still a value of ${mention.term}: ${result.reason}.`,
          );
      }
    });
    if (removedValues.length > 0) probes.reportOutdatedDictionary();
    const detail = [...removedValues, ...unknownValues].join(' ');
    if (removedValues.length > 0) return { ...createFailVerdict(detail), warning: removedValues.join(' ') };
    return unknownValues.length > 0 ? createUnknownVerdict(detail) : verdict;
  },
};

function describeMissingValue(value: string, term: string, nearestValues: readonly string[]): string {
  const suggestions = nearestValues.slice(0, 3).map((item) => `“${item}”`);
  return `“${value}” is not a value of ${term}${suggestions.length > 0 ? `; similar values: ${suggestions.join(', ')}` : ''}.`;
}

function toVerdict(certainty: Certainty, detail: string | null): Verdict {
  if (certainty === null) return createInapplicableVerdict(detail ?? 'There is no filter on a string, key or code.');
  if (certainty === true) return createPassVerdict(detail ?? 'Every filter value exists in its column.');
  const doubt = detail ?? 'svc can’t tell whether every filter value exists in its column.';
  return certainty === false ? createFailVerdict(doubt) : createUnknownVerdict(doubt);
}

/** Whether the result has no rows, or only zeros and nulls outside the group columns. */
function hasEmptyResult({ plan, rows, columns }: FetchedRows): boolean {
  const groupCount = plan.plan === 'compiled' ? plan.lensPlan.dimensions.length : 0;
  const measureColumns = columns.slice(groupCount);
  if (rows.length > 0 && measureColumns.length === 0) return false;
  return rows.every((row) => measureColumns.every(({ name }) => row[name] === null || Number(row[name]) === 0));
}
