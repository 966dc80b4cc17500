// svc.config.yaml as the operator's: read once, at the start, which names everything that is missing.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigFault, readConfig } from '../../src/config.ts';
import { startTestApp } from '../support/app.ts';
import { runSvc } from '../support/own-process.ts';
import { startTestPostgres } from '../support/postgres.ts';

const variable = (name: string, fallback?: string) => `$\{${name}${fallback === undefined ? '' : `:-${fallback}`}}`;
const FILE = `sign_in:
  oidc: {issuer: "https://id.example.com", client_id: svc, client_secret: "${variable('OIDC_SECRET')}"}
models:
  fast: {provider: openai, model: m, api_key: "${variable('OPENAI_API_KEY')}", base_url: "${variable('OPENAI_BASE_URL', '')}"}
  smart: {provider: openai, model: m, api_key: "${variable('SECRET_OF_OTHERS')}"}
connections:
  core:
    kind: postgres
    host: "${variable('CORE_HOST')}"
    database: core
    user: reader
    password: "${variable('CORE_PASSWORD')}"
  open: {kind: postgres, host: 127.0.0.1, port: 1, database: x, user: reader, password: "${variable('OPEN_PASSWORD', '')}"}
`;

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'svc-operator-'));
  await writeFile(join(project, 'svc.config.yaml'), FILE);
});
afterAll(() => rm(project, { recursive: true, force: true }));

const SVC_PROJECT_ENV = 'OIDC_SECRET CORE_HOST CORE_PASSWORD OPEN_PASSWORD';
function linesOf(env: Record<string, string>): string[] {
  try {
    readConfig({ SVC_PROJECT: project, SVC_PROJECT_ENV, ...env }, true);
    return [];
  } catch (fault) {
    expect(fault).toBeInstanceOf(ConfigFault);
    return (fault as Error).message.replaceAll(`${project}/`, '').split('\n');
  }
}

it('names every unset variable with its line, and says what to do', () => {
  expect(linesOf({})).toEqual([
    expect.stringMatching(/^svc.config.yaml:2: OIDC_SECRET is not set\. .*OIDC_SECRET:-/),
    'svc.config.yaml:5: SECRET_OF_OTHERS is not readable by project files. Name it in SVC_PROJECT_ENV.',
    expect.stringMatching(/^svc.config.yaml:9: CORE_HOST is not set/),
    expect.stringMatching(/^svc.config.yaml:12: CORE_PASSWORD is not set/),
  ]);
  // With a control database of its own, connections arrive by apply.
  expect(linesOf({ DATABASE_URL: 'postgres://x@127.0.0.1/y' })).toHaveLength(2);
  expect(readConfig({ SVC_PROJECT: project, SVC_PROJECT_ENV }).operator.models).not.toHaveProperty('fast');
});

it('9.13: plain names belong to the organization of the embedded default alone, others are granted by name', () => {
  const granted = (env: Record<string, string>) =>
    readConfig({ SVC_PROJECT_ENV: 'A acme:B', ...env }).variables.granted;
  expect(granted({})).toEqual([
    { organization: 'default', name: 'A' },
    { organization: 'acme', name: 'B' },
  ]);
  expect(granted({ DATABASE_URL: 'postgres://x@127.0.0.1/y' })).toEqual([{ organization: 'acme', name: 'B' }]);
  for (const wrong of ['acme:', ':B', 'a b:c:d', 'Acme:B', 'x-y'])
    expect(() => readConfig({ SVC_PROJECT_ENV: wrong })).toThrow(/is neither NAME nor organization:NAME/);
});

it('refuses at plan a connection that needs what is not set where svc runs', { timeout: 60_000 }, async () => {
  const granted = 'default:CORE_PASSWORD default:OPEN_PASSWORD OIDC_SECRET';
  const svc = await startTestApp({ project, files: {}, env: { SVC_PROJECT_ENV: granted } });
  try {
    const core = FILE.slice(FILE.indexOf('connections:')).replace(variable('CORE_HOST'), '127.0.0.1');
    const { body } = await svc.post('/mgmt/project/plan', { files: { 'svc.config.yaml': core } }, svc.adminToken);
    expect(body.problems).toMatchObject([
      { path: 'svc.config.yaml', line: 3, message: expect.stringContaining('CORE_PASSWORD, which is not set') },
    ]);
    // What the operator's file says later takes effect at the next start, and is no measure before.
    await writeFile(join(project, 'svc.config.yaml'), `${FILE}limits: {asks_in_flight: 7}\n`);
    const limits = { 'svc.config.yaml': 'limits: {asks_in_flight: 7}\n' };
    const planned = await svc.post('/mgmt/project/plan', { files: limits }, svc.adminToken);
    expect(planned.body.problems).toMatchObject([{ code: 'operator_only', pointer: '/limits' }]);
  } finally {
    await svc.close();
    await writeFile(join(project, 'svc.config.yaml'), FILE);
  }
});

it('exits 1 with the next step when the control database was not migrated, 2 when the file is wrong', {
  timeout: 120_000,
}, async () => {
  const postgres = await startTestPostgres();
  const start = async (env: Record<string, string>) => {
    const child = runSvc(['start'], env);
    let said = '';
    child.stderr!.on('data', (data: Buffer) => {
      said += data.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  };
  try {
    const DATABASE_URL = await postgres.createDatabase();
    const SVC_SECRET_KEY = 'a key of more than thirty-two bytes';
    const unmigrated = await start({ DATABASE_URL, SVC_SECRET_KEY, SVC_PROJECT: join(project, 'none') });
    expect(unmigrated).toEqual({ code: 1, said: 'The control database is not prepared. Run: svc migrate\n' });
    const wrong = await start({ DATABASE_URL, SVC_SECRET_KEY, SVC_PROJECT: project, SVC_PROJECT_ENV });
    expect(wrong).toMatchObject({ code: 2, said: expect.stringContaining('OIDC_SECRET is not set') });
  } finally {
    await postgres.stop();
  }
});
