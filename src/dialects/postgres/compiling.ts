import type { DayPart } from '../../contract/warehouse.ts';
import { type Compiling, interval, likeWith, local, orderNulls, STEP, typed } from '../compiling.ts';

const EXTRACTED: Record<Exclude<DayPart, 'weekday'>, string> = {
  hour: 'hour',
  day_of_month: 'day',
  week_of_year: 'week',
  month_of_year: 'month',
  quarter_of_year: 'quarter',
};
export const postgresCompiling: Compiling = {
  // A date would pass through the session's time zone on its way into date_trunc.
  truncate: (grain, expression, datatype, zone) =>
    `cast(date_trunc('${grain}', ${datatype === 'date' ? `cast(${expression} as timestamp)` : local(expression, datatype, zone)}) as date)`,
  part: (part, expression, datatype, zone) => {
    const at = datatype === 'date' ? `cast(${expression} as timestamp)` : local(expression, datatype, zone);
    return part === 'weekday' ? `to_char(${at}, 'FMDay')` : `cast(extract(${EXTRACTED[part]} from ${at}) as integer)`;
  },
  previous: (date, grain) => `${date} - interval '${STEP[grain]}'`,
  later: interval,
  daysBetween: (from, to) => `cast(${to} as date) - cast(${from} as date)`,
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
  readAs: {
    money: { datatype: 'decimal', as: 'numeric' },
    json: { datatype: 'string', as: 'text' },
    jsonb: { datatype: 'string', as: 'text' },
    xml: { datatype: 'string', as: 'text' },
    bytea: null,
    tsvector: null,
    tsquery: null,
  },
  reserved: new Set(),
  ordersByAlias: true,
  readsUtc: false,
};
