// The web app: what `npm run build` left in dist/web. Every page is the one HTML file, never kept by a browser; what it
// loads has its content's hash in its name and is kept for good. A chunk that is gone is a 404, never a page.
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { fromLoopback, isLoopbackUrl } from '../../platform/http/loopback.ts';
import { Problem } from '../../platform/problem.ts';
import { limitAddress } from '../http/limit-requests.ts';

const BUILT = fileURLToPath(new URL('../../../dist/web/', import.meta.url));
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

export async function appSurface(scope: FastifyInstance, deps: Deps): Promise<void> {
  scope.addHook('onRequest', (request, reply) => limitAddress(deps, request, reply, 'public'));
  const hidden = { schema: { hide: true } };
  const names = new Set(await readdir(join(BUILT, 'assets')).catch(() => []));
  const html = await readFile(join(BUILT, 'index.html'), 'utf8').catch(() => null);

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    const elsewhere = ownAddress(deps, request);
    if (elsewhere) return reply.redirect(elsewhere, 307);
    if (html === null) throw new Problem('not_found', 'The app is not built. Run: npm run build');
    return reply.headers({ 'content-security-policy': POLICY }).type('text/html; charset=utf-8').send(html);
  };
  scope.get('/app', hidden, page);
  scope.get('/app/*', hidden, page);
  scope.get<{ Params: { '*': string } }>('/app/assets/*', hidden, async ({ params: { '*': name } }, reply) => {
    if (!names.has(name)) throw new Problem('not_found', 'This version of the app is outdated. Reload the page.');
    const file = join(BUILT, 'assets', name);
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': (await stat(file)).size,
      })
      .type(TYPES[extname(name)] ?? 'application/octet-stream')
      .send(createReadStream(file));
  });
}

/** Writes count only from pages of the base URL, and people type localhost for 127.0.0.1. */
function ownAddress(deps: Pick<Deps, 'baseUrl'>, request: FastifyRequest): string | null {
  const base = new URL(deps.baseUrl());
  if (request.host === base.host || !fromLoopback(request) || !isLoopbackUrl(base.href)) return null;
  return new URL(request.url, base.origin).href.startsWith(`${base.origin}/app`) ? base.origin + request.url : null;
}
