// The files of the app and the guide: caching, missing parts, the content security policy, and nothing outside /app.
// Builds them if they are missing.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const WEB = new URL('../../dist/web/', import.meta.url);
if (!existsSync(new URL('index.html', WEB)))
  execFileSync('npx', ['vite', 'build', 'web', '--logLevel', 'warn'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, NODE_ENV: 'production' }, // the test run sets `test`, which makes a development build
  });
if (!existsSync(new URL('../../dist/guide/index.html', import.meta.url)))
  execFileSync('npm', ['run', 'docs'], { cwd: new URL('../..', import.meta.url) });
const service = await startTestApp();
/** Sends the host of the server's own address. `inject` would send localhost:80. */
const open = (path: string, headers: Record<string, string> = {}) =>
  service.get(path, null, { host: '127.0.0.1:8080', ...headers });
const assets = () => readdirSync(new URL('assets/', WEB));

describe('the app', () => {
  it('serves one page at each of its addresses, with no-store and a strict content security policy', async () => {
    for (const path of ['/app', '/app/requests', '/app/lenses/superstore?x=1', '/app/enter']) {
      const page = await open(path);
      expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
      expect(page.headers['content-type']).toContain('text/html');
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|nonce|\*|https?:/);
      expect(page.headers['x-frame-options']).toBe('DENY');
      expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|style="|\son\w+=/);
    }
  });

  it('serves its assets as immutable, with a hash of the content in the name', async () => {
    const page = await open('/app');
    const assetPaths = [...page.text.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assetPaths.length).toBeGreaterThan(1);
    for (const path of assetPaths) {
      const part = await open(path);
      expect(part).toMatchObject({ status: 200, headers: { 'x-content-type-options': 'nosniff' } });
      expect(part.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(path).toMatch(/-[\w-]{8}\.(js|css|svg)$/);
    }
  });

  it('loads at most 280 kB of script before the first question, and the other pages, charts, editor and map on demand', () => {
    const scripts = assets().filter((name) => name.endsWith('.js'));
    const onDemand = /^(?:Chart|YamlEditor|LensMap|xlsx-of)-|^(?!Ask)[A-Z]\w+Page-/;
    const bytes = scripts
      .filter((name) => !onDemand.test(name))
      .map((name) => gzipSync(readFileSync(new URL(`assets/${name}`, WEB)), { level: 9 }).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(280_000);
    for (const name of ['Chart', 'YamlEditor', 'LensMap', 'LensEditPage', 'BoardPage'])
      expect(scripts.filter((script) => script.startsWith(`${name}-`))).toHaveLength(1);
  });

  it('redirects from / to /app with a session cookie, and shows a link to the app without one', async () => {
    const cookie = 'svc_session=svcsess_anything';
    expect(await open('/', { cookie })).toMatchObject({ status: 303, headers: { location: '/app' } });
    expect((await open('/')).text).toContain('href="/app"');
  });

  it('redirects from localhost to the configured address, and never for another host', async () => {
    const redirect = await open('/app/requests?q=a', { host: 'localhost:8080' });
    expect(redirect).toMatchObject({ status: 307, headers: { location: 'http://127.0.0.1:8080/app/requests?q=a' } });
    const foreign = await open('/app', { host: 'evil.example' });
    expect(foreign.status).toBe(200);
    expect(foreign.headers['location']).toBeUndefined();
  });
});

describe('the guide', () => {
  it('serves each page and everything that the page loads under the same policy', async () => {
    expect(await open('/guide')).toMatchObject({ status: 308, headers: { location: '/guide/' } });
    for (const path of ['/guide/', '/guide/plans', '/guide/engines/', '/guide/engines/trino', '/guide/changelog']) {
      const page = await open(path);
      expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
      expect(page.headers['content-type']).toContain('text/html');
      expect(String(page.headers['content-security-policy'])).not.toMatch(/unsafe|nonce|\*|https?:/);
      expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|style="|\son\w+=/);
      const loaded = [...page.text.matchAll(/(?:<script[^>]* src|<link[^>]* href|<img[^>]* src)="(\/[^"]+)"/g)];
      expect(loaded.length).toBeGreaterThan(5);
      for (const [, part] of loaded) expect(await open(part!), part).toMatchObject({ status: 200 });
    }
  });

  it('lists every page in its sidebar', async () => {
    const index = readFileSync(new URL('../../docs/README.md', import.meta.url), 'utf8');
    const pages = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true, encoding: 'utf8' });
    const missingPages = pages.filter(
      (page) => page.endsWith('.md') && page !== 'README.md' && !index.includes(`](${page})`),
    );
    expect(missingPages).toEqual([]);
  });

  it('answers 404 for names that are not one of its pages', async () => {
    for (const path of ['/guide/nothing', '/guide/..%2fweb%2findex.html', '/guide/engines', '/guide/assets/gone.js'])
      expect(await open(path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});

describe('requests that the app refuses', () => {
  it('get 404 for missing parts and for paths outside its folder, and 405 for other methods', async () => {
    for (const path of [
      '/app/assets/index-gone1234.js',
      '/app/assets/..%2f..%2fcli.js',
      '/app/assets/a/b.js',
      '/app/assets/',
    ])
      expect(await open(path)).toMatchObject({
        status: 404,
        headers: { 'content-type': expect.stringContaining('json') },
      });
    expect((await service.post('/app', {}, null)).status).toBe(405);
  });

  it('get JSON and not the app outside /app', async () => {
    for (const path of ['/nothing', '/v1/nothing', '/mgmt/nothing', '/auth/nothing', '/apps'])
      expect(String((await service.get(path, service.adminToken)).headers['content-type'])).toContain('json');
  });
});
