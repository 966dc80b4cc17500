// Data with missing dates, long names and large numbers, on a desktop and on a phone.
import { askQuestion, expect, expectNoHorizontalScroll, findAnswer, test } from './fixtures.ts';
import { createShopLens, runAsOwner } from './warehouse.ts';

const PHONE = { width: 390, height: 844 };

test('says which rows a chart leaves out, and shows long names and large numbers on a phone', async ({
  page,
  request,
}) => {
  const name = `awkward${test.info().retry || ''}`;
  await createShopLens(request, name, {});
  await runAsOwner(
    name,
    `alter table orders alter ordered_on drop not null;
    alter table orders alter status drop not null;
    alter table orders alter amount type numeric(24, 2);
    truncate orders;
    insert into orders select n, 1, case when n > 1 then date '2025-01-01' + n * 9 end,
      case n % 4 when 0 then null else 'A status with a name that takes more than half of a phone ' || n % 4 end,
      987654321098765.43 from generate_series(1, 40) n`,
  );
  await page.setViewportSize(PHONE);
  await page.goto(`/app?lens=${name}`);
  await askQuestion(page, 'takings by month');
  const byMonth = findAnswer(page, 'takings by month');
  await expect(byMonth).toContainText('The chart leaves out 1 row without a value in ordered on month.');

  await askQuestion(page, 'takings by month by status');
  const byStatus = findAnswer(page, 'takings by month by status');
  await expect(byStatus.locator('svg.marks')).toContainText('no value');
  const plot = byStatus.locator('svg.marks path.background').first();
  await expect.poll(async () => (await plot.boundingBox())?.width).toBeGreaterThan(PHONE.width / 2);

  await askQuestion(page, 'What are the takings?');
  const number = findAnswer(page, /^What are the takings/).getByText('39,506,172,843,950,617.2', { exact: true });
  await expect(number).toBeVisible();
  const { height, fontSize } = await number.evaluate((element) => ({
    height: element.getBoundingClientRect().height,
    fontSize: Number.parseFloat(getComputedStyle(element).fontSize),
  }));
  expect(height).toBeLessThan(fontSize * 1.6); // one line
  await expectNoHorizontalScroll(page);
});
