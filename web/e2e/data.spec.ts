// Data: from a PostgreSQL database through the wizard to a first answer; what a connection holds, and its joins.
import { answer, expect, hasNoAxeViolation, isWithinItsWidth, test } from './fixtures.ts';
import { makeShop } from './warehouse.ts';

test('14 a PostgreSQL database becomes a lens by the wizard, and answers', async ({ page }) => {
  const url = await makeShop();
  await page.goto('/app/data');
  await page.getByRole('link', { name: 'A lens from a database' }).click();
  await page.getByRole('textbox', { name: 'Host' }).fill(url.replace('only%20reads', 'wrong'));
  await expect(page.getByLabel('Name of the connection')).toHaveValue('corner_shop');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText(/password|sign in|credentials/i);
  await page.getByLabel('Password', { exact: true }).fill('only reads');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();

  await expect(page.getByRole('heading', { name: '2 of 2 tables' })).toBeVisible();
  await hasNoAxeViolation(page);
  await page.getByRole('checkbox', { name: 'Take public.customers' }).click();
  await expect(page.getByRole('heading', { name: '1 of 2 tables' })).toBeVisible();
  await page.getByRole('button', { name: 'Take all' }).click();
  await page.getByRole('button', { name: 'Read these tables' }).click();

  await expect(page.getByText('2 tables were read, 1 joins were found')).toBeVisible();
  await expect(page.getByText(/customer_id → customers\.id/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'About persons, and shown' })).toBeVisible();
  await hasNoAxeViolation(page);
  await isWithinItsWidth(page);
  await page.screenshot({ path: 'web/test-results/pages/wizard-look.png', fullPage: true });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: 'corner_shop is in service' })).toBeVisible();
  await hasNoAxeViolation(page);

  await page.getByRole('link', { name: 'Its metrics, fields and map' }).click();
  await page.getByRole('link', { name: 'Ask this lens' }).click();
  const question = 'How many orders per customer country?';
  await page.getByLabel('Your question').fill(question);
  await page.keyboard.press('Enter');
  await expect(answer(page, question).getByText('Verified', { exact: true })).toBeVisible();

  await page.goto('/app/data');
  await page.getByRole('button', { name: 'Profile of corner_shop' }).click();
  await page.getByRole('button', { name: 'Take it now' }).click();
  await expect(page.getByRole('row', { name: /customers\.country/ })).toContainText('Chile');
  await page.getByRole('combobox', { name: 'Lens' }).click();
  await page.getByRole('option', { name: 'corner_shop' }).click();
  await page.getByRole('button', { name: 'Look for joins' }).click();
  await expect(page.getByRole('row', { name: /orders\.customer_id customers\.id yes 100%/ })).toBeVisible();
  await hasNoAxeViolation(page);
});

test('14 a connection is tested and its tables shown', async ({ page }) => {
  await page.goto('/app/data');
  await page.getByRole('button', { name: 'Test shop' }).click();
  await expect(page.getByText(/^Yes, in/)).toBeVisible();
  await page.getByRole('button', { name: 'Tables of shop' }).click();
  await expect(page.getByRole('cell', { name: /orders/ }).first()).toBeVisible();
});
