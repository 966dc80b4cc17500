// With the key job_no and part_no, a table of jobs has several rows for a job. A question about jobs then counts rows,
// so the answer states how many jobs these rows have.
import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../../lens/model/lens.ts';
import { allFiltersIn, countConditionsOf, isRelated } from '../../../plan/filters.ts';
import { basesOf, createEmptyPlan, type LensPlan, rowsOf } from '../../../plan/lens-plan.ts';
import { phraseKey } from '../../../reader/words/phrase-key.ts';
import type { CompiledPlan, Verdict } from '../../outcome.ts';
import { passVerdict, warningVerdict } from '../check.ts';
import type { Probes } from '../probes.ts';

const KEY_ENDING = / (?:id|no|nr|num|number|code|cd|key)$/;

/** Null if the question counts or averages no such rows. */
export async function checkRowsOfParts(
  { grantedLens: { lens }, lensPlan, readingOrigin }: CompiledPlan,
  probes: Probes,
): Promise<Verdict | null> {
  if (readingOrigin.by === 'caller' && !readingOrigin.asked) return null;
  for (const dataset of countedDatasets(lens, lensPlan)) {
    const key = keyOfWhole(dataset);
    if (!key) continue;
    const measures = [
      { fn: 'count', rows: dataset.name },
      { fn: 'count_distinct', field: { path: dataset.name, field: key } },
    ] as const;
    const [rows, wholes] = await Promise.all(
      measures.map((measure) => probes.count({ ...createEmptyPlan(), measures: [measure] })),
    );
    return rows === wholes
      ? passVerdict(`Each row of ${dataset.name} has its own ${key}.`)
      : warningVerdict(
          `${dataset.name} has ${rows} rows with ${wholes} values of ${key}, and svc counted rows. If you mean values of ${key}, ask for the number of distinct ${key.replaceAll('_', ' ')}.`,
        );
  }
  return null;
}

/** The datasets whose rows the plan counts or averages. */
function countedDatasets(lens: Lens, plan: LensPlan): LensDataset[] {
  const bases = plan.measures.flatMap(basesOf);
  const measured = bases.map((base) => {
    if (base.fn !== 'metric') return /^(?:count|avg|median)$/.test(base.fn) ? rowsOf(base) : null;
    const metric = lens.metrics.find(({ name }) => name === base.metric);
    return metric && /^(?:count\s*\(\s*\*|avg\b)/i.test(metric.expression.trim()) ? metric.home : null;
  });
  const related = allFiltersIn(plan).flatMap((filter) =>
    isRelated(filter) && countConditionsOf(filter).some(({ value }) => value > 1)
      ? ['exists' in filter ? filter.exists : filter.not_exists]
      : [],
  );
  return [...measured, ...related].flatMap((path) => (path ? (datasetOfPath(lens, path) ?? []) : []));
}

/** The column of a composite key that has the name of the dataset, such as job_no in jobs. */
function keyOfWhole({ name, synonyms, primaryKey }: LensDataset): string | null {
  if (primaryKey.length < 2) return null;
  const nouns = [name, ...synonyms].map(phraseKey).flatMap((noun) => [noun, noun.split(' ').at(-1)]);
  return primaryKey.find((column) => nouns.includes(phraseKey(column).replace(KEY_ENDING, ''))) ?? null;
}
