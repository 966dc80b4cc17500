import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Route } from '@playwright/test';
import {
  askQuestion,
  chooseMenuItem,
  expect,
  expectNoAxeViolations,
  findAnswer,
  postAsUser,
  test,
} from './fixtures.ts';

test('takes a reported answer through review to a certified entry, and answers with it', async ({ page }) => {
  const question = `What was profit in the South in ${2015 + test.info().retry}?`; // a retry certifies another question
  await page.goto('/app');
  await askQuestion(page, question);
  await chooseMenuItem(findAnswer(page, question), 'More actions', 'Report a problem');
  await page.getByLabel('Describe what is wrong').fill('<b>Returns</b> are missing.');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Send for review' }).click();
  await page.getByRole('link', { name: 'follow the review' }).click();
  await expect(page.getByText('<b>Returns</b> are missing.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Certify' }).click();
  await page.getByRole('button', { name: 'Check and approve' }).click();
  await expect(page.getByText('Certified. svc now answers')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Note').fill('It was right: returns are another metric.');
  await page.getByRole('button', { name: 'Reject: the answer was right' }).click();
  await expect(page.getByText('Decision: rejected, by admin@localhost')).toBeVisible();
  await page.goto('/app');
  await askQuestion(page, question);
  await expect(findAnswer(page, question).getByTitle('All checks of this answer passed.')).toBeVisible();
  await findAnswer(page, question).getByRole('link', { name: 'Certified' }).click();
  await expect(page.getByRole('dialog', { name: 'Certified entry' })).toContainText('Approved by admin@localhost');
});

test('opens the page of a link that the person clicks while an answer is being saved', async ({ page }) => {
  const held: Route[] = [];
  await page.route('**/v1/threads', (route) => void held.push(route));
  await page.route('**/assets/RequestsPage*.js', (route) => void held.push(route));
  await page.goto('/app');
  await askQuestion(page, 'profit in 2016');
  await expect.poll(() => held.length).toBe(1);
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await expect.poll(() => held.length).toBe(2);
  const [saving, loading] = held;
  const saved = page.waitForResponse('**/v1/threads');
  await saving?.continue();
  await (await saved).finished();
  await page.waitForTimeout(300); // the app reads the response
  await loading?.continue();
  await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible();
  await expect(page).toHaveURL(/app\/requests/);
});

test('gives the conversation an address after the person chose a lens', async ({ page }) => {
  await page.goto('/app');
  await page.getByRole('combobox', { name: 'Lens' }).click();
  await page.getByRole('option', { name: 'Superstore' }).click();
  await askQuestion(page, 'profit in 2015');
  await expect(page).toHaveURL(/lens=superstore&thread=/);
});

test('leads from the review of a suspended entry to its SQL and reason, and approves it again only there', async ({
  page,
}) => {
  const base = `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
  const lens = `kiosk${test.info().retry || ''}`;
  const path = `/mgmt/lenses/${lens}`;
  const question = 'What were the takings?';
  const text = `name: ${lens}
title: Kiosk
connection: shop
datasets:
  sold: {source: main.orders, primary_key: [row_id], fields: {row_id: {datatype: integer}, sales: {datatype: decimal}}}
metrics:
  takings: {expression: sum(sold.sales), description: All sales.}
`;
  const publish = async (file: string, target: string) => {
    await postAsUser(page.request, base, target, { name: lens, files: { 'lens.yaml': file } });
    const { items } = await (await page.request.get(`${path}/drafts`)).json();
    await postAsUser(page.request, base, `${path}/drafts/${items[0].id}/publish`, {});
  };
  await publish(text, '/mgmt/lenses');
  const sql = 'select sum(sales) as takings from main.orders';
  await postAsUser(page.request, base, `${path}/certified`, { cert_id: 'kiosk-takings', question, sql });
  await postAsUser(page.request, base, `${path}/certified/kiosk-takings/approve`, {});
  await postAsUser(page.request, base, `/v1/lenses/${lens}/query`, { q: question });
  await page.goto(`/app/lenses/${lens}/edit?part=metric%20takings`);
  await page.getByLabel('Expression').fill('max(sold.sales)');
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('Publishing suspends 1 certified entry');
  await page.screenshot({ path: 'web/test-results/pages/lens-suspends.png', fullPage: true });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: /is published/ })).toBeVisible();
  await postAsUser(page.request, base, `/v1/lenses/${lens}/query`, { q: question });

  await page.goto('/app/reviews');
  await page.getByRole('link', { name: 'Certified entry kiosk-takings' }).first().click();
  await expect(page.getByRole('heading', { name: 'Suspended certified entry' })).toBeVisible();
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reject: the SQL is still right' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/review-entry.png', fullPage: true });
  await page.getByRole('link', { name: 'Open the entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Certified entry' });
  await expect(dialog).toContainText('metric takings');
  await expect(dialog.getByRole('region', { name: 'SQL of the entry' })).toContainText('sum(sales)');
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/certified-entry.png' });
  await dialog.getByRole('button', { name: 'Approve this SQL again' }).click();
  await expect(dialog.getByText('Approved', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`certified\\?lens=${lens}$`));
  await expect(page.getByRole('button', { name: `View SQL of “${question}”` })).toBeInViewport({ ratio: 1 });
  await page.screenshot({ path: 'web/test-results/pages/certified-list.png' });
});

test('creates a caller, and shows its key only once', async ({ page }) => {
  const name = `<i>notebook ${test.info().retry}</i>`;
  await page.goto('/app/access');
  await page.getByRole('button', { name: 'New caller' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: `New key for ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/svc_\w{46}/);
  const key = (await dialog.locator('pre').first().textContent())!;
  await expect(dialog).toContainText('This caller can’t use any lens yet');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(name)).toBeVisible();
  expect(await page.content()).not.toContain(key);
});

test('gives a command with a new key, and the command asks a lens of the caller', async ({ page }) => {
  await page.goto('/app/access');
  await page.getByRole('button', { name: 'New caller' }).click();
  await page.getByLabel('Name').fill('Nightly report');
  await page.getByRole('combobox', { name: 'Lenses that the caller can use' }).press('ArrowDown');
  await page.getByRole('option', { name: 'Superstore' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'New key for Nightly report' }).click();
  await page.getByRole('button', { name: 'Copy: Command that sends a question with this key' }).click();
  const command = String(await page.evaluate('navigator.clipboard.readText()'));
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', lens: 'superstore' });
});

test('runs the evals of a lens, and shows how many passed', async ({ page }) => {
  await page.goto('/app/evals');
  await page.getByRole('button', { name: 'Run the evals of Superstore' }).click();
  await expect(page.getByRole('heading', { name: /Superstore: \d+ of \d+ passed/ })).toBeVisible({ timeout: 45_000 });
  await expectNoAxeViolations(page);
});

test('finds a request by its words, and shows it in full', async ({ page }) => {
  await page.goto('/app/requests');
  await page.getByLabel('Search questions').fill('What was revenue by region');
  await expect(page.getByRole('row', { name: /What was revenue by region in 2016\? Certified/ }).first()).toBeVisible();
  await expect(page).toHaveURL(/q=What/);
  await page.getByRole('link', { name: 'What was revenue by region in 2016?' }).first().click();
  await expect(page.getByRole('heading', { name: 'Checks' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Steps' })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('scrolls ten thousand requests, and keeps only the visible ones in the page', async ({ page }) => {
  const [one] = (await (await page.request.get('/mgmt/observe/requests?limit=1')).json()).items;
  const items = Array.from({ length: 10_000 }, (_, at) => ({
    ...one,
    request_id: `r${at}`,
    question: `Question ${at}`,
  }));
  await page.route('**/mgmt/observe/requests?*', (route) => route.fulfill({ json: { items, next_cursor: null } }));
  await page.goto('/app/requests');
  const rows = page.getByRole('table').locator('tbody tr[data-index]');
  await expect(page.getByRole('link', { name: 'Question 0', exact: true })).toBeVisible();
  for (const at of [0.25, 0.5, 0.75]) {
    await page.evaluate(`window.scrollTo(0, document.body.scrollHeight * ${at})`);
    const near = await expect
      .poll(async () => Number(await rows.first().getAttribute('data-index')))
      .toBeGreaterThan(10_000 * at - 300)
      .then(() => rows.count());
    expect(near).toBeLessThan(120);
  }
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await expect(page.getByRole('link', { name: 'Question 9999' })).toBeVisible();
});

test('opens a ticket and a request by their addresses', async ({ page }) => {
  const base = new URL((await page.request.get('/auth/me')).url()).origin;
  const question = 'What was revenue in the East in 2017?';
  const asked = await postAsUser<{ request_id: string }>(page.request, base, '/v1/lenses/superstore/query', {
    q: question,
  });
  const ticket = await postAsUser<{ tracking_url: string }>(page.request, base, '/v1/reviews', {
    request_id: asked.request_id,
    note: 'Is this net?',
  });
  await page.goto(ticket.tracking_url);
  await expect(page.getByText('Is this net?')).toBeVisible();
  await page.goto(`/app/requests/${asked.request_id}`);
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
});

test('verifies an answer by its rows, and a sentence by its numbers', async ({ page }) => {
  const base = new URL((await page.request.get('/auth/me')).url()).origin;
  const q = 'What was revenue by region in 2016?';
  const envelope = await postAsUser<{ data: Record<string, number>[]; request_id: string }>(
    page.request,
    base,
    '/v1/lenses/superstore/query',
    { q },
  );
  await page.goto('/app/verify');
  const verify = async (text: string, sentence: string) => {
    await page.getByLabel('Receipt, answer or text').fill(text);
    await page.getByLabel('Sentence to check (optional)').fill(sentence);
    await page.getByRole('button', { name: 'Verify' }).click();
  };
  const west = envelope.data.find(({ region }) => String(region) === 'West')!['revenue']!;
  await verify(
    JSON.stringify(envelope),
    `The West made $${Math.round(west / 1000)}k in 2016, or ${west}; the moon 123,456.`,
  );
  const said = page.getByRole('status');
  await expect(said).toContainText('The rows match the answer.');
  const numbers = page.getByRole('list', { name: 'Numbers in the sentence' }).getByRole('listitem');
  await expect(numbers.filter({ hasText: `rounded from ${west}` })).toHaveCount(1);
  await expect(numbers.filter({ hasText: '123,456 is not in the answer.' })).toHaveCount(1);
  await expectNoAxeViolations(page);
  const forged = { ...envelope, data: envelope.data.map((row) => ({ ...row, revenue: 1 })) };
  await verify(JSON.stringify(forged), '');
  await expect(said).toContainText('The rows differ from the answer.');
  await verify(`The West made ${west}, see /app/requests/${envelope.request_id}`, '');
  await expect(said).toContainText('Logged answer:');
  await expect(numbers).toHaveCount(1);
  await expect(numbers).not.toContainText('is not in the answer');
});

test('shows shares over time on the overview, with links from the slowest asks to their requests', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'What was revenue in 2016?');
  await expect(findAnswer(page, 'What was revenue in 2016?').getByText('Verified', { exact: true })).toBeVisible();
  await page.route('**/observe/timeseries*', async (route) => {
    const reply = await route.fetch();
    const told = await reply.json();
    const [one] = told.items;
    const before = new Date(Date.parse(one.at) - 86_400_000).toISOString();
    const other = { ...one, at: before, coverage: 0.5 };
    await route.fulfill({ response: reply, json: { ...told, items: [other, one] } });
  });
  await page.goto('/app/overview');
  await expect(page.getByRole('link', { name: /^Verified \d+(\.\d)?%/ })).toBeVisible();
  for (const [shown, axis] of [
    ['Share of asks that got an answer or a question back', 'share of asks that got an answer or a question back'],
    ['Verified share', 'share of answers that are verified'],
    ['Mean response time', 'mean response time (ms)'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Figure to show over time' }).click();
    await page.getByRole('option', { name: shown, exact: true }).click();
    await expect(page.locator('svg.marks').getByText(axis)).toBeVisible();
  }
  await page.getByRole('combobox', { name: 'Figure to show over time' }).click();
  await page.getByRole('option', { name: 'Model cost', exact: true }).click();
  await expect(page.getByText('No model cost in this period.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/overview-cost.png', fullPage: true });
  const slowest = page
    .locator('section', { has: page.getByRole('heading', { name: 'Slowest questions' }) })
    .getByRole('link');
  const question = await slowest.first().textContent();
  await slowest.first().click();
  await expect(page.getByRole('main')).toContainText(question!);
});
