// Every page, without accessibility violations, in both schemes and at three widths. Each test saves screenshots.
import type { Page } from '@playwright/test';
import {
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  openPageAs,
  postAsUser,
  resetView,
  takeScreenshots,
  test,
} from './fixtures.ts';

const PAGES = {
  ask: ['/app', 'What would you like to know?'],
  overview: ['/app/overview', 'Overview'],
  boards: ['/app/boards', 'Boards'],
  board: ['/app/boards/', 'Revenue of 2016'],
  requests: ['/app/requests', 'Requests'],
  request: ['/app/requests/', 'What was revenue by region in 2016?'],
  gaps: ['/app/gaps', 'Gaps'],
  reviews: ['/app/reviews', 'Reviews'],
  certified: ['/app/certified', 'Certified entries'],
  lenses: ['/app/lenses', 'Lenses'],
  lens: ['/app/lenses/superstore', 'Superstore'],
  'lens-map': ['/app/lenses/flights?tab=map', 'Flights'],
  'lens-fields': ['/app/lenses/superstore?tab=fields', 'Superstore'],
  'lens-policies': ['/app/lenses/superstore?tab=policies', 'Superstore'],
  'lens-facts': ['/app/lenses/superstore?tab=facts', 'Superstore'],
  'lens-versions': ['/app/lenses/superstore?tab=versions', 'Superstore'],
  'lens-edit': ['/app/lenses/superstore/edit', 'Edit Superstore'],
  'lens-yaml': ['/app/lenses/superstore/edit?as=yaml', 'Edit Superstore'],
  evals: ['/app/evals', 'Evals'],
  data: ['/app/data', 'Data'],
  wizard: ['/app/data/new', 'Create a lens from a database'],
  access: ['/app/access', 'Access'],
  connect: ['/app/connect', 'Connect'],
  verify: ['/app/verify', 'Verify'],
} as const;

test.describe.configure({ mode: 'parallel' });

test.describe('in both schemes and at three widths', () => {
  let page: Page; // the pages of a worker share it, so that its scripts load once
  test.beforeAll(async ({ browser }) => {
    page = await openPageAs(browser, 'admin');
  });
  test.afterAll(() => page.context().close());

  for (const [name, [path, title]] of Object.entries(PAGES))
    test(`shows ${name} without accessibility violations`, async () => {
      await resetView(page);
      await page.goto(path + (path.endsWith('s/') ? await createPageId(name, page) : ''));
      await expect(page.getByRole('heading', { name: title, exact: true, level: 1 })).toBeVisible();
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      await takeScreenshots(page, `pages/${name}`, true);
    });
});

/** Creates two answers, and returns the request ID of one of them or the id of a board with both. */
async function createPageId(name: string, { request }: Page): Promise<string> {
  const at = `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
  const ask = (q: string) => postAsUser<{ request_id: string }>(request, at, '/v1/lenses/superstore/query', { q });
  const [one, other] = [
    await ask('What was revenue by region in 2016?'),
    await ask('How many orders were there in 2016?'),
  ];
  if (name === 'request') return one.request_id;
  const { id } = await postAsUser<{ id: string }>(request, at, '/v1/boards', { title: 'Revenue of 2016' });
  for (const { request_id } of [one, other]) await postAsUser(request, at, `/v1/boards/${id}/tiles`, { request_id });
  return id;
}

test('changes all colors of the theme at once with reduced motion', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/app/gaps');
  await expect(page.getByRole('heading', { name: 'Gaps', level: 1 })).toBeVisible();
  const moving = await page.evaluate(() => {
    document.documentElement.setAttribute('data-mantine-color-scheme', 'dark');
    return document.getAnimations().filter((one) => one instanceof CSSTransition).length;
  });
  expect(moving).toBe(0);
});

test('shows an unfolded answer without accessibility violations, in both schemes', async ({ page }) => {
  await page.goto('/app');
  await page.getByLabel('Your question').fill('What was revenue by region in 2016?');
  await page.keyboard.press('Enter');
  await expect(page.locator('svg.marks')).toBeVisible();
  await page.screenshot({ path: 'web/test-results/pages/answer-1280-light.png' });
  for (const fold of await page.locator('summary').all()) await fold.click();
  await expectNoAxeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('svg.marks')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByText('Table', { exact: true }).click();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/answer-1280-dark.png', fullPage: true });
});

test('shows the request ID of a fault, and tries again', async ({ page }) => {
  await page.goto('/app/requests/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('link', { name: 'All requests' })).toBeVisible();
  await page.goto('/app/boards/00000000-0000-4000-8000-000000000000');
  const fault = page.getByRole('alert');
  await expect(fault).toContainText(/Request ID [0-9a-f-]{36}/);
  await expect(fault.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('describes the error page of a proxy in words of the app', async ({ page }) => {
  await page.route('**/mgmt/gap-map*', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  );
  await page.goto('/app/gaps');
  await expect(page.getByRole('alert')).toContainText('can’t be reached');
  await expect(page.getByRole('main')).not.toContainText(/Gateway|request ID/);
});

test('shows the guide without accessibility violations, and finds a page in it', async ({ page }) => {
  test.setTimeout(120_000); // six axe runs on long pages
  for (const [width, scheme] of [
    [1280, 'light'],
    [400, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 850 });
    for (const path of ['', 'plans', 'engines/']) {
      await page.goto(`/guide/${path}`);
      await expectNoAxeViolations(page);
      await expectNoHorizontalScroll(page);
      await page.screenshot({ path: `web/test-results/pages/guide-${path.replace('/', '')}-${width}-${scheme}.png` });
    }
  }
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('row policies');
  await page
    .getByRole('option', { name: /Row policies/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Row policies/);
});
