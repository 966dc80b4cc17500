// Sign-in: from the link that `npm start` prints to a first verified answer with a chart.
import { gzipSync } from 'node:zlib';
import { answer, ask, expect, hasNoAxeViolation, test } from './fixtures.ts';

const link = () => process.env['SVC_WEB_TEST_LINK']!;

test('doesn’t use up the sign-in link when the page is only opened', async ({ page }) => {
  await page.goto(link());
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(page.url()).not.toContain('#');
});

test('takes the first admin from the link to a verified answer with a chart', async ({ page, context }) => {
  await page.goto(link());
  await hasNoAxeViolation(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'What would you like to know?' })).toBeVisible();
  await ask(page, 'What was revenue by region in 2016?');
  const answered = answer(page, 'What was revenue by region in 2016?');
  await expect(answered.getByText('Verified', { exact: true })).toBeVisible();
  await expect(answered.locator('svg.marks')).toBeVisible();
  const cookies = await context.cookies();
  expect(cookies).toMatchObject([{ name: 'svc_session', httpOnly: true, sameSite: 'Lax' }]);
  await context.storageState({ path: 'web/test-results/admin.json' });
});

test('says how to get another link after the link was used', async ({ page }) => {
  await page.goto(link());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('already used or has expired');
  await expect(page.getByText('npx svc sign-in-link')).toBeVisible();
  await page.goto('/app/enter');
  await expect(page.getByText('npx svc sign-in-link')).toBeVisible();
});

test('sends a visitor to sign-in with the address to return to', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Open the app' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?return_to=%2Fapp/);
  await page.goto('/app/requests?q=West');
  await expect(page).toHaveURL(/return_to=%2Fapp%2Frequests%3Fq%3DWest/);
});

test('verifies the signature of a receipt without sign-in, and shows nothing else', async ({ page, playwright }) => {
  const signedIn = await playwright.request.newContext({
    baseURL: new URL(link()).origin,
    storageState: 'web/test-results/admin.json',
  });
  const reply = await signedIn.post('/v1/query', {
    data: { q: 'What was revenue in the West in 2016?' },
    headers: { origin: new URL(link()).origin },
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
  await hasNoAxeViolation(page);
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
  const context = await browser.newContext({
    baseURL: new URL(link()).origin,
    storageState: 'web/test-results/admin.json',
  });
  const page = await context.newPage();
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
  await context.close();
});

test('refuses every change from a page of another site, on every route', async ({ playwright }) => {
  const base = new URL(link()).origin;
  const signedIn = await playwright.request.newContext({ baseURL: base, storageState: 'web/test-results/admin.json' });
  const { paths } = await (await signedIn.get('/docs/json')).json();
  const faults: string[] = [];
  let tried = 0;
  for (const [path, methods] of Object.entries(paths as Record<string, object>))
    for (const method of Object.keys(methods).filter((one) => one !== 'get' && /^\/(mgmt|v1|auth)\//.test(path))) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const reply = await signedIn.fetch(url, { method: method.toUpperCase(), data: {}, headers });
      tried++;
      const off = path === '/auth/demo-key' && reply.status() === 404; // the demo is off on this server
      if (reply.status() !== 403 && !off) faults.push(`${method} ${path}: ${reply.status()}`);
    }
  expect(faults).toEqual([]);
  expect(tried).toBeGreaterThan(60);
});
