// States of pages that pages.spec.ts doesn't open, in both schemes and at three widths. Each test saves screenshots.
import type { Page } from '@playwright/test';
import {
  askQuestion,
  chooseMenuItem,
  expect,
  findAnswer,
  openPageAs,
  postAsUser,
  refineAnswer,
  resetView,
  takeScreenshots,
  test,
} from './fixtures.ts';

const QUESTION = 'What was revenue by region in 2016?';
const getServerUrl = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;

async function askAndWait(page: Page, question: string, lens = 'superstore') {
  await page.goto(`/app?lens=${lens}`);
  await askQuestion(page, question);
  const turn = findAnswer(page, question);
  await expect(turn.locator('h2')).toBeVisible();
  await expect(turn.getByText('Reading the question')).toHaveCount(0);
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  return turn;
}

async function askRefusedQuestion(page: Page): Promise<void> {
  await expect((await askAndWait(page, 'What was revenue by mood in 2016?')).getByText('Refused')).toBeVisible();
}

const PAGE_STATES: Record<string, (page: Page) => Promise<unknown>> = {
  typing: async (page) => {
    await page.goto('/app?lens=superstore');
    await page.getByLabel('Your question').pressSequentially('revenue by mood in ');
    await expect(page.getByText('isn’t in')).toBeVisible();
  },
  bars: async (page) => expect((await askAndWait(page, QUESTION)).locator('svg.marks')).toBeVisible(),
  line: async (page) => expect((await askAndWait(page, 'revenue by month in 2016')).locator('svg.marks')).toBeVisible(),
  'many-bars': async (page) => expect((await askAndWait(page, 'revenue by state')).locator('svg.marks')).toBeVisible(),
  'two-measures': async (page) =>
    expect((await askAndWait(page, 'revenue and profit by region')).locator('svg.marks')).toBeVisible(),
  compared: async (page) => {
    await refineAnswer(await askAndWait(page, QUESTION), 'Compare with the previous period');
    await expect(page.getByText('$187.5k (+33.9%)')).toBeVisible();
  },
  number: (page) => askAndWait(page, 'What was revenue in the West in 2016?'),
  rows: async (page) => {
    await refineAnswer(await askAndWait(page, QUESTION), 'Show rows');
    await expect(findAnswer(page, 'Rows of orders').getByRole('table')).toBeVisible();
  },
  evidence: async (page) => {
    const turn = await askAndWait(page, QUESTION);
    for (const fold of await turn.locator('summary').all()) await fold.click();
  },
  'empty-answer': (page) => askAndWait(page, 'What was revenue in the West in 1999?'),
  'asked-back': (page) => askAndWait(page, 'What was margin by region in 2016?'),
  refused: askRefusedQuestion,
  teach: async (page) => {
    await askRefusedQuestion(page);
    await page.getByRole('button', { name: /^Define/ }).click();
    await expect(page.getByRole('button', { name: 'Draft the fix' })).toBeVisible();
  },
  'pin-menu': async (page) => {
    await (await askAndWait(page, QUESTION)).getByRole('button', { name: 'Pin' }).click();
    await expect(page.getByLabel('Board to pin to')).toBeVisible();
  },
  'break-down-list': async (page) => {
    await refineAnswer(await askAndWait(page, QUESTION), 'Break down by');
    await expect(page.getByRole('option').first()).toBeVisible();
  },
  'period-list': async (page) => {
    await (await askAndWait(page, QUESTION)).getByRole('button', { name: 'Change 2016' }).click();
    await page.keyboard.type('2016-Q');
    await expect(page.getByRole('option', { name: 'Q1 2016' })).toBeVisible();
  },
  'filter-list': async (page) => {
    await openBoard(page);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.keyboard.type('segm');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option', { name: 'Consumer' })).toBeVisible();
  },
  report: async (page) => {
    await chooseMenuItem(await askAndWait(page, QUESTION), 'More actions', 'Report a problem');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  conversations: async (page) => {
    await askAndWait(page, QUESTION);
    await page.goto('/app');
    await expect(page.getByRole('region', { name: 'Your conversations' })).toBeVisible();
  },
  'go-to': async (page) => {
    await page.goto('/app');
    await expect(page.getByLabel('Your question')).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option').first()).toBeVisible();
  },
  keys: async (page) => {
    await page.goto('/app/boards');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Shift+?');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'arranged-board': async (page) => {
    await openBoard(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Arrange tiles' }).click();
    await expect(page.getByRole('button', { name: /^Remove/ }).first()).toBeVisible();
  },
  'filtered-board': async (page) => {
    await openBoard(page);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Field to filter by').fill('region');
    await page.getByRole('option', { name: /^region/ }).click();
    await page.getByRole('option', { name: 'West', exact: true }).click();
    await expect(page.getByText('187,480.18').first()).toBeVisible();
  },
  'gaps-with-one': async (page) => {
    await askRefusedQuestion(page);
    await page.goto('/app/gaps');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText('mood').first()).toBeVisible();
  },
  review: async (page) => {
    await askRefusedQuestion(page);
    const report = page.getByRole('button', { name: 'Send for review' });
    if (await report.isVisible()) await report.click();
    await page.getByRole('link', { name: 'Follow the review' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  people: async (page) => {
    await page.goto('/app/access');
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('button', { name: 'New account' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'long-names': async (page) => {
    const title = 'Longest'.repeat(28);
    const { id } = await postAsUser<{ id: string }>(page.request, getServerUrl(), '/v1/boards', { title });
    await page.goto(`/app/boards/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  },
  'no-such-page': async (page) => {
    await page.goto('/app/nowhere');
    await expect(page.getByText('Page not found')).toBeVisible();
  },
  fault: async (page) => {
    await page.goto('/app/boards/00000000-0000-4000-8000-000000000000');
    await expect(page.getByRole('alert')).toBeVisible();
  },
};

let boardId: string | null = null;
/** One board for each worker. */
async function openBoard(page: Page): Promise<void> {
  boardId ??= await createBoard(page);
  await page.goto(`/app/boards/${boardId}`);
  await expect(page.locator('svg.marks')).toHaveCount(2);
}

async function createBoard({ request }: Page): Promise<string> {
  const { id } = await postAsUser<{ id: string }>(request, getServerUrl(), '/v1/boards', { title: 'A week in sales' });
  for (const q of [QUESTION, 'revenue by month in 2016', 'revenue in 2016']) {
    const { request_id } = await postAsUser<{ request_id: string }>(
      request,
      getServerUrl(),
      '/v1/lenses/superstore/query',
      { q },
    );
    await postAsUser(request, getServerUrl(), `/v1/boards/${id}/tiles`, { request_id });
  }
  return id;
}

test.describe.configure({ mode: 'parallel' });

// The states of a worker share a page, whose scripts load once. Each state begins with a page load and an empty
// question box.
let workerPage: Page;
test.beforeAll(async ({ browser }) => {
  workerPage = await openPageAs(browser, 'admin');
  await workerPage.addInitScript('sessionStorage.clear()');
});
test.afterAll(() => workerPage.context().close());

for (const [name, reach] of Object.entries(PAGE_STATES))
  test(`shows the state ${name} without accessibility violations, in both schemes and at three widths`, async () => {
    await resetView(workerPage);
    await reach(workerPage);
    await takeScreenshots(workerPage, `states/${name}`);
  });

for (const role of ['curator', 'viewer'] as const)
  test(`shows a ${role} the start, an answer and a closed page, in both schemes and at three widths`, async ({
    browser,
  }) => {
    test.setTimeout(180_000); // three sets of pictures
    const page = await openPageAs(browser, role);
    await resetView(page);
    await page.goto('/app');
    await expect(page.getByLabel('Your question')).toBeVisible();
    await takeScreenshots(page, `states/${role}-start`);
    await askAndWait(page, QUESTION);
    await takeScreenshots(page, `states/${role}-answer`);
    await page.goto('/app/access');
    await expect(page.getByText('You don’t have access to this page')).toBeVisible();
    await takeScreenshots(page, `states/${role}-closed`);
    await page.context().close();
  });
