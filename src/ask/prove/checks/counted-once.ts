// Checks that a count includes each item once, and only items without excluded rows. For example, some orders have
// Furniture lines and other lines. A plan that excludes Furniture lines still counts these orders because of their
// other lines, so the answer states how many such orders it counts.

import { findCommonDataset, findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { findField, type Lens, type LensDataset } from '../../../lens/model/lens.ts';
import { hasValidityDates } from '../../../lens/model/name-words.ts';
import { findCountedDatasets, findMetric, listSimpleBases } from '../../../plan/base-measures.ts';
import { isRelated, listCountConditions, listFilters, NULL_TESTS } from '../../../plan/filters.ts';
import {
  type Aggregate,
  type Condition,
  createEmptyPlan,
  type Filter,
  getRowsPath,
  type LensPlan,
  listBaseMeasures,
  listMeasures,
  type MetricMeasure,
  type Operator,
} from '../../../plan/lens-plan.ts';
import { OPERATOR_WORDS } from '../../../plan/sentence/filter-words.ts';
import { findFilterPaths } from '../../../plan/sql/filter-sql.ts';
import { toPhraseKey } from '../../../reader/words/phrase-key.ts';
import type { CompiledPlan, Verdict } from '../../outcome.ts';
import {
  type AnswerCheck,
  createPassVerdict,
  createUnknownVerdict,
  createWarningVerdict,
  findWorstVerdict,
  ignoreInvalidProbe,
} from '../check.ts';
import type { Probes } from '../probes.ts';

/** A condition that excludes rows, the opposite condition, and words that describe the excluded rows. */
interface Exclusion {
  filter: Filter;
  reversedFilter: Filter;
  description: string;
}

export const countedOnceCheck: AnswerCheck = {
  name: 'counted_once',
  critical: false,
  async checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { lens } = plan.grantedLens;
    const distinctCounts = listMeasures(plan.lensPlan)
      .flatMap((measure) => listSimpleBases(lens, measure))
      .flatMap((base) => toDistinctCount(lens, plan.lensPlan, base) ?? []);
    return findWorstVerdict(
      await Promise.all([
        ...distinctCounts.map((count) => checkOverlap(count, plan.lensPlan, probes)),
        checkRepeatedItems(plan, probes),
      ]),
    );
  },
};

/** Returns null if no condition excludes rows from the distinct count. */
async function checkOverlap(
  { where = [], ...count }: MetricMeasure | Aggregate,
  lensPlan: LensPlan,
  probes: Probes,
): Promise<Verdict | null> {
  const filters = [...lensPlan.filters, ...where];
  const exclusions = filters.flatMap((filter) =>
    onlyRemovesGroups(filter, lensPlan) ? [] : (toExclusion(filter) ?? []),
  );
  if (exclusions.length === 0) return null;
  const keptRows: Filter = { all: exclusions.map(({ filter }) => filter) };
  const excludedRows: Filter = { any: exclusions.map(({ reversedFilter }) => reversedFilter) };
  const otherFilters = filters.filter((item) => exclusions.every(({ filter }) => filter !== item));
  const description = exclusions.map((exclusion) => exclusion.description).join(' or ');
  // Counts without the plan's dimensions, because with dimensions svc can't always find the rows that are joined to the
  // counted rows.
  const counts = await Promise.all(
    [keptRows, excludedRows, { any: [keptRows, excludedRows] }].map((rows) =>
      probes.count({
        ...createEmptyPlan(),
        measures: [count],
        filters: [...otherFilters, rows],
        time: lensPlan.time,
      }),
    ),
  ).catch(ignoreInvalidProbe);
  if (!counts) return createUnknownVerdict(`svc may count items that also have rows ${description}.`);
  const [keptCount, excludedCount, totalCount] = counts;
  const overlap = keptCount! + excludedCount! - totalCount!;
  return overlap > 0
    ? createWarningVerdict(
        `${overlap} of the counted items also ${overlap === 1 ? 'has' : 'have'} rows ${description}. svc counts them because of their other rows.`,
      )
    : createPassVerdict(`No counted item has rows ${description}.`);
}

/** Whether a filter only removes whole groups from the result, so that the counts of the other groups don't change. */
function onlyRemovesGroups(filter: Filter, { dimensions }: LensPlan): boolean {
  const condition = 'not' in filter ? filter.not : filter;
  if (!('field' in condition) || condition.other) return false;
  const { path, field, grain } = condition.field;
  return dimensions.some(
    (item) => item.path === path && item.field === field && item.grain === grain && item.bin === undefined,
  );
}

const OPPOSITE_OPERATORS: Partial<Record<Operator, Operator>> = { '!=': '=', not_in: 'in' };
function toExclusion(filter: Filter): Exclusion | null {
  if ('not' in filter) {
    const condition = filter.not;
    if (!('field' in condition) || condition.than || NULL_TESTS.has(condition.op)) return null;
    return { filter, reversedFilter: condition, description: describeCondition(condition) };
  }
  if ('field' in filter) {
    const op = OPPOSITE_OPERATORS[filter.op];
    if (!op || filter.than) return null;
    const condition: Condition = { ...filter, op, or_null: undefined };
    return { filter, reversedFilter: condition, description: describeCondition(condition) };
  }
  if (!('any' in filter)) return null;
  const [before, after] = filter.any;
  if (!before || !('field' in before) || !after || !('field' in after)) return null;
  if (before.op !== '<' || after.op !== '>=') return null;
  const periodConditions: Condition[] = [
    { ...before, op: '>=' },
    { ...after, op: '<' },
  ];
  return { filter, reversedFilter: { all: periodConditions }, description: 'in the excluded period' };
}
function describeCondition({ field, op, values, other }: Condition): string {
  const verb = /^(?:contains|starts_with|ends_with)$/.test(op) ? '' : 'is';
  const operator = op === '=' ? '' : OPERATOR_WORDS[op];
  const operand = other ? `${other.field.path}.${other.field.field}` : values.join(op === 'between' ? ' and ' : ' or ');
  return ['where', field.field, verb, operator, operand].filter(Boolean).join(' ');
}

/**
 * Returns the measure as a distinct count if it counts each row of its dataset once, although a filter reads another
 * dataset. An example is "clients by region of their jobs, without clocks", where a client can have several jobs.
 * Returns null for other measures.
 */
function toDistinctCount(
  lens: Lens,
  { filters }: LensPlan,
  base: MetricMeasure | Aggregate,
): MetricMeasure | Aggregate | null {
  if (isDistinctCount(lens, base)) return base;
  if (base.fn !== 'count' || !('rows' in base)) return null;
  const { rows: path, where = [] } = base;
  const dataset = findDatasetOfPath(lens, path);
  const [key, ...otherKeys] = dataset?.primaryKey ?? [];
  const field = dataset && key !== undefined && otherKeys.length === 0 ? findField(dataset, key) : undefined;
  if (!dataset || !field || field.masked) return null;
  const readDataset = findCommonDataset(lens, [dataset.name, ...findFilterPaths([...filters, ...where])]);
  return readDataset === dataset.name ? null : { fn: 'count_distinct', field: { path, field: field.name }, where };
}

const isDistinctCount = (lens: Lens, measure: MetricMeasure | Aggregate): boolean =>
  measure.fn === 'count_distinct' || /^\s*count\s*\(\s*distinct\b/i.test(findMetric(lens, measure)?.expression ?? '');

const KEY_ENDING_PATTERN = / (?:id|no|nr|num|number|code|cd|key)$/;

/**
 * Warns if a dataset has several rows for each item. For example, a table of jobs with the key (job_no, part_no) has
 * one row for each part of a job, so a count of its rows isn't a count of jobs. Returns null if the question doesn't
 * count, average or list rows of such a dataset.
 */
async function checkRepeatedItems(
  { grantedLens: { lens }, lensPlan, readingOrigin }: CompiledPlan,
  probes: Probes,
): Promise<Verdict | null> {
  if (readingOrigin.by === 'caller' && !readingOrigin.asked) return null;
  let passed: Verdict | null = null;
  for (const dataset of findMeasuredDatasets(lens, lensPlan)) {
    const key = findKeyNamedAfterDataset(dataset);
    if (!key) continue;
    const filters = lensPlan.filters.filter(
      (item) => 'field' in item && item.field.path === dataset.name && !item.other && !item.than,
    );
    const measures = [
      { fn: 'count', rows: dataset.name },
      { fn: 'count_distinct', field: { path: dataset.name, field: key } },
    ] as const;
    const [rows, wholes] = await Promise.all(
      measures.map((measure) => probes.count({ ...createEmptyPlan(), measures: [measure], filters })),
    );
    if (rows !== wholes)
      return createWarningVerdict(
        `${dataset.name} has ${rows} rows but only ${wholes} different values of ${key}, and the answer uses every row. To use each value of ${key} once, ask for the number of distinct ${key.replaceAll('_', ' ')}.`,
      );
    passed = createPassVerdict(`Each row of ${dataset.name} has its own ${key}.`);
  }
  return passed;
}

/**
 * The datasets whose rows the plan counts, averages or groups by. Includes a listed dataset with validity dates,
 * because such a list can repeat old versions of a row.
 */
function findMeasuredDatasets(lens: Lens, plan: LensPlan): Set<LensDataset> {
  const measured = listMeasures(plan)
    .flatMap(listBaseMeasures)
    .flatMap((base) => [
      ...(isDistinctCount(lens, base) ? [] : findCountedDatasets(lens, base)),
      ...(base.fn === 'avg' || base.fn === 'median' ? [getRowsPath(base)] : []),
      ...lens.metrics.flatMap(({ name, expression, home }) =>
        base.fn === 'metric' && base.metric === name && home && /\bavg\s*\(/i.test(expression) ? [home] : [],
      ),
    ]);
  // A filter with "at least one" only tests whether rows exist. All other bounds depend on the number of rows.
  const counted = listFilters(plan).flatMap((filter) =>
    isRelated(filter) && listCountConditions(filter).some(({ op, value }) => value > 1 || (value === 1 && op !== '>='))
      ? ['exists' in filter ? filter.exists : filter.not_exists]
      : [],
  );
  const grouped = plan.dimensions.flatMap(({ path, field }) =>
    findDatasetOfPath(lens, path)?.primaryKey.join() === field ? path : [],
  );
  const listed = findDatasetOfPath(lens, plan.rows ?? '');
  return new Set([
    ...[...measured, ...counted, ...grouped, ...(plan.per ?? [])].flatMap(
      (path) => findDatasetOfPath(lens, path) ?? [],
    ),
    ...(listed && plan.measures.length === 0 && hasValidityDates(listed.fields) ? [listed] : []),
  ]);
}

/** The column with the name of the dataset, such as job_no in jobs, if its values can repeat. */
function findKeyNamedAfterDataset({ name, synonyms, primaryKey, fields }: LensDataset): string | null {
  const candidates =
    primaryKey.length > 1
      ? primaryKey
      : hasValidityDates(fields)
        ? fields.flatMap((field) => (primaryKey.includes(field.name) || field.masked ? [] : field.name))
        : [];
  const nouns = [name, ...synonyms].map(toPhraseKey).flatMap((noun) => [noun, noun.split(' ').at(-1)]);
  return (
    candidates.find((column) => {
      const words = toPhraseKey(column);
      return (
        (primaryKey.length > 1 || KEY_ENDING_PATTERN.test(words)) &&
        nouns.includes(words.replace(KEY_ENDING_PATTERN, ''))
      );
    }) ?? null
  );
}
