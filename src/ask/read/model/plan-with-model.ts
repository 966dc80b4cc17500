// Where the planner cannot account for a question, a model decides how it is answered: by a plan, which is validated and
// compiled like anyone's; by SQL, which must pass the guard; or not before a term is defined. What is refused goes back
// to it with the reason. Only who writes SQL may end on that it can't be answered.

import type { Problem } from '../../../platform/problem.ts';
import { phraseKey } from '../../../reader/words/vocabulary.ts';
import { type CompiledPlan, type EarlyEnd, isEarlyEnd, type Plan, type WrittenPlan } from '../../outcome.ts';
import { modelIsSilent } from '../../tell/helpers-away.ts';
import { proveReading } from '../prove-reading.ts';
import { askForDefinition, chosenMeaning } from './ask-for-definition.ts';
import { decide, type ModelReader } from './decide.ts';
import { compiledOf, wordsOf } from './decided-plan.ts';
import type { Decided } from './decision.ts';
import { wordToTeach } from './teach-word.ts';
import { isSaid, literalsOf, literalsOfSql, undefinedTerms } from './undefined-terms.ts';
import { writeSql } from './write-sql.ts';

export async function planWithModel(reader: ModelReader, refusal: EarlyEnd): Promise<Plan | EarlyEnd> {
  let decided = await decide(reader);
  let made = decided && (await compiledOf(reader, decided));
  if (typeof made === 'string' && !modelIsSilent(reader.journal)) {
    reader.journal.note('model_plan', `refused: ${made}`);
    decided = await decide(reader, refusedPlan(decided, made));
    made = decided && (await compiledOf(reader, decided));
  }
  if (decided?.kind === 'needs_definition') {
    const asked = termToDefine(reader, decided);
    if (asked) return askForDefinition(reader.granted.lens, asked);
  }
  if (made && typeof made !== 'string') {
    if (isEarlyEnd(made)) return made;
    if (decided?.kind !== 'plan') return made;
    return (
      defined(reader, made, literalsOf(decided.body)) ?? mendable(reader, await proven(reader, made, refusal), RUNS)
    );
  }
  if (modelIsSilent(reader.journal)) return refusal;
  const written = await writeSql(reader, decided?.kind === 'sql' ? { sql: decided.sql } : null);
  return written ? (defined(reader, written, literalsOfSql(written.sql)) ?? mendable(reader, written, RUNS)) : refusal;
}

/** A refused plan goes back with the reason. */
function refusedPlan(decided: Decided | null, why: string): string {
  const given = decided?.kind === 'plan' ? decided.body : decided?.kind === 'malformed' ? decided.given : undefined;
  return given === undefined ? why : `${JSON.stringify(given)}\n${why}`;
}

/** A term of the question that a model calls undefined, and that is: the lens does not have it, the caller has not said. */
function termToDefine({ granted, asked }: ModelReader, { missing }: Extract<Decided, { kind: 'needs_definition' }>) {
  const question = asked.question.toLowerCase();
  return missing.find(
    ({ term }) =>
      question.includes(term.trim().toLowerCase()) &&
      chosenMeaning(asked, term) === null &&
      !isSaid(granted.lens, term),
  );
}

/** Asks for the first term that no one has defined, whatever the model made of it. */
function defined(
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

/** The plan with what the reader makes of its question, and with what the caller said that terms mean. */
async function proven(reader: ModelReader, plan: CompiledPlan, refusal: EarlyEnd): Promise<CompiledPlan> {
  const { granted, asked, limits } = reader;
  const question = phraseKey(asked.question);
  const said = (term: string) => ` ${question} `.includes(` ${phraseKey(term)} `);
  const meant = Object.entries(asked.choices)
    .filter(([term]) => said(term) && !isSaid(granted.lens, term))
    .map(([term, meaning]) => ({ term, meaning }));
  const proof = await proveReading(granted, asked, plan, refusal, limits);
  const teaches = await wordToTeach(reader, plan, proof);
  return { ...plan, read: { by: 'model', asked: wordsOf(reader), proof, meant, teaches } };
}

const RUNS = 2;

/** What the warehouse makes of it as it runs goes back too: another type than it seemed, a division by zero. */
function mendable<P extends CompiledPlan | WrittenPlan>(reader: ModelReader, plan: P, runs: number): P {
  if (runs === 0) return plan;
  const sql = plan.plan === 'compiled' ? plan.compiled.sql : plan.sql;
  return {
    ...plan,
    async mend(fault: Problem) {
      reader.journal.note('model_sql', `failed: ${fault.message}\n${sql}`);
      const written = await writeSql(reader, { refusal: `${sql}\n${fault.message}` });
      return written && mendable(reader, written, runs - 1);
    },
  };
}
