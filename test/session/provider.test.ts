import { beforeAll, describe, expect, it } from 'vitest';
import { browse, createProjectWith, startIdentityProvider } from '../demo/identity-provider.ts';
import { makePerson, PASSWORD } from '../oauth/oauth-flow.ts';
import { startTestApp, type TestTenant } from '../support/app.ts';

const provider = await startIdentityProvider((login) => ({
  email_verified: login !== 'sly',
  ...(login === 'other-kate' && { email: '\u212aate@example.com' }),
}));
const project = await createProjectWith(`sign_in: {oidc: {issuer: "${provider.issuer}", client_id: svc-demo}}`);
const service = await startTestApp({ project });
const base = await service.listen();
provider.serve(`${base}/auth/callback`);

it('signs in a person with an account by the email that the provider has verified', async () => {
  await makePerson(service, 'vera@example.com');
  const landingPage = await browse(
    `${base}/auth/start?provider=account&return_to=%2Fauth%2Fme%3Fx%3D1`,
    'vera',
    /\/auth\/me\?x=1$/,
  );
  expect(JSON.parse(landingPage.text)).toMatchObject({
    kind: 'user',
    user: { email: 'vera@example.com', caller: 'quickstart' },
  });
});

it('signs in no one without an account or with an unverified email', async () => {
  await makePerson(service, 'sly@example.com');
  for (const login of ['stranger', 'sly']) {
    const landingPage = await browse(
      `${base}/auth/start?provider=account&return_to=%2Fauth%2Fme`,
      login,
      /\/auth\/callback/,
    );
    expect(landingPage.status).toBeGreaterThanOrEqual(401);
    expect(landingPage.jar).not.toContain('svc_session');
  }
});

describe('KEY-04: the identity at the provider decides the account, not the email', () => {
  let otherTenant: TestTenant;
  beforeAll(async () => {
    otherTenant = await service.addTenant('elsewhere');
  });
  const enter = async (login: string, query = '') =>
    browse(`${base}/auth/start?provider=account${query}&return_to=%2Fauth%2Fme`, login, /\/auth\/(?:me|callback)/);
  const organizationOf = (landed: { text: string }) => JSON.parse(landed.text).organization.name;
  const make = async (token: string, email: string): Promise<string> =>
    (await service.post('/mgmt/users', { email, password: PASSWORD, role: 'viewer' }, token)).body.id;
  const rename = (token: string, id: string, email: string) =>
    service.send({ method: 'PATCH', url: `/mgmt/users/${id}`, token, payload: { email } });
  const offeredAccounts = (landed: { text: string }) =>
    [...landed.text.matchAll(/name="account" value="([^"]+)"[\s\S]*?<button type="submit">([^<]+)</g)].map(
      ([, account, name]) => ({ account: account!, name }),
    );
  const choose = async (landed: Awaited<ReturnType<typeof enter>>, account: string, headers = {}) => {
    const ticket = /name="ticket" value="([^"]+)"/.exec(landed.text)![1]!;
    return fetch(`${base}/auth/choose`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ ticket, account }),
    });
  };
  const cookieOf = (reply: Response) => reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const fetchUser = async (cookie: string) => (await service.get('/auth/me', null, { cookie })).body;

  it('never signs a person in to an older account of another organization that later gets the person’s email', async () => {
    const older = await make(otherTenant.adminToken, 'somebody@example.com');
    await make(service.adminToken, 'alice@example.com');
    expect(organizationOf(await enter('alice'))).toBe('default');
    expect((await rename(otherTenant.adminToken, older, 'alice@example.com')).status).toBe(200);
    expect(organizationOf(await enter('alice'))).toBe('default');
  });

  it('asks a person with two accounts which one to use, and signs in to neither before the choice', async () => {
    const older = await make(otherTenant.adminToken, 'nobody@example.com');
    const ownUserId = await make(service.adminToken, 'carol@example.com');
    await rename(otherTenant.adminToken, older, 'carol@example.com');
    const landed = await enter('carol');
    expect([landed.status, landed.jar]).toEqual([200, expect.not.stringContaining('svc_session')]);
    expect(
      offeredAccounts(landed)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['default', 'elsewhere']);
    expect((await choose(landed, ownUserId, { origin: 'https://evil.example' })).status).toBe(403);
    const otherUserId = await make(service.adminToken, 'dora@example.com');
    expect((await choose(landed, otherUserId)).status).toBe(403);
    const secondLanding = await enter('carol');
    expect((await fetchUser(cookieOf(await choose(secondLanding, ownUserId)))).organization.name).toBe('default');
    const spent = await choose(secondLanding, ownUserId);
    expect([spent.status, cookieOf(spent)]).toEqual([422, '']);
    expect(organizationOf(await enter('carol'))).toBe('default');
    const audit = (await service.admin('GET', '/audit?action=user.link')).body.items;
    expect(audit).toContainEqual(expect.objectContaining({ object_id: ownUserId }));
  });

  it('keeps the account linked to its person when an admin changes its email, and lets no other person in', async () => {
    const account = await make(service.adminToken, 'erin@example.com');
    await enter('erin');
    await rename(service.adminToken, account, 'frank@example.com');
    expect(JSON.parse((await enter('erin')).text).user.id).toBe(account);
    expect((await enter('frank')).status).toBe(403);
  });

  it('doesn’t match an email that is equal only after lowercasing', async () => {
    await make(service.adminToken, 'kate@example.com');
    expect((await enter('other-kate')).status).toBe(403);
    expect(organizationOf(await enter('kate'))).toBe('default');
  });

  it('signs a linked person in to another organization only if they choose it', async () => {
    await make(service.adminToken, 'grace@example.com');
    await enter('grace');
    await make(otherTenant.adminToken, 'grace@example.com');
    expect(organizationOf(await enter('grace'))).toBe('default');
    const landed = await enter('grace', '&choose=true');
    const otherAccount = offeredAccounts(landed).find(({ name }) => name === 'elsewhere')!;
    expect((await fetchUser(cookieOf(await choose(landed, otherAccount.account)))).organization.name).toBe('elsewhere');
    expect(offeredAccounts(await enter('grace'))).toHaveLength(2);
  });

  it('doesn’t sign a person with a disabled account in to another account', async () => {
    const account = await make(service.adminToken, 'heidi@example.com');
    await enter('heidi');
    await make(otherTenant.adminToken, 'heidi@example.com');
    await service.send({
      ...{ method: 'PATCH', url: `/mgmt/users/${account}`, token: service.adminToken },
      payload: { disabled: true },
    });
    expect((await enter('heidi')).status).toBe(403);
  });
});
