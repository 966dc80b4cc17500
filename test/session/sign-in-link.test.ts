import { describe, expect, it } from 'vitest';
import { createSignInLink } from '../../src/sign-in-link.ts';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp();

const link = async () => (await createSignInLink(service.deps.tenancy, service.orgId, 'http://127.0.0.1:8080'))!;
const tokenIn = (address: string) => new URL(address).hash.slice(1);
const enter = (token: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  service.send({
    ...{ method: 'POST', url: '/auth/enter', payload: { token }, remoteAddress, token: null },
    headers: { host: '127.0.0.1:8080', ...headers },
  });

describe('a sign-in link', () => {
  it('starts one admin session, with a cookie that scripts can’t read', async () => {
    const token = tokenIn(await link());
    const entered = await enter(token);
    expect(entered).toMatchObject({ status: 200, body: { user: { email: 'admin@localhost', role: 'admin' } } });
    const cookie = String(entered.headers['set-cookie']);
    expect(cookie).toMatch(/^svc_session=svcsess_.*HttpOnly; SameSite=Lax/);
    expect(entered.text).not.toContain('svcsess_');
    const me = await service.get('/auth/me', null, { cookie: cookie.split(';')[0]! });
    expect(me.body).toMatchObject({ kind: 'user', user: { role: 'admin' }, lenses: null });
    const secondReply = await enter(token);
    expect(secondReply).toMatchObject({ status: 401, body: { error: { code: 'auth' } } });
    expect(secondReply.body.error.message).toContain('npx svc sign-in-link');
    expect(secondReply.headers['set-cookie']).toBeUndefined();
  });

  it('always leads to the same account, and stays valid after a later link', async () => {
    const [first, second] = [tokenIn(await link()), tokenIn(await link())];
    expect((await enter(second)).status).toBe(200);
    expect((await enter(first)).status).toBe(200);
    const users = await service.sql("select id from svc.users where email = 'admin@localhost'");
    expect(users).toHaveLength(1);
  });

  it('works for only one of ten simultaneous requests', async () => {
    const token = tokenIn(await link());
    const replies = await Promise.all(Array.from({ length: 10 }, () => enter(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the sign-in link refuses', () => {
  it('an expired link, and stores no token', async () => {
    const token = tokenIn(await link());
    const rows = await service.sql<{ token_hash: Buffer }>('select * from svc.sign_in_links');
    expect(JSON.stringify(rows)).not.toContain(token);
    await service.sql("update svc.sign_in_links set expires_at = now() - interval '1 second'");
    expect((await enter(token)).status).toBe(401);
  });

  it('other machines, other host names, other sites, and a malformed token', async () => {
    const token = tokenIn(await link());
    expect((await enter(token, {}, '10.1.2.3')).status).toBe(403);
    expect((await enter(token, { host: 'svc.example.com' })).status).toBe(403);
    expect((await enter(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await enter('nothing')).status).toBe(401);
    expect((await enter(token)).status).toBe(200);
  });

  it('an installation with a public URL, and a disabled admin', async () => {
    expect(await createSignInLink(service.deps.tenancy, service.orgId, 'https://svc.example.com')).toBeNull();
    const token = tokenIn(await link());
    await service.sql("update svc.users set disabled_at = now() where email = 'admin@localhost'");
    expect((await enter(token)).status).toBe(401);
    expect(await createSignInLink(service.deps.tenancy, service.orgId, 'http://127.0.0.1:8080')).toBeNull();
  });
});

describe('the organization of a sign-in link', () => {
  it('is the one that the link was made for', async () => {
    const otherTenant = await service.addTenant('other');
    const address = (await createSignInLink(service.deps.tenancy, otherTenant.orgId, 'http://localhost:8080'))!;
    const entered = await enter(tokenIn(address), { host: 'localhost:8080' });
    const me = await service.get('/auth/me', null, { cookie: String(entered.headers['set-cookie']).split(';')[0]! });
    expect(me.body.organization).toMatchObject({ id: otherTenant.orgId, name: 'other' });
  });
});
