// Checks that filter values exist in their columns. For an empty answer, looks up values again that only the cache
// confirmed, so that a removed value isn't reported as zero.
import type { Certainty, FetchedRows, Verdict } from '../../outcome.ts';
import { type AnswerCheck, failed, notApplicable, passed, undetermined } from '../check.ts';
import { namedValuesIn } from '../statement/literals.ts';

export const valuesKnown: AnswerCheck = {
  name: 'values_known',
  critical: false,
  ofPlan: ({ values }) => verdictOf(values.known, values.said),
  /** A statement compares exact strings, so another spelling of a stored value finds nothing. */
  async ofStatement(reader, plan, probes) {
    const namedValues = reader.views.flatMap((view) => namedValuesIn(plan.granted.lens, reader, view));
    if (namedValues.length === 0) return notApplicable('There is no comparison with a text, key or code.');
    const absent: string[] = [];
    const open: string[] = [];
    const found = await Promise.all(namedValues.map(({ naming, wanted }) => probes.values(naming, wanted)));
    namedValues.forEach(({ naming, wanted }, index) => {
      for (const value of wanted) {
        const result = found[index]!.get(value);
        if (result?.is === 'stored' && result.values.includes(value)) continue;
        if (result?.is === 'untold')
          open.push(`svc can’t tell whether “${value}” is a value of ${naming.term}: ${result.why}.`);
        else
          absent.push(
            missingValueText(value, naming.term, result?.is === 'stored' ? result.values : (result?.nearest ?? [])),
          );
      }
    });
    const detail = [...new Set([...absent, ...open])].join(' ');
    if (absent.length > 0) return failed(detail);
    return open.length > 0 ? undetermined(detail) : verdictOf(true, null);
  },
  async ofRows(fetched, verdict, probes) {
    const { assumed } = fetched.plan.values;
    if (assumed.length === 0 || !isBlank(fetched)) return verdict;
    const removed: string[] = [];
    const open: string[] = [];
    const found = await Promise.all(assumed.map(({ naming, values }) => probes.values(naming, values)));
    assumed.forEach(({ naming }, index) => {
      for (const [value, one] of found[index]!) {
        if (one.is === 'absent') removed.push(`“${value}” is no longer a value of ${naming.term}.`);
        if (one.is === 'untold')
          open.push(`svc can’t tell whether “${value}” is still a value of ${naming.term}: ${one.why}.`);
      }
    });
    if (removed.length > 0) probes.lagging();
    const detail = [...removed, ...open].join(' ');
    if (removed.length > 0) return { ...failed(detail), warning: removed.join(' ') };
    return open.length > 0 ? undetermined(detail) : verdict;
  },
};

function missingValueText(value: string, term: string, nearest: readonly string[]): string {
  const suggestions = nearest.slice(0, 3).map((item) => `“${item}”`);
  return `“${value}” is not a value of ${term}${suggestions.length > 0 ? `; similar values: ${suggestions.join(', ')}` : ''}.`;
}

function verdictOf(certainty: Certainty, detail: string | null): Verdict {
  if (certainty === null) return notApplicable(detail ?? 'There is no filter on a text, key or code.');
  if (certainty === true) return passed(detail ?? 'Every filter value exists in its column.');
  const doubt = detail ?? 'svc can’t tell whether every filter value exists in its column.';
  return certainty === false ? failed(doubt) : undetermined(doubt);
}

/** Whether the result has no rows, or only zeros and nulls next to the group columns. */
function isBlank({ plan, rows, columns }: FetchedRows): boolean {
  const grouped = plan.plan === 'compiled' ? plan.lensPlan.dimensions.length : 0;
  const measured = columns.slice(grouped);
  if (rows.length > 0 && measured.length === 0) return false;
  return rows.every((row) => measured.every(({ name }) => row[name] === null || Number(row[name]) === 0));
}
