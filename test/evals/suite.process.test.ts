// svc eval --suite with the real service and a temporary PostgreSQL server judges every question.
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openCassette } from '../../src/cli/eval-command.ts';
import { evaluateSuite } from '../../src/cli/evaluate-suite.ts';
import type { SuiteReport } from '../../src/domain/evals/suite.ts';
import { createControlDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SUITE = fileURLToPath(new URL('../fixtures/suite', import.meta.url));
const CLI = fileURLToPath(new URL('../../src/svc.cjs', import.meta.url));

async function runSvc(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  return promisify(execFile)(process.execPath, [CLI, ...args], { maxBuffer: 16_000_000 }).then(
    ({ stdout, stderr }) => ({ exit: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      exit: code,
      out: stdout,
      err: stderr,
    }),
  );
}
/**
 * Runs the command in this process, on the PostgreSQL server of all tests. Other tests cover starting a process and a
 * server, and parsing the options.
 */
const evaluateHere = async (
  dir: string,
  { draft = false, ...tape }: { draft?: boolean; record?: string; replay?: string },
) => evaluateSuite(dir, draft, () => undefined, await openCassette(tape), await createControlDatabase());
const createSuiteWith = async (questions: object[]): Promise<string> => {
  const dir = await temporaryFolder();
  await cp(SUITE, dir, { recursive: true });
  await writeFile(join(dir, 'questions.jsonl'), questions.map((question) => JSON.stringify(question)).join('\n'));
  return dir;
};

describe('svc eval --suite', { timeout: 120_000 }, () => {
  it('judges every question, names gold SQL that doesn’t run, and reports disputed questions separately', async () => {
    const { exit, out, err } = await runSvc('eval', '--suite', SUITE, '--json');
    const report = JSON.parse(out) as SuiteReport;
    expect(exit, err).toBe(0);
    const by = Object.fromEntries(
      report.results.map((result) => [`${result.id}${result.paraphrase ? ' again' : ''}`, result]),
    );
    expect(by['count']).toMatchObject({ status: 'answered', confidence: 'verified', passed: true });
    expect(by['count again']).toMatchObject({ sql: by['count']!.sql });
    expect(by['by-colour']).toMatchObject({ passed: true, confidence: 'verified' });
    expect(by['disputed']).toMatchObject({ passed: false, disputed: true });
    expect(by['not-there']).toMatchObject({ passed: true, status: 'refused' });
    expect(report.gold_faults).toMatchObject([{ id: 'broken-gold', sql: 'select nothing from part' }]);
    expect(report.paraphrase_stability).toBe(1);
    expect(report.figures.verified_but_wrong.map(({ id }) => id)).toEqual(['disputed']);
    expect(report.without_disputed.verified_but_wrong).toEqual([]);
    expect(report.ms.median).toBeGreaterThan(0);
  });

  it('records the prompts of an eval, and answers from the replies written into the recording', async () => {
    const gold = [{ sql: 'select colour, sum(weight) from part group by colour' }];
    const dir = await createSuiteWith([{ id: 'odd', question: 'Tally the bits and bobs hue-wise, in heft', gold }]);
    const tape = join(dir, 'tape.jsonl');
    expect((await evaluateHere(dir, { record: tape })).results[0]).toMatchObject({ status: 'refused' });
    const lines = (await readFile(tape, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ reply }) => reply)).toEqual(lines.map(() => null));
    expect(lines[0].system).toContain('table part');
    const decision = { kind: 'plan', plan: { metrics: ['total_weight'], dimensions: ['parts.colour'] } };
    const filledLines = lines.map((line) => (line.schema ? { ...line, reply: JSON.stringify(decision) } : line));
    await writeFile(tape, filledLines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const replayed = await evaluateHere(dir, { replay: tape });
    expect(replayed.results[0]).toMatchObject({ confidence: 'partial', passed: true });
    expect(await runSvc('eval', '--suite', dir, '--record', tape)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('it already exists'),
    });
    await rm(dir, { recursive: true });
  });

  it('asks the drafted lens with --draft, which lacks the names of the suite’s own lens', async () => {
    const dir = await createSuiteWith([
      { id: 'own', question: 'How many pieces are there?', gold: [{ sql: 'select count(*) from part' }] },
      {
        id: 'both',
        question: 'How many parts are red?',
        gold: [{ sql: "select count(*) from part where colour = 'red'" }],
      },
    ]);
    const lens = join(dir, 'lenses/parts/lens.yaml');
    await writeFile(
      lens,
      (await readFile(lens, 'utf8')).replace('source: public.part', 'source: public.part\n    synonyms: [pieces]'),
    );
    const fetchStatuses = async (draft: boolean) =>
      (await evaluateHere(dir, { draft })).results.map(({ status, passed }) => [status, passed]);
    expect(await fetchStatuses(false)).toEqual([
      ['answered', true],
      ['answered', true],
    ]);
    expect(await fetchStatuses(true)).toEqual([
      ['refused', false],
      ['answered', true],
    ]);
    await rm(dir, { recursive: true });
    const { exit, err } = await runSvc('eval', '--draft', 'parts');
    expect([exit, err]).toEqual([2, expect.stringContaining('--suite')]);
  });

  it('fails when a verified answer is wrong, and names the question', async () => {
    const dir = await createSuiteWith([
      { id: 'wrong', question: 'How many parts are there?', gold: [{ sql: 'select 5' }] },
    ]);
    // The command also fails for a draft, and with a recording that isn't used.
    const tape = join(dir, 'tape.jsonl');
    await writeFile(tape, '');
    const { exit, out, err } = await runSvc('eval', '--suite', dir, '--draft', '--replay', tape);
    await rm(dir, { recursive: true });
    expect(exit).toBe(1);
    expect(out).toMatch(/VERIFIED BUT WRONG {2}wrong: How many parts are there\?/);
    expect(err).toContain('1 answer(s) graded verified are wrong');
  });

  it('reports the error in each line of a suite', async () => {
    const dir = await createSuiteWith([
      { id: 'a', question: 5 },
      { id: 'b', question: 'x', expect: 'refusal' },
    ]);
    const { exit, err } = await runSvc('eval', '--suite', dir);
    await rm(dir, { recursive: true });
    expect([
      exit,
      err
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('questions')),
    ]).toEqual([
      2,
      [
        'questions.jsonl:1: question: must be text, not a number.',
        'questions.jsonl:2: expect: must be an object, not text.',
      ],
    ]);
  });

  it.each([
    [['eval'], 2, 'Give either a published lens'],
    [['eval', '--suite', '/nowhere'], 2, 'no questions.jsonl'],
  ])('reports the error in the command %j', async (args, exit, said) => {
    const reply = await runSvc(...args);
    expect(reply.exit).toBe(exit);
    expect(reply.err).toContain(said);
  });
});
