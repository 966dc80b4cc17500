import { askQuestion, expect, findAnswer, test } from './fixtures.ts';

test('takes the screenshots of docs/', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(process.env['SVC_WEB_TEST_LINK']!);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const question = 'What was revenue by region in 2016?';
  await askQuestion(page, question);
  const answered = findAnswer(page, question);
  await expect(answered.locator('svg.marks')).toBeVisible();
  await answered.locator('summary', { hasText: 'Checks' }).click();
  await page.evaluate('window.scrollTo(0, 0)');
  await page.mouse.move(0, 0);
  await page.screenshot({ path: 'docs/app-answer.png' });

  await page.goto('/app/lenses/superstore/edit?as=yaml');
  await expect(page.locator('.cm-content')).toBeVisible();
  await page.screenshot({ path: 'docs/app-lens.png' });
});
