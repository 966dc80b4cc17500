// ClickHouse: a sketch that shows what another engine costs. It is made by the tools that svc hands to a plugin.
import type { Datatype } from '../../../src/contract/warehouse.ts';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import type { DialectTools } from '../../../src/dialects/dialects.ts';
import type { Expression } from '../../../src/dialects/tree.ts';
import { clickhouseCases } from './cases.ts';
import { CLICKHOUSE_FUNCTIONS } from './functions.ts';
import { CLICKHOUSE_GRAMMAR } from './grammar.ts';

const TYPES: Record<Datatype, string> = {
  string: 'Nullable(String)',
  integer: 'Nullable(Int64)',
  decimal: 'Nullable(Decimal(38, 10))',
  float: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  date: 'Nullable(Date)',
  time: 'Nullable(String)',
  datetime: 'Nullable(DateTime)',
  datetimetz: 'Nullable(DateTime)',
};

const PARTS = {
  hour: 'toHour',
  day_of_month: 'toDayOfMonth',
  week_of_year: 'toISOWeek',
  month_of_year: 'toMonth',
  quarter_of_year: 'toQuarter',
};
const interval = (amount: Expression, unit: string): Expression => ({
  kind: 'interval',
  amount,
  unit: unit.toUpperCase(),
  at: null,
});

export const clickhouse = ({ foreign, nodes }: DialectTools): Dialect => ({
  name: 'clickhouse',
  quotes: { name: '`', plainNames: false, instants: 'in utc' },
  folding: { names: 'read', tablesByServer: false },
  defaultSchema: '',
  catalogAsSchema: false,
  ownTables: /(?!)/,
  systemColumns: ['_part', '_partition_id', '_sample_factor'],
  names: {
    wholeRow: 'never',
    structPaths: false,
    // An alias is seen everywhere, and goes before a column.
    outputs: {
      items: 'first',
      where: 'first',
      groupBy: { bare: 'first', inside: 'first' },
      having: 'first',
      qualify: 'first',
      windows: 'first',
      distinctOn: { bare: 'first', inside: 'first' },
      orderBy: { bare: 'first', inside: 'first' },
      limit: 'first',
    },
    output: (value) => (value.kind === 'column' ? (value.path.at(-1) ?? '') : ''),
    computed: 'source text',
    values: { prefix: 'c', from: 1 },
    valuesAlias: '',
    lateral: 'written',
    sameAliasTwice: false,
  },
  functions: {
    list: CLICKHOUSE_FUNCTIONS,
    schemas: new Set(),
    builtin: null,
    bounds: new Map([['repeat', { kind: 'length', argument: 1 }]]),
    callsNamed: new Map(),
    inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
  },
  comparesByCasting: false,
  types: new Set(
    'Nullable String Bool Date DateTime Float32 Float64 Decimal Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64'.split(
      ' ',
    ),
  ),
  operators: new Set(['||']),
  computedLimit: false,
  nullsSort: { said: true, unsaid: 'last' },
  integerDivision: 'exact',
  budgets: { deepest: 200, tokensHere: 250 },
  settings: ["session_timezone = 'UTC'", 'join_use_nulls = 1', 'prefer_column_name_to_alias = 0', 'readonly = 2'],
  compiling: {
    truncate: (grain, value) => nodes.callOf('toDate', [nodes.callOf('date_trunc', [nodes.textOf(grain), value])]),
    part: (part, value) =>
      part === 'weekday'
        ? nodes.callOf('dateName', [nodes.textOf('weekday'), value])
        : nodes.callOf(PARTS[part], [value]),
    later: (moment, { amount, unit }) => nodes.compute(moment, '+', interval(nodes.numberOf(amount), unit)),
    daysBetween: (from, to) => nodes.callOf('dateDiff', [nodes.textOf('day'), from, to]),
    previous: (date, grain) => nodes.compute(date, '-', interval(nodes.numberOf(1), grain)),
    like: (value, pattern, caseInsensitive) => nodes.likeOf(caseInsensitive ? 'ilike' : 'like', value, pattern, null),
    sameOrBothNull: (left, right) => {
      const both = nodes.allOf([nodes.isNull(left), nodes.isNull(right)])!;
      return nodes.anyOf([nodes.compare(left, '=', right), both])!;
    },
    types: TYPES,
    readAs: { UUID: { datatype: 'string', as: 'String' } },
    reserved: new Set(['final', 'prewhere', 'sample', 'settings', 'format', 'global', 'any', 'asof', 'semi', 'anti']),
    median: (value) => nodes.callOf('median', [value]),
    ordersByAlias: true,
    readsUtc: true,
  },
  fence: (body) => ({ ...body, limit: nodes.numberOf('9007199254740991') }),
  apart: () => false,
  ...foreign(CLICKHOUSE_GRAMMAR),
  cases: clickhouseCases,
});
