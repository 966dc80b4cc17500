// A plan for files with errors reports every error and plans no deletion.
import { expect, test } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

interface Plan {
  changes: { kind: string; name: string; action: string }[];
  problems: { path: string; code: string }[];
}
const app = await startTestApp();
await app.mintCaller({ name: 'regional', attributes: { region: 'West' } });
const files = await loadProjectFolder(SHOP);

const plan = async (changedFiles: Record<string, string>): Promise<Plan> =>
  (await app.post<Plan>('/mgmt/project/plan', { files: { ...files, ...changedFiles } }, app.adminToken)).body;
const deletedNames = ({ changes }: Plan) => changes.filter(({ action }) => action === 'delete');

test('reports a lens file that does not parse as a problem, and plans no deletion', async () => {
  const { problems, ...rest } = await plan({ 'lenses/shop/lens.yaml': 'name: [shop\n' });
  expect(problems.map(({ path }) => path)).toContain('lenses/shop/lens.yaml');
  expect(deletedNames({ problems, ...rest })).toEqual([]);
});

test('reports an unknown key in a lens file as a problem, and plans no deletion', async () => {
  const faultyPlan = await plan({ 'lenses/shop/lens.yaml': `${files['lenses/shop/lens.yaml']}\nmetrix: {}\n` });
  expect(faultyPlan.problems).toMatchObject([{ path: 'lenses/shop/lens.yaml', code: 'unknown_key' }]);
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
  const { body } = await app.post<Plan>('/mgmt/project/plan', { files: otherFiles }, app.adminToken);
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

test('warns about a grant to an unknown caller, and suggests the nearest name', async () => {
  await app.mintCaller({ name: 'adeline' });
  const lens = files['lenses/shop/lens.yaml']!.replace(/^grants:.*$/m, '');
  const { body } = await app.post(
    '/mgmt/project/plan',
    { files: { ...files, 'lenses/shop/lens.yaml': `${lens}\ngrants: {callers: [adelin, adeline]}\n` } },
    app.adminToken,
  );
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
    const { body } = await app.post(
      '/mgmt/project/plan',
      { files: { ...files, 'lenses/shop/lens.yaml': text } },
      app.adminToken,
    );
    expect([filter, body.problems]).toEqual([filter, []]);
  }
});

test('warns of a row policy for a group that no file declares', async () => {
  const lensPath = 'lenses/shop/lens.yaml';
  const text = files[lensPath]!.replace('groups: [field]', 'groups: [auditors]');
  const { body } = await app.post('/mgmt/project/plan', { files: { ...files, [lensPath]: text } }, app.adminToken);
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
const POLICY_FILTER = '"orders.region = {caller.region}"';

test.each([
  [
    'an unknown group in a row policy',
    LENS,
    'groups: [field]',
    'groups: [feild]',
    '/row_policies/0/groups/0',
    'There is no group "feild". Did you mean field?',
  ],
  [
    'a quoted attribute in a row policy',
    LENS,
    POLICY_FILTER,
    `"orders.region <> '{caller.region}'"`,
    '/row_policies/0/filter',
    'Write {caller.region} without quotes.',
  ],
  [
    'an attribute inside a longer text',
    LENS,
    POLICY_FILTER,
    `"orders.region like '%{caller.region}%'"`,
    '/row_policies/0/filter',
    'Write {caller.region} without quotes.',
  ],
  [
    'an attribute in a quoted name',
    LENS,
    POLICY_FILTER,
    `'orders.region = "{caller.region}"'`,
    '/row_policies/0/filter',
    'Write {caller.region} without quotes.',
  ],
  [
    'an attribute in a dollar-quoted text',
    LENS,
    POLICY_FILTER,
    '"orders.region <> $${caller.region}$$"',
    '/row_policies/0/filter',
    '',
  ],
  [
    'braces without an attribute of the caller',
    LENS,
    POLICY_FILTER,
    '"orders.region = {user.region}"',
    '/row_policies/0/filter',
    'The filter can\'t be read at "{user.region}". In braces, write an attribute of the caller',
  ],
  [
    'an unclosed brace',
    LENS,
    POLICY_FILTER,
    '"orders.region = {caller.region"',
    '/row_policies/0/filter',
    'The filter can\'t be read at "{caller.region". In braces,',
  ],
  [
    'two senses with one key',
    LENS,
    '{key: ratio,',
    '{key: profit,',
    '/definitions/1/senses/1/key',
    'Two senses of "margin" have the key "profit".',
  ],
  [
    'a shared term with two senses with one key',
    DEFINITIONS,
    '- {term: turnover,',
    '- {term: gain, senses: [{key: a, label: A, meaning: A.}, {key: a, label: B, meaning: B.}]}\n- {term: turnover,',
    '/0/senses/1/key',
    'Two senses of "gain" have the key "a".',
  ],
  [
    'a synonym that is another listed value',
    LENS,
    'synonyms: [home]}',
    'synonyms: [home, consumer]}',
    '/datasets/orders/fields/segment/values/0/synonyms/1',
    '"consumer" can\'t be a synonym of "Home Office", because it is another value.',
  ],
  [
    'a synonym of two values',
    LENS,
    'Consumer, Corporate]',
    '{value: Consumer, synonyms: [Home]}, Corporate]',
    '/datasets/orders/fields/segment/values/1/synonyms/0',
    '"Home" can\'t be a synonym of "Consumer", because it is a synonym of "Home Office".',
  ],
  [
    'a metric filter that compares a number with a text',
    LENS,
    'unit: USD}\n  profit_ratio',
    `unit: USD, filter: "orders.profit > 'x'"}\n  profit_ratio`,
    '/metrics/profit/filter',
    "orders.profit is a decimal, so it can't be compared with 'x'.",
  ],
  [
    'a metric filter that is no condition',
    LENS,
    'unit: USD}\n  profit_ratio',
    'unit: USD, filter: orders.profit}\n  profit_ratio',
    '/metrics/profit/filter',
    'The filter is not a condition. orders.profit is a decimal.',
  ],
  [
    'a row policy that is no condition',
    LENS,
    POLICY_FILTER,
    '"orders.region = {caller.region} and orders.sales"',
    '/row_policies/0/filter',
    'orders.sales is a decimal.',
  ],
  [
    'a row policy that compares a date with a text',
    LENS,
    POLICY_FILTER,
    `"orders.region = {caller.region} and orders.order_date in ('soon')"`,
    '/row_policies/0/filter',
    "so it can't be compared with 'soon'.",
  ],
  [
    'a text field as the date of the data',
    LENS,
    'data_as_of: {field: orders.order_date}',
    'data_as_of: {field: orders.region}',
    '/data_as_of/field',
    'A time field must be',
  ],
  [
    'a date of the data from a table that is not in the lens',
    LENS,
    'data_as_of: {field: orders.order_date}',
    'data_as_of: {sql: select max(sku) from main.stock}',
    '/data_as_of/sql',
    'The table main.stock is not in scope.',
  ],
  [
    'a date of the data that deletes rows',
    LENS,
    'data_as_of: {field: orders.order_date}',
    'data_as_of: {sql: delete from main.orders}',
    '/data_as_of/sql',
    'The SQL of data_as_of does not run',
  ],
  [
    'a date of the data with several rows',
    LENS,
    'data_as_of: {field: orders.order_date}',
    'data_as_of: {sql: select order_date from main.orders}',
    '/data_as_of/sql',
    'returns several rows',
  ],
  [
    'a date of the data with two columns',
    LENS,
    'data_as_of: {field: orders.order_date}',
    'data_as_of: {sql: "select min(order_date), max(order_date) from main.orders"}',
    '/data_as_of/sql',
    'returns 2 columns',
  ],
  [
    'a primary key with repeated values',
    LENS,
    'primary_key: [row_id]',
    'primary_key: [region]',
    '/datasets/orders/primary_key',
    'orders(region) is not unique',
  ],
  [
    'a join of a text with a number',
    LENS,
    'metrics:',
    'relationships: [{name: twin, from: orders.region, to: orders.row_id}]\nmetrics:',
    '/relationships/0',
    'The join of orders(region string) with orders(row_id integer) does not run',
  ],
  [
    'a time field that is not a field',
    LENS,
    'time_field: order_date',
    'time_field: order_dat',
    '/datasets/orders/time_field',
    'There is no field "order_dat". Did you mean order_date?',
  ],
  [
    'a text as the time field',
    LENS,
    'time_field: order_date',
    'time_field: region',
    '/datasets/orders/time_field',
    'A time field must be a date',
  ],
  [
    'a row policy of an unknown dataset',
    LENS,
    'dataset: orders, filter',
    'dataset: order, filter',
    '/row_policies/0/dataset',
    'There is no dataset "order". Did you mean orders?',
  ],
  [
    'a metric that counts the rows of an unknown dataset',
    LENS,
    'metrics:',
    'metrics:\n  lines: {expression: count(*), dataset: order}',
    '/metrics/lines/expression',
    'There is no dataset "order". Did you mean orders?',
  ],
  [
    'a metric over every column',
    LENS,
    'expression: sum(orders.profit)',
    'expression: max(columns(*))',
    '/metrics/profit/expression',
    "An expression can't contain *. Name the field.",
  ],
  [
    "a metric that the warehouse can't compute",
    LENS,
    'expression: count(distinct orders.customer_id)',
    'expression: sum(orders.region)',
    '/metrics/customers/expression',
    'The metric "customers" fails in the warehouse',
  ],
  [
    'a metric filter that computes a number',
    LENS,
    'unit: USD}\n  profit_ratio',
    'unit: USD, filter: orders.profit + 1}\n  profit_ratio',
    '/metrics/profit/filter',
    'The filter is not a condition. It computes a number.',
  ],
  [
    'a field whose expression aggregates',
    LENS,
    'sales: {datatype: decimal, unit: USD}',
    'sales: {datatype: decimal, expression: sum(sales)}',
    '/datasets/orders/fields/sales/expression',
    'Move the aggregate into a metric.',
  ],
  [
    "a field whose expression can't be read",
    LENS,
    'sales: {datatype: decimal, unit: USD}',
    'sales: {datatype: decimal, expression: "sales +"}',
    '/datasets/orders/fields/sales/expression',
    'The expression of "sales" can\'t be read',
  ],
  [
    'a term that is defined twice',
    LENS,
    '- term: margin',
    '- term: Revenue',
    '/definitions/1/term',
    'The term "Revenue" is defined twice.',
  ],
  [
    'a definition without a meaning',
    LENS,
    'meaning: "Revenue is what customers paid, less discounts.", ',
    '',
    '/definitions/0',
    'A definition needs a meaning',
  ],
  [
    'values nested too deeply',
    LENS,
    'sample_questions:',
    `examples: ${'['.repeat(101)}${']'.repeat(101)}\nsample_questions:`,
    '',
    'nested more than 100 levels deep',
  ],
  [
    'aliases that expand without bound',
    LENS,
    'sample_questions:',
    `groups: [&a [x, x, x, x, x], &b [*a, *a, *a, *a, *a], &c [*b, *b, *b, *b, *b], &d [*c, *c, *c, *c, *c]]\nsample_questions:`,
    '',
    'The YAML aliases expand without bound.',
  ],
  [
    'an unknown kind of connection',
    CONFIG,
    'kind: duckdb',
    'kind: dukdb',
    '/connections/shop/kind',
    'There is no kind "dukdb". Did you mean duckdb',
  ],
  [
    'an unknown key of a connection',
    CONFIG,
    'groups:',
    '  lake: {kind: duckdb, pth: ./lake.duckdb}\ngroups:',
    '/connections/lake/pth',
    'There is no key "pth". Did you mean path?',
  ],
  [
    'two sources of a connection',
    CONFIG,
    'groups:',
    '  lake: {kind: duckdb, path: ./lake.duckdb, files: {a: {path: ./a.csv}}}\ngroups:',
    '/connections/lake/path',
    '"path" can\'t be combined with "files". Remove one of them.',
  ],
  [
    'an unknown key of a listed value',
    LENS,
    '{value: Home Office,',
    '{valu: Home Office,',
    '/datasets/orders/fields/segment/values/0/valu',
    'There is no key "valu". Did you mean value?',
  ],
  [
    'two sources of the date of the data',
    LENS,
    'data_as_of: {field: orders.order_date}',
    'data_as_of: {field: orders.order_date, at: "2026-01-01T00:00:00Z"}',
    '/data_as_of/at',
    '"at" can\'t be combined with "field". Remove one of them.',
  ],
  [
    'a column of a policy that does not exist',
    LENS,
    POLICY_FILTER,
    '"orders.regoin = {caller.region}"',
    '/row_policies/0/filter',
    'Did you mean region or segment?',
  ],
  [
    'a metric over a field without its dataset',
    LENS,
    'sum(orders.sales)',
    'sum(sales)',
    '/metrics/revenue/expression',
    'Write sales as dataset.field: orders.sales.',
  ],
] as [string, string, string | RegExp, string, string, string][])(
  'reports %s as a problem',
  async (_name, path, from, to, pointer, message) => {
    const { problems } = await plan(replaced(path, from, to));
    expect(problems).toMatchObject([{ path, pointer, message: expect.stringContaining(message) }]);
  },
);

interface Warned {
  problems: { path: string; pointer: string; line: number; message: string }[];
  warnings: string[];
}
const planned = async (changedFiles: Record<string, string>): Promise<Warned> =>
  (await app.post<Warned>('/mgmt/project/plan', { files: { ...files, ...changedFiles } }, app.adminToken)).body;

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
  const create = (kind: string, body: object) => app.post(`/mgmt/lenses/shop/${kind}`, body, app.adminToken);
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

test('reports an unknown key of an expectation with the nearest name', async () => {
  const { problems } = await planned({
    'lenses/shop/evals/more.yaml': '- {id: total, question: What is revenue?, expect: {valu: 1}}\n',
  });
  expect(problems).toMatchObject([
    { pointer: '/0/expect/valu', message: 'There is no key "valu". Did you mean value?' },
  ]);
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

test('publishes no schema of a removed key', async () => {
  const { body } = await app.get('/schemas/config.json', null);
  expect(body.properties).toHaveProperty('connections');
  expect(body.properties).not.toHaveProperty('calibration');
});

test('names the nearest kind for a connection with an unknown kind', async () => {
  const { status, body } = await app.post(
    '/mgmt/connections',
    { name: 'lake', kind: 'dukdb', path: 'a.duckdb' },
    app.adminToken,
  );
  expect([status, body.error]).toMatchObject([
    422,
    { param: 'kind', message: expect.stringContaining('There is no kind "dukdb". Did you mean duckdb') },
  ]);
});
