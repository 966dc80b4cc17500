// How conditions, periods, groups and ranks are said: the sign, the number and the name of each stand together, and a
// value without its field's name is one of that field alone.
import type { PlanComparison, PlanDimension, PlanFilter, PlanHaving, PlanWindow } from '../../../../contract/plan.ts';
import type { Lens } from '../../../../lens/lens.ts';
import { SUPERLATIVES } from '../../../../planner/words/lexicon.ts';
import { sayMeasure } from './say-measure.ts';
import { fieldOf, type NamedField, sayField } from './say-names.ts';
import { either, inTurn, listed, nothing, number, perhaps, type Saying, words } from './sayings.ts';

const IS = perhaps(words('equal to,equals,of,='));
const NOT = words('not,without,except,except for,excluding,other than,not in');
const BEFORE: Readonly<Record<string, string>> = {
  '>': 'more than,greater than,higher than,larger than,bigger than,over,above,exceeding',
  '>=': 'at least',
  '<': 'less than,fewer than,lower than,smaller than,under,below',
  '<=': 'at most',
};
const BEHIND: Readonly<Record<string, string>> = { '>=': 'or more', '<=': 'or less,or fewer' };

/** "sales over 500", "with more than 5 orders" */
function compared(name: Saying, op: string, values: readonly unknown[]): Saying {
  const numbers = values.map(Number);
  const [one, two, more] = numbers;
  if (one === undefined || more !== undefined || numbers.some((value) => !Number.isFinite(value))) return nothing;
  if (op === 'between')
    return two === undefined ? nothing : inTurn(name, words('between'), number(one), words('and'), number(two));
  if (two !== undefined) return nothing;
  if (op === '=') return inTurn(name, IS, number(one));
  const said = either(
    inTurn(words(BEFORE[op] ?? ''), number(one)),
    op in BEHIND ? inTurn(number(one), words(BEHIND[op]!)) : nothing,
  );
  return either(inTurn(name, perhaps(words('of')), said), inTurn(said, name));
}

export function sayFilter(lens: Lens, filter: PlanFilter): Saying {
  if (!('field' in filter) || filter.other || filter.than || filter.during !== undefined) return nothing;
  const field = fieldOf(lens, filter.field);
  if (!field || field.grain) return nothing;
  const { op, values } = filter;
  const name = sayField(lens, field);
  if (values.length === 0 || values.some((value) => typeof value === 'boolean')) return nothing;
  if (op in BEFORE || op === 'between') return compared(name, op, values);
  if (op === '=' || op === 'in') return equal(lens, field, filter);
  return op === '!=' || op === 'not_in' ? inTurn(NOT, equal(lens, field, filter)) : nothing;
}

function equal(lens: Lens, field: NamedField, { values }: PlanComparison): Saying {
  const name = sayField(lens, field);
  const said = (value: string | number | boolean, named: boolean): Saying =>
    typeof value === 'number'
      ? named
        ? number(value)
        : nothing
      : (asked, at) => asked.valuesAt(at, String(value), { dataset: field.dataset.name, field: field.field }, named);
  const orders = values.length <= 4 ? permutations(values) : [[...values]];
  const all = (named: boolean) => either(...orders.map((order) => listed(order.map((value) => said(value, named)))));
  // "region West", "region is West", "West region"
  const alone: Saying = field.role === null ? all(false) : nothing;
  return either(inTurn(name, IS, all(true)), inTurn(all(true), name), alone);
}

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));

export const sayHaving = (lens: Lens, { measure, op, values, than }: PlanHaving): Saying =>
  than || op === '!=' ? nothing : compared(sayMeasure(lens, measure), op, values);

const YEAR_START = /^(\d{4})-01-01$/;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** `usual`: the date that is meant where none is said. */
export function sayTime(lens: Lens, { field, from, to, during }: PlanWindow, usual: string | null): Saying {
  const named = field === undefined ? null : fieldOf(lens, field);
  const isUsual = field === undefined ? usual !== null : `${named?.dataset.name}.${named?.field.name}` === usual;
  const period = sayPeriod(from, to, during);
  if (isUsual) return named ? either(period, inTurn(sayField(lens, named), IN, period)) : period;
  return named && named.grain === null ? inTurn(sayField(lens, named), IN, period) : nothing;
}

const IN = perhaps(words('in,during,of,for'));

function sayPeriod(from: string | undefined, to: string | undefined, during: string | undefined): Saying {
  if (during !== undefined) return from === undefined && to === undefined ? sayDuring(during) : nothing;
  const [start, end] = [from, to].map((day) => (day === undefined ? null : Number(YEAR_START.exec(day)?.[1] ?? NaN)));
  if (Number.isNaN(start) || Number.isNaN(end)) return nothing;
  if (start !== null && end !== null) return end === start! + 1 ? year(start!) : nothing;
  if (start !== null) return either(inTurn(words('since'), number(start!)), inTurn(words('after'), number(start! - 1)));
  return end === null ? nothing : inTurn(words('before'), number(end!));
}

const year = (value: number): Saying => inTurn(perhaps(words('year,the year')), number(value));

function sayDuring(period: string): Saying {
  const [, y, quarter, month] = /^(\d{4})(?:-Q([1-4])|-(\d\d))?$/.exec(period) ?? [];
  if (y && quarter)
    return inTurn(either(words(`q${quarter}`), words(`quarter ${quarter}`)), perhaps(words('of')), number(Number(y)));
  if (y && month) return inTurn(words(MONTHS[Number(month) - 1] ?? ''), perhaps(words('of')), number(Number(y)));
  if (y) return year(Number(y));
  const plain = /^(?:today|yesterday|(this|last|previous) (week|month|quarter|year))$/.exec(period);
  if (!plain) return nothing;
  return plain[1] === 'last' || plain[1] === 'previous'
    ? words(`last ${plain[2]},previous ${plain[2]}`)
    : words(period);
}

const GRAINS: Readonly<Record<string, string>> = {
  day: 'day,daily,days',
  week: 'week,weekly,weeks',
  month: 'month,monthly,months',
  quarter: 'quarter,quarterly,quarters',
  year: 'year,yearly,years,annual,annually',
};

export function sayDimension(lens: Lens, dimension: PlanDimension, usual: string | null): Saying {
  const field = typeof dimension === 'string' ? fieldOf(lens, dimension) : null;
  if (!field) return nothing;
  const name = sayField(lens, field);
  if (field.grain === null) return name;
  const grain: Saying = (asked, at) =>
    words(GRAINS[field.grain!]!)(asked, at).filter((to) => asked.terms(at, to).length === 0);
  const spelled = either(inTurn(name, grain), inTurn(grain, perhaps(words('of')), name));
  return usual === `${field.dataset.name}.${field.field.name}` ? either(grain, spelled) : spelled;
}

/** "A minimum of 3" bounds, "the maximum by area" measures: neither ranks. */
const BOUNDS = new Set(['max', 'maximum', 'min', 'minimum']);

/** "top 3", "3 lowest", "highest": of the one thing that is measured, or "by" what is named behind. */
export const sayRank = (direction: 'asc' | 'desc', limit: number, by: Saying | null): Saying => {
  const superlative: Saying = (asked, at) => {
    const found = SUPERLATIVES.get(asked.norm(at));
    if (asked.norm(at - 1) === 'at' || BOUNDS.has(asked.norm(at))) return [];
    return found?.about === null && found.direction === direction ? [at + 1] : [];
  };
  const many = either(inTurn(superlative, number(limit)), inTurn(number(limit), superlative));
  const rank = limit === 1 ? either(many, superlative) : many;
  return by === null ? rank : inTurn(rank, perhaps(words('by')), by);
};
