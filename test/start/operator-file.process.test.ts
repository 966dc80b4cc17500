import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findOllama, type Ollama } from '../../src/adapters/language-model/find-ollama.ts';
import { ConfigFault, readConfig } from '../../src/config.ts';
import { composeModelLine } from '../../src/welcome.ts';
import { startTestApp } from '../support/app.ts';
import { runSvc, svcSays } from '../support/own-process.ts';
import { createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
const project = await temporaryFolder();
await writeFile(join(project, 'svc.config.yaml'), FILE);

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

it('names every unset variable with its line and the next step', () => {
  expect(linesOf({})).toEqual([
    expect.stringMatching(/^svc.config.yaml:2: OIDC_SECRET is not set\. .*OIDC_SECRET:-/),
    'svc.config.yaml:5: SECRET_OF_OTHERS is not available to project files. Add it to SVC_PROJECT_ENV.',
    expect.stringMatching(/^svc.config.yaml:9: CORE_HOST is not set/),
    expect.stringMatching(/^svc.config.yaml:12: CORE_PASSWORD is not set/),
  ]);
  // With an external control database, connections arrive by apply.
  expect(linesOf({ DATABASE_URL: 'postgres://x@127.0.0.1/y' })).toHaveLength(2);
  expect(readConfig({ SVC_PROJECT: project, SVC_PROJECT_ENV }).operator.models).not.toHaveProperty('fast');
});

it('names line, column and nearest name of a mistake in the operator’s file, and each wrong variable', async () => {
  const SVC_PROJECT = await temporaryFolder();
  const linesFor = async (text: string, env: Record<string, string> = {}) => {
    await writeFile(join(SVC_PROJECT, 'svc.config.yaml'), text);
    return linesOf({ SVC_PROJECT, ...env }).map((line) => line.replace(`${SVC_PROJECT}/`, ''));
  };
  expect(await linesFor('instance: {name: A}\nserver: {bodylimit: 5}\nlimits: {asks_in_flight: many}\n')).toEqual([
    'svc.config.yaml:2:10: There is no key "bodylimit". Did you mean body_limit?',
    'svc.config.yaml:3:26: "asks_in_flight" must be a number, not text.',
  ]);
  expect(await linesFor('server: [')).toEqual([expect.stringMatching(/^svc\.config\.yaml:1:\d+: /)]);
  const limit = `server: {body_limit: "${variable('LIMIT')}"}`;
  expect(await linesFor(limit, { SVC_PROJECT_ENV: 'LIMIT', LIMIT: 'x' })).toEqual([
    expect.stringContaining('must be a number'),
  ]);
  expect(await linesFor('', { SVC_PORT: 'abc', SVC_LOG_LEVEL: 'loud' })).toEqual([
    'SVC_PORT: must be a number',
    'SVC_LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
  ]);
});

it('configures a model for both roles from one variable, and the file overrides it', () => {
  const models = (env: Record<string, string>, folder = tmpdir()) =>
    readConfig({ SVC_PROJECT: folder, SVC_PROJECT_ENV, ...env }).operator.models;
  const entry = { provider: 'openai', model: 'm-1', timeout_ms: 20_000 };
  const cloud = { ...entry, api_key: 'a-key' };
  expect(models({ SVC_MODEL: 'm-1', OPENAI_API_KEY: 'a-key' })).toEqual({ fast: cloud, smart: cloud });
  const base_url = 'http://127.0.0.1:11434/v1';
  const local = { ...entry, base_url, api_key: 'none' };
  expect(models({ SVC_MODEL: 'm-1', SVC_MODEL_BASE_URL: base_url })).toEqual({ fast: local, smart: local });
  expect(models({ SVC_MODEL: 'm-1', OPENAI_API_KEY: 'a-key' }, project)).toMatchObject({ fast: { model: 'm' } });
  expect(() => models({ SVC_MODEL: 'm-1' })).toThrow(/^SVC_MODEL: set OPENAI_API_KEY, or SVC_MODEL_BASE_URL/);
  expect(() => models({ SVC_MODEL_BASE_URL: base_url })).toThrow(/^SVC_MODEL_BASE_URL: set SVC_MODEL/);
  expect(models({ OPENAI_API_KEY: 'a-key' })).toEqual({});
});

it('logs at start which data a model receives, and mentions a local Ollama without using it', async () => {
  const welcomeFor = (env: Record<string, string>, ollama: Ollama | null = null) =>
    composeModelLine(readConfig({ SVC_PROJECT: tmpdir(), ...env }), ollama);
  expect(welcomeFor({})).toBe('Language model: none. No data is sent to a model.');
  const configured = welcomeFor({ SVC_MODEL: 'm-1', OPENAI_API_KEY: 'a-key' });
  expect(configured).toMatch(
    /^Language model: m-1 at api\.openai\.com\. svc sends it questions; .* and rows of answers/,
  );
  expect(configured).not.toContain('a-key');
  const tags = createServer((_request, reply) => reply.end('{"models": [{"name": "llama3.2:3b"}]}'));
  await once(tags.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(tags.address() as AddressInfo).port}`;
  const ollama = await findOllama(readConfig({ SVC_PROJECT: tmpdir(), OLLAMA_HOST: host }).ollama);
  expect(welcomeFor({}, ollama)).toBe(
    `Language model: none. Ollama is running on this machine with llama3.2:3b; svc does not use it unless you set SVC_MODEL=llama3.2:3b SVC_MODEL_BASE_URL=http://${host}/v1`,
  );
  tags.close();
  await once(tags, 'close');
  expect(await findOllama(host)).toBeNull();
});

it('grants plain names to the default organization of the embedded database only, and others by organization', () => {
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

it('refuses at plan a connection that needs a variable that is not set on the server', {
  timeout: 60_000,
}, async () => {
  const granted = 'default:CORE_PASSWORD default:OPEN_PASSWORD OIDC_SECRET';
  const svc = await startTestApp({ project, files: {}, env: { SVC_PROJECT_ENV: granted } });
  try {
    const core = FILE.slice(FILE.indexOf('connections:')).replace(variable('CORE_HOST'), '127.0.0.1');
    const { body } = await svc.admin('POST', '/project/plan', { files: { 'svc.config.yaml': core } });
    expect(body.problems).toMatchObject([
      { path: 'svc.config.yaml', line: 3, message: expect.stringContaining('CORE_PASSWORD, which is not set') },
    ]);
    // A change to the operator's file takes effect at the next start, not before.
    await writeFile(join(project, 'svc.config.yaml'), `${FILE}limits: {asks_in_flight: 7}\n`);
    const limits = { 'svc.config.yaml': 'limits: {asks_in_flight: 7}\n' };
    const planReply = await svc.admin('POST', '/project/plan', { files: limits });
    expect(planReply.body.problems).toMatchObject([{ code: 'operator_only', pointer: '/limits' }]);
  } finally {
    await svc.close();
    await writeFile(join(project, 'svc.config.yaml'), FILE);
  }
});

it('exits with 1 and the next step for an unmigrated control database, and with 2 for a wrong file', {
  timeout: 120_000,
}, async () => {
  const start = async (env: Record<string, string>) => {
    const child = runSvc(['start'], env);
    let output = '';
    child.stderr!.on('data', (data: Buffer) => {
      output += data.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    return { code, said: output };
  };
  try {
    const DATABASE_URL = await createDatabase();
    const SVC_SECRET_KEY = 'a key of more than thirty-two bytes';
    const unmigrated = await start({ DATABASE_URL, SVC_SECRET_KEY, SVC_PROJECT: join(project, 'none') });
    expect(unmigrated).toEqual({ code: 1, said: 'The control database needs a migration. Run: npx svc migrate\n' });
    const wrong = await start({ DATABASE_URL, SVC_SECRET_KEY, SVC_PROJECT: project, SVC_PROJECT_ENV });
    expect(wrong).toMatchObject({ code: 2, said: expect.stringContaining('OIDC_SECRET is not set') });
    const missing = await start({ SVC_PROJECT: join(project, 'none') });
    expect(missing).toMatchObject({
      code: 2,
      said: expect.stringMatching(/SVC_PROJECT: the folder ".*none" does not/),
    });
  } finally {
  }
});

it.each([
  ['DATABASE_URL', 'mysql://owner@db/svc', 'must start with postgres:// or postgresql://'],
  [
    'SVC_ALLOWED_ADDRESSES',
    '127.0.0.1, 10.0.0.0/99',
    'must list host names, IP addresses and ranges such as 10.0.0.0/8',
  ],
])('refuses to start with an invalid %s', async (name, value, rule) => {
  const { code, said } = await svcSays(['start'], { [name]: value, SVC_HOME: join(tmpdir(), 'unused-home') });
  expect([code, said]).toEqual([2, expect.stringContaining(`${name}: ${rule}`)]);
});
