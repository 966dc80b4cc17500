// Parses a question into a chart over its words.
import {
  buildGrammar,
  type Chart,
  type ChartEdge,
  findSpanningEdges,
  type Grammar,
  parseChart,
} from '../chart/chart.ts';
import { expandRules } from '../chart/pattern.ts';
import type { Construction } from '../english/construction.ts';
import { CONSTRUCTIONS } from '../english/constructions.ts';
import { YES_OR_NO_WORDS } from '../english/words.ts';
import { findHypotheses, type QuestionHypotheses } from '../hypotheses/find-hypotheses.ts';
import { OPERATORS } from '../meaning/operators.ts';
import type { Term } from '../meaning/terms.ts';
import type { ReaderInput } from '../reader-result.ts';
import { getVocabulary, type Vocabulary } from '../words/vocabulary.ts';
import { createNameLookup } from './name-lookup.ts';

const MAX_CHARACTERS = 1000;
const MAX_WORDS = 60;
export const NAME_CATEGORIES: ReadonlySet<string> = new Set(['field', 'things', 'measure', 'value']);
export interface CompiledGrammar {
  entries: ReadonlyMap<string, Construction>;
  /** The grammar for questions without context. `followUpGrammar` also accepts follow-ups. */
  grammar: Grammar;
  followUpGrammar: Grammar;
  /** All words in the patterns of the constructions. */
  knownWords: ReadonlySet<string>;
}

export const compileGrammar = (constructions: readonly Construction[]): CompiledGrammar => {
  const rules = constructions.flatMap(expandRules);
  return {
    entries: new Map(constructions.map((entry) => [entry.id, entry])),
    grammar: buildGrammar(rules.filter(({ out }) => out !== 'change')),
    followUpGrammar: buildGrammar(rules),
    knownWords: new Set(
      rules.flatMap(({ items }) => items.flatMap((item) => ('words' in item ? [...item.words] : []))),
    ),
  };
};

export const ENGLISH_GRAMMAR = compileGrammar(CONSTRUCTIONS);
export interface ParsedQuestion {
  vocabulary: Vocabulary;
  hypotheses: QuestionHypotheses;
  chart: Chart<Term>;
  roots: ChartEdge<Term>[];
}

/** Keeps the last chart, because svc parses the same question again for each possible choice. */
const lastParseCache = new WeakMap<CompiledGrammar, { input: ReaderInput; result: ParsedQuestion | null }>();
export const parseQuestionWithCache = (grammar: CompiledGrammar, input: ReaderInput): ParsedQuestion | null => {
  const lastParse = lastParseCache.get(grammar);
  const isSameInput =
    lastParse?.input.lens === input.lens &&
    lastParse.input.question === input.question &&
    lastParse.input.now === input.now &&
    !lastParse.input.context?.length === !input.context?.length;
  if (lastParse && isSameInput) return lastParse.result;
  const result = parseQuestion(grammar, input);
  lastParseCache.set(grammar, { input, result: result });
  return result;
};

const parseQuestion = (
  { entries, grammar, followUpGrammar, knownWords }: CompiledGrammar,
  { question, lens, now, context = [] }: ReaderInput,
): ParsedQuestion | null => {
  if (question.length > MAX_CHARACTERS) return null;
  const vocabulary = getVocabulary(lens);
  const hypotheses = findHypotheses(question, vocabulary, { now, timezone: lens.timezone }, knownWords);
  const { tokens } = hypotheses;
  if (tokens.length === 0 || tokens.length > MAX_WORDS || isYesOrNoQuestion(hypotheses)) return null;
  const lookup = createNameLookup(vocabulary);
  const chart = parseChart<Term>(
    context.length > 0 ? followUpGrammar : grammar,
    hypotheses,
    ({ entry, items }, slots) => {
      const { meaning, takes = {} } = entries.get(entry)!;
      const isWorded = items.some((item) => 'words' in item);
      return OPERATORS[meaning]!(slots as never, isWorded ? { ...takes, worded: 'yes' } : takes, lookup);
    },
  );
  return { vocabulary, hypotheses, chart, roots: findSpanningEdges(chart, hypotheses, 'query') };
};

/**
 * Returns true if the question is a yes/no question. A question that starts with a name, such as a field called "is
 * urgent", isn't a yes/no question.
 */
const isYesOrNoQuestion = ({ tokens, leaves }: QuestionHypotheses): boolean =>
  YES_OR_NO_WORDS.has(tokens[0]!.norm) &&
  !leaves.some(({ from, to, cat }) => from === 0 && to > 1 && NAME_CATEGORIES.has(cat));
