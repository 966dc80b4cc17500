import { type Compiling, interval, likeWith, local, orderNulls, PART, STEP, typed } from '../compiling.ts';

export const duckdbCompiling: Compiling = {
  truncate: (grain, expression, datatype, zone) =>
    `cast(date_trunc('${grain}', ${local(expression, datatype, zone)}) as date)`,
  part: (part, expression, datatype, zone) => `${PART[part]}(${local(expression, datatype, zone)})`,
  previous: (date, grain) => `${date} - interval '${STEP[grain]}'`,
  later: interval,
  daysBetween: (from, to) => `date_diff('day', ${from}, ${to})`,
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
  readAs: {},
  reserved: new Set(),
  ordersByAlias: true,
  readsUtc: false,
};
