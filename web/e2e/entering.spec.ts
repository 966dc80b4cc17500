import { askQuestion, expect, expectNoAxeViolations, findAnswer, test } from './fixtures.ts';

const getSignInLink = () => process.env['SVC_WEB_TEST_LINK']!;

test('doesn’t use up the sign-in link when the page is only opened', async ({ page }) => {
  await page.goto(getSignInLink());
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(page.url()).not.toContain('#');
});

test('takes the first admin from the link to a verified answer with a chart', async ({ page, context }) => {
  await page.goto(getSignInLink());
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'What would you like to know?' })).toBeVisible();
  await askQuestion(page, 'What was revenue by region in 2016?');
  const answered = findAnswer(page, 'What was revenue by region in 2016?');
  await expect(answered.getByText('Verified', { exact: true })).toBeVisible();
  await expect(answered.locator('svg.marks')).toBeVisible();
  const cookies = await context.cookies();
  expect(cookies).toMatchObject([{ name: 'svc_session', httpOnly: true, sameSite: 'Lax' }]);
  await context.storageState({ path: 'web/test-results/admin.json' });
});

test('says how to get another link after the link was used', async ({ page }) => {
  await page.goto(getSignInLink());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('already used or has expired');
  await expect(page.getByText('npx svc sign-in-link')).toBeVisible();
  await page.goto('/app/enter');
  await expect(page.getByText('npx svc sign-in-link')).toBeVisible();
});
