// Finds which parts of a plan the words of its question name.

import type { Lens } from '../../lens/model/lens.ts';
import {
  createEmptyPlan,
  type Grouping,
  isGroupMeasure,
  type LensPlan,
  listBaseMeasures,
  listHiddenMeasures,
  getRowsPath as rowsMeasured,
} from '../../plan/lens-plan.ts';
import type { WordHypothesis } from '../hypotheses/word-hypothesis.ts';
import { type CountSubject, findCountSubject, listRowFilters, type RowFilters } from './plan-parts.ts';
import { findNamesBefore, type ParsedSentence, type RestrictingWord } from './sentence.ts';

export interface PlanContext {
  lens: Lens;
  plan: LensPlan;
  sentence: ParsedSentence;
  countSubject: CountSubject;
  rowFilters: readonly RowFilters[];
}
export const createPlanContext = (lens: Lens, plan: LensPlan, sentence: ParsedSentence): PlanContext => ({
  ...{ lens, plan, sentence, rowFilters: listRowFilters(plan) },
  countSubject: hasTwoMeanings(lens, plan, sentence) ? { are: 'unknown' } : findCountSubject(lens, plan),
});

/**
 * Returns true if a name has two meanings. For example, "orders" can mean rows, or the entities that a metric counts in
 * these rows.
 */
const hasTwoMeanings = (lens: Lens, plan: LensPlan, { mentions }: ParsedSentence): boolean =>
  plan.measures.length === 0 &&
  mentions.some(
    (rows) =>
      listMentionedDatasets(rows).some((dataset) => dataset === (plan.rows ?? plan.dimensions[0]?.path)) &&
      !mentions.some(({ from, to }) => from <= rows.from && rows.to <= to && to - from > rows.to - rows.from) &&
      mentions.some(
        (entityMention) =>
          entityMention.from === rows.from &&
          entityMention.to === rows.to &&
          listMentionedMetrics(entityMention).some(
            (name) =>
              findCountSubject(lens, { ...createEmptyPlan(), measures: [{ fn: 'metric', metric: name }] }).are !==
              'rows',
          ),
      ),
  );

/** Returns true if the filters restrict the rows of the answer itself. Each of these rows then meets the condition. */
export const restrictsAnswerRows = ({ countSubject }: PlanContext, { related }: RowFilters): boolean =>
  related === null && countSubject.are === 'rows';

const listMentionedFields = ({ term }: WordHypothesis): string[] =>
  (term.t === 'field' ? term.options : term.t === 'things' ? term.options.flatMap(({ by }) => by ?? []) : []).flatMap(
    ({ fields }) => fields.map(({ name }) => name),
  );
const listMentionedDatasets = ({ term }: WordHypothesis): string[] =>
  term.t === 'things' ? term.options.flatMap(({ dataset, role, by }) => (by ? [] : [role ?? dataset])) : [];
const listMentionedMetrics = ({ term }: WordHypothesis): string[] =>
  term.t === 'measure' && term.is === 'metric' ? term.metrics.map(({ name }) => name) : [];

const listGroups = ({ dimensions, measures, limit_per: perGroup }: LensPlan): readonly Partial<Grouping>[] => [
  ...dimensions,
  ...(perGroup?.by ?? []),
  ...measures.flatMap((measure) =>
    isGroupMeasure(measure)
      ? [...(measure.by ?? []), ...(measure.per ?? []).map((path) => ({ path }))]
      : ('within' in measure && measure.within) || [],
  ),
];

/**
 * Returns true if the name refers to something that the question asks for: a measure, a listed or counted entity, a
 * group or a column.
 */
export const isRequested = ({ lens, plan }: PlanContext, mention: WordHypothesis): boolean => {
  const measuredBases = [...plan.measures, ...listHiddenMeasures(plan)].flatMap(listBaseMeasures);
  const groups = listGroups(plan);
  const metrics = measuredBases.flatMap((item) => (item.fn === 'metric' ? [item.metric] : []));
  const fields = [
    ...groups.map(({ field }) => field),
    ...measuredBases.map((item) => 'field' in item && item.field.field),
  ];
  const rows = [
    ...[plan.rows, plan.every, ...(plan.per ?? []), ...groups.map(({ path }) => path)],
    ...measuredBases.map((item) => (item.fn === 'metric' ? findMetricDataset(lens, item.metric) : rowsMeasured(item))),
  ];
  return (
    listMentionedMetrics(mention).some((metric) => metrics.includes(metric)) ||
    listMentionedDatasets(mention).some((dataset) => rows.includes(dataset)) ||
    listMentionedFields(mention).some((field) => fields.includes(field))
  );
};
const findMetricDataset = ({ metrics }: Lens, metricName: string): string | null =>
  metrics.find(({ name }) => name === metricName)?.home ?? null;

/** Returns true if the restricting word comes before all names of things that the question asks for. */
export const isBeforeAllRequestedNames = ({ sentence }: PlanContext, { from }: RestrictingWord): boolean =>
  findNamesBefore(sentence, from).length === 0;
