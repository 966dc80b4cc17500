import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SECRET_KEY, SHOP, startTestApp } from '../support/app.ts';
import { ROOT, svcSays } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = await startTestApp();
const base = await service.listen();
const MINUTE = { timeout: 60_000 };
const runAsAdmin = (...args: string[]) => svcSays(args, { SVC_BASE_URL: base, SVC_TOKEN: service.adminToken });
const ask = (...args: string[]) => svcSays(['ask', ...args], { SVC_BASE_URL: base, SVC_TOKEN: service.callerKey });

it('prints its version', MINUTE, async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await svcSays(['--version'], {})).toMatchObject({ code: 0, out: `${version}\n` });
});

it('lists lenses, connections, callers, keys, certified entries, gaps and reviews', MINUTE, async () => {
  const lenses = await runAsAdmin('lens', 'list');
  expect(lenses.out).toMatch(/^name +version +certified +connection +origin +updated\n/);
  expect(lenses.out).toMatch(/^shop +1 +\d+ +\w+ +file +20\d\d-/m);
  const phrases = await svcSays(['lens', 'phrases', 'shop'], { SVC_BASE_URL: base, SVC_TOKEN: service.callerKey });
  expect(phrases.out).toMatch(/^orders\n {2}Revenue\n/);
  expect((await runAsAdmin('connection', 'list')).out).toMatch(/^name +kind +origin +used by\n/);
  expect((await runAsAdmin('caller', 'list')).out).toContain('quickstart');
  expect((await runAsAdmin('key', 'list', '--caller', 'quickstart')).out).toMatch(/svc_.*… ?.{4} .*active/);
  expect(await runAsAdmin('key', 'list', '--caller', 'nobody')).toMatchObject({
    code: 1,
    said: 'There is no caller "nobody". List callers: npx svc caller list\n',
  });
  expect((await runAsAdmin('certified', 'list', 'shop')).out).toMatch(/^id +status +question +approved by\n/);
  expect(await runAsAdmin('gap', 'list')).toMatchObject({ code: 0, out: 'No open gaps.\n' });
  expect(await runAsAdmin('review', 'list')).toMatchObject({ code: 0, out: 'No reviews.\n' });
  const json = JSON.parse((await runAsAdmin('lens', 'list', '--json')).out) as { name: string }[];
  expect(json.map(({ name }) => name)).toContain('shop');
});

it('prints the rows of an answer as a table, JSON or CSV, and exits with 3 without an answer', MINUTE, async () => {
  const question = 'What was revenue by region in 2016?';
  const table = await ask('shop', question, '--format', 'table');
  expect(table.out).toMatch(/^region +revenue\n\w+ +[\d.]+\n/);
  expect(table.said).toContain('Confidence: verified.');
  const rows = JSON.parse((await ask('shop', question, '--format', 'json')).out) as object[];
  expect(Object.keys(rows[0]!)).toEqual(['region', 'revenue']);
  const csv = (await ask('shop', question, '--format', 'csv')).out.trim().split('\r\n');
  expect(csv).toHaveLength(rows.length + 1);
  expect(csv[0]).toBe('region,revenue');
  expect(await ask('shop', 'What is the wingspan of a swallow?', '--format', 'csv')).toMatchObject({ code: 3 });
  expect(await ask('shop', question, '--format', 'xml')).toMatchObject({ code: 2 });
});

it('checks the machine, the settings, the project and the server with svc doctor', MINUTE, async () => {
  const homeFolder = await temporaryFolder();
  const running = await svcSays(['doctor'], { SVC_HOME: homeFolder, SVC_BASE_URL: base, SVC_TOKEN: service.callerKey });
  expect(running.out).toMatch(/ok {4}Node\.js: 2\d/);
  expect(running.out).toContain('Server, database: ok');
  expect(running.code).toBe(0);
  const away = await svcSays(['doctor', '--json'], { SVC_HOME: homeFolder, SVC_BASE_URL: 'http://127.0.0.1:1' });
  expect(away.code).toBe(1);
  expect(JSON.parse(away.out)).toContainEqual({
    what: 'Server',
    ok: false,
    says: 'no server is responding at http://127.0.0.1:1. Check SVC_BASE_URL.',
  });
});

it('checks a project without a server', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  await svcSays(['init', folder], {});
  const noServer = { SVC_HOME: join(folder, '.svc') };
  expect(await svcSays(['check', folder], noServer)).toMatchObject({
    code: 0,
    out: expect.stringContaining('No problems in 1 lens.'),
  });
  const lensFile = join(folder, 'lenses/superstore/lens.yaml');
  await writeFile(
    lensFile,
    (await readFile(lensFile, 'utf8')).replace('time_field: order_date', 'time_field: order_dat'),
  );
  expect(await svcSays(['check', folder], noServer)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/lens\.yaml:\d+:\d+: There is no field "order_dat"\. Did you mean order_date/),
  });
});

it('reports in one line that the port is already in use', MINUTE, async () => {
  const { port } = new URL(base);
  const failedStart = await svcSays(['start'], {
    DATABASE_URL: service.ownerUrl,
    SVC_SECRET_KEY: SECRET_KEY,
    SVC_PORT: port,
    SVC_PROJECT: SHOP,
  });
  const line = `Port ${port} is already in use. Set SVC_PORT to another port, or to 0 for any free port.\n`;
  expect(failedStart).toMatchObject({ code: 1, said: line });
});

it('creates a project that works in an empty folder, and refuses a folder with files', MINUTE, async () => {
  const folder = await temporaryFolder();
  expect(await svcSays(['init', folder], {})).toMatchObject({ code: 0, out: expect.stringContaining('npx svc start') });
  expect((await readdir(folder)).sort()).toEqual([
    '.env',
    '.github',
    '.gitignore',
    'data',
    'lenses',
    'svc.config.yaml',
  ]);
  const files = await loadProjectFolder(folder);
  const projectApp = await startTestApp({ project: folder, files });
  const { body } = await projectApp.post('/v1/lenses/superstore/query', { q: 'What was revenue in the West in 2016?' });
  expect(body).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ revenue: 187480.1765 }] });
  await projectApp.close();
  expect(await svcSays(['init', folder], {})).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') });
});

it('completes commands and options in bash', MINUTE, async () => {
  const script = (await svcSays(['completion', 'bash'], {})).out;
  const { execFileSync } = await import('node:child_process');
  const completeText = (...words: string[]): string[] =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(svc ${words.join(' ')} ''); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _svc; echo "\${COMPREPLY[@]}"`,
    ])
      .toString()
      .trim()
      .split(' ');
  expect(completeText()).toEqual(expect.arrayContaining(['start', 'ask', 'lens', 'doctor']));
  expect(completeText('lens')).toEqual(expect.arrayContaining(['list', 'facts']));
  expect(completeText('ask', 'shop')).toEqual(expect.arrayContaining(['--choice', '--format']));
  expect(await svcSays(['completion', 'tcsh'], {})).toMatchObject({ code: 2 });
});
