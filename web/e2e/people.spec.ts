import { askQuestion, expect, expectNoAxeViolations, findAnswer, postAsUser, TEST_PASSWORD, test } from './fixtures.ts';

const getServerUrl = () => `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;

test('shows a viewer the lens of their caller, and no pages of admins', async ({ request, browser }) => {
  const caller = `field sales ${test.info().retry}`;
  const email = `vera${test.info().retry || ''}@example.com`; // other tests sign in as vera@example.com
  await postAsUser(request, getServerUrl(), '/mgmt/callers', { name: caller });
  const callers = await (await request.get(`/mgmt/callers?q=${encodeURIComponent(caller)}`)).json();
  const grants = { data: { lenses: ['superstore'] }, headers: { origin: getServerUrl() } };
  expect((await request.put(`/mgmt/callers/${callers.items[0].id}/grants`, grants)).ok()).toBe(true);
  await postAsUser(request, getServerUrl(), '/mgmt/users', { email, password: TEST_PASSWORD, role: 'viewer', caller });

  const context = await browser.newContext({ baseURL: getServerUrl(), storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto('/app/lenses');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Lenses' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Superstore' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Flights' })).toHaveCount(0);
  for (const hidden of ['Requests', 'Gaps', 'Access', 'Data'])
    await expect(page.getByRole('link', { name: hidden, exact: true })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto('/app/lenses/flights');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.goto('/app');
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(
    findAnswer(page, 'What was revenue in the West in 2016?').getByText('Verified', { exact: true }),
  ).toBeVisible();
  const { items } = await (await page.request.get('/mgmt/lenses')).json();
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['superstore']);
  for (const [path, status] of [
    ['/mgmt/lenses/superstore/versions', 200],
    ['/mgmt/lenses/flights', 403],
    ['/mgmt/lenses/flights/repo', 404],
    ['/mgmt/lenses/superstore/profile', 403],
    ['/mgmt/observe/requests', 403],
    ['/mgmt/reviews', 403],
    ['/mgmt/project/export', 403],
    ['/mgmt/callers', 200],
  ] as const)
    expect((await page.request.get(path)).status(), path).toBe(status);
  const refused = await page.request.post('/mgmt/callers', {
    data: { name: 'x' },
    headers: { origin: getServerUrl() },
  });
  expect(refused.status()).toBe(403);
  await context.close();
});

test('creates a viewer together with a caller and its lenses, and says what was done if the account fails', async ({
  page,
}) => {
  await page.goto('/app/access');
  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByRole('button', { name: 'New account' }).click();
  const dialog = page.getByRole('dialog', { name: 'New account' });
  await dialog.getByLabel('Email').fill('admin@localhost');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
  await expect(dialog.getByText('A viewer can use only the lenses of this caller')).toBeVisible();
  await expect(dialog.getByLabel('Name of the new caller')).toHaveValue('admin@localhost');
  await dialog.getByLabel('Name of the new caller').fill('front desk');
  await dialog.getByRole('combobox', { name: 'Lenses that the caller can use' }).click();
  await page.getByRole('option', { name: 'Flights' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).click();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('svc created the caller front desk, but not the account.')).toBeVisible();
  await page.screenshot({ path: 'web/test-results/pages/new-account.png', fullPage: true });
  await dialog.getByLabel('Email').fill('flora@example.com');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('row', { name: /^flora@example.com Viewer front desk/ })).toBeVisible();
  const { items } = await (await page.request.get('/mgmt/callers?q=front')).json();
  const grants = await (await page.request.get(`/mgmt/callers/${items[0].id}/grants`)).json();
  expect(grants.effective.map(({ lens }: { lens: string }) => lens)).toEqual(['flights']);
});

test('changes, disables and deletes an account, and shows these changes by name in the audit log', async ({ page }) => {
  const email = `paula${test.info().retry || ''}@example.com`;
  await postAsUser(page.request, getServerUrl(), '/mgmt/users', { email, password: TEST_PASSWORD, role: 'viewer' });
  const caller = { name: `audited ${test.info().retry}` };
  const { id } = await postAsUser<{ id: string }>(page.request, getServerUrl(), '/mgmt/callers', caller);
  const grants = { data: { lenses: ['superstore'] }, headers: { origin: getServerUrl() } };
  expect((await page.request.put(`/mgmt/callers/${id}/grants`, grants)).ok()).toBe(true);
  await page.goto('/app/access?tab=users');
  const row = page.getByRole('row', { name: new RegExp(`^${email}`) });
  const dialog = page.getByRole('dialog', { name: email });
  const open = () => page.getByRole('button', { name: `Change the account ${email}` }).click();
  await open();
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Curator' }).click();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/account.png', fullPage: true });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Curator');

  await open();
  await dialog.getByRole('textbox', { name: 'New password' }).fill('short');
  await dialog.getByRole('button', { name: 'Set password' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'New password' }).fill('a quite different password');
  await dialog.getByRole('button', { name: 'Set password' }).click();
  await expect(dialog.getByText('The password has been changed.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Disable account' }).click();
  await expect(row).toContainText('Disabled');
  const signIn = (password: string) =>
    page.request.post('/auth/sign-in', { data: { email, password }, headers: { origin: getServerUrl() } });
  expect((await signIn('a quite different password')).ok()).toBe(false);

  await open();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row).toHaveCount(0);

  await page.getByRole('button', { name: 'Change the account admin@localhost' }).click();
  const ownAccount = page.getByRole('dialog', { name: 'admin@localhost' });
  await expect(ownAccount.getByText('You are signed in with this account')).toBeVisible();
  await expect(ownAccount.getByRole('button', { name: 'Delete account' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page.getByRole('button', { name: `Details of caller.grants, caller ${caller.name}` })).toBeVisible();
  await page.getByRole('button', { name: `Details of user.delete, user ${email}` }).click();
  const details = page.getByRole('dialog', { name: 'user.delete' });
  await expect(details.getByText('"role": "curator"')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'web/test-results/pages/audit-entry.png', fullPage: true });
});

test('keeps the question when a session ends, and shows it again after sign-in', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: getServerUrl(), storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  const signIn = async () => {
    await page.getByLabel('Email').fill('vera@example.com');
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto('/app?lens=superstore');
  await signIn();
  await expect(page.getByLabel('Your question')).toBeVisible();
  await context.clearCookies();
  await askQuestion(page, 'What was revenue in the West in 2016?');
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await signIn();
  await expect(page).toHaveURL(/\/app\/?\?lens=superstore/);
  await expect(page.getByLabel('Your question')).toHaveValue('What was revenue in the West in 2016?');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^\$187,480\.18/)).toBeVisible();
  await context.close();
});

test('opens the link of an answer and of a conversation with the colleague’s own access', async ({ page, browser }) => {
  await page.goto('/app');
  await askQuestion(page, 'What was revenue by region in 2016?');
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this conversation?' });
  await expect(dialog).toContainText('Everyone in your organization who has the link');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('button', { name: 'Share and copy link' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
  const thread = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Link' }).click();
  const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  await page.goto('/app?lens=flights');
  await askQuestion(page, 'How many flights were on time in March 2001?');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Link' }).click();
  const other = new URL(String(await page.evaluate('navigator.clipboard.readText()')));

  const context = await browser.newContext({ baseURL: getServerUrl(), storageState: { cookies: [], origins: [] } });
  const colleague = await context.newPage();
  await colleague.route('**/v1/answers/*', (route) => route.fulfill({ status: 404, json: {} }), { times: 1 });
  await colleague.goto(`${link.pathname}${link.search}`);
  await colleague.getByLabel('Email').fill('vera@example.com');
  await colleague.getByLabel('Password').fill(TEST_PASSWORD);
  await colleague.getByRole('button', { name: 'Sign in' }).click();
  await findAnswer(colleague, 'An answer').getByRole('button', { name: 'Try again' }).click();
  const opened = findAnswer(colleague, 'What was revenue by region in 2016?');
  await expect(opened.getByText('Verified', { exact: true })).toBeVisible();
  await expect(opened.getByText(/computed now with your access/)).toBeVisible();
  await expect(opened.locator('svg.marks')).toBeVisible();
  await expectNoAxeViolations(colleague);
  await colleague.goto(`${thread.pathname}${thread.search}`);
  await expect(colleague.getByRole('heading', { name: 'Shared conversation' })).toBeVisible();
  await expect(opened.getByText('Verified', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Share and copy link' }).click();
  await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
  const flights = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  await colleague.goto(`${flights.pathname}${flights.search}`);
  await expect(colleague.getByText('You don’t have access to the data in this conversation')).toBeVisible();
  await expectNoAxeViolations(colleague);
  await colleague.goto(other.pathname);
  await expect(colleague.getByRole('alert')).toContainText('You have no access to the data of this answer');
  await context.close();
});

test('opens the lenses and keys of one of many callers in view, however long the names are', async ({ page }) => {
  const longName = `Team of ${'strategic partners '.repeat(6)}`.trim();
  const names = [longName, ...Array.from({ length: 30 }, (_, index) => `Robot ${index}`)];
  for (const name of names)
    await page.request.post('/mgmt/callers', { data: { name }, headers: { origin: getServerUrl() } }); // a retry finds them
  await page.goto('/app/access');
  const button = page.getByRole('button', { name: `Lenses and keys of ${longName}` });
  await page.getByLabel('Search callers').fill('strategic');
  await expect(page.getByRole('button', { name: /^Lenses and keys of/ })).toHaveCount(1);
  await expect(button).toBeInViewport({ ratio: 1 });
  await page.getByLabel('Search callers').fill('');
  await page.getByRole('button', { name: 'Lenses and keys of Robot 0' }).click();
  const dialog = page.getByRole('dialog', { name: 'Robot 0' });
  await expect(dialog.getByRole('heading', { name: 'Keys', exact: true })).toBeInViewport();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await expect(page).toHaveURL(/tab=audit/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Audit log' })).toHaveAttribute('aria-selected', 'true');
});
