import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { cell, sortRows } from './stage.ts';

const TABLES = [
  'create table pupils (pupil_id int primary key, surname varchar(40), predicted_end_of_all_studies_as_of_today date, first_day_of_the_term_of_admission date, remarks varchar(40))',
  "insert into pupils values (1, 'Poe', '2024-05-31', '2020-09-01', 'x'), (2, 'Rae', '2025-05-31', '2022-09-01', 'y'), (3, 'Poe', '2026-05-31', '2023-09-01', 'z')",
  'create table enrolments (enrolment_id int primary key, pupil_id int, points int, enrolled date)',
  "insert into enrolments values (1, 1, 5, '2024-01-10'), (2, 1, 7, '2024-01-31'), (3, 2, 4, '2024-04-02')",
  'create table treatments (treatment_id int primary key, started date)',
  "insert into treatments values (1, '2024-03-01'), (2, '2024-06-15')",
  'create table medicines (medicine_id int primary key, treatment_id int, start_text varchar(20))',
  "insert into medicines values (1, 1, '2024-02-28'), (2, 1, '2024-03-05'), (3, 2, '2024-12-01'), (4, 2, null)",
  'create table claims (claim_identifier int primary key, policy varchar(20))',
  "insert into claims values (1, 'A'), (2, 'B')",
  'create table claim_amounts (claim_amount_identifier int primary key, claim_identifier int, amount int)',
  'insert into claim_amounts values (10, 1, 100), (11, 1, 50), (12, 2, 70), (13, 2, 30)',
  'create table loss_reserves (claim_amount_identifier int primary key)',
  'insert into loss_reserves values (11), (12)',
];
const ENGINES = { duckdb: 'main.', postgres: 'public.' } as const;
const EACH = Object.keys(ENGINES) as (keyof typeof ENGINES)[];
const lensFile = (name: string, schema: string): string =>
  lensText(`name: ${name}
connection: ${name}
datasets:
  pupils: ${schema}pupils (pupil_id integer key, surname string, predicted_end_of_all_studies_as_of_today date, first_day_of_the_term_of_admission date)
  enrolments: ${schema}enrolments (enrolment_id integer key, pupil_id integer, points integer {aggregation: sum}, enrolled date time)
  treatments: ${schema}treatments (treatment_id integer key, started date)
  medicines: ${schema}medicines (medicine_id integer key, start_text string, begun date {expression: cast(start_text as date)})
  claims: ${schema}claims (claim_identifier integer key, policy string)
  claim_amounts: ${schema}claim_amounts (claim_amount_identifier integer key, amount integer {aggregation: sum})
  loss_reserves: ${schema}loss_reserves (claim_amount_identifier integer key)
relationships:
  - {from: enrolments.pupil_id, to: pupils.pupil_id}
  - {from: medicines.treatment_id, to: treatments.treatment_id}
  - {from: claim_amounts.claim_identifier, to: claims.claim_identifier}
  - {from: loss_reserves.claim_amount_identifier, to: claim_amounts.claim_amount_identifier}
grants: {callers: [], groups: []}
`);
const folder = await temporaryFolder();
await createDuckdbFile(join(folder, 'school.duckdb'), ...TABLES);
const url = await createDatabase(...TABLES);
await writeFile(join(folder, 'svc.config.yaml'), '{}\n');
const connections = { duckdb: { kind: 'duckdb', path: './school.duckdb' }, postgres: connectionTo(url) };
const app = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections }),
    ...Object.fromEntries(EACH.map((name) => [`lenses/${name}/lens.yaml`, lensFile(name, ENGINES[name])])),
  },
});
const rowsOf = (data: Record<string, unknown>[]): string[] => sortRows(data.map((row) => Object.values(row).map(cell)));

const PLANS: [string, object, string[], string[]?][] = caseRows(import.meta.dirname, 'refused-before.jsonl', 'plans');

describe.each(EACH)('plans that svc once refused, on %s', (name) => {
  it.each(PLANS)('are answered: %s', async (_about, plan, rows, columns) => {
    const { status, body } = await app.post(`/v1/lenses/${name}/metrics?plan=true`, plan);
    expect([status, body.error?.message, body.confidence]).toEqual([200, undefined, 'verified']);
    expect(rowsOf(body.data)).toEqual(rows);
    if (columns) expect(body.columns.map((column: { name: string }) => column.name)).toEqual(columns);
    const secondReply = await app.post(`/v1/lenses/${name}/metrics?plan=true`, body.plan);
    expect([secondReply.body.sql, secondReply.body.plan]).toEqual([body.sql, body.plan]);
  });

  it('are still refused if they compare text with a date, with the declaration to add', async () => {
    const filters = [{ field: 'medicines.start_text', op: '>', other: { field: 'treatments.started' } }];
    const plan = { rows: 'medicines', dimensions: ['medicines.medicine_id', 'treatments.started'], filters };
    const { status, body } = await app.post(`/v1/lenses/${name}/metrics`, plan);
    expect([status, body.error.details[0].path]).toEqual([422, expect.stringMatching(/^filters\[0\]/)]);
    expect(body.error.message).toContain('expression: cast(start_text as date), datatype: date');
  });
});

/** As analysts write them. Each gets the grade of its plan. */
const STATEMENTS: [string, string][] = caseRows(import.meta.dirname, 'refused-before.jsonl', 'statements');
describe('statements that svc once could not verify', () => {
  it.each(STATEMENTS)('are answered: %s', async (about, sql) => {
    const { body } = await app.post('/v1/sql', { lens: 'postgres', sql, plan: true });
    expect([body.error?.message, body.status]).toEqual([undefined, 'answered']);
    if (about === 'the same by its place') return;
    expect([body.confidence, typeof body.plan]).toEqual(['verified', 'object']);
    const { body: planReply } = await app.post('/v1/lenses/postgres/metrics', body.plan);
    expect(rowsOf(planReply.data)).toEqual(rowsOf(body.data));
  });

  it('are still refused if they select a column that the grouping key does not determine', async () => {
    const sql =
      'select p.surname, count(*) from pupils p join enrolments e on e.pupil_id = p.pupil_id group by e.enrolment_id';
    const { status } = await app.post('/v1/sql', { lens: 'postgres', sql });
    expect(status).not.toBe(200);
  });
});
