import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  deleteOauthClient,
  listOauthClients,
  listOauthGrants,
  revokeOauthGrant,
} from '../../src/domain/oauth/manage-grants.ts';
import { changeUser } from '../../src/domain/users/users.ts';
import { type Reply, startTestApp } from '../support/app.ts';
import {
  authorizeUrl,
  completeFlow,
  consent,
  exchange,
  makePerson,
  pkce,
  REDIRECT,
  register,
  signIn,
  submitForm,
  ticketIn,
} from './oauth-flow.ts';

const service = await startTestApp({ documentAddresses: ['127.0.0.1'] });
await makePerson(service, 'ann@example.com');
const cookie = await signIn(service, 'ann@example.com');
const base = service.deps.baseUrl();

const admin = () => ({ orgId: service.orgId, name: 'admin', requestId: null });
const postAsk = (token: string) => service.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] }, token);
const authorize = (clientId: string, overrides: Record<string, string | undefined> = {}) =>
  service.get(authorizeUrl(clientId, pkce().challenge, overrides), null, { cookie });
const revoke = (fields: Record<string, string>) => submitForm(service, '/oauth/revoke', fields);
const registerWith = (body: object) => service.post('/oauth/register', body, null);
const toMcp = (token: string) =>
  service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, token, {
    'content-type': 'application/json',
    host: '127.0.0.1:8080',
  });

describe('the authorization flow', () => {
  it('AS-01 AUTH-02 states its own address in the metadata, whatever the Host header says', async () => {
    const evilHeaders = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const server = (await service.get('/.well-known/oauth-authorization-server', null, evilHeaders)).body;
    expect(server).toMatchObject({
      issuer: base,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      registration_endpoint: `${base}/oauth/register`,
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      const { body } = await service.get(path, null, evilHeaders);
      expect(body).toMatchObject({
        resource: `${base}/mcp`,
        authorization_servers: [base],
        bearer_methods_supported: ['header'],
      });
      expect(JSON.stringify(body)).not.toContain('evil');
    }
  });

  it('leads from registration to a token that works on /mcp and /v1, but not on /mgmt', async () => {
    const { back, tokens, reply } = await completeFlow(service, cookie);
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['st 1', base]);
    expect(tokens.access_token).toMatch(/^svco_/);
    expect(tokens.expires_in).toBe(3600);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect((await postAsk(tokens.access_token)).status).toBe(200);
    expect((await toMcp(tokens.access_token)).status).toBe(200);
    expect((await service.get('/mgmt/ping', tokens.access_token)).status).toBe(403);
  });

  it('shows the sign-in form, and no grants, to a person whose session is unknown or over', async () => {
    await makePerson(service, 'left@example.com');
    const ended = await signIn(service, 'left@example.com');
    expect((await service.get('/oauth/grants', null, { cookie: ended })).text).toContain('You are left@example.com');
    expect((await service.post('/auth/logout', {}, null, { cookie: ended })).status).toBeLessThan(400);
    for (const session of ['svc_session=svcsess_unknown', ended]) {
      const page = await service.get('/oauth/grants', null, { cookie: session });
      expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
      expect(page.text).toMatch(/name="password"/);
      expect(page.text).not.toContain('You are');
    }
  });

  it('shows the sign-in form to an anonymous person, and returns to the first page with its query', async () => {
    const clientId = await register(service);
    const url = authorizeUrl(clientId, pkce().challenge);
    const page = await service.get(url, null);
    expect(page.text).toMatch(/name="password"/);
    const returnTo = /name="return_to" value="([^"]+)"/.exec(page.text)![1]!.replace(/&#38;/g, '&');
    const { PASSWORD } = await import('./oauth-flow.ts');
    const form = { email: 'ann@example.com', password: PASSWORD, return_to: returnTo };
    const signInReply = await submitForm(service, '/auth/sign-in', form);
    expect(signInReply.status).toBe(303);
    expect(signInReply.headers['location']).toBe(url.replace(/\+/g, '+'));
  });

  it('AS-11 rotates refresh tokens, and revokes the family when one is used twice', async () => {
    const { clientId, tokens } = await completeFlow(service, cookie);
    const refresh = (refresh_token: string, client_id = clientId) =>
      submitForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id });
    const second = (await refresh(tokens.refresh_token)).body;
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    expect((await postAsk(second.access_token)).status).toBe(200);
    expect((await refresh(second.refresh_token, await register(service))).body.error).toBe('invalid_grant');
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    expect((await postAsk(second.access_token)).status).toBe(401);
  });

  it('ends the grant on /oauth/revoke, and returns 200 for unknown tokens too', async () => {
    const { tokens, clientId } = await completeFlow(service, cookie);
    expect((await revoke({ token: 'unknown' })).status).toBe(200);
    expect((await revoke({ token: tokens.access_token, client_id: 'someone else' })).status).toBe(200);
    expect((await postAsk(tokens.access_token)).status).toBe(200);
    expect((await revoke({ token: tokens.refresh_token, client_id: clientId })).status).toBe(200);
    expect((await postAsk(tokens.access_token)).status).toBe(401);
  });

  it('AUTH-06 lets an admin list and end grants and clients, and ends those of a disabled person', async () => {
    const first = await completeFlow(service, cookie);
    const grants = await listOauthGrants(service.deps, service.orgId, { limit: 50, after: null });
    const grant = { user: 'ann@example.com', caller: 'quickstart', status: 'live' };
    expect(grants[0]).toMatchObject({ client_id: first.clientId, ...grant });
    await revokeOauthGrant(service.deps, admin(), grants[0]!.id);
    expect((await postAsk(first.tokens.access_token)).status).toBe(401);

    const second = await completeFlow(service, cookie);
    const clients = await listOauthClients(service.deps, service.orgId, { limit: 500, after: null });
    expect(clients.map(({ id }) => id)).toContain(second.clientId);
    await deleteOauthClient(service.deps, admin(), second.clientId);
    const listed: string[] = [];
    let path: string | null = '/mgmt/oauth/clients?limit=1';
    while (path !== null) {
      const { body }: Reply = await service.get(path, service.adminToken);
      listed.push(...body.items.map(({ id }: { id: string }) => id));
      path = body.next_cursor && `/mgmt/oauth/clients?limit=1&cursor=${body.next_cursor}`;
    }
    const { items } = (await service.admin('GET', '/oauth/clients?limit=500')).body;
    expect(listed).toEqual(items.map(({ id }: { id: string }) => id));
    expect((await postAsk(second.tokens.access_token)).status).toBe(401);
    expect((await authorize(second.clientId)).status).toBe(400);

    const bob = await makePerson(service, 'bob@example.com');
    const third = await completeFlow(service, await signIn(service, 'bob@example.com'));
    await changeUser(service.deps, admin(), bob.id, { disabled: true });
    expect((await postAsk(third.tokens.access_token)).status).toBe(401);
    const form = { grant_type: 'refresh_token', refresh_token: third.tokens.refresh_token, client_id: third.clientId };
    expect((await submitForm(service, '/oauth/token', form)).body.error).toBe('invalid_grant');
  });
});

describe('the authorization server', () => {
  const exchangeError = async (fields: Record<string, string>) => (await exchange(service, fields)).body.error;

  it('AS-02 refuses to omit or downgrade PKCE', async () => {
    const clientId = await register(service);
    for (const [overrides, error] of [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ] as const) {
      const reply = await authorize(clientId, overrides);
      const parameters = Object.fromEntries(new URL(String(reply.headers['location'])).searchParams);
      expect(parameters).toMatchObject({ error, state: 'st 1', iss: base });
    }
    const { code } = await codeFor(clientId);
    for (const verifier of [{ code_verifier: pkce().verifier }, {}] as Record<string, string>[])
      expect(await exchangeError({ client_id: clientId, code, ...verifier })).toBe('invalid_grant');
  });

  it('AS-04 redirects no error to a self-registered client before the person signs in', async () => {
    const away = 'https://elsewhere.example/landing';
    const clientId = await register(service, { redirect_uris: [away] });
    for (const overrides of [
      { response_type: 'token' },
      { code_challenge: undefined },
      { resource: 'https://elsewhere.example/mcp' },
      { prompt: 'none' },
      { request: 'x' },
      { response_mode: 'fragment' },
    ]) {
      const url = authorizeUrl(clientId, pkce().challenge, { redirect_uri: away, ...overrides });
      for (const session of [undefined, 'nobody', service.callerKey]) {
        const reply = await service.get(url, null, session === undefined ? {} : { cookie: `svc_session=${session}` });
        expect([reply.status, reply.headers['location']]).toEqual([400, undefined]);
        expect(reply.headers['content-type']).toMatch(/text\/html/);
        expect(reply.text).not.toContain('elsewhere.example/landing');
      }
      expect((await service.get(url, null, { cookie })).headers['location']).toContain(`${away}?error=`);
    }
  });

  it('AUTH-03 reads the scheme and the host of a resource in any case, and its path as written', async () => {
    const clientId = await register(service);
    const namedResource = new URL('https://data.example.com/mcp');
    for (const resource of [`${base.replace('http', 'HTTP')}/mcp`, `${base}/mcp/`])
      expect((await authorize(clientId, { resource })).text, resource).toContain('name="ticket"');
    for (const resource of [`${base}/MCP`, `${base}/mcp?a=1`, `${base}/mcp#a`, base, namedResource.href])
      expect((await authorize(clientId, { resource })).headers['location'], resource).toContain('error=invalid_target');
  });

  it('AS-03 refuses to register redirect URIs that could leak a code', async () => {
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://evil.example/cb',
      'https://a.example/#frag',
      'https://user@a.example/',
      'https://*.example/cb',
      'myapp://cb',
      '//a.example/x',
      'https:a.example',
      'http://127.1/cb',
      'https://a.example;frame-ancestors/cb',
      'https://a.example,b.example/cb',
      'http://2130706433/cb',
      'https://a.example/\u202ecb',
      'http://127.0.0.1.evil.example/',
      'https://a.example/ x',
      'cb',
    ]) {
      const reply = await registerWith({ redirect_uris: [uri] });
      expect([uri, reply.status, reply.body.error]).toEqual([uri, 400, 'invalid_redirect_uri']);
    }
    const safe = ['https://a.example/cb?x=1', 'http://127.0.0.1/cb', 'http://localhost:7/cb', 'http://[::1]:7/cb'];
    expect((await registerWith({ redirect_uris: safe })).status).toBe(201);
  });

  it('AS-04 reports an unknown client or redirect URI on a page, and never redirects', async () => {
    const clientId = await register(service);
    const otherUris = ['https://a.example/cb', 'http://127.0.0.1:7777/callback?x=1'];
    const otherClientId = await register(service, { redirect_uris: otherUris });
    const { challenge } = pkce();
    for (const url of [
      authorizeUrl(otherClientId, challenge, { redirect_uri: 'https://a.example/cb/' }),
      authorizeUrl(otherClientId, challenge, { redirect_uri: 'https://a.example:444/cb' }),
      authorizeUrl(otherClientId, challenge, { redirect_uri: 'https://A.example/cb' }),
      authorizeUrl(otherClientId, challenge, { redirect_uri: 'http://127.0.0.1:1/callback' }),
      authorizeUrl(otherClientId, challenge, { redirect_uri: 'http://localhost:7777/callback?x=1' }),
      authorizeUrl('nobody', challenge),
      authorizeUrl(clientId, challenge, { redirect_uri: 'https://evil.example/cb' }),
      authorizeUrl(clientId, challenge, { redirect_uri: `${REDIRECT}/more` }),
      authorizeUrl(clientId, challenge, { redirect_uri: 'http://127.0.0.1:7777@evil.example/callback' }),
      authorizeUrl(clientId, challenge, { redirect_uri: undefined }),
      `${authorizeUrl(clientId, challenge)}&redirect_uri=https%3A%2F%2Fevil.example`,
    ]) {
      const reply = await service.get(url, null, { cookie });
      expect([reply.status, reply.headers['location']]).toEqual([400, undefined]);
      expect(reply.headers['content-type']).toMatch(/text\/html/);
    }
    // RFC 8252: a loopback redirect URI may differ only in its port.
    const otherPort = await authorize(clientId, { redirect_uri: 'http://127.0.0.1:9/callback' });
    expect(otherPort.text).toContain('name="ticket"');
  });

  it('AS-05 serves one of 20 parallel exchanges, and revokes its token because the code was reused', async () => {
    const clientId = await register(service);
    const { code, verifier } = await codeFor(clientId);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => exchange(service, { client_id: clientId, code, code_verifier: verifier })),
    );
    const servedReplies = replies.filter(({ status }) => status === 200);
    expect(servedReplies).toHaveLength(1);
    expect(replies.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
    expect((await postAsk(servedReplies[0]!.body.access_token)).status).toBe(401);
  });

  it('AS-05 binds a code to its client, its redirect URI and sixty seconds', async () => {
    const clientId = await register(service);
    const thief = await register(service);
    const { code, verifier } = await codeFor(clientId);
    const fields = { client_id: clientId, code, code_verifier: verifier };
    expect(await exchangeError({ ...fields, client_id: thief })).toBe('invalid_grant');
    expect(await exchangeError({ ...fields, redirect_uri: 'http://127.0.0.1:1/callback' })).toBe('invalid_grant');
    const expire = "update svc.oauth_grants set code_expires_at = now() - interval '1 second' where client_id = $1";
    await service.sql(expire, [clientId]);
    expect(await exchangeError(fields)).toBe('invalid_grant');
    const [{ life }] = (await service.sql<{ life: number }>(
      'select extract(epoch from max(code_expires_at - created_at))::int as life from svc.oauth_grants',
    )) as [{ life: number }];
    expect(life).toBeLessThanOrEqual(60);
  });

  it('AS-06 accepts only forms for tokens, with each parameter once, and returns OAuth errors', async () => {
    const json = await service.post('/oauth/token', { grant_type: 'authorization_code' }, null);
    expect([json.status, json.body.error]).toEqual([400, 'invalid_request']);
    for (const [grant, error] of [
      [{}, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ] as const) {
      const reply = await submitForm(service, '/oauth/token', { client_id: await register(service), ...grant });
      expect([reply.status, reply.body.error]).toEqual([400, error]);
    }
    const twice = await service.post('/oauth/token', 'grant_type=a&grant_type=b&client_id=x', null, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(twice.body.error).toBe('invalid_request');
    const unknownClient = await submitForm(service, '/oauth/token', { grant_type: 'password', client_id: 'x' });
    expect(unknownClient.body.error).toBe('unsupported_grant_type');
  });

  it('AS-07 escapes hostile names on the consent page, and forbids framing it', async () => {
    const clientId = await register(service, {
      client_name: '<script>alert(1)</script>"\u202e',
      logo_uri: 'javascript:alert(1)',
      client_uri: 'javascript:alert(2)',
    });
    const page = await authorize(clientId);
    expect(page.text).not.toMatch(/<script>alert|javascript:|\u202e/);
    expect(page.text).toContain('&#60;script&#62;');
    expect(page.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    expect(page.headers['content-security-policy']).toMatch(/script-src 'none'/);
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.text).toContain('127.0.0.1:7777');
    expect(page.text).toContain('shop');
  });

  it('AS-07 accepts a consent form once, by POST, from the same person and its own pages only', async () => {
    const clientId = await register(service);
    const ticket = ticketIn((await authorize(clientId)).text);
    const complete = (headers: Record<string, string>) =>
      submitForm(service, '/oauth/authorize/complete', { ticket, decision: 'allow' }, headers);
    const completion = `/oauth/authorize/complete?ticket=${ticket}&decision=allow`;
    expect((await service.get(completion, null, { cookie })).status).not.toBe(303);
    expect((await complete({ cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await complete({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    await makePerson(service, 'eve@example.com');
    expect((await complete({ cookie: await signIn(service, 'eve@example.com') })).status).toBe(403);
    expect((await complete({})).status).toBe(403);
    expect((await complete({ cookie })).headers['location']).toMatch(/code=/);
    const again = await complete({ cookie });
    expect(again.status).toBe(409);
    expect(again.text).toContain('This consent form was already submitted.');
    expect(again.text).not.toContain('verify the origin');
  });

  it('AS-08 issues no code when a signed-in victim opens a crafted link', async () => {
    const redirect_uri = 'https://attacker.example/cb';
    const clientId = await register(service, { redirect_uris: [redirect_uri] });
    const page = await authorize(clientId, { redirect_uri });
    expect([page.status, page.headers['location']]).toEqual([200, undefined]);
    expect(page.text).toContain('attacker.example');
    const url = authorizeUrl(clientId, pkce().challenge, { redirect_uri });
    const denied = await consent(service, cookie, url, 'deny');
    expect([denied.searchParams.get('error'), denied.searchParams.get('code')]).toEqual(['access_denied', null]);
  });

  it('AS-09 bounds the body, redirect URIs and grant types of a registration, and issues no secret', async () => {
    const many = Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`);
    expect((await registerWith({ redirect_uris: many })).status).toBe(400);
    const required = { error: 'invalid_redirect_uri', error_description: 'redirect_uris: Required.' };
    expect((await registerWith({})).body).toEqual(required);
    const redirect_uris = [REDIRECT];
    expect((await registerWith({ redirect_uris, client_name: 'x'.repeat(20_000) })).status).toBe(413);
    const otherGrant = await registerWith({ redirect_uris, grant_types: ['password'] });
    expect(otherGrant.body.error).toBe('invalid_client_metadata');
    const secret = { token_endpoint_auth_method: 'client_secret_post', something: 'unknown' };
    const createReply = await registerWith({ redirect_uris, ...secret });
    expect(createReply.status).toBe(201);
    const made = { redirect_uris, token_endpoint_auth_method: 'none', response_types: ['code'] };
    expect(createReply.body).toMatchObject(made);
    expect(createReply.body).not.toHaveProperty('client_secret');
    expect(createReply.body).not.toHaveProperty('something');
  });

  it('refuses consent by a person without a caller, by a key, and by an admin token', async () => {
    const clientId = await register(service);
    const url = authorizeUrl(clientId, pkce().challenge);
    await makePerson(service, 'nocaller@example.com', null);
    expect((await service.get(url, null, { cookie: await signIn(service, 'nocaller@example.com') })).status).toBe(403);
    expect((await service.get(url, service.callerKey)).status).toBe(403);
    expect((await service.get(url, service.adminToken)).status).toBe(403);
  });
});

describe('client ID metadata documents', () => {
  let host: Server;
  let origin: string;
  const documents = new Map<string, { status?: number; body: string; location?: string }>();
  let fetched = 0;
  beforeAll(async () => {
    host = createServer((request, reply) => {
      fetched++;
      const foundDocument = documents.get(request.url!);
      reply.writeHead(foundDocument?.status ?? (foundDocument ? 200 : 404), {
        'content-type': 'application/json',
        ...(foundDocument?.location ? { location: foundDocument.location } : {}),
      });
      reply.end(foundDocument?.body);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  afterAll(() => host.close());
  const document = (path: string, overrides: object = {}) =>
    JSON.stringify({ client_id: origin + path, client_name: 'Docs', redirect_uris: [REDIRECT], ...overrides });

  it('AS-10 are accepted from an allowed address, and cached', async () => {
    documents.set('/good.json', { body: document('/good.json') });
    expect((await authorize(`${origin}/good.json`)).text).toContain('name="ticket"');
    const before = fetched;
    await authorize(`${origin}/good.json`);
    expect(fetched).toBe(before);
  });

  it('AS-10 are refused if they lie, redirect, fail or are too large', async () => {
    documents.set('/lies.json', { body: document('/other.json') });
    documents.set('/moved.json', { status: 302, body: '', location: '/good.json' });
    documents.set('/large.json', { body: document('/large.json', { client_uri: 'x'.repeat(6_000) }) });
    documents.set('/text.json', { body: 'hello' });
    for (const path of ['/lies.json', '/moved.json', '/large.json', '/text.json', '/missing.json', '/'])
      expect((await authorize(origin + path)).status).toBe(400);
  });

  it('SSRF-01 are never fetched from private addresses, their other notations or the metadata service', async () => {
    const before = fetched;
    for (const id of [
      'https://169.254.169.254/latest',
      'https://10.0.0.1/c.json',
      'https://[::ffff:10.0.0.1]/c.json',
      'https://2130706433.nip.invalid/c',
      'https://0xa9fea9fe/c.json',
      'https://[64:ff9b::a00:1]/c.json',
      'ftp://a.example/c.json',
      'http://a.example/c.json',
    ])
      expect([id, (await authorize(id)).status]).toEqual([id, 400]);
    expect(fetched).toBe(before);
  });

  it('SSRF-01 are not fetched from private addresses that are allowed only for warehouses', async () => {
    const documentPath = '/private.json';
    documents.set(documentPath, { body: document(documentPath) });
    const before = fetched;
    const everywhere = '127.0.0.0/8,::1,localhost,127.0.0.1,10.0.0.0/8';
    const strict = await startTestApp({ env: { SVC_ALLOWED_ADDRESSES: everywhere } });
    try {
      for (const id of [origin, origin.replace('127.0.0.1', 'localhost'), origin.replace('127.0.0.1', '127.0.0.2')]) {
        const reply = await strict.get(authorizeUrl(id + documentPath, pkce().challenge), null);
        expect(reply.status).toBe(400);
        expect(reply.text).toContain('metadata document of the client is not valid');
      }
    } finally {
      await strict.close();
    }
    expect(fetched).toBe(before);
  });

  it('AS-10 are fetched a limited number of times per network, and cached ones don’t count', async () => {
    const { challenge } = pkce();
    const ask = async (path: string, remoteAddress: string) =>
      (await service.send({ method: 'GET', url: authorizeUrl(origin + path, challenge), token: null, remoteAddress }))
        .status;
    let last = 0;
    // Sends twice the limit, because a new hour may begin during the test.
    for (let i = 0; i < 250 && last !== 429; i++) last = await ask(`/flood-${i}.json`, '203.0.113.9');
    expect(last).toBe(429);
    const before = fetched;
    expect(await ask('/flood-more.json', '203.0.113.9')).toBe(429);
    expect(fetched).toBe(before);
    expect(await ask('/good.json', '203.0.113.9')).toBe(200);
    expect(await ask('/flood-other.json', '203.0.113.10')).toBe(400);
  });
});

async function codeFor(clientId: string) {
  const { verifier, challenge } = pkce();
  const back = await consent(service, cookie, authorizeUrl(clientId, challenge));
  return { code: back.searchParams.get('code')!, verifier };
}
