// A real OpenID Connect provider (oidc-provider) on loopback, and a simple HTTP browser that signs in there.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import { SHOP } from '../support/app.ts';
import { listenLocally } from '../support/local-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface IdentityProvider {
  issuer: string;
  /** Call this when the address of the service is known. */
  serve(callback: string): void;
}

export async function startIdentityProvider(claims: (login: string) => object = () => ({})): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, reply: ServerResponse) => void = (_request, reply) =>
    reply.writeHead(503).end();
  const server: Server = createServer((request, reply) => handle(request, reply));
  const { port } = await listenLocally(server);
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    serve(callback) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'svc-demo',
            redirect_uris: [callback],
            token_endpoint_auth_method: 'none',
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['test cookie key'] },
        features: { devInteractions: { enabled: true } },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ sub: id, email: `${id}@example.com`, email_verified: true, ...claims(id) }),
        }),
      });
      handle = provider.callback();
    },
  };
}

/** Follows redirects and submits forms as `login`, with cookies, until the address starts with `until`. */
export async function browse(
  start: string,
  login: string,
  until: RegExp,
  cookies = new Map<string, Map<string, string>>(),
) {
  let url = new URL(start);
  let next: { method: string; body?: string } = { method: 'GET' };
  for (let step = 0; step < 20; step++) {
    const jar = cookies.get(url.host) ?? new Map<string, string>();
    cookies.set(url.host, jar);
    const reply = await fetch(url, {
      method: next.method,
      body: next.body,
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(next.body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split(/=(.*)/s) as [string, string];
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await reply.text();
    const location = reply.headers.get('location');
    if (location) {
      url = new URL(location, url);
      next = { method: 'GET' };
      continue;
    }
    if (until.test(url.href))
      return {
        url,
        text,
        status: reply.status,
        cookies,
        jar: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      };
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
    if (!action) throw new Error(`stuck at ${url.href}: ${reply.status} ${text.slice(0, 300)}`);
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1] ?? 'login';
    url = new URL(action.replaceAll('&amp;', '&'), url);
    next = { method: 'POST', body: new URLSearchParams({ prompt, login, password: 'any' }).toString() };
  }
  throw new Error('went in circles');
}

/** A copy of the shop project, whose svc.config.yaml also contains this text. */
export async function createProjectWith(yaml: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(SHOP, folder, { recursive: true });
  const file = join(folder, 'svc.config.yaml');
  await writeFile(file, `${await readFile(file, 'utf8')}\n${yaml}`);
  return folder;
}

export const demoProject = (issuer: string): Promise<string> =>
  createProjectWith(`
demo:
  tagline: Ask the corner shop
  example_conversation: [{question: What was revenue by region in 2016?, answer: "<b>West</b> led."}]
  privacy_url: https://example.com/privacy
  lenses: [shop]
  expires_in_days: 3
  mints_per_hour: 60
  identity_provider: {issuer: "${issuer}", client_id: svc-demo}
`);
