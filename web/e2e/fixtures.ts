// Shared by all tests of the app. A test fails if a page violates its content security policy or throws an error.
import AxeBuilder from '@axe-core/playwright';
import { type APIRequestContext, type Browser, test as base, expect, type Page } from '@playwright/test';

export { expect } from '@playwright/test';

export const test = base.extend<{ watched: undefined }>({
  watched: [
    async ({ context }, use) => {
      const faults: string[] = [];
      context.on('console', (message) => {
        if (/Content Security Policy|violates/.test(message.text())) faults.push(message.text());
      });
      context.on('weberror', (error) => faults.push(error.error().message));
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.keyboard.press('Enter');
}

export const answer = (page: Page, question: string) => page.getByRole('article', { name: question, exact: true });

export async function hasNoAxeViolation(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' }); // nothing is drawn yet on a slow machine
  const { violations } = await new AxeBuilder({ page })
    .exclude('.DocSearch-Button') // from VitePress: its visible text has a shortcut that its accessible name lacks
    .options({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'label-content-name-mismatch': { enabled: true } }, // experimental, so that no tag has it
    })
    .analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(told).toEqual([]);
}

export async function isWithinItsWidth(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
}

/** Sends a change as the signed-in person, from the app's own origin. */
export async function post<Body>(request: APIRequestContext, base: string, path: string, data: object): Promise<Body> {
  const reply = await request.post(path, { data, headers: { origin: base } });
  expect(reply.ok(), await reply.text()).toBe(true);
  return reply.json();
}

export const PASSWORD = 'correct horse battery staple 42';

const address = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;

/** Opens a page as a person with this role. The first worker that needs the person creates the account. */
export async function pageOf(
  browser: Browser,
  role: 'admin' | 'curator' | 'viewer',
  lens = 'superstore',
): Promise<Page> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const admin = 'web/test-results/admin.json';
  if (role === 'admin')
    return (await browser.newContext({ baseURL: address(), permissions, storageState: admin })).newPage();
  const made = await browser.newContext({ baseURL: address(), storageState: admin });
  const caller = `${role} of ${lens}`;
  const headers = { origin: address() };
  await made.request.post('/mgmt/callers', { data: { name: caller }, headers }); // fails harmlessly if the caller exists
  const { items } = await (await made.request.get(`/mgmt/callers?q=${encodeURIComponent(caller)}`)).json();
  await made.request.put(`/mgmt/callers/${items[0].id}/grants`, { data: { lenses: [lens] }, headers });
  const email = `${role}.${lens}@example.com`;
  const user = role === 'viewer' ? { role, caller } : { role };
  await made.request.post('/mgmt/users', { data: { email, password: PASSWORD, ...user }, headers });
  await made.close();
  const context = await browser.newContext({
    baseURL: address(),
    permissions,
    storageState: { cookies: [], origins: [] },
  });
  const page = await context.newPage();
  await page.goto('/app');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Your question')).toBeVisible();
  return page;
}
