import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { type Reply, SHOP, startTestApp } from '../support/app.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { longestStall } from '../support/stalls.ts';

const app = await startTestApp();
const base = await loadProjectFolder(SHOP);

const range = (n: number, f: (i: number) => string) => Array.from({ length: n }, (_, i) => f(i)).join('');
const N = 20_000;
const wideLens = (body: string) => `name: wide\nconnection: shop\n${body}`;
const cases: Record<string, () => Record<string, string>> = {
  'unknown keys': () => ({ 'lenses/wide/lens.yaml': wideLens(range(N, (i) => `k${i}: 1\n`)) }),
  fields: () => ({
    'lenses/wide/lens.yaml': wideLens(
      `datasets:\n  orders:\n    source: main.orders\n    fields:\n${range(N / 2, (i) => `      f${i}: {datatype: string, expression: region}\n`)}`,
    ),
  }),
  'fields no expr': () => ({
    'lenses/wide/lens.yaml': wideLens(
      `datasets:\n  orders:\n    source: main.orders\n    fields:\n${range(N, (i) => `      f${i}: {datatype: string}\n`)}`,
    ),
  }),
  datasets: () => ({
    'lenses/wide/lens.yaml': wideLens(
      `datasets:\n${range(N / 50, (i) => `  d${i}: {source: main.orders, fields: {region: {datatype: string}}}\n`)}`,
    ),
  }),
  metrics: () => ({
    'lenses/wide/lens.yaml': wideLens(
      `datasets:\n  orders: {source: main.orders, fields: {sales: {datatype: decimal}}}\nmetrics:\n${range(N / 4, (i) => `  m${i}: {dataset: orders, expression: sum(sales)}\n`)}`,
    ),
  }),
  certified: () => ({
    'lenses/shop/certified/wide.yaml': range(
      N / 2,
      (i) => `- {id: w${i}, question: "question number ${i}", sql: "select 1 as one"}\n`,
    ),
  }),
  evals: () => ({
    'lenses/shop/evals/wide.yaml': range(
      N / 2,
      (i) => `- {id: w${i}, question: "question number ${i}", expect: {status: answered}}\n`,
    ),
  }),
  connections: () => ({
    'svc.config.yaml': base['svc.config.yaml']!.replace(
      'connections:\n',
      `connections:\n${range(N / 20, (i) => `  c${i}: {kind: duckdb, path: ./nowhere${i}.duckdb}\n`)}`,
    ),
  }),
  groups: () => ({
    'svc.config.yaml':
      `${base['svc.config.yaml']!}\n`.replace(/groups:.*\n/, '') +
      `groups:\n${range(N / 5, (i) => `  g${i}: {lenses: [nothing${i}]}\n`)}`,
  }),
  definitions: () => ({
    'semantic/definitions.yaml': range(N / 3, (i) => `- {term: "term ${i}", meaning: "meaning of ${i}"}\n`),
  }),
  'dup ids': () => ({
    'lenses/shop/certified/wide.yaml': range(
      N / 2,
      () => `- {id: w, question: "question number", sql: "select 1 as one"}\n`,
    ),
  }),
  'many files': () =>
    Object.fromEntries(
      Array.from({ length: N / 50 }, (_, i) => [
        `lenses/shop/evals/f${i}.yaml`,
        `- {id: w${i}, question: "question number ${i}", expect: {status: answered}}\n`,
      ]),
    ),
  'stray files': () => Object.fromEntries(Array.from({ length: N - 100 }, (_, i) => [`x${i}.yaml`, ``])),
  synonyms: () => ({
    'lenses/wide/lens.yaml': wideLens(
      `datasets:\n${range(N / 200, (i) => `  d${i}: {source: main.orders, synonyms: [${range(90, (k) => `s${i}x${k}, `)}], fields: {region: {datatype: string}}}\n`)}`,
    ),
  }),
  relationships: () => ({
    'lenses/wide/lens.yaml': wideLens(
      `datasets:\n${range(100, (i) => `  d${i}: {source: main.orders, primary_key: [region], fields: {region: {datatype: string}}}\n`)}relationships:\n${range(N / 10, (i) => `  - {from: d${i % 100}, to: d${(i + 7) % 100}, columns: {region: region}, name: r${i}}\n`)}`,
    ),
  }),
};

it.each(Object.entries(cases))(
  'plans a project with very many %s without blocking the event loop',
  async (_name, make) => {
    let reply: Reply | undefined;
    const stall = await longestStall(async () => {
      reply = await app.admin('POST', '/project/plan', { files: { ...base, ...make() } });
    });
    expect(reply!.status).toBe(200);
    expect(reply!.body.problems.length).toBeLessThanOrEqual(500);
    expect(stall).toBeLessThan(1);
  },
);

it('F16: previews a small change to a wide lens and checks standards without blocking the event loop', async () => {
  const fields = (of: number) => range(1_900, (i) => `      f${of}x${i}: {datatype: string, expression: region}\n`);
  const text = wideLens(
    `datasets:\n${range(5, (of) => `  d${of}:\n    source: main.orders\n    fields:\n${fields(of)}`)}`,
  );
  const project = { files: { ...base, 'lenses/wide/lens.yaml': text } };
  const applyReply = await app.admin('POST', '/project/apply', project);
  expect(applyReply.status, applyReply.text).toBe(200);
  const change = { kind: 'synonym', of: 'field', name: 'd4.f4x1', synonym: 'place' };
  const patch = await app.admin('POST', '/lenses/wide/patches', { change });
  expect(patch.status, patch.text).toBe(201);
  let preview: Reply | undefined;
  const stall = await longestStall(async () => {
    preview = await app.admin('POST', `/lenses/wide/patches/${patch.body.id}/preview`, {});
    await app.admin('GET', '/standards/check');
    const meaning = { kind: 'definition', term: 'revenue', meaning: 'What customers paid.' };
    await app.admin('POST', '/lenses/wide/patches', { change: meaning });
  });
  expect(preview!.status, preview!.text.slice(0, 500)).toBe(200);
  expect(stall).toBeLessThan(1);
});

it('introspects and drafts 120 tables without blocking the event loop', async () => {
  const url = await createDatabase();
  const owner = await connect(url);
  const columns = range(
    30,
    (n) => `, ${['customer_nm', 'order_dt', 'ship_addr', 'net_amt', 'item_qty'][n % 5]}${n} text`,
  );
  await owner.query(range(120, (n) => `create table orders_${n} (orders_${n}_id int primary key${columns});`));
  await owner.end();
  const createReply = await app.admin('POST', '/connections', { name: 'broad', ...connectionTo(url) });
  expect(createReply.status, createReply.text).toBe(201);
  let run: Reply['body'];
  const stall = await longestStall(async () => {
    await app.admin('POST', '/semantic/introspect', { connection: 'broad' });
    const asked = { connection: 'broad', name: 'broad', profile: false };
    const { run_id } = (await app.admin('POST', '/semantic/introspect/draft', asked)).body;
    run = await app.runEnds(run_id);
  });
  expect(run).toMatchObject({ state: 'succeeded', result: { tables: 120 } });
  expect(stall).toBeLessThan(1);
});

it('refuses a file over a limit and names the limit', async () => {
  const firstProblem = async (files: Record<string, string>) =>
    (await app.admin('POST', '/project/plan', { files: { ...base, ...files } })).body.problems[0];
  const nested = `${'['.repeat(101)}${']'.repeat(101)}`;
  expect(await firstProblem({ 'lenses/wide/lens.yaml': wideLens(`a: ${nested}`) })).toMatchObject({
    message: 'This value is nested more than 100 levels deep. Use fewer levels.',
  });
  expect(await firstProblem({ 'lenses/wide/lens.yaml': wideLens(range(50_001, (i) => `k${i}: 1\n`)) })).toMatchObject({
    code: 'too_large',
    message: 'The file has more than 50000 keys and list items. Split it.',
  });
  // Parsing takes cubic time: a file of 240 KB once blocked its thread for the full 15 s.
  for (const properties of ['&a '.repeat(80_000), '!!str '.repeat(40_000), '&a #\n  '.repeat(30_000)])
    expect(await firstProblem({ 'lenses/wide/lens.yaml': wideLens(`a: ${properties}1`) })).toMatchObject({
      code: 'too_large',
      message: 'The file has more than 100 anchors and tags in a row. A value can have one of each.',
    });
  const fields = range(2_001, (i) => `      f${i}: {datatype: string}\n`);
  expect(
    await firstProblem({ 'lenses/wide/lens.yaml': wideLens(`datasets:\n  a:\n    source: a\n    fields:\n${fields}`) }),
  ).toMatchObject({
    pointer: '/datasets/a/fields',
    message: expect.stringContaining('must have at most 2000 fields'),
  });
  const twice = `datasets: {}\n${range(5_000, (i) => `k${i}: 1\n`)}k17: 2\n`;
  expect(await firstProblem({ 'lenses/wide/lens.yaml': wideLens(twice) })).toMatchObject({
    ...{ code: 'duplicate_key', line: 5_004, column: 1 },
  });
});

it('refuses to compare versions that differ in too many lines, and names the file', {
  timeout: 120_000,
}, async () => {
  const path = 'lenses/shop/lens.yaml';
  for (const version of ['a', 'b']) {
    const files = { ...base, [path]: `${base[path]}\n${range(14_000, (i) => `# ${version}${i}\n`)}` };
    expect((await app.admin('POST', '/project/apply', { files })).status).toBe(200);
  }
  const { version } = (await app.admin('GET', '/lenses/shop')).body;
  const compared = await app.admin('GET', `/lenses/shop/diff?from=${version - 1}&to=${version}`);
  expect(compared.body.error).toMatchObject({ code: 'too_large', message: expect.stringContaining('line by line') });
  expect(compared.body.error.message).toContain('lens.yaml');
});
