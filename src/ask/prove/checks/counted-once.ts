// Checks that a count includes each item once, and only items without excluded rows. Some orders with Furniture lines
// also have other lines. A plan that excludes Furniture lines counts these orders because of their other lines, so the
// answer states how many such orders it counts.

import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../../lens/model/lens.ts';
import { findCountedDatasets, listMeasures } from '../../../plan/facts-used.ts';
import { countConditionsOf, isRelated, listFilters } from '../../../plan/filters.ts';
import {
  basesOf,
  type Condition,
  createEmptyPlan,
  type Filter,
  findPlainMetricName,
  type LensPlan,
  type Measure,
  rowsOf,
} from '../../../plan/lens-plan.ts';
import { toPhraseKey } from '../../../reader/words/phrase-key.ts';
import type { CompiledPlan, Verdict } from '../../outcome.ts';
import { type AnswerCheck, passVerdict, warningVerdict } from '../check.ts';
import type { Probes } from '../probes.ts';
import { mainDatasetOfMeasure } from './main-dataset-of-measure.ts';

const OPPOSITE_OPERATORS = { '!=': '=', not_in: 'in' } as const;
/** A condition that excludes rows, the opposite condition, and the words for those rows. */
interface Exclusion {
  filter: Filter;
  reversedFilter: Filter;
  description: string;
}

export const countedOnceCheck: AnswerCheck = {
  name: 'counted_once',
  critical: false,
  checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { lensPlan, grantedLens } = plan;
    const [measure] = lensPlan.measures;
    const exclusion = measure ? findSingleExclusion(grantedLens.lens, lensPlan) : null;
    return measure && exclusion
      ? checkOverlap(measure, exclusion, lensPlan, probes)
      : checkCompositeKeyRows(plan, probes);
  },
};

async function checkOverlap(
  measure: Measure,
  exclusion: Exclusion,
  lensPlan: LensPlan,
  probes: Probes,
): Promise<Verdict> {
  const otherFilters = lensPlan.filters.filter((filter) => filter !== exclusion.filter);
  const filterSets = [[exclusion.filter], [exclusion.reversedFilter], []];
  const [remainingCount, reversedCount, totalCount] = await Promise.all(
    filterSets.map((filterSet) =>
      probes.count({
        ...createEmptyPlan(),
        measures: [measure],
        filters: [...otherFilters, ...filterSet],
        time: lensPlan.time,
      }),
    ),
  );
  const overlap = remainingCount! + reversedCount! - totalCount!;
  return overlap > 0
    ? warningVerdict(
        `${overlap} of the counted items also ${overlap === 1 ? 'has' : 'have'} rows ${exclusion.description}; svc counts them because of their other rows.`,
      )
    : passVerdict(`No counted item has rows ${exclusion.description}.`);
}

/** Returns the condition that excludes rows from a distinct count. Null if there isn't exactly one. */
function findSingleExclusion(lens: Lens, { measures, filters }: LensPlan): Exclusion | null {
  const [measure, second] = measures;
  if (!measure || second || !isDistinctCount(lens, measure)) return null;
  const mainDataset = mainDatasetOfMeasure(lens, measure);
  const [exclusion, otherExclusion] = filters.flatMap((filter) => toExclusion(filter, mainDataset) ?? []);
  return exclusion && !otherExclusion ? exclusion : null;
}

function toExclusion(filter: Filter, mainDataset: string | null): Exclusion | null {
  if ('field' in filter) {
    const { field, op, than, values } = filter;
    if (field.path !== mainDataset || than || !(op === '!=' || op === 'not_in')) return null;
    const reversedFilter: Filter = { ...filter, op: OPPOSITE_OPERATORS[op], or_null: undefined };
    return { filter, reversedFilter, description: `where ${field.field} is ${values.join(' or ')}` };
  }
  if (!('any' in filter)) return null;
  const [before, after] = filter.any;
  if (!before || !('field' in before) || !after || !('field' in after) || before.field.path !== mainDataset)
    return null;
  if (before.op !== '<' || after.op !== '>=') return null;
  const periodConditions: Condition[] = [
    { ...before, op: '>=' },
    { ...after, op: '<' },
  ];
  return { filter, reversedFilter: { all: periodConditions }, description: 'in the excluded period' };
}

const isDistinctCount = (lens: Lens, measure: Measure): boolean =>
  (measure.fn === 'count_distinct' && !measure.where) ||
  lens.metrics.some(
    ({ name, expression }) => name === findPlainMetricName(measure) && /^\s*count\s*\(\s*distinct\b/i.test(expression),
  );

const KEY_ENDING = / (?:id|no|nr|num|number|code|cd|key)$/;

/**
 * With the key job_no and part_no, a table of jobs has several rows for each job. A question about jobs then counts
 * rows, so the answer states how many jobs these rows have. Null if the question counts or averages no such rows.
 */
async function checkCompositeKeyRows(
  { grantedLens: { lens }, lensPlan, readingOrigin }: CompiledPlan,
  probes: Probes,
): Promise<Verdict | null> {
  if (readingOrigin.by === 'caller' && !readingOrigin.asked) return null;
  let passed: Verdict | null = null;
  for (const dataset of findMeasuredDatasets(lens, lensPlan)) {
    const key = findKeyNamedAfterDataset(dataset);
    if (!key) continue;
    const measures = [
      { fn: 'count', rows: dataset.name },
      { fn: 'count_distinct', field: { path: dataset.name, field: key } },
    ] as const;
    const [rows, wholes] = await Promise.all(
      measures.map((measure) => probes.count({ ...createEmptyPlan(), measures: [measure] })),
    );
    if (rows !== wholes)
      return warningVerdict(
        `${dataset.name} has ${rows} rows with ${wholes} values of ${key}, and svc counted rows. If you mean values of ${key}, ask for the number of distinct ${key.replaceAll('_', ' ')}.`,
      );
    passed = passVerdict(`Each row of ${dataset.name} has its own ${key}.`);
  }
  return passed;
}

/** The datasets whose rows the plan counts or averages. */
function findMeasuredDatasets(lens: Lens, plan: LensPlan): Set<LensDataset> {
  const measured = listMeasures(plan)
    .flatMap(basesOf)
    .flatMap((base) => [
      ...(isDistinctCount(lens, base) ? [] : findCountedDatasets(lens, base)),
      ...(base.fn === 'avg' || base.fn === 'median' ? [rowsOf(base)] : []),
      ...lens.metrics.flatMap(({ name, expression, home }) =>
        base.fn === 'metric' && base.metric === name && home && /\bavg\s*\(/i.test(expression) ? [home] : [],
      ),
    ]);
  // "At least one" doesn't count the rows.
  const counted = listFilters(plan).flatMap((filter) =>
    isRelated(filter) && countConditionsOf(filter).some(({ op, value }) => value > 1 || (value === 1 && op !== '>='))
      ? ['exists' in filter ? filter.exists : filter.not_exists]
      : [],
  );
  return new Set([...measured, ...counted].flatMap((path) => datasetOfPath(lens, path) ?? []));
}

/** The column of a composite key that has the name of the dataset, such as job_no in jobs. */
function findKeyNamedAfterDataset({ name, synonyms, primaryKey }: LensDataset): string | null {
  if (primaryKey.length < 2) return null;
  const nouns = [name, ...synonyms].map(toPhraseKey).flatMap((noun) => [noun, noun.split(' ').at(-1)]);
  return primaryKey.find((column) => nouns.includes(toPhraseKey(column).replace(KEY_ENDING, ''))) ?? null;
}
