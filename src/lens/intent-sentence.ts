// The reading of a question in one sentence: "Revenue, where region is West, from 2016-01-01 up to 2017-01-01."
import type {
  Aggregate,
  Condition,
  FieldRef,
  Filter,
  Intent,
  Measure,
  MetricUse,
  Operator,
  TimeWindow,
} from './intent.ts';
import type { Lens } from './lens.ts';

const plain = (name: string): string => name.replaceAll('_', ' ');
const fieldWords = ({ path, field, grain }: FieldRef, lens?: Lens): string => {
  // The bare field, when no other dataset or role could be meant.
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
  if (measure.kind === 'metric') return plain(measure.name);
  const { fn, path, field } = measure;
  if (!field) return `number of ${plain(path)}`;
  const of = fieldWords({ path, field }, lens);
  return fn === 'count' ? `number of ${of} values` : fn === 'sum' ? `sum of ${of}` : `${FUNCTION[fn]} ${of}`;
}
function measureWords(measure: Measure, lens: Lens): string {
  if (measure.kind === 'metric' || measure.kind === 'aggregate') return baseWords(measure, lens);
  if (measure.kind === 'combined')
    return `${baseWords(measure.left, lens)} ${measure.fn === 'ratio' ? 'divided by' : 'minus'} ${baseWords(measure.right, lens)}`;
  const of = baseWords(measure.of, lens);
  if (measure.kind === 'change')
    return `${measure.fn === 'percent' ? 'percent change' : 'change'} of ${of} from ${periodWords(measure.earlier)} to ${periodWords(measure.later)} (${fieldWords(measure.later.field, lens)})`;
  if (measure.kind === 'part')
    return `${of} where ${measure.where.map((one) => filterWords(one, lens)).join(' and ')} as a ${measure.percent ? 'percentage' : 'share'} of all ${of}`;
  if (measure.kind === 'averaged') {
    const { path, field, grain } = measure.over;
    const group = field ? (grain ?? fieldWords({ path, field }, lens)) : `of the ${plain(path)}`;
    return `average of ${of} over each ${group} that has any`;
  }
  const said = {
    share_of_total: `${measure.percent ? 'percentage' : 'share'} of total ${of}`,
    running_total: `running total of ${of}`,
    change: `change of ${of} on the period before`,
    percent_change: `percent change of ${of} on the period before`,
    rank: `rank by ${of}`,
  };
  return said[measure.fn];
}

/** "2016", "2016-03", or from and up to. */
function periodWords({ from, to }: TimeWindow): string {
  const [year, month] = [from.slice(0, 4), from.slice(0, 7)];
  if (from === `${year}-01-01` && to === `${Number(year) + 1}-01-01`) return year;
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return from === `${month}-01` && to === next.toISOString().slice(0, 10) ? month : `${from} up to ${to}`;
}

export function filterWords(filter: Filter, lens?: Lens): string {
  switch (filter.kind) {
    case 'condition':
      return conditionWords(filter, lens);
    case 'any':
      return filter.of.map((one) => filterWords(one as Filter, lens)).join(' or ');
    case 'all':
      return filter.of.map((one) => filterWords(one as Filter, lens)).join(' and ');
    case 'exists': {
      const { path, negated, where, count, total, sharing } = filter;
      if (total) {
        const rows = sharing ? `${plain(path)} of one ${plain(sharing)}` : plain(path);
        const of = baseWords({ kind: 'aggregate', fn: total.fn, path, field: total.field }, lens);
        const inner = where.length > 0 ? ` where ${where.map((one) => filterWords(one, lens)).join(' and ')}` : '';
        return `${negated ? 'not ' : ''}${of} of the ${rows}${inner} ${OPERATOR[total.op]} ${list(total.values.map(String), 'and')}`;
      }
      const having = where.length > 0 ? ` where ${where.map((one) => filterWords(one, lens)).join(' and ')}` : '';
      const many = count
        ? `${{ '=': 'exactly', '>': 'more than', '>=': 'at least', '<': 'fewer than', '<=': 'at most' }[count.op]} ${count.value} `
        : '';
      return `${negated ? (count ? 'not ' : 'with no ') : count ? 'with ' : 'with some '}${negated && count ? 'with ' : ''}${many}${plain(path)}${having}`;
    }
  }
}
function conditionWords({ field, op, values, than, orNull }: Condition, lens?: Lens): string {
  const subject = fieldWords(field, lens);
  if (than) return `${subject} ${OPERATOR[op]} the ${baseWords(than, lens)}`;
  const said = values.map((value) => (value === '' ? '""' : String(value)));
  return `${subject} ${OPERATOR[op]}${said.length > 0 ? ` ${list(said, op === 'between' ? 'and' : 'or')}` : ''}${orNull ? ' or missing' : ''}`;
}

export function intentSentence(lens: Lens, intent: Intent): string {
  const dimensions = intent.dimensions.map((ref) => fieldWords(ref, lens));
  const head =
    intent.measures.length === 0
      ? `${intent.distinct ? 'Distinct ' : ''}${list(dimensions, 'and')}`
      : `${list(
          intent.measures.map((measure) => measureWords(measure, lens)),
          'and',
        )}${dimensions.length > 0 ? ` by ${list(dimensions, 'and')}` : ''}`;
  const parts = [head];
  const conditions = [
    ...intent.filters.map((filter) =>
      filter.kind === 'any' && intent.filters.length > 1 ? `(${filterWords(filter, lens)})` : filterWords(filter, lens),
    ),
    ...intent.having.map(
      ({ measure, op, values }) => `${baseWords(measure, lens)} ${OPERATOR[op]} ${list(values.map(String), 'and')}`,
    ),
  ];
  if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`);
  if (intent.time) {
    const { field, from, to } = intent.time;
    parts.push(`${fieldWords(field, lens)} from ${from} up to ${to}`);
  }
  if (intent.order.length > 0)
    parts.push(
      `ordered by ${list(
        intent.order.map(
          ({ by, direction }) => `${orderWords(by, intent, lens)}${direction === 'desc' ? ' descending' : ''}`,
        ),
        'and',
      )}`,
    );
  if (intent.perGroup)
    parts.push(
      `first ${intent.perGroup.limit} of each ${list(
        intent.perGroup.dimensions.map((ref) => fieldWords(ref, lens)),
        'and',
      )}`,
    );
  if (intent.limit !== null)
    parts.push(intent.offset ? `only number ${intent.offset + 1} of these` : `first ${intent.limit}`);
  const sentence = parts.join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function orderWords(by: Intent['order'][number]['by'], intent: Intent, lens: Lens): string {
  if (by.kind === 'field') return fieldWords(by.field, lens);
  if (by.kind === 'expression') return baseWords(by.measure, lens);
  const measure = intent.measures[by.index];
  return measure ? measureWords(measure, lens) : `column ${by.index + 1}`;
}
