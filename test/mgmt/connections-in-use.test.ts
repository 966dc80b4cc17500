import { readdir, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const LENS = `name: extra
title: Extra
description: Created through the API.
connection: shop
datasets: {orders: {source: main.orders, description: Lines., fields: {region: {datatype: string}}}}
`;
const admin = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  svc.send({ method, url, ...(payload && { payload }), token: svc.adminToken });
const svc = await startTestApp();
const draft = (await admin('POST', '/mgmt/lenses', { name: 'extra', files: { 'lens.yaml': LENS } })).body;
expect((await admin('POST', `/mgmt/lenses/extra/drafts/${draft.id}/publish`, {})).status).toBe(200);

it('refuses to remove a connection from the project while lenses created through the API use it', async () => {
  const files = { 'svc.config.yaml': 'connections: {}\n' };
  const planReply = await admin('POST', '/mgmt/project/plan', { files });
  expect(planReply.body.problems).toMatchObject([
    { path: 'svc.config.yaml', line: 1, code: 'conflict', message: expect.stringMatching(/"shop".*API.*: extra\./) },
  ]);
  expect((await admin('POST', '/mgmt/project/apply', { files })).status).toBe(422);
  expect((await svc.post('/v1/lenses/extra/query', { q: 'How many orders?' }, svc.adminToken)).status).toBe(200);

  const turned = 'connections: {shop: {kind: postgres, host: 127.0.0.1, port: 1, database: x, user: reader}}\n';
  const otherPlan = await admin('POST', '/mgmt/project/plan', { files: { 'svc.config.yaml': turned } });
  expect(JSON.stringify(otherPlan.body.warnings)).toContain('changes from duckdb to postgres');

  expect((await admin('DELETE', '/mgmt/lenses/extra')).status).toBe(200);
  expect((await admin('POST', '/mgmt/project/plan', { files })).body.problems).toEqual([]);
});

it('warns about experimental connections in a plan', async () => {
  const lake = '{kind: redshift, host: 127.0.0.1, port: 1, database: x, user: reader}';
  const files = { 'svc.config.yaml': `connections: {lake: ${lake}}\n` };
  const { warnings } = (await admin('POST', '/mgmt/project/plan', { files })).body;
  expect(warnings).toContain(
    `Connection "lake" is experimental: svc was tested with PostgreSQL with Redshift's system views, not with Redshift itself.`,
  );
});

describe('states in a sentence why a connection can’t be used', () => {
  const reasonFor = async (config: object): Promise<string> => {
    const { body } = await admin('POST', '/mgmt/connections', { name: 'tried', ...config });
    if (body.error) return body.error.message;
    const tested = await admin('POST', `/mgmt/connections/${body.id}/test`);
    expect(tested.body).toMatchObject({ ok: false });
    await admin('DELETE', `/mgmt/connections/${body.id}`);
    return tested.body.error;
  };
  const localServer = { host: '127.0.0.1', port: 1, user: 'reader' };
  const lake = { ...localServer, kind: 'trino', catalog: 'hive' };
  const key = { client_email: 'svc@acme.iam.gserviceaccount.com', private_key: 'none' };

  it.each([
    ['clickhouse', { ...localServer, database: 'shop' }, '@clickhouse/client@1'],
    ['snowflake', { account: 'local', ...localServer, database: 'shop' }, 'snowflake-sdk@3'],
    ['bigquery', { project: 'acme-data', ...key }, '@google-cloud/bigquery@8'],
    ['databricks', { ...localServer, http_path: '/sql', catalog: 'main', token: 'none' }, '@databricks/sql@2'],
  ])('the client of %s is not installed', async (kind, config, client) => {
    const { user, ...rest } = config as { user?: string };
    const given = kind === 'databricks' ? rest : { ...rest, ...(user && { user }) };
    expect(await reasonFor({ kind, ...given })).toContain(`npm install ${client}`);
  });

  it.each(['postgres', 'mysql', 'trino'])('nothing listens on the host and port of %s', async (kind) => {
    const config = kind === 'trino' ? lake : { ...localServer, kind, database: 'shop' };
    expect(await reasonFor(config)).toMatch(/nothing listens on the host and port.*check both/);
  });

  it('the warehouse has no free connection', async () => {
    const url = new URL(await createDatabase());
    const owner = await connect(url.href);
    await owner.query(`create role crowded login password 'crowded' connection limit 0`);
    const config = { ...connectionTo(url), user: 'crowded', password: 'crowded', ssl: false };
    expect(await reasonFor(config)).toMatch(/^The warehouse has no free connection.*raise the limit/);
    await owner.query('drop role crowded').finally(() => owner.end());
  });

  it.each(['::7f00:1', '::10.0.0.1', '::ffff:10.0.0.1', '64:ff9b::a00:1'])(
    'F12: %s leads to a private IPv4 address',
    async (host) => {
      const config = { ...localServer, host, kind: 'postgres', database: 'shop' };
      expect(await reasonFor(config)).toContain('has a private address');
    },
  );

  it('another server listens on the port, or it does not support TLS', async () => {
    const page = createServer((_request, response) => response.writeHead(404).end('none'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const { port } = page.address() as { port: number };
    expect(await reasonFor({ ...lake, port })).toMatch(/not those of a Trino server.*check both/);
    expect(await reasonFor({ ...lake, port, ssl: true })).toMatch(/does not support TLS on the port.*sslmode=disable/);
    page.close();
  });
});

describe('an uploaded data file', () => {
  const send = (name: string, payload: string | Buffer | Readable, token = svc.adminToken, type = OCTETS) =>
    svc.post(`/mgmt/uploads?name=${encodeURIComponent(name)}`, payload, token, { 'content-type': type });
  const OCTETS = 'application/octet-stream';
  const keptFiles = () => readdir(join(svc.home, 'uploads', svc.orgId)).catch(() => []);

  it('is readable only by connections of its organization, and is deleted with the connection', async () => {
    const { status, body } = await send('visits.csv', 'city,visits\nOslo,3\nRome,4\n');
    expect({ status, bytes: body.bytes }).toEqual({ status: 201, bytes: 26 });
    const config = { name: 'sent', kind: 'duckdb', files: { visits: { path: body.path } } };
    expect((await admin('POST', '/mgmt/connections', config)).status).toBe(201);
    expect((await admin('POST', '/mgmt/connections/sent/test')).body).toMatchObject({ ok: true });
    const { items } = (await admin('GET', '/mgmt/connections/sent/catalog')).body;
    expect(items).toMatchObject([{ table: 'visits', columns: [{ name: 'city' }, { name: 'visits' }] }]);

    const [, id] = /^upload:([^/]+)/.exec(body.path)!;
    const otherTenant = await svc.addTenant('stranger', { 'svc.config.yaml': 'connections: {}' });
    const theirs = { url: '/mgmt/connections', token: otherTenant.adminToken } as const;
    for (const [path, expectedRefusal] of [
      [body.path, /does not exist\. Upload it again/],
      [`upload:../${svc.orgId}/${id}/visits.csv`, /does not exist\. Upload it again/],
      [`../../../uploads/${svc.orgId}/${id}/visits.csv`, /is outside the project folder/],
      [join(svc.home, 'uploads', svc.orgId, id!, 'visits.csv'), /can't be used as warehouse data/],
    ] as const) {
      const payload = { ...config, files: { visits: { path } } };
      const createReply = await svc.send({ ...theirs, method: 'POST', payload });
      const tested = await svc.send({ ...theirs, method: 'POST', url: '/mgmt/connections/sent/test' });
      expect(JSON.stringify([createReply.body, tested.body]), path).toMatch(expectedRefusal);
      await svc.send({ ...theirs, method: 'DELETE', url: '/mgmt/connections/sent' });
    }
    expect(await keptFiles()).toEqual([id]);
    expect((await admin('DELETE', '/mgmt/connections/sent')).status).toBe(200);
    expect(await keptFiles()).toEqual([]);
  });

  it('is refused with an unsupported name, type or size, and leaves nothing behind', async () => {
    for (const name of ['sheet.xlsx', '../up.csv', 'a b.csv', '.csv', 'lake.duckdb', 'x.csv/y.csv'])
      expect((await send(name, 'a\n1\n')).status, name).toBe(422);
    expect((await send('a.csv', '{"a":1}', svc.adminToken, 'application/json')).status).toBe(415);
    expect((await send('a.csv', 'a\n1\n', svc.callerKey)).status).toBe(403);
    const chunk = Buffer.alloc(2 ** 20, 'x\n');
    const large = Readable.from(
      (function* () {
        for (let n = 0; n < 101; n++) yield chunk;
      })(),
    );
    const refusal = await send('large.csv', large);
    expect(refusal.status).toBe(413);
    expect(refusal.body.error.message).toContain('larger than 100 MB');
    expect(await keptFiles()).toEqual([]);
  });

  it('is deleted at the next upload after a day without a connection', async () => {
    const path = (body: { path: string }) => /^upload:([^/]+)/.exec(body.path)![1]!;
    const old = path((await send('old.csv', 'a\n1\n')).body);
    const yesterday = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(svc.home, 'uploads', svc.orgId, old), yesterday, yesterday);
    const young = path((await send('young.csv', 'a\n1\n')).body);
    expect(await keptFiles()).toEqual([young]);
  });
});
