// Follows the pages of the documentation as a reader would. A `sh` block runs in bash. A `yaml FILE` block is added to
// that file, or validated alone if it is a part of svc.config.yaml. A `text` or `json` block after a `sh` block is its
// output, where "…" matches anything. A block that this test can't run has <!-- not run: reason --> above it, or its
// page is in ELSEWHERE.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readProject } from '../../src/lens/files/read-project.ts';
import { SECRET_KEY, startTestApp, type TestApp } from '../support/app.ts';
import { mergeYaml } from '../support/joined-yaml.ts';
import { ROOT } from '../support/own-process.ts';
import { clusterUrl, connect } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Pages whose blocks other tests check. */
const ELSEWHERE: Record<string, string> = {
  'docs/agents.md': 'test/mcp/stdio.process.test.ts',
  'docs/lens-file.md': 'test/contract/lens-reference.test.ts',
  'docs/models.md': 'test/models/documented.test.ts',
  'docs/operations.md': 'test/long/maintenance.test.ts',
  'docs/plans.md': 'test/mcp/replies.test.ts',
};
const CONFIG = 'svc.config.yaml';
const PAGES = ['README.md', ...['docs', 'docs/engines'].flatMap(pagesOf)];

interface Block {
  line: number;
  language: string;
  file: string | undefined;
  text: string;
  notRun: boolean;
}

function pagesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/(<!-- not run: [^\n]+ -->\n+)?^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm)].map((blockMatch) => ({
    line: text.slice(0, blockMatch.index).split('\n').length,
    notRun: blockMatch[1] !== undefined,
    language: blockMatch[2]!,
    file: blockMatch[3] || undefined,
    text: blockMatch[4]!,
  }));
}

/** The name of the organization for a page. */
const nameOf = (page: string): string => page.toLowerCase().replaceAll(/[^a-z]+/g, '-');

const runs = ({ language, notRun }: Block): boolean => language === 'sh' && !notRun;
const isOutput = ({ language }: Block, before: Block | undefined): boolean =>
  /^(text|json)$/.test(language) && before !== undefined && runs(before);

it('runs each code block of a page, or states a reason for skipping it', () => {
  const silent = PAGES.filter((page) => !(page in ELSEWHERE)).flatMap((page) =>
    blocksOf(page).flatMap((block, at, all) =>
      block.notRun || block.language === 'sh' || block.file || isOutput(block, all[at - 1])
        ? []
        : [`${page}:${block.line} ${block.language}`],
    ),
  );
  expect(silent).toEqual([]);
});

it('shows only valid parts of svc.config.yaml', () => {
  const parts = PAGES.flatMap((page) =>
    blocksOf(page).flatMap((block) => (block.file === CONFIG ? [{ page, block }] : [])),
  );
  expect(parts.length).toBeGreaterThan(8);
  for (const { page, block } of parts)
    expect(readProject({ [CONFIG]: block.text }).problems, `${page}:${block.line}`).toEqual([]);
});

it('lists only messages in the runbook that exist in the code', () => {
  const code = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8').replaceAll("\\'", "'"))
    .join('\n');
  const messages = [...readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)];
  expect(messages.length).toBeGreaterThan(40);
  const parts = messages.flatMap(([, message]) => message!.split('…').map((part) => part.trim()));
  expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});

it.each(Object.entries(ELSEWHERE))('leaves the code blocks of %s to %s', (page, test) => {
  expect(readFileSync(join(ROOT, test), 'utf8')).toContain(page);
});

describe('a reader', () => {
  let svc: TestApp;
  let base: string;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await createChinook();
    await cloneProject();
    svc = await startTestApp({ project: folder });
    base = await svc.listen();
  }, 120_000);
  afterAll(() => run(clusterUrl(), 'drop database chinook with (force)', 'drop role reader'));

  async function run(url: string, ...statements: string[]): Promise<void> {
    const client = await connect(url);
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
  /** Creates the database that the pages name. */
  async function createChinook(): Promise<void> {
    await run(
      clusterUrl(),
      'drop database if exists chinook with (force)',
      'drop role if exists reader',
      "create role reader login password 'secret'",
      'create database chinook template template0',
    );
    await run(
      Object.assign(new URL(clusterUrl()), { pathname: '/chinook' }).href,
      'create table customers (customer_id int primary key, name text, country text)',
      'create table invoices (invoice_id int primary key, customer_id int, invoice_date date, total numeric(10, 2))',
      "insert into customers select g, 'C' || g, (array['Brazil', 'Norway', 'India'])[1 + g % 3] from generate_series(1, 30) g",
      "insert into invoices select g, 1 + g % 30, date '2024-01-01' + g, g * 1.5 from generate_series(1, 200) g",
      'grant select on all tables in schema public to reader',
    );
  }

  /** Starts svc for the first time, with a separate organization for each page. */
  async function startPage(page: string): Promise<void> {
    const { orgId, adminToken, callerKey } = await svc.addTenant(nameOf(page));
    const credentials = { base_url: base, org_id: orgId, admin_token: adminToken, caller_key: callerKey };
    await rm(join(folder, '.svc'), { recursive: true, force: true });
    await mkdir(join(folder, '.svc'));
    await writeFile(join(folder, '.svc/credentials.json'), JSON.stringify(credentials));
  }

  /** A copy of the sample project, and a folder for the reader's own files. */
  async function cloneProject(): Promise<void> {
    await rm(join(folder, 'boards'), { recursive: true, force: true });
    for (const path of [CONFIG, 'lenses', 'semantic', 'data']) {
      await rm(join(folder, path), { recursive: true, force: true });
      await cp(join(ROOT, path), join(folder, path), { recursive: true });
    }
    await mkdir(join(folder, 'data/webshop'), { recursive: true });
    await writeFile(join(folder, 'data/webshop/customers.csv'), 'customer_id,name,country\n1,Ada,Norway\n2,Bo,India\n');
    await writeFile(
      join(folder, 'data/webshop/orders.csv'),
      'order_id,customer_id,ordered_on,amount\n1,1,2024-01-03,10.50\n2,1,2024-02-04,20.00\n3,2,2024-02-09,7.25\n',
    );
  }

  async function runShell(page: string, script: string): Promise<string> {
    const databaseHost = new URL(clusterUrl()).host;
    const text = script
      .replaceAll('http://127.0.0.1:8080', base)
      .replaceAll('localhost:5432', databaseHost)
      .replaceAll('svc key create', `svc key create --org ${nameOf(page)}`);
    const before = `npx() { shift; "${process.execPath}" "${join(ROOT, 'src/svc.cjs')}" "$@"; }
      curl() { command curl --no-progress-meter --fail-with-body "$@"; echo; }
      [ ! -f .svc/env ] || . .svc/env\n`;
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: svc.ownerUrl };
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', `${before}${text}\nexport -p > .svc/env`],
      {
        cwd: folder,
        env: { ...env, SVC_SECRET_KEY: SECRET_KEY, NODE_NO_WARNINGS: '1' },
      },
    ).catch((fault: { code: number; stdout: string; stderr: string }) => {
      throw new Error(`exit ${fault.code}\n${fault.stdout}${fault.stderr}`);
    });
    return stdout;
  }

  async function addTo(file: string, text: string): Promise<void> {
    const path = join(folder, file);
    const old = await readFile(path, 'utf8').catch(() => null);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, old === null ? text : stringify(mergeYaml(parse(old), parse(text))));
  }

  it.each(PAGES.filter((page) => !(page in ELSEWHERE) && blocksOf(page).some(runs)))(
    'can follow the steps in %s',
    async (page) => {
      await cloneProject();
      await startPage(page);
      let output = '';
      for (const [at, block] of blocksOf(page).entries()) {
        if (block.notRun) continue;
        try {
          if (block.language === 'sh') output = await runShell(page, block.text);
          else if (block.file && block.file !== CONFIG) await addTo(block.file, block.text);
          else if (isOutput(block, blocksOf(page)[at - 1])) expectOutput(block, output);
        } catch (fault) {
          throw new Error(`${page}:${block.line}: ${(fault as Error).message}`, { cause: fault });
        }
      }
    },
    480_000,
  );
});

function expectOutput({ language, text }: Block, output: string): void {
  if (language === 'json') expect(JSON.parse(output)).toMatchObject(toMatcher(JSON.parse(text)) as object);
  else
    for (const line of text.split('\n').filter(Boolean)) {
      const pattern = line
        .trim()
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*');
      expect(output).toMatch(new RegExp(pattern));
    }
}

/** "…" matches any value. As a name, it matches any further members. */
function toMatcher(expected: unknown): unknown {
  if (expected === '…') return expect.anything();
  if (Array.isArray(expected)) return expected.map(toMatcher);
  if (typeof expected !== 'object' || expected === null) return expected;
  return Object.fromEntries(
    Object.entries(expected).flatMap(([name, value]) => (name === '…' ? [] : [[name, toMatcher(value)]])),
  );
}
