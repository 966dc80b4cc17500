// From a SQL Server (as far as duckdb-server.ts is one) and no lens to a first verified answer, by the commands of the README.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killLeftovers, type OwnProcess, startSvc } from '../../support/own-process.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { PASSWORD, startSqlserver } from './duckdb-server.ts';
import type { TdsServer } from './tds-server.ts';

const SVC = fileURLToPath(new URL('../../../src/svc.cjs', import.meta.url));
const MINUTES = 300_000;
let sqlserver: TdsServer;
let folder: string;
let project: string;
let server: OwnProcess;

beforeAll(async () => {
  sqlserver = await startSqlserver();
  // In the engines' folder, so that the client is found as the project's own.
  folder = await mkdtemp(join(ENGINES_FOLDER, 'newcomer-'));
  project = join(folder, 'project');
  await mkdir(project);
  server = await startSvc(join(folder, 'home'), { SVC_PROJECT: project });
}, MINUTES);
afterAll(async () => {
  await server?.end('SIGTERM');
  killLeftovers();
  await sqlserver?.stop();
  await rm(folder, { recursive: true, force: true });
}, MINUTES);

async function svc(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [SVC, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SVC_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}:\n${out}${err}`);
  return out;
}

test(
  '15.4: introspect sqlserver:// with --publish, the question it ends with, and one of their own',
  async () => {
    const url = `sqlserver://svc:${encodeURIComponent(PASSWORD)}@127.0.0.1:${sqlserver.port}/shop`;
    const output = await svc('introspect', url, '--publish', '--as', 'workshop', '--lens', 'workshop');
    expect(output).toContain('Lens "workshop" over');
    const [, lens = '', question = ''] = /svc ask (\S+) "(.+)"/.exec(output)!;
    expect(await svc('ask', lens, question)).toContain('Confidence: verified');
    // Declared.
    expect(await svc('ask', 'workshop', 'number of jobs by client city')).toMatch(
      /Leeds: 4[\s\S]*Confidence: verified/,
    );
  },
  MINUTES,
);
