// Everything in which the dialects differ for the compiler, in one table.
import type { Datatype, Dialect } from '../contract/warehouse.ts';
import type { DayPart } from './intent.ts';
import type { Grain } from './lens.ts';

export interface DialectSql {
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
  /** ORDER BY may compute with an output name. */
  ordersByAlias: boolean;
  /** Instants are read in UTC, so that this zone needs no conversion. */
  readsUtc: boolean;
}

const STEP: Record<Grain, string> = {
  day: '1 day',
  week: '7 days',
  month: '1 month',
  quarter: '3 months',
  year: '1 year',
};
const typed = (types: Record<Datatype, string>) => (datatype: Datatype) => `cast(null as ${types[datatype]})`;
const local = (expression: string, datatype: Datatype, zone: string): string =>
  datatype === 'datetimetz' ? `${expression} at time zone ${zone}` : expression;
/** MySQL has no instants with a zone of their own; its sessions read in UTC. */
const converted = (expression: string, datatype: Datatype, zone: string): string =>
  datatype === 'datetimetz' && zone !== '' ? `convert_tz(${expression}, '+00:00', ${zone})` : expression;
const orderNulls = (expression: string, direction: 'asc' | 'desc'): string =>
  `${expression}${direction === 'desc' ? ' desc' : ''} nulls last`;
const likeWith =
  (escapeClause: string) => (expression: string, pattern: string, caseInsensitive: boolean, escaped: boolean) =>
    `${expression} ${caseInsensitive ? 'ilike' : 'like'} ${pattern}${escaped ? escapeClause : ''}`;

export const dialectSql: Record<Dialect, DialectSql> = {
  duckdb: {
    truncate: (grain, expression, datatype, zone) =>
      `cast(date_trunc('${grain}', ${local(expression, datatype, zone)}) as date)`,
    part: (part, expression, datatype, zone) =>
      `${part === 'weekday' ? 'dayname' : 'hour'}(${local(expression, datatype, zone)})`,
    previous: (date, grain) => `${date} - interval '${STEP[grain]}'`,
    ratio: (left, right) => `${left} / nullif(${right}, 0)`,
    exact: (expression) => expression,
    like: likeWith(" escape '\\'"),
    typedNull: typed({
      string: 'varchar',
      integer: 'bigint',
      decimal: 'decimal(18, 4)',
      float: 'double',
      boolean: 'boolean',
      date: 'date',
      time: 'time',
      datetime: 'timestamp',
      datetimetz: 'timestamptz',
    }),
    nullsLast: orderNulls,
    sameOrBothNull: (left, right) => `${left} is not distinct from ${right}`,
    median: (expression) => `median(${expression})`,
    ordersByAlias: true,
    readsUtc: false,
  },
  postgres: {
    // A date would pass through the session's time zone on its way into date_trunc.
    truncate: (grain, expression, datatype, zone) =>
      `cast(date_trunc('${grain}', ${datatype === 'date' ? `cast(${expression} as timestamp)` : local(expression, datatype, zone)}) as date)`,
    part: (part, expression, datatype, zone) => {
      const at = datatype === 'date' ? `cast(${expression} as timestamp)` : local(expression, datatype, zone);
      return part === 'weekday' ? `to_char(${at}, 'FMDay')` : `cast(extract(hour from ${at}) as integer)`;
    },
    previous: (date, grain) => `${date} - interval '${STEP[grain]}'`,
    ratio: (left, right) => `cast(${left} as numeric) / nullif(${right}, 0)`,
    exact: (expression) => `cast(${expression} as numeric)`,
    // Enums, uuids and addresses are text to a lens; ILIKE takes nothing but text.
    like: (expression, ...rest) => likeWith('')(`cast(${expression} as text)`, ...rest),
    typedNull: typed({
      string: 'text',
      integer: 'bigint',
      decimal: 'numeric',
      float: 'double precision',
      boolean: 'boolean',
      date: 'date',
      time: 'time',
      datetime: 'timestamp',
      datetimetz: 'timestamptz',
    }),
    nullsLast: orderNulls,
    sameOrBothNull: (left, right) => `${left} is not distinct from ${right}`,
    median: (expression) => `percentile_cont(0.5) within group (order by ${expression})`,
    ordersByAlias: true,
    readsUtc: false,
  },
  mysql: {
    truncate: (grain, expression, datatype, zone) => {
      const at = converted(expression, datatype, zone);
      if (grain === 'day') return `cast(${at} as date)`;
      if (grain === 'week') return `cast(date_sub(${at}, interval weekday(${at}) day) as date)`;
      if (grain === 'quarter') return `(makedate(year(${at}), 1) + interval (quarter(${at}) - 1) * 3 month)`;
      return `cast(date_format(${at}, '${grain === 'month' ? '%Y-%m-01' : '%Y-01-01'}') as date)`;
    },
    part: (part, expression, datatype, zone) => {
      const at = converted(expression, datatype, zone);
      return `${part === 'weekday' ? 'dayname' : 'hour'}(${at})`;
    },
    previous: (date, grain) => `${date} - interval ${grain === 'quarter' ? '3 month' : `1 ${grain}`}`,
    // Sessions keep 12 digits more than the dividend has.
    ratio: (left, right) => `${left} / nullif(${right}, 0)`,
    exact: (expression) => expression,
    // Without backslash escapes LIKE has no escape sign of its own; x'5C' is the backslash.
    like: (expression, pattern, caseInsensitive, escaped) => {
      const escaping = escaped ? " escape _utf8mb4 x'5C'" : '';
      return caseInsensitive
        ? `lower(${expression}) like lower(${pattern})${escaping}`
        : `${expression} like ${pattern} collate utf8mb4_bin${escaping}`;
    },
    typedNull: typed({
      string: 'char',
      integer: 'signed',
      decimal: 'decimal(38, 10)',
      float: 'double',
      boolean: 'signed',
      date: 'date',
      time: 'time',
      datetime: 'datetime',
      datetimetz: 'datetime',
    }),
    // Null is the smallest value.
    nullsLast: (expression, direction) =>
      direction === 'desc' ? `${expression} desc` : `${expression} is null, ${expression}`,
    sameOrBothNull: (left, right) => `${left} <=> ${right}`,
    median: null,
    ordersByAlias: false,
    readsUtc: true,
  },
};
