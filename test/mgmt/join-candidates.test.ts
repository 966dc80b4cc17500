import { expect, it, vi } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';

// On a busy machine, polling can take a long time.
vi.setConfig({ testTimeout: 120_000 });
const url = new URL(
  await createDatabase(`
    create table customers (id int primary key, name text);
    create table lines (order_id int, line_no int, customer_id int, amount numeric, primary key (order_id, line_no));
    create table shipments (id int primary key, order_id int, line_no int);
    create table days (shop text, day date, visitors int);
    create table sales (id int primary key, shop text, day date, total numeric);
    create table zq9 (id int primary key);
    create table trips (id int primary key, carrier_id int, note text);
    insert into zq9 select n from generate_series(1, 20) n;
    insert into trips select n, n, 'N' || n from generate_series(1, 20) n;
    insert into customers select n, 'N' || n from generate_series(1, 20) n;
    insert into lines select n / 3, n % 3, 1 + n % 20, n from generate_series(3, 62) n;
    insert into shipments select n, n / 3, n % 3 from generate_series(3, 50) n;
    insert into days select s, date '2026-01-01' + d, d from unnest(array['a', 'b', 'c']) s, generate_series(0, 9) d;
    insert into sales select row_number() over (), shop, day, 1 from days, generate_series(1, 4);`),
);
const connection = JSON.stringify(connectionTo(url));
const table = (name: string, key: string, fields: string) =>
  `  ${name}: {source: public.${name}, primary_key: [${key}], fields: {${fields
    .split(' ')
    .map((field) => field.replace(/(\w+):(\w+)/, '$1: {datatype: $2}'))
    .join(', ')}}}\n`;
const app = await startTestApp({
  files: {
    'svc.config.yaml': `connections: {core: ${connection}}\n`,
    'lenses/freight/lens.yaml': `name: freight\nconnection: core\ndatasets:\n${table('customers', 'id', 'id:integer name:string')}  carriers: {source: public.zq9, primary_key: [id], fields: {id: {datatype: integer}}}\n  trips: {source: public.trips, primary_key: [id], fields: {id: {datatype: integer}, carrier_id: {datatype: integer}, note: {datatype: string, expression: upper(note)}}}\nrelationships: [{from: trips.note, to: customers.name}]\n`,
    'lenses/trade/lens.yaml': `name: trade\nconnection: core\ndatasets:\n${table('customers', 'id', 'id:integer name:string')}${table('lines', 'order_id, line_no', 'order_id:integer line_no:integer customer_id:integer')}${table('shipments', 'id', 'id:integer order_id:integer line_no:integer')}${table('sales', 'id', 'id:integer shop:string day:date')}${table('days', '', 'shop:string day:date visitors:integer').replace('primary_key: [], ', '')}`,
  },
});

async function findCandidates(lens: string) {
  const { run_id } = (await app.admin('POST', `/lenses/${lens}/join-candidates`, {})).body;
  expect(await app.runEnds(run_id)).toMatchObject({ state: 'succeeded' });
  return (await app.admin('GET', `/lenses/${lens}/join-candidates`)).body.items;
}

it('lists declared joins over computed fields, and finds joins by the names of datasets', async () => {
  expect(await findCandidates('freight')).toEqual([
    expect.objectContaining({ from: 'trips.carrier_id', to: 'carriers.id', inclusion: 1, unique: true }),
    expect.objectContaining({ from: 'trips.note', to: 'customers.name', declared: true, inclusion: null }),
  ]);
});

it('finds joins over one or several columns with their evidence, ready for lens.yaml', async () => {
  const items = await findCandidates('trade');
  const of = (from: string) =>
    items.find((item: { from: string; unique: boolean }) => item.from === from && item.unique);
  expect(of('lines.customer_id')).toMatchObject({ to: 'customers.id', inclusion: 1, confidence: 'high' });
  expect(of('shipments.order_id, shipments.line_no')).toMatchObject({
    to: 'lines.order_id, lines.line_no',
    values_checked: 48,
    inclusion: 1,
    confidence: 'high',
    relationship: {
      name: 'lines',
      from: ['shipments.order_id', 'shipments.line_no'],
      to: ['lines.order_id', 'lines.line_no'],
    },
  });
  expect(of('sales.shop, sales.day')).toMatchObject({ to: 'days.shop, days.day', values_checked: 30, inclusion: 1 });
  const { files } = (await app.admin('GET', '/project/export')).body;
  const uniqueJoins = items.filter(({ unique }: { unique: boolean }) => unique);
  const relationships = uniqueJoins.map(({ relationship }: { relationship: object }) => JSON.stringify(relationship));
  const lens = `${files['lenses/trade/lens.yaml']}relationships: [${relationships.join(', ')}]\n`;
  const plan = await app.admin('POST', '/project/plan', { files: { ...files, 'lenses/trade/lens.yaml': lens } });
  expect(plan.body.problems).toEqual([]);
});
