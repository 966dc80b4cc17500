// Lets a model decide how to answer a question that the planner can't explain. The model can write a plan, write SQL,
// or ask for the definition of a term. svc validates and compiles a plan, and SQL must pass the guard. If svc refuses a
// reply, it sends the model the reason. Only the model that writes SQL can conclude that the question has no answer.

import type { Problem } from '../../../platform/problem.ts';
import { toPhraseKey } from '../../../reader/words/phrase-key.ts';
import { type CompiledPlan, type EarlyEnd, isEarlyEnd, type Plan, type SqlPlan } from '../../outcome.ts';
import { hasModelTimedOut } from '../../present/unavailable-models.ts';
import { proveReading } from '../prove-reading.ts';
import { askForDefinition, findChosenMeaning } from './ask-for-definition.ts';
import { compileDecision, listTurns, type ModelRequest, requestDecision } from './decide.ts';
import type { ModelDecision } from './decision.ts';
import { findWordToTeach } from './teach-word.ts';
import { findUndefinedTerms, listLiterals, listSqlLiterals, needsNoDefinition } from './undefined-terms.ts';
import { writeSql } from './write-sql.ts';

export async function planWithModel(modelRequest: ModelRequest, refusal: EarlyEnd): Promise<Plan | EarlyEnd> {
  let decision = await requestDecision(modelRequest);
  let compiledPlan = decision && (await compileDecision(modelRequest, decision));
  if (typeof compiledPlan === 'string' && !hasModelTimedOut(modelRequest.journal)) {
    modelRequest.journal.addNote('model_plan', `refused: ${compiledPlan}`);
    decision = await requestDecision(modelRequest, describeRefusedPlan(decision, compiledPlan));
    compiledPlan = decision && (await compileDecision(modelRequest, decision));
  }
  if (decision?.kind === 'needs_definition') {
    const missingTerm = findTermToDefine(modelRequest, decision);
    if (missingTerm) return askForDefinition(modelRequest.grantedLens.lens, missingTerm);
  }
  if (compiledPlan && typeof compiledPlan !== 'string') {
    if (isEarlyEnd(compiledPlan)) return compiledPlan;
    if (decision?.kind !== 'plan') return compiledPlan;
    return (
      askForUndefinedTerms(modelRequest, compiledPlan, listLiterals(decision.body)) ??
      withCorrection(modelRequest, await withReaderProof(modelRequest, compiledPlan, refusal), MAX_CORRECTIONS)
    );
  }
  if (hasModelTimedOut(modelRequest.journal)) return refusal;
  const writtenPlan = await writeSql(modelRequest, decision?.kind === 'sql' ? { sql: decision.sql } : null);
  return writtenPlan
    ? (askForUndefinedTerms(modelRequest, writtenPlan, listSqlLiterals(writtenPlan.sql)) ??
        withCorrection(modelRequest, writtenPlan, MAX_CORRECTIONS))
    : refusal;
}

/** The refused plan and the reason, as text for the model. */
function describeRefusedPlan(decision: ModelDecision | null, reason: string): string {
  const planBody =
    decision?.kind === 'plan' ? decision.body : decision?.kind === 'malformed' ? decision.body : undefined;
  return planBody === undefined ? reason : `${JSON.stringify(planBody)}\n${reason}`;
}

/** Returns the term that the model calls undefined, if neither the lens nor the caller has given a definition. */
function findTermToDefine(
  { grantedLens, asked }: ModelRequest,
  { missing }: Extract<ModelDecision, { kind: 'needs_definition' }>,
) {
  const question = asked.question.toLowerCase();
  return missing.find(
    ({ term }) =>
      question.includes(term.trim().toLowerCase()) &&
      findChosenMeaning(asked, term) === null &&
      !needsNoDefinition(grantedLens.lens, term),
  );
}

/** Asks about the first undefined term, even if the model assumed a meaning. */
function askForUndefinedTerms(
  { grantedLens, asked }: ModelRequest,
  plan: CompiledPlan | SqlPlan,
  literals: string[],
): EarlyEnd | null {
  const undefinedTerm = findUndefinedTerms(grantedLens.lens, asked.question, literals).find(
    (term) => findChosenMeaning(asked, term) === null,
  );
  return undefinedTerm === undefined
    ? null
    : askForDefinition(grantedLens.lens, {
        term: undefinedTerm,
        taken: plan.plan === 'compiled' ? plan.scope.sentence : null,
      });
}

/** Adds the proof by the question reader, and the meanings that the caller chose for terms, to the plan. */
async function withReaderProof(
  modelRequest: ModelRequest,
  plan: CompiledPlan,
  refusal: EarlyEnd,
): Promise<CompiledPlan> {
  const { grantedLens, asked, limits } = modelRequest;
  const question = toPhraseKey(asked.question);
  const isInQuestion = (term: string) => ` ${question} `.includes(` ${toPhraseKey(term)} `);
  const meanings = Object.entries(asked.choices)
    .filter(([term]) => isInQuestion(term) && !needsNoDefinition(grantedLens.lens, term))
    .map(([term, meaning]) => ({ term, meaning }));
  const proof = await proveReading(grantedLens, asked, plan, refusal, limits);
  const proposedChange = await findWordToTeach(modelRequest, plan, proof);
  return {
    ...plan,
    readingOrigin: { by: 'model', asked: listTurns(modelRequest), proof, meant: meanings, teaches: proposedChange },
  };
}

const MAX_CORRECTIONS = 2;

/** Lets the model correct a plan that fails in the warehouse, for example with a type error or a division by zero. */
function withCorrection<P extends CompiledPlan | SqlPlan>(
  modelRequest: ModelRequest,
  plan: P,
  attemptsLeft: number,
): P {
  if (attemptsLeft === 0) return plan;
  const sql = plan.plan === 'compiled' ? plan.compiledQuery.sql : plan.sql;
  return {
    ...plan,
    async repair(fault: Problem) {
      modelRequest.journal.addNote('model_sql', `failed: ${fault.message}\n${sql}`);
      const writtenPlan = await writeSql(modelRequest, { refusal: `${sql}\n${fault.message}` });
      return writtenPlan && withCorrection(modelRequest, writtenPlan, attemptsLeft - 1);
    },
  };
}
