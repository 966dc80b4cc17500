// A CI run fails after a test failure, a part without enough time, or more than three flaky tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from './support/own-process.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Outcome = 'passed' | 'failed' | 'skipped' | 'flaky';
async function summary(tests: Outcome[], parts: string[] = [], { web = 0 } = {}) {
  const assertionResults = tests.map((outcome, at) => ({
    status: outcome === 'flaky' ? 'passed' : outcome,
    fullName: `test ${at}`,
    failureMessages: outcome === 'flaky' || outcome === 'failed' ? ['expected 1 to be 2'] : [],
  }));
  const report = (results: unknown[]) => ({
    testResults: [{ name: '/svc/test/a.test.ts', status: 'passed', message: '', assertionResults: results }],
  });
  await writeFile(join(folder, 'test.json'), JSON.stringify(report(assertionResults)));
  for (const name of ['processes.json', 'alone.json']) await writeFile(join(folder, name), JSON.stringify(report([])));
  const specs = Array.from({ length: web }, (_, at) => ({
    file: 'a.spec.ts',
    title: `page ${at}`,
    tests: [{ status: 'flaky' }],
  }));
  await writeFile(join(folder, 'web.json'), JSON.stringify({ suites: [{ suites: [{ specs }] }] }));
  const { status, stdout } = spawnSync('node', ['.ci/summary.mjs', folder, ...parts], { cwd: ROOT, encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  return { status, lines, closing: lines.at(-1) };
}

it('passes and prints the totals last', async () => {
  expect(await summary(['passed', 'passed'])).toEqual({
    status: 0,
    lines: ['2 passed, 0 failed'],
    closing: '2 passed, 0 failed',
  });
});

it('lists skipped tests and tests that pass only on the second attempt', async () => {
  const { status, lines, closing } = await summary(['passed', 'skipped', 'flaky'], [], { web: 1 });
  expect([status, closing]).toEqual([0, '2 passed, 0 failed, 1 skipped, 2 flaky']);
  expect(lines).toContain('skipped: test 1');
  expect(lines.filter((line) => line.startsWith('flaky'))).toHaveLength(2);
});

it('fails for more than three flaky tests', async () => {
  expect(await summary(['flaky', 'flaky', 'flaky'])).toMatchObject({ status: 0 });
  const { status, closing } = await summary(['flaky', 'flaky', 'flaky'], [], { web: 1 });
  expect([status, closing]).toEqual([1, '3 passed, 1 failed, 4 flaky']);
});

it('fails for a part that failed or ran out of time, and counts a failing test once', async () => {
  const late = await summary(['passed'], ['npm run conformance (no time left)']);
  expect([late.status, late.closing]).toEqual([1, '1 passed, 1 failed']);
  expect(late.lines).toContain('failed: npm run conformance (no time left)');
  const failing = await summary(['passed', 'failed'], ['npm test']);
  expect([failing.status, failing.closing]).toEqual([1, '1 passed, 1 failed']);
  expect(await summary(['passed'], ['npm test'])).toMatchObject({ status: 1, closing: '1 passed, 1 failed' });
});

it('names and counts the parts left out for a missing prerequisite', async () => {
  await writeFile(join(folder, 'left-out'), 'npm run test:web, because chromium could not be installed\n');
  const { status, lines, closing } = await summary(['passed']);
  expect([status, closing]).toEqual([0, '1 passed, 0 failed, 1 left out']);
  expect(lines).toContain('left out: npm run test:web, because chromium could not be installed');
});

it('fails when a suite leaves no report', async () => {
  const { status } = spawnSync('node', ['.ci/summary.mjs', folder], { cwd: ROOT });
  expect(status).toBe(1);
});

it('runs the parts of npm run check', async () => {
  execFileSync('bash', ['-n', '.ci/run'], { cwd: ROOT });
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(scripts.check).toBe('npm run check:static && npm test && npm run test:processes');
  const runScript = await readFile(join(ROOT, '.ci/run'), 'utf8');
  for (const part of ['npm run check:static', 'npm test', 'npm run test:processes', 'npm run test:alone'])
    expect(runScript).toContain(`part '${part}'`);
});
