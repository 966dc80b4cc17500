// Prevents sums of values that aren't additive. svc averages a rate if the caller agrees, and uses the latest value of
// a level, such as a balance. If the lens doesn't state whether a field is additive, svc asks the caller.
import type { Clarification } from '../../contract/ask.ts';
import { isTemporal } from '../../contract/warehouse.ts';
import { type Additivity, inferAdditivity } from '../../lens/model/aggregation.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findField, type Lens, type LensDataset, type LensField } from '../../lens/model/lens.ts';
import {
  type Aggregate,
  findSummedExtreme,
  type LensPlan,
  listBaseMeasures,
  listHavingMeasures,
  listHiddenMeasures,
  listNestedMeasures,
  type Measure,
  type MetricMeasure,
  withInnerMeasures,
  withMeasures,
} from '../../plan/lens-plan.ts';
import type { GrantedLens } from '../outcome.ts';
import { listConditionsOfSums, restrictToLatestSnapshot, sumsAcrossTimes } from './use-latest-snapshot.ts';
import type { ProbeLimits } from './values/probe-values.ts';

export interface PlanWithResolvedSums {
  lensPlan: LensPlan;
  notes: string[];
  /** Reasons why the answer can't be verified. */
  doubts: string[];
}
const AGGREGATE_OF_CHOICE = { average: 'avg', highest: 'max', lowest: 'min' } as const;
const CHOICE_LABELS = {
  average: 'the mean of its rows',
  highest: 'the highest of its rows',
  lowest: 'the lowest of its rows',
  latest: 'the sum at the latest time only',
  sum: 'the sum of all its rows',
};
type ChoiceKey = keyof typeof CHOICE_LABELS;

export async function resolveSums(
  grantedLens: GrantedLens,
  lensPlan: LensPlan,
  choices: Record<string, string>,
  limits: ProbeLimits,
): Promise<PlanWithResolvedSums | Clarification> {
  const resolvedSums: PlanWithResolvedSums = { lensPlan, notes: [], doubts: [] };
  const extremes = listSummedExtremes(lensPlan);
  const findSums = (base: SummedField['base']): SummedField[] => findSummedFields(grantedLens.lens, base, extremes);
  for (const sum of listBasesOfPlan(lensPlan).flatMap(findSums)) {
    const { how, at } = inferAdditivity(sum.field, sum.dataset);
    const isExtreme = extremes.has(sum.base);
    // The compiler refuses to sum these values.
    if (isExtreme && (how === 'average' || how === 'none')) continue;
    const term = `${sum.path}.${sum.field.name}`;
    const choice = choices[term] ?? choices[sum.field.name];
    const chosenKey = (Object.keys(CHOICE_LABELS) as ChoiceKey[]).find(
      (key) => key === choice || CHOICE_LABELS[key] === choice,
    );
    const measures = listAllMeasures(lensPlan);
    const isSum = (base: SummedField['base']): boolean =>
      findSums(base).some(({ path, field }) => path === sum.path && field === sum.field);
    const timeDimensions = lensPlan.dimensions.filter(({ path, field }) => path === sum.path && field === at);
    const time = { path: sum.path, field: at ?? '' };
    const doubtOfTotal = `${replaceUnderscores(sum.field.name)} is a level (like a balance). A total over several values of ${sum.path}.${at} counts the same amount repeatedly.`;
    if (
      how === 'latest' &&
      !resolvedSums.doubts.includes(doubtOfTotal) &&
      measures.some((measure) => sumsAcrossTimes(measure, isSum, time, timeDimensions))
    )
      resolvedSums.doubts.push(doubtOfTotal);
    if (how === 'sum' || (sum.approved && how !== 'latest') || isOneRowPerGroup(lensPlan, sum)) continue;
    const isTimed = timeDimensions.length > 0 || lensPlan.time?.field.path === sum.path;
    if (how === 'latest' && at && !isTimed && isSumOfValidRows(grantedLens.lens, sum, at)) continue;
    if (chosenKey && chosenKey in AGGREGATE_OF_CHOICE && !sum.approved && !isExtreme) {
      resolvedSums.lensPlan = replaceMeasureFunction(
        resolvedSums.lensPlan,
        sum,
        AGGREGATE_OF_CHOICE[chosenKey as keyof typeof AGGREGATE_OF_CHOICE],
      );
      continue;
    }
    if (how === 'latest' && at) {
      const level = {
        path: sum.path,
        name: sum.field.name,
        at,
        isAlone: hasOnlyLevelMeasures(grantedLens.lens, lensPlan, sum, findSums),
        sums: measures.flatMap((measure) => listConditionsOfSums(measure, isSum)),
      };
      const latestSnapshot = await restrictToLatestSnapshot(
        grantedLens,
        resolvedSums.lensPlan,
        level,
        chosenKey === 'latest',
        limits,
      );
      resolvedSums.lensPlan = latestSnapshot.lensPlan;
      resolvedSums.notes.push(...latestSnapshot.notes);
      resolvedSums.doubts.push(...latestSnapshot.doubts);
      if (!latestSnapshot.doubt) continue;
      if (!sum.approved)
        return createClarification(
          term,
          latestSnapshot.doubt,
          latestSnapshot.isAtOneTime ? ['latest', 'average'] : ['average'],
        );
      resolvedSums.doubts.push(`${latestSnapshot.doubt} svc summed all of these values.`);
      continue;
    }
    if (sum.approved) continue;
    const doubt = explainDoubt(grantedLens.lens, sum, how);
    if (doubt !== null) {
      if (chosenKey !== 'sum') return createClarification(term, doubt, ['sum', 'average', 'highest']);
      resolvedSums.doubts.push(
        `${doubt} The caller chose the sum. To decide this for every question, set "aggregation: sum" on the field ${term}.`,
      );
      continue;
    }
    const reason = how === 'latest' ? 'is a level (like a balance) at several times' : 'is not additive';
    return createClarification(term, `${replaceUnderscores(sum.field.name)} ${reason}.`, [
      'average',
      'highest',
      'lowest',
    ]);
  }
  return resolvedSums;
}

/**
 * The choices that a caller's plan implies: by summing a field whose additivity svc doesn't know or only guessed, the
 * caller chooses the sum.
 */
export const findImpliedChoices = (lens: Lens, lensPlan: LensPlan): Record<string, string> =>
  Object.fromEntries(
    listBasesOfPlan(lensPlan)
      .flatMap((base) => (base.fn === 'metric' ? [] : findSummedFields(lens, base, listSummedExtremes(lensPlan))))
      .filter((sum) => explainDoubt(lens, sum, inferAdditivity(sum.field, sum.dataset).how) !== null)
      .map(({ path, field }) => [`${path}.${field.name}`, 'sum']),
  );

/**
 * Returns the reason why the caller must decide whether the field is additive: the lens doesn't state it, or a draft
 * only inferred it. Returns null if no decision is needed.
 */
function explainDoubt({ facts = [] }: Lens, { dataset, field }: SummedField, how: Additivity['how']): string | null {
  if (how === 'unknown') return `svc can’t tell whether ${replaceUnderscores(field.name)} is additive.`;
  const fieldPath = `${dataset.name}.${field.name}`;
  const isGuessed = facts.some(
    (fact) => fact.kind === 'aggregation' && fact.of === fieldPath && fact.origin === 'inferred',
  );
  return isGuessed && how === 'average'
    ? `A draft guessed that ${replaceUnderscores(field.name)} is averaged, not summed.`
    : null;
}

function createClarification(term: string, reason: string, keys: ChoiceKey[]): Clarification {
  return {
    kind: 'ambiguous_term',
    term,
    message: `${reason} Choose one: ${keys.join(', ')}.`.replace(/^./, (letter) => letter.toUpperCase()),
    options: keys.map((key) => ({ key, label: key, meaning: CHOICE_LABELS[key] })),
  };
}

interface SummedField {
  base: MetricMeasure | Aggregate;
  path: string;
  dataset: LensDataset;
  field: LensField;
  /** True if the sum is part of a metric, because the metric's author approved the sum. */
  approved: boolean;
}
const listAllMeasures = (lensPlan: LensPlan): Measure[] => [
  ...lensPlan.measures,
  ...lensPlan.having.flatMap(listHavingMeasures),
  ...listHiddenMeasures(lensPlan),
];
const listBasesOfPlan = (lensPlan: LensPlan): SummedField['base'][] =>
  listAllMeasures(lensPlan).flatMap(listBaseMeasures);
/** The highest and lowest values that the plan sums over groups. svc treats them like a sum of their field. */
const listSummedExtremes = (lensPlan: LensPlan): Set<Measure> =>
  new Set(listNestedMeasures(lensPlan).flatMap((measure) => findSummedExtreme(measure) ?? []));
/** Returns each field that the plan sums directly or through a metric. */
function findSummedFields(lens: Lens, base: SummedField['base'], extremes: Set<Measure>): SummedField[] {
  const metric = base.fn === 'metric' ? lens.metrics.find(({ name }) => name === base.metric) : undefined;
  const { fields, metrics, aggregates } = metric?.references ?? { fields: [], metrics: [], aggregates: [] };
  const parts = metrics.flatMap((name) => findSummedFields(lens, { fn: 'metric', metric: name }, extremes));
  const fieldRefs =
    base.fn === 'metric'
      ? aggregates.join().toLowerCase() === 'sum' && parts.length === 0
        ? fields
            .filter(({ dataset, field }) => new RegExp(`\\b${dataset}\\.${field}\\b`).test(metric!.expression))
            .map(({ dataset, field }) => ({ path: dataset, field }))
        : []
      : 'field' in base && (base.fn === 'sum' || extremes.has(base))
        ? [base.field]
        : [];
  const summedFields = fieldRefs.flatMap(({ path, field: name }) => {
    const dataset = findDatasetOfPath(lens, path);
    const field = dataset && findField(dataset, name);
    return dataset && field ? [{ base, path, dataset, field, approved: metric !== undefined }] : [];
  });
  return [...parts.map((part) => ({ ...part, base })), ...summedFields];
}
/**
 * Whether every measure of the plan is a level with the same time field, so that a condition on the time restricts
 * nothing else.
 */
const hasOnlyLevelMeasures = (
  lens: Lens,
  lensPlan: LensPlan,
  { path, dataset }: SummedField,
  findSums: (base: SummedField['base']) => SummedField[],
): boolean =>
  listBasesOfPlan(lensPlan).every(
    (base) =>
      (base.fn !== 'metric' || !lens.metrics.find(({ name }) => name === base.metric)?.references.metrics.length) &&
      findSums(base).some((sum) => sum.path === path && inferAdditivity(sum.field, dataset).how === 'latest'),
  );

/** Whether the metric's own filter keeps only the rows that are valid at one time, between two dates. */
function isSumOfValidRows({ metrics }: Lens, { base, dataset }: SummedField, at: string): boolean {
  const filter = (base.fn === 'metric' && metrics.find(({ name }) => name === base.metric)?.filter) || '';
  const dates = dataset.fields.filter(
    ({ name, datatype }) => isTemporal(datatype) && new RegExp(`\\b${dataset.name}\\.${name}\\b`).test(filter),
  );
  return dates.length > 1 && dates.some(({ name }) => name === at);
}

/** Whether the dimensions include the primary key, so that each group is one row and svc sums nothing. */
const isOneRowPerGroup = ({ dimensions }: LensPlan, { path, dataset }: SummedField): boolean =>
  dataset.primaryKey.length > 0 &&
  dataset.primaryKey.every((key) =>
    dimensions.some(
      (dimension) =>
        dimension.path === path && dimension.field === key && !dimension.grain && !dimension.bin && !dimension.when,
    ),
  );

function replaceMeasureFunction(lensPlan: LensPlan, { base }: SummedField, fn: Aggregate['fn']): LensPlan {
  const replaceFunction = (measure: Measure): Measure =>
    measure === (base as Measure) ? ({ ...measure, fn } as Measure) : withInnerMeasures(measure, replaceFunction);
  return withMeasures(lensPlan, replaceFunction);
}

const replaceUnderscores = (name: string): string => name.replaceAll('_', ' ');
