import {
  type AggregateFunction,
  type ComparedPart,
  createMeasure,
  type Entities,
  type Field,
  type Group,
  type Measure,
  type Period,
  type Predicate,
  restrictMeasure,
  type Term,
  type Word,
  withOwner,
} from '../terms.ts';
import {
  cast,
  createCountMeasure,
  createValuePredicate,
  hasFeature,
  hasOwnPredicates,
  isPercent,
  type Operation,
} from './building.ts';

const createPartMeasure = (measureTerm: Measure, where: readonly Predicate[], percent: boolean): Measure =>
  createMeasure(
    { is: 'part', of: measureTerm, where, percent, predicates: [] },
    `${measureTerm.key} ${where.map(({ key }) => key).join('&')}`,
    ['part'],
  );

/** The subject of a condition, without its values. */
const findSubject = (predicate: Predicate): string =>
  predicate.is === 'value'
    ? predicate.value.any
        .flatMap(({ options }) => options.map(({ dataset, field }) => `${dataset}.${field.name}`))
        .join()
    : predicate.is === 'compare'
      ? predicate.field.key
      : predicate.is;
/**
 * A condition after two measures applies to the second if the first has a similar condition. Otherwise, the condition
 * is ambiguous.
 */
const combine = (fn: 'ratio' | 'difference', left: Measure, right: Measure): Measure | null => {
  const leftSubjects = new Set(left.predicates.map(findSubject));
  if (
    right.predicates.length > left.predicates.length ||
    right.predicates.some((predicate) => !leftSubjects.has(findSubject(predicate)))
  )
    return null;
  return createMeasure({ is: 'combined', fn, left, right, predicates: [] }, `${fn} ${left.key} ${right.key}`, [
    'combined',
  ]);
};

/** A condition after both sides applies to both, unless one side has a similar condition. */
export const applyToBothSides = (measureTerm: Measure, predicate: Predicate): Measure | null => {
  if (measureTerm.is !== 'combined' || hasFeature(predicate, 'total') || hasFeature(predicate, 'has')) return null;
  if (
    [...measureTerm.left.predicates, ...measureTerm.right.predicates].some(
      (existingPredicate) => findSubject(existingPredicate) === findSubject(predicate),
    )
  )
    return null;
  const restrictSide = (side: Measure): Measure => restrictMeasure(side, [predicate]);
  return createMeasure(
    { ...measureTerm, left: restrictSide(measureTerm.left), right: restrictSide(measureTerm.right) },
    `${measureTerm.fn} ${restrictSide(measureTerm.left).key} ${restrictSide(measureTerm.right).key}`,
    ['combined'],
  );
};

/**
 * Returns true if the measure is simple: no share, change, running total, part or average of groups, and no name that
 * also means things.
 */
const isPlainMeasure = (measureTerm: Measure): boolean =>
  !['share', 'change', 'running', 'averaged', 'part'].includes(measureTerm.is) && !hasFeature(measureTerm, 'thing');
export const createAggregate = (agg: Word, fieldTerm: Field): Measure =>
  createMeasure(
    { is: 'aggregate', fn: agg.value as AggregateFunction, field: fieldTerm, predicates: [] },
    `${agg.key} ${fieldTerm.key}`,
    ['aggregate', ...(agg.value === 'avg' ? ['mean'] : []), ...agg.features],
  );
/** A sum, although no word of the question states that the field is summed. */
export const createSum = (of: Field): Measure =>
  createMeasure({ is: 'aggregate', fn: 'sum', field: of, unsaid: true, predicates: [] }, `summed ${of.key}`, [
    'summed',
  ]);
export const withOwnerRows = (of: Measure, rows: Entities): Extract<Measure, { is: 'aggregate' }> | null =>
  of.is !== 'aggregate' || of.field.of || of.predicates.length > 0
    ? null
    : (createMeasure(
        { ...of, field: withOwner(of.field, { ...rows, predicates: [] }), predicates: rows.predicates },
        `${of.fn} ${of.field.key} of ${rows.options[0]!.dataset}`,
        ['aggregate'],
      ) as Extract<Measure, { is: 'aggregate' }>);
export const createGrowth = (of: Measure): Measure | null =>
  isPlainMeasure(of) ? createMeasure({ is: 'change', of, predicates: [] }, of.key, ['change']) : null;
const toMeasure = (term: Term): Measure => (term.t === 'things' ? createCountMeasure(term) : cast<Measure>(term));

/** A part of a comparison of two periods: the value in one period, or the change as an amount or a percentage. */
export function createChange(of: Measure, period: Period, part: ComparedPart): Measure | null {
  if (!isPlainMeasure(of) || !period.mention.ends) return null;
  const [earlier, later] = period.mention.ends;
  const key = `${of.key} ${period.key} ${part}`;
  return createMeasure({ is: 'between', of, earlier, later, part, predicates: [] }, key, ['change']);
}

export const MEASURE_OPERATORS: Record<string, Operation> = {
  count: ({ t, m }) => (m ? { ...cast<Measure>(m), features: ['metric', 'count'] } : createCountMeasure(cast(t))),
  // The name "total sales" means the sum of sales.
  countAll: ({ t }, _, nameLookup) =>
    nameLookup.isAmount(cast<Entities>(t).text) ? null : createCountMeasure(cast(t)),
  distinct: ({ f }) => createMeasure({ is: 'distinct', field: cast(f), predicates: [] }, f!.key, ['count']),
  addedUp: ({ f }) => createSum(cast(f)),
  running: ({ m, t }) => {
    const measureTerm = m ? cast<Measure>(m) : createCountMeasure(cast(t));
    return isPlainMeasure(measureTerm)
      ? createMeasure({ is: 'running', of: measureTerm, predicates: [] }, measureTerm.key, ['running'])
      : null;
  },
  aggregate: ({ a, f }) => createAggregate(cast(a), cast(f)),
  latestDate: ({ r, f }) => {
    const fn = cast<Word>(r).value === 'desc' ? 'max' : 'min';
    return createMeasure({ is: 'aggregate', fn, field: cast(f), predicates: [] }, `${fn} ${f!.key}`, ['aggregate']);
  },
  // The phrase "average price per ride" means the average over all rides.
  meanOfRows: ({ m, t }) => {
    const of = hasFeature(t!, 'rows') ? withOwnerRows(cast(m), cast(t)) : null;
    return of && { ...of, ofRows: true, key: `${of.key} itself` };
  },
  measureOf: ({ m, t }) => withOwnerRows(cast(m), cast(t)),
  sameMeasure: ({ m }) => cast<Measure>(m),
  /** A single row can't have an explicit total. */
  totalMeasure: ({ m }) => {
    const of = cast<Measure>(m);
    return of.is === 'metric' ? { ...of, called: undefined } : of;
  },
  restricted: ({ m, c }) => {
    const measureTerm = cast<Measure>(m);
    const appliedMeasure = measureTerm.is === 'combined' ? applyToBothSides(measureTerm, cast(c)) : null;
    if (appliedMeasure) return appliedMeasure;
    return measureTerm.is === 'share' ||
      measureTerm.is === 'change' ||
      hasFeature(c!, 'total') ||
      hasFeature(measureTerm, 'thing') ||
      (hasOwnPredicates(measureTerm) && (measureTerm.is === 'combined' || !hasFeature(c!, 'period')))
      ? null
      : restrictMeasure(measureTerm, [cast(c)]);
  },
  ratio: ({ a, b }) => combine('ratio', toMeasure(a!), toMeasure(b!)),
  perOne: ({ a, b }) => (hasFeature(b!, 'thing') || a!.key === b!.key ? null : combine('ratio', cast(a), cast(b))),
  shareOfThings: ({ w, t }) => {
    const of = cast<Entities>(t);
    const last = of.predicates.at(-1);
    return last && of.predicates.length === 1 && !hasFeature(last, 'period')
      ? createPartMeasure(createCountMeasure({ ...of, predicates: [] }), [last], isPercent(w))
      : null;
  },
  shareOfValue: ({ w, m, c, v }) => {
    const where = c ? cast<Predicate>(c) : hasFeature(v!, 'quoted') ? null : createValuePredicate(cast(v), '');
    const of = cast<Measure>(m);
    return where &&
      of.is !== 'part' &&
      of.predicates.length === 0 &&
      !hasFeature(where, 'period') &&
      !hasFeature(of, 'thing')
      ? createPartMeasure(of, [where], isPercent(w))
      : null;
  },
  averagedOver: ({ a, m, g }, takes) => {
    const [fn, of] = [cast<Word>(a).value, cast<Measure>(m)];
    if (fn === 'sum' || (of.is === 'aggregate' && !takes['each']) || of.is === 'averaged' || of.is === 'part')
      return null;
    return createMeasure(
      { is: 'averaged', fn: fn as 'avg', of, over: cast<Group>(g), predicates: [] },
      `${fn} ${of.key} ${g!.key}`,
      ['averaged'],
    );
  },
  growthBetween: ({ m, p }) => createChange(cast(m), cast(p), 'percent'),
  difference: ({ a, b }) => combine('difference', cast(a), cast(b)),
  growth: ({ m }) => createGrowth(cast(m)),
};
