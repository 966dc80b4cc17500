import type { Datatype } from '../../../contract/warehouse.ts';
import {
  addDuration,
  COMMON_COMPILER_RULES,
  createTextAggregate,
  DATE_PART_UNITS,
  subtractFromDate,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

const PG_CATALOG = { schema: 'pg_catalog' };

/**
 * Converts a value to a local time. svc first casts a date to a timestamp, because PostgreSQL would otherwise convert
 * it through the session's time zone.
 */
const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'date' ? castOf(value, 'timestamp') : zone ? callOf('timezone', [zone, value], PG_CATALOG) : value;

export const postgresCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, value, datatype, zone) =>
    castOf(callOf('date_trunc', [textOf(grain), toLocalTime(value, datatype, zone)]), 'date'),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    if (part === 'weekday') return callOf('to_char', [localTime, textOf('FMDay')]);
    return castOf(callOf('extract', [textOf(DATE_PART_UNITS[part]), localTime], PG_CATALOG), 'int4');
  },
  previous: subtractFromDate,
  later: addDuration,
  daysBetween: (from, to) => compute(castOf(to, 'date'), '-', castOf(from, 'date')),
  secondsBetween: (from, to, types) => {
    const [a, b] = [from, to].map((item, index) => (types[index] === 'date' ? castOf(item, 'timestamp') : item));
    return callOf('extract', [textOf('epoch'), compute(b!, '-', a!)], PG_CATALOG);
  },
  // svc casts enums, UUIDs and addresses to text, because they are strings in a lens but ILIKE accepts only text.
  like: (value, pattern, caseInsensitive) =>
    likeOf(caseInsensitive ? 'ilike' : 'like', castOf(value, 'text'), pattern, null),
  exactText: null,
  orderedText: (value) => castOf(value, 'text'),
  readsPlainTimesAsLocal: true,
  widened: (value) => castOf(value, 'numeric'),
  divisible: (value) => castOf(value, 'numeric'),
  dividesByPlaces: false,
  longQuotients: true,
  round: (value, digits) => callOf('round', [castOf(value, 'numeric'), numberOf(digits)]),
  faultsByZero: true,
  aggregated: (_, value) => value,
  median: (value) =>
    callOf('percentile_cont', [numberOf('0.5')], {
      within: true,
      orderBy: [{ value, direction: null, nulls: null }],
    }),
  listed: (text, separator, distinct) => createTextAggregate('string_agg', castOf(text, 'text'), separator, distinct),
  length: (text) => callOf('length', [castOf(text, 'text')]),
  without: (text, part) => callOf('replace', [castOf(text, 'text'), part, textOf('')]),
  types: {
    string: 'text',
    integer: 'int8',
    decimal: 'numeric',
    float: 'float8',
    boolean: 'bool',
    date: 'date',
    time: 'time',
    datetime: 'timestamp',
    datetimetz: 'timestamptz',
  },
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
  ordersBySubquery: true,
  readsUtc: false,
};
