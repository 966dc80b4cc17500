// This test restarts the server, so no other test runs at the same time.
import { ask, expect, test } from './fixtures.ts';
import { start, stop } from './start-server.ts';

test('answers the next question after a restart of the server', async ({ page }) => {
  await page.goto('/app');
  await ask(page, 'What was revenue in the West in 2016?');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  await stop();
  await ask(page, 'What was revenue in the East in 2016?');
  await expect(page.getByRole('alert')).toContainText('isn’t responding');
  await start();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^\$180,685\.82/)).toBeVisible();
});
