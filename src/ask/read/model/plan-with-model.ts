// Lets a model decide how to answer a question that the planner can't explain. The model can write a plan, which svc
// validates and compiles, write SQL, which must pass the guard, or ask for the definition of a term. If svc refuses a
// reply, the model gets the reason. Only the model that writes SQL can conclude that the question has no answer.

import type { Problem } from '../../../platform/problem.ts';
import { phraseKey } from '../../../reader/words/phrase-key.ts';
import { type CompiledPlan, type EarlyEnd, isEarlyEnd, type Plan, type WrittenPlan } from '../../outcome.ts';
import { modelTimedOut } from '../../tell/unavailable-models.ts';
import { proveReading } from '../prove-reading.ts';
import { askForDefinition, chosenMeaning } from './ask-for-definition.ts';
import { decide, type ModelReader } from './decide.ts';
import { compiledOf, wordsOf } from './decided-plan.ts';
import type { Decided } from './decision.ts';
import { wordToTeach } from './teach-word.ts';
import { isMentioned, literalsOf, literalsOfSql, undefinedTerms } from './undefined-terms.ts';
import { writeSql } from './write-sql.ts';

export async function planWithModel(reader: ModelReader, refusal: EarlyEnd): Promise<Plan | EarlyEnd> {
  let decided = await decide(reader);
  let compiled = decided && (await compiledOf(reader, decided));
  if (typeof compiled === 'string' && !modelTimedOut(reader.journal)) {
    reader.journal.note('model_plan', `refused: ${compiled}`);
    decided = await decide(reader, refusedPlan(decided, compiled));
    compiled = decided && (await compiledOf(reader, decided));
  }
  if (decided?.kind === 'needs_definition') {
    const missing = termToDefine(reader, decided);
    if (missing) return askForDefinition(reader.granted.lens, missing);
  }
  if (compiled && typeof compiled !== 'string') {
    if (isEarlyEnd(compiled)) return compiled;
    if (decided?.kind !== 'plan') return compiled;
    return (
      askForUndefinedTerms(reader, compiled, literalsOf(decided.body)) ??
      withRepair(reader, await withReaderProof(reader, compiled, refusal), RUNS)
    );
  }
  if (modelTimedOut(reader.journal)) return refusal;
  const written = await writeSql(reader, decided?.kind === 'sql' ? { sql: decided.sql } : null);
  return written
    ? (askForUndefinedTerms(reader, written, literalsOfSql(written.sql)) ?? withRepair(reader, written, RUNS))
    : refusal;
}

/** The refused plan and the reason, as text for the model. */
function refusedPlan(decided: Decided | null, why: string): string {
  const planBody = decided?.kind === 'plan' ? decided.body : decided?.kind === 'malformed' ? decided.given : undefined;
  return planBody === undefined ? why : `${JSON.stringify(planBody)}\n${why}`;
}

/** A term that the model calls undefined, if the lens has no definition and the caller hasn't given one. */
function termToDefine({ granted, asked }: ModelReader, { missing }: Extract<Decided, { kind: 'needs_definition' }>) {
  const question = asked.question.toLowerCase();
  return missing.find(
    ({ term }) =>
      question.includes(term.trim().toLowerCase()) &&
      chosenMeaning(asked, term) === null &&
      !isMentioned(granted.lens, term),
  );
}

/** Asks for the first undefined term, even if the model assumed a meaning. */
function askForUndefinedTerms(
  { granted, asked }: ModelReader,
  plan: CompiledPlan | WrittenPlan,
  literals: string[],
): EarlyEnd | null {
  const open = undefinedTerms(granted.lens, asked.question, literals).find(
    (term) => chosenMeaning(asked, term) === null,
  );
  return open === undefined
    ? null
    : askForDefinition(granted.lens, { term: open, taken: plan.plan === 'compiled' ? plan.scope.sentence : null });
}

/** Adds the reader's proof to the plan, and the meanings that the caller chose for terms. */
async function withReaderProof(reader: ModelReader, plan: CompiledPlan, refusal: EarlyEnd): Promise<CompiledPlan> {
  const { granted, asked, limits } = reader;
  const question = phraseKey(asked.question);
  const inQuestion = (term: string) => ` ${question} `.includes(` ${phraseKey(term)} `);
  const meant = Object.entries(asked.choices)
    .filter(([term]) => inQuestion(term) && !isMentioned(granted.lens, term))
    .map(([term, meaning]) => ({ term, meaning }));
  const proof = await proveReading(granted, asked, plan, refusal, limits);
  const teaches = await wordToTeach(reader, plan, proof);
  return { ...plan, read: { by: 'model', asked: wordsOf(reader), proof, meant, teaches } };
}

const RUNS = 2;

/** Lets the model correct a plan that fails in the warehouse, for example with a type error or a division by zero. */
function withRepair<P extends CompiledPlan | WrittenPlan>(reader: ModelReader, plan: P, runs: number): P {
  if (runs === 0) return plan;
  const sql = plan.plan === 'compiled' ? plan.compiled.sql : plan.sql;
  return {
    ...plan,
    async mend(fault: Problem) {
      reader.journal.note('model_sql', `failed: ${fault.message}\n${sql}`);
      const written = await writeSql(reader, { refusal: `${sql}\n${fault.message}` });
      return written && withRepair(reader, written, runs - 1);
    },
  };
}
