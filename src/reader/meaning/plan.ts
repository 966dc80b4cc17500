// Converts a complete query term to a plan, in which every name is resolved.

import type { LensPlan } from '../../plan/lens-plan.ts';
import { isSameGrouping } from '../../plan/sql/dimension.ts';
import { isMeasureCondition } from './conditions.ts';
import { createEntityGroupPlan, isLowerBoundCount, toRowCountCondition } from './entity-group-plan.ts';
import { addGroup, type GroupBuilder } from './groups.ts';
import { createListingPlan } from './listing.ts';
import { resolveMainDataset } from './main-dataset.ts';
import { createMeasurePlan } from './measure-plan.ts';
import { type NameResolution, rejectInterpretation } from './name-resolution.ts';
import { addPeriodDoubts } from './period-doubts.ts';
import { applyComparisonsToSingleRows, describeAmbiguousNumber, describeRowAmbiguity } from './several-rows.ts';
import { createField, createQuery, type GroupTerm, type MeasureTerm, type QueryTerm } from './terms.ts';
import { addVerbDoubts } from './verb-doubts.ts';

export function createPlan(s: NameResolution, q: QueryTerm): LensPlan {
  const singleRowQuery = applyComparisonsToSingleRows(s, q);
  const plan = q.perGroup
    ? createLimitPerGroupPlan(s, singleRowQuery ?? q, q.perGroup)
    : createFullPlan(s, singleRowQuery ?? q);
  addPeriodDoubts(s, q, plan);
  addVerbDoubts(s, plan);
  s.declinedReason = singleRowQuery ? describeAmbiguousNumber(q) : describeRowAmbiguity(s, q);
  return plan;
}

function createLimitPerGroupPlan(s: NameResolution, q: QueryTerm, groupTerm: GroupTerm): LensPlan {
  const fullPlan = createFullPlan(s, createQuery({ ...q, perGroup: null, limit: null }, q.features));
  const builder: GroupBuilder = { home: fullPlan.rows ?? findMainDatasetOfQuery(s, q), dimensions: [], keys: [] };
  addGroup(s, builder, groupTerm, null);
  // The answer shows the keys of ranked rows, because rows with the same name have separate rankings.
  for (const path of builder.keys) {
    const { primaryKey, fields } = s.dataset(path);
    if (fields.some(({ name, masked }) => masked && primaryKey.includes(name)))
      s.addDoubt('Rows with the same name are combined.');
    else builder.dimensions.push(...primaryKey.map((field) => ({ path, field })));
  }
  const innerDimensions = fullPlan.dimensions.filter(
    (dimension) =>
      !builder.dimensions.some(
        ({ path, field, grain }) => path === dimension.path && field === dimension.field && grain === dimension.grain,
      ),
  );
  if (innerDimensions.length === 0 || builder.dimensions.some((dimension) => dimension.through))
    rejectInterpretation('each group has only one row, so there is no ranking');
  // The question "the first 5 orders by order date" doesn't ask for the first 5 orders of each day.
  if (fullPlan.order_by.some(({ field }) => field && builder.dimensions.some((group) => isSameGrouping(group, field))))
    rejectInterpretation('the order does not distinguish rows of the same group');
  return {
    ...fullPlan,
    dimensions: [...builder.dimensions, ...innerDimensions],
    limit_per: { by: builder.dimensions, rows: q.limit! },
  };
}
const findMainDatasetOfQuery = (s: NameResolution, q: QueryTerm): string => {
  const [measure] = q.shown.filter((item): item is MeasureTerm => item.t === 'measure');
  const targetDatasets = (q.things?.options ?? []).filter(({ by }) => !by).map(({ dataset }) => dataset);
  const { home, distinctOf, through } = resolveMainDataset(s, measure!, targetDatasets.slice(0, 1));
  return distinctOf || through
    ? rejectInterpretation("a ranking within groups can't count the rows of a linking dataset")
    : home;
};

/**
 * Lists rows instead of distinct names. For example, if the rows have titles, "title and release year" has one row for
 * each title in the table.
 */
const listRowsInsteadOfNames = (s: NameResolution, q: QueryTerm): QueryTerm => {
  const [option, second] = q.things?.options ?? [];
  const identity = option?.by;
  if (
    !q.things ||
    !identity ||
    identity.role ||
    second ||
    identity.dataset !== option.dataset ||
    identity.fields.length > 1
  )
    return q;
  const isRanked = q.order.some((item) => item.by?.t === 'field');
  if (!(isRanked || q.shown.some(({ t }) => t === 'field')) || q.shown.some(({ t }) => t === 'measure')) return q;
  if (!s.vocabulary.displayFieldsOf(identity.dataset).includes(identity.fields[0]!)) return q;
  const nameField = createField(q.things.text, [identity]);
  return createQuery(
    { ...q, things: { ...q.things, options: [{ dataset: identity.dataset }] }, shown: [nameField, ...q.shown] },
    q.features,
  );
};

function createFullPlan(s: NameResolution, query: QueryTerm): LensPlan {
  const q = listRowsInsteadOfNames(s, query);
  const measures = q.shown.filter((item): item is MeasureTerm => item.t === 'measure');
  // The question "customers and revenue by state" could ask for two separate results, or for both measures by state.
  if (q.things && q.groups.length > 0) rejectInterpretation('the question could be asking for one result or for two');
  if (q.things?.options.every(({ by }) => by) && q.things.predicates.some(isLowerBoundCount))
    return createEntityGroupPlan(
      s,
      q,
      { ...q.things, predicates: q.things.predicates.map((predicate) => toRowCountCondition(s, predicate)) },
      measures,
    );
  const isRanked = q.order.some(({ by }) => by?.t === 'measure');
  if (
    q.things &&
    measures.length === 0 &&
    !isRanked &&
    !q.predicates.some(isMeasureCondition) &&
    !q.things.predicates.some(isMeasureCondition)
  )
    return createListingPlan(s, q, q.things);
  if (q.things) return createEntityGroupPlan(s, q, q.things, measures);
  return createMeasurePlan(s, q, measures);
}
