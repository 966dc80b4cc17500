import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  findAnswer,
  postAsUser,
  TEST_PASSWORD,
  test,
} from './fixtures.ts';
import { createShopLens, runAsOwner } from './warehouse.ts';

const getServerUrl = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
const findTile = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

/** Creates a board with the answers to these questions, as the admin. */
async function createBoard(page: Page, title: string, asked: [string, string][]): Promise<string> {
  const { id } = await postAsUser<{ id: string }>(page.request, getServerUrl(), '/v1/boards', { title });
  for (const [lens, q] of asked) {
    const reply = await postAsUser<{ request_id: string }>(page.request, getServerUrl(), `/v1/lenses/${lens}/query`, {
      q,
    });
    await postAsUser(page.request, getServerUrl(), `/v1/boards/${id}/tiles`, { request_id: reply.request_id });
  }
  return id;
}

test('asks, refines, pins and shares by keyboard alone', async ({ page }) => {
  await page.goto('/app');
  const first = 'What was revenue by region in 2016?';
  const question = 'Broken down by segment';
  await expect(page.getByLabel('Your question')).toBeFocused();
  await page.keyboard.type(first);
  await page.keyboard.press('Enter');
  await expect(findAnswer(page, first).getByText('Verified', { exact: true })).toBeVisible();
  await expect(findAnswer(page, first).getByRole('button', { name: 'Refine' })).toBeVisible();
  const tabTo = async (name: RegExp) => {
    for (let pressed = 0; pressed < 60; pressed++) {
      const focused = await page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
      if (name.test(String(focused))) return;
      await page.keyboard.press('Shift+Tab');
    }
    throw new Error(`${name} can't be reached by Tab`);
  };
  await tabTo(/^Refine$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('segment');
  await page.keyboard.press('Enter');
  await expect(findAnswer(page, question).getByText('Verified', { exact: true })).toBeVisible();
  await tabTo(/^Change 2016$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const later = findAnswer(page, 'Same question with “2017”');
  await expect(later.getByText('Verified', { exact: true })).toBeVisible();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await expect(later.getByRole('button', { name: 'Pin', exact: true })).toBeFocused();
  await page.keyboard.press('p');
  const title = `Sales by keyboard${' again'.repeat(test.info().retry)}`;
  await page.keyboard.type(title);
  await page.screenshot({ path: 'web/test-results/pages/board-pin.png' });
  await page.keyboard.press('Enter');
  const pinned = page.getByRole('link', { name: title });
  await pinned.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByRole('article').last().getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByRole('article').last().locator('svg.marks')).toBeVisible();
  await page.getByRole('button', { name: 'Share' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Share this board?' })).toContainText('Everyone in your organization');
  await expect(page.getByRole('button', { name: 'Share and copy link' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('by keyb');
  await expect(page.getByLabel('Page, board, lens or conversation')).toHaveValue('by keyb');
  await expect(page.getByRole('option', { name: `${title} Board` })).toBeVisible();
});

test('pins to the first board that matches, and to a new board or another match by the arrow keys', async ({
  page,
}) => {
  const name = `Pinned by name ${test.info().retry}`;
  await createBoard(page, `${name} too`, []);
  await page.goto('/app?lens=superstore');
  await page.getByLabel('Your question').fill('What was revenue in 2016?');
  await page.keyboard.press('Enter');
  const pin = page.getByRole('button', { name: 'Pin', exact: true });
  for (const [first, ...keys] of [
    [`${name} too`, 'Enter'],
    [`${name} too`, 'ArrowDown', 'Enter'],
    [name.toLowerCase(), 'Enter'],
    [name.toLowerCase(), 'ArrowDown', 'Enter'],
  ] as const) {
    await pin.click();
    await page.keyboard.type(name.toLowerCase());
    await expect(page.getByRole('option').first()).toHaveText(first);
    for (const key of keys) await page.keyboard.press(key);
    await expect(pin).toBeFocused(); // its name is “Pinning” until the board has the tile
  }
  await expect(page.getByRole('link', { name: `${name} too` })).toBeVisible();
  const { items } = await (await page.request.get(`/v1/boards?q=${encodeURIComponent(name)}`)).json();
  const tiles = Object.fromEntries(items.map((board: { title: string; tiles: number }) => [board.title, board.tiles]));
  expect(tiles).toEqual({ [name.toLowerCase()]: 2, [`${name} too`]: 2 });
});

test('shows the grade, the data and the receipt of a tile, refreshes it, and opens its answer', async ({ page }) => {
  const name = `One number ${test.info().retry}`;
  const id = await createBoard(page, name, [['superstore', 'What was revenue in the West in 2016?']]);
  await page.goto(`/app/boards/${id}`);
  const one = findTile(page, 'What was revenue in the West in 2016?');
  await expect(one.getByText(/^\$187,480\.18/)).toBeVisible();
  await expect(one.getByText('Data as of 30 Dec 2017')).toBeVisible();
  const receipt = one.getByRole('link');
  const before = await receipt.textContent();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(receipt).not.toHaveText(before!);
  await receipt.click();
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  await page.goto('/app/boards');
  await expect(page.getByRole('link', { name })).toBeVisible();
});

test('marks a tile with stale data, and a tile whose certified answer failed', async ({ page, request }) => {
  const name = `old_shop${test.info().retry || ''}`;
  await createShopLens(request, name, { more: 'data_as_of: {field: orders.ordered_on}\nfresh_for: P1D\n' });
  const question = 'How much did we take in?';
  const entry = { cert_id: 'taken', question, sql: 'select sum(amount) as taken from public.orders' };
  await postAsUser(request, getServerUrl(), `/mgmt/lenses/${name}/certified`, entry);
  await postAsUser(request, getServerUrl(), `/mgmt/lenses/${name}/certified/taken/approve`, {});
  const id = await createBoard(page, 'In trouble', [
    [name, question],
    [name, 'takings by status'],
  ]);
  await page.goto(`/app/boards/${id}`);
  await expect(findTile(page, question).getByText('Certified', { exact: true })).toBeVisible();
  await expect(findTile(page, question).getByText('Stale', { exact: true })).toBeVisible();
  await expect(findTile(page, 'takings by status').getByText('Stale', { exact: true })).toBeVisible();
  await runAsOwner(name, 'alter table orders rename column amount to gone');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(findTile(page, question).getByText('Approved SQL failed', { exact: true })).toBeVisible();
  await expect(findTile(page, question)).toContainText('The approved SQL of certified entry taken no longer runs');
  await expect(findTile(page, 'takings by status').getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/board-in-trouble.png', fullPage: true });
  await runAsOwner(name, 'alter table orders rename column gone to amount');
  await findTile(page, 'takings by status').getByRole('button', { name: 'Try again' }).click();
  await expect(findTile(page, 'takings by status').getByText('Stale', { exact: true })).toBeVisible();
});

test('saves a board as one PNG picture', async ({ page }) => {
  const id = await createBoard(page, 'For the slides', [
    ['superstore', 'What was revenue by region in 2016?'],
    ['superstore', 'What was revenue in the West in 2016?'],
  ]);
  await page.goto(`/app/boards/${id}`);
  await expect(findTile(page, 'What was revenue by region in 2016?').locator('svg.marks')).toBeVisible();
  await expect(findTile(page, 'What was revenue in the West in 2016?').getByText(/^\$187,480\.18/)).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Download as PNG' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('For-the-slides.png');
  await saved.saveAs('web/test-results/pages/board.png');
  const png = await readFile('web/test-results/pages/board.png');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.length).toBeGreaterThan(40_000);
  expect(png.readUInt32BE(16)).toBeGreaterThan(1_600); // the width in the PNG header
});

test('refreshes an open board at its interval, and shows it on the full screen until Esc', async ({ page }) => {
  const id = await createBoard(page, 'On the wall', [['superstore', 'What was revenue in the West in 2016?']]);
  await page.clock.install();
  await page.goto(`/app/boards/${id}`);
  const one = findTile(page, 'What was revenue in the West in 2016?');
  await expect(one.getByText(/^Computed /)).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.screenshot({ path: 'web/test-results/pages/board-refresh.png' });
  await page.getByRole('menuitem', { name: 'Every 5 minutes' }).click();
  await expect(page.getByText('Refreshes every 5 minutes while it is open.')).toBeVisible();
  const before = await one.getByRole('link').textContent();
  await page.clock.fastForward('04:00');
  await expect(one.getByRole('link')).toHaveText(before!);
  await page.clock.fastForward('01:30');
  await expect(one.getByRole('link')).not.toHaveText(before!);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Full screen' }).click();
  await expect(page.getByRole('link', { name: 'Lenses' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'On the wall' })).toBeVisible();
  await page.screenshot({ path: 'web/test-results/pages/board-full-screen.png' });
  await page.keyboard.press('Escape');
  await page.evaluate('document.fullscreenElement && document.exitFullscreen()'); // a headless browser doesn't leave full screen on Escape
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
});

test('filters the tiles whose lens has the field, and marks the others as not filtered', async ({ page }) => {
  const id = await createBoard(page, 'Two lenses', [
    ['superstore', 'What was revenue in 2016?'],
    ['flights', 'How many flights were there?'],
  ]);
  await page.goto(`/app/boards/${id}`);
  await expect(findTile(page, 'What was revenue in 2016?').getByText(/^\$609,205/)).toBeVisible();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Field to filter by').fill('region');
  await page.getByRole('option', { name: /^region/ }).click();
  await page.getByRole('option', { name: 'West', exact: true }).click();
  await expect(findTile(page, 'What was revenue in 2016?').getByText(/^\$187,480\.18/)).toBeVisible();
  await expect(findTile(page, 'How many flights were there?')).toContainText('Not filtered by region.');
  await page.reload();
  await expect(findTile(page, 'What was revenue in 2016?').getByText(/^\$187,480\.18/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter region is West' }).click();
  await expect(findTile(page, 'What was revenue in 2016?').getByText(/^\$609,205/)).toBeVisible();
});

test('moves, widens and removes tiles, and changes nothing before Save', async ({ page }) => {
  const id = await createBoard(page, 'Arranged', [
    ['superstore', 'What was revenue in 2015?'],
    ['superstore', 'What was revenue in 2016?'],
    ['superstore', 'What was revenue in 2017?'],
  ]);
  await page.goto(`/app/boards/${id}`);
  const names = () => page.getByRole('article').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  const arrange = async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Arrange tiles' }).click();
  };
  await arrange();
  await findTile(page, 'What was revenue in 2015?').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('article')).toHaveCount(3);
  await arrange();
  const later = findTile(page, 'What was revenue in 2015?').getByRole('button', { name: 'Move toward the end' });
  await later.focus();
  await page.keyboard.press('Enter');
  await expect(later).toBeFocused();
  await page.keyboard.press('Enter');
  await findTile(page, 'What was revenue in 2016?').getByRole('button', { name: 'Full width' }).click();
  await findTile(page, 'What was revenue in 2017?').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(2);
  expect(await names()).toEqual(['What was revenue in 2016?', 'What was revenue in 2015?']);
});

test('opens a shared board with the reader’s own access, and marks the tiles that the reader may not see', async ({
  page,
  browser,
}) => {
  const id = await createBoard(page, 'For Vic', [
    ['superstore', 'What was revenue by region in 2016?'],
    ['flights', 'How many flights were there?'],
  ]);
  const caller = `boards viewer ${test.info().retry}`;
  const email = `vic${test.info().retry}@example.com`;
  await postAsUser(page.request, getServerUrl(), '/mgmt/callers', { name: caller });
  const { items } = await (await page.request.get(`/mgmt/callers?q=${encodeURIComponent(caller)}`)).json();
  const grants = { data: { lenses: ['superstore'] }, headers: { origin: getServerUrl() } };
  expect((await page.request.put(`/mgmt/callers/${items[0].id}/grants`, grants)).ok()).toBe(true);
  await postAsUser(page.request, getServerUrl(), '/mgmt/users', {
    email,
    password: TEST_PASSWORD,
    role: 'viewer',
    caller,
  });
  const context = await browser.newContext({ baseURL: getServerUrl(), storageState: { cookies: [], origins: [] } });
  const vic = await context.newPage();
  await vic.goto(`/app/boards/${id}`);
  await vic.getByLabel('Email').fill(email);
  await vic.getByLabel('Password').fill(TEST_PASSWORD);
  await vic.getByRole('button', { name: 'Sign in' }).click();
  await expect(vic.getByRole('alert')).toContainText('is not shared');
  const shared = { data: { shared: true }, headers: { origin: getServerUrl() } };
  expect((await page.request.patch(`/v1/boards/${id}`, shared)).ok()).toBe(true);
  await vic.reload();
  const open = findTile(vic, 'What was revenue by region in 2016?');
  await expect(open.getByText('Verified', { exact: true })).toBeVisible();
  await expect(findTile(vic, 'Tile 2')).toContainText('You don’t have access to this tile’s data.');
  await expect(vic.locator('main')).not.toContainText(/flight/i);
  await vic.getByRole('button', { name: 'More actions' }).click();
  await expect(vic.getByRole('menuitem', { name: 'Print' })).toBeVisible();
  await expect(vic.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0);
  await vic.keyboard.press('Escape');
  await expectNoAxeViolations(vic);
  await vic.screenshot({ path: 'web/test-results/pages/board-of-another.png', fullPage: true });
  await context.close();
});

test('shows a board without accessibility violations, fits a phone, and prints without buttons', async ({ page }) => {
  const id = await createBoard(page, 'Overview of sales', [
    ['superstore', 'What was revenue by region in 2016?'],
    ['superstore', 'What was revenue in 2016?'],
    ['superstore', 'Revenue by month in 2016'],
    ['superstore', 'Which 12 customers had the highest revenue in 2016?'],
    ['flights', 'How many flights were there?'],
  ]);
  for (const [width, scheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [400, 'light'],
    [400, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const [name, path] of [
      ['boards', '/app/boards'],
      ['board', `/app/boards/${id}`],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      if (name === 'board') await expect(page.locator('svg.marks').first()).toBeVisible();
      // The schemes differ only in color, so each is checked at one width.
      if ((width === 1440) === (scheme === 'light')) await expectNoAxeViolations(page);
      await expectNoHorizontalScroll(page);
      await page.screenshot({ path: `web/test-results/pages/${name}-${width}-${scheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.screenshot({ path: 'web/test-results/pages/board-menu.png' });
  await page.getByRole('menuitem', { name: 'Arrange tiles' }).click();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/board-arranging.png', fullPage: true });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Lenses' })).toBeHidden();
  await page.screenshot({ path: 'web/test-results/pages/board-print.png', fullPage: true });
});
