import type { Dialect } from '../../../dialects/dialect.ts';
import { createOutputRules } from '../../../dialects/foreign/foreign.ts';
import { type CallBound, createLengthBounds, EXPONENT_BOUNDS } from '../../../dialects/function-list.ts';
import { listStringLiterals } from '../../../dialects/lexer.ts';
import { caseOf, columnOf, derivedOf, isNull, itemOf, numberOf, selectOf } from '../../../dialects/make-nodes.ts';
import { bindParameters } from '../../../dialects/parameters.ts';
import { isBoundedWork } from './bounded-work.ts';
import { duckdbTestStatements } from './cases.ts';
import { duckdbCompilerRules } from './compiling.ts';
import { DUCKDB_FUNCTIONS, DUCKDB_TABLE_COLUMNS } from './functions.ts';
import { readDuckdb } from './read.ts';
import { DUCKDB_OPERATORS, DUCKDB_TYPES } from './syntax.ts';
import { writeDuckdb, writeDuckdbExpression } from './write.ts';

const CALL_BOUNDS: readonly (readonly [string, CallBound])[] = [
  ...createLengthBounds({ repeat: 1, lpad: 1, rpad: 1 }),
  ...EXPONENT_BOUNDS,
  ['format', { kind: 'format' }],
  ['printf', { kind: 'format' }],
  ['generate_series', { kind: 'series' }],
  ['range', { kind: 'series' }],
  ['^', { kind: 'exponent' }],
  ['**', { kind: 'exponent' }],
];
const SPAN_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'];
const HIGHER_ORDER_FUNCTIONS = ['list_aggregate', 'list_aggr', 'array_aggregate', 'array_aggr', 'aggregate'];

export const duckdbDialect: Dialect = {
  name: 'duckdb',
  quotes: { name: '"', plainNames: true, escapes: false, instants: 'with offset' },
  folding: { names: 'ascii', tablesByServer: false },
  defaultSchema: 'main',
  catalogAsSchema: true,
  ownTables: /^pg_/i,
  systemColumns: ['rowid'],
  names: {
    wholeRow: 'nearest',
    structPaths: true,
    outputs: { ...createOutputRules('also'), orderBy: { bare: 'first', inside: 'also' } },
    output: (value) => {
      const castName = value.kind === 'cast' ? duckdbDialect.names.output(value.value) : '';
      return value.kind === 'column' ? value.path.at(-1)! : value.kind === 'call' && value.bare ? value.name : castName;
    },
    computed: 'own text',
    values: { prefix: 'col', from: 0 },
    valuesAlias: 'valueslist',
    lateral: 'always',
    sameAliasTwice: true,
    nameStays: false,
  },
  functions: {
    list: DUCKDB_FUNCTIONS,
    schemas: new Set(['main', 'pg_catalog']),
    builtin: null,
    bounds: new Map([
      ...CALL_BOUNDS,
      ...SPAN_UNITS.map((unit): [string, CallBound] => [`to_${unit}s`, { kind: 'span', unit }]),
    ]),
    callsNamed: new Map(HIGHER_ORDER_FUNCTIONS.map((name) => [name, 1])),
    inFrom: { columns: DUCKDB_TABLE_COLUMNS, only: true, alias: 'adds', perArgument: new Set() },
  },
  comparesByCasting: false,
  types: DUCKDB_TYPES,
  operators: DUCKDB_OPERATORS,
  parameters: { form: 'numbered', bind: (...statement) => bindParameters('numbered', ...statement) },
  endsOfSets: true,
  computedLimit: true,
  nullsSort: { said: true, unsaid: 'last' },
  budgets: { deepest: 400, tokensHere: 500 },
  settings: ["TimeZone = 'UTC'"],
  compiling: duckdbCompilerRules,
  fence: (body, outputs, alias) => {
    // The CASE and the OFFSET are an optimization barrier. A CASE has no statistics that a query plan could reveal, and
    // DuckDB can't push a condition past an OFFSET.
    const fencedItems = outputs.map((output) => {
      const column = columnOf(alias, output);
      return itemOf(caseOf(isNull(column, true), column), output);
    });
    const items = fencedItems.length > 0 ? fencedItems : [itemOf(columnOf(alias, 'one'))];
    return selectOf(items, [derivedOf(body, alias)], { offset: numberOf(0) });
  },
  rewrites: false,
  apart: (query) => !isBoundedWork(query),
  read: readDuckdb,
  write: writeDuckdb,
  writeExpression: writeDuckdbExpression,
  texts: listStringLiterals,
  cases: duckdbTestStatements,
};
