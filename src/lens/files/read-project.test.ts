import { describe, expect, test } from 'vitest';
import { compileLens } from '../compile/compile-lens.ts';
import { expandVariables } from './expand-variables.ts';
import { readProject } from './read-project.ts';

const config = 'connections:\n  shop: {kind: postgres, host: db}\ngroups:\n  sales: {lenses: [shop]}\n';
const createLensYaml = (body: string): string =>
  `name: shop\nconnection: shop\ndatasets:\n  orders:\n    source: main.orders\n    primary_key: [id]\n    fields:\n      id: {datatype: integer}\n      sales: {datatype: decimal}\n      secret: {datatype: string, mask: true}\n  customers:\n    source: main.customers\n    primary_key: [id]\n    fields:\n      id: {datatype: integer}\n      credit: {datatype: decimal}\n${body}`;
const readText = (text: string, otherFiles: Record<string, string> = {}) =>
  readProject({ 'svc.config.yaml': config, 'lenses/shop/lens.yaml': text, ...otherFiles });
const compileBody = async (body: string, dialect = 'duckdb') => {
  const { project, problems } = readText(createLensYaml(body));
  expect(problems).toEqual([]);
  return compileLens(project.lenses[0]!, { ...project, dialect });
};
const summarize = (problems: { line: number; code: string; message: string }[]) =>
  problems.map(({ line, code, message }) => `${line} ${code}: ${message}`);

describe('an error names file, line, column, path and the nearest valid name', () => {
  test('for an unknown key, a wrong datatype and an unknown connection, all at once', () => {
    const { problems } = readText(
      createLensYaml('  things: {source: main.things, feilds: {}, fields: {a: {datatype: strng}}}\n').replace(
        'connection: shop',
        'connection: shp',
      ),
    );
    expect(summarize(problems).some((line) => line.includes('"feilds"') && line.includes('Did you mean fields'))).toBe(
      true,
    );
    expect(summarize(problems).some((line) => line.includes('"strng"') && line.includes('string'))).toBe(true);
    expect(problems.every(({ path, line }) => path === 'lenses/shop/lens.yaml' && line === 17)).toBe(true);
    const configProblems = readText(createLensYaml('').replace('connection: shop', 'connection: shp')).problems;
    expect(configProblems[0]).toMatchObject({ line: 2, column: 13, pointer: '/connection', code: 'unknown_name' });
    expect(configProblems[0]!.message).toContain('Did you mean shop');
  });
  test('for a duplicate key', () => {
    expect(readText(`${createLensYaml('')}name: again\n`).problems[0]).toMatchObject({
      line: 17,
      code: 'duplicate_key',
    });
  });
  test('for a YAML alias bomb, which it doesn’t expand', () => {
    const bomb = [
      'a0: &a0 [x,x,x,x,x,x,x,x,x]',
      ...Array.from({ length: 9 }, (_one, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(',')}]`),
    ].join('\n');
    expect(readText(bomb).problems[0]).toMatchObject({ code: 'yaml' });
  });
  test('for a certified id in two files', () => {
    const entry = '- {id: one, question: What is it?, sql: select 1}\n';
    const { problems } = readText(createLensYaml(''), {
      'lenses/shop/certified/a.yaml': entry,
      'lenses/shop/certified/b.yaml': entry,
    });
    expect(problems[0]).toMatchObject({ path: 'lenses/shop/certified/b.yaml', line: 1, code: 'duplicate' });
  });
  test('for a stray file and a group of an unknown lens', () => {
    const { problems } = readProject({
      'svc.config.yaml': config.replace('[shop]', '[shpo]'),
      'notes.txt': '',
      'lenses/shop/lens.yaml': createLensYaml(''),
    });
    expect(problems.map(({ path, code, line }) => [path, code, line])).toEqual([
      ['notes.txt', 'unknown_file', 1],
      ['svc.config.yaml', 'unknown_name', 4],
    ]);
  });
});

describe('compiling a lens', () => {
  test('names the nearest field for an unknown field, at its line', async () => {
    const { lens: missingLens, problems } = await compileBody('metrics:\n  revenue: {expression: sum(orders.slaes)}\n');
    expect(missingLens).toBeNull();
    expect(problems[0]).toMatchObject({
      line: 18,
      pointer: '/metrics/revenue/expression',
      message: 'There is no field "slaes" in orders. Did you mean sales?',
    });
  });
  test('refuses a circle of metrics', async () => {
    const { problems } = await compileBody(
      'metrics:\n  a: {expression: metric(b) + 1}\n  b: {expression: metric(a) + 1}\n',
    );
    expect(summarize(problems)).toContain('18 cycle: The metrics have a circular reference: a -> b -> a.');
  });
  test('refuses a sum over the one side of a join as a fan-out', async () => {
    const { problems } = await compileBody(
      'relationships:\n  - {from: orders.customer_id, to: customers.id}\nmetrics:\n  bad: {expression: sum(orders.sales) / sum(customers.credit)}\n',
    );
    expect(problems[0]).toMatchObject({ line: 20, code: 'fan_out' });
  });
  test('refuses a metric over unrelated datasets', async () => {
    const { problems } = await compileBody(
      'metrics:\n  bad: {expression: sum(orders.sales) / sum(customers.credit)}\n',
    );
    expect(problems[0]).toMatchObject({ line: 18, code: 'fan_out' });
  });
  test('allows only the distinct count of a masked field', async () => {
    expect((await compileBody('metrics:\n  n: {expression: count(distinct orders.secret)}\n')).problems).toEqual([]);
    expect((await compileBody('metrics:\n  n: {expression: max(orders.secret)}\n')).problems[0]).toMatchObject({
      line: 18,
      code: 'masked',
    });
  });
  test('refuses a row policy that reads another dataset', async () => {
    const { problems } = await compileBody(
      'row_policies:\n  - {name: mine, dataset: orders, filter: "customers.id = {caller.id}"}\n',
    );
    expect(problems[0]).toMatchObject({ line: 18, code: 'invalid' });
  });
});

test('expands only the allowed variables in project text', () => {
  const expansion = expandVariables(['$', '{KEY} $', '{HOME} $', '{URL:-none}'].join(''), ['KEY', 'URL'], {
    KEY: 'k',
    HOME: '/root',
    URL: '',
  });
  expect(expansion).toEqual({ text: `k $${'{HOME}'} none`, refusedNames: ['HOME'], missingNames: [] });
});

test('accepts only a row policy that opens a dataset on an engine without support for row policies', async () => {
  const policy = (filter: string) => `row_policies:\n  - {name: p, dataset: orders, filter: "${filter}"}\n`;
  const { lens: missingLens, problems } = await compileBody(policy('orders.sales > 1'), 'redshift');
  expect([missingLens, summarize(problems)]).toEqual([
    null,
    [expect.stringMatching(/unsupported: svc does not support row policies on redshift/)],
  ]);
  expect((await compileBody(policy('true'), 'redshift')).problems).toEqual([]);
  expect((await compileBody(policy('orders.sales > 1'), 'postgres')).problems).toEqual([]);
});
