// For those who run it: a wrong answer to its certification, a key shown once, evals, requests found again.
import { answer, ask, expect, hasNoAxeViolation, test } from './fixtures.ts';

test('14 wrong answer, review, ruling, certified, asked again: certified', async ({ page }) => {
  const question = 'What was profit in the South in 2015?';
  await page.goto('/app');
  await ask(page, question);
  await answer(page, question).getByRole('button', { name: 'Looks wrong' }).click();
  await page.getByLabel('In your words').fill('<b>Returns</b> are missing.');
  await hasNoAxeViolation(page);
  await page.getByRole('button', { name: 'Send to review' }).click();
  await page.getByRole('link', { name: 'follow the review' }).click();
  await expect(page.getByText('<b>Returns</b> are missing.')).toBeVisible();
  await hasNoAxeViolation(page);
  await page.getByRole('button', { name: 'Certify' }).click();
  await page.getByRole('button', { name: 'Check and approve' }).click();
  await expect(page.getByText('Certified. Whoever asks this')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Note').fill('It was right: returns are another metric.');
  await page.getByRole('button', { name: 'Reject: it was right' }).click();
  await expect(page.getByText('Ruled rejected by admin@localhost')).toBeVisible();
  await page.goto('/app');
  await ask(page, question);
  await expect(answer(page, question).getByText('Certified', { exact: true })).toBeVisible();
});

test('14 a caller is made and its key shown once', async ({ page }) => {
  await page.goto('/app/access');
  await page.getByRole('button', { name: 'New caller' }).click();
  await page.getByLabel('Name').fill('<i>notebook</i>');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('button', { name: 'New key for <i>notebook</i>' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/svc_\w{46}/);
  const key = (await dialog.locator('pre').textContent())!;
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('<i>notebook</i>')).toBeVisible();
  expect(await page.content()).not.toContain(key);
});

test('14 evals run, and are shown case by case', async ({ page }) => {
  await page.goto('/app/evals');
  await page.getByRole('button', { name: 'Run the evals of superstore' }).click();
  await expect(page.getByRole('heading', { name: /superstore: \d+ of \d+ passed/ })).toBeVisible({ timeout: 45_000 });
  await hasNoAxeViolation(page);
});

test('14 a request is found by its words and shown in full', async ({ page }) => {
  await page.goto('/app/requests');
  await page.getByLabel('Text of the question').fill('revenue by region');
  await expect(page).toHaveURL(/q=revenue/);
  await page.getByRole('link', { name: 'What was revenue by region in 2016?' }).first().click();
  await expect(page.getByRole('heading', { name: 'Checks' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Steps' })).toBeVisible();
  await hasNoAxeViolation(page);
});

test('14 a gap is gathered, and leads to its requests', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await ask(page, 'What was the frobnication by region?');
  await expect(page.getByText('Refused', { exact: true })).toBeVisible();
  await page.goto('/app/gaps');
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByRole('link', { name: 'What was the frobnication by region?' })).toBeVisible();
});
