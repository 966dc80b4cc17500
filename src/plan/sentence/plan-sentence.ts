// Writes any plan as a sentence: "Revenue by region, where category is Furniture, ordered by revenue descending."

import { toPlural } from '../../lens/model/singular.ts';
import type { Filter, LensPlan } from '../lens-plan.ts';
import { filtersWords, filterWords, joinList } from './filter-words.ts';
import { groupingWords } from './grouping-words.ts';
import { havingWords, mainDatasetOf, measuresWords, measureWords } from './measure-words.ts';
import type { Names } from './names.ts';

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Replaces the plan's period with filters. */
export const periodAsFilters = ({ time, ...plan }: LensPlan): LensPlan => {
  const boundFilters = (op: '>=' | '<', value: string): Filter[] =>
    time ? [{ field: time.field, op, values: [value] }] : [];
  return {
    ...plan,
    time: null,
    filters: [...boundFilters('>=', time?.from ?? ''), ...boundFilters('<', time?.to ?? ''), ...plan.filters],
  };
};

/** The parts of a sentence about a plan: values, filters, order and limit. */
export interface SentenceParts {
  subject: string;
  conditions: string[];
  rows: string[];
}

export function planSentence(names: Names, plan: LensPlan): string {
  const mainDataset = mainDatasetOfPlan(names, plan);
  const conditions = filtersWords(names, periodAsFilters(plan).filters, mainDataset);
  const having = plan.having.map((item) => havingWords(names, item)).join(' and ');
  const parts = [
    [subjectOf(names, plan), conditions, having].filter(Boolean).join(' '),
    ...rowWords(names, plan),
    ...orderAndLimitWords(names, plan),
  ];
  return `${parts.join(', ')}.`;
}
const mainDatasetOfPlan = (names: Names, { measures: [measure], rows = '' }: LensPlan): string =>
  measure ? mainDatasetOf(names, measure) : rows;

/** The parts of the sentence in an answer, with labels: "region: West", "order date: 2016". */
export function answerParts(names: Names, plan: LensPlan): SentenceParts {
  const { time } = plan;
  const year = time?.from.slice(0, 4);
  const isYear = time?.from === `${year}-01-01` && time.to === `${Number(year) + 1}-01-01`;
  const timeLabels = time ? [`${names.field(time.field)}: ${isYear ? year : `${time.from} up to ${time.to}`}`] : [];
  const having = plan.having.map((item) => havingWords(names, item));
  return {
    subject: subjectOf(names, plan),
    conditions: [...plan.filters.map((filter) => labelWords(names, filter)), ...having, ...timeLabels],
    rows: orderAndLimitWords(names, plan),
  };
}
const labelWords = (names: Names, filter: Filter): string =>
  'field' in filter && (filter.op === '=' || filter.op === 'in') && !filter.than && !filter.other && !filter.or_null
    ? filterWords(names, filter).replace(/ is /, ': ')
    : filterWords(names, filter);

/** What each row of the result represents, if equal values can repeat. */
const rowWords = (names: Names, { measures, distinct, grouped, rows, per = [] }: LensPlan): string[] => {
  if (measures.length === 0 && rows && !distinct && !grouped) return [`one row per ${names.singular(rows)}`];
  return per.length > 0 ? [`separately for each ${joinList(per.map(names.singular))}`] : [];
};

const subjectOf = (names: Names, { measures, dimensions, distinct, every }: LensPlan): string => {
  const groups = joinList(dimensions.map((dimension) => groupingWords(names, dimension)));
  if (measures.length === 0) return capitalize(distinct ? `list of ${toPlural(groups)}` : groups);
  const periodText =
    every &&
    (typeof every === 'string' ? ` for every ${names.singular(every)}` : ` for every ${every.grain} of the period`);
  return capitalize(`${measuresWords(names, measures)}${groups && ` by ${groups}`}${periodText ?? ''}`);
};

function orderAndLimitWords(names: Names, { order_by: order, limit, limit_per: per, offset = 0 }: LensPlan): string[] {
  const parts: string[] = [];
  const orderTexts = order.map(
    ({ field, measure, direction, nulls }) =>
      `${field ? names.field(field) : measureWords(names, measure)}${direction === 'desc' ? ' descending' : ''}${nulls ? ', missing values first' : ''}`,
  );
  if (orderTexts.length > 0) parts.push(`ordered by ${joinList(orderTexts)}`);
  if (per) {
    const groupText = joinList(per.by.map((item) => groupingWords(names, item)));
    parts.push(`first ${per.rows} of each ${groupText}${per.ties ? ', including ties with the last' : ''}`);
  }
  if (limit === null) return offset ? [...parts, `from number ${offset + 1} on`] : parts;
  if (!offset) return [...parts, `first ${limit}`];
  return [
    ...parts,
    limit === 1 ? `only number ${offset + 1} of these` : `numbers ${offset + 1} to ${offset + limit} of these`,
  ];
}
