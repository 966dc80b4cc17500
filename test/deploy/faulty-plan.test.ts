import { expect, test } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

interface Plan {
  changes: { kind: string; name: string; action: string }[];
  problems: { path: string; code: string }[];
}
const app = await startTestApp();
await app.mintCaller({ name: 'regional', attributes: { region: 'West' } });
const files = await loadProjectFolder(SHOP);

const plan = async (changedFiles: Record<string, string>): Promise<Plan> =>
  (await app.admin<Plan>('POST', '/project/plan', { files: { ...files, ...changedFiles } })).body;
const deletedNames = ({ changes }: Plan) => changes.filter(({ action }) => action === 'delete');

test('reports a lens file that does not parse as a problem, and plans no deletion', async () => {
  const { problems, ...rest } = await plan({ 'lenses/shop/lens.yaml': 'name: [shop\n' });
  expect(problems.map(({ path }) => path)).toContain('lenses/shop/lens.yaml');
  expect(deletedNames({ problems, ...rest })).toEqual([]);
});

test('reports an unknown key in a lens file as a problem, and plans no deletion', async () => {
  const faultyPlan = await plan({ 'lenses/shop/lens.yaml': `${files['lenses/shop/lens.yaml']}\nmetrix: {}\n` });
  expect(faultyPlan.problems).toMatchObject([
    { path: 'lenses/shop/lens.yaml', line: 44, column: 1, code: 'unknown_key' },
  ]);
  expect(deletedNames(faultyPlan)).toEqual([]);
});

test.each(['svc.config.yaml', 'semantic/definitions.yaml', 'lenses/shop/certified/core.yaml'])(
  'plans no deletion when %s has a syntax error',
  async (path) => {
    const faultyPlan = await plan({ [path]: '- [' });
    expect(faultyPlan.problems.map((problem) => problem.path)).toContain(path);
    expect(deletedNames(faultyPlan)).toEqual([]);
  },
);

test('plans to delete a lens that the project no longer names, with its certified entries', async () => {
  const otherFiles = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('lenses/shop/')));
  otherFiles['svc.config.yaml'] = otherFiles['svc.config.yaml']!.replace('[shop]', '[stock]');
  const { body } = await app.admin<Plan>('POST', '/project/plan', { files: otherFiles });
  expect(body.problems).toEqual([]);
  expect(deletedNames(body).map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['lens shop', expect.stringMatching(/^certified shop\//)]),
  );
});

test('plans no changes for unchanged files after a faulty plan', async () => {
  await plan({ 'lenses/shop/lens.yaml': 'name: [shop\n' });
  const laterPlan = await plan({});
  expect(laterPlan.problems).toEqual([]);
  expect(laterPlan.changes.every(({ action }) => action === 'none')).toBe(true);
});

test.each([
  ['{datatype: date, expression: "cast(order_date as timestamp)"}', []],
  [
    '{datatype: date, expression: "cast(order_date as timestamp) + interval \'90\' minute"}',
    [expect.stringContaining('orders.order_date is declared as date, but its values have times of day')],
  ],
  ['{datatype: datetimetz}', [expect.stringContaining('but is date in the warehouse. A date has no time zone.')]],
])('checks the values of a date that is declared as %s', async (declaration, messages) => {
  const lens = files['lenses/shop/lens.yaml']!.replace('timezone: UTC', 'timezone: Europe/Oslo');
  const changedLens = lens.replace('order_date: {datatype: date}', `order_date: ${declaration}`);
  const { problems } = await plan({ 'lenses/shop/lens.yaml': changedLens });
  const place = { path: 'lenses/shop/lens.yaml', pointer: '/datasets/orders/fields/order_date/datatype' };
  expect(problems).toMatchObject(messages.map((message) => ({ ...place, message })));
});

test('warns about constants of metrics, definitions and row policies that no row has, and suggests the nearest value', async () => {
  const lens = files['lenses/shop/lens.yaml']!.replace(
    'metrics:',
    `metrics:
  north: {expression: sum(orders.sales), filter: "orders.region = 'North'"}
  western: {expression: "count(case when orders.region in ('West', 'Wset') then 1 end)"}
  fine: {expression: sum(orders.sales), filter: "orders.region <> 'East' and orders.sales > 0"}`,
  ).replace(
    'definitions:',
    `definitions:
  - {term: home line, meaning: A line of a home office., filter: "orders.segment = 'Home Ofice'"}`,
  );
  const { body } = await app.admin<{ warnings: string[] }>('POST', '/project/plan', {
    files: { ...files, 'lenses/shop/lens.yaml': lens },
  });
  expect(body.warnings.filter((warning) => warning.includes('No row of'))).toEqual([
    expect.stringContaining('No row of orders.region has the value "North"'),
    expect.stringContaining('No row of orders.region has the value "Wset". Did you mean West'),
    expect.stringContaining('No row of orders.segment has the value "Home Ofice". Did you mean Home Office'),
  ]);
});

test('warns about fresh_for without data_as_of', async () => {
  const lens = files['lenses/shop/lens.yaml']!.replace(/^data_as_of:.*$/m, 'fresh_for: P1D');
  const request = { files: { ...files, 'lenses/shop/lens.yaml': lens } };
  const { body } = await app.admin<{ warnings: string[] }>('POST', '/project/plan', request);
  expect(body.warnings).toEqual(expect.arrayContaining([expect.stringContaining('only if the lens has data_as_of')]));
});

test('warns about a grant to an unknown caller, and suggests the nearest name', async () => {
  await app.mintCaller({ name: 'adeline' });
  const lens = files['lenses/shop/lens.yaml']!.replace(/^grants:.*$/m, '');
  const { body } = await app.admin('POST', '/project/plan', {
    files: { ...files, 'lenses/shop/lens.yaml': `${lens}\ngrants: {callers: [adelin, adeline]}\n` },
  });
  expect(body.problems).toEqual([]);
  expect(body.warnings).toContain(
    'A grant gives caller "adelin" access to shop, but no caller has this name yet. Did you mean adeline?',
  );
});

test('accepts an integer as a flag, and a string that is compared with a number', async () => {
  for (const filter of ['orders.row_id', 'orders.region <> 7']) {
    const text = files['lenses/shop/lens.yaml']!.replace(
      'unit: USD}\n  profit_ratio',
      `unit: USD, filter: ${filter}}\n  profit_ratio`,
    );
    expect(text).toContain(filter);
    const { body } = await app.admin('POST', '/project/plan', { files: { ...files, 'lenses/shop/lens.yaml': text } });
    expect([filter, body.problems]).toEqual([filter, []]);
  }
});

test('warns of a row policy for a group that no file declares', async () => {
  const lensPath = 'lenses/shop/lens.yaml';
  const text = files[lensPath]!.replace('groups: [field]', 'groups: [auditors]');
  const { body } = await app.admin('POST', '/project/plan', { files: { ...files, [lensPath]: text } });
  expect(body.problems).toEqual([]);
  expect(String(body.warnings)).toContain('the group "auditors", which svc.config.yaml does not declare');
});

const CONFIG = 'svc.config.yaml';
const LENS = 'lenses/shop/lens.yaml';
const DEFINITIONS = 'semantic/definitions.yaml';
const replaced = (path: string, from: string | RegExp, to: string): Record<string, string> => {
  const text = files[path]!.replace(from, to);
  expect(text, `${path} contains ${from}`).not.toBe(files[path]);
  return { [path]: text };
};

/** The text to replace is null in a file that the project doesn't have. */
type FaultRow = [name: string, path: string, from: string | null, to: string, pointer: string, message: string];
test.each<FaultRow>([
  ...caseRows<FaultRow>(import.meta.dirname, 'faulty-plan.jsonl'),
  [
    'values nested too deeply',
    LENS,
    'sample_questions:',
    `examples: ${'['.repeat(101)}${']'.repeat(101)}\nsample_questions:`,
    '',
    'nested more than 100 levels deep',
  ],
])('reports %s as a problem', async (_name, path, from, to, pointer, message) => {
  const { problems } = await plan(from === null ? { [path]: to } : replaced(path, from, to));
  expect(problems).toMatchObject([{ path, pointer, message: expect.stringContaining(message) }]);
});

interface Warned {
  problems: { path: string; pointer: string; line: number; message: string }[];
  warnings: string[];
}
const planned = async (changedFiles: Record<string, string>): Promise<Warned> =>
  (await app.admin<Warned>('POST', '/project/plan', { files: { ...files, ...changedFiles } })).body;

test('reports a board and a demo with an unknown lens, and a folder of a lens without lens.yaml', async () => {
  const { problems } = await planned({
    ...replaced(CONFIG, 'groups:', 'demo: {lenses: [shpo]}\ngroups:'),
    'boards/week.yaml': 'title: Week\ntiles: [{lens: shpo, question: What was revenue in 2016?}]\n',
    'lenses/gone/certified/core.yaml': '- {id: one, question: What is it?, sql: select 1}\n',
  });
  const found = problems.map(({ path, pointer, message }) => [path, pointer, message]);
  for (const [path, pointer] of [
    ['boards/week.yaml', '/tiles/0/lens'],
    [CONFIG, '/demo/lenses/0'],
  ])
    expect(found).toContainEqual([path, pointer, expect.stringContaining('no lens "shpo". Did you mean shop?')]);
  expect(found).toContainEqual([expect.any(String), '', 'lenses/gone has no lens.yaml.']);
});

test('reports an entry and an eval whose id belongs to one that was created through the API', async () => {
  const create = (kind: string, body: object) => app.admin('POST', `/lenses/shop/${kind}`, body);
  const sql = 'select count(*) as n from main.orders';
  expect((await create('certified', { cert_id: 'mine', question: 'How many?', sql })).status).toBe(201);
  expect((await create('evals', { id: 'mine', question: 'How many?', expect: { value: 8 } })).status).toBe(201);
  const corpus = {
    'lenses/shop/certified/own.yaml': `- {id: mine, question: Who?, sql: ${sql}}\n`,
    'lenses/shop/evals/own.yaml': '{id: mine, question: Who?, expect: {value: 9}}\n',
  };
  const { problems } = await planned(corpus);
  expect(problems).toEqual([
    expect.objectContaining({ path: 'lenses/shop/certified/own.yaml', pointer: '/0/id', code: 'conflict' }),
    expect.objectContaining({ path: 'lenses/shop/evals/own.yaml', pointer: '/id', code: 'conflict' }),
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('A certified entry "mine" was created through the API.'),
    expect.stringContaining('An eval "mine" was created through the API.'),
  ]);
});

test('warns about a shared term that no lens can use, with the nearest name', async () => {
  const shared = `- {term: haul, meaning: Big., metric: revenu}\n- {term: big line, meaning: Big., filter: orders.sale > 9}\n`;
  const { problems, warnings } = await planned({ [DEFINITIONS]: shared });
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    `${DEFINITIONS}:1: No lens can use the term "haul". In shop: There is no metric "revenu". Did you mean revenue?`,
    `${DEFINITIONS}:2: No lens can use the term "big line". In shop: There is no field "sale" in orders. Did you mean sales?`,
  ]);
});

test('warns about a shared term that a lens defines itself', async () => {
  const { warnings } = await planned({ [DEFINITIONS]: '- {term: Margin, meaning: Shared.}\n' });
  expect(warnings).toEqual([
    expect.stringContaining(`${LENS}:36: "Margin" is also a shared term. This lens uses its own definition.`),
  ]);
});

test('warns about a listed value that no row has, and about a synonym that is another stored value', async () => {
  const { warnings } = await planned(
    replaced(LENS, 'Consumer, Corporate]', '{value: Consumer, synonyms: [Corporate]}, Corporat]'),
  );
  expect(warnings).toEqual([
    expect.stringContaining('No row of orders.segment has the value "Corporat".'),
    expect.stringContaining('"Corporate" is a stored value, but is listed as a synonym of "Consumer".'),
  ]);
});

test('reports a placeholder without a parameter, and a parameter that the SQL does not use', async () => {
  const entry = `- {id: one, question: 'Sales in {yr}?', sql: select sum(sales) as s from main.orders, parameters: {year: {datatype: integer}}}\n`;
  const { problems } = await planned({ 'lenses/shop/certified/more.yaml': entry });
  expect(problems).toMatchObject([
    {
      pointer: '/0/question',
      message: expect.stringContaining('{yr} is not a parameter of this entry. Did you mean year?'),
    },
    { pointer: '/0/parameters/year', message: expect.stringContaining('The SQL does not use the parameter "year".') },
  ]);
});

test('warns about expected SQL of an eval that does not run', async () => {
  const { warnings } = await planned({
    'lenses/shop/evals/more.yaml':
      '- {id: total, question: What is revenue?, expect: {sql: select sum(slaes) as s from main.orders}}\n',
  });
  expect(warnings).toEqual([
    expect.stringContaining('lenses/shop/evals/more.yaml:1: The expected SQL of the eval "total" does not run'),
  ]);
});

test('reports a plan of a board with a name that its lens does not have', async () => {
  const { problems } = await planned({
    'boards/weekly.yaml': 'title: Weekly\ntiles:\n  - {lens: shop, plan: {metrics: [revenu]}}\n',
  });
  expect(problems).toMatchObject([
    {
      path: 'boards/weekly.yaml',
      line: 3,
      pointer: '/tiles/0/plan/metrics/0',
      message: expect.stringContaining('revenue'),
    },
  ]);
});

test('reports a fault of an entity once, at the file of the entity', async () => {
  const entity = 'entities:\n  goods:\n    source: main.stok\n    fields: {sku: {datatype: string}}\n';
  const using = (name: string) => `name: ${name}\nconnection: shop\ndatasets: {goods: {entity: goods}}\n`;
  const { problems } = await planned({
    'semantic/entities.yaml': entity,
    'lenses/one/lens.yaml': using('one'),
    'lenses/two/lens.yaml': using('two'),
  });
  expect(problems).toMatchObject([
    {
      path: 'semantic/entities.yaml',
      line: 3,
      pointer: '/entities/goods/source',
      message: expect.stringContaining('Did you mean main.stock'),
    },
  ]);
});

test('reports a connection that does not open at the connection', async () => {
  const { problems } = await planned({
    'svc.config.yaml': `${files['svc.config.yaml']!.replace('connections:\n', 'connections:\n  away: {kind: postgres, host: 127.0.0.1, port: 1, database: w, user: u, password: p, ssl: false}\n')}`,
    'lenses/one/lens.yaml':
      'name: one\nconnection: away\ndatasets: {goods: {source: main.stock, fields: {sku: {datatype: string}}}}\n',
  });
  expect(problems).toMatchObject([{ path: 'svc.config.yaml', pointer: '/connections/away', line: 3 }]);
});

test('reports a missing expectation under another name as missing', async () => {
  const { problems } = await planned({
    'lenses/shop/evals/more.yaml': '- {id: total, question: What is revenue?, expct: 1}\n',
  });
  expect(problems.map(({ message }) => message)).toEqual([
    'The key "expect" is missing.',
    'There is no key "expct". Did you mean expect?',
  ]);
});

test('names the nearest kind for a connection with an unknown kind', async () => {
  const { status, body } = await app.admin('POST', '/connections', { name: 'lake', kind: 'dukdb', path: 'a.duckdb' });
  expect([status, body.error]).toMatchObject([
    422,
    { param: 'kind', message: expect.stringContaining('There is no kind "dukdb". Did you mean duckdb') },
  ]);
});
