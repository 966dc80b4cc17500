import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSuiteLoadStatements } from '../../src/cli/suite-load.ts';
import type { SentEnvelope } from '../../src/contract/ask.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';

const SUITES = join(import.meta.dirname, '../suites');
const NAMES = readdirSync(SUITES).filter((name) => existsSync(join(SUITES, name, 'questions.jsonl')));
const questionsOf = (suite: string): string[] =>
  readFileSync(join(SUITES, suite, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).question);
const lensOf = new Map<string, string>();
const files: Record<string, string> = {};
const connections: Record<string, unknown> = {};
for (const suite of NAMES) {
  const url = await createDatabase(...(await readSuiteLoadStatements(join(SUITES, suite))).map(({ sql }) => sql));
  connections[suite] = connectionTo(url);
  for (const [path, text] of Object.entries(await loadProjectFolder(join(SUITES, suite)))) {
    if (!path.startsWith('lenses/')) continue;
    files[path] = String(text).replace(/^connection: .*$/m, `connection: ${suite}`);
    if (path.endsWith('lens.yaml')) lensOf.set(suite, /^name: *(\S+)/m.exec(String(text))![1]!);
  }
}
files['svc.config.yaml'] = JSON.stringify({ connections });
const app = await startTestApp({ files });

describe('the plan of an answer', () => {
  it.each(NAMES)('in the suite %s compiles to the same statement again', { timeout: 300_000 }, async (suite) => {
    const lens = lensOf.get(suite)!;
    const open: string[] = [];
    let compiled = 0;
    // Half of the questions, because an error usually affects many answers.
    for (const q of questionsOf(suite).filter((_q, at) => at % 2 === 0)) {
      const askBody = { q, plan: true, dry_run: true };
      const { body } = await app.post<SentEnvelope>(`/v1/lenses/${lens}/query`, askBody);
      if (body.status !== 'answered' || body.certified_id !== null) continue;
      compiled++;
      if (typeof body.plan !== 'object') open.push(`${q}\n  no plan: ${body.sql}`);
      else {
        const planReply = await app.post<SentEnvelope>(`/v1/lenses/${lens}/metrics?plan=true`, {
          ...body.plan,
          dry_run: true,
        });
        if (planReply.body.sql !== body.sql || JSON.stringify(planReply.body.plan) !== JSON.stringify(body.plan))
          open.push(`${q}\n  ${JSON.stringify(body.plan)}\n  ${body.sql}\n  ${planReply.body.sql ?? planReply.text}`);
      }
    }
    expect(open).toEqual([]);
    expect(compiled).toBeGreaterThan(20);
  });
});
