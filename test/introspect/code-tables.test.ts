// A draft takes the meanings of codes from a code table with several code lists. The schema is that of a theater, whose
// table lookup has the codes of shows, props and genres.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rows = (count: number, ...codes: string[]): string =>
  Array.from({ length: count }, (_, row) => {
    const values = codes.map((list) => list.split(' ')[row % list.split(' ').length]);
    return `(${[row + 1, ...values.map((value) => `'${value}'`)].join(', ')})`;
  }).join(', ');
const STATEMENTS = [
  'create table lookup (list varchar, cd char(4), owner_name varchar, card_number varchar, wording varchar, wording_fr varchar)',
  `insert into lookup values
    ('SHOW_ST', 'P', 'Ada Smith-Jones', 'NL02TEST10', 'Planned', 'prévu'),
    ('SHOW_ST', 'R', 'Bob Miller', 'NL02TEST11', 'Running', null),
    ('SHOW_ST', 'C', 'Cy Brown', 'NL02TEST12', 'Closed (season over)', 'fini'),
    ('SHOW_ST', 'X', 'Di Taylor', 'NL02TEST13', 'Cancelled', 'annulé'),
    ('PROP_ST', 'C', 'Ed Davis', 'NL02TEST14', 'Checked out', 'sorti'),
    ('PROP_ST', 'R', 'Flo Wilson', 'NL02TEST15', 'In repair', 'en réparation'),
    ('PROP_ST', 'S', 'Gus Moore', 'NL02TEST16', 'In storage', 'en dépôt'),
    ('PROP_ST', 'X', 'Hal White', 'NL02TEST17', 'Scrapped', 'jeté'),
    ('GENRE', '10', 'Ivy Green', 'NL02TEST18', 'Comedy', 'comédie'),
    ('GENRE', '20', 'Jo Black', 'NL02TEST19', 'Tragedy', 'tragédie'),
    ('GENRE', '30', 'Kay Hall', 'NL02TEST20', 'Opera', 'opéra')`,
  'create table shows (show_id int primary key, status varchar, genre_cd varchar, genre_class int)',
  `insert into shows values ${rows(40, 'R R R X C', '10 20 30', '10 30')}`,
  'create table props (prop_id int primary key, condition_code varchar, wear_status varchar, loan_status varchar, ward_status varchar)',
  `insert into props values ${rows(40, 'S X R', 'C R X', 'C R Z', 'R X C')}`,
  "comment on column props.wear_status is 'C = clean, R = ragged, X = torn'",
  "comment on column props.ward_status is 'Set by the workshop, list SHOW_ST'",
  'create table fees (genre_cd varchar, season int, fee int, primary key (genre_cd, season))',
  "insert into fees values ('10', 1, 5), ('10', 2, 6), ('20', 1, 7)",
  'create table reviews (review_id int primary key, mood_code varchar)',
  `insert into reviews values ${rows(40, 'R C')}`,
  'create table bookings (booking_id int primary key, run_type varchar, seat_type varchar)',
  `insert into bookings values ${rows(12_000, 'P R', 'P R')}`,
  "update bookings set seat_type = 'S' where booking_id = 12000",
];

describe.each(['duckdb', 'postgres'])('a code table with several lists in %s', (engine) => {
  let app: TestApp;
  let text: string;
  let findings: { topic: string; about: string; message: string }[];
  const fieldsOf = (dataset: string) => parse(text).datasets[dataset].fields;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    if (engine === 'duckdb') await createDuckdbFile(join(folder, 'theater.duckdb'), ...STATEMENTS);
    const theater =
      engine === 'duckdb'
        ? { kind: 'duckdb', path: './theater.duckdb' }
        : connectionTo(await createDatabase(...STATEMENTS));
    const files = { 'svc.config.yaml': JSON.stringify({ connections: { theater } }) };
    app = await startTestApp({ project: folder, files });
    const draft = await app.draftLens('theater');
    text = draft.text;
    findings = draft.run.result.look_at;
    expect((await app.publishLens('theater', text)).body).toMatchObject({ version: 1, warnings: [] });
  }, 120_000);

  it('lists the values with their meanings in each language, but without personal data', () => {
    expect(fieldsOf('props').condition_code.values).toEqual([
      { value: 'R', synonyms: ['in repair', 'en réparation'] },
      { value: 'S', synonyms: ['in storage', 'en dépôt'] },
      { value: 'X', synonyms: ['scrapped', 'jeté'] },
    ]);
    expect(fieldsOf('shows').status.values).toEqual([
      { value: 'C', synonyms: ['closed', 'closed (season over)', 'fini'] },
      { value: 'R', synonyms: ['running'] },
      { value: 'X', synonyms: ['cancelled', 'annulé'] },
    ]);
    expect(fieldsOf('shows').genre_class.values[1]).toEqual({ value: 30, synonyms: ['opera', 'opéra'] });
  });

  it('infers a list if it alone has all values, or the name or comment of the column names it, and keeps the meanings in comments', () => {
    const facts = parse(text).facts.filter(({ kind }: { kind: string }) => kind === 'codes');
    // No fact is about reviews.mood_code, props.loan_status and bookings.seat_type. Two lists have the codes R and C, no
    // list has Z, and only the last booking has the seat type S, which a sample can lack.
    expect(
      Object.fromEntries(
        facts.map(({ of, origin, evidence }: Record<string, string>) => [of, `${origin}: ${evidence}`]),
      ),
    ).toEqual({
      'shows.status': 'inferred: all 3 values are codes of SHOW_ST in lookup',
      'shows.genre_cd': 'inferred: all 3 values are codes of GENRE in lookup',
      'fees.genre_cd': 'inferred: all 2 values are codes of GENRE in lookup',
      'shows.genre_class': 'inferred: all 2 values are codes of GENRE in lookup',
      'props.condition_code': 'inferred: all 3 values are codes of PROP_ST in lookup',
      'props.ward_status': 'inferred: all 3 values are codes of SHOW_ST in lookup',
      'props.wear_status': 'declared: column comment',
      'bookings.run_type': 'inferred: all 2 values are codes of SHOW_ST in lookup',
    });
  });

  it('names the equally probable lists of a column', () => {
    const codeFindings = findings.filter(({ topic }) => topic === 'code');
    expect(Object.fromEntries(codeFindings.map(({ about, message }) => [about, message]))).toEqual({
      'reviews.mood_code': 'has the values C, R, which may be codes of PROP_ST in lookup or SHOW_ST in lookup',
      'props.loan_status': 'has the values C, R, Z',
      'lookup.cd': expect.stringMatching(/^has the values C, R, X/),
      'bookings.seat_type': expect.stringMatching(/^has the values [PR], [PR]/),
    });
  });

  it('answers questions and plans that use a description instead of the code', async () => {
    const question = { q: 'How many closed shows?' };
    const { body: answer } = await app.post('/v1/lenses/theater/query', question, app.adminToken);
    expect([answer.data.map(Object.values), answer.confidence]).toEqual([[[8]], 'partial']);
    const plan = { metrics: ['show_count'], filters: [{ field: 'shows.status', op: '=', values: ['cancelled'] }] };
    const { body } = await app.post('/v1/lenses/theater/metrics', plan, app.adminToken);
    expect([body.data.map(Object.values), body.confidence]).toEqual([[[8]], 'partial']);
    const groups = { metrics: ['show_count'], dimensions: ['shows.status'] };
    expect((await app.post('/v1/lenses/theater/metrics', groups, app.adminToken)).body.confidence).toBe('verified');
    const facts = (await app.admin('GET', '/lenses/theater/facts')).body;
    expect(facts.items).toContainEqual(
      expect.objectContaining({
        id: 'codes:shows.status',
        origin: 'inferred',
        evidence: 'all 3 values are codes of SHOW_ST in lookup',
      }),
    );
  });
});
