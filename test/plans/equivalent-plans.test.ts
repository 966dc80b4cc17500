import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { SentEnvelope } from '../../src/contract/ask.ts';
import { caseRows } from '../support/case-rows.ts';
import { LIFTED } from './equivalent-statements.ts';
import { EVERYDAY, NEAR_MISSES } from './everyday-statements.ts';
import { cell, ENGINES, openPlanStage, sortRows } from './stage.ts';

/** Adds the join columns as fields, so that statements can name them. */
const withKeys = (lens: string): string =>
  lens
    .replace('      kind: {', '      client_id: {datatype: integer}\n      site_id: {datatype: integer}\n      kind: {')
    .replace('      paid_on: {', '      job_id: {datatype: integer}\n      paid_on: {')
    .replace(
      '      hired: {',
      `${mechanicFieldsOf(lens)
        .map((line) => `      ${line}\n`)
        .join('')}      hired: {`,
    );
const LONG = [
  'highest_hourly_rate_that_was_agreed_with_the_mechanic_so_far: {datatype: decimal, expression: hourly_rate}',
  'lowest_hourly_rate_that_was_agreed_with_the_mechanic_so_far: {datatype: decimal, expression: hourly_rate}',
  'name_of_the_mechanic_as_it_stands_in_the_contract_of_employment: {datatype: string, expression: mechanic_name}',
];
/** MySQL has no boolean datatype. */
const mechanicFieldsOf = (lens: string): string[] =>
  lens.startsWith('name: mysql') ? LONG : ['is_senior: {datatype: boolean, expression: hourly_rate > 30}', ...LONG];

/** The lens lists every column of these tables, so svc doesn't replace them. */
const REPLACED = /\(\s*select[^()]*from (?:public\.|main\.)?[`"]?(?:jobs|payments)\b/i;

/** Other data that the lens allows: missing values and rows, dangling keys, equal values, and empty tables. */
const OTHER_DATA: readonly (readonly string[])[] = caseRows(import.meta.dirname, 'lifted.jsonl');
const stage = await openPlanStage(ENGINES, withKeys);

const ask = async (lens: string, sql: string): Promise<SentEnvelope> =>
  (await stage.svc.post<SentEnvelope>('/v1/sql', { lens, sql, limit: 500, plan: true })).body;
const rowsOf = ({ data }: SentEnvelope): string[] => sortRows((data ?? []).map((row) => Object.values(row).map(cell)));
const askByPlan = async (lens: string, { plan }: SentEnvelope): Promise<SentEnvelope> =>
  (await stage.svc.post<SentEnvelope>(`/v1/lenses/${lens}/metrics`, plan)).body;

describe.each(ENGINES)('statements on %s', (engine) => {
  it('get the grade of the plan that they equal', async () => {
    const open: string[] = [];
    const failures: string[] = [];
    for (const { about, sql, metrics = [], without } of LIFTED) {
      if (without === engine) continue;
      const envelope = await ask(engine, sql);
      if (typeof envelope.plan !== 'object' || envelope.plan === null) open.push(about);
      else {
        const planEnvelope = await askByPlan(engine, envelope);
        const graded = [planEnvelope.confidence, envelope.confidence].join(' but ');
        if (planEnvelope.confidence !== envelope.confidence) failures.push(`${about}: ${graded}`);
        if (JSON.stringify(rowsOf(planEnvelope)) !== JSON.stringify(rowsOf(envelope)))
          failures.push(`${about}: other rows`);
        if (!metrics.every((name) => envelope.plan !== null && JSON.stringify(envelope.plan).includes(`"${name}"`)))
          failures.push(`${about}: ${JSON.stringify(envelope.plan)}`);
        if (engine !== 'mysql' && REPLACED.test(envelope.sql!) && !REPLACED.test(sql))
          failures.push(`${about}: ${envelope.sql}`);
      }
    }
    expect({ open, found: failures }).toEqual({ open: [], found: [] });
  });

  it('that only resemble another statement get a different plan that returns their own rows, or no plan', async () => {
    const failures: string[] = [];
    for (const { about, sql, miss } of LIFTED) {
      if (miss === undefined) continue;
      const [right, nearEnvelope] = [await ask(engine, sql), await ask(engine, miss)];
      if (typeof nearEnvelope.plan !== 'object' || nearEnvelope.plan === null) continue;
      const planEnvelope = await askByPlan(engine, nearEnvelope);
      if (JSON.stringify(nearEnvelope.plan) === JSON.stringify(right.plan)) failures.push(`${about}: taken for it`);
      if (nearEnvelope.scope?.sentence === right.scope?.sentence)
        failures.push(`${about}: described alike, ${right.scope?.sentence}`);
      if (JSON.stringify(rowsOf(planEnvelope)) !== JSON.stringify(rowsOf(nearEnvelope)))
        failures.push(`${about}: other rows`);
    }
    expect(failures).toEqual([]);
  });
});

describe('everyday statements', () => {
  it('get the grade of the plan that they equal', async () => {
    const sixMonthsAgo = DateTime.utc().startOf('day').minus({ months: 6 }).toISODate()!;
    const differences: unknown[] = [];
    for (const { about, sql, plan } of EVERYDAY) {
      const envelope = await ask('postgres', sql);
      if (
        JSON.stringify(envelope.plan) !== JSON.stringify(plan).replace('{six months ago}', sixMonthsAgo) ||
        envelope.confidence !== 'verified'
      )
        differences.push({ about, said: envelope.plan, confidence: envelope.confidence });
    }
    expect(differences).toEqual([]);
  });

  it('that only resemble another one don’t get its plan', async () => {
    const failures: string[] = [];
    for (const { about, sql, looksLike } of NEAR_MISSES) {
      const [nearEnvelope, otherEnvelope] = [await ask('postgres', sql), await ask('postgres', looksLike)];
      if (nearEnvelope.status !== 'answered' || otherEnvelope.status !== 'answered')
        failures.push(`${about}: ${nearEnvelope.error?.message}`);
      if (
        typeof nearEnvelope.plan === 'object' &&
        JSON.stringify(nearEnvelope.plan) === JSON.stringify(otherEnvelope.plan)
      )
        failures.push(`${about}: taken for it`);
    }
    expect(failures).toEqual([]);
  });

  it('have the rows of their plan, whatever the tables contain', async () => {
    const failures: string[] = [];
    for (const [at, changes] of OTHER_DATA.entries()) {
      for (const change of changes) await stage.byHand('postgres', change);
      for (const { about, sql } of [...EVERYDAY, ...NEAR_MISSES]) {
        const envelope = await ask('postgres', sql);
        if (typeof envelope.plan !== 'object' || envelope.plan === null) continue;
        const planEnvelope = await askByPlan('postgres', envelope);
        // If no row has the value, svc asks for clarification or refuses the plan.
        if (planEnvelope.status === 'clarification' || / is not a value of /.test(planEnvelope.answer ?? '')) continue;
        if (planEnvelope.status !== 'answered')
          failures.push(`${about}, data ${at}: ${planEnvelope.error?.message ?? planEnvelope.status}`);
        else if (JSON.stringify(rowsOf(planEnvelope)) !== JSON.stringify(rowsOf(envelope)))
          failures.push(`${about}, data ${at}`);
      }
    }
    expect(failures).toEqual([]);
  }, 120_000);
});

it('names the plan that a statement equals, or the first part that no plan can express', async () => {
  const said = async (sql: string): Promise<string> =>
    (await ask('postgres', sql)).checks.find(({ name }) => name === 'governed_metrics')!.detail;
  expect(await said('select kind, sum(price) from jobs group by kind')).toBe(
    'The SQL is equivalent to this plan: {"metrics":["revenue"],"dimensions":["jobs.kind"]}',
  );
  expect(await said("select kind || ' job', count(*) from jobs group by kind || ' job'")).toMatch(
    /^A plan can’t show or group by this expression: .*kind.*\|\|.*\./,
  );
  expect(await said('select client_id from jobs union select client_id from clients')).toMatch(/union/);
  expect(await said('select client_name from clients where client_id not in (select client_id from jobs)')).toMatch(
    /NOT EXISTS/,
  );
  expect(await said('select kind, stddev(price) from jobs group by kind')).toMatch(/this measure: stddev\(/);
  const undeclared = await ask('postgres', 'select count(*) from jobs j join parts p on p.part_id = j.rating');
  expect(undeclared.checks.find(({ name }) => name === 'joins_declared')!.detail).toMatch(
    /\{from: jobs\.rating, to: parts\.part_id\}/,
  );
});

it('finds no plan for rows that a plan would sort or rank differently', async () => {
  const weekdays = 'select dayname(opened) as weekday, count(*) as n from jobs group by 1';
  expect((await ask('duckdb', weekdays)).plan).toEqual({
    dimensions: ['jobs.opened.weekday'],
    measures: [{ fn: 'count', rows: 'jobs' }],
  });
  const planOf = async (sql: string) => (await ask('duckdb', sql)).plan;
  expect(await planOf(`${weekdays} order by 1 limit 2`)).toBe('caller_sql');
  const ranked = 'select kind, n from (select kind, count(*) as n, rank() over (order by count(*) desc) as r from jobs';
  expect(await planOf(`${ranked} group by kind) as ranked where r <= 2`)).toBe('caller_sql');
});

it('generates column names that are never longer than an engine allows', async () => {
  const gap = {
    fn: 'difference',
    of: [
      { fn: 'max', field: 'mechanics.highest_hourly_rate_that_was_agreed_with_the_mechanic_so_far' },
      { fn: 'min', field: 'mechanics.lowest_hourly_rate_that_was_agreed_with_the_mechanic_so_far' },
    ],
  };
  const plan = {
    measures: [
      { fn: 'over_groups', take: 'avg', of: gap, per: ['mechanics'], as: 'average_gap' },
      { fn: 'round', of: gap },
      { fn: 'count', field: 'mechanics.highest_hourly_rate_that_was_agreed_with_the_mechanic_so_far' },
    ],
    dimensions: ['mechanics.name_of_the_mechanic_as_it_stands_in_the_contract_of_employment'],
  };
  for (const engine of ENGINES) {
    const { body } = await stage.svc.post<SentEnvelope>(`/v1/lenses/${engine}/metrics`, plan);
    expect(body.error?.message ?? body.status, engine).toBe('answered');
    expect(body.data![0], engine).toHaveProperty('average_gap');
    expect(
      Object.keys(body.data![0]!).filter((name) => name.length > 63),
      engine,
    ).toEqual([]);
  }
});

it('refuses two datasets that no row connects, and suggests another way', async () => {
  const { body } = await stage.svc.post('/v1/lenses/postgres/metrics', {
    dimensions: ['payments.amount', 'visits.minutes'],
  });
  expect(body.error.message).toMatch(/List each in its own plan, or ask for one of them with a condition/);
});

it('includes today in a period on request', async () => {
  const today = DateTime.utc().startOf('day');
  const during = async (text: string) =>
    (await stage.svc.post('/v1/lenses/postgres/metrics', { metrics: ['revenue'], time: { during: text } })).body.scope;
  const to = today.plus({ day: 1 }).toISODate();
  for (const words of ['including today', 'inclusive of today'])
    expect((await during(`last 7 days ${words}`)).time).toMatchObject({
      ...{ from: today.minus({ days: 6 }).toISODate(), to },
    });
  expect((await during('last 7 days from today')).time.from).toBe(today.minus({ days: 7 }).toISODate());
});

it('reads today and yesterday as values of a date and as ends of a period', async () => {
  const today = DateTime.utc().startOf('day');
  const [day, dayBefore] = [today.toISODate(), today.minus({ days: 1 }).toISODate()];
  const scopeOf = async (restriction: object) =>
    (await stage.svc.post('/v1/lenses/postgres/metrics', { metrics: ['job_count'], ...restriction })).body.scope;
  const filters = [{ field: 'jobs.closed', op: '<', values: ['today'] }];
  const scope = await scopeOf({ filters });
  expect(scope.filters).toEqual([{ field: 'jobs.closed', op: '<', values: [day] }]);
  expect(scope.sentence).toContain(`closed is before ${day}`);
  const between = [{ field: 'jobs.opened', op: 'between', values: ['yesterday', 'Today'] }];
  expect((await scopeOf({ filters: between })).filters[0].values).toEqual([dayBefore, day]);
  const time = { field: 'jobs.opened', from: '2024-01-01', to: 'today' };
  expect((await scopeOf({ time })).time).toMatchObject({ from: '2024-01-01', to: day });
  const texts = [{ field: 'jobs.kind', op: 'contains', values: ['today'] }];
  expect((await scopeOf({ filters: texts })).filters[0].values).toEqual(['today']);
});
it('refuses other words than the name of a day as a date', async () => {
  const filters = [{ field: 'jobs.closed', op: '<', values: ['last month'] }];
  const { status, body } = await stage.svc.post('/v1/lenses/postgres/metrics', { metrics: ['job_count'], filters });
  expect([status, body.error.message]).toEqual([422, expect.stringContaining('today or yesterday')]);
});

it('states that two fields are equal', async () => {
  const filters = [{ field: 'jobs.closed', other: { field: 'jobs.promised' } }];
  const { body } = await stage.svc.post('/v1/lenses/postgres/metrics', { metrics: ['job_count'], filters });
  expect(body.scope.sentence).toBe('Job count where closed equals promised.');
});
it('names the place of a condition that compares incompatible fields', async () => {
  const { body } = await stage.svc.post('/v1/lenses/postgres/metrics', {
    rows: 'jobs',
    dimensions: ['jobs.kind', 'jobs.opened'],
    filters: [{ field: 'jobs.opened', op: '>', other: { field: 'jobs.kind' } }],
  });
  expect(body.error.details[0].path).toMatch(/^filters\[0\]/);
});

it('returns the plan, its scope and its grade for a statement that equals a plan', async () => {
  const sql =
    "select c.city, sum(j.price) from jobs j left join clients c on c.client_id = j.client_id where j.opened >= '2024-01-01' and j.opened < '2024-04-01' group by c.city";
  const envelope = await ask('postgres', sql);
  expect(envelope).toMatchObject({
    confidence: 'verified',
    certification: 'none',
    plan: { metrics: ['revenue'], dimensions: ['clients.city'], time: { from: '2024-01-01', to: '2024-04-01' } },
    scope: { time: { from: '2024-01-01' }, sentence: expect.stringMatching(/revenue/i) },
  });
  expect(envelope.checks.find(({ name }) => name === 'governed_metrics')!.outcome).toBe('pass');
  // By default, `plan` states the origin of the statement.
  expect((await stage.svc.post('/v1/sql', { lens: 'postgres', sql })).body.plan).toBe('caller_sql');
});

it('names the role of related rows, and separates conditions on related rows', async () => {
  const filters = [{ not_exists: 'jobs', via: 'place' }, { exists: 'mechanics' }];
  const plan = { measures: [{ fn: 'count', rows: 'sites' }], filters };
  const { body } = await stage.svc.post<SentEnvelope>('/v1/lenses/postgres/metrics', plan);
  expect(body.scope?.sentence).toBe('Number of sites without jobs as place and with mechanics.');
});

it.each(['mechanics.bench', 'jobs.place'])(
  'names the join path %s if several paths lead to the dataset',
  async (path) => {
    const plan = {
      measures: [{ fn: 'count', rows: 'visits' }],
      filters: [{ field: `${path}.region`, op: '=', values: ['north'] }],
    };
    const { body } = await stage.svc.post<SentEnvelope>('/v1/lenses/postgres/metrics', plan);
    expect(body.scope?.sentence).toMatch(` The join to sites goes through ${path.replace('.', ', ')}.`);
  },
);

it('G15: leaves deeply nested SQL as written instead of expanding it at each level', async () => {
  const within = '(select max(price) from jobs where price = ';
  const sql = `select count(*) as n from jobs where price = ${within.repeat(30)}1${')'.repeat(30)}`;
  expect(await ask('postgres', sql)).toMatchObject({ status: 'answered', plan: 'caller_sql' });
});

it('refuses a date that doesn’t exist as the engine does', async () => {
  for (const date of ['2024-13-45', 'soon']) {
    const sql = `select sum(price) from jobs where opened between '2024-02-01' and '${date}'`;
    const { status, body } = await stage.svc.post('/v1/sql', { lens: 'postgres', sql });
    expect([status, body.error?.code]).toEqual([422, 'invalid']);
  }
});
