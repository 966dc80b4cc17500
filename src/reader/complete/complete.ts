// Completes a question. Finds the words that can follow at the cursor, the unknown words, and the meaning of the text
// so far.

import type { Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { writeCanonicalSentence } from '../canonical/sentence.ts';
import { expandRules } from '../chart/pattern.ts';
import { findPreferredInterpretations } from '../decide/interpret.ts';
import { ENGLISH_GRAMMAR, type ParsedQuestion, parseQuestionWithCache } from '../decide/parse-question.ts';
import { CONSTRUCTIONS } from '../english/constructions.ts';
import { PREFERRED_COMPLETION_WORDS } from '../english/words.ts';
import type { QuestionHypotheses } from '../hypotheses/find-hypotheses.ts';
import type { WordHypothesis } from '../hypotheses/word-hypothesis.ts';
import type { FieldCandidate } from '../meaning/terms.ts';
import type { ReaderInput } from '../reader-result.ts';
import { findNearestNames, type NearName } from '../refused/nearest-names.ts';
import { groupByKey } from '../words/group-by-key.ts';
import type { QuestionToken } from '../words/token.ts';
import { foldValue } from '../words/tokens.ts';
import { getVocabulary, type Vocabulary } from '../words/vocabulary.ts';
import {
  type CompletionCandidate,
  createCandidate,
  createPeriodCandidates,
  findNameCandidates,
  findWordCandidates,
  keepPreferredWords,
} from './candidates.ts';
import { ExpectedItemFinder, type ExpectedItems } from './expected-items.ts';

export interface CompletionRequest {
  lens: Lens;
  text: string;
  /** The position of the cursor, in characters. */
  cursor: number;
  /** Earlier questions of the conversation, oldest first. */
  context?: string[];
  now: Date;
  /** The latest date of the data, if known. svc offers no later periods. */
  dataEnd: Date | null;
  limit: number;
}
export interface Suggestion {
  kind: CompletionCandidate['kind'];
  text: string;
  name: string | null;
  /** Start of the text to replace, which ends at the cursor. */
  from: number;
}
export interface CompletedWord {
  text: string;
  start: number;
  end: number;
  /** Null for a word that neither the lens nor the language knows. */
  kind: CompletionCandidate['kind'] | null;
  of: string | null;
  candidates?: NearName[];
}
export interface Completion {
  next: Suggestion[];
  words: CompletedWord[];
  sentence: string | null;
  plan: LensPlan | null;
}

const EXPECTED_ITEM_FINDER = new ExpectedItemFinder(CONSTRUCTIONS.flatMap(expandRules));
const MAX_TYPED_WORDS = 4;
const MAX_UNRESOLVED_WORDS = 3;

export const completeAtCursor = ({
  lens,
  text,
  cursor,
  context = [],
  now,
  dataEnd,
  limit,
}: CompletionRequest): Completion => {
  const vocabulary = getVocabulary(lens);
  const typedText = text.slice(0, cursor);
  const parse = (question: string): ParsedQuestion | null =>
    parseQuestionWithCache(ENGLISH_GRAMMAR, { question, lens, choices: {}, context, now });
  const parsedBefore = parse(typedText);
  const parsedText = typedText === text ? parsedBefore : parse(text);
  const next = balanceSuggestionsByKind(
    findSuggestions(vocabulary, parsedBefore, typedText, { now, dataEnd, limit }),
    limit,
  );
  const start = Math.min(cursor, ...next.map(({ from }) => from));
  const mayHavePlan = parsedText && (parsedText.roots.length > 0 || context.length > 0);
  const plan = mayHavePlan ? findOnlyPlan({ question: text, lens, choices: {}, context, now }) : null;
  const isBeingTyped = (token: QuestionToken): boolean => token.end === cursor && start <= token.start;
  const words = parsedText ? describeWords(lens, parsedText.hypotheses, text, isBeingTyped) : [];
  const misspelled = words.some(({ candidates = [] }) => candidates.length > 0);
  const sentence = plan && !misspelled ? writeCanonicalSentence(lens, plan) : null;
  return {
    next,
    words,
    sentence,
    plan: sentence === null ? null : plan,
  };
};

const findOnlyPlan = (input: ReaderInput): LensPlan | null => {
  const interpretations = findPreferredInterpretations(input);
  return interpretations[0]?.declinedReason === null &&
    new Set(interpretations.map(({ planText }) => planText)).size === 1
    ? interpretations[0]!.plan
    : null;
};

/** Names that match the most words of the typed text come first. */
const findSuggestions = (
  vocabulary: Vocabulary,
  parsedBefore: ParsedQuestion | null,
  typedText: string,
  { now, dataEnd, limit }: Pick<CompletionRequest, 'now' | 'dataEnd' | 'limit'>,
): Suggestion[] => {
  const { tokens = [], emptyFlags: empty = [], leaves = [] } = parsedBefore?.hypotheses ?? {};
  const openRules = parsedBefore?.chart.openRules ?? [];
  const isBetween = typedText === '' || /\s$/.test(typedText);
  const distanceTo = createDistanceLookup(vocabulary, leaves);
  const suggestions = new Map<string, Suggestion>();
  for (
    let position = Math.max(0, tokens.length - MAX_TYPED_WORDS);
    position <= tokens.length - (isBetween ? 0 : 1);
    position++
  ) {
    const from = tokens[position]?.start ?? typedText.length;
    const prefix = position === tokens.length ? '' : `${foldValue(typedText.slice(from))}${isBetween ? ' ' : ''}`;
    const context = {
      expected: EXPECTED_ITEM_FINDER.findExpectedItems(position, openRules, empty),
      prefix,
      now,
      dataEnd,
      distanceTo,
      fields: findFieldsBeforeCursor(leaves, tokens, position),
      limit,
    };
    for (const { kind, text: label, name } of findOrderedCandidates(vocabulary, context))
      if (!suggestions.has(`${kind} ${label}`)) suggestions.set(`${kind} ${label}`, { kind, text: label, name, from });
  }
  return [...suggestions.values()];
};

/** Finds the fields directly before the cursor, as in "where country is". */
const findFieldsBeforeCursor = (
  leaves: readonly WordHypothesis[],
  tokens: readonly QuestionToken[],
  position: number,
): ReadonlySet<string> | null => {
  const endPositions =
    tokens[position - 1] && LINKING_WORDS.has(tokens[position - 1]!.norm) ? [position, position - 1] : [position];
  const namedFields = leaves.flatMap(({ to, term }) =>
    endPositions.includes(to) && term.t === 'field' ? term.options : [],
  );
  return namedFields.length === 0
    ? null
    : new Set(namedFields.map(({ dataset, fields }) => `${dataset}.${fields[0]!.name}`));
};
const LINKING_WORDS: ReadonlySet<string> = new Set(['is', 'of', '=']);

const balanceSuggestionsByKind = (suggestions: readonly Suggestion[], limit: number): Suggestion[] => {
  if (suggestions.length <= limit) return [...suggestions];
  const kinds = [...new Set(suggestions.map(({ kind }) => kind))];
  const perKind = Math.max(1, Math.floor(limit / kinds.length));
  const preferred = new Set(
    kinds.flatMap((kind) => suggestions.filter((item) => item.kind === kind).slice(0, perKind)),
  );
  const rest = suggestions.filter((item) => !preferred.has(item)).slice(0, limit - preferred.size);
  return suggestions.filter((item) => preferred.has(item) || rest.includes(item)).slice(0, limit);
};

interface CompletionContext extends Pick<CompletionRequest, 'now' | 'dataEnd' | 'limit'> {
  expected: ExpectedItems;
  prefix: string;
  distanceTo: (dataset: string | null) => number;
  fields: ReadonlySet<string> | null;
}
const findOrderedCandidates = (
  vocabulary: Vocabulary,
  { expected: { words, names }, prefix, now, dataEnd, distanceTo, fields, limit }: CompletionContext,
): CompletionCandidate[] => {
  const { lens } = vocabulary;
  const startsWithPrefix = (folded: string): boolean => folded.startsWith(prefix);
  const hasPrefix = prefix !== '';
  const candidates = [...names].flatMap(([cat, features]) => {
    const ofCategory =
      findNameCandidates(vocabulary).get(cat) ??
      (cat === 'period'
        ? createPeriodCandidates(now, dataEnd ?? now, lens.timezone, hasPrefix)
        : findWordCandidates(cat, hasPrefix));
    const acceptsAnything = cat === 'measure' || features.has(null);
    return ofCategory.filter(
      (item) =>
        startsWithPrefix(item.folded) &&
        (acceptsAnything || item.features.some((feature) => features.has(feature))) &&
        // Offers the plural of a field name only where several fields can follow.
        !(cat === 'field' && item.features.includes('many') && !features.has('many')) &&
        !(item.kind === 'value' && fields !== null && !fields.has(item.name!)),
    );
  });
  const nearestCandidates = [...groupByKey(candidates, ({ kind }) => kind).values()].flatMap((ofKind) =>
    ofKind.sort((one, other) => distanceTo(one.dataset) - distanceTo(other.dataset)).slice(0, limit),
  );
  const rankOf = (text: string): number =>
    PREFERRED_COMPLETION_WORDS.includes(text)
      ? PREFERRED_COMPLETION_WORDS.indexOf(text)
      : PREFERRED_COMPLETION_WORDS.length;
  const labels = [...words]
    .flatMap((wordSet) => keepPreferredWords([...wordSet], hasPrefix))
    .filter(startsWithPrefix)
    .sort((a, b) => rankOf(a) - rankOf(b));
  const isValueOfField = (candidate: CompletionCandidate): boolean => fields !== null && candidate.kind === 'value';
  return [
    ...nearestCandidates.filter(isValueOfField),
    ...labels.map((text) => createCandidate('word', text)),
    ...nearestCandidates.filter((nearCandidate) => !isValueOfField(nearCandidate)),
  ];
};

const UNREACHABLE_DISTANCE = 99;
const createDistanceLookup = (
  { graph }: Vocabulary,
  leaves: readonly WordHypothesis[],
): ((dataset: string | null) => number) => {
  const nearDatasets = leaves.flatMap(({ term }) =>
    term.t === 'things'
      ? term.options.map(({ dataset }) => dataset)
      : term.t === 'measure' && term.is === 'metric'
        ? term.metrics.flatMap(({ home }) => home ?? [])
        : [],
  );
  const distances = new Map<string | null, number>([[null, 0]]);
  for (const homeDataset of new Set(nearDatasets.slice(0, MAX_NEAR_DATASETS)))
    for (const { dataset, hops } of graph.pathsFrom(homeDataset).values())
      distances.set(dataset, Math.min(distances.get(dataset) ?? UNREACHABLE_DISTANCE, hops));
  return (dataset) => (nearDatasets.length === 0 ? 0 : (distances.get(dataset) ?? UNREACHABLE_DISTANCE));
};
const MAX_NEAR_DATASETS = 8;

/**
 * Finds the meaning of each word. A word at the start of a name has the meaning of the longest such name. Any other
 * word has its meaning in English, or no meaning if svc doesn't know the word.
 */
function describeWords(
  lens: Lens,
  { tokens, leaves, emptyFlags: empty }: QuestionHypotheses,
  text: string,
  isBegun: (token: QuestionToken) => boolean,
): CompletedWord[] {
  const words: CompletedWord[] = [];
  const listedLeaves = leaves.filter((leaf) => !isUnknownValue(leaf));
  let unresolved = 0;
  for (let position = 0; position < tokens.length; ) {
    const token = tokens[position]!;
    const [namedLeaf] = listedLeaves
      .filter(({ from, term }) => from === position && term.t in NAME_PRIORITIES)
      .sort((item, other) => other.to - item.to || NAME_PRIORITIES[item.term.t]! - NAME_PRIORITIES[other.term.t]!);
    const end = namedLeaf?.to ?? position + 1;
    const span = { start: token.start, end: tokens[end - 1]!.end };
    const word = { text: text.slice(span.start, span.end), ...span };
    const isSpoken =
      token.kind === 'number' ||
      isBegun(token) ||
      empty[position] === true ||
      ENGLISH_GRAMMAR.knownWords.has(token.norm) ||
      ENGLISH_GRAMMAR.knownWords.has(token.stem) ||
      listedLeaves.some(({ from, to }) => from <= position && position < to);
    if (namedLeaf) words.push({ ...word, ...describeName(namedLeaf) });
    else if (isSpoken) words.push({ ...word, kind: 'word', of: null });
    else if (token.kind !== 'punct') {
      const candidates = unresolved++ < MAX_UNRESOLVED_WORDS ? findNearestNames(lens, word.text) : [];
      words.push({ ...word, kind: null, of: null, candidates });
    }
    position = end;
  }
  return words;
}

const isUnknownValue = ({ term }: WordHypothesis): boolean =>
  term.t === 'value' && !term.field && term.any.every(({ options, defined }) => options.length === 0 && !defined);

/** The priority of each kind of name among names with the same length. */
const NAME_PRIORITIES: Readonly<Record<string, number>> = { measure: 0, things: 1, field: 2, value: 3, period: 4 };

function describeName({ term }: WordHypothesis): Pick<CompletedWord, 'kind' | 'of'> {
  const pathOf = (fieldOption?: FieldCandidate): string | null =>
    fieldOption && !fieldOption.fields[0]!.masked
      ? `${fieldOption.role ?? fieldOption.dataset}.${fieldOption.fields[0]!.name}`
      : null;
  switch (term.t) {
    case 'measure':
      return { kind: 'metric', of: term.is === 'metric' ? (term.metrics[0]?.name ?? null) : null };
    case 'things':
      return { kind: 'dataset', of: pathOf(term.options[0]?.by) ?? term.options[0]?.dataset ?? null };
    case 'field':
      return { kind: 'field', of: pathOf(term.options[0]) };
    case 'value': {
      const [valueOption] = term.any[0]?.options ?? [];
      return {
        kind: 'value',
        of: valueOption ? `${valueOption.dataset}.${valueOption.field.name}` : pathOf(term.field?.options[0]),
      };
    }
    default:
      return { kind: 'period', of: null };
  }
}
