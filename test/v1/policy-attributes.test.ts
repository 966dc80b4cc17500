// Attributes in row policies: attributes that no caller has, attributes of the wrong type, and policies along joins,
// with the messages of the plan.
import { describe, expect, it } from 'vitest';
import { NEEDS_MARIADB } from '../support/mariadb.ts';
import { absent, lensOf, startPolicyApp } from '../support/policy-app.ts';
import { ENGINES, POLICY_SHAPES } from '../support/policy-probes.ts';

const app = await startPolicyApp(['equal', 'below', 'pattern', 'joined', 'computed']);

let callerCount = 0;
const keyOf = async (attributes: Record<string, string | number | boolean>): Promise<string> =>
  (await app.svc.mintCaller({ name: `caller-${++callerCount}`, lenses: app.lenses, attributes })).key;
const postSql = (lens: string, text: string, key: string) => app.svc.post('/v1/sql', { lens, sql: text }, key);
const postMetrics = (lens: string, key: string) =>
  app.svc.post(`/v1/lenses/${lens}/metrics`, { metrics: ['headcount'] }, key);
const admin = (method: 'POST' | 'PATCH', url: string, payload: object) =>
  app.svc.send({ method, url, payload, token: app.svc.adminToken });

describe.each(ENGINES)('on %s', (engine) => {
  const skip = absent(engine);
  const without = engine === 'mysql' ? NEEDS_MARIADB : '';

  it.skipIf(skip).each([
    ['equal', { region: 0 }],
    ['equal', { region: false }],
    ['computed', { region: 0 }],
    ['pattern', { region: true }],
    ['joined', { region: 0 }],
    ['below', { level: 'x' }],
    ['below', { level: '9' }],
    ['below', { level: true }],
    ['below', { level: 1.5 }],
    ['below', { level: 2 ** 53 }],
  ])(
    `a policy of the shape %s refuses the attributes %o, by SQL and by metrics${without}`,
    async (shape, attributes) => {
      const key = await keyOf(attributes);
      for (const { status, body } of [
        await postSql(lensOf(engine, shape), 'select count(*) as n from orders', key),
        await postMetrics(lensOf(engine, shape), key),
      ])
        expect([status, body]).toMatchObject([
          403,
          { error: { code: 'forbidden', message: expect.stringContaining('attribute') } },
        ]);
    },
  );

  it.skipIf(skip)(
    'a policy along a join shows the rows that refer to allowed rows, and none without the attribute',
    async () => {
      const lens = lensOf(engine, 'joined');
      const west = await keyOf({ region: 'West' });
      expect((await postSql(lens, 'select count(*) as n from orders', west)).body.data).toEqual([{ n: 20 }]);
      expect((await postMetrics(lens, west)).body).toMatchObject({
        data: [{ headcount: 20 }],
        scope: { row_policies: ['own'] },
      });
      const grouped = await app.svc.post(
        `/v1/lenses/${lens}/metrics`,
        { metrics: ['headcount'], dimensions: ['customers.region'] },
        west,
      );
      expect(grouped.body.data).toEqual([{ region: 'West', headcount: 20 }]);
      expect((await postMetrics(lens, await keyOf({}))).body.data).toEqual([{ headcount: 0 }]);
    },
  );
});

describe('granting an attribute', () => {
  it('refuses a value whose type isn’t the one that the row policies need', async () => {
    const refusal = await admin('POST', '/mgmt/callers', { name: 'zero', attributes: { region: 0 } });
    expect([refusal.status, refusal.body]).toMatchObject([
      422,
      {
        error: {
          param: 'attributes.region',
          message: expect.stringContaining('needs the attribute "region" to be text'),
        },
      },
    ]);
    const createReply = await admin('POST', '/mgmt/callers', { name: 'zero', attributes: { region: 'West' } });
    expect(createReply.status).toBe(201);
    const changeReply = await admin('PATCH', '/mgmt/callers/zero', { attributes: { level: 'high' } });
    expect([changeReply.status, changeReply.text]).toEqual([422, expect.stringContaining('a whole number')]);
    const patchReply = await admin('PATCH', '/mgmt/callers/zero', { attributes: { level: 2, nickname: false } });
    expect(patchReply.status).toBe(200);
  });
});

describe('planning a project', () => {
  const plan = async (
    policies: object[],
    extraYaml = '',
  ): Promise<{ problems: { code: string; message: string }[]; warnings: string[]; text: string }> => {
    const base = app.files[`lenses/${lensOf('duckdb', 'joined')}/lens.yaml`]!.replace(/row_policies: .*/, '');
    const name = 'duckdb-joined';
    const files = {
      ...app.files,
      [`lenses/${name}/lens.yaml`]: `${base}row_policies: ${JSON.stringify(policies)}\n${extraYaml}`,
    };
    const { body, text } = await admin('POST', '/mgmt/project/plan', { files });
    return {
      problems: body.problems ?? body.details ?? [],
      warnings: (body.warnings ?? []).filter((warning: string) => warning.includes('hides rows of')),
      text,
    };
  };
  const ownPolicy = { name: 'own', dataset: 'customers', filter: POLICY_SHAPES['joined'] };

  it('warns of each open dataset that refers to a dataset with a row policy, until a policy covers it', async () => {
    const open = await plan([ownPolicy]);
    expect(open.warnings).toEqual([
      expect.stringMatching(/"own" hides rows of customers, but no row policy of orders covers.*dataset: orders/),
    ]);
    expect((await plan([ownPolicy, { ...ownPolicy, name: 'reach', dataset: 'orders' }])).warnings).toEqual([]);
    expect((await plan([ownPolicy, { name: 'all', dataset: 'orders', filter: 'true' }])).warnings).toEqual([]);
    expect((await plan([{ name: 'all', dataset: 'customers', filter: 'true' }])).warnings).toEqual([]);
    const partialPlan = await plan([ownPolicy, { ...ownPolicy, name: 'reach', dataset: 'orders', groups: ['field'] }]);
    expect(partialPlan.warnings.join()).toContain('no row policy of orders covers the same callers');
    const fact = await plan([{ name: 'own', dataset: 'orders', filter: POLICY_SHAPES['equal'] }]);
    expect(fact.warnings).toEqual([
      expect.stringMatching(/no row policy of customers covers the same callers.*only hidden rows/),
    ]);
  });

  it('reports an attribute that no caller has, with the nearest name', async () => {
    await keyOf({ region: 'West' });
    const { text } = await plan([
      { ...ownPolicy, filter: 'customers.region = {caller.regoin}' },
      { ...ownPolicy, name: 'b', dataset: 'orders' },
    ]);
    expect(text).toContain('No caller has the attribute \\"regoin\\"');
    expect(text).toContain('Did you mean {caller.region}?');
  });

  it('reports a policy along a join that isn’t many-to-one, and an attribute without a known type', async () => {
    const back = await plan([{ name: 'own', dataset: 'customers', filter: "orders.region = 'West'" }]);
    expect(back.text).toContain('orders is not reachable from customers through many-to-one joins');
    const untyped = await plan([{ name: 'own', dataset: 'orders', filter: '{caller.region} = {caller.region}' }]);
    expect(untyped.text).toContain('The required type of {caller.region} is not known');
  });
});
