import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const admin = (method: 'GET' | 'POST', url: string, payload?: object) =>
  svc.send({ method, url, ...(payload && { payload }), token: svc.adminToken });
const namesAt = async (url: string, member: string): Promise<string[]> =>
  (await admin('GET', url)).body.items.map((item: Record<string, string>) => item[member]);
const svc = await startTestApp();
for (const [name, groups] of [
  ['ada', ['sales']],
  ['bob', ['sales', 'field']],
  ['Adam_1', []],
] as const)
  await admin('POST', '/mgmt/callers', { name, email: `${name}@example.com`, groups });
await svc.admin('PATCH', '/callers/bob', { disabled: true });
for (const [email, role] of [
  ['eve@example.com', 'admin'],
  ['ann@example.org', 'viewer'],
] as const)
  await admin('POST', '/mgmt/users', { email, role, password: 'plum tree by the river' });

it('filters callers by part of a name, group and state, page by page', async () => {
  expect(await namesAt('/mgmt/callers?q=ADA', 'name')).toEqual(['Adam_1', 'ada']);
  expect(await namesAt('/mgmt/callers?q=%25', 'name')).toEqual([]);
  expect(await namesAt('/mgmt/callers?group=sales', 'name')).toEqual(['ada', 'bob']);
  expect(await namesAt('/mgmt/callers?group=sales&disabled=true', 'name')).toEqual(['bob']);
  const first = (await admin('GET', '/mgmt/callers?q=example.com&limit=2')).body;
  expect(first.items).toHaveLength(2);
  const rest = await namesAt(`/mgmt/callers?q=example.com&limit=2&cursor=${first.next_cursor}`, 'name');
  expect([...first.items.map(({ name }: { name: string }) => name), ...rest].sort()).toEqual(['Adam_1', 'ada', 'bob']);
});

it('filters users by part of the email address and by role', async () => {
  expect(await namesAt('/mgmt/users?q=.org', 'email')).toEqual(['ann@example.org']);
  expect(await namesAt('/mgmt/users?role=admin', 'email')).toEqual(['eve@example.com']);
  expect((await admin('GET', '/mgmt/users?role=owner')).status).toBe(422);
});

it('refuses a host that contains a port, and a profile of an unknown table', async () => {
  const server = { name: 'core', kind: 'postgres', host: 'a:5432', database: 'x', user: 'reader' };
  const createReply = await admin('POST', '/mgmt/connections', server);
  expect(createReply).toMatchObject({ status: 422, body: { error: { message: expect.stringContaining('`port`') } } });
  const { run_id } = (await admin('POST', '/mgmt/connections/shop/profile', { tables: ['orderz'] })).body;
  const error = { message: expect.stringContaining('main.orders') };
  expect(await svc.runEnds(run_id)).toMatchObject({ state: 'failed', error });
});

it('states the valid values for each invalid one', async () => {
  const said = async (path: string, payload?: object) =>
    (await admin(payload ? 'POST' : 'GET', path, payload)).body.error.message as string;
  expect(await said('/mgmt/callers', { name: 'x', email: 'nobody' })).toMatch(/email: .*\.$/);
  expect(await said('/mgmt/observe/requests?status=good')).toContain('status: must be one of answered, clarification');
  expect(await said('/mgmt/audit?limit=9999')).toContain('limit: must be at most 500.');
  expect(await said('/mgmt/lenses/shop/diff')).toContain('from: Required.');
  expect(await said('/mgmt/lenses/shop/evals', { question: 'Revenue?' })).toContain('expect: Required.');
  const saidOf = (member: string) => said('/mgmt/connections', { name: 'c', kind: 'postgres', [member]: 'x' });
  expect(await saidOf('prot')).toContain('Did you mean port?');
  expect(await saidOf('pass')).toContain('Did you mean password?');
  expect(await saidOf('paths')).not.toContain('Did you mean path');
  expect(await said('/mgmt/callers/quickstart/keys', { expires_at: 'soon' })).toContain(
    'expires_at: must be a time like 2026-01-31T10:00:00Z.',
  );
  expect(await said('/mgmt/observe/requests?since=soon')).not.toMatch(/Invalid|alternatives/);
});
