// Writes any plan as a sentence: "Revenue by region, where category is Furniture, ordered by revenue descending."

import { toPlural } from '../../lens/model/singular.ts';
import { type Filter, type LensPlan, listNestedMeasures } from '../lens-plan.ts';
import { isDateOrPeriod, isSameGrouping } from '../sql/dimension.ts';
import { describeFilter, describeFilters, joinList } from './filter-words.ts';
import { describeGrouping } from './grouping-words.ts';
import { findMainDataset, writeClosedMeasure, writeHaving, writeMeasures } from './measure-words.ts';
import { type SentenceNames, withNamedDates } from './names.ts';

/** Capitalizes the first word, also in parentheses. */
export const capitalize = (text: string): string => text.replace(/^\(*./, (start) => start.toUpperCase());

/** Replaces the plan's period with filters. */
export const replacePeriodWithFilters = ({ time, ...plan }: LensPlan): LensPlan => {
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

export function writePlanSentence(plainNames: SentenceNames, plan: LensPlan): string {
  const names = withNamedDates(plainNames, plan);
  const mainDataset = findMainDatasetOfPlan(names, plan);
  const conditions = describeFilters(names, replacePeriodWithFilters(plan).filters, mainDataset);
  const having = plan.having.map((item) => writeHaving(names, item)).join(' and ');
  const isRestricted = conditions !== '' || having !== '';
  const parts = [
    [writeSubject(names, plan, isRestricted), conditions, having].filter(Boolean).join(' '),
    ...describeRows(names, plan),
    ...describeOrderAndLimit(names, plan),
  ];
  return `${parts.join(', ')}.`;
}
const findMainDatasetOfPlan = (names: SentenceNames, { measures: [measure], rows = '' }: LensPlan): string =>
  measure ? findMainDataset(names, measure) : rows;

/** The parts of the sentence in an answer, with labels: "region: West", "order date: 2016". */
export function writeAnswerParts(plainNames: SentenceNames, plan: LensPlan): SentenceParts {
  const names = withNamedDates(plainNames, plan);
  const { time } = plan;
  const year = time?.from.slice(0, 4);
  const isYear = time?.from === `${year}-01-01` && time.to === `${Number(year) + 1}-01-01`;
  const timeLabels = time ? [`${names.field(time.field)}: ${isYear ? year : `${time.from} up to ${time.to}`}`] : [];
  const having = plan.having.map((item) => writeHaving(names, item));
  return {
    subject: writeSubject(names, plan, false),
    conditions: [...plan.filters.map((filter) => writeLabel(names, filter)), ...having, ...timeLabels],
    rows: describeOrderAndLimit(names, plan),
  };
}
const writeLabel = (names: SentenceNames, filter: Filter): string =>
  'field' in filter && (filter.op === '=' || filter.op === 'in') && !filter.than && !filter.other && !filter.or_null
    ? describeFilter(names, filter).replace(/ is /, ': ')
    : describeFilter(names, filter);

/** Describes what each row of the result represents, if equal values can appear in several rows. */
const describeRows = (names: SentenceNames, plan: LensPlan): string[] => {
  const { measures, distinct, grouped, rows, per = [] } = plan;
  if (measures.length === 0 && rows && !distinct && !grouped) return [`one row per ${names.singular(rows)}`];
  if (per.length === 0) return [];
  // A rank or a total covers all groups, but a running total is separate for each entity.
  const coversAllGroups = listNestedMeasures(plan).some(({ fn }) => /^(?:share_of_total|rank|groups_\w+)$/.test(fn));
  return [`${coversAllGroups ? 'in separate rows' : 'separately'} for each ${joinList(per.map(names.singular))}`];
};

const writeSubject = (
  names: SentenceNames,
  { measures, dimensions, distinct, every, rows }: LensPlan,
  isRestricted: boolean,
): string => {
  const groups = joinList(dimensions.map((dimension) => describeGrouping(names, dimension)));
  if (measures.length === 0) {
    const ofRows = rows && dimensions.some(({ path }) => path !== rows) ? ` of ${names.plural(rows)}` : '';
    return capitalize(distinct ? `list of ${toPlural(groups)}${ofRows}` : groups);
  }
  const periodText =
    every &&
    (typeof every === 'string' ? ` for every ${names.singular(every)}` : ` for every ${every.grain} of the period`);
  const measureText = writeMeasures(names, measures, {
    conditions: isRestricted,
    groups: groups !== '',
  });
  return capitalize(`${measureText}${groups && ` by ${groups}`}${periodText ?? ''}`);
};

/** Describes the order in which `limit_per` takes the rows if the plan has no `order_by`. */
function describeDefaultOrder(
  names: SentenceNames,
  { measures: [measure], dimensions, limit_per: groupLimit }: LensPlan,
): string[] {
  const by = groupLimit?.by ?? [];
  const rest = dimensions.filter((dimension) => !by.some((item) => isSameGrouping(item, dimension)));
  const date = rest.find((dimension) => isDateOrPeriod(names.lens, dimension));
  if (measure && (groupLimit || !date))
    return [`${writeClosedMeasure(names, measure)}${measure.fn === 'rank' ? '' : ' descending'}`];
  const first = date ?? rest[0];
  return first ? [describeGrouping(names, first)] : [];
}

function describeOrderAndLimit(names: SentenceNames, plan: LensPlan): string[] {
  const { order_by: order, limit, limit_per: per, offset = 0 } = plan;
  const parts: string[] = [];
  const orderTexts = order.map(
    ({ field, measure, direction, nulls }) =>
      `${field ? names.field(field) : writeClosedMeasure(names, measure)}${direction === 'desc' ? ' descending' : ''}${nulls ? ', missing values first' : ''}`,
  );
  const isGroupLimit = limit !== null && plan.measures.length > 0 && plan.dimensions.length > 0;
  if ((per || isGroupLimit) && order.length === 0) orderTexts.push(...describeDefaultOrder(names, plan));
  if (orderTexts.length > 0) parts.push(`ordered by ${joinList(orderTexts)}`);
  if (per) {
    const groupText = joinList(per.by.map((item) => describeGrouping(names, item)));
    parts.push(`first ${per.rows} of each ${groupText}${per.ties ? ', including ties with the last' : ''}`);
  }
  if (limit === null) return offset ? [...parts, `from number ${offset + 1} on`] : parts;
  if (!offset) return [...parts, `first ${limit}`];
  return [
    ...parts,
    limit === 1 ? `only number ${offset + 1} of these` : `numbers ${offset + 1} to ${offset + limit} of these`,
  ];
}
