import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { askQuestion, expect, expectNoAxeViolations, expectNoHorizontalScroll, findAnswer, test } from './fixtures.ts';
import { createShopDatabase } from './warehouse.ts';

test.describe.configure({ mode: 'serial' }); // the tests share one lens, and a retry creates another
const createShopName = () => `corner_shop${test.info().retry || ''}`;

test('turns a PostgreSQL database into a lens with the wizard, and answers from it', async ({ page }) => {
  test.setTimeout(120_000); // the longest of all tests
  const shop = createShopName();
  const url = await createShopDatabase(shop);
  await page.goto('/app/data');
  await page.getByRole('link', { name: 'Connect a database' }).click();
  await page.getByRole('textbox', { name: 'Host' }).fill(url.replace('only%20reads', 'wrong'));
  await expect(page.getByLabel('Connection name')).toHaveValue(shop);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText(/password|sign in|credentials/i);
  await page.getByLabel('Password', { exact: true }).fill('only reads');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();

  await expect(page.getByRole('heading', { name: '2 of 2 tables' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('checkbox', { name: 'Include public.customers' }).click();
  await expect(page.getByRole('heading', { name: '1 of 2 tables' })).toBeVisible();
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Draft a lens from these tables' }).click();

  await expect(page.getByText('Tables read: 2. Joins found: 1.')).toBeVisible();
  await expect(page.getByText(/customer_id → customers\.id/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Personal data that callers can see' })).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await page.screenshot({ path: 'web/test-results/pages/wizard-look.png', fullPage: true });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: `${shop} is published` })).toBeVisible();
  await expectNoAxeViolations(page);

  const guess = 'orders.amount can be summed';
  const facts = page.getByRole('list', { name: 'Facts' });
  await expect(facts.getByRole('heading', { name: guess })).toBeVisible();
  await page.screenshot({ path: 'web/test-results/pages/wizard-facts.png', fullPage: true });
  await page.getByRole('button', { name: `Confirm: ${guess}` }).click();
  await expect(facts.getByRole('heading', { name: guess })).toBeHidden();
  const join = /^orders\.customer_id refers to customers/;
  await page.getByRole('button', { name: 'Confirm proven joins' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the proven joins?' });
  await expect(dialog).toContainText('svc checks 1 inferred join against the data');
  await expect(dialog.getByText(join)).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Check and confirm' }).click();
  await expect(facts.getByRole('heading', { name: join })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Sample questions' })).toBeVisible();
  await expectNoHorizontalScroll(page);

  await page.getByRole('link', { name: 'View metrics, fields and map' }).click();
  await page.getByRole('link', { name: 'Ask this lens' }).click();
  const question = 'How many orders per customer country?';
  await askQuestion(page, question);
  await expect(findAnswer(page, question).getByText('Verified', { exact: true })).toBeVisible();

  await askQuestion(page, 'List the customers');
  const hostile = '<img src=x onerror="window.broken=1"> **Ann** ⟨U+202E⟩gnp.exe ⟨U+001B⟩[31m';
  await expect(page.getByRole('cell', { name: hostile, exact: true })).toBeVisible();
  expect(await page.evaluate('window.broken')).toBeUndefined();

  await page.goto('/app/data');
  await page.getByRole('button', { name: `More actions for ${shop}` }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Collect statistics' }).click();
  await expect(page.getByRole('row', { name: /customers\.country/ })).toContainText('Chile');
  await page.getByRole('combobox', { name: 'Lens' }).click();
  await page.getByRole('option', { name: new RegExp(`^${shop.replaceAll('_', ' ')}$|\\(${shop}\\)`, 'i') }).click();
  await page.getByRole('button', { name: 'Find joins' }).click();
  await expect(page.getByRole('row', { name: /orders\.customer_id customers\.id yes 100%/ })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('checks dropped files at once, uploads them, and answers from them', async ({ page }) => {
  const visits = `visits_${test.info().retry}`;
  const remark = 'This remark takes more than the width of a phone';
  await page.goto('/app/data');
  await expect(page.getByRole('button', { name: 'Test shop' })).toBeVisible();
  await dropFiles(page, {
    [`${visits}.csv`]: `visited_on,city,visitors,remark\n2016-01-02,Oslo,30,${remark}\n2016-01-03,Rome,40,${remark}\n2016-01-04,Oslo,5,${remark}\n`,
    [`${visits.toUpperCase()}.TSV`]: 'a\tb\n1\t2\n',
    'sheet.xlsx': 'PK',
    'really-a-sheet.csv': 'PK\u0003\u0004',
    'words.json': 'hello',
    'words.parquet': 'hello',
    'empty.csv': '',
  });
  const files = page.getByRole('list', { name: 'Files to upload' });
  for (const fault of [
    'Save each sheet as CSV',
    'spreadsheet or archive, not .csv',
    'This is not a JSON file',
    'This is not a Parquet file',
    'The file is empty',
  ])
    await expect(files.getByText(fault)).toBeVisible();
  await expect(files.getByText(`2 files would become the table “${visits}”`)).toHaveCount(2);
  const upload = page.getByRole('button', { name: /^Upload/ });
  await expect(upload).toBeDisabled();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 400, height: 850 });
  await expectNoHorizontalScroll(page);
  await page.screenshot({ path: 'web/test-results/pages/data-files-400.png', fullPage: true });
  await page.setViewportSize({ width: 1280, height: 850 });
  for (const name of ['sheet.xlsx', 'really-a-sheet.csv', 'words.json', 'words.parquet', 'empty.csv'])
    await page.getByRole('button', { name: `Remove ${name}`, exact: true }).click();
  await page.getByRole('button', { name: `Remove ${visits.toUpperCase()}.TSV`, exact: true }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toHaveValue(visits);
  await name.fill('superstore');
  await expect(page.getByText('A lens named “superstore” already exists')).toBeVisible();
  await expect(upload).toBeDisabled();
  await name.fill(visits);
  await page.route('**/mgmt/uploads*', () => undefined); // the upload stays open
  await upload.click();
  await expect(page.getByLabel(/^Uploading: \d+%$/)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 400, height: 850 });
  await page.screenshot({ path: 'web/test-results/pages/data-sending-400.png', fullPage: true });
  await page.setViewportSize({ width: 1280, height: 850 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel(/^Uploading/)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unrouteAll();
  await page.route('**/mgmt/uploads*', (route) => route.abort());
  await upload.click();
  await expect(page.getByText('The upload was interrupted.')).toBeVisible();
  await page.unrouteAll();
  await upload.click();
  await expect(page.getByRole('heading', { name: '1 of 1 table' })).toBeVisible();
  await page.getByLabel('Lens name').fill('superstore');
  await expect(page.getByText('A lens named “superstore” already exists')).toBeVisible();
  await page.getByLabel('Lens name').fill(visits);
  await page.getByRole('button', { name: 'Draft a lens from these tables' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('list', { name: 'Facts' }).getByText(remark).first()).toBeAttached();
  await page.setViewportSize({ width: 400, height: 850 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 850 });
  await page.getByRole('link', { name: 'Ask this lens' }).click();
  await askQuestion(page, 'total visitors by city');
  const asked = findAnswer(page, 'total visitors by city');
  await expect(asked.getByText('35', { exact: true })).toBeVisible();
  await expect(asked.getByText('Partly verified', { exact: true })).toBeVisible();
  await expect(asked.getByText(/^Not confirmed: .*visitors/).first()).toBeVisible();
  await asked.getByRole('button', { name: 'Confirm and ask again' }).click();
  await expect(asked.last().getByText('Verified', { exact: true })).toBeVisible();
  await page.goto('/app/data');
  await page.getByLabel('Files to upload').setInputFiles({
    name: `${visits}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from('a\n1\n'),
  });
  await expect(page.getByText(`A connection named “${visits}” already exists`)).toBeVisible();
});

test('opens the data page with the files that are dropped on the page of questions', async ({ page }) => {
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Ask about your own data' })).toBeVisible();
  await dropFiles(page, { 'brought.csv': 'day,guests\n2016-01-02,30\n' });
  await expect(page.getByRole('heading', { name: 'Data', exact: true, level: 1 })).toBeVisible();
  await expect(page.getByLabel('Table name for brought.csv')).toHaveValue('brought');
});

test('lists the usable files of a dropped folder, and reports a wrong folder at once', async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), 'svc-folders-'));
  for (const [path, text] of Object.entries({
    'photos/beach.jpg': 'x',
    'exports/2016/trips.csv': 'city,trips\nOslo,3\n',
    'exports/notes.md': 'x',
  })) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  await page.goto('/app/data');
  await expect(page.getByRole('button', { name: 'Test shop' })).toBeVisible();
  const tab = await page.context().newCDPSession(page);
  const fall = async (name: string) => {
    const data = { items: [], files: [join(home, name)], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await tab.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
  };
  await fall('photos');
  const files = page.getByRole('list', { name: 'Files to upload' });
  await expect(files.getByText('This folder has no CSV, TSV, JSON, JSONL, NDJSON or Parquet files.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Upload/ })).toBeDisabled();
  await page.getByRole('button', { name: 'Remove photos' }).click();
  await fall('exports');
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await expect(files.getByLabel('Table name for trips.csv')).toHaveValue('trips');
  await rm(home, { recursive: true });

  await page.goto('/app/data/new');
  await page.getByRole('combobox', { name: 'Engine' }).click();
  await page.getByRole('option', { name: 'DuckDB file on the server' }).click();
  await page.getByLabel('Connection name').fill('shop');
  await expect(page.getByText('A connection named “shop” already exists')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled();
  await page.getByLabel('Connection name').fill('wrong_folder');
  await page.getByLabel('File path').fill('lenses');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('"lenses" is a folder. Name a file in this folder.');
});

/** Simulates a drop of files on the page. */
async function dropFiles(page: Page, files: Record<string, string>): Promise<void> {
  const held = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(given)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: held });
  await page.dispatchEvent('main', 'drop', { dataTransfer: held });
}

test('tests a connection, and shows its tables', async ({ page }) => {
  await page.goto('/app/data');
  await page.getByRole('button', { name: 'Test shop' }).click();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions for shop' }).click();
  await page.getByRole('menuitem', { name: 'Tables' }).click();
  await expect(page.getByRole('cell', { name: /orders/ }).first()).toBeVisible();
});
