// What the lens compiler says in an engine's words.
import type { Datatype, DayPart, Grain } from '../contract/warehouse.ts';

export interface Compiling {
  /** First day of the period as a date. `zone`: the literal of the lens's timezone for instants, empty for none. */
  truncate(grain: Grain, expression: string, datatype: Datatype, zone: string): string;
  /** The date or timestamp of an instant in a zone. */
  part(part: DayPart, expression: string, datatype: Datatype, zone: string): string;
  previous(date: string, grain: Grain): string;
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
export const typed = (types: Record<Datatype, string>) => (datatype: Datatype) => `cast(null as ${types[datatype]})`;
export const local = (expression: string, datatype: Datatype, zone: string): string =>
  datatype === 'datetimetz' ? `${expression} at time zone ${zone}` : expression;
export const orderNulls = (expression: string, direction: 'asc' | 'desc'): string =>
  `${expression}${direction === 'desc' ? ' desc' : ''} nulls last`;
export const likeWith =
  (escapeClause: string) => (expression: string, pattern: string, caseInsensitive: boolean, escaped: boolean) =>
    `${expression} ${caseInsensitive ? 'ilike' : 'like'} ${pattern}${escaped ? escapeClause : ''}`;
