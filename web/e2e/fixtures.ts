// Shared by all tests of the app. A test fails if a page violates its content security policy or throws an error.

import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';

export { expect } from '@playwright/test';

const pageFaults: string[] = [];

function watchFaults(context: BrowserContext): void {
  context.on('console', (message) => {
    if (/Content Security Policy|violates/.test(message.text())) pageFaults.push(message.text());
  });
  context.on('weberror', (error) => pageFaults.push(error.error().message));
}

export const test = base.extend<{ watched: undefined }>({
  watched: [
    async ({ context }, use) => {
      watchFaults(context);
      await use(undefined);
      expect(pageFaults.splice(0)).toEqual([]);
    },
    { auto: true },
  ],
});

export async function askQuestion(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.keyboard.press('Enter');
}

/** Opens a menu of an answer, and clicks an item of the menu. */
export async function chooseMenuItem(turn: Locator, menu: string, item: string): Promise<void> {
  await turn.getByRole('button', { name: menu, exact: true }).click();
  await turn.page().getByRole('menuitem', { name: item, exact: true }).click();
}

/** Changes an answer in the menu "Refine": by a kind of change and, for most kinds, one of its options. */
export async function refineAnswer(turn: Locator, ...options: string[]): Promise<void> {
  await turn.getByRole('button', { name: 'Refine' }).click();
  for (const name of options)
    await turn
      .page()
      .getByRole('option', { name: new RegExp(`^${name}( ›)?$`) })
      .click();
}

export const findAnswer = (page: Page, question: string | RegExp) =>
  page.getByRole('article', { name: question, exact: true });

export async function expectNoAxeViolations(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' }); // on a slow machine, the page may still be empty
  // A dialog that is fading away has less contrast. Spinners never end, so only animations with an end are awaited.
  const areRunning = `document.getAnimations().some((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime !== Infinity)`;
  await expect.poll(() => page.evaluate(areRunning)).toBe(false);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode() // no page has frames, so one run in the page finds everything
    .exclude('.DocSearch-Button') // from VitePress: its visible text has a shortcut that its accessible name lacks
    .options({
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'label-content-name-mismatch': { enabled: true } }, // experimental rules belong to no tag
    })
    .analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(told).toEqual([]);
}

export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  // After a change of the width, an open list moves with the next frame.
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), { timeout: 3000 })
    .toBeLessThanOrEqual(0);
}

/** Takes screenshots in both schemes and at three widths. Runs axe once for each scheme, at the first width. */
export async function takeScreenshots(page: Page, name: string, fullPage = false): Promise<void> {
  for (const [scheme, widths] of [
    ['light', [1440, 1024, 400]],
    ['dark', [400, 1024, 1440]],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 850 });
      await expectNoHorizontalScroll(page);
      await page.screenshot({ path: `web/test-results/${name}-${width}-${scheme}.png`, fullPage });
      if (width !== widths[0]) continue;
      // At its full height, no fixed bar covers a part of a button.
      const height = await page.evaluate('Math.max(850, document.documentElement.scrollHeight)');
      await page.setViewportSize({ width, height: Number(height) });
      await expectNoAxeViolations(page);
    }
  }
}

/** Restores the color scheme and the size that pages have before their screenshots. */
export async function resetView(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1440, height: 850 });
}

/** Sends a change as the signed-in person, from the app's own origin. */
export async function postAsUser<Body>(
  request: APIRequestContext,
  base: string,
  path: string,
  data: object,
): Promise<Body> {
  const reply = await request.post(path, { data, headers: { origin: base } });
  expect(reply.ok(), await reply.text()).toBe(true);
  return reply.json();
}

export const TEST_PASSWORD = 'correct horse battery staple 42';

const getServerUrl = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;

/** Opens a page as a person with this role. The first worker that needs the role creates and signs in the person. */
export async function openPageAs(
  browser: Browser,
  role: 'admin' | 'curator' | 'viewer',
  lens = 'superstore',
): Promise<Page> {
  const session = role === 'admin' ? 'web/test-results/admin.json' : `web/test-results/${role}.${lens}.json`;
  if (!existsSync(session)) await signIn(browser, session, { role, lens });
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ baseURL: getServerUrl(), permissions, storageState: session });
  watchFaults(context);
  return context.newPage();
}

async function signIn(browser: Browser, session: string, { role, lens }: Record<'role' | 'lens', string>) {
  const admin = await browser.newContext({ baseURL: getServerUrl(), storageState: 'web/test-results/admin.json' });
  const caller = `${role} of ${lens}`;
  const headers = { origin: getServerUrl() };
  await admin.request.post('/mgmt/callers', { data: { name: caller }, headers }); // fails if an earlier try created the caller
  const { items } = await (await admin.request.get(`/mgmt/callers?q=${encodeURIComponent(caller)}`)).json();
  await admin.request.put(`/mgmt/callers/${items[0].id}/grants`, { data: { lenses: [lens] }, headers });
  const email = `${role}.${lens}@example.com`;
  const user = role === 'viewer' ? { role, caller } : { role };
  await admin.request.post('/mgmt/users', { data: { email, password: TEST_PASSWORD, ...user }, headers });
  await admin.close();
  const context = await browser.newContext({ baseURL: getServerUrl(), storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto('/app');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Your question')).toBeVisible();
  await context.storageState({ path: `${session}.${process.pid}` });
  await rename(`${session}.${process.pid}`, session); // so that another worker never reads a partial file
  await context.close();
}
