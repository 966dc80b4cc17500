import { describe, expect, test } from 'vitest';
import { startTestApp, type TestTenant } from '../support/app.ts';

const call = (method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) =>
  app.send({ method: method as 'GET', url, payload: payload as object, headers, token: app.adminToken });
const app = await startTestApp();
const otherTenant: TestTenant = await app.addTenant('other');

describe('access', () => {
  test('tells an admin token its organization and role', async () => {
    expect((await call('GET', '/mgmt/ping')).body).toEqual({ ok: true, organization: 'default' });
    const organization = { id: app.orgId, name: 'default' };
    expect((await call('GET', '/mgmt/whoami')).body).toMatchObject({ organization, kind: 'admin', role: 'admin' });
  });

  test('allows a viewer to read /mgmt but not to change anything', async () => {
    const user = { email: 'v@example.com', password: 'a long enough secret 42', role: 'viewer' };
    expect((await call('POST', '/mgmt/users', user)).status).toBe(201);
    const login = await app.post('/auth/login', { email: user.email, password: user.password }, null);
    expect((await app.get('/mgmt/callers', login.body.token)).status).toBe(200);
    expect((await app.post('/mgmt/callers', { name: 'x' }, login.body.token)).status).toBe(403);
  });
});

test('limits a viewer with a caller to the lenses of that caller', async () => {
  const { id } = (await call('POST', '/mgmt/callers', { name: 'without a lens' })).body;
  const user = {
    email: 'w@example.com',
    password: 'a long enough secret 42',
    role: 'viewer',
    caller: 'without a lens',
  };
  expect((await call('POST', '/mgmt/users', user)).status).toBe(201);
  const { token } = (await app.post('/auth/login', { email: user.email, password: user.password }, null)).body;
  const [{ name: lens }] = (await call('GET', '/mgmt/lenses')).body.items;
  const statusOf = async (path: string) => (await app.get(path, token)).status;
  expect((await app.get('/mgmt/lenses', token)).body.items).toEqual([]);
  expect(await statusOf(`/mgmt/lenses/${lens}/versions`)).toBe(404);
  await call('PUT', `/mgmt/callers/${id}/grants`, { lenses: [lens] });
  await expect.poll(() => statusOf(`/mgmt/lenses/${lens}/versions`), { timeout: 5_000 }).toBe(200);
  expect(await statusOf(`/mgmt/lenses/${lens}/profile`)).toBe(403);
  expect(await statusOf('/mgmt/callers')).toBe(200);
});

describe('project', () => {
  test('plans no changes for its own export, and applies it as a no-op', async () => {
    const { files, version } = (await call('GET', '/mgmt/project/export')).body;
    const plan = await call('POST', '/mgmt/project/plan', { files });
    expect(plan.status).toBe(200);
    expect(plan.body.changes.every(({ action }: { action: string }) => action === 'none')).toBe(true);
    expect((await call('POST', '/mgmt/project/apply', { files })).body).toMatchObject({ version });
  });

  test('refuses an apply with problems, names their places, and changes nothing', async () => {
    const { files, version } = (await call('GET', '/mgmt/project/export')).body;
    const path = Object.keys(files).find((name) => name.endsWith('lens.yaml'))!;
    const brokenFiles = { ...files, [path]: `${files[path]}\nmetricz: {}\n` };
    const refusal = await call('POST', '/mgmt/project/apply', { files: brokenFiles });
    expect(refusal).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid' }, problems: [{ path, pointer: '/metricz', code: 'unknown_key' }] },
    });
    expect(refusal.body.problems[0].message).toContain('metrics');
    expect((await call('GET', '/mgmt/project')).body.version).toBe(version);
  });

  test('lists deployments, and rolls back to an earlier one as a new version', async () => {
    const { files, version } = (await call('GET', '/mgmt/project/export')).body;
    const path = Object.keys(files).find((name) => name.endsWith('lens.yaml'))!;
    const touched = { ...files, [path]: `${files[path]}\n# touched\n` };
    const changeReply = await call('POST', '/mgmt/project/apply', { files: touched, message: 'touch' });
    expect(changeReply).toMatchObject({ status: 200, body: { version: version + 1 } });
    const history = (await call('GET', '/mgmt/project/deployments?limit=1')).body;
    expect(history.items).toMatchObject([{ version: version + 1, message: 'touch' }]);
    const older = (await call('GET', `/mgmt/project/deployments?cursor=${history.next_cursor}`)).body.items[0];
    const back = await call('POST', `/mgmt/project/deployments/${older.id}/rollback`, {});
    expect(back).toMatchObject({ status: 200, body: { version: version + 2 } });
    expect((await call('GET', '/mgmt/project/export')).body.files).toEqual(files);
  });
});

describe('callers and keys', () => {
  test('creates a caller with a key and grants, and the key works until it is deleted', async () => {
    const ada = { name: 'ada', groups: ['g'], attributes: { region: 'West' } };
    const createReply = await call('POST', '/mgmt/callers', ada);
    expect(createReply).toMatchObject({ status: 201, body: { name: 'ada', disabled: false } });
    const { key, key_id } = (await call('POST', `/mgmt/callers/${createReply.body.id}/keys`, { label: 'laptop' })).body;
    expect(key).toMatch(/^svc_/);
    expect((await app.get('/v1/lenses', key)).body.items).toEqual([]);
    const [lens] = (await app.get('/v1/lenses')).body.items;
    const granted = await call('PUT', '/mgmt/callers/ada/grants', { lenses: [lens.name] });
    expect(granted.body).toMatchObject({
      lenses: [lens.name],
      effective: [{ lens: lens.name, origins: [{ origin: 'caller_api', subject: 'ada' }] }],
    });
    expect((await app.get('/v1/lenses', key)).body.items).toHaveLength(1);
    const keysText = JSON.stringify((await call('GET', '/mgmt/callers/ada/keys')).body);
    expect(keysText).toContain(key_id);
    expect(keysText).not.toContain(key.slice(8));
    expect((await call('DELETE', `/mgmt/callers/ada/keys/${key_id}`)).status).toBe(200);
    expect((await app.get('/v1/lenses', key)).status).toBe(401);
  });

  test('refuses a grant of an unknown lens, and suggests the nearest name', async () => {
    const [lens] = (await app.get('/v1/lenses')).body.items;
    const refusal = await call('PUT', '/mgmt/callers/quickstart/grants', { lenses: [`${lens.name}x`] });
    expect(refusal.status).toBe(422);
    expect(refusal.body.error.message).toContain(lens.name);
  });

  test('rotates a key, and the old key works until the overlap ends', async () => {
    await call('POST', '/mgmt/callers', { name: 'rota' });
    const first = (await call('POST', '/mgmt/callers/rota/keys', {})).body;
    const second = (await call('POST', `/mgmt/callers/rota/keys/${first.key_id}/rotate`, { overlap_seconds: 1 })).body;
    expect((await app.get('/v1/lenses', first.key)).status).toBe(200);
    expect((await app.get('/v1/lenses', second.key)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await app.get('/v1/lenses', first.key)).status).toBe(401);
    expect((await app.get('/v1/lenses', second.key)).status).toBe(200);
  });

  test.each([
    ['the same lifetime', {}, 3600_000],
    ['no end', { expires_at: null }, null],
  ])('gives the successor of a key that expires %s', async (what, body, lifetime) => {
    await call('POST', '/mgmt/callers', { name: what });
    const keys = `/mgmt/callers/${encodeURIComponent(what)}/keys`;
    const expires_at = new Date(Date.now() + 3600_000).toISOString();
    const { key_id } = (await call('POST', keys, { expires_at })).body;
    const before = Date.now();
    const { expires_at: end } = (await call('POST', `${keys}/${key_id}/rotate`, body)).body;
    if (lifetime === null) expect(end).toBeNull();
    else expect(Math.abs(Date.parse(end) - before - lifetime)).toBeLessThan(60_000);
  });

  test('refuses to rotate a key twice, because the overlap replaced its lifetime, and names the replacement', async () => {
    await call('POST', '/mgmt/callers', { name: 'twice' });
    const keys = '/mgmt/callers/twice/keys';
    const { key_id } = (await call('POST', keys, {})).body;
    const replacement = (await call('POST', `${keys}/${key_id}/rotate`, {})).body;
    const again = await call('POST', `${keys}/${key_id}/rotate`, {});
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    expect(again.body.error.message).toContain(replacement.key_id);
    expect((await call('POST', `${keys}/${replacement.key_id}/rotate`, {})).body.expires_at).toBeNull();
    expect((await call('POST', `${keys}/${key_id}/rotate`, { expires_at: null })).body.expires_at).toBeNull();
  });

  test('keeps the grants and keys of a renamed caller, and gives them to no caller with the former name', async () => {
    const [lens] = (await app.get('/v1/lenses')).body.items;
    const keyOf = async (name: string) => (await call('POST', `/mgmt/callers/${name}/keys`, {})).body.key;
    const lensCount = async (key: string) => (await app.get('/v1/lenses', key)).body.items.length;
    const { callers, groups } = (await call('GET', `/mgmt/lenses/${lens.name}/grants`)).body;
    for (const name of ['former', 'through-the-lens']) await call('POST', '/mgmt/callers', { name });
    await call('PUT', '/mgmt/callers/former/grants', { lenses: [lens.name] });
    const granted = { callers: [...callers, 'through-the-lens'], groups };
    expect((await call('PUT', `/mgmt/lenses/${lens.name}/grants`, granted)).status).toBe(200);
    for (const name of ['former', 'through-the-lens']) {
      const key = await keyOf(name);
      expect(await lensCount(key)).toBe(1);
      expect((await call('PATCH', `/mgmt/callers/${name}`, { name: 'quickstart' })).status).toBe(409);
      expect((await call('PATCH', `/mgmt/callers/${name}`, { name: `${name}-2` })).body.name).toBe(`${name}-2`);
      expect(await lensCount(key)).toBe(1);
      await call('POST', '/mgmt/callers', { name });
      expect(await lensCount(await keyOf(name))).toBe(0);
    }
  });

  test('refuses to delete a caller to whom a user is linked', async () => {
    await call('POST', '/mgmt/callers', { name: 'linked' });
    const user = { email: 'linked@example.com', password: 'a long enough secret 42', role: 'viewer', caller: 'linked' };
    expect((await call('POST', '/mgmt/users', user)).status).toBe(201);
    const refusal = await call('DELETE', '/mgmt/callers/linked');
    expect([refusal.status, refusal.body.error.message]).toEqual([409, expect.stringContaining('A user is linked')]);
    expect((await call('GET', '/mgmt/callers/linked')).status).toBe(200);
  });

  test('refuses a taken name, an unknown member of the body, and an expiry in the past', async () => {
    expect((await call('POST', '/mgmt/callers', { name: 'quickstart' })).status).toBe(409);
    expect((await call('POST', '/mgmt/callers', { nam: 'x' })).body.error.details).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'nam' })]),
    );
    const expired = { expires_at: '2001-01-01T00:00:00Z' };
    expect((await call('POST', '/mgmt/callers/quickstart/keys', expired)).status).toBe(422);
  });
});

describe('the audit log', () => {
  test('records the actor and the new values of a change, without secrets', async () => {
    const token = (await call('POST', '/mgmt/tokens', { label: 'pipeline' })).body;
    const { items } = (await call('GET', '/mgmt/audit?action=token.create')).body;
    const created = { actor: 'test', object_kind: 'token', object_id: token.id, after: { label: 'pipeline' } };
    expect(items[0]).toMatchObject(created);
    expect(JSON.stringify((await call('GET', '/mgmt/audit?limit=500')).body)).not.toContain(token.token.slice(8));
    expect((await app.get('/mgmt/ping', token.token)).status).toBe(200);
    expect((await call('DELETE', `/mgmt/tokens/${token.id}`)).status).toBe(200);
    expect((await app.get('/mgmt/ping', token.token)).status).toBe(401);
    const otherAudit = (await app.get('/mgmt/audit', otherTenant.adminToken)).body.items;
    expect(otherAudit.every(({ action }: { action: string }) => action === 'project.apply')).toBe(true);
  });

  test('returns pages without gaps or repetition', async () => {
    const all = (await call('GET', '/mgmt/audit?limit=500')).body.items.map(({ id }: { id: string }) => id);
    const seenIds: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = (
        await call('GET', `/mgmt/audit?limit=3${cursor ? `&cursor=${cursor}` : ''}`)
      ).body;
      seenIds.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seenIds).toEqual(all);
  });
});
