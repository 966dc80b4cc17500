// Pages in a real browser: sign-in at a real provider, the demo key, consent, and a client that gets its token.
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { demoProject, startIdentityProvider } from '../demo/identity-provider.ts';
import { authorizeUrl, exchange, pkce } from '../oauth/oauth-flow.ts';
import { startTestApp } from '../support/app.ts';

const SHOTS = process.env['SVC_SCREENSHOTS'];
const violations: string[] = [];
const provider = await startIdentityProvider();
const project = await demoProject(provider.issuer);
const service = await startTestApp({ project, env: { SVC_DEMO_ORG_ID: 'default' } });
const base = await service.listen();
provider.serve(`${base}/auth/callback`);
const client = createServer((_request, reply) => reply.end('the client has its code'));
await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
const redirect = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
const browser: Browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
if (SHOTS) await mkdir(SHOTS, { recursive: true });
afterAll(async () => {
  await browser.close();
  client.close();
});

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy'))
      violations.push(message.text());
  });
  return page;
}
const shoot = (page: Page, name: string) =>
  SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true }) : undefined;

async function passProvider(page: Page, login: string): Promise<void> {
  await page.fill('input[name=login]', login);
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.click('button[type=submit]');
}

it('gives a visitor a key on /demo by keyboard, on a phone screen in dark mode', async () => {
  const page = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.goto(`${base}/demo`);
  await shoot(page, 'demo-signed-out-phone-dark');
  await page.focus('#sign-in');
  await page.keyboard.press('Enter');
  await passProvider(page, 'vera');
  await page.waitForURL(`${base}/demo`);
  await page.focus('#mint');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#result:not([hidden])');
  const key = await page.textContent('#key');
  expect(key).toMatch(/^svc_/);
  expect(await page.textContent('#line')).toContain(key!);
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  await page.click('summary >> nth=1');
  await shoot(page, 'demo-key-phone-dark');
  expect((await service.get('/v1/lenses', key!)).status).toBe(200);
});

it('signs a person in, shows the consent page, and gives the client a token for its code', async () => {
  const page = await open({ viewport: { width: 1100, height: 900 } });
  const registered = await service.post(
    '/oauth/register',
    { client_name: 'Probe <b>client</b>', redirect_uris: [redirect] },
    null,
  );
  const clientId = registered.body.client_id;
  const { verifier, challenge } = pkce();
  await page.goto(base + authorizeUrl(clientId, challenge, { redirect_uri: redirect }));
  await shoot(page, 'sign-in');
  await page.fill('#email', 'nobody@example.com');
  await page.fill('#password', 'wrong password');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=alert]');
  await shoot(page, 'sign-in-failed');
  await page.click('text=Sign in to the demo');
  await passProvider(page, 'omar');
  await page.waitForSelector('text=It wants to ask');
  await shoot(page, 'consent');
  await page.click('text=Allow >> nth=-1');
  await page.waitForURL(/\/callback\?/);
  const back = new URL(page.url());
  expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['st 1', base]);
  const { body } = await exchange(service, {
    client_id: clientId,
    code: back.searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: redirect,
  });
  expect(body.access_token).toMatch(/^svco_/);
  await page.goto(base + authorizeUrl('nobody', challenge));
  await shoot(page, 'oauth-error');
  await page.goto(`${base}/demo`);
  await page.click('#mint');
  await page.waitForSelector('#result:not([hidden])');
  await page.click('summary >> nth=0');
  await shoot(page, 'demo-key-desktop');
});

it('keeps every page within its content security policy', () => {
  expect(violations).toEqual([]);
});
