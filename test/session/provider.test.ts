// Sign-in of local accounts through an external provider.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browse, type IdentityProvider, projectWith, startIdentityProvider } from '../demo/identity-provider.ts';
import { makePerson } from '../oauth/dance.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

let provider: IdentityProvider;
let service: TestApp;
let base: string;
let project: string;
beforeAll(async () => {
  provider = await startIdentityProvider((login) => ({ email_verified: login !== 'sly' }));
  project = await projectWith(`sign_in: {oidc: {issuer: "${provider.issuer}", client_id: svc-demo}}`);
  service = await startTestApp({ project });
  base = await service.listen();
  provider.serve(`${base}/auth/callback`);
});
afterAll(async () => {
  await service.close();
  provider.close();
  await rm(project, { recursive: true, force: true });
});

it('a person with an account here is signed in by the e-mail that the provider has verified', async () => {
  await makePerson(service, 'vera@example.com');
  const landed = await browse(
    `${base}/auth/start?provider=account&return_to=%2Fauth%2Fme%3Fx%3D1`,
    'vera',
    /\/auth\/me\?x=1$/,
  );
  expect(JSON.parse(landed.text)).toMatchObject({
    kind: 'user',
    user: { email: 'vera@example.com', caller: 'quickstart' },
  });
});

it('nobody is signed in without an account, or by an e-mail that is not verified', async () => {
  await makePerson(service, 'sly@example.com');
  for (const login of ['stranger', 'sly']) {
    const landed = await browse(
      `${base}/auth/start?provider=account&return_to=%2Fauth%2Fme`,
      login,
      /\/auth\/callback/,
    );
    expect(landed.status).toBeGreaterThanOrEqual(401);
    expect(landed.jar).not.toContain('svc_session');
  }
});
