// This test restarts the server, so no other test runs at the same time.
import { askQuestion, expect, test } from './fixtures.ts';
import { startProcess, stopProcess } from './start-server.ts';

test('answers the next question after a restart of the server', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  await stopProcess();
  await askQuestion(page, 'What was revenue in the East in 2016?');
  await expect(page.getByRole('alert')).toContainText('can’t be reached');
  await startProcess();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^\$180,685\.82/)).toBeVisible();
});
