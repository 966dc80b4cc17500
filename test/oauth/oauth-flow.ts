// The steps of the OAuth flow over plain HTTP, as a browser and a client would take them.
import { createHash, randomBytes } from 'node:crypto';
import type { TestApp } from '../support/app.ts';

export const REDIRECT = 'http://127.0.0.1:7777/callback';
export const PASSWORD = 'plum tree by the river';

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

export async function makePerson(service: TestApp, email: string, caller: string | null = 'quickstart') {
  const { createUser } = await import('../../src/domain/users/users.ts');
  return createUser(
    service.deps,
    { orgId: service.orgId, name: 'admin', requestId: null },
    { email, password: PASSWORD, role: 'viewer', caller },
  );
}

export async function signIn(service: TestApp, email: string): Promise<string> {
  const { headers } = await service.post('/auth/login', { email, password: PASSWORD }, null);
  return String(headers['set-cookie']).split(';')[0]!;
}

export const register = async (service: TestApp, metadata: Record<string, unknown> = {}): Promise<string> =>
  (await service.post('/oauth/register', { redirect_uris: [REDIRECT], client_name: 'Probe', ...metadata }, null)).body
    .client_id;

export const authorizeUrl = (
  clientId: string,
  challenge: string,
  overrides: Record<string, string | undefined> = {},
): string => {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'st 1',
    ...overrides,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
};

export const ticketIn = (html: string): string => /name="ticket" value="([^"]+)"/.exec(html)![1]!;

export const submitForm = (
  service: TestApp,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  service.send({
    method: 'POST',
    url: path,
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

export async function consent(service: TestApp, cookie: string, url: string, decision = 'allow'): Promise<URL> {
  const page = await service.get(url, null, { cookie });
  const consentReply = await submitForm(
    service,
    '/oauth/authorize/complete',
    { ticket: ticketIn(page.text), decision },
    { cookie },
  );
  return new URL(String(consentReply.headers['location']));
}

export const exchange = (service: TestApp, fields: Record<string, string>) =>
  submitForm(service, '/oauth/token', { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...fields });

export async function completeFlow(service: TestApp, cookie: string) {
  const clientId = await register(service);
  const { verifier, challenge } = pkce();
  const back = await consent(service, cookie, authorizeUrl(clientId, challenge));
  const code = back.searchParams.get('code')!;
  const reply = await exchange(service, { client_id: clientId, code, code_verifier: verifier });
  return {
    clientId,
    verifier,
    code,
    back,
    tokens: reply.body as { access_token: string; refresh_token: string; expires_in: number; scope: string },
    reply,
  };
}
