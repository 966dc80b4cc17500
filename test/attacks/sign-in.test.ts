import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../oauth/oauth-flow.ts';
import { startTestApp } from '../support/app.ts';

let ceo: { email: string; password: string };
const service = await startTestApp();
for (let n = 0; n < 5; n++) {
  const rivalTenant = await service.addTenant(`rival-${n}`);
  for (const email of ['new@later.example', 'old@later.example'])
    await service.post('/mgmt/users', { email, password: `not yours at all ${n}` }, rivalTenant.adminToken);
}

const login = (body: object) => service.post('/auth/login', body, null);

describe('an email address with older accounts in five other organizations', () => {
  it('signs in to the named organization', async () => {
    ceo = { email: 'new@later.example', password: PASSWORD };
    expect((await service.admin('POST', '/users', ceo)).status).toBe(201);
    expect((await login({ ...ceo, organization: 'default' })).body).toMatchObject({ user: { email: ceo.email } });
    const page = await service.get('/auth/sign-in', null);
    expect(page.text).toContain('name="organization"');
  }, 60_000);

  it('signs in without an organization after its first sign-in, despite unused older accounts', async () => {
    expect((await login(ceo)).status).toBe(200);
  }, 60_000);

  it('gets the same reply for a wrong password, whichever organization the request names', async () => {
    const bodies = await Promise.all(
      ['rival-1', 'nowhere', 'default'].map(async (organization) => {
        const { status, body } = await login({ ...ceo, password: 'a wrong phrase', organization });
        return [status, body.error.message];
      }),
    );
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
    expect(bodies[0]).toEqual([401, expect.stringContaining('give the organization')]);
  }, 60_000);

  it('is rate limited, no matter which organization is named', async () => {
    const guess = (n: number) => login({ email: 'old@later.example', password: 'a guess', organization: `org-${n}` });
    let [guesses, status] = [0, 0];
    for (; guesses < 20 && status !== 429; guesses++) ({ status } = await guess(guesses));
    expect([status, guesses > 10]).toEqual([429, true]);
  }, 60_000);
});

describe('the sign-in page', () => {
  const submit = (form: Record<string, string>) =>
    service.post('/auth/sign-in', new URLSearchParams(form).toString(), null, {
      'content-type': 'application/x-www-form-urlencoded',
      host: '127.0.0.1:8080',
    });

  it('shows a failed attempt again, without the password and with escaped values', async () => {
    const email = 'nobody@later.example';
    const page = await submit({
      email,
      password: 'a secret guess',
      organization: '"><script>1</script>',
      return_to: '//evil',
    });
    expect([page.status, page.headers['set-cookie']]).toEqual([401, undefined]);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain(email);
    expect(page.text).not.toMatch(/a secret guess|<script>1|evil/);
  });
});
