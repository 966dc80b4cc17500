// Measures the browser's work for an answer, in counts that don't depend on the speed of the machine.
import { readFile } from 'node:fs/promises';
import type { CDPSession, Page } from '@playwright/test';
import { askQuestion, chooseMenuItem, expect, expectNoHorizontalScroll, findAnswer, test } from './fixtures.ts';
import { createShopLens, runAsOwner } from './warehouse.ts';

type BrowserWork = Record<'Nodes' | 'LayoutCount' | 'RecalcStyleCount', number>;

async function measureWork(cdp: CDPSession, act: () => Promise<void>): Promise<BrowserWork> {
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as BrowserWork;
  };
  await cdp.send('HeapProfiler.collectGarbage'); // removes the nodes of earlier answers
  const before = await read();
  await act();
  await cdp.send('HeapProfiler.collectGarbage');
  const after = await read();
  const since = (name: keyof BrowserWork) => after[name] - before[name];
  return { Nodes: since('Nodes'), LayoutCount: since('LayoutCount'), RecalcStyleCount: since('RecalcStyleCount') };
}

const openPerformanceSession = async (page: Page): Promise<CDPSession> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  return cdp;
};

test('shows, sorts and saves 5,000 of 10,000 rows with the work of 100, and says that there are more', async ({
  page,
  request,
}) => {
  const name = `large${test.info().retry || ''}`;
  await createShopLens(request, name, { more: 'max_rows_to_return: 10000\n' });
  const holdRows = (rows: number) =>
    runAsOwner(
      name,
      `truncate orders; insert into orders select n, 1, date '2024-01-01', 'paid', n from generate_series(1, ${rows}) n`,
    );
  const cdp = await openPerformanceSession(page);
  await page.goto(`/app?lens=${name}`);
  const question = 'List the orders';
  const turn = findAnswer(page, question).last();
  const shown = async (rows: number, most = rows) => {
    await holdRows(rows);
    await askQuestion(page, question);
    await expect(turn.getByRole('table')).toHaveAttribute('aria-rowcount', String(most + 1));
  };
  await shown(50); // what loads once is loaded
  const few = await measureWork(cdp, () => shown(100));
  const many = await measureWork(cdp, () => shown(10_000, 5_000));
  await expect(turn).toContainText(/only (the first )?5000 (rows\. There are more|of 10000 rows)/);
  expect(many.Nodes).toBeLessThan(few.Nodes * 1.5);
  expect(many.LayoutCount).toBeLessThan(few.LayoutCount * 2 + 10);

  const table = turn.getByRole('table');
  const sorting = await measureWork(cdp, async () => {
    await table.getByRole('button', { name: 'amount' }).click();
    await expect(table.getByRole('columnheader', { name: 'amount' })).toHaveAttribute('aria-sort', 'descending');
  });
  expect(sorting.Nodes).toBeLessThan(few.Nodes);
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await expect.poll(() => table.locator('tbody tr[data-index]').last().getAttribute('data-index')).toBe('4999');
  expect(await table.locator('tbody tr').count()).toBeLessThan(120);
  await expectNoHorizontalScroll(page);

  const saving = page.waitForEvent('download');
  await chooseMenuItem(turn, 'Download', 'CSV');
  const csv = await readFile((await (await saving).path())!, 'utf8');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(5_001);
});

test('lays out the page only a few times for an answer with a chart', async ({ page }) => {
  const cdp = await openPerformanceSession(page);
  await page.goto('/app?lens=superstore');
  const shown = async (question: string) => {
    await askQuestion(page, question);
    await expect(findAnswer(page, question).locator('svg.marks')).toBeVisible();
  };
  await shown('revenue by region');
  const work = await measureWork(cdp, () => shown('revenue by segment'));
  expect(work.LayoutCount).toBeLessThan(60);
});
