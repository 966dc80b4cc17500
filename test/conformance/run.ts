// `npm run conformance`: runs the official MCP suite against svc, for both revisions and the authorization server.
// expected-failures-*.yml lists each expected failure with its reason. If a listed test passes, the run fails.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';
import { freePort } from '../support/free-port.ts';

const pathHere = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SUITE = pathHere('../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const ACCOUNT = { email: 'conformance@example.com', password: 'plum tree by the river' };

/** Adds a bearer token to requests to /mcp that have none, because the suite has no option for it. */
async function startProxy(): Promise<{ url: string; lead(target: string, token: string): void; close(): void }> {
  let target = '';
  let bearer = '';
  const server = createServer((incoming, reply) => {
    const headers = { ...incoming.headers };
    if (incoming.url!.startsWith('/mcp')) headers.authorization ??= `Bearer ${bearer}`;
    const outgoing = forward(target + incoming.url!, { method: incoming.method, headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    lead(to, token) {
      target = to;
      bearer = token;
    },
    close: () => server.close(),
  };
}

function runSuite(args: string[], onOutput: (text: string) => void = () => {}): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, ['--import', pathHere('./node-20.mjs'), SUITE, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout!.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    onOutput(chunk.toString());
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/**
 * Acts as the browser in the authorization scenarios: it signs in, gives consent, and follows the redirect to the
 * suite.
 */
async function allow(authorizeUrl: string, cookie: string): Promise<void> {
  const page = await (await fetch(authorizeUrl, { headers: { cookie } })).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1];
  if (!ticket) throw new Error(`no consent page at ${authorizeUrl}`);
  const action = new URL('/oauth/authorize/complete', authorizeUrl);
  const body = new URLSearchParams({ ticket, decision: 'allow' });
  const consentReply = await fetch(action, { method: 'POST', redirect: 'manual', headers: { cookie }, body });
  await fetch(consentReply.headers.get('location')!);
}

async function requestJson(
  url: string,
  body: unknown,
  token?: string,
): Promise<{ reply: Response; body: Record<string, string> }> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { reply, body: (await reply.json()) as Record<string, string> };
}

const homeFolder = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
const results = await mkdtemp(join(tmpdir(), 'svc-conformance-results-'));
const proxy = await startProxy();
const running = await startService(
  readConfig({
    SVC_HOME: homeFolder,
    SVC_PROJECT: pathHere('../fixtures/shop'),
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
    SVC_PUBLIC_BASE_URL: proxy.url,
  }),
);
const failed: string[] = [];
try {
  const credentials = JSON.parse(await readFile(join(homeFolder, 'credentials.json'), 'utf8'));
  proxy.lead(credentials.base_url, credentials.caller_key);
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const baseline = pathHere(`./expected-failures-${revision}.yml`);
    const args = [
      'server',
      '--url',
      `${proxy.url}/mcp`,
      '--requirements',
      revision,
      '--expected-failures',
      baseline,
      '-o',
      join(results, revision),
    ];
    if ((await runSuite(args)) !== 0) failed.push(`server ${revision}`);
  }
  await requestJson(
    `${proxy.url}/mgmt/users`,
    { ...ACCOUNT, role: 'viewer', caller: 'quickstart' },
    credentials.admin_token,
  );
  const { reply } = await requestJson(`${proxy.url}/auth/login`, ACCOUNT);
  const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
  const port = await freePort();
  const registered = await requestJson(`${proxy.url}/oauth/register`, {
    client_name: 'conformance',
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  });
  const args = [
    'authorization',
    '--url',
    proxy.url,
    '--client-id',
    registered.body['client_id']!,
    '--resource',
    `${proxy.url}/mcp`,
    '--port',
    String(port),
    '-o',
    join(results, 'authorization'),
  ];
  const seenKeys = new Set<string>();
  const code = await runSuite(args, (text) => {
    for (const [url] of text.matchAll(/http:\/\/localhost:\d+\/oauth\/authorize\?\S+/g)) {
      if (seenKeys.has(url)) continue;
      seenKeys.add(url);
      void allow(url, cookie).catch((error: unknown) => process.stderr.write(`${error}\n`));
    }
  });
  if (code !== 0) failed.push('authorization');
} finally {
  await running.stop();
  proxy.close();
  await rm(homeFolder, { recursive: true, force: true });
}
process.stdout.write(
  failed.length === 0
    ? '\nConformance: all as expected.\n'
    : `\nConformance failed: ${failed.join(', ')}. Checks are in ${results}.\n`,
);
process.exit(failed.length === 0 ? 0 : 1);
