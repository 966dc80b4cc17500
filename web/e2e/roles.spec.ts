import type { Page } from '@playwright/test';
import {
  askQuestion,
  chooseMenuItem,
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  findAnswer,
  openPageAs,
  refineAnswer,
  test,
} from './fixtures.ts';

const ROLES = ['admin', 'curator', 'viewer'] as const;
const QUESTION = 'What was revenue by region in 2016?';

for (const role of ROLES) {
  test.describe(`as ${role}`, () => {
    let page: Page;
    const manages = role !== 'viewer';
    test.beforeAll(async ({ browser }) => {
      page = await openPageAs(browser, role);
    });
    test.afterAll(() => page.context().close());
    const verified = (title: string | RegExp) => page.getByRole('article', { name: title, exact: true }).last();
    const isVerified = (title: string | RegExp) =>
      expect(verified(title).getByText('Verified', { exact: true })).toBeVisible();

    test('completes a question by kind, and shows how svc reads it before it is asked', async () => {
      await page.goto('/app?lens=superstore');
      await page.getByLabel('Your question').pressSequentially('revenue by regi');
      await expect(page.getByRole('option', { name: /^region\b/ }).first()).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('status', { name: 'How svc interprets the question' })).toContainText(
        'Interpreted as Revenue by region',
      );
      await page.keyboard.press('Enter');
      await expect(page.locator('svg.marks')).toBeVisible();
      await expectNoAxeViolations(page);
    });

    test('breaks down, compares and narrows a certified answer, and shows the rows of the narrowed one', async () => {
      await page.goto('/app?lens=superstore');
      await askQuestion(page, QUESTION);
      const certified = findAnswer(page, QUESTION);
      await expect(certified.getByText('Certified', { exact: true })).toBeVisible();
      await refineAnswer(certified, 'Break down by', 'segment');
      await isVerified('Broken down by segment');
      await refineAnswer(certified, 'Compare with the previous period');
      await isVerified('revenue in 2016 compared with 2015');
      await certified.getByText('Table', { exact: true }).click();
      await certified.getByRole('button', { name: 'West', exact: true }).click();
      await isVerified('Only West');
      await refineAnswer(verified('Only West'), 'Show rows');
      await expect(verified('Rows of orders').getByRole('table')).toBeVisible();
      await verified('Rows of orders').getByRole('columnheader').first().getByRole('button').click();
      await expect(verified('Rows of orders').getByRole('columnheader').first()).toHaveAttribute(
        'aria-sort',
        /ending$/,
      );
    });

    test('saves an answer as CSV, and opens it again by its link', async () => {
      await page.goto('/app?lens=superstore');
      await askQuestion(page, QUESTION);
      const saving = page.waitForEvent('download');
      await chooseMenuItem(findAnswer(page, QUESTION), 'Download', 'CSV');
      expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Link' }).click();
      await page.goto(String(await page.evaluate('navigator.clipboard.readText()')));
      await expect(findAnswer(page, QUESTION).locator('svg.marks')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Ask', exact: true })).toHaveAttribute('aria-current', 'page');
      await expect(findAnswer(page, QUESTION).getByText(/computed now\./)).toBeVisible();
    });

    test('offers a rewording after a refusal, “Define” to people who manage lenses, and a report', async () => {
      await page.goto('/app?lens=superstore');
      const question = `What was revenue by ${role}mood in 2016?`;
      await askQuestion(page, question);
      const refused = findAnswer(page, question);
      await expect(refused.getByText('Refused', { exact: true })).toBeVisible();
      await expect(refused.getByRole('button', { name: /^Define/ })).toHaveCount(manages ? 1 : 0);
      await expect(refused.getByRole('button', { name: /Leaves out/ })).toBeVisible();
      await refused.getByRole('button', { name: 'Send for review' }).click();
      await refused.getByRole('link', { name: 'Follow the review' }).click();
      await expect(page).toHaveURL(/\/reviews\//);
      await expect(page.getByRole('main')).toContainText('Not understood');
      await expect(page.getByRole('button', { name: /^Reject/ })).toHaveCount(manages ? 1 : 0);
      await expectNoAxeViolations(page);
    });

    test('keeps a conversation after a reload, and renames, shares, restores and finds it', async () => {
      await page.goto('/app?lens=superstore');
      await askQuestion(page, 'What was revenue in the West in 2016?');
      await expect(page).toHaveURL(/thread=/);
      await page.reload();
      await page.getByRole('button', { name: 'Follow up' }).click();
      await askQuestion(page, 'And in 2017?');
      await expect(findAnswer(page, 'And in 2017?').getByText('region is West', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByLabel('Conversation name').fill(`West of the ${role}`);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Share and copy link' }).click();
      await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
      await page.getByRole('button', { name: 'New conversation' }).click();
      const kept = page.getByRole('region', { name: 'Your conversations' });
      await kept
        .getByRole('button', { name: `Delete West of the ${role}` })
        .first()
        .click();
      await kept.getByRole('button', { name: 'Undo' }).click();
      await page.keyboard.press('Control+k');
      await page.getByLabel('Page, board, lens or conversation').fill(`West of the ${role}`);
      await expect(page.getByRole('option', { name: `West of the ${role}` }).first()).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('article')).toHaveCount(2);
    });

    test('pins an answer to a board, and filters, refreshes and shares the board', async () => {
      const name = `Board of the ${role}${' again'.repeat(test.info().retry)}`;
      await page.goto('/app?lens=superstore');
      await askQuestion(page, QUESTION);
      await expect(findAnswer(page, QUESTION).locator('svg.marks')).toBeVisible();
      await findAnswer(page, QUESTION).getByRole('button', { name: 'Pin' }).click();
      await page.getByLabel('Board to pin to').fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name }).click();
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
      await expect(findAnswer(page, QUESTION).locator('svg.marks').first()).toBeVisible();
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByLabel('Field to filter by').fill('region');
      await page.getByRole('option', { name: /^region/ }).click();
      await page.getByRole('option', { name: 'West', exact: true }).click();
      await expect(
        findAnswer(page, QUESTION)
          .getByText(/^\$?187[,.]/)
          .first(),
      ).toBeVisible();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Every hour' }).click();
      await expect(page.getByText(/^Refreshes every hour/)).toBeVisible();
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Share and copy link' }).click();
      await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expectNoAxeViolations(page);
    });

    test('supports shortcuts on the boards page, and fits a phone', async () => {
      await page.goto('/app/boards');
      await expect(page.getByRole('heading', { name: 'Boards', exact: true })).toBeVisible();
      await page.keyboard.press('Shift+?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await expect(page.getByLabel('Your question')).toBeFocused();
      await page.setViewportSize({ width: 400, height: 850 });
      await expectNoHorizontalScroll(page);
      await page.setViewportSize({ width: 1280, height: 850 });
    });

    test('opens curation pages to people who manage lenses, and explains to others that the pages aren’t for them', async () => {
      const forCurators = ['overview', 'requests', 'gaps', 'certified', 'evals', 'lenses/superstore/edit'];
      const forAdmins = ['data', 'data/new', 'access', 'connect'];
      for (const path of [...forCurators, ...forAdmins]) {
        await page.goto(`/app/${path}`);
        const closed = page.getByText('You don’t have access to this page');
        if (role === 'admin' || (role === 'curator' && forCurators.includes(path)))
          await expect(page.getByRole('alert').or(closed)).toHaveCount(0);
        else await expect(closed).toBeVisible();
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        // The page “Connect” shows commands for scripts.
        if (path !== 'connect') await expect(page.getByRole('main')).not.toContainText(/\/v1|\/mgmt|\bGET\b/);
      }
    });

    test('reports an address without content in words of the app', async () => {
      const none = '00000000-0000-4000-8000-000000000000';
      for (const path of [`answers/${none}`, `?thread=${none}`, `boards/${none}`, `reviews/${none}`, 'lenses/none']) {
        await page.goto(`/app/${path}`);
        await expect(page.getByRole('alert').first()).toContainText(/no|not/);
        await expect(page.getByRole('main')).not.toContainText(/\/v1|\/mgmt|\bGET\b|npx/);
      }
    });
  });
}
