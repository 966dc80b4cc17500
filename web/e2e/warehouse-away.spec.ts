// The warehouse goes away while the app is open: each page says so in its own words, and goes on once the warehouse is back.
import { answer, ask, expect, hasNoAxeViolation, post, test } from './fixtures.ts';
import { makeDoor, makeShopLens } from './warehouse.ts';

test('says that the warehouse is not reachable, and answers again once it can', async ({ page }) => {
  const base = `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
  const name = `away${test.info().retry || ''}`;
  const door = await makeDoor();
  await makeShopLens(page.request, name, { port: door.port });
  const question = 'takings by status';
  await page.goto(`/app?lens=${name}`);
  await ask(page, question);
  await expect(answer(page, question).locator('svg.marks')).toBeVisible();
  const { request_id } = await post<{ request_id: string }>(page.request, base, `/v1/lenses/${name}/query`, {
    q: question,
  });
  const { id } = await post<{ id: string }>(page.request, base, '/v1/boards', { title: 'Away' });
  await post(page.request, base, `/v1/boards/${id}/tiles`, { request_id });

  await door.close();
  await ask(page, 'takings by month');
  const failed = answer(page, 'takings by month');
  await expect(failed.getByRole('alert')).toContainText('is not reachable');
  await expect(failed.getByRole('alert')).toContainText(/Try again|ask an admin/);
  await hasNoAxeViolation(page);
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

  await ask(page, 'takings by month');
  await expect(failed.getByRole('alert')).toBeVisible();
  await door.open();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(failed.last().locator('svg.marks')).toBeVisible();
  await page.goto(`/app/boards/${id}`);
  await expect(page.getByRole('article', { name: question }).locator('svg.marks')).toBeVisible();
  await door.close();
});
