// Filter values exist in the columns that they filter. What was taken as stored from memory is looked up again where the
// answer is blank, so that a value that went is not told as a zero of one that exists.
import type { Fact, FetchedRows, Verdict } from '../../outcome.ts';
import { failed, notApplicable, type ProvenBy, passed, untold } from '../check.ts';

export const valuesKnown: ProvenBy = {
  name: 'values_known',
  critical: false,
  ofPlan: ({ values: { known, said } }) => verdictOf(known, said),
  async ofRows(fetched, said, probes) {
    const { believed } = fetched.plan.values;
    if (believed.length === 0 || !isBlank(fetched)) return said;
    const gone: string[] = [];
    const open: string[] = [];
    await Promise.all(
      believed.map(async ({ naming, values }) => {
        for (const [value, found] of await probes.values(naming, values)) {
          if (found.is === 'absent') gone.push(`“${value}” is no longer a value of ${naming.term}.`);
          if (found.is === 'untold')
            open.push(`Whether “${value}” is still a value of ${naming.term} is not known: ${found.why}.`);
        }
      }),
    );
    if (gone.length > 0) probes.lagging();
    const detail = [...gone, ...open].join(' ');
    if (gone.length > 0) return { ...failed(detail), warning: gone.join(' ') };
    return open.length > 0 ? untold(detail) : said;
  },
};

function verdictOf(known: Fact, said: string | null): Verdict {
  if (known === null) return notApplicable(said ?? 'No filter on a text, key or code.');
  if (known === true) return passed(said ?? 'Every filter value exists in the column that it filters.');
  const doubt = said ?? 'A filter value is not known to exist in the column that it filters.';
  return known === false ? failed(doubt) : untold(doubt);
}

/** No rows, or nothing in them but zeros and blanks beside what they are grouped by. */
function isBlank({ plan, rows, columns }: FetchedRows): boolean {
  const grouped = plan.plan === 'compiled' ? plan.intent.dimensions.length : 0;
  const measured = columns.slice(grouped);
  if (rows.length > 0 && measured.length === 0) return false;
  return rows.every((row) => measured.every(({ name }) => row[name] === null || Number(row[name]) === 0));
}
