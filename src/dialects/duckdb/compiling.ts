import { type Compiling, likeWith, local, orderNulls, STEP, typed } from '../compiling.ts';

export const duckdbCompiling: Compiling = {
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
  readAs: {},
  reserved: new Set(),
  ordersByAlias: true,
  readsUtc: false,
};
