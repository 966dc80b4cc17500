// Environment variables belong to the operator. A connection applied over HTTP can use only variables granted to its
// organization, and only in secrets.
import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestTenant } from '../support/app.ts';

/** A server that asks for the password in clear text, and records what it receives. */
const heard: string[] = [];
const variable = (name: string) => `$\{${name}}`;
const VALUES = {
  CORE_PASSWORD: 'the core password',
  PLAIN_SECRET: 'a plain secret',
  OPENAI_API_KEY: 'sk-of-the-operator',
};

const core = (members: Record<string, unknown>) => ({
  kind: 'postgres',
  host: '127.0.0.1',
  port,
  database: 'x',
  user: 'reader',
  ...members,
});
const project = (connection: object, extraYaml = '') => ({
  'svc.config.yaml': `connections: ${JSON.stringify({ core: connection })}\n${extraYaml}`,
});
const plan = (tenant: TestTenant, files: object) => service.post('/mgmt/project/plan', { files }, tenant.adminToken);
const host = createServer((socket) => {
  let greeted = false;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    heard.push(data.toString('latin1'));
    if (!greeted) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    else socket.end();
    greeted = true;
  });
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
const port = (host.address() as { port: number }).port;
const service = await startTestApp({ env: { SVC_PROJECT_ENV: 'PLAIN_SECRET acme:CORE_PASSWORD', ...VALUES } });
const acme: TestTenant = await service.addTenant('acme', {});
afterAll(() => host.close());

const refusedFor = async (tenant: TestTenant, connection: object, name: string): Promise<string> => {
  const before = heard.length;
  for (const path of ['/mgmt/project/plan', '/mgmt/project/apply']) {
    const reply = await service.post(path, { files: project(connection) }, tenant.adminToken);
    expect(reply.status).toBe(path.endsWith('plan') ? 200 : 422);
    for (const value of Object.values(VALUES)) expect(reply.text).not.toContain(value);
  }
  const { body } = await plan(tenant, project(connection));
  const told = body.problems.find(({ code }: { code: string }) => code === 'variable');
  expect(told?.message).toContain(name);
  expect(heard.slice(before).join()).not.toMatch(/core password|plain secret|sk-of/);
  return told.message;
};

describe('an admin of an organization', () => {
  it('can’t read a variable through a statement or a name, granted or not', async () => {
    const files = (select: string) => ({ kind: 'duckdb', files: { orders: { path: './orders.csv', select } } });
    for (const name of ['CORE_PASSWORD', 'PLAIN_SECRET', 'OPENAI_API_KEY'])
      for (const connection of [
        files(`select '${variable(name)}' as x`),
        core({ user: variable(name) }),
        core({ host: `${variable(name)}.example.com` }),
        core({ database: variable(name) }),
        core({ ssl: { ca: variable(name) } }),
        { kind: 'plugin:other', label: variable(name) },
      ])
        expect(await refusedFor(acme, connection, name)).toMatch(/only in secrets like `password`/);
  });

  it('can’t use a variable as a password unless it is granted to the organization', async () => {
    for (const name of ['PLAIN_SECRET', 'OPENAI_API_KEY', 'HOME', 'SVC_SECRET_KEY'])
      expect(await refusedFor(acme, core({ password: variable(name) }), name)).toContain(`organization:${name}`);
    expect(await refusedFor(service, core({ password: variable('CORE_PASSWORD') }), 'CORE_PASSWORD')).toContain(
      'not available',
    );
    expect(await refusedFor(service, core({ password: `x${variable('PLAIN_SECRET')}` }), 'PLAIN_SECRET')).toContain(
      'not available',
    );
  });

  it('can use a granted variable as a password, which an export shows only by name', async () => {
    const applyReply = await service.post(
      '/mgmt/project/apply',
      { files: project(core({ password: variable('CORE_PASSWORD') })) },
      acme.adminToken,
    );
    expect(applyReply.status).toBe(200);
    await service.post('/mgmt/connections/core/test', {}, acme.adminToken);
    expect(heard.join()).toContain(VALUES.CORE_PASSWORD);
    const exported = (await service.get('/mgmt/project/export', acme.adminToken)).body.files;
    expect(exported['svc.config.yaml']).toContain(variable('CORE_PASSWORD'));
    expect((await plan(acme, exported)).body).toMatchObject({ problems: [] });
    for (const path of ['/mgmt/connections', '/mgmt/connections/core', '/mgmt/audit'])
      expect((await service.get(path, acme.adminToken)).text).not.toContain(VALUES.CORE_PASSWORD);
  });

  it('can keep the operator’s connection unchanged, but can’t reuse its variable in a changed one', async () => {
    const tenantFiles = project(core({ password: variable('PLAIN_SECRET') }));
    const operated = await service.addTenant('operated', tenantFiles);
    expect((await plan(operated, tenantFiles)).body.problems).toEqual([]);
    const exported = (await service.get('/mgmt/project/export', operated.adminToken)).body.files;
    expect((await plan(operated, exported)).body.problems).toEqual([]);
    for (const password of ['(kept)', variable('PLAIN_SECRET')])
      expect(await refusedFor(operated, core({ password, database: 'another' }), 'PLAIN_SECRET')).toContain(
        'not available',
      );
  });

  it('can’t open a connection with a variable that is no longer granted', async () => {
    const formerTenant = await service.addTenant('gone', project(core({ password: variable('CORE_PASSWORD') })));
    await service.sql('update svc.connections set from_operator = false where org_id = $1', [formerTenant.orgId]);
    service.deps.project.onApplied?.(formerTenant.orgId, ['core']);
    const before = heard.length;
    const { body } = await service.post('/mgmt/connections/core/test', {}, formerTenant.adminToken);
    expect(body).toMatchObject({ ok: false, error: expect.stringContaining('organization:CORE_PASSWORD') });
    expect(heard).toHaveLength(before);
  });

  it('can’t use a variable in other keys of svc.config.yaml', async () => {
    const extraYaml = `instance: {name: "${variable('CORE_PASSWORD')}"}\n`;
    const { body } = await plan(acme, project(core({ password: 'x' }), extraYaml));
    expect(body.problems).toContainEqual(expect.objectContaining({ code: 'variable', pointer: '/instance/name' }));
  });
});
