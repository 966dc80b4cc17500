// Finds the readings of a question: all that make a plan, and those that remain after the preferences.
import { sentenceOf } from '../canonical/sentence.ts';
import { type Edge, spanningEdges } from '../chart/chart.ts';
import { WORD_DATA } from '../lattice/word-data.ts';
import { applyChange } from '../meaning/changed.ts';
import type { Ambiguity } from '../meaning/name-resolution.ts';
import type { Query, Term } from '../meaning/terms.ts';
import type { PlannerInput } from '../reading.ts';
import { withoutRestricting } from '../restrictions/settle-words.ts';
import { isTooLong } from '../words/length-limit.ts';
import { type Interpretation, interpretationsOf } from './interpretations.ts';
import { type Parsed, parsed, SPOKEN } from './parse-question.ts';
import {
  nearestAttachment,
  preferOwnFields,
  preferRows,
  preferThings,
  unjoined,
  withoutMetricNamesInFields,
  withoutSplitNames,
} from './preferences.ts';

export interface Interpreted extends Parsed {
  complete: Interpretation[];
  faults: string[];
}

/** The previous question, as asked and as the grammar reads it. Null if there is none, or if it is too long. */
export const earlierOf = (input: PlannerInput): { asked: string; input: PlannerInput } | null => {
  const { context = [], lens, now } = input;
  const asked = context.at(-1);
  if (asked === undefined || isTooLong(asked)) return null;
  return {
    asked,
    input: { ...input, question: withoutRestricting(asked, lens, now), context: context.slice(0, -1) },
  };
};

/** Null if the parser reached a limit, because another reading could be missing. */
export const interpret = (input: PlannerInput, as = SPOKEN): Interpreted | null => {
  const found = parsed(as, input);
  if (!found || found.chart.cut) return null;
  const faults: string[] = [];
  const { chart, lattice, roots } = found;
  const alone = (): Interpretation[] =>
    roots.flatMap((edge) => interpretationsOf({ query: edge.term as Query, edge, before: null }, input, found, faults));
  const earlier = earlierOf(input);
  const changes = earlier ? spanningEdges(chart, lattice, 'change') : [];
  if (!earlier || changes.length === 0) return { ...found, complete: alone(), faults };
  const base = preferredInterpretations(earlier.input, as);
  const changed = (edges: readonly Edge<Term>[]): Interpretation[] =>
    base.flatMap((item) =>
      edges.flatMap((edge) => {
        const query = applyChange(item.query, edge.term as Query);
        return query
          ? interpretationsOf({ query, edge, before: { question: earlier.asked, as: item } }, input, found, faults)
          : [];
      }),
    );
  // A question that begins like a follow-up is only read as one. Any other complete question has no context.
  const opened = changed(changes.filter(({ term }) => term.features.includes('opened')));
  const completeInterpretations = opened.length > 0 ? opened : alone();
  return {
    ...found,
    complete: completeInterpretations.length > 0 ? completeInterpretations : changed(changes),
    faults,
  };
};

/** The term of a clarification whose options are the sentences of the readings. */
export const READING_CHOICE = 'reading';
/** The chosen option. `choices` names the term or its words, and the option's key or the last part of it. */
export const chosenCandidate = (
  { term, options, defined }: Ambiguity,
  choices: PlannerInput['choices'],
): number | null => {
  const names = [term, ...(defined?.synonyms ?? []), options.map(({ key }) => key).join(' or ')];
  const led = Object.keys(choices).find((key) => key.toLowerCase().endsWith(` ${term.toLowerCase()}`));
  const answer = names.map((name) => choices[name]).find(Boolean) ?? (led && choices[led]);
  const index = options.findIndex(({ key }) => key === answer || key.split('.').at(-1) === answer);
  return index < 0 ? null : index;
};

/** The readings that remain after one class of readings yields to another. */
export const preferredInterpretations = (
  input: PlannerInput,
  as = SPOKEN,
  found = interpret(input, as),
): readonly Interpretation[] => {
  const chosen = ({ ambiguities }: Interpretation): boolean =>
    ambiguities.every((ambiguity) => [null, ambiguity.taken].includes(chosenCandidate(ambiguity, input.choices)));
  const sentence = input.choices[READING_CHOICE];
  const all = preferRows((found?.complete ?? []).filter(chosen));
  return nearestAttachment(
    unjoined(
      withoutSplitNames(preferOwnFields(preferThings(withoutMetricNamesInFields(all)), input.lens), WORD_DATA),
      input.lens,
    ),
  ).filter(({ plan }) => sentence === undefined || sentenceOf(input.lens, plan) === sentence);
};
