import { expect, it } from 'vitest';
import { loadDialect } from '../../dialects/dialects.ts';
import type { Lens, LensDataset } from '../model/lens.ts';
import { getAuthoredReader } from './authored-reader.ts';
import { inferAttributeTypes } from './policy-types.ts';

const FIELDS = { region: 'string', amount: 'decimal', id: 'integer', day: 'date', at: 'datetime', flag: 'boolean' };
const FIELD_LIST = Object.entries(FIELDS).map(([name, datatype]) => ({ name, datatype, expression: null }));
const orders = { name: 'orders', fields: FIELD_LIST, primaryKey: [] } as unknown as LensDataset;

const describeTypes = async (dialect: string, filter: string): Promise<string> => {
  await loadDialect(dialect);
  const policy = {
    name: 'own',
    dataset: 'orders',
    filter,
    groups: [],
    columnTypes: { 'orders.code': 'integer' },
  } as const;
  const parts = { dialect, datasets: [orders], relationships: [], metrics: [], rowPolicies: [policy] };
  const lens = parts as unknown as Lens;
  const uses = inferAttributeTypes(lens, { ...policy, groups: [] }, await getAuthoredReader(lens));
  return uses.map(({ name, type }) => `${name} ${type}`).join(', ');
};

const COMMON_CASES: [filter: string, types: string][] = [
  ['orders.region = {caller.r}', 'r string'],
  ['{caller.n} < orders.amount and orders.region in ({caller.a}, {caller.b})', 'n decimal, a string, b string'],
  ['orders.id between {caller.low} and {caller.high}', 'low integer, high integer'],
  ["orders.id > 3 or {caller.all} = 'yes'", 'all string'],
  ["lower(orders.region) like concat({caller.r}, '%')", 'r string'],
  ['{caller.flag} or not {caller.other}', 'flag boolean, other boolean'],
  ['{caller.r} is null', 'r any'],
  ['{caller.a} = {caller.b}', 'a null, b null'],
  ['orders.amount > {caller.n} * 2 and orders.day >= {caller.since}', 'n decimal, since date'],
  ['coalesce({caller.a}, orders.id) = 3', 'a integer'],
  ["case {caller.kind} when 'a' then orders.flag else {caller.f} end", 'kind string, f boolean'],
  ['orders.code = {caller.code}', 'code integer'],
  ['orders.at < {caller.until} and length(orders.region) > {caller.n}', 'until datetime, n decimal'],
  ['substring(orders.region, 1, {caller.n}) = {caller.r}', 'n decimal, r string'],
];

it.each(['postgres', 'duckdb', 'mysql', 'snowflake'])('reads the types of attributes on %s', async (dialect) => {
  for (const [filter, types] of COMMON_CASES) expect(await describeTypes(dialect, filter), filter).toBe(types);
});

it.each([
  ['postgres', 'orders.region = any(array[{caller.a}, {caller.b}])', 'a string, b string'],
  ['postgres', 'orders.region ~* {caller.r}', 'r string'],
  ['postgres', 'orders.id = {caller.id}::int', 'id integer'],
  ['postgres', 'orders.day = date {caller.d}', 'd date'],
  ['postgres', 'orders.at > cast({caller.t} as timestamp with time zone)', 't datetimetz'],
  ['postgres', '{caller.flag} is true or {caller.other} is not false', 'flag boolean, other boolean'],
  ['postgres', "orders.region = {caller.r} || 'x'", 'r string'],
  ['postgres', 'orders.region = ({caller.r} collate "C")', 'r string'],
  ['postgres', 'row(orders.region) = row({caller.r})', 'r null'],
  ['mysql', 'orders.day = date {caller.d}', 'd date'],
  ['duckdb', 'orders.region in [{caller.a}]', 'a string'],
  ['mysql', 'orders.region <=> {caller.r}', 'r string'],
  ['mysql', 'if({caller.f}, orders.region, {caller.r}) = 1', 'f boolean, r string'],
])('reads the types of attributes in the SQL of %s: %s', async (dialect, filter, types) => {
  expect(await describeTypes(dialect, filter)).toBe(types);
});
