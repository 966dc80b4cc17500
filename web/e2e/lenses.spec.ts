import { askQuestion, expect, expectNoAxeViolations, expectNoHorizontalScroll, findAnswer, test } from './fixtures.ts';

test('shows a lens as a map of its datasets, with links to fields and their values', async ({ page }) => {
  await page.goto('/app/lenses/flights');
  await page.getByRole('tab', { name: 'Map' }).click();
  await expect(page.getByText('flights (origin) → airports (iata)')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Map of the datasets' }).locator('path[marker-end]')).toHaveCount(2);
  await page.getByRole('link', { name: 'Fields of airports' }).click();
  await expect(page).toHaveURL(/tab=fields#dataset-airports/);
  await page.goto('/app/lenses/superstore?tab=fields');
  await expect(page.getByRole('row', { name: /customer_name\s*masked/ })).toBeVisible();
  await page.getByRole('button', { name: 'Values of orders.region' }).click();
  await expect(page.getByRole('row', { name: /^region/ })).toContainText('Central, East, South, West');
});

test('shows the row policies, masks and grants of a lens, and checks its drift', async ({ page }) => {
  await page.goto('/app/lenses/superstore?tab=policies');
  await expect(page.getByRole('row', { name: /own-region/ })).toContainText('orders.region = {caller.region}');
  await expect(page.getByRole('row', { name: /orders customer_name/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /field Group Lens file/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Drift' }).click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('No drift')).toBeVisible();
});

test('edits the YAML of a lens with completion, faults at their lines, a plan, publishing and versions', async ({
  page,
  request,
}) => {
  const { files, version } = await (await request.get('/mgmt/lenses/flights')).json();
  const text = files['lens.yaml'] as string;
  const fill = async (written: string) => {
    await page.getByRole('textbox', { name: 'lens.yaml of flights' }).click();
    await page.evaluate((all) => navigator.clipboard.writeText(all), written);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
  };
  await page.goto('/app/lenses/flights/edit?as=yaml');
  await fill(`${text}\nmax_rows_to_r`);
  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('option', { name: 'max_rows_to_return' })).toBeVisible();
  await page.waitForTimeout(100); // CodeMirror ignores keys for a moment after the suggestions appear
  await page.keyboard.press('Enter');
  await page.keyboard.type('900');
  await expect(page.getByRole('textbox', { name: 'lens.yaml of flights' })).toContainText('max_rows_to_return: 900');

  await fill(text.replace('avg(flights.delay)', 'avg(flights.delayed)'));
  const line = text.slice(0, text.indexOf('avg(flights.delay)')).split('\n').length;
  await page.getByRole('button', { name: new RegExp(`^Line ${line}\\b`) }).click();
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(1);
  await expectNoAxeViolations(page);

  const changed = text
    .replaceAll('flights.delay < 15', 'flights.delay < 30')
    .replace('Sum of the distances flown.', '<b>Miles</b> of all flights.');
  await fill(changed);
  await page.keyboard.press('Control+s');
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('metric on_time_flights: changed', { timeout: 60_000 });
  await expect(changes).toContainText('<b>Miles</b> of all flights.');
  const answers = page.getByRole('listitem').filter({ hasText: 'flights-in-march (eval)' });
  await expect(answers).toContainText('Before');
  await page.getByLabel('Try a question on both versions').fill('How many flights were on time in March 2001?');
  await page.getByRole('button', { name: 'Ask both' }).click();
  const both = page.getByRole('list', { name: 'Answers from both versions' }).getByRole('listitem');
  await expect(both.first()).toContainText('398,856');
  await expect(both.last()).toContainText('448,052');
  await expectNoHorizontalScroll(page);
  await page.screenshot({ path: 'web/test-results/pages/lens-checked.png', fullPage: true });

  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: `Version ${version + 1} of flights is published` })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Diff for your files' })).toContainText('+');
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('button', { name: `Show changes in version ${version + 1}` }).click();
  await expect(page.getByRole('region', { name: /Changes to .*lens.yaml/ })).toContainText('flights.delay < 30');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: `Restore version ${version}` }).click();
  await expect(page.getByRole('row', { name: new RegExp(`^${version + 2} .*Active`) })).toBeVisible();
});

test('asks before it leaves the editor, and keeps the text as a draft after a check', async ({ page }) => {
  await page.goto('/app/lenses/superstore/edit?as=yaml');
  await page.getByRole('textbox', { name: 'lens.yaml of superstore' }).click();
  await page.keyboard.type('# a note\n');
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('link', { name: 'Lenses', exact: true }).click();
  await expect(page).toHaveURL(/\/edit/);
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('The check passed')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Continue' }).first().click();
  await page.getByRole('tab', { name: 'YAML' }).click();
  await expect(page.getByRole('textbox', { name: 'lens.yaml of superstore' })).toContainText('# a note');
  await page.goto('/app/lenses/superstore?tab=drafts');
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByText('No drafts')).toBeVisible();
});

test('edits a lens by forms: synonyms, unit, aggregation, date and joins, with sample rows and undo', async ({
  page,
  request,
}) => {
  const before = (await (await request.get('/mgmt/lenses/flights')).json()).files['lens.yaml'] as string;
  await page.goto('/app/lenses/flights/edit');
  const parts = page.getByRole('navigation', { name: 'Parts of the lens' });
  await parts.getByLabel('Search fields and metrics').fill('dist');
  await parts
    .getByRole('button', { name: /^distance/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Sample rows of flights' }).getByRole('row')).toHaveCount(6);
  await page.getByRole('combobox', { name: 'Synonyms' }).fill('stretch flown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Unit').fill('nautical miles');
  await page.getByLabel('Unit').blur();
  await page.getByRole('combobox', { name: 'Aggregation' }).click();
  await page.getByRole('option', { name: 'Average: a rate, a price' }).click();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('combobox', { name: 'Aggregation' })).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('stretch flown');
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('nautical miles');
  await parts.getByLabel('Search fields and metrics').clear();
  await parts.getByRole('button', { name: 'Joins' }).click();
  await page.getByRole('button', { name: 'Remove the join flights.destination → airports.iata' }).click();
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText(
    /relationship flights to destination: removed/,
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The check passed')).toBeVisible();
  for (const [width, scheme] of [
    [1440, 'light'],
    [1024, 'dark'],
    [400, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await expectNoHorizontalScroll(page);
    await page.screenshot({ path: `web/test-results/pages/lens-form-${width}-${scheme}.png`, fullPage: true });
  }
  await page.getByRole('tab', { name: 'YAML' }).click();
  const yaml = page.getByRole('textbox', { name: 'lens.yaml of flights' });
  await expect(yaml).toContainText('stretch flown');
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: /of flights is published/ })).toBeVisible();
  const after = (await (await request.get('/mgmt/lenses/flights')).json()).files['lens.yaml'] as string;
  const lines = (text: string) => text.split('\n');
  expect(lines(after).filter((line) => !lines(before).includes(line))).toEqual([
    expect.stringMatching(/^ +distance: .*stretch flown/),
  ]);
});

test('adds a metric and a term in the form, and shows both in the changes', async ({ page }) => {
  await page.goto('/app/lenses/superstore/edit');
  const parts = page.getByRole('navigation', { name: 'Parts of the lens' });
  await parts.getByRole('button', { name: 'Add metric' }).click();
  await page.getByLabel('Name', { exact: true }).fill('revenue');
  await expect(page.getByText('The lens already has a metric revenue.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('largest line');
  await page.getByLabel('Expression').fill('max(orders.sales)');
  await page.getByLabel('Description').fill('The sales of the largest order line, in USD.');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'largest_line' })).toBeVisible();
  await parts.getByRole('button', { name: 'Add term' }).click();
  await expectNoAxeViolations(page);
  await page.getByLabel('Term').fill('tiny line');
  await page.getByLabel('Meaning').fill('An order line below 5 USD.');
  await page.getByLabel('Only rows where').fill('orders.sales < 5');
  await page.screenshot({ path: 'web/test-results/pages/lens-form-new-term.png', fullPage: true });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(parts.getByRole('button', { name: 'tiny line' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByText('The check passed')).toBeVisible();
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('metric largest_line: added');
  await expect(changes).toContainText('definition tiny line: added');
  await page.screenshot({ path: 'web/test-results/pages/lens-form-added.png', fullPage: true });
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Delete/ }).click();
  await expect(page.getByText('No drafts')).toBeVisible();
});

test('reports broken YAML, and leads to its line', async ({ page }) => {
  await page.goto('/app/lenses/superstore/edit?as=yaml');
  await page.getByRole('textbox', { name: 'lens.yaml of superstore' }).click();
  await page.keyboard.type('[broken\n');
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect(page.getByText('svc can’t read the YAML')).toBeVisible();
  await page.getByRole('button', { name: 'Go to line' }).click();
  await expect(page.getByRole('textbox', { name: 'lens.yaml of superstore' })).toContainText('[broken');
});

test('turns a gap into a synonym, and answers the question after approval', async ({ page }) => {
  const question = 'What was the wherewithal by region in 2016?';
  await page.goto('/app?lens=superstore');
  await askQuestion(page, question);
  await expect(findAnswer(page, question).getByText('Refused', { exact: true })).toBeVisible();
  await page.goto('/app/gaps');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const gap = page.getByRole('listitem').filter({ hasText: question }).first();
  await gap.getByRole('button', { name: 'Draft a fix' }).click();
  await expect(gap.getByLabel('Word or phrase')).toHaveValue('wherewithal');
  await gap.getByRole('combobox', { name: 'Means the same as' }).fill('revenue');
  await page.getByRole('option', { name: 'revenue', exact: true }).first().click();
  await expectNoAxeViolations(page);
  await gap.getByRole('button', { name: 'Draft the fix' }).click();
  await expect(gap.getByText('“wherewithal” means the metric revenue.')).toBeVisible();
  await expect(gap.getByText(/^1 of \d+ answers would change/)).toBeVisible();
  await expect(gap.getByRole('columnheader', { name: 'Before' })).toBeVisible();
  await expectNoAxeViolations(page);
  await gap.getByRole('button', { name: 'Approve' }).click();
  await gap.getByRole('link', { name: 'Ask again' }).click();
  await page.getByLabel('Your question').press('Enter');
  await expect(findAnswer(page, question).getByText('Verified', { exact: true })).toBeVisible();
});
