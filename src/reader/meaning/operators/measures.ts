import {
  type AggregateFunction,
  type ComparisonOutput,
  createField,
  createMeasure,
  type EntitiesTerm,
  type FieldTerm,
  type GroupTerm,
  type MeasureTerm,
  type PeriodTerm,
  type PredicateTerm,
  type ValueTerm,
  type WordTerm,
} from '../terms.ts';
import {
  createCountMeasure,
  createValuePredicate,
  hasFeature,
  hasOwnPredicates,
  isComputedOverGroups,
  isOnNamedDate,
  isPercent,
  replaceEntityPredicates,
  replacePredicates,
  restrictMeasure,
  type TermOperator,
} from './building.ts';

/**
 * Creates the part of a measure that meets the last condition, as for a share. Any other condition restricts the whole
 * measure, and must be a period.
 */
const createPartMeasure = (
  of: MeasureTerm,
  allPredicates: readonly PredicateTerm[],
  word: WordTerm,
): MeasureTerm | null => {
  const periods = allPredicates.slice(0, -1);
  const partPredicate = allPredicates.at(-1);
  const isPeriod = (predicate: PredicateTerm): boolean => hasFeature(predicate, 'period');
  if (!partPredicate || isPeriod(partPredicate) || !periods.every(isPeriod)) return null;
  return createMeasure(
    {
      is: 'part',
      of: replacePredicates(of, []),
      where: [partPredicate],
      percent: isPercent(word),
      predicates: periods,
    },
    ['part'],
  );
};

/** Returns a key for what the condition restricts, without the values. */
const createSubjectKey = (predicate: PredicateTerm): string =>
  predicate.is === 'value'
    ? predicate.value.any
        .flatMap(({ options }) => options.map(({ dataset, field }) => `${dataset}.${field.name}`))
        .join()
    : predicate.is === 'compare'
      ? predicate.field.key
      : predicate.is;
/**
 * Combines two measures. A condition after the second measure applies only to that measure if the first measure has a
 * similar condition. Otherwise, returns null, because the condition could apply to both.
 */
const combineMeasures = (fn: 'ratio' | 'difference', left: MeasureTerm, right: MeasureTerm): MeasureTerm | null => {
  const leftSubjects = new Set(left.predicates.map(createSubjectKey));
  return right.predicates.length > left.predicates.length ||
    right.predicates.some((predicate) => !leftSubjects.has(createSubjectKey(predicate)))
    ? null
    : createMeasure({ is: 'combined', fn, left, right, predicates: [] }, ['combined']);
};

/** Applies a condition to both sides of a combined measure, unless one side already has a similar condition. */
export const applyToBothSides = (measureTerm: MeasureTerm, predicate: PredicateTerm): MeasureTerm | null => {
  if (measureTerm.is !== 'combined' || hasFeature(predicate, 'total') || hasFeature(predicate, 'has')) return null;
  const { left, right } = measureTerm;
  const subject = createSubjectKey(predicate);
  return [...left.predicates, ...right.predicates].some((other) => createSubjectKey(other) === subject)
    ? null
    : createMeasure(
        { ...measureTerm, left: restrictMeasure(left, [predicate]), right: restrictMeasure(right, [predicate]) },
        ['combined'],
      );
};

/**
 * Returns true if the measure isn't computed over groups, isn't a part of another measure, and doesn't have the name of
 * rows.
 */
const isPlainMeasure = (measureTerm: MeasureTerm): boolean =>
  !isComputedOverGroups(measureTerm) && measureTerm.is !== 'part' && !hasFeature(measureTerm, 'thing');
export const createAggregate = ({ value, features }: WordTerm, field: FieldTerm): MeasureTerm =>
  createMeasure({ is: 'aggregate', fn: value as AggregateFunction, field, predicates: [] }, [
    'aggregate',
    ...(value === 'avg' ? ['mean'] : []),
    ...features,
  ]);
/** Creates a sum for a field if the question doesn't name an aggregate. */
export const createSum = (field: FieldTerm): MeasureTerm =>
  createMeasure({ is: 'aggregate', fn: 'sum', field, unsaid: true, predicates: [] }, ['summed']);
export const addOwnerRows = (of: MeasureTerm, rows: EntitiesTerm, ofRows?: true): MeasureTerm | null => {
  if (of.is !== 'aggregate' || of.field.of || of.predicates.length > 0) return null;
  const { text, options, features } = of.field;
  const field = createField(text, options, features, replaceEntityPredicates(rows, []));
  return createMeasure({ ...of, field, ofRows, predicates: rows.predicates }, ['aggregate']);
};
export const createGrowth = (of: MeasureTerm): MeasureTerm | null =>
  isPlainMeasure(of) ? createMeasure({ is: 'change', of, predicates: [] }, ['change']) : null;
const toMeasureTerm = (term: MeasureTerm | EntitiesTerm): MeasureTerm =>
  term.t === 'things' ? createCountMeasure(term) : term;

/**
 * Creates one column of a comparison between two periods: the value in a period, or the change as an amount or a
 * percentage.
 */
export function createChange(
  of: MeasureTerm,
  { mention: { ends } }: PeriodTerm,
  part: ComparisonOutput,
): MeasureTerm | null {
  if (!isPlainMeasure(of) || !ends) return null;
  const [earlier, later] = ends;
  return createMeasure({ is: 'between', of, earlier, later, part, predicates: [] }, ['change']);
}

export const MEASURE_OPERATORS = {
  count: ({ t, m }: { t: EntitiesTerm; m?: MeasureTerm }) =>
    m ? { ...m, features: ['metric', 'count'] } : createCountMeasure(t),
  // Rejects a count of "total sales", which means the sum of sales.
  countAll: ({ t }: { t: EntitiesTerm }, _, nameLookup) => (nameLookup.isAmount(t.text) ? null : createCountMeasure(t)),
  distinct: ({ f }: { f: FieldTerm }) => createMeasure({ is: 'distinct', field: f, predicates: [] }, ['count']),
  addedUp: ({ f }: { f: FieldTerm }) => createSum(f),
  running: ({ m, t }: { m?: MeasureTerm; t: EntitiesTerm }) => {
    const of = m ?? createCountMeasure(t);
    return isPlainMeasure(of) ? createMeasure({ is: 'running', of, predicates: [] }, ['running']) : null;
  },
  aggregate: ({ a, f }: { a: WordTerm; f: FieldTerm }) => createAggregate(a, f),
  latestDate: ({ r, f }: { r: WordTerm; f: FieldTerm }) =>
    createMeasure({ is: 'aggregate', fn: r.value === 'desc' ? 'max' : 'min', field: f, predicates: [] }, ['aggregate']),
  // The phrase "average price per ride" means the average over all rides, not one average for each ride.
  meanOfRows: ({ m, t }: { m: MeasureTerm; t: EntitiesTerm }) =>
    hasFeature(t, 'rows') ? addOwnerRows(m, t, true) : null,
  measureOf: ({ m, t }: { m: MeasureTerm; t: EntitiesTerm }) => addOwnerRows(m, t),
  sameMeasure: ({ m }: { m: MeasureTerm }) => m,
  /** After "total", a name means the metric and not a field of each row. */
  totalMeasure: ({ m }: { m: MeasureTerm }) => (m.is === 'metric' ? { ...m, called: undefined } : m),
  restricted: ({ m, c }: { m: MeasureTerm; c: PredicateTerm }) =>
    applyToBothSides(m, c) ??
    (m.is === 'share' ||
    m.is === 'change' ||
    hasFeature(c, 'total') ||
    hasFeature(m, 'thing') ||
    (hasOwnPredicates(m) && (m.is === 'combined' || !hasFeature(c, 'period') || isOnNamedDate(c)))
      ? null
      : restrictMeasure(m, [c])),
  ratio: ({ a, b }: Record<'a' | 'b', MeasureTerm | EntitiesTerm>) =>
    combineMeasures('ratio', toMeasureTerm(a), toMeasureTerm(b)),
  perOne: ({ a, b }: Record<'a' | 'b', MeasureTerm>) =>
    hasFeature(b, 'thing') || a.key === b.key ? null : combineMeasures('ratio', a, b),
  shareOfThings: ({ w, t }: { w: WordTerm; t: EntitiesTerm }) =>
    createPartMeasure(createCountMeasure(t), t.predicates, w),
  shareOfValue: ({ w, m, c, v }: { w: WordTerm; m: MeasureTerm; c?: PredicateTerm; v: ValueTerm }) => {
    const where = c ?? (hasFeature(v, 'quoted') ? null : createValuePredicate(v, ''));
    return where && m.is !== 'part' && !hasFeature(m, 'thing')
      ? createPartMeasure(m, [...m.predicates, where], w)
      : null;
  },
  averagedOver: ({ a: { value: fn }, m: of, g: over }: { a: WordTerm; m: MeasureTerm; g: GroupTerm }, takes) =>
    fn === 'sum' || (of.is === 'aggregate' && !takes['each']) || of.is === 'averaged' || of.is === 'part'
      ? null
      : createMeasure({ is: 'averaged', fn: fn as 'avg', of, over, predicates: [] }, ['averaged']),
  growthBetween: ({ m, p }: { m: MeasureTerm; p: PeriodTerm }) => createChange(m, p, 'percent'),
  difference: ({ a, b }: Record<'a' | 'b', MeasureTerm>) => combineMeasures('difference', a, b),
  growth: ({ m }: { m: MeasureTerm }) => createGrowth(m),
} satisfies Record<string, TermOperator>;
