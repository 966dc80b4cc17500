import type { Page } from '@playwright/test';
import { lensText } from '../../test/support/lens-text.ts';
import {
  askQuestion,
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  findAnswer,
  openPageAs,
  postAsUser,
  test,
} from './fixtures.ts';

const getServerUrl = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
const LENS_YAML = lensText(`name: corner
title: Corner shop
connection: shop
datasets:
  sold: main.orders (row_id integer key, order_date date time, region string {values: [Central, East, South, West]}, customer_name string mask, quantity integer {aggregation: sum}, reading decimal {expression: profit})
facts:
  - {kind: aggregation, of: sold.quantity, says: sum, origin: inferred, evidence: its name is that of an amount}
  - {kind: key, of: sold, says: row_id, origin: inferred, evidence: no row repeats a value}
`);
let curator: Page;
let viewer: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  const admin = await openPageAs(browser, 'admin');
  await postAsUser(admin.request, getServerUrl(), '/mgmt/lenses', {
    name: 'corner',
    files: { 'lens.yaml': LENS_YAML },
  });
  const { items } = await (await admin.request.get('/mgmt/lenses/corner/drafts')).json();
  await postAsUser(admin.request, getServerUrl(), `/mgmt/lenses/corner/drafts/${items[0].id}/publish`, {});
  curator = await openPageAs(browser, 'curator');
  viewer = await openPageAs(browser, 'viewer', 'corner');
  await admin.context().close();
});
test.afterAll(async ({ browser }) => {
  const admin = await openPageAs(browser, 'admin');
  await admin.request.delete('/mgmt/lenses/corner', { headers: { origin: getServerUrl() } });
  await admin.context().close();
  await curator.context().close();
  await viewer.context().close();
});

test('lets a curator confirm a fact for later answers, and shows a viewer neither the list nor the button', async () => {
  const q = 'What was total quantity by region?';
  await viewer.goto('/app?lens=corner');
  await askQuestion(viewer, q);
  await expect(findAnswer(viewer, q).getByText('Partly verified', { exact: true })).toBeVisible();
  await expect(findAnswer(viewer, q).getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  await viewer.goto('/app/lenses/corner?tab=facts');
  await expect(viewer.getByRole('tab', { name: 'Fields' })).toBeVisible();
  await expect(viewer.getByRole('tab', { name: 'Facts' })).toHaveCount(0);
  await expect(viewer.getByText(/^svc guessed/)).toHaveCount(0);

  await curator.goto('/app/lenses/corner');
  await expect(curator.getByText(/^svc guessed 2 facts about this lens/)).toBeVisible();
  await curator.getByRole('link', { name: /^Confirm or correct/ }).click();
  const key = curator.getByRole('listitem').filter({ hasText: 'Each row of sold has a unique row_id' });
  await expect(key.getByRole('columnheader', { name: 'row_id' })).toBeVisible();
  await key.getByRole('button', { name: /^Correct/ }).click();
  await expectNoAxeViolations(curator);
  await curator.screenshot({ path: 'web/test-results/pages/fact-key.png', fullPage: true });
  await key.getByRole('button', { name: 'This table has no key' }).click();
  await expect(curator.getByRole('heading', { name: '1 fact to confirm' })).toBeVisible();
  await curator.getByRole('button', { name: 'Confirm: sold.quantity can be summed' }).click();
  await expect(curator.getByRole('heading', { name: 'Every fact is confirmed' })).toBeVisible();
  await expectNoAxeViolations(curator);

  await viewer.goto('/app?lens=corner');
  await askQuestion(viewer, q);
  await expect(findAnswer(viewer, q).getByText('Verified', { exact: true })).toBeVisible();
});

test('leads from a sum chosen for one answer to its field in the form, for every question', async () => {
  const q = 'What was total reading by region?';
  const choose = async (page: Page) => {
    await page.goto('/app?lens=corner');
    await askQuestion(page, q);
    await findAnswer(page, q).getByRole('button', { name: /sum/i }).first().click();
    await expect(findAnswer(page, q).last().locator('svg.marks')).toBeVisible();
  };
  await choose(viewer);
  await expect(viewer.getByRole('link', { name: 'Set the aggregation in the lens' })).toHaveCount(0);
  await choose(curator);
  await curator.getByRole('link', { name: 'Set the aggregation in the lens' }).click();
  await expect(curator).toHaveURL(/lenses\/corner\/edit\?part=field/);
  await expect(curator.getByRole('heading', { name: /^sold\.reading/ })).toBeVisible();
});

test('lets a curator edit and publish a lens in the form, but not change who sees which data', async () => {
  await curator.goto('/app/lenses/corner/edit?part=field%20sold%20region');
  await curator.getByRole('combobox', { name: 'Synonyms' }).fill('territory');
  await curator.keyboard.press('Enter');
  await expect(curator.getByRole('status')).toContainText('The check passed');
  await curator.getByRole('button', { name: 'Publish' }).click();
  await expect(curator.getByRole('heading', { name: /^Version \d+ of corner is published/ })).toBeVisible();

  await curator.goto('/app/lenses/corner/edit?as=yaml');
  await curator.getByRole('textbox', { name: 'lens.yaml of corner' }).click();
  await curator.evaluate((all) => navigator.clipboard.writeText(all), LENS_YAML.replace('mask: true', 'mask: false'));
  await curator.keyboard.press('Control+a');
  await curator.keyboard.press('Control+v');
  const refused = curator.getByRole('alert');
  await expect(refused).toContainText('Only an admin can change datasets.sold.fields.customer_name');
  await expect(curator.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await expect(refused).not.toContainText(/\/v1|\/mgmt/);

  await viewer.goto('/app/lenses/corner');
  await expect(viewer.getByRole('link', { name: 'Ask this lens' })).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'Edit' })).toHaveCount(0);
});

test('lets a curator approve a fix for a word in a viewer’s question, which svc then answers', async () => {
  const q = 'What was total quantity by precinct?';
  await viewer.goto('/app?lens=corner');
  await askQuestion(viewer, q);
  await findAnswer(viewer, q).getByRole('button', { name: 'Send for review' }).click();
  await findAnswer(viewer, q).getByRole('link', { name: 'Follow the review' }).click();
  await expect(viewer.getByRole('main')).toContainText('Not understood');
  await expect(viewer.getByRole('heading', { level: 1, name: q })).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'View answer' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: /Approve|Reject/ })).toHaveCount(0);

  await curator.goto('/app?lens=corner');
  await askQuestion(curator, q);
  await findAnswer(curator, q)
    .getByRole('button', { name: /^Define/ })
    .click();
  await curator.getByRole('combobox', { name: 'Means the same as' }).fill('region');
  await curator.getByRole('option', { name: 'sold.region' }).click();
  await curator.getByRole('button', { name: 'Draft the fix' }).click();
  await expect(curator.getByRole('cell').filter({ hasText: /^\p{L}+: [\d,.]+; \p{L}+: /u })).toBeVisible();
  await curator.getByRole('button', { name: 'Approve' }).click();
  await expect(findAnswer(curator, q).last().locator('svg.marks')).toBeVisible();

  await viewer.goto('/app?lens=corner');
  await askQuestion(viewer, q);
  await expect(findAnswer(viewer, q).locator('svg.marks')).toBeVisible();
});

test('lists an ask without a question by the sentence of its plan, also on its own page', async ({ page }) => {
  const plan = { measures: ['revenue'], dimensions: ['region'] };
  await postAsUser(page.request, getServerUrl(), '/v1/lenses/superstore/metrics', plan);
  await page.goto('/app/requests');
  await page
    .getByRole('link', { name: /^Revenue by region/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Revenue by region/ })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'A plan' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/\bv1\b|\bmgmt\b/);
});

test('shows a list as a table on a desktop, and as cards on a phone', async ({ page }) => {
  for (const [path, label] of [
    ['requests', 'Requests'],
    ['evals', 'Evals'],
    ['access', 'Callers'],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 850 });
    await page.goto(`/app/${path}`);
    const row = page.getByRole('region', { name: label }).locator('tbody tr').first();
    const cells = row.locator('td:visible');
    await expect(row).toBeVisible();
    const tops = () => cells.evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().top)));
    const labels = () => cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, '::before').content));
    expect(new Set(await tops()).size).toBe(1);
    await page.setViewportSize({ width: 400, height: 850 });
    await expect.poll(async () => new Set(await tops()).size).toBeGreaterThan(1);
    expect((await labels())[0]).toBe('none');
    await expectNoHorizontalScroll(page);
    await expectNoAxeViolations(page);
  }
});
