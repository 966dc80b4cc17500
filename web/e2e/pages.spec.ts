// Every page: without a violation in both schemes and three widths, and looked at by whoever opens the artefacts.
import { expect, hasNoAxeViolation, isWithinItsWidth, test } from './fixtures.ts';

const PAGES = {
  ask: ['/app', 'What would you like to know?'],
  overview: ['/app/overview', 'Overview'],
  requests: ['/app/requests', 'Requests'],
  gaps: ['/app/gaps', 'Gaps'],
  reviews: ['/app/reviews', 'Reviews'],
  certified: ['/app/certified', 'Certified'],
  lenses: ['/app/lenses', 'Lenses'],
  lens: ['/app/lenses/superstore', 'Superstore'],
  'lens-map': ['/app/lenses/flights?tab=map', 'Flights'],
  'lens-fields': ['/app/lenses/superstore?tab=fields', 'Superstore'],
  'lens-policies': ['/app/lenses/superstore?tab=policies', 'Superstore'],
  'lens-edit': ['/app/lenses/superstore/edit', 'Edit superstore'],
  evals: ['/app/evals', 'Evals'],
  data: ['/app/data', 'Data'],
  wizard: ['/app/data/new', 'Create a lens from a database'],
  access: ['/app/access', 'Access'],
  connect: ['/app/connect', 'Connect'],
  verify: ['/app/verify', 'Verify'],
} as const;

test.describe.configure({ mode: 'parallel' });

for (const [name, [path, title]] of Object.entries(PAGES))
  test(`14 ${name} has no violation, in both schemes and at three widths`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(path);
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    for (const width of [1440, 1024, 400])
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 850 });
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
        // Nothing but colours differs between schemes, so each is tried at one end.
        if ((width === 1440) === (scheme === 'light') && width !== 1024) await hasNoAxeViolation(page);
        await isWithinItsWidth(page);
        await page.screenshot({ path: `web/test-results/pages/${name}-${width}-${scheme}.png`, fullPage: true });
      }
  });

test('14 an answer with everything unfolded has no violation, in both schemes', async ({ page }) => {
  await page.goto('/app');
  await page.getByLabel('Your question').fill('What was revenue by region in 2016?');
  await page.keyboard.press('Enter');
  await expect(page.locator('svg.marks')).toBeVisible();
  await page.screenshot({ path: 'web/test-results/pages/answer-1280-light.png' });
  for (const fold of await page.locator('summary').all()) await fold.click();
  await hasNoAxeViolation(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('svg.marks')).toBeVisible();
  await hasNoAxeViolation(page);
  await page.getByText('Table', { exact: true }).click();
  await hasNoAxeViolation(page);
  await page.screenshot({ path: 'web/test-results/pages/answer-1280-dark.png', fullPage: true });
});

test('14 a fault says its request id, and can be tried again', async ({ page }) => {
  await page.goto('/app/requests/00000000-0000-4000-8000-000000000000');
  const fault = page.getByRole('alert');
  await expect(fault).toContainText(/Request [0-9a-f-]{36}/);
  await expect(fault.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('the guide has no violation, in both schemes and at two widths, and finds a page', async ({ page }) => {
  for (const [width, scheme] of [
    [1280, 'light'],
    [400, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 850 });
    for (const path of ['', 'plans', 'engines/']) {
      await page.goto(`/guide/${path}`);
      await hasNoAxeViolation(page);
      await isWithinItsWidth(page);
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
