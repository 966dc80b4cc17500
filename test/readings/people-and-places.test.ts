// Questions about names in two parts, roles, governed fields, days and places, compared with SQL by hand.
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const LENS = lensText(`
name: fleet
title: Fleet
description: Shifts of drivers.
connection: fleet
timezone: UTC
datasets:
  employees: public.employees (id integer key, first_name string, last_name string, manager_id integer)
  shifts: public.shifts (id integer key, employee_id integer, driver_id integer, day date time, depot string auto, town string auto, route_kind string auto, hours decimal {unit: h})
  buses: public.buses (id integer key, built_year integer)
relationships:
  - {from: employees.manager_id, to: employees.id, name: manager}
  - {from: shifts.employee_id, to: employees.id}
  - {from: shifts.driver_id, to: employees.id, name: driver}
metrics:
  total_hours: {expression: sum(shifts.hours), description: Hours of work., unit: h, time_field: shifts.day}
definitions:
  - {term: line of service, meaning: The kind of the route., field: shifts.route_kind}
`);
const url = await createDatabase();
const db = await connect(url, { types: { getTypeParser: () => (text: string) => text } });
await db.query(`create table employees (id int primary key, first_name text, last_name text, manager_id int references employees);
  create table shifts (id int primary key, employee_id int references employees, driver_id int references employees, day date,
    depot text, town text, route_kind text, hours numeric(6, 2));
  create table buses (id int primary key, built_year int);
  insert into employees values (1, 'Ada', 'Berg', null), (2, 'Ada', 'Holm', 1), (3, 'Ivo', 'Berg', 1), (4, 'Ivo', 'Kral', 2);
  insert into shifts select i, 1 + i % 4, 1 + (i / 2) % 4, date '2016-03-10' + i % 9, (array['South', 'East', 'North'])[1 + i % 3],
    (array['서울', 'Łódź', 'Graz'])[1 + i % 3], (array['night', 'express'])[1 + i % 2], i from generate_series(1, 40) i;
  insert into buses select i, 2014 + i % 5 from generate_series(1, 12) i`);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': `connections: ${JSON.stringify({ fleet: connectionTo(url) })}\n`,
    'lenses/fleet/lens.yaml': LENS,
  },
});
const ask = async (q: string): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/fleet/query', { q, format: 'structured' })).body;
const textsOf = (rows: unknown[][]): string[][] =>
  rows.map((row) => row.map((cell) => (/^-?\d+\.\d+$/.test(String(cell)) ? String(Number(cell)) : String(cell))));

it.each([
  [
    'total hours by driver name',
    'select first_name, last_name, sum(hours) from shifts join employees e on e.id = driver_id group by e.id order by e.id',
  ],
  ['first and last names of employees', 'select first_name, last_name from employees'],
  ['total hours by line of service', 'select route_kind, sum(hours) from shifts group by 1'],
  ['total hours on 15 March 2016', "select sum(hours) from shifts where day = '2016-03-15'"],
  ['total hours on March 16, 2016', "select sum(hours) from shifts where day = '2016-03-16'"],
  ['total hours in 서울', "select sum(hours) from shifts where town = '서울'"],
  ['total hours in ŁÓDŹ', "select sum(hours) from shifts where town = 'Łódź'"],
  ['number of buses in 2016', 'select count(*) from buses where built_year = 2016'],
  ['number of buses from 2015 to 2017', 'select count(*) from buses where built_year between 2015 and 2017'],
])('answers like SQL written by hand: %s', async (question, sql) => {
  const { status, data, answer } = await ask(question);
  expect(status, answer ?? '').toBe('answered');
  const { rows } = await db.query({ text: sql, rowMode: 'array' });
  expect(textsOf((data ?? []).map((row) => Object.values(row))).sort()).toEqual(textsOf(rows).sort());
});

it.each([
  ['total hours by depot sorted by depot', 'order by 1'],
  ['total hours by depot sorted by depot descending', 'order by 1 desc'],
])('sorts groups by a field: %s', async (question, order) => {
  const { data } = await ask(question);
  const sql = `select depot, sum(hours) from shifts group by 1 ${order}`;
  const { rows } = await db.query({ text: sql, rowMode: 'array' });
  expect(textsOf((data ?? []).map((row) => Object.values(row)))).toEqual(textsOf(rows));
});

it.each([
  // A plan can't group by, count or sort by a name in two columns.
  'total hours by driver full name',
  'how many different employee full names',
  'employees ordered by full name',
  'list the driver full name of shifts',
  'list the manager name of employees',
  'total hours by depot sorted by town',
  'number of buses in March 2016',
])('doesn’t answer “%s”', async (question) => {
  const { status, confidence, scope } = await ask(question);
  expect(status, `${confidence} ${scope?.sentence}`).not.toBe('answered');
});
