import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { toCsv } from '../src/features/ask/lib/export-answer.ts';
import { createXlsx } from '../src/features/ask/lib/xlsx.ts';
import {
  askQuestion,
  chooseMenuItem,
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  findAnswer,
  refineAnswer,
  test,
} from './fixtures.ts';

const COMPARISON_QUESTION = 'revenue in 2016 compared with 2015';

test('answers a clarification after a click on one of its options', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was margin by region in 2016?');
  const asked = findAnswer(page, 'What was margin by region in 2016?');
  await asked
    .first()
    .getByRole('button', { name: /Profit divided by sales/ })
    .click();
  await expect(asked.last().getByText('Verified', { exact: true })).toBeVisible();
  await expect(asked.last()).toContainText('profit ratio', { ignoreCase: true });
});

test('asks again as a plan when a filter is removed', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  await page.getByRole('button', { name: 'Ask again without region is West' }).click();
  const again = findAnswer(page, 'Same question without “region is West”');
  await expect(again.getByText('Verified', { exact: true })).toBeVisible();
  await expect(again.getByRole('button', { name: 'Ask again without 2016' })).toBeVisible();
  await expect(again.getByRole('button', { name: /region/ })).toHaveCount(0);
});

test('changes a value, the period and the group in place, and narrows to a bar by a click', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await page.getByRole('button', { name: 'Change region is West' }).click();
  await page.getByRole('option', { name: 'East', exact: true }).click();
  const east = findAnswer(page, 'Same question with “East”');
  await expect(east.getByText(/^\$180,685\.82/)).toBeVisible();
  await east.getByRole('button', { name: 'Change 2016' }).click();
  await page.getByRole('option', { name: '2017', exact: true }).click();
  const later = findAnswer(page, 'Same question with “2017”');
  await expect(later.getByText('region is East', { exact: true })).toBeVisible();
  await expect(later.getByText('Verified', { exact: true })).toBeVisible();
  await askQuestion(page, 'revenue by region in 2016');
  await findAnswer(page, 'revenue by region in 2016').getByRole('button', { name: 'Change by region' }).click();
  await expect(page.getByLabel('Instead of by region')).toBeFocused();
  await page.getByLabel('Instead of by region').fill('segm');
  await page.getByRole('option', { name: 'segment', exact: true }).click();
  const segments = findAnswer(page, 'Same question with “segment”');
  await expect(segments.getByRole('button', { name: 'Change by segment' })).toBeVisible();
  await expectNoAxeViolations(page);
  await segments.screenshot({ path: 'web/test-results/pages/answer-chips.png' });
  await segments.locator('.mark-rect path').first().click();
  await expect(page.getByRole('article', { name: /^Only / }).getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByRole('article', { name: /^Only / }).getByText(/^segment is /)).toBeVisible();
});

test('changes the period to two dates that are typed or chosen', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await page.getByRole('button', { name: 'Change 2016' }).click();
  await page.keyboard.type('Mar 2016 to 2016-05-10');
  await page.getByRole('option', { name: '1 Mar 2016 to 10 May 2016' }).click();
  const spring = findAnswer(page, 'Same question with “1 Mar 2016 to 10 May 2016”');
  await expect(spring.getByText('Verified', { exact: true })).toBeVisible();
  await spring.getByRole('button', { name: 'Change 1 Mar 2016' }).click();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('From', { exact: true })).toBeFocused();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2016-03-01');
  await page.getByLabel('To', { exact: true }).fill('2016-02-01');
  await expect(page.getByText('The last day is before the first day.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByLabel('To', { exact: true }).fill('2016-03-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(findAnswer(page, /1 Mar 2016”$/).getByRole('button', { name: 'Change 1 Mar 2016' })).toBeVisible();
  await refineAnswer(spring, 'Period');
  await page.getByLabel('From', { exact: true }).fill('2015-01-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  const longer = findAnswer(page, 'Same question for 1 Jan 2015 to 10 May 2016');
  await expect(longer.getByText('Verified', { exact: true })).toBeVisible();
});

test('adds a filter by a field and one of its values', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by segment in 2016');
  await refineAnswer(findAnswer(page, 'revenue by segment in 2016'), 'Filter');
  await page.keyboard.type('regi');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Value of region')).toBeFocused();
  await page.keyboard.type('wes');
  await page.getByRole('option', { name: 'West', exact: true }).click();
  const west = findAnswer(page, 'Only West');
  await expect(west.getByText('region is West', { exact: true })).toBeVisible();
  await expect(west.getByText('Verified', { exact: true })).toBeVisible();
});

test('shows a change of two periods as a large number, with the change and the earlier value', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  const question = 'How did revenue change from 2016 to 2017?';
  await askQuestion(page, question);
  await expect(findAnswer(page, question).getByText('$733,215.26', { exact: true })).toBeVisible();
  await expect(findAnswer(page, question).getByText('+$124,009.66, +20.36% from $609,205.60')).toBeVisible();
});

test('shows the rows of both periods of a comparison', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  const question = 'What was revenue by region in 2016?';
  await askQuestion(page, question);
  await refineAnswer(findAnswer(page, question), 'Compare with the previous period');
  await refineAnswer(findAnswer(page, COMPARISON_QUESTION), 'Show rows');
  const rows = findAnswer(page, 'Rows of orders');
  await expect(rows.getByText('1 Jan 2015 to 31 Dec 2016')).toBeVisible();
  await expect(rows.getByRole('columnheader', { name: 'sales' })).toBeVisible();
  await expect(rows.getByRole('cell', { name: /Jan 2015$/ }).first()).toBeVisible();
});

test('offers a rewording after a refusal, and sends the refusal for review', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'What was revenue by mood in 2016?');
  const refused = findAnswer(page, 'What was revenue by mood in 2016?');
  await expect(refused.getByText('Refused', { exact: true })).toBeVisible();
  await expect(refused).toContainText('mood');
  await expect(refused.getByRole('button', { name: /^Revenue.*Leaves out “mood”/ })).toBeVisible();
  await refused.getByRole('button', { name: 'Send for review' }).click();
  await expect(refused.getByRole('link', { name: 'Follow the review' })).toBeVisible();
});

test('replaces each unknown word with a suggestion, and asks the whole question again', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'What was revenue by regon in the mood in 2016?');
  const refused = page.getByRole('article').last();
  const words = refused.getByRole('group', { name: /^Replace/ });
  await expect(words).toHaveCount(2);
  for (const word of await words.all()) await word.getByRole('button').first().click();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('article').last().getByRole('heading').first()).not.toContainText('mood');
});

test('drafts a fix for an unknown word of a refused question, and rejects the draft', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'What was turnaround by region in 2016?');
  const refused = findAnswer(page, 'What was turnaround by region in 2016?');
  await refused.getByRole('button', { name: 'Define “turnaround”' }).click();
  await expect(refused.getByLabel('Word or phrase')).toHaveValue('turnaround');
  await refused.getByRole('combobox', { name: 'Means the same as' }).fill('revenue');
  await page.getByRole('option', { name: 'revenue', exact: true }).first().click();
  await refused.getByRole('button', { name: 'Draft the fix' }).click();
  await expect(refused.getByText('“turnaround” means the metric revenue.')).toBeVisible();
  await refused.getByRole('button', { name: 'Reject' }).click();
  await expect(refused.getByText('Rejected.')).toBeVisible();
});

test('keeps the newest turn at the top after several turns', async ({ page }) => {
  await page.goto('/app');
  for (const year of ['2015', '2016', '2017']) {
    await askQuestion(page, `What was revenue in the West in ${year}?`);
    const turn = findAnswer(page, `What was revenue in the West in ${year}?`);
    await expect(turn.getByText('Verified', { exact: true })).toBeVisible();
    await expect.poll(async () => (await turn.boundingBox())!.y).toBeLessThan(110);
  }
  await page.getByRole('button', { name: 'Follow up' }).last().click();
  await expect(page.getByText('Follow-up to')).toBeVisible();
  expect((await findAnswer(page, 'What was revenue in the West in 2017?').boundingBox())!.y).toBeLessThan(110);
});

test('opens a menu of a lower answer in place, without scrolling the page', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  for (const year of ['2016', '2017']) {
    await askQuestion(page, `revenue by region in ${year}`);
    await expect(findAnswer(page, `revenue by region in ${year}`).getByText('Verified', { exact: true })).toBeVisible();
  }
  const turn = findAnswer(page, 'revenue by region in 2017');
  const scrolled = () => page.evaluate('window.scrollY').then(Number);
  for (const name of ['Change by region', 'Change 2017', 'Pin']) {
    await turn.getByRole('button', { name, exact: true }).scrollIntoViewIfNeeded();
    const before = await scrolled();
    expect(before).toBeGreaterThan(300);
    await turn.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeInViewport();
    expect(await scrolled()).toBe(before);
    await page.keyboard.press('Escape');
  }
});

test('begins a new conversation at a click on Ask or on the logo, and finds the earlier one again', async ({
  page,
}) => {
  await page.goto('/app');
  for (const place of ['Ask', 'svc']) {
    await askQuestion(page, 'revenue by region in 2016');
    await expect(findAnswer(page, 'revenue by region in 2016').getByText('Verified', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/thread=/);
    await page.getByRole('link', { name: place, exact: true }).click();
    await expect(page.getByRole('heading', { name: 'What would you like to know?' })).toBeVisible();
    await expect(page.getByRole('article')).toHaveCount(0);
  }
  await page.goBack();
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('shows money with two decimal places, all digits on hover, and months by name, and sorts by a header', async ({
  page,
}) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by month in 2016');
  const turn = findAnswer(page, 'revenue by month in 2016');
  await turn.getByText('Table', { exact: true }).click();
  await expect(turn.getByRole('cell', { name: 'Jan 2016' })).toBeVisible();
  await turn.getByRole('button', { name: 'revenue' }).click();
  await expect(turn.getByRole('row').nth(1)).toContainText('Dec 2016');
  await expect(turn.getByRole('columnheader', { name: /revenue/ })).toHaveAttribute('aria-sort', 'descending');
  await expect(turn.getByText('$96,999.04')).toHaveAttribute('title', /^96,999\.0\d{2,}$/);
});

test('shows 15 bars with their values, then all bars, and saves the chart as PNG', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by state in 2016');
  const turn = findAnswer(page, 'revenue by state in 2016');
  await expect(turn.getByText('$131.6k')).toBeVisible();
  await expect(turn).not.toContainText('Written out');
  await expect(turn.getByText('Wyoming')).toHaveCount(0);
  const download = page.waitForEvent('download');
  await chooseMenuItem(turn, 'Download', 'PNG');
  const png = await readFile((await (await download).path())!);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  await turn.getByRole('button', { name: 'Show all 45' }).click();
  await expect(turn.getByText('Wyoming')).toBeVisible();
});

test('keeps the filters of a question in its follow-up', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await page.getByRole('button', { name: 'Follow up' }).click();
  await expect(page.getByText('Follow-up to')).toBeVisible();
  await askQuestion(page, 'And in 2017?');
  await expect(findAnswer(page, 'And in 2017?').getByText('region is West', { exact: true })).toBeVisible();
});

test('reads a typed question of a conversation as a follow-up only if it needs the earlier answer', async ({
  page,
}) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  const next = async (question: string, chips: string[]) => {
    await askQuestion(page, question);
    for (const chip of chips)
      await expect(findAnswer(page, question).getByText(chip, { exact: true }).first()).toBeVisible();
  };
  await next('and by month?', ['region is West', 'by order date month', '2016']);
  await expect(findAnswer(page, 'and by month?')).toContainText('A follow-up to What was revenue in the West in 2016?');
  await next('in 2017', ['region is West', '2017']);
  await findAnswer(page, 'in 2017').getByRole('button', { name: 'Change region is West' }).click();
  await page.getByRole('option', { name: 'East', exact: true }).click();
  await expect(
    findAnswer(page, 'Same question with “East”').getByText('region is East', { exact: true }),
  ).toBeVisible();
  await next('only Corporate', ['region is East', 'segment is Corporate', '2017']);
  await next('profit by category in 2015', ['by category', '2015']);
  const alone = findAnswer(page, 'profit by category in 2015');
  await expect(alone.getByText('Verified', { exact: true })).toBeVisible();
  await expect(alone.getByText(/A follow-up|region is|segment is/)).toHaveCount(0);
  await next('How many flights were on time in March 2001?', ['Flights']);
});

test('asks any lens after a refusal of the chosen one', async ({ page }) => {
  await page.goto('/app?lens=flights');
  await askQuestion(page, 'revenue by region in 2016');
  const refused = findAnswer(page, 'revenue by region in 2016');
  await expect(refused.getByText('svc looked only in the lens “Flights”.')).toBeVisible();
  await refused.getByRole('button', { name: 'Ask any lens' }).click();
  await expect(refused.last().getByText('Verified', { exact: true })).toBeVisible();
});

test('keeps one value after a click on its label in a chart', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by region and category in 2016');
  await findAnswer(page, 'revenue by region and category in 2016')
    .locator('.role-axis-label text')
    .getByText('West', { exact: true })
    .click();
  const west = findAnswer(page, 'Only West');
  await expect(west.getByText('region is West', { exact: true })).toBeVisible();
  await expect(west.getByRole('button', { name: 'Change by category' })).toBeVisible();
});

test('opens a stored conversation at its latest answer', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  for (const year of ['2015', '2016', '2017']) {
    await askQuestion(page, `revenue by region in ${year}`);
    await expect(findAnswer(page, `revenue by region in ${year}`).getByText('Verified', { exact: true })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  const conversations = page.getByRole('region', { name: 'Your conversations' });
  await conversations.getByRole('link', { name: 'revenue by region in 2015' }).first().click();
  const latest = findAnswer(page, 'revenue by region in 2017');
  await expect(latest.getByText('Verified', { exact: true })).toBeVisible();
  await expect(latest.getByRole('heading', { level: 2 })).toBeInViewport();
});

test('shows how svc reads a follow-up while it is typed', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue in 2016');
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await page.getByLabel('Your question').fill('and by month?');
  const understood = page.getByRole('status', { name: 'How svc interprets the question' });
  await expect(understood).toHaveText('Interpreted as Revenue in 2016 by month');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByLabel('Your question')).toHaveValue('and by month?');
  await expect(understood).toHaveCount(0);
});

test('completes a question by keyboard, and shows how svc reads it before it is asked', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  const box = page.getByLabel('Your question');
  await box.pressSequentially('Top 5 states by prof');
  await expect(page.getByRole('option', { name: /^profit\b/ }).first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(box).toHaveValue('Top 5 states by profit ');
  const understood = page.getByRole('status', { name: 'How svc interprets the question' });
  await expect(understood).toHaveText('Interpreted as Top 5 states by profit');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await box.fill('profti by mood');
  await expect(understood).toContainText('mood isn’t in Superstore');
  await box.press('Enter');
  await expect(findAnswer(page, 'profti by mood')).toBeVisible();
});

test('marks a word as unknown only when no lens knows it, however late one answers', async ({ page }) => {
  await page.goto('/app');
  let late = () => {};
  const held = new Promise<void>((resolve) => (late = resolve));
  await page.route('**/v1/lenses/superstore/complete*', async (route) => {
    await held;
    await route.continue();
  });
  const flights = page.waitForResponse(/lenses\/flights\/complete.*region/);
  await page.getByLabel('Your question').fill('revenue by region');
  await flights;
  await page.waitForTimeout(300);
  await expect(page.getByText('isn’t in')).toHaveCount(0);
  late();
  await expect(page.getByRole('status', { name: 'How svc interprets the question' })).toHaveText(
    /^Interpreted as Revenue by region/,
  );
  await page.getByLabel('Your question').fill('revenue by moods');
  await expect(page.getByText('moods isn’t in Superstore')).toBeVisible();
});

test('compares groups with the previous period as pairs of bars, and names each period once', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue by region in 2016?');
  await refineAnswer(page.getByRole('article'), 'Compare with the previous period');
  const compared = findAnswer(page, COMPARISON_QUESTION);
  for (const label of ['$187.5k (+33.9%)', '$140k', 'revenue 2016', 'revenue 2015'])
    await expect(compared.getByText(label, { exact: true })).toBeVisible();
  await expect(compared.getByText('2016 vs 2015', { exact: true })).toHaveCount(1);
  await compared.getByRole('button', { name: 'Ask again without 2016 vs 2015' }).click();
  const single = findAnswer(page, 'Same question without “2016 vs 2015”');
  await expect(single.getByText('$187.5k', { exact: true })).toBeVisible();
  await expect(single.getByText('Verified', { exact: true })).toBeVisible();
});

test('goes back from the first answer to the empty page, and keeps no question of a link', async ({ page }) => {
  await page.goto('/app/certified?lens=superstore');
  const link = page.getByRole('region', { name: 'Certified entries' }).getByRole('link').first();
  const question = (await link.textContent())!;
  await link.click();
  await expect(page.getByLabel('Your question')).toHaveValue(question);
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  await expect(page.getByLabel('Your question')).toHaveValue('');
  await page.goto('/app/lenses');
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  await expect(page.getByLabel('Your question')).toHaveValue('');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(page).toHaveURL(/thread=/);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'What would you like to know?' })).toBeVisible();
  await page.goForward();
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
});

test('compares the months of a year with the same months of the year before', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by month in 2017');
  await refineAnswer(page.getByRole('article'), 'Compare with the previous period');
  const compared = findAnswer(page, 'revenue in 2017 compared with 2016');
  await expect(compared.getByText('revenue 2016', { exact: true })).toBeVisible();
  await expect(compared.getByText('by order date month of year', { exact: true })).toBeVisible();
});

test('works by keyboard alone: ask, open the checks, verify the receipt, and go to every page', async ({ page }) => {
  await page.goto('/app');
  await expect(page.getByLabel('Your question')).toBeFocused();
  await page.keyboard.type('What was revenue in the West in 2016?');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  const reach = async (name: string, key = 'Tab', from?: string): Promise<void> => {
    if (from) await reach(from);
    for (let i = 0; i < 60; i++) {
      if ((await page.evaluate('document.activeElement.textContent'))?.toString().startsWith(name)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${name} can't be reached by ${key}`);
  };
  await page.evaluate('document.activeElement.blur()');
  await reach('Checks');
  await page.keyboard.press('Enter');
  await expect(page.getByText('svc understands every word')).toBeVisible();
  await reach('Receipt');
  await page.keyboard.press('Enter');
  await reach('Verify');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Genuine: the signature is valid/)).toBeVisible();
  for (const place of [
    'Lenses',
    'Overview',
    'Requests',
    'Gaps',
    'Reviews',
    'Certified entries',
    'Evals',
    'Data',
    'Access',
  ]) {
    await page.evaluate('document.activeElement.blur()');
    await reach(place);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: place, exact: true, level: 1 })).toBeVisible();
  }
  await reach('OAuth', 'ArrowRight', 'Callers and keys');
  await expect(page.getByRole('heading', { name: 'Grants' })).toBeVisible();
});

test('saves an answer as CSV, and copies it as SQL, curl and Markdown', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue by region in 2016?');
  const download = page.waitForEvent('download');
  await chooseMenuItem(page.getByRole('article'), 'Download', 'CSV');
  const csv = await readFile((await (await download).path())!, 'utf8');
  expect(csv.split('\r\n')[0]).toBe('region,revenue');
  expect(csv.split('\r\n')).toHaveLength(5);
  const copied = async (what: string): Promise<string> => {
    await page.getByRole('button', { name: /^Cop(y|ied)$/ }).click();
    await page.getByRole('menuitem', { name: what }).click();
    return String(await page.evaluate('navigator.clipboard.readText()'));
  };
  expect(await copied('SQL')).toMatch(/select/i);
  expect(await copied('curl')).toContain(`-d '{"q":"What was revenue by region in 2016?"}'`);
  const markdown = await copied('Markdown');
  expect(markdown).toContain('| region | revenue (USD) |');
  expect(markdown).toMatch(/Grade: verified.*\/app\/answers\//);
});

test('stops a long ask, and asks it again', async ({ page }) => {
  await page.goto('/app');
  await page.route('**/v1/query', () => new Promise(() => {}));
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('alert')).toContainText('Stopped');
  await page.unroute('**/v1/query');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
});

test('keeps a question without an answer when the page is reloaded or the server can’t be reached', async ({
  page,
}) => {
  const question = 'What was revenue in the West in 2016?';
  const box = page.getByLabel('Your question');
  await page.goto('/app?lens=superstore');
  await page.route('**/query', () => new Promise(() => {}));
  await askQuestion(page, question);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.reload();
  await expect(box).toHaveValue(question);
  await page.unroute('**/query');
  await page.route('**/query', (route) => route.abort());
  await box.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The server can’t be reached');
  await page.reload();
  await expect(box).toHaveValue(question);
  await page.unroute('**/query');
  await box.press('Enter');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  await expect(page).toHaveURL(/thread=/);
  await expect(page).toHaveTitle(`${question} · svc`);
  await page.goto('/app');
  await expect(box).toHaveValue('');
  await expect(page).toHaveTitle('Ask · svc');
});

test('shows an answer as a table if the code of charts can’t be loaded', async ({ page }) => {
  await page.route('**/assets/Chart-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto('/app?lens=superstore');
  const question = 'What was revenue by region in 2016?';
  await askQuestion(page, question);
  const answered = findAnswer(page, question);
  await expect(answered.getByRole('alert')).toContainText('can’t load this part of the page');
  await expect(answered.getByText('Verified', { exact: true })).toBeVisible();
  await answered.getByText('Table', { exact: true }).click();
  await expect(answered.getByRole('cell', { name: '$187,480.18' })).toBeVisible();
});

test('keeps only the visible rows of a large answer in the page', async ({ page }) => {
  await page.goto('/app?lens=flights');
  await askQuestion(page, 'List every flight');
  const article = page.getByRole('article').last();
  await expect(article.getByRole('table')).toBeVisible();
  expect(await article.locator('tbody tr').count()).toBeLessThan(120);
  await expectNoHorizontalScroll(page);
});

test('fits a phone, with the pages behind one button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/app');
  await askQuestion(page, 'What was revenue by region in 2016?');
  await expect(page.locator('svg.marks')).toBeVisible();
  await expectNoHorizontalScroll(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Lenses' }).click();
  await expect(page.getByRole('heading', { name: 'Lenses' })).toBeVisible();
  await expectNoHorizontalScroll(page);
});

test('shows hostile text of a question as plain text', async ({ page }) => {
  await page.goto('/app');
  const hostile = '<img src=x onerror="window.broken=1"> **bold** [a](javascript:alert(1)) \u202Egnp.exe \u001b[31mred';
  await askQuestion(page, hostile);
  const shown =
    '<img src=x onerror="window.broken=1"> **bold** [a](javascript:alert(1)) ⟨U+202E⟩gnp.exe ⟨U+001B⟩[31mred';
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(shown);
  await page.goto('/app/requests');
  await expect(page.getByRole('link', { name: /<img src=x/ }).first()).toBeVisible();
  expect(await page.evaluate('window.broken')).toBeUndefined();
  expect(await page.locator('img[src=x], main strong').count()).toBe(0);
});

test('F11: writes no header and no text of a CSV file as a formula', () => {
  const column = (name: string, datatype: string) => ({ name, datatype, unit: null, encoding: 'json' as const });
  for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
    const columns = [column(`${sign}HYPERLINK(1)`, 'string'), column('n', 'integer')];
    const data = [{ [`${sign}HYPERLINK(1)`]: `${sign}1+1`, n: -5 }];
    const csv = toCsv({ columns, data } as unknown as Parameters<typeof toCsv>[0]);
    expect(csv).toBe(`'${sign}HYPERLINK(1),n\r\n'${sign}1+1,-5`);
  }
});

test('saves an answer as a workbook with typed numbers, dates and text, and with its evidence', async ({ page }) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by month in 2016');
  const download = page.waitForEvent('download');
  await chooseMenuItem(findAnswer(page, 'revenue by month in 2016'), 'Download', 'XLSX');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^superstore-[0-9a-f]{8}\.xlsx$/);
  const parts = unzipSync(await readFile((await file.path())!));
  const [rows, evidence] = [1, 2].map((at) => strFromU8(parts[`xl/worksheets/sheet${at}.xml`]!));
  expect(rows).toContain('>revenue (USD)</t>');
  expect(rows!.match(/<row>/g)).toHaveLength(13);
  expect(rows).toMatch(/<c s="3"><v>42370<\/v><\/c><c s="0"><v>18542\.491\d*<\/v><\/c>/); // 1 January 2016
  for (const part of [
    'revenue by month in 2016',
    'verified',
    '2017-12-30',
    '/app/answers/',
    'digest',
    'sum(orders.sales)',
  ])
    expect(evidence).toContain(part);
});

test('F11: writes no header and no text of a workbook as a formula', () => {
  const column = (name: string, datatype: string) => ({ name, datatype, unit: null, encoding: 'json' as const });
  const columns = [
    column('=HYPERLINK(1)', 'string'),
    column('id', 'integer'),
    column('amount', 'decimal'),
    column('at', 'timestamp'),
  ];
  const texts = ['=1+1', '_x003D_1+1', 'constructor', '<b>&\u001b\ud800', ' x '];
  const data = texts.map((text) => ({
    '=HYPERLINK(1)': text,
    id: '12345678901234567',
    amount: '-0.10',
    at: '2016-01-01T06:00:00Z',
  }));
  const envelope = { columns, data, warnings: [], row_count: 5, plan: null, question: '=1+1' };
  const parts = unzipSync(createXlsx(envelope as unknown as Parameters<typeof createXlsx>[0], 'here'));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  expect(sheet + strFromU8(parts['xl/worksheets/sheet2.xml']!)).not.toContain('<f>');
  const written = [...sheet.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text]) => text);
  expect(written.slice(0, 5)).toEqual(['=HYPERLINK(1)', 'id', 'amount', 'at', '=1+1']);
  expect(written.filter((_, at) => at > 3 && at % 2 === 0)).toEqual([
    '=1+1',
    '_x005F_x003D_1+1',
    'constructor',
    '&lt;b&gt;&amp;⟨U+001B⟩\ufffd',
    ' x ',
  ]);
  expect(written[5]).toBe('12345678901234567'); // Excel keeps only 15 digits
  expect(sheet.match(/<v>-0\.10<\/v><\/c><c s="4"><v>42370\.25<\/v>/g)).toHaveLength(5);
});

test('keeps a conversation and the context of its follow-up after a reload', async ({ page }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(page).toHaveURL(/thread=/);
  await page.reload();
  await expect(findAnswer(page, 'What was revenue in the West in 2016?').getByText(/^\$187,480\.18/)).toBeVisible();
  await page.getByRole('button', { name: 'Follow up' }).click();
  await askQuestion(page, 'And in 2017?');
  await expect(findAnswer(page, 'And in 2017?').getByText('region is West', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Conversation name').fill('West by year');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New conversation' }).click();
  const kept = page.getByRole('region', { name: 'Your conversations' });
  await kept.getByRole('button', { name: 'Delete West by year' }).first().click();
  await expect(kept.getByRole('link', { name: 'West by year' })).toHaveCount(0);
  await kept.getByRole('button', { name: 'Undo' }).click();
  await kept.getByRole('link', { name: 'West by year' }).first().click();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(findAnswer(page, 'And in 2017?').getByText('region is West', { exact: true })).toBeVisible();
});

test('opens a lens, the question box and the list of shortcuts by keyboard', async ({ page }) => {
  await page.goto('/app/lenses');
  await expect(page.getByRole('heading', { name: 'Lenses' })).toBeVisible();
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to the question box');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByLabel('Page, board, lens or conversation').fill('supers');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Superstore', level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0); // the dialog takes keys until it has closed
  await page.keyboard.press('/');
  await expect(page.getByLabel('Your question')).toBeFocused();
});

test('continues from an answer: another measure, a breakdown, a top 5, a comparison, one group, and its rows', async ({
  page,
}) => {
  await page.goto('/app?lens=superstore');
  await askQuestion(page, 'revenue by region in 2017');
  const go = async (turn: string, options: string[], next: string) => {
    await refineAnswer(findAnswer(page, turn), ...options);
    await expect(findAnswer(page, next).getByText('Verified', { exact: true })).toBeVisible();
  };
  await go('revenue by region in 2017', ['Measure', 'profit'], 'Same question for profit');
  await go('Same question for profit', ['Break down by', 'segment'], 'Broken down by segment');
  await go('Broken down by segment', ['Sort', 'Top 5'], 'The top 5');
  await refineAnswer(findAnswer(page, 'The top 5'), 'Break down by');
  await expect(page.getByRole('option').first()).not.toHaveText('row id');
  await page.keyboard.press('Escape');
  await go('revenue by region in 2017', ['Compare with the previous period'], 'revenue in 2017 compared with 2016');
  const first = findAnswer(page, 'revenue by region in 2017');
  await first.getByText('Table', { exact: true }).click();
  await first.getByRole('button', { name: 'West', exact: true }).click();
  await expect(findAnswer(page, 'Only West').getByText('region is West', { exact: true })).toBeVisible();
  await go('Only West', ['Show rows'], 'Rows of orders');
  await expect.poll(async () => (await findAnswer(page, 'Rows of orders').boundingBox())!.y).toBeLessThan(110);
});
