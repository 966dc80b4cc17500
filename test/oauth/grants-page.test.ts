import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { authorizeUrl, completeFlow, makePerson, pkce, register, signIn, submitForm } from './oauth-flow.ts';

const svc = await startTestApp();
await makePerson(svc, 'ada@example.com');
await makePerson(svc, 'eve@example.com');
const ada = await signIn(svc, 'ada@example.com');
const eve = await signIn(svc, 'eve@example.com');

const fetchPage = (cookie: string) => svc.get('/oauth/grants', null, { cookie });
const grantIn = (html: string) => /name="grant" value="([^"]+)"/.exec(html)?.[1];
const end = (cookie: string, grant: string, headers = {}) =>
  submitForm(svc, '/oauth/grants/end', { grant }, { cookie, ...headers });
const statusWith = async (token: string) => (await svc.get('/v1/lenses', token)).status;

describe('a person’s own grants', () => {
  it('are linked from the consent page, listed, and ended at once with their tokens', async () => {
    const consentPage = await svc.get(authorizeUrl(await register(svc), pkce().challenge), null, { cookie: ada });
    expect(consentPage.text).toContain('href="/oauth/grants"');
    expect((await fetchPage(ada)).text).toContain('No client can ask on your behalf.');
    const { tokens } = await completeFlow(svc, ada);
    expect(await statusWith(tokens.access_token)).toBe(200);
    const grantsPage = await fetchPage(ada);
    expect(grantsPage).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
    });
    expect(grantsPage.text).toContain('<h2>Probe</h2>');
    const endReply = await end(ada, grantIn(grantsPage.text)!);
    expect([endReply.status, endReply.headers['location']]).toEqual([303, '/oauth/grants']);
    expect(await statusWith(tokens.access_token)).toBe(401);
    expect((await fetchPage(ada)).text).toContain('No client can ask on your behalf.');
    const { items } = (await svc.admin('GET', '/audit?action=oauth_grant.end')).body;
    expect(items).toMatchObject([{ actor: 'ada@example.com' }]);
  });
  it('are closed to other people, foreign pages, keys and anonymous requests', async () => {
    const { tokens } = await completeFlow(svc, ada);
    const grant = grantIn((await fetchPage(ada)).text)!;
    expect((await fetchPage(eve)).text).not.toContain(grant);
    await end(eve, grant);
    expect((await end(ada, grant, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    await submitForm(svc, '/oauth/grants/end', { grant });
    expect(await statusWith(tokens.access_token)).toBe(200);
    expect((await svc.get('/oauth/grants', null)).text).toContain('name="return_to" value="/oauth/grants"');
    expect((await svc.get('/oauth/grants')).status).toBe(403);
    expect((await end(ada, 'no such grant')).status).toBe(303);
  });
});
