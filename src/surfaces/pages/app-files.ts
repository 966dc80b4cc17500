// Browsers don't cache pages, but cache files with a content hash in their name forever. The response for a missing
// chunk of the app is 404, never a page.
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { isFromLoopback, isLoopbackUrl } from '../../platform/http/loopback.ts';
import { Problem } from '../../platform/problem.ts';
import { enforceAddressLimit } from '../http/limit-requests.ts';

type AppFilesDeps = Pick<Deps, 'config' | 'baseUrl' | 'limiter'>;

const APP_FOLDER = fileURLToPath(new URL('../../../dist/web/', import.meta.url));
const GUIDE_FOLDER = fileURLToPath(new URL('../../../dist/guide/', import.meta.url));
const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.yaml': 'text/plain; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
  '.cfg': 'text/plain; charset=utf-8',
};
const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const hiddenRouteOptions = { schema: { hide: true } };

export async function registerAppFiles(scope: FastifyInstance, deps: AppFilesDeps): Promise<void> {
  scope.addHook('onRequest', (request, reply) => enforceAddressLimit(deps, request, reply, 'public'));
  await registerApp(scope, deps);
  await registerGuide(scope);
}

async function registerApp(scope: FastifyInstance, deps: Pick<Deps, 'baseUrl'>): Promise<void> {
  const names = new Set(await readdir(join(APP_FOLDER, 'assets')).catch(() => []));
  const html = await readFile(join(APP_FOLDER, 'index.html'), 'utf8').catch(() => null);

  const sendAppPage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    const redirectUrl = findCanonicalUrl(deps, request);
    if (redirectUrl) return reply.redirect(redirectUrl, 307);
    if (html === null) throw new Problem('not_found', 'The app is not built. Run: npm run build');
    return reply
      .headers({ 'content-security-policy': CONTENT_SECURITY_POLICY })
      .type('text/html; charset=utf-8')
      .send(html);
  };
  scope.get('/app', hiddenRouteOptions, sendAppPage);
  scope.get('/app/*', hiddenRouteOptions, sendAppPage);
  scope.get<{ Params: { '*': string } }>(
    '/app/assets/*',
    hiddenRouteOptions,
    async ({ params: { '*': name } }, reply) => {
      const file = join(APP_FOLDER, 'assets', name);
      // An upgrade in place removes old files while this process is running.
      const stats = names.has(name) ? await stat(file).catch(() => null) : null;
      if (!stats) throw new Problem('not_found', 'This version of the app is outdated. Reload the page.');
      return reply
        .headers({ 'cache-control': CACHE_FOREVER, 'content-length': stats.size })
        .type(MEDIA_TYPES[extname(name)] ?? 'application/octet-stream')
        .send(createReadStream(file));
    },
  );
}

async function registerGuide(scope: FastifyInstance): Promise<void> {
  const names = new Set(await readdir(GUIDE_FOLDER, { recursive: true }).catch(() => []));

  scope.get('/guide', hiddenRouteOptions, async (_request, reply) => reply.redirect('/guide/', 308));
  scope.get<{ Params: { '*': string } }>('/guide/*', hiddenRouteOptions, async ({ params: { '*': path } }, reply) => {
    if (names.size === 0) throw new Problem('not_found', 'The guide is not built. Run: npm run docs');
    const name = [path, `${path}.html`, `${path}index.html`].find(
      (item) => names.has(item) && extname(item) in MEDIA_TYPES,
    );
    if (!name) throw new Problem('not_found', 'The guide has no such page. Start at /guide/.');
    const file = join(GUIDE_FOLDER, name);
    return reply
      .headers({
        'cache-control': name.startsWith('assets/') ? CACHE_FOREVER : 'no-cache',
        'content-length': (await stat(file)).size,
        'content-security-policy': CONTENT_SECURITY_POLICY,
      })
      .type(MEDIA_TYPES[extname(name)]!)
      .send(createReadStream(file));
  });
}

/** svc accepts changes only from pages of the base URL, but people may type localhost instead of 127.0.0.1. */
function findCanonicalUrl(deps: Pick<Deps, 'baseUrl'>, request: FastifyRequest): string | null {
  const base = new URL(deps.baseUrl());
  if (request.host === base.host || !isFromLoopback(request) || !isLoopbackUrl(base.href)) return null;
  return new URL(request.url, base.origin).href.startsWith(`${base.origin}/app`) ? base.origin + request.url : null;
}
