import { expect, test } from 'vitest';
import { lensText } from '../../../test/support/lens-text.ts';
import { compileLens } from '../compile/compile-lens.ts';
import { expandVariables } from './expand-variables.ts';
import { readProject } from './read-project.ts';

test('expands only the allowed variables in project text', () => {
  const values = { KEY: 'k', HOME: '/root', URL: '' };
  const expansion = expandVariables(['$', '{KEY} $', '{HOME} $', '{URL:-none}'].join(''), ['KEY', 'URL'], values);
  expect(expansion).toEqual({ text: `k $${'{HOME}'} none`, refusedNames: ['HOME'], missingNames: [] });
});

test('accepts only a row policy that opens a dataset on an engine without support for row policies', async () => {
  const compilePolicy = async (filter: string, dialect: string) => {
    const { project } = readProject({
      'svc.config.yaml': 'connections:\n  shop: {kind: postgres, host: db}\n',
      'lenses/shop/lens.yaml': lensText(`name: shop
connection: shop
datasets:
  orders: main.orders (id integer key, sales decimal)
row_policies:
  - {name: p, dataset: orders, filter: "${filter}"}
`),
    });
    const { problems } = await compileLens(project.lenses[0]!, { ...project, dialect });
    return problems.map(({ code, message }) => `${code}: ${message}`);
  };
  expect(await compilePolicy('orders.sales > 1', 'redshift')).toEqual([
    expect.stringMatching(/unsupported: svc does not support row policies on redshift/),
  ]);
  expect(await compilePolicy('true', 'redshift')).toEqual([]);
  expect(await compilePolicy('orders.sales > 1', 'postgres')).toEqual([]);
});
