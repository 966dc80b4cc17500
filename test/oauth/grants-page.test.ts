// People see the clients that they authorized, and can end access at once. They see no one else's.
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { authorizeUrl, form, makePerson, pkce, register, signIn, wholeDance } from './dance.ts';

const svc = await startTestApp();
await makePerson(svc, 'ada@example.com');
await makePerson(svc, 'eve@example.com');
const ada = await signIn(svc, 'ada@example.com');
const eve = await signIn(svc, 'eve@example.com');

const page = (cookie: string) => svc.get('/oauth/grants', null, { cookie });
const grantIn = (html: string) => /name="grant" value="([^"]+)"/.exec(html)?.[1];
const end = (cookie: string, grant: string, headers = {}) =>
  form(svc, '/oauth/grants/end', { grant }, { cookie, ...headers });
const works = async (token: string) => (await svc.get('/v1/lenses', token)).status;

describe('a person’s own grants', () => {
  it('are linked from the consent page, listed, and ended at once with their tokens', async () => {
    const asked = await svc.get(authorizeUrl(await register(svc), pkce().challenge), null, { cookie: ada });
    expect(asked.text).toContain('href="/oauth/grants"');
    expect((await page(ada)).text).toContain('No client can ask on your behalf.');
    const { tokens } = await wholeDance(svc, ada);
    expect(await works(tokens.access_token)).toBe(200);
    const listed = await page(ada);
    expect(listed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store', 'x-frame-options': 'DENY' } });
    expect(listed.text).toContain('<h2>Probe</h2>');
    const ended = await end(ada, grantIn(listed.text)!);
    expect([ended.status, ended.headers['location']]).toEqual([303, '/oauth/grants']);
    expect(await works(tokens.access_token)).toBe(401);
    expect((await page(ada)).text).toContain('No client can ask on your behalf.');
    const { items } = (await svc.get('/mgmt/audit?action=oauth_grant.end', svc.adminToken)).body;
    expect(items).toMatchObject([{ actor: 'ada@example.com' }]);
  });
  it('are closed to other people, foreign pages, keys and anonymous requests', async () => {
    const { tokens } = await wholeDance(svc, ada);
    const grant = grantIn((await page(ada)).text)!;
    expect((await page(eve)).text).not.toContain(grant);
    await end(eve, grant);
    expect((await end(ada, grant, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    await form(svc, '/oauth/grants/end', { grant });
    expect(await works(tokens.access_token)).toBe(200);
    expect((await svc.get('/oauth/grants', null)).text).toContain('name="return_to" value="/oauth/grants"');
    expect((await svc.get('/oauth/grants')).status).toBe(403);
    expect((await end(ada, 'no such grant')).status).toBe(303);
  });
});
