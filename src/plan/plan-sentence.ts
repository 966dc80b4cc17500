// A plan as a sentence: "Revenue, where region is West, order date in 2016."

import { datasetOfPath } from '../lens/model/join-paths.ts';
import { findField, type Lens } from '../lens/model/lens.ts';
import { countsOf, relatedPath } from './filters.ts';
import {
  type Aggregate,
  type Base,
  type Condition,
  type CountGroups,
  type FieldRef,
  type Filter,
  type Grouping,
  type Having,
  isAggregate,
  isBase,
  isOverGroups,
  type LensPlan,
  type Measure,
  type MetricUse,
  type Operator,
  type OverGroups,
  type TimeWindow,
  type Windowed,
} from './lens-plan.ts';
import { valueWords } from './sql/row-value.ts';

const plain = (name: string): string => name.replaceAll('_', ' ');
const fieldWords = ({ path, field, grain }: FieldRef, lens?: Lens): string => {
  // The field alone, if no other dataset or role can be meant.
  const owners = lens?.datasets.filter((dataset) => dataset.fields.some(({ name }) => name === field)).length ?? 1;
  const role = lens?.relationships.some((one) => one.role === path && one.named) ?? false;
  const words = owners > 1 || role ? `${plain(path)} ${plain(field)}` : plain(field);
  return grain ? `${words} (${grain})` : words;
};

const OPERATOR: Record<Operator, string> = {
  '=': 'is',
  '!=': 'is not',
  in: 'is one of',
  not_in: 'is none of',
  '>': 'is above',
  '>=': 'is at least',
  '<': 'is below',
  '<=': 'is at most',
  between: 'is between',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_null: 'is missing',
  is_not_null: 'is given',
};
const FUNCTION: Record<Aggregate['fn'], string> = {
  count: 'number',
  count_distinct: 'number of distinct',
  sum: 'sum',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  median: 'median',
};
const list = (items: string[], word: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;

function baseWords(measure: MetricUse | Aggregate, lens?: Lens): string {
  if (measure.fn === 'metric') return plain(measure.metric);
  if ('rows' in measure) return `number of ${plain(measure.rows)}`;
  const { fn } = measure;
  const { path, field } = measure.field;
  const of = fieldWords({ path, field }, lens);
  const dataset = lens && datasetOfPath(lens, path);
  const datatype = dataset && findField(dataset, field)?.datatype;
  if (datatype?.startsWith('date') && (fn === 'max' || fn === 'min'))
    return `${fn === 'max' ? 'latest' : 'earliest'} ${of}`;
  return fn === 'count' ? `number of ${of} values` : fn === 'sum' ? `sum of ${of}` : `${FUNCTION[fn]} ${of}`;
}
export function measureWords(measure: Measure, lens?: Lens): string {
  const own = (of: Measure): string => measureWords(of, lens);
  const all = (filters: Filter[]): string => filters.map((one) => filterWords(one, lens)).join(' and ');
  const sides = (measure: Measure): string =>
    !isBase(measure) && (Array.isArray(measure.of) || isOverGroups(measure)) ? `(${own(measure)})` : own(measure);
  if (isBase(measure)) {
    const words = ofRowsWords(measure, lens);
    return measure.where?.length ? `${words} where ${all(measure.where)}` : words;
  }
  switch (measure.fn) {
    case 'ratio':
    case 'difference':
    case 'total': {
      const word = { ratio: 'divided by', difference: 'minus', total: 'plus' }[measure.fn];
      return `${measure.of.map(sides).join(` ${word} `)}${measure.percent ? ' in percent' : ''}`;
    }
    case 'product':
    case 'quotient':
      return `${sides(measure.of)} ${measure.fn === 'quotient' ? 'divided by' : 'times'} ${measure.by}`;
    case 'round':
      return `${sides(measure.of)} rounded to ${measure.digits} decimal place${measure.digits === 1 ? '' : 's'}`;
    case 'or_zero':
      return `${sides(measure.of)} or 0`;
    case 'share':
      return `${own(measure.of)} where ${all(measure.where)} as a ${measure.percent ? 'percentage' : 'share'} of all ${own(measure.of)}`;
    case 'over_groups':
    case 'count_groups':
      return groupsWords(measure, lens);
    case 'change': {
      const of = `${measure.percent ? 'percent change' : 'change'} of ${own(measure.of)}`;
      return measure.from
        ? `${of} from ${periodWords(measure.from)} to ${periodWords(measure.to)} (${fieldWords(measure.to.field, lens)})`
        : `${of} from the previous period`;
    }
    default:
      return windowWords(measure, lens);
  }
}

function ofRowsWords(measure: Base, lens?: Lens): string {
  if (measure.fn === 'metric' || isAggregate(measure)) return baseWords(measure, lens);
  if (measure.fn === 'list')
    return `list of ${measure.distinct ? 'distinct ' : ''}${fieldWords(measure.field, lens)}${measure.separator === ', ' ? '' : ` joined by "${measure.separator}"`}`;
  return `${FUNCTION[measure.fn]} of (${valueWords(measure.value, (ref) => fieldWords(ref, lens))})`;
}

function groupsWords(measure: OverGroups | CountGroups, lens?: Lens): string {
  const { of, by = [], per = [], having = [], every } = measure;
  const groups = list(
    [...by.map((one) => one.as ?? groupingWords(one, lens)), ...per.map((one) => `of the ${plain(one)}`)],
    'and',
  );
  const kept = having.length > 0 ? ` whose ${having.map((one) => havingWords(one, lens)).join(' and ')}` : '';
  const all = typeof every === 'object' ? ` for every ${every.grain} of the period` : '';
  if (measure.fn === 'count_groups')
    return `number of groups (each ${groups})${all}${kept || (all ? '' : ' that have any')}`;
  return `${FUNCTION[measure.take]} of ${measureWords(of, lens)} over each ${groups}${all}${kept || (every ? '' : ' that has any')}`;
}

function windowWords(measure: Windowed, lens?: Lens): string {
  const measured = measureWords(measure.of, lens);
  const within = ('within' in measure && measure.within) || [];
  const among =
    within.length > 0
      ? ` within each ${list(
          within.map((one) => groupingWords(one, lens)),
          'and',
        )}`
      : '';
  const said = {
    share_of_total: `${'percent' in measure && measure.percent ? 'percentage' : 'share'} of total ${measured}`,
    running_total: `running total of ${measured}`,
    change: '',
    rank: `rank by ${measured}${measure.fn === 'rank' && measure.direction === 'asc' ? ', the lowest first' : ''}`,
    groups_avg: `average of ${measured} over these groups`,
    groups_min: `lowest ${measured} of these groups`,
    groups_max: `highest ${measured} of these groups`,
    groups_sum: `sum of ${measured} over these groups`,
  };
  return `${said[measure.fn]}${among}`;
}

export const groupingWords = (ref: Grouping, lens?: Lens): string => {
  if (ref.when)
    return `${plain(ref.as ?? ref.field)} (${ref.when.map((one) => filterWords(one, lens)).join(' and ')}: yes or no)`;
  const words = ref.value
    ? `${plain(ref.as ?? '')} (${valueWords(ref.value, (one) => fieldWords(one, lens))})`
    : fieldWords(ref, lens);
  const field = `${words}${ref.bin === undefined ? '' : ` in steps of ${ref.bin}`}`;
  if (!ref.through) return field;
  const where = (ref.where ?? []).map((one) => filterWords(one, lens)).join(' and ');
  return `each ${field} (through ${plain(ref.through)}${where ? ` where ${where}` : ''})`;
};

const havingWords = ({ measure, op, values, than }: Having, lens?: Lens): string =>
  `${measureWords(measure, lens)} ${OPERATOR[op]} ${than ? `the ${measureWords(than, lens)}` : list(values.map(String), 'and')}`;

/** "2016", "2016-03", or from and up to. */
function periodWords({ from, to }: TimeWindow): string {
  const [year, month] = [from.slice(0, 4), from.slice(0, 7)];
  if (from === `${year}-01-01` && to === `${Number(year) + 1}-01-01`) return year;
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return from === `${month}-01` && to === next.toISOString().slice(0, 10) ? month : `${from} up to ${to}`;
}

export function filterWords(filter: Filter, lens?: Lens): string {
  const all = (filters: Filter[], word: string): string => filters.map((one) => filterWords(one, lens)).join(word);
  if ('field' in filter) return conditionWords(filter, lens);
  if ('not' in filter) return `not (${filterWords(filter.not, lens)})`;
  if ('any' in filter) return all(filter.any, ' or ');
  if ('all' in filter) return all(filter.all, ' and ');
  const { where = [], sharing } = filter;
  const having = where.length > 0 ? ` where ${all(where, ' and ')}` : '';
  const many = countsOf(filter).map(
    ({ op, value }) => `${{ '=': 'exactly', '>=': 'at least', '<=': 'at most' }[op]} ${value}`,
  );
  const some = 'not_exists' in filter ? 'no' : many.join(' and ') || 'some';
  return `with ${some} ${plain(relatedPath(filter))}${sharing ? ` of the same ${plain(sharing)}` : ''}${having}`;
}
function conditionWords({ field, op, values, than, other, or_null }: Condition, lens?: Lens): string {
  const subject = fieldWords(field, lens);
  if (than) {
    const where = than.where?.length ? ` where ${than.where.map((one) => filterWords(one, lens)).join(' and ')}` : '';
    const per = than.per?.length
      ? ` of the same ${list(
          than.per.map((one) => fieldWords(one, lens)),
          'and',
        )}`
      : '';
    return `${subject} ${OPERATOR[op]} the ${baseWords(than, lens)}${per}${where}`;
  }
  if (other) {
    const { amount = 0, unit = '' } = other.plus ?? {};
    const span = other.plus
      ? ` ${amount < 0 ? 'minus' : 'plus'} ${Math.abs(amount)} ${unit}${Math.abs(amount) === 1 ? '' : 's'}`
      : '';
    return `${subject} ${OPERATOR[op]} ${fieldWords(other.field, lens)}${span}`;
  }
  const said = valuesWords({ op, values, or_null });
  return `${subject} ${OPERATOR[op]}${said === '' ? '' : ` ${said}`}`;
}

function valuesWords({ op, values, or_null }: Pick<Condition, 'op' | 'values' | 'or_null'>): string {
  const words = values.map((value) => (value === '' ? '""' : String(value)));
  return `${list(words, op === 'between' ? 'and' : 'or')}${or_null ? ' or missing' : ''}`;
}

/** The parts of a sentence about a plan: its values, its filters, its order and its limit. */
export interface SentenceParts {
  subject: string;
  conditions: string[];
  rows: string[];
}

export function planSentence(lens: Lens, plan: LensPlan): string {
  const { subject, conditions, rows } = sentenceParts(lens, plan, (filter) =>
    'any' in filter && plan.filters.length > 1 ? `(${filterWords(filter, lens)})` : filterWords(filter, lens),
  );
  const parts = [subject];
  if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`);
  if (plan.time) {
    const span = spanWords(plan.time);
    parts.push(`${fieldWords(plan.time.field, lens)} ${span.length === 4 ? 'in' : 'from'} ${span}`);
  }
  return `${[...parts, ...rows].join(', ')}.`;
}

/** The same for an answer, with labels: "region: West", "order date: 2016". */
export function answerParts(lens: Lens, plan: LensPlan): SentenceParts {
  const { subject, conditions, rows } = sentenceParts(lens, plan, (filter) => labelWords(filter, lens));
  const { time } = plan;
  const window = time ? [`${fieldWords(time.field, lens)}: ${spanWords(time)}`] : [];
  return { subject, conditions: [...conditions, ...window], rows };
}

const everyWords = (every: LensPlan['every']): string => {
  if (!every) return '';
  return typeof every === 'string' ? ` for every one of ${plain(every)}` : ` for every ${every.grain} of the period`;
};
function sentenceParts(lens: Lens, plan: LensPlan, words: (filter: Filter) => string): SentenceParts {
  const dimensions = plan.dimensions.map((ref) => groupingWords(ref, lens));
  const subject =
    plan.measures.length === 0
      ? `${plan.distinct ? 'Distinct ' : ''}${list(dimensions, 'and')}`
      : `${list(
          plan.measures.map((measure) => measureWords(measure, lens)),
          'and',
        )}${dimensions.length > 0 ? ` by ${list(dimensions, 'and')}` : ''}${everyWords(plan.every)}`;
  return {
    subject: `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`,
    conditions: [...plan.filters.map(words), ...plan.having.map((one) => havingWords(one, lens))],
    rows: rowsWords(lens, plan),
  };
}

/** A year by its name, any other period by both ends, because a question can say "last month". */
const spanWords = (time: TimeWindow): string =>
  periodWords(time).length === 4 ? time.from.slice(0, 4) : `${time.from} up to ${time.to}`;

const labelWords = (filter: Filter, lens: Lens): string =>
  'field' in filter && (filter.op === '=' || filter.op === 'in') && !filter.than && !filter.other
    ? `${fieldWords(filter.field, lens)}: ${valuesWords(filter)}`
    : filterWords(filter, lens);

function rowsWords(lens: Lens, plan: LensPlan): string[] {
  const parts: string[] = [];
  if (plan.order_by.length > 0)
    parts.push(
      `ordered by ${list(
        plan.order_by.map(
          ({ field, measure, direction, nulls }) =>
            `${field ? fieldWords(field, lens) : measureWords(measure, lens)}${direction === 'desc' ? ' descending' : ''}${nulls ? ', missing values first' : ''}`,
        ),
        'and',
      )}`,
    );
  if (plan.limit_per)
    parts.push(
      `first ${plan.limit_per.rows} of each ${list(
        plan.limit_per.by.map((ref) => groupingWords(ref, lens)),
        'and',
      )}${plan.limit_per.ties ? ', including ties with the last' : ''}`,
    );
  if (plan.limit !== null)
    parts.push(
      !plan.offset
        ? `first ${plan.limit}`
        : plan.limit === 1
          ? `only number ${plan.offset + 1} of these`
          : `numbers ${plan.offset + 1} to ${plan.offset + plan.limit} of these`,
    );
  else if (plan.offset) parts.push(`from number ${plan.offset + 1} on`);
  return parts;
}
