// Where the planner cannot account for a question, a model may propose: first an intent, which is validated and
// compiled like anybody's; else SQL, which must pass the guard. Neither can be graded verified on its own word.
import { failedCall } from '../../../domain/model-fault.ts';
import type { LanguageModel } from '../../../domain/ports.ts';
import { guardSql } from '../../../guard/guard-sql.ts';
import { governedRelations } from '../../../lens/governed-relations.ts';
import { Problem } from '../../../platform/problem.ts';
import type { Models } from '../../ask-deps.ts';
import type { Journal } from '../../journal.ts';
import { type EarlyEnd, type GrantedLens, isEarlyEnd, type Plan, type WrittenPlan } from '../../outcome.ts';
import { FETCH_CAP } from '../../run/fetch-rows.ts';
import { modelIsSilent } from '../../tell/helpers-away.ts';
import { type AskedQuestion, planIntent } from '../plan-question.ts';
import type { ProbeLimits } from '../probe-values.ts';
import { proposedIntent } from './proposed-intent.ts';
import { framed, framedQuestion, type ModelContext, systemPrompt } from './shown.ts';

const PLANNING_MS = 20_000; // all calls that plan one ask, repairs included
const WRITING_MS = 10_000; // one call
const REPAIRS = 2; // issue 3: at most two repair rounds

const READ_BY_MODEL =
  'A language model read this question, because the lens’s own vocabulary does not account for all of it. Check that the scope says what you meant.';

export async function planWithModel(
  models: Models,
  journal: Journal,
  granted: GrantedLens,
  asked: AskedQuestion,
  refused: EarlyEnd,
  context: ModelContext,
  limits: ProbeLimits,
): Promise<Plan | EarlyEnd> {
  const proposed = await proposeIntent(models, journal, granted, asked, context, limits);
  if (proposed === 'unanswerable') return refused;
  if (proposed) return proposed;
  if (modelIsSilent(journal)) return refused;
  return (await writeSql(models, journal, granted, asked, context, limits)) ?? refused;
}

async function proposeIntent(
  models: Models,
  journal: Journal,
  granted: GrantedLens,
  asked: AskedQuestion,
  context: ModelContext,
  limits: ProbeLimits,
): Promise<Plan | EarlyEnd | 'unanswerable' | null> {
  const intent = await proposedIntent(models, journal, granted, asked, context, limits);
  if (intent === null || intent === 'unanswerable') return intent;
  try {
    const plan = await planIntent(granted, intent, asked.choices, limits);
    if (isEarlyEnd(plan)) return plan;
    return { ...plan, read: { by: 'model' }, warnings: [...plan.warnings, READ_BY_MODEL] };
  } catch (fault) {
    if (fault instanceof Problem && fault.code === 'invalid') return null;
    throw fault;
  }
}

async function writeSql(
  models: Models,
  journal: Journal,
  granted: GrantedLens,
  asked: AskedQuestion,
  context: ModelContext,
  limits: ProbeLimits,
): Promise<WrittenPlan | null> {
  const { lens, asker } = granted;
  const writer = models.writerFor(lens.model);
  if (!writer) return null;
  const scope = {
    dialect: lens.dialect,
    relations: await governedRelations(lens, asker),
    mode: 'govern',
    maxRows: FETCH_CAP,
    shown: 'runs',
    onBehalf: { tenant: granted.orgId, caller: asker.name },
  } as const;
  let complaint = '';
  for (let round = 0; round <= REPAIRS; round++) {
    const deadlineMs = Math.min(WRITING_MS, PLANNING_MS - journal.elapsedMs());
    if (deadlineMs <= 0) return null;
    const text = await written(writer, journal, {
      system: systemPrompt(context),
      user: `Write one ${lens.dialect} SELECT statement that answers the question, over the tables of the lens by their full names. Answer with SQL only, or with the single word UNANSWERABLE.\n${framedQuestion(asked)}${complaint}`,
      deadlineMs,
      signal: limits.signal,
    });
    if (text === null) return null;
    const sql = text
      .replace(/^\s*```\w*\s*|\s*```\s*$/g, '')
      .replace(/;\s*$/, '')
      .trim();
    if (/^UNANSWERABLE\b/i.test(sql)) return null;
    try {
      await guardSql(sql, scope);
      return modelSql(granted, sql, context.examples > 0);
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault;
      const why = fault.details.map(({ message }) => message).join('\n') || fault.message;
      journal.note('model_sql', `refused: ${why}\n${sql}`);
      complaint = `\n${framed('refusal', `${sql}\n${why}`)}`;
    }
  }
  return null;
}

/** What the model wrote; null when it failed, which ends the try but not the ask. */
async function written(
  writer: LanguageModel,
  journal: Journal,
  request: Parameters<LanguageModel['write']>[0],
): Promise<string | null> {
  const started = performance.now();
  try {
    const { text, usage } = await writer.write(request);
    journal.modelCalls.push(usage);
    return text;
  } catch (fault) {
    journal.modelCalls.push(failedCall(writer, fault, performance.now() - started));
    if (request.signal?.aborted) throw fault;
    return null;
  }
}

function modelSql(granted: GrantedLens, sql: string, assisted: boolean): WrittenPlan {
  return {
    plan: 'model_sql',
    granted,
    sql,
    limit: null,
    assisted,
    read: { by: 'model' },
    values: { known: 'unknown', said: 'The values of a model’s statement are not proven.', believed: [] },
    scope: {
      filters: [],
      time: null,
      row_policies: [],
      joins: [],
      sentence: 'The rows of a statement that a language model wrote for this question.',
    },
    citations: [],
    warnings: ['A language model wrote this SQL. It passed the guard, but nobody approved what it measures.'],
  };
}
