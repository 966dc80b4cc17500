// The position of a word in its question, relative to the plan.

import type { Lens } from '../../lens/model/lens.ts';
import {
  basesOf,
  emptyPlan,
  type FieldRef,
  type Grouping,
  hiddenMeasures,
  isOverGroups,
  type LensPlan,
  rowsOf as rowsMeasured,
} from '../../plan/lens-plan.ts';
import type { Leaf } from '../lattice/leaf.ts';
import type { FieldCandidate } from '../meaning/terms.ts';
import { type Counted, countedBy, type RowFilters, rowsOf } from './plan-parts.ts';
import { namesBefore, type RestrictingWord, type Sentence } from './sentence.ts';

export interface PlanContext {
  lens: Lens;
  plan: LensPlan;
  sentence: Sentence;
  counted: Counted;
  rows: readonly RowFilters[];
}
export const planContextOf = (lens: Lens, plan: LensPlan, sentence: Sentence): PlanContext => ({
  ...{ lens, plan, sentence, rows: rowsOf(plan) },
  counted: isOfTwoNames(lens, plan, sentence) ? { are: 'unknown' } : countedBy(lens, plan),
});

/** "orders" if the rows have that name and a metric counts things with several of these rows. */
const isOfTwoNames = (lens: Lens, plan: LensPlan, { mentions }: Sentence): boolean =>
  plan.measures.length === 0 &&
  mentions.some(
    (rows) =>
      datasetsOf(rows).some((one) => one === (plan.rows ?? plan.dimensions[0]?.path)) &&
      !mentions.some(({ from, to }) => from <= rows.from && rows.to <= to && to - from > rows.to - rows.from) &&
      mentions.some(
        (things) =>
          things.from === rows.from &&
          things.to === rows.to &&
          metricsOf(things).some(
            (name) => countedBy(lens, { ...emptyPlan(), measures: [{ fn: 'metric', metric: name }] }).are !== 'rows',
          ),
      ),
  );

/** The rows of the answer itself: a condition applies to each. */
export const isPerRow = ({ counted }: PlanContext, { related }: RowFilters): boolean =>
  related === null && counted.are === 'rows';

const groupings = ({
  dimensions,
  measures,
  limit_per: perGroup,
}: LensPlan): readonly Partial<Grouping & FieldRef>[] => [
  ...dimensions,
  ...(perGroup?.by ?? []),
  ...measures.flatMap((one) =>
    isOverGroups(one)
      ? [...(one.by ?? []), ...(one.per ?? []).map((path) => ({ path }))]
      : ('within' in one && one.within) || [],
  ),
];
const fieldsOf = ({ term }: Leaf): FieldCandidate[] =>
  term.t === 'field' ? [...term.options] : term.t === 'things' ? term.options.flatMap(({ by }) => by ?? []) : [];
const datasetsOf = ({ term }: Leaf): string[] =>
  term.t === 'things' ? term.options.flatMap(({ dataset, role, by }) => (by ? [] : [role ?? dataset])) : [];

/** A group, or a shown column. */
export const isGrouped = ({ plan }: PlanContext, mention: Leaf): boolean =>
  groupings(plan).some(
    ({ path, field }) =>
      fieldsOf(mention).some(({ fields }) => fields.some(({ name }) => name === field)) ||
      datasetsOf(mention).includes(path ?? ''),
  ) || datasetsOf(mention).some((one) => plan.per?.includes(one) || plan.every === one);

const metricsOf = ({ term }: Leaf): string[] =>
  term.t === 'measure' && term.is === 'metric' ? term.metrics.map(({ name }) => name) : [];
const homesOf = ({ lens, plan }: PlanContext): string[] => [
  ...(plan.rows ? [plan.rows] : []),
  ...(plan.measures.length === 0 ? plan.dimensions.map(({ path }) => path) : []),
  ...bases(plan).flatMap((one) =>
    one.fn === 'metric' ? (lens.metrics.find(({ name }) => name === one.metric)?.home ?? []) : [rowsMeasured(one)],
  ),
];
const bases = (plan: Pick<LensPlan, 'measures' | 'order_by'>) =>
  [...plan.measures, ...hiddenMeasures(plan)].flatMap(basesOf);

/** The requested part: a measure, the listed or counted things, or their shown columns. */
export const isRequested = (place: PlanContext, mention: Leaf): boolean => {
  const measured = bases(place.plan);
  return (
    metricsOf(mention).some((name) => measured.some((one) => one.fn === 'metric' && one.metric === name)) ||
    datasetsOf(mention).some((one) => homesOf(place).includes(one)) ||
    fieldsOf(mention).some(({ fields }) =>
      fields.some(({ name }) => measured.some((one) => 'field' in one && one.field.field === name)),
    ) ||
    isGrouped(place, mention)
  );
};

/** The word comes first in the question, before everything it asks about. */
export const isFirst = ({ sentence }: PlanContext, { from }: RestrictingWord): boolean =>
  namesBefore(sentence, from).length === 0;
/** "revenue of all …", "the names and ages for every …": only requested columns come before it. */
export const isOfRequested = (place: PlanContext, { from }: RestrictingWord): boolean => {
  const { sentence, counted } = place;
  if (!BELONGING_WORD.test(sentence.tokens[from - 1]?.norm ?? '')) return false;
  const before = namesBefore(sentence, from);
  if (before.some(({ cat }) => cat === 'value')) return false;
  if (counted.are === 'rows' && before.every((one) => before.some((other) => isShown(other) && overlap(one, other))))
    return true;
  return sentence.tokens[from - 1]!.norm === 'of' && before.every((one) => isRequested(place, one));
};
const BELONGING_WORD = /^(?:of|for|among|from|across)$/;
const isShown = ({ cat }: Leaf): boolean => cat === 'field' || cat === 'measure';
const overlap = (one: Leaf, other: Leaf): boolean => one.from < other.to && other.from < one.to;
