// Asks a model for SQL if no plan can express a question. The guard and the engine must accept the SQL. If one of them
// refuses it, svc sends the model the reason, and the model tries again up to twice.
import { createFailedCallUsage } from '../../../domain/model-fault.ts';
import type { LanguageModel } from '../../../domain/ports.ts';
import { Problem } from '../../../platform/problem.ts';
import type { Journal } from '../../journal.ts';
import { createStatementScope, type SqlPlan } from '../../outcome.ts';
import { hasModelTimedOut } from '../../present/unavailable-models.ts';
import { guardUnapprovedSql } from '../../run/guard-plan.ts';
import type { AskedQuestion } from '../plan-question.ts';
import { describeRefusal, findRefusalReason, type ModelRequest } from './decide.ts';
import { buildSystemPrompt, type ModelContext, writeQuestionWithContext } from './model-context.ts';

const MAX_CALLS = 3; // model calls for one ask, including repairs
const MAX_REPAIRS = 2;

/** `firstAttempt` is a statement that a model has already written, or the reason why svc refused such a statement. */
export async function writeSql(
  modelRequest: ModelRequest,
  firstAttempt: { sql: string } | { refusal: string } | null = null,
): Promise<SqlPlan | null> {
  let refusal = firstAttempt && 'refusal' in firstAttempt ? firstAttempt.refusal : null;
  let sql = firstAttempt && 'sql' in firstAttempt ? firstAttempt.sql : null;
  for (let repairs = refusal === null ? 0 : 1; ; repairs++) {
    sql ??= await requestSql(modelRequest, refusal);
    if (sql === null || UNANSWERABLE_PATTERN.test(sql)) return null;
    const attempt = await checkSql(modelRequest, sql);
    if (typeof attempt !== 'string') return attempt;
    refusal = `${sql}\n${attempt}`;
    if (repairs >= MAX_REPAIRS) return null;
    sql = null;
  }
}

const UNANSWERABLE_PATTERN = /^\W*UNANSWERABLE\b/i;

/** Returns the model's SQL, or null if the call failed. A failed call doesn't end the ask. */
async function requestSql(modelRequest: ModelRequest, refusal: string | null): Promise<string | null> {
  const { models, journal, grantedLens, asked, context, limits } = modelRequest;
  const writer = models.sqlWriterFor(grantedLens.lens.model);
  if (!writer || hasModelTimedOut(journal)) return null;
  const timeoutMs = models.timeoutMs(writer.entry);
  const deadlineMs = Math.min(timeoutMs, MAX_CALLS * timeoutMs - journal.elapsedMs());
  if (deadlineMs <= 0) return null;
  const text = await requestReply(writer, journal, {
    ...buildSqlPrompt(context, asked, grantedLens.lens.dialect, refusal),
    deadlineMs,
    signal: limits.signal,
  });
  return text && stripCodeFence(text);
}

export const buildSqlPrompt = (
  context: ModelContext,
  askedQuestion: AskedQuestion,
  dialect: string,
  refusal: string | null = null,
) => ({
  system: buildSystemPrompt(context),
  user: `Write one ${dialect} SELECT statement that answers the question, over the tables of the lens by their full names. Answer with SQL only, or with the single word UNANSWERABLE.${describeRefusal(refusal)}\n${writeQuestionWithContext(askedQuestion)}`,
});

const stripCodeFence = (text: string): string =>
  text
    .replace(/^\s*```\w*\s*|\s*```\s*$/g, '')
    .replace(/;\s*$/, '')
    .trim();

async function requestReply(
  writer: LanguageModel,
  journal: Journal,
  request: Parameters<LanguageModel['write']>[0],
): Promise<string | null> {
  const startedAt = performance.now();
  try {
    const { text, usage } = await writer.write(request);
    journal.modelCalls.push(usage);
    return text;
  } catch (fault) {
    journal.modelCalls.push(createFailedCallUsage(writer, fault, performance.now() - startedAt));
    if (request.signal?.aborted) throw fault;
    return null;
  }
}

/** The plan for the SQL, or the reason why the guard or the engine refuses it. */
async function checkSql(
  { journal, grantedLens, context, limits }: ModelRequest,
  sql: string,
): Promise<SqlPlan | string> {
  try {
    const statement = await guardUnapprovedSql(grantedLens, sql);
    await grantedLens.warehouse.describe(statement, { timeoutMs: limits.timeoutMs, signal: limits.signal });
    return createModelSqlPlan(grantedLens, sql, context.exampleCount > 0);
  } catch (fault) {
    if (!(fault instanceof Problem) || UNAVAILABLE_CODES.has(fault.code)) throw fault;
    const reason = findRefusalReason(fault);
    journal.addNote('model_sql', `refused: ${reason}\n${sql}`);
    return reason;
  }
}

const UNAVAILABLE_CODES = new Set(['unreachable', 'timeout', 'rate_limited']);

function createModelSqlPlan(grantedLens: SqlPlan['grantedLens'], sql: string, isAssisted: boolean): SqlPlan {
  return {
    plan: 'model_sql',
    grantedLens,
    sql,
    limit: null,
    usedExamples: isAssisted,
    readingOrigin: { by: 'model', asked: null },
    values: {
      certainty: 'unknown',
      detail: 'svc did not check that the filter values in the model’s SQL exist.',
      assumedValues: [],
    },
    scope: createStatementScope('Rows returned by SQL that a language model wrote for this question.'),
    citations: [],
    warnings: ['A language model wrote this SQL. It passed the guard, but no one approved its measure.'],
  };
}
