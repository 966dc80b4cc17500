// What becomes of connections that can't be used, and of those that lenses made by API ask through.
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

const LENS = `name: extra
title: Extra
description: Made by API.
connection: shop
datasets: {orders: {source: main.orders, description: Lines., fields: {region: {datatype: string}}}}
`;
let svc: TestApp;
const admin = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  svc.send({ method, url, ...(payload && { payload }), token: svc.adminToken });
beforeAll(async () => {
  svc = await startTestApp();
  const draft = (await admin('POST', '/mgmt/lenses', { name: 'extra', files: { 'lens.yaml': LENS } })).body;
  expect((await admin('POST', `/mgmt/lenses/extra/drafts/${draft.id}/publish`, {})).status).toBe(200);
});
afterAll(() => svc?.close());

it('refuses to take the connection away, and to delete it, until the lenses are gone', async () => {
  const files = { 'svc.config.yaml': 'connections: {}\n' };
  const planned = await admin('POST', '/mgmt/project/plan', { files });
  expect(planned.body.problems).toMatchObject([
    { path: 'svc.config.yaml', line: 1, code: 'conflict', message: expect.stringMatching(/"shop".*API.*: extra\./) },
  ]);
  expect((await admin('POST', '/mgmt/project/apply', { files })).status).toBe(422);
  expect((await svc.post('/v1/lenses/extra/query', { q: 'How many orders?' }, svc.adminToken)).status).toBe(200);

  const turned = 'connections: {shop: {kind: postgres, host: 127.0.0.1, port: 1, database: x, user: reader}}\n';
  const other = await admin('POST', '/mgmt/project/plan', { files: { 'svc.config.yaml': turned } });
  expect(JSON.stringify(other.body.warnings)).toContain('changes from duckdb to postgres');

  expect((await admin('DELETE', '/mgmt/lenses/extra')).status).toBe(200);
  expect((await admin('POST', '/mgmt/project/plan', { files })).body.problems).toEqual([]);
});

it('says in a plan which connections are experimental', async () => {
  const lake = '{kind: redshift, host: 127.0.0.1, port: 1, database: x, user: reader}';
  const files = { 'svc.config.yaml': `connections: {lake: ${lake}}\n` };
  const { warnings } = (await admin('POST', '/mgmt/project/plan', { files })).body;
  expect(warnings).toContain(
    'Connection "lake" is experimental: svc was tested with fixtures, not with Redshift itself.',
  );
});

describe('15.4 says in a sentence what keeps a connection from being used', () => {
  const told = async (config: object): Promise<string> => {
    const { body } = await admin('POST', '/mgmt/connections', { name: 'tried', ...config });
    if (body.error) return body.error.message;
    const tested = await admin('POST', `/mgmt/connections/${body.id}/test`);
    expect(tested.body).toMatchObject({ ok: false });
    await admin('DELETE', `/mgmt/connections/${body.id}`);
    return tested.body.error;
  };
  const here = { host: '127.0.0.1', port: 1, user: 'reader' };
  const lake = { ...here, kind: 'trino', catalog: 'hive' };
  const key = { client_email: 'svc@acme.iam.gserviceaccount.com', private_key: 'none' };

  it.each([
    ['clickhouse', { ...here, database: 'shop' }, '@clickhouse/client@1'],
    ['snowflake', { account: 'local', ...here, database: 'shop' }, 'snowflake-sdk@3'],
    ['bigquery', { project: 'acme-data', ...key }, '@google-cloud/bigquery@8'],
    ['databricks', { ...here, http_path: '/sql', catalog: 'main', token: 'none' }, '@databricks/sql@2'],
  ])('15.4: the client of %s is not installed', async (kind, config, client) => {
    const { user, ...rest } = config as { user?: string };
    const given = kind === 'databricks' ? rest : { ...rest, ...(user && { user }) };
    expect(await told({ kind, ...given })).toContain(`npm install ${client}`);
  });

  it.each(['postgres', 'mysql', 'trino'])('15.4: nothing listens where %s should', async (kind) => {
    const config = kind === 'trino' ? lake : { ...here, kind, database: 'shop' };
    expect(await told(config)).toMatch(/nothing listens at the host and port.*check both/);
  });

  it.each(['::7f00:1', '::10.0.0.1', '::ffff:10.0.0.1', '64:ff9b::a00:1'])(
    'F12: %s is an address of IPv4, and private',
    async (host) => {
      const config = { ...here, host, kind: 'postgres', database: 'shop' };
      expect(await told(config)).toContain('leads to a private address');
    },
  );

  it('15.4: something else listens there, or speaks no TLS', async () => {
    const page = createServer((_request, response) => response.writeHead(404).end('none'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const { port } = page.address() as { port: number };
    expect(await told({ ...lake, port })).toMatch(/not those of a Trino server.*check both/);
    expect(await told({ ...lake, port, ssl: true })).toMatch(/does not speak TLS at the port.*sslmode=disable/);
    page.close();
  });
});
