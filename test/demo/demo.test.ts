import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizeUrl, consent, exchange, pkce, register } from '../oauth/oauth-flow.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { browse, demoProject, type IdentityProvider, startIdentityProvider } from './identity-provider.ts';

describe('sign-in at a real identity provider', () => {
  let provider: IdentityProvider;
  let service: TestApp;
  let base: string;
  let project: string;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    project = await demoProject(provider.issuer);
    service = await startTestApp({ project, env: { SVC_DEMO_ORG_ID: 'default' } });
    base = await service.listen();
    provider.serve(`${base}/auth/callback`);
  });

  it('lets a visitor sign in, return to /demo, get a key and ask with it', async () => {
    const landed = await browse(`${base}/auth/start?provider=demo&return_to=%2Fdemo`, 'vera', /\/demo$/);
    expect(landed.text).toContain('vera@example.com');
    const mint = (origin: string) => service.post('/auth/demo-key', undefined, null, { cookie: landed.jar, origin });
    const minted = await mint(base);
    expect(minted.status).toBe(200);
    const made = { caller: 'vera@example.com', expires_in_days: 3, lenses: ['shop'], base_url: base };
    expect(minted.body).toMatchObject(made);
    expect(minted.body.agent_line).toContain(`${base}/SKILL.md`);
    expect(minted.body.agent_line).toContain(minted.body.key);
    for (const member of ['id', 'label', 'auth', 'code'])
      expect(minted.body.connect[0][member], member).toEqual(expect.any(String));
    expect((await service.get('/v1/lenses', minted.body.key)).body.items).toMatchObject([{ name: 'shop' }]);
    const secondReply = await mint(base);
    expect((await service.get('/v1/lenses', minted.body.key)).status).toBe(401);
    expect((await service.get('/v1/lenses', secondReply.body.key)).status).toBe(200);
    expect((await service.get('/mgmt/ping', secondReply.body.key)).status).toBe(403);
    expect((await mint('https://evil.example')).status).toBe(403);
  });

  it('returns to the page where sign-in started, with its query string', async () => {
    for (const query of ['?campaign=spring', '?campaign=spring&utm_source=a%26b%22%3E&next=/x', '']) {
      const page = await service.get(`/demo${query}`, null);
      const start = /href="(\/auth\/start\?provider=demo[^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&');
      const landed = await browse(base + start, 'lena', /\/demo(\?|$)/);
      expect(landed.url.pathname + landed.url.search).toBe(`/demo${query}`);
    }
  });

  it('lets a visitor approve an MCP client, on the page where sign-in started', async () => {
    const clientId = await register(service);
    const { verifier, challenge } = pkce();
    const path = authorizeUrl(clientId, challenge);
    const page = await service.get(path, null);
    const start = /href="(\/auth\/start\?provider=demo[^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&');
    const landed = await browse(base + start, 'omar', /\/oauth\/authorize/);
    expect(landed.url.pathname + landed.url.search).toBe(path);
    const back = await consent(service, landed.jar, path);
    const code = back.searchParams.get('code')!;
    const { body } = await exchange(service, { client_id: clientId, code, code_verifier: verifier });
    expect((await service.get('/v1/lenses', body.access_token)).status).toBe(200);
    expect((await service.get('/mgmt/ping', body.access_token)).status).toBe(403);
  });

  it('AS-12 never redirects to another server', async () => {
    for (const evilUrl of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '%2F%2Fevil.example',
      '/%09/evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'javascript:alert(1)',
    ]) {
      const start = `${base}/auth/start?provider=demo&return_to=${encodeURIComponent(evilUrl)}`;
      const landed = await browse(start, 'nina', /127\.0\.0\.1:\d+\/($|%09)/);
      expect(landed.url.origin).toBe(base);
    }
  });

  it('signs no one in through a callback that svc did not start', async () => {
    const reply = await service.get('/auth/callback?code=stolen&state=guessed', null);
    expect([reply.status, reply.headers['set-cookie'] ?? ''].join()).not.toMatch(/svc_demo=ey/);
    expect(reply.status).toBe(401);
  });

  it('serves a page with a strict policy, no inline or foreign script, and escaped configuration text', async () => {
    const { text, headers } = await service.get('/demo', null);
    expect(headers['content-security-policy']).toMatch(/script-src 'self'/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
    expect(text).not.toMatch(/<script(?! src="\/demo\.js")/);
    expect(text).toContain('&#60;b&#62;West&#60;/b&#62;');
    expect(text).toContain('Ask the corner shop');
    expect(text).toContain('https://example.com/privacy');
  });

  it('serves SKILL.md with topics and limits', async () => {
    const { text, headers } = await service.get('/SKILL.md', null);
    expect(headers['content-type']).toMatch(/text\/markdown/);
    expect(headers['cache-control']).toMatch(/max-age=300/);
    expect(text).toMatch(/## Demo[\s\S]*`shop`[\s\S]*60 new keys/);
  });
});

describe('KEY-04 tokens of the identity provider', () => {
  let keys: { publicKey: CryptoKey; privateKey: CryptoKey };
  let host: Server;
  let issuer: string;
  let service: TestApp;
  let project: string;
  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
    host = createServer((request, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const paths = {
        issuer,
        jwks_uri: `${issuer}/jwks`,
        authorization_endpoint: `${issuer}/a`,
        token_endpoint: `${issuer}/t`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      };
      reply.end(JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : paths));
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    project = await demoProject(issuer);
    service = await startTestApp({ project, env: { SVC_DEMO_ORG_ID: 'default' } });
  });
  afterAll(() => host.close());

  const token = (
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key: CryptoKey | Uint8Array = keys.privateKey,
  ) => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: issuer,
      sub: 'u1',
      aud: 'svc-demo',
      exp: now + 300,
      iat: now,
      email: 'u1@example.com',
      email_verified: true,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
      .sign(key);
  };
  const mint = (bearer: string, headers: Record<string, string> = {}) =>
    service.send({ method: 'POST', url: '/auth/demo-key', token: bearer, headers });

  it('accepts a verified token on /v1, refuses it on /mgmt, and asks for OAuth on /mcp', async () => {
    const goodToken = await token();
    expect((await service.get('/v1/lenses', goodToken)).body.items).toHaveLength(1);
    expect((await service.get('/mgmt/ping', goodToken)).status).toBe(403);
    const mcp = await service.post('/mcp', {}, goodToken, { host: '127.0.0.1:8080' });
    expect([mcp.status, String(mcp.headers['www-authenticate'])].join()).toMatch(/401.*resource_metadata/);
  });

  it('answers 401 for a foreign, expired, early, unsigned, forged or unverified token', async () => {
    const now = Math.floor(Date.now() / 1000);
    const foreignKey = await generateKeyPair('RS256');
    const badTokens = {
      issuer: await token({ iss: 'https://evil.example' }),
      audience: await token({ aud: 'another' }),
      expired: await token({ exp: now - 120 }),
      early: await token({ nbf: now + 600 }),
      azp: await token({ azp: 'another' }),
      unverified: await token({ email_verified: false }),
      forged: await token({}, {}, foreignKey.privateKey),
      hmac: await token({}, { alg: 'HS256' }, new TextEncoder().encode('x'.repeat(64))),
      none: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await token()).split('.')[1]}.`,
      key: service.callerKey,
      admin: service.adminToken,
    };
    for (const [name, bearer] of Object.entries(badTokens))
      expect([name, (await mint(bearer)).status]).toEqual([name, 401]);
    expect((await service.send({ method: 'POST', url: '/auth/demo-key', token: null })).status).toBe(401);
  });

  it('refuses a body with members', async () => {
    const options = { method: 'POST' as const, url: '/auth/demo-key', token: await token(), payload: { bogus: 1 } };
    expect(await service.send(options)).toMatchObject({ status: 422, body: { error: { param: 'bogus' } } });
  });

  it('leaves one live key after 50 requests at once, and identifies a person by issuer and subject', async () => {
    const bearer = await token({ sub: 'many', email: 'many@example.com' });
    const minted = await Promise.all(Array.from({ length: 50 }, () => mint(bearer)));
    expect(minted.every(({ status }) => status === 200)).toBe(true);
    const live = await service.sql<{ n: number }>(
      "select count(*)::int as n from svc.credentials c join svc.callers k on k.id = c.caller_id where k.external_subject like '% many' and c.revoked_at is null",
    );
    expect(live[0]!.n).toBe(1);
    const twin = await mint(await token({ sub: 'twin', email: 'many@example.com' }));
    expect(twin.status === 429 || twin.body.caller !== 'many@example.com').toBe(true);
  });

  it('limits key requests for each source address, and ignores X-Forwarded-For', async () => {
    const bearer = await token({ sub: 'greedy' });
    let last = await mint(bearer);
    for (let i = 0; i < 70 && last.status === 200; i++)
      last = await mint(bearer, { 'x-forwarded-for': `203.0.113.${i}` });
    expect(last.status).toBe(429);
    expect(last.headers['ratelimit-policy']).toBe('"demo key";q=60;w=3600');
    expect(last.headers['ratelimit']).toBe(`"demo key";r=0;t=${last.headers['retry-after']}`);
  });

  it('counts the addresses of one IPv6 network as one source', async () => {
    const requestFrom = async (nth: number, address: string) =>
      service.send({
        method: 'POST',
        url: '/auth/demo-key',
        token: await token({ sub: `six${nth}` }),
        remoteAddress: address,
      });
    let last = 200;
    // Sends twice the limit, because a new hour may begin during the test.
    for (let i = 1; i < 130 && last === 200; i++) last = (await requestFrom(i, `2001:db8:7::${i.toString(16)}`)).status;
    expect(last).toBe(429);
    expect((await requestFrom(99, '2001:db8:8::1')).status).toBe(200);
  });

  it('refuses an invalid subject, and names no caller after an invalid email address', async () => {
    for (const sub of ['', { a: 1 }, 'a\u0000b', 'x'.repeat(256)])
      expect((await service.get('/v1/lenses', await token({ sub }))).status).toBe(401);
    for (const email of ['', `${'a'.repeat(500)}@example.com`, 'a\u202eb@example.com', 'a b@example.com']) {
      const { body } = await service.get(
        '/auth/me',
        await token({ sub: `odd ${email.slice(0, 5).replace(/\W/g, '-')}`, email }),
      );
      expect(body.name).toMatch(/^visitor /);
    }
  });
});

it('explains on the page how to configure a missing identity provider', async () => {
  const service = await startTestApp({ env: { SVC_DEMO_ORG_ID: 'default' } });
  const { status, text } = await service.get('/demo', null);
  expect(status).toBe(200);
  expect(text).toMatch(/demo\.identity_provider[\s\S]*svc\.config\.yaml[\s\S]*\/auth\/callback/);
  await service.close();
});

it('shows browsers a page if the identity provider is down, and returns JSON to other clients', async () => {
  const project = await demoProject('http://127.0.0.1:1');
  const service = await startTestApp({ project, env: { SVC_DEMO_ORG_ID: 'default' } });
  const start = (accept: string) => service.get('/auth/start?provider=demo&return_to=%2Fdemo', null, { accept });
  const page = await start('text/html,*/*;q=0.8');
  expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(page.text).toContain('The sign-in provider is not responding.');
  expect((await start('application/json')).body.error.code).toBe('unreachable');
  await service.close();
});

it('reports in /ready that SVC_DEMO_ORG_ID names no organization', async () => {
  const service = await startTestApp({ env: { SVC_DEMO_ORG_ID: 'nowhere' } });
  const { body } = await service.get('/ready', null);
  expect(body).toMatchObject({ status: 'ready', info: { demo: { status: 'failing' } } });
  expect(body.info.demo.detail).toContain('svc bootstrap');
  await service.close();
});

describe('without SVC_DEMO_ORG_ID', () => {
  it('answers 404 on the demo routes, and explains why SKILL.md is not served', async () => {
    const service = await startTestApp();
    expect((await service.get('/demo', null)).status).toBe(404);
    expect((await service.post('/auth/demo-key', {}, null)).status).toBe(404);
    const skill = await service.get('/SKILL.md', null);
    expect([skill.status, skill.body.error.message].join()).toMatch(/404.*SVC_PUBLIC_BASE_URL/);
    await service.close();
  });

  it('with SVC_PUBLIC_BASE_URL, serves a page for agents that has no key and never varies', async () => {
    const service = await startTestApp({ env: { SVC_PUBLIC_BASE_URL: 'https://data.example.com' } });
    const { text, status } = await service.get('/SKILL.md', null, { host: 'evil.example' });
    expect(status).toBe(200);
    expect(text).not.toMatch(/svc(adm|o|sess)?_[0-9A-Za-z]{8}/);
    expect(text).not.toContain('evil');
    expect(text).toMatchSnapshot();
    await service.close();
  });
});
