// Stops the warehouse while the app is open. Each page reports the failure, and works again once the warehouse is back.
import { askQuestion, expect, expectNoAxeViolations, findAnswer, postAsUser, test } from './fixtures.ts';
import { createProxy, createShopLens } from './warehouse.ts';

test('says that the warehouse is not reachable, and answers again once it can', async ({ page }) => {
  const base = `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
  const name = `away${test.info().retry || ''}`;
  const door = await createProxy();
  await createShopLens(page.request, name, { port: door.port });
  const question = 'takings by status';
  await page.goto(`/app?lens=${name}`);
  await askQuestion(page, question);
  await expect(findAnswer(page, question).locator('svg.marks')).toBeVisible();
  const { request_id } = await postAsUser<{ request_id: string }>(page.request, base, `/v1/lenses/${name}/query`, {
    q: question,
  });
  const { id } = await postAsUser<{ id: string }>(page.request, base, '/v1/boards', { title: 'Away' });
  await postAsUser(page.request, base, `/v1/boards/${id}/tiles`, { request_id });

  await door.close();
  await askQuestion(page, 'takings by month');
  const failed = findAnswer(page, 'takings by month');
  await expect(failed.getByRole('alert')).toContainText('is not reachable');
  await expect(failed.getByRole('alert')).toContainText(/Try again|ask an admin/);
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/warehouse-away.png' });
  await page.goto(`/app/boards/${id}`);
  await expect(page.getByRole('article', { name: question })).toContainText('is not reachable');
  await page.screenshot({ path: 'web/test-results/pages/warehouse-away-board.png' });
  await page.goto('/app/data');
  await page.getByRole('button', { name: `Test ${name}` }).click();
  await expect(page.getByRole('main')).toContainText('is not reachable');
  await page.screenshot({ path: 'web/test-results/pages/warehouse-away-data.png' });
  for (const path of [`/app/lenses/${name}?tab=fields`, `/app?lens=${name}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/\/v1|\/mgmt|ECONN|FATAL|\bGET\b/);
  }

  await askQuestion(page, 'takings by month');
  await expect(failed.getByRole('alert')).toBeVisible();
  await door.open();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(failed.last().locator('svg.marks')).toBeVisible();
  await page.goto(`/app/boards/${id}`);
  await expect(page.getByRole('article', { name: question }).locator('svg.marks')).toBeVisible();
  await door.close();
});
