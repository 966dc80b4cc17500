// Finds all interpretations of a question that have a plan, and selects the preferred interpretations.
import { writeSentence } from '../canonical/sentence.ts';
import { type ChartEdge, findSpanningEdges } from '../chart/chart.ts';
import { applyFollowUpChange } from '../meaning/apply-changes.ts';
import type { Ambiguity } from '../meaning/name-resolution.ts';
import type { QueryTerm, Term } from '../meaning/terms.ts';
import type { ReaderInput } from '../reader-result.ts';
import { removeRestrictions } from '../restrictions/read-with-restrictions.ts';
import { isTooLong } from '../words/length-limit.ts';
import { type Interpretation, resolveInterpretations } from './interpretations.ts';
import { ENGLISH_GRAMMAR, type ParsedQuestion, parseQuestionWithCache } from './parse-question.ts';
import {
  dropInterpretationsThatSplitNames,
  dropMetricNamesInFields,
  preferEntitiesToValues,
  preferNearestAttachment,
  preferOwnFields,
  preferRows,
  preferUnjoinedColumns,
} from './preferences.ts';

export interface InterpretedQuestion extends ParsedQuestion {
  interpretations: Interpretation[];
  faults: string[];
}

/**
 * Returns the previous question, both as text and as the input for the grammar. Returns null if there is no previous
 * question, or if the previous question is too long.
 */
export const findEarlierTurn = (input: ReaderInput): { question: string; input: ReaderInput } | null => {
  const { context = [], lens, now } = input;
  const question = context.at(-1);
  if (question === undefined || isTooLong(question)) return null;
  return {
    question,
    input: { ...input, question: removeRestrictions(question, lens, now), context: context.slice(0, -1) },
  };
};

/** Returns null if the parser reached a limit, because an interpretation could be missing. */
export const interpretQuestion = (input: ReaderInput, grammar = ENGLISH_GRAMMAR): InterpretedQuestion | null => {
  const parsedQuestion = parseQuestionWithCache(grammar, input);
  if (!parsedQuestion || parsedQuestion.chart.isTruncated) return null;
  const faults: string[] = [];
  const { chart, hypotheses, roots } = parsedQuestion;
  const interpretAlone = (): Interpretation[] =>
    roots.flatMap((edge) =>
      resolveInterpretations({ query: edge.term as QueryTerm, edge, before: null }, input, parsedQuestion, faults),
    );
  const earlierTurn = findEarlierTurn(input);
  const changes = earlierTurn ? findSpanningEdges(chart, hypotheses, 'change') : [];
  if (!earlierTurn || changes.length === 0) return { ...parsedQuestion, interpretations: interpretAlone(), faults };
  const base = findPreferredInterpretations(earlierTurn.input, grammar);
  const applyChanges = (edges: readonly ChartEdge<Term>[]): Interpretation[] =>
    base.flatMap((item) =>
      edges.flatMap((edge) => {
        const query = applyFollowUpChange(item.query, edge.term as QueryTerm);
        return query
          ? resolveInterpretations(
              { query, edge, before: { question: earlierTurn.question, interpretation: item } },
              input,
              parsedQuestion,
              faults,
            )
          : [];
      }),
    );
  // A question that begins like a follow-up is always a follow-up. Any other complete question doesn't depend on the
  // earlier questions.
  const openingChanges = applyChanges(changes.filter(({ term }) => term.features.includes('opened')));
  const completeInterpretations = openingChanges.length > 0 ? openingChanges : interpretAlone();
  return {
    ...parsedQuestion,
    interpretations: completeInterpretations.length > 0 ? completeInterpretations : applyChanges(changes),
    faults,
  };
};

/** The term in `choices` for a clarification whose options are the sentences of the interpretations. */
export const INTERPRETATION_CHOICE_TERM = 'reading';
/**
 * Returns the index of the chosen option. A choice is the key of an option, the last part of the key, or a unique
 * label.
 */
export const findChosenOptionIndex = (
  { term, options, defined }: Ambiguity,
  choices: ReaderInput['choices'],
): number | null => {
  const names = [term, ...(defined?.synonyms ?? []), options.map(({ key }) => key).join(' or ')];
  const prefixedKey = Object.keys(choices).find((key) => key.toLowerCase().endsWith(` ${term.toLowerCase()}`));
  const choice = names.map((name) => choices[name]).find(Boolean) ?? (prefixedKey && choices[prefixedKey]);
  const index = options.findIndex(({ key }) => key === choice || key.split('.').at(-1) === choice);
  if (index >= 0) return index;
  const labeled = options.flatMap(({ label }, labelIndex) => (label === choice ? [labelIndex] : []));
  return labeled.length === 1 ? labeled[0]! : null;
};

/** Returns the interpretations that remain after svc has applied the caller's choices and its own preferences. */
export const findPreferredInterpretations = (
  input: ReaderInput,
  grammar = ENGLISH_GRAMMAR,
  interpreted = interpretQuestion(input, grammar),
): readonly Interpretation[] => {
  const agreesWithChoices = ({ ambiguities }: Interpretation): boolean =>
    ambiguities.every((ambiguity) =>
      [null, ambiguity.takenIndex].includes(findChosenOptionIndex(ambiguity, input.choices)),
    );
  const sentence = input.choices[INTERPRETATION_CHOICE_TERM];
  const interpretations = preferRows((interpreted?.interpretations ?? []).filter(agreesWithChoices));
  return preferNearestAttachment(
    preferUnjoinedColumns(
      dropInterpretationsThatSplitNames(
        preferOwnFields(preferEntitiesToValues(dropMetricNamesInFields(interpretations)), input.lens),
      ),
      input.lens,
    ),
  ).filter(({ plan }) => sentence === undefined || writeSentence(input.lens, plan) === sentence);
};
