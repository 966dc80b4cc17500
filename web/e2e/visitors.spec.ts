import { gzipSync } from 'node:zlib';
import { expect, expectNoAxeViolations, openPageAs, test } from './fixtures.ts';

const getServerUrl = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;

test.use({ storageState: { cookies: [], origins: [] } });

test('sends a visitor to sign-in with the address to return to', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Open the app' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?return_to=%2Fapp/);
  await page.goto('/app/requests?q=West');
  await expect(page).toHaveURL(/return_to=%2Fapp%2Frequests%3Fq%3DWest/);
});

test('verifies the signature of a receipt without sign-in, and shows nothing else', async ({ page, playwright }) => {
  const signedIn = await playwright.request.newContext({
    baseURL: getServerUrl(),
    storageState: 'web/test-results/admin.json',
  });
  const reply = await signedIn.post('/v1/query', {
    data: { q: 'What was revenue in the West in 2016?' },
    headers: { origin: getServerUrl() },
  });
  const envelope = await reply.json();
  await page.goto('/verify');
  await page.getByLabel('Receipt or answer, as JSON').fill(JSON.stringify(envelope));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('status')).toHaveText(/The signature is valid/);
  const forged = { ...envelope.receipt, row_count: 2 };
  await page.getByLabel('Receipt or answer, as JSON').fill(JSON.stringify(forged));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('status')).toHaveText(/The signature is not valid/);
  await expect(page.getByText('Question:')).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test('never returns from sign-in to another site, and can’t be framed', async ({ request }) => {
  for (const away of ['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example']) {
    const page = await (await request.get(`/auth/sign-in?return_to=${encodeURIComponent(away)}`)).text();
    expect(page).not.toMatch(/return_to[^>]*evil\.example/);
  }
  const { 'x-frame-options': frame, 'content-security-policy': policy } = (await request.get('/app')).headers();
  expect([frame, policy]).toEqual(['DENY', expect.stringContaining("frame-ancestors 'none'")]);
});

test('loads at most 350 kB of compressed script at first, without the chart library', async ({ browser }) => {
  const page = await openPageAs(browser, 'admin');
  const scripts: Promise<[string, number]>[] = [];
  page.on('response', (reply) => {
    if (reply.url().endsWith('.js'))
      scripts.push(reply.body().then((body) => [reply.url(), gzipSync(body, { level: 9 }).length]));
  });
  await page.goto('/app');
  await expect(page.getByLabel('Your question')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const loaded = await Promise.all(scripts);
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter(([url]) => /Chart|YamlEditor|LensMap/.test(url))).toEqual([]);
  expect(loaded.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(350 * 1024);
  await page.context().close();
});

test('refuses every change from a page of another site, on every route', async ({ playwright }) => {
  const signedIn = await playwright.request.newContext({
    baseURL: getServerUrl(),
    storageState: 'web/test-results/admin.json',
  });
  const { paths } = await (await signedIn.get('/docs/json')).json();
  const faults: string[] = [];
  let tried = 0;
  for (const [path, methods] of Object.entries(paths as Record<string, object>))
    for (const method of Object.keys(methods).filter((one) => one !== 'get' && /^\/(mgmt|v1|auth)\//.test(path))) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const reply = await signedIn.fetch(url, { method: method.toUpperCase(), data: {}, headers });
      tried++;
      const off = path === '/auth/demo-key' && reply.status() === 404; // this installation has no demo
      if (reply.status() !== 403 && !off) faults.push(`${method} ${path}: ${reply.status()}`);
    }
  expect(faults).toEqual([]);
  expect(tried).toBeGreaterThan(60);
});
