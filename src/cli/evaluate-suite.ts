// Runs a suite against the real service in a temporary PostgreSQL database.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startTemporaryPostgres, type TemporaryPostgres } from '../adapters/embedded-postgres/temporary-postgres.ts';
import type { Cassette } from '../adapters/language-model/cassette.ts';
import { createBackgroundContext } from '../ask/entry-points.ts';
import { createEvalPorts } from '../ask/run-lens-evals.ts';
import type { Envelope } from '../contract/ask.ts';
import { type ExpectedRows, findExpectedOutcome } from '../domain/evals/judge-case.ts';
import { findReader } from '../domain/evals/readers.ts';
import type { EvalPorts } from '../domain/evals/run-evals.ts';
import {
  createReport,
  type ExpectedSqlFault,
  getExpectation,
  judgeByAnyExpectedRows,
  type QuestionResult,
  type SuiteQuestion,
  type SuiteReport,
  suiteQuestionSchema,
} from '../domain/evals/suite.ts';
import { createInternalAdmin } from '../domain/identity/principal.ts';
import type { ModelUsage } from '../domain/ports.ts';
import { ProjectRefusal } from '../domain/project/apply-project.ts';
import { draftFromWarehouse } from '../domain/semantic/introspect.ts';
import { loadProjectFolder } from '../lens/files/load-project-folder.ts';
import { describeFaults, formatFault } from '../platform/http/describe-faults.ts';
import type { WiredService } from '../wire.ts';
import { readSuiteLoadStatements } from './suite-load.ts';
import { runInTemporaryService } from './temporary-service.ts';
import { Failure } from './terminal/failure.ts';

const ASK_TIMEOUT_MS = 120_000;

type ProgressListener = (activity: string, done: number, total: number) => void;

export async function evaluateSuite(
  suite: string,
  /** Replaces the suite's lens with the unedited draft that introspection makes from the database. */
  usesDraft: boolean,
  progress: ProgressListener,
  cassette: Cassette | null = null,
  controlUrl?: string,
): Promise<SuiteReport> {
  const questions = await readSuiteQuestions(suite);
  progress('Starting', 0, 1);
  const postgres = await startTemporaryPostgres(controlUrl);
  try {
    const files = withSuiteConnection(await loadProjectFolder(suite), postgres);
    await loadSuiteData(postgres, suite, progress);
    return await runInTemporaryService(postgres, { project: suite, cassette }, async (service, orgId) => {
      if (usesDraft) {
        const connection = { 'svc.config.yaml': files['svc.config.yaml']! };
        await applyFiles(service, orgId, connection);
        await applyFiles(service, orgId, { ...(await draftLensFiles(service, orgId, files)), ...connection });
      } else await applyFiles(service, orgId, files);
      return await askQuestions(service, orgId, questions, postgres, progress);
    });
  } finally {
    await postgres.stop();
  }
}

async function readSuiteQuestions(suite: string): Promise<SuiteQuestion[]> {
  const text = await readFile(join(suite, 'questions.jsonl'), 'utf8').catch(() => {
    throw new Failure(`${suite} is not a suite: it has no questions.jsonl.`, 2);
  });
  const faults: string[] = [];
  const questions = text.split('\n').flatMap((line, index): SuiteQuestion[] => {
    if (!line.trim()) return [];
    const location = `questions.jsonl:${index + 1}`;
    try {
      const input: unknown = JSON.parse(line);
      const parsedQuestion = suiteQuestionSchema.safeParse(input);
      if (parsedQuestion.success) return [parsedQuestion.data];
      for (const fault of describeFaults(parsedQuestion.error, suiteQuestionSchema, input))
        faults.push(`${location}: ${formatFault(fault)}`);
    } catch (fault) {
      faults.push(`${location}: ${(fault as Error).message}`);
    }
    return [];
  });
  if (faults.length > 0) throw new Failure(faults.join('\n'), 2);
  return questions;
}

function withSuiteConnection(files: Record<string, string>, { connection }: TemporaryPostgres): Record<string, string> {
  const config = (parse(files['svc.config.yaml'] ?? '') ?? {}) as { connections?: Record<string, { kind?: string }> };
  if (config.connections?.['suite']?.kind !== connection.kind) return files;
  const connections = { ...config.connections, suite: connection };
  return { ...files, 'svc.config.yaml': stringify({ ...config, connections }) };
}

async function loadSuiteData(postgres: TemporaryPostgres, suite: string, progress: ProgressListener): Promise<void> {
  const files = await readSuiteLoadStatements(suite);
  for (const [index, { name, sql }] of files.entries()) {
    progress('Loading', index, files.length);
    await postgres.load(sql).catch((fault: Error) => {
      throw new Failure(`load/${name} does not run: ${fault.message.split('\n')[0]}`);
    });
  }
}

async function draftLensFiles(
  { deps }: WiredService,
  orgId: string,
  files: Record<string, string>,
): Promise<Record<string, string>> {
  const [lens, secondLens] = Object.keys(files).flatMap(
    (path) => /^lenses\/([^/]+)\/lens\.yaml$/.exec(path)?.[1] ?? [],
  );
  if (!lens || secondLens) throw new Failure('--draft needs a suite with exactly one lens.', 2);
  const warehouse = await deps.warehouses.get(orgId, 'suite');
  return (await draftFromWarehouse(warehouse, orgId, { connection: 'suite', name: lens, profile: true })).files;
}

async function applyFiles(service: WiredService, orgId: string, files: Record<string, string>): Promise<void> {
  try {
    await service.applyProject({ orgId, files });
  } catch (fault) {
    if (!(fault instanceof ProjectRefusal)) throw fault;
    const problemLines = fault.problems.map(
      ({ path, line, message }) => `${path}${line ? `:${line}` : ''}: ${message}`,
    );
    throw new Failure(`The project of the suite can't be applied.\n${problemLines.join('\n')}`);
  }
}

async function askQuestions(
  { deps }: WiredService,
  orgId: string,
  questions: SuiteQuestion[],
  postgres: TemporaryPostgres,
  progress: ProgressListener,
): Promise<SuiteReport> {
  const lenses = await deps.lenses.list(orgId, null);
  const principal = createInternalAdmin(orgId, 'evaluator');
  const ports = new Map<string, EvalPorts>();
  const calls: ModelUsage[] = [];
  const onModelCall = (call: ModelUsage) => void calls.push(call);
  for (const liveLens of lenses) {
    const warehouse = await deps.warehouses.get(orgId, liveLens.lens.connection);
    ports.set(liveLens.name, createEvalPorts(deps.untracedAsk, principal, liveLens, warehouse, { onModelCall }));
  }
  const onlyLensName = lenses.length === 1 ? lenses[0]!.name : null;
  const isLoaded = lenses.some(({ lens }) => lens.connection === 'suite' && lens.dialect === postgres.connection.kind);
  const results: QuestionResult[] = [];
  const goldFaults: ExpectedSqlFault[] = [];
  for (const [index, question] of questions.entries()) {
    progress('Asking', index, questions.length);
    const expect = getExpectation(question);
    const lens = question.lens ?? onlyLensName;
    const port = lens === null ? undefined : ports.get(lens);
    if (lens !== null && !port)
      throw new Failure(`Question ${question.id} names the lens ${lens}, which does not exist.`, 2);
    const expectedResults: ExpectedRows[] = [];
    if ('rows' in expect) expectedResults.push({ rows: expect.rows, ordered: false });
    if ('value' in expect) expectedResults.push({ rows: [[expect.value]], ordered: false });
    const sqls = 'sql' in expect ? new Set([expect.sql, ...question.gold.map(({ sql }) => sql)]) : [];
    for (const sql of sqls) {
      try {
        expectedResults.push(
          isLoaded
            ? { rows: await postgres.query(sql), ordered: isOuterQueryOrdered(sql) }
            : await port!.fetchRows(sql),
        );
      } catch (fault) {
        goldFaults.push({ id: question.id, sql, message: (fault as Error).message });
      }
    }
    if (findExpectedOutcome(expect) === 'answer' && expectedResults.length === 0 && !('status' in expect)) continue;
    for (const [nth, words] of [question.question, ...question.paraphrases].entries()) {
      const startedAt = performance.now();
      const pendingEnvelope = port
        ? port.ask(words, question.choices ?? null)
        : deps.ask.queryWithRouting(
            { ...createBackgroundContext(principal, AbortSignal.timeout(ASK_TIMEOUT_MS)), surface: 'cli' },
            { q: words, format: 'structured', choices: question.choices },
          );
      const envelope = await pendingEnvelope.catch((fault: Error) => createFailedEnvelope(fault));
      results.push({
        id: question.id,
        question: words,
        paraphrase: nth > 0,
        disputed: Boolean(question.disputed),
        expects: findExpectedOutcome(expect),
        ...judgeByAnyExpectedRows(expect, expectedResults, envelope),
        status: envelope.status,
        confidence: envelope.confidence,
        reader: findReader(envelope),
        sql: envelope.sql,
        answer: envelope.answer,
        scope: envelope.scope?.sentence ?? null,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
      });
    }
  }
  progress('Asking', questions.length, questions.length);
  return createReport(results, goldFaults, calls);
}

/** A failed ask counts as a wrong answer and doesn't stop the suite. */
const createFailedEnvelope = (fault: Error): Envelope =>
  ({
    ...{ status: 'failed', confidence: 'unverified', sql: null, answer: fault.message, scope: null },
    ...{ error: { code: 'internal', message: fault.message }, clarification: null, data: null, columns: null },
  }) as unknown as Envelope;

/** Ignores an ORDER BY in parentheses and literals. */
function isOuterQueryOrdered(sql: string): boolean {
  let outerSql = sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  for (let previousSql = ''; previousSql !== outerSql; ) {
    previousSql = outerSql;
    outerSql = outerSql.replaceAll(/\([^()]*\)/g, ' ');
  }
  return /\border\s+by\b/i.test(outerSql);
}
