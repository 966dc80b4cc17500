// What the lens compiler says in an engine's words.
import type { Datatype, DayPart, Grain, Span } from '../contract/warehouse.ts';

export interface Compiling {
  /** First day of the period as a date. `zone`: the literal of the lens's timezone for instants, empty for none. */
  truncate(grain: Grain, expression: string, datatype: Datatype, zone: string): string;
  /** The date or timestamp of an instant in a zone. */
  part(part: DayPart, expression: string, datatype: Datatype, zone: string): string;
  previous(date: string, grain: Grain): string;
  /** So much later. */
  later(moment: string, span: Span): string;
  /** Whole days from the one to the other. */
  daysBetween(from: string, to: string): string;
  ratio(left: string, right: string): string;
  /** An integer inside an author's division. */
  exact(expression: string): string;
  like(expression: string, pattern: string, caseInsensitive: boolean, escaped: boolean): string;
  typedNull(datatype: Datatype): string;
  nullsLast(expression: string, direction: 'asc' | 'desc'): string;
  sameOrBothNull(left: string, right: string): string;
  median: ((expression: string) => string) | null;
  /** Types that can't be grouped or compared with a text as they are: what they are cast to; null: nothing a person asks for. */
  readAs: Readonly<Record<string, { datatype: Datatype; as: string } | null>>;
  /** Words beside those of every SQL that can't stand as the name of a table without quotes. */
  reserved: ReadonlySet<string>;
  /** ORDER BY may compute with an output name. */
  ordersByAlias: boolean;
  /** Instants are read in UTC, so that this zone needs no conversion. */
  readsUtc: boolean;
}

export const STEP: Record<Grain, string> = {
  day: '1 day',
  week: '7 days',
  month: '1 month',
  quarter: '3 months',
  year: '1 year',
};
/** Functions of that name. */
export const PART: Record<DayPart, string> = {
  weekday: 'dayname',
  hour: 'hour',
  day_of_month: 'dayofmonth',
  week_of_year: 'weekofyear',
  month_of_year: 'month',
  quarter_of_year: 'quarter',
};
export const interval = (moment: string, { amount, unit }: Span): string => {
  const [count, size] =
    unit === 'quarter' ? [amount * 3, 'month'] : unit === 'week' ? [amount * 7, 'day'] : [amount, unit];
  return `${moment} ${count < 0 ? '-' : '+'} interval '${Math.abs(count)} ${size}'`;
};
export const typed = (types: Record<Datatype, string>) => (datatype: Datatype) => `cast(null as ${types[datatype]})`;
export const local = (expression: string, datatype: Datatype, zone: string): string =>
  datatype === 'datetimetz' ? `${expression} at time zone ${zone}` : expression;
export const orderNulls = (expression: string, direction: 'asc' | 'desc'): string =>
  `${expression}${direction === 'desc' ? ' desc' : ''} nulls last`;
export const likeWith =
  (escapeClause: string) => (expression: string, pattern: string, caseInsensitive: boolean, escaped: boolean) =>
    `${expression} ${caseInsensitive ? 'ilike' : 'like'} ${pattern}${escaped ? escapeClause : ''}`;
