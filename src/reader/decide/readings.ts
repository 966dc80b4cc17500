// The readings of a question: all that make a plan, and those that remain.
import { planSentence } from '../../plan/plan-sentence.ts';
import { type Edge, whole } from '../chart/chart.ts';
import { WORD_DATA } from '../lattice/word-data.ts';
import { applyChange } from '../meaning/changed.ts';
import type { Fork } from '../meaning/settle.ts';
import type { Query, Term } from '../meaning/terms.ts';
import type { PlannerInput } from '../reading.ts';
import { withoutRestricting } from '../restrictions/settle-words.ts';
import { isTooLong } from '../words/longest.ts';
import { type Complete, completed } from './complete-reading.ts';
import { type Parsed, parsed, SPOKEN } from './parse-question.ts';
import { approved, lowest, named, ofOwn, ofRows, unjoined, unsplit } from './preferred-readings.ts';

export interface Found extends Parsed {
  complete: Complete[];
  /** Why the question has no plan. */
  faults: string[];
}

/** The previous question, unless it is too long to read. */
export const earlierOf = ({ context = [] }: PlannerInput): string | undefined =>
  context.slice(-1).find((question) => !isTooLong(question));

/** Null if a limit was reached, because another reading could be missing. */
export const completeReadings = (input: PlannerInput, as = SPOKEN): Found | null => {
  const found = parsed(as, input);
  if (!found || found.chart.cut) return null;
  const faults: string[] = [];
  const { chart, lattice, roots } = found;
  const alone = (): Complete[] =>
    roots.flatMap((edge) => completed({ query: edge.term as Query, edge, before: null }, input, found, faults));
  const question = earlierOf(input);
  const changes = question === undefined ? [] : whole(chart, lattice, 'change');
  if (question === undefined || changes.length === 0) return { ...found, complete: alone(), faults };
  const earlier = {
    ...input,
    question: withoutRestricting(question, input.lens, input.now),
    context: input.context!.slice(0, -1),
  };
  const base = readingsLeft(earlier, as);
  const changed = (edges: readonly Edge<Term>[]): Complete[] =>
    base.flatMap((one) =>
      edges.flatMap((edge) => {
        const query = applyChange(one.query, edge.term as Query);
        return query ? completed({ query, edge, before: { question, as: one } }, input, found, faults) : [];
      }),
    );
  // A question that begins like a follow-up is only read as one. Any other complete question is read by itself.
  const opened = changed(changes.filter(({ term }) => term.features.includes('opened')));
  const own = opened.length > 0 ? opened : alone();
  return { ...found, complete: own.length > 0 ? own : changed(changes), faults };
};

/** The term of a clarification whose options are the sentences of the readings. */
export const READING = 'reading';
/**
 * The chosen option. `choices` can name the term by itself or by its words, and the option by its key or the last part
 * of it.
 */
export const answerTo = ({ term, options, defined }: Fork, choices: PlannerInput['choices']): number | null => {
  const said = [term, ...(defined?.synonyms ?? []), options.map(({ key }) => key).join(' or ')];
  const led = Object.keys(choices).find((one) => one.toLowerCase().endsWith(` ${term.toLowerCase()}`));
  const answer = said.map((one) => choices[one]).find(Boolean) ?? (led && choices[led]);
  const at = options.findIndex(({ key }) => key === answer || key.split('.').at(-1) === answer);
  return at < 0 ? null : at;
};

/** The readings that remain when one class yields to another. */
export const readingsLeft = (
  input: PlannerInput,
  as = SPOKEN,
  found = completeReadings(input, as),
): readonly Complete[] => {
  const chosen = ({ forks }: Complete): boolean =>
    forks.every((fork) => [null, fork.taken].includes(answerTo(fork, input.choices)));
  const said = input.choices[READING];
  const all = ofRows((found?.complete ?? []).filter(chosen));
  return lowest(unjoined(unsplit(ofOwn(named(approved(all)), input.lens), WORD_DATA), input.lens)).filter(
    ({ plan }) => said === undefined || planSentence(input.lens, plan) === said,
  );
};
