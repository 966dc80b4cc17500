// Decides between the interpretations of a question. If there is one interpretation, svc uses it. If there are several,
// svc asks for clarification.

import type { Clarification } from '../../contract/ask.ts';
import { isTemporal } from '../../contract/warehouse.ts';
import type { Lens, LensDefinition } from '../../lens/model/lens.ts';
import { findMainDataset } from '../../plan/bind/bind-measures.ts';
import { findPlainMetricName, listBaseMeasures } from '../../plan/lens-plan.ts';
import { writeSentence } from '../canonical/sentence.ts';
import { isParticiple } from '../english/inflection.ts';
import { parseOrdinal } from '../english/number-words.ts';
import { INDEFINITE_ARTICLES, NAME_NOUNS, STOP_WORDS } from '../english/words.ts';
import { findPhraseMeanings } from '../hypotheses/phrase-meanings.ts';
import { joinTokenTexts } from '../hypotheses/word-hypothesis.ts';
import type { Ambiguity } from '../meaning/name-resolution.ts';
import { hasFeature } from '../meaning/operators/building.ts';
import { isState } from '../meaning/start-date-doubt.ts';
import type { Term } from '../meaning/terms.ts';
import type { ReaderInput, ReaderResult, WordUse } from '../reader-result.ts';
import { isLinkingWord } from '../words/grammar-words.ts';
import { groupByKey } from '../words/group-by-key.ts';
import { findCalendarMeaning, isYearOrQuarter } from '../words/time-expressions.ts';
import { foldText } from '../words/tokens.ts';
import { getVocabulary } from '../words/vocabulary.ts';
import {
  findChosenOptionIndex,
  findEarlierTurn,
  findPreferredInterpretations,
  INTERPRETATION_CHOICE_TERM,
  interpretQuestion,
} from './interpret.ts';
import type { Interpretation } from './interpretations.ts';
import { isInterpretationProven } from './is-proven.ts';
import { findLeftOutGroupNotes } from './left-out-rows.ts';
import { ENGLISH_GRAMMAR } from './parse-question.ts';
import { listLeafEdges } from './preferences.ts';

/** The note on an interpretation that svc couldn't prove by converting its plan to a sentence and back. */
const UNPROVEN_NOTE =
  'svc interpreted this question part by part and could not prove the interpretation. Check that the answer is what you asked for.';
/** Returns null if no interpretation explains every word, or if the parser reached a limit. */
export const readByGrammar = (input: ReaderInput, interpreted = interpretQuestion(input)): ReaderResult | null => {
  const interpretations = findPreferredInterpretations(input, ENGLISH_GRAMMAR, interpreted);
  const declinedReason = interpretations.find((item) => item.declinedReason !== null)?.declinedReason;
  if (declinedReason) return { kind: 'refused', words: [input.question], message: declinedReason, isExplained: true };
  const groups = [...groupByKey(interpretations, ({ planText }) => planText).values()];
  const [single, second] = groups;
  if (!single) return null;
  const [first] = single as [Interpretation];
  const hasOpenName = first.ambiguities.some(
    (ambiguity) => ambiguity.open && findChosenOptionIndex(ambiguity, input.choices) === null,
  );
  const { plan, doubts } = first;
  const agents = findAgents(first);
  const agent = agents.find(({ hasArticle }) => hasArticle);
  if (agent)
    return {
      kind: 'refused',
      words: [agent.text],
      message: `"by ${agent.text}" can mean who did it, or how to group the rows. To get one row for each, write "for each" instead of "by".`,
      isExplained: true,
    };
  const words = createWordUses(first);
  if (hasOpenName || second)
    return createClarification(hasOpenName ? [first] : groups.map(([item]) => item!), input, words);
  const carriedQuestions = listEarlierQuestions(first);
  const notes = carriedQuestions.slice(0, 1).map((text) => `svc carried over the earlier question: "${text}".`);
  const droppedLimitsNote = createDroppedLimitNote(first, input);
  return {
    kind: 'plan',
    plan,
    words,
    sentence: writeSentence(input.lens, plan),
    definitions: findUsedDefinitions(first, input),
    notes,
    asked: carriedQuestions,
    doubt:
      [
        ...doubts,
        ...findAmbiguousValueNotes(first),
        ...findHiddenNameNotes(first, input),
        ...findOtherDateNotes(first, input),
        ...findPastStateNotes(first),
        ...agents.map(({ text }) => `svc read "by ${text}" as groups, not as who did it.`),
        ...findLeftOutGroupNotes(input.lens, plan),
        ...createSenseNotes(first, input),
        ...createJoinPathNotes(single, input),
        ...findUnusedMetricNotes(first, input),
        ...(droppedLimitsNote ? [droppedLimitsNote] : []),
        ...(isInterpretationProven(single, input) ? [] : [UNPROVEN_NOTE]),
      ].join(' ') || null,
  };
};

/**
 * Writes notes on stored values that could also be a period, a rank or a linking word. Examples are "in May" if someone
 * is called May, "other orders" if Other is a region, and "the first lift" if a lift is called First. A noun that names
 * the kind of value removes the ambiguity.
 */
const findAmbiguousValueNotes = ({ edge, hypotheses: { tokens, leaves } }: Interpretation): string[] => {
  const edgeLeaves = listLeafEdges(edge);
  return edgeLeaves.flatMap(({ term, from, to }) => {
    const { text, norm, stem } = tokens[from]!;
    if (term.t !== 'value') return [];
    const isThing = ({ term: { t } }: { term: Term }): boolean => t === 'things';
    const isNamed = edgeLeaves.some((item) => item.from === to && isThing(item));
    if (norm === 'same' && tokens[from - 1]?.norm === 'the' && !isNamed)
      return [`svc read "${joinTokenTexts(tokens, from, to)}" as a stored value, not as a comparison.`];
    const isAfterField = edgeLeaves.some((item) => item.to === from && item.term.t === 'field');
    const isStored = term.any.some(({ options }) => options.length > 0);
    const isAlsoName =
      isStored && leaves.some((leaf) => leaf.from === from && leaf.to === to && NAME_TERM_KINDS.has(leaf.term.t));
    if (isAlsoName && !isNamed && !isAfterField)
      return [`svc read "${joinTokenTexts(tokens, from, to)}" as a stored value, not as a name in the lens.`];
    if (!term.any.some(({ options }) => options.some(({ value }) => [norm, stem].includes(foldText(value))))) return [];
    // The first word of a question usually starts with a capital letter, so its capital doesn't indicate a name.
    const isLowercase = hasFeature(term, 'state') || from === 0;
    const followsName = edgeLeaves.some((item) => item.to === from && (isThing(item) || item.term.t === 'field'));
    if (to - from === 1 && !followsName) {
      if (isYearOrQuarter(norm)) return [`svc read "${text}" as a stored value, not as a period.`];
      if (isLinkingWord(norm) && isLowercase)
        return [`svc read "${text}" as a stored value, not as a word that links other names.`];
    }
    const time = isNamed || to - from > 1 ? null : findCalendarMeaning(tokens[from - 1]?.norm, stem);
    const isRanked = leaves.some((leaf) => leaf.from === from + 1 && isThing(leaf)) || tokens[from - 1]?.norm === 'the';
    const isRank = isLowercase && isRankingWord(norm) && isRanked && !followsName;
    const meaning = time ?? (isRank ? 'rank' : null);
    return meaning ? [`svc read "${text}" as a stored value, not as a ${meaning}.`] : [];
  });
};
const NAME_TERM_KINDS: ReadonlySet<Term['t']> = new Set(['things', 'field', 'measure']);
const RANKING_CATEGORIES: ReadonlySet<string> = new Set(['agg', 'superl', 'common', 'bestworst', 'recent']);
const isRankingWord = (norm: string): boolean =>
  parseOrdinal(norm) !== null || findPhraseMeanings(norm).some(({ cat }) => RANKING_CATEGORIES.has(cat));

/**
 * Writes notes on names that svc can't show. For example, "by patient name" groups by the patient's key if no visible
 * field contains the name.
 */
const findHiddenNameNotes = ({ edge, hypotheses: { tokens } }: Interpretation, { lens }: ReaderInput): string[] => {
  const { displayFieldsOf: display } = getVocabulary(lens);
  const edgeLeaves = listLeafEdges(edge);
  return edgeLeaves.flatMap(({ term, from, to }) => {
    const isNameAsked = NAME_NOUNS.has(tokens[to]?.stem ?? '') && edgeLeaves.every((leaf) => leaf.from !== to);
    const hasName =
      term.t !== 'things' ||
      term.options.some(({ dataset, by }) =>
        by ? by.identity !== 'key' : display(dataset).some(({ masked }) => !masked),
      );
    return isNameAsked && !hasName
      ? [`svc can't show the name of "${joinTokenTexts(tokens, from, to)}", so the answer shows its key.`]
      : [];
  });
};

/**
 * Writes notes on periods that can restrict another date. For example, "seats for open shows in 2024" can mean seats
 * booked in 2024 or seats for shows in 2024. If claims have several dates, "claims rejected in 2024" can mean claims
 * that were made in 2024 or claims that were rejected in 2024.
 */
const findOtherDateNotes = (
  { edge, plan, hypotheses: { tokens } }: Interpretation,
  { lens }: ReaderInput,
): string[] => {
  const { displayFieldsOf, dataset: datasetNamed } = getVocabulary(lens);
  const edgeLeaves = listLeafEdges(edge);
  const planJson = JSON.stringify(plan);
  return edgeLeaves.flatMap(({ term, from, to }) => {
    if (term.t !== 'period') return [];
    const before = edgeLeaves.find(
      (leaf) => leaf.to === from || (leaf.to === from - 1 && isLinkingWord(tokens[leaf.to]!.norm)),
    );
    if (before?.term.t === 'value' && isParticiple(tokens[before.to - 1]!.norm)) {
      const { any } = before.term;
      const state = joinTokenTexts(tokens, before.from, before.to);
      return [...new Set(any.flatMap((item) => item.options.map(({ dataset }) => dataset)))].flatMap((name) => {
        const { timeField, fields } = datasetNamed(name);
        const dates = fields.filter(({ datatype, masked }) => isTemporal(datatype) && !masked);
        const isUsed = planJson.includes(JSON.stringify({ path: name, field: timeField }));
        return isUsed && dates.length > 1
          ? [
              `svc applied "${joinTokenTexts(tokens, from, to)}" to the ${timeField!.replaceAll('_', ' ')}, which may not be the date of "${state}".`,
            ]
          : [];
      });
    }
    if (before?.term.t !== 'things') return [];
    const options = before.term.options.map(({ dataset, role = dataset }) => {
      const { timeField, fields } = datasetNamed(dataset);
      const isUsed = fields.some(
        ({ name, datatype }) =>
          isTemporal(datatype) &&
          [role, dataset].some((path) => planJson.includes(JSON.stringify({ path, field: name }))),
      );
      const isEvent = timeField !== null && displayFieldsOf(dataset).length === 0;
      return { isUsed, date: isEvent ? `the date ${timeField} of ${dataset}`.replaceAll('_', ' ') : null };
    });
    const dates = options.some(({ isUsed }) => isUsed) ? [] : options.flatMap(({ date }) => date ?? []);
    return dates.slice(0, 1).map((date) => `svc did not apply "${joinTokenTexts(tokens, from, to)}" to ${date}.`);
  });
};

/**
 * Writes notes on states in a past period. For example, "claims that were open in May" can mean the claims that were
 * open in May, regardless of when they were filed.
 */
const findPastStateNotes = ({ edge, hypotheses: { tokens } }: Interpretation): string[] => {
  const edgeLeaves = listLeafEdges(edge);
  return edgeLeaves.flatMap(({ term, from, to }) => {
    const next = edgeLeaves.find(
      (leaf) => leaf.from === to || (leaf.from === to + 1 && isLinkingWord(tokens[to]!.norm)),
    );
    const isPlace = edgeLeaves.some((leaf) => leaf.to === from && leaf.cat === 'prep');
    return term.t === 'value' && isState(term) && !isPlace && next?.term.t === 'period'
      ? [
          `svc read "${joinTokenTexts(tokens, from, to)}" as the current state, not as the state "${joinTokenTexts(tokens, next.from, next.to)}".`,
        ]
      : [];
  });
};

/**
 * Finds phrases such as "by customer" that can name who did something. For example, "orders cancelled by customer" can
 * mean that customers cancelled the orders, or ask for groups.
 */
const findAgents = ({ edge, hypotheses: { tokens } }: Interpretation): { text: string; hasArticle: boolean }[] => {
  const edgeLeaves = listLeafEdges(edge);
  return edgeLeaves.flatMap(({ term, from, to }) => {
    const hasArticle = tokens[from - 1]?.norm === 'the' || INDEFINITE_ARTICLES.has(tokens[from - 1]?.norm ?? '');
    const byIndex = from - (hasArticle ? 2 : 1);
    const before = edgeLeaves.find((leaf) => leaf.to === byIndex);
    const isState =
      before?.term.t === 'value' ||
      (before?.term.t === 'field' && before.term.options.every(({ fields }) => fields[0]!.datatype === 'boolean'));
    return term.t === 'things' &&
      tokens[byIndex]?.norm === 'by' &&
      isState &&
      tokens.slice(before.from, byIndex).some(({ norm }) => isParticiple(norm))
      ? [{ text: joinTokenTexts(tokens, byIndex + 1, to), hasArticle }]
      : [];
  });
};

/** Lists the questions that this question changes, latest first. */
const listEarlierQuestions = ({ before }: Interpretation): string[] =>
  before ? [before.question, ...listEarlierQuestions(before.interpretation)] : [];
const listNamedTerms = ({ edge, hypotheses: { tokens }, before }: Interpretation): { term: Term; text: string }[] => [
  ...listLeafEdges(edge).map(({ term, from, to }) => ({ term, text: joinTokenTexts(tokens, from, to) })),
  ...(before ? listNamedTerms(before.interpretation) : []),
];

/**
 * Writes notes on metrics that the question names but the plan doesn't use. For example, "how many passes were sold"
 * counts all passes, but the metric "passes sold" may omit some.
 */
const findUnusedMetricNotes = (interpretation: Interpretation, { lens }: ReaderInput): string[] => {
  const { edge, plan, hypotheses } = interpretation;
  const { phrases } = getVocabulary(lens);
  const edgeLeaves = listLeafEdges(edge).sort((a, b) => a.from - b.from);
  const measuredDatasets = [
    plan.rows,
    ...plan.measures.flatMap(listBaseMeasures).map((base) => findMainDataset(lens, base)),
  ];
  const planJson = JSON.stringify(plan);
  const filters = findDefinitions(interpretation, lens).map(({ filter }) => filter);
  return edgeLeaves.flatMap(({ from }, index) =>
    edgeLeaves.slice(index + 1).flatMap(({ to }) => {
      const span = hypotheses.tokens.slice(from, to);
      const names = [span, span.filter(({ norm }) => !STOP_WORDS.has(norm))].map((words) =>
        words.map(({ stem }) => stem).join(' '),
      );
      const metric = names.flatMap((name) => phrases.get(name) ?? []).find(({ kind }) => kind === 'metric');
      if (metric?.kind !== 'metric') return [];
      const { name, home, filter, expression } = metric.metric;
      if (home !== null && !measuredDatasets.includes(home)) return [];
      // A metric that counts rows by the definition of a term needs no note if the plan applies the same definition, as
      // in "flights were on time".
      const countsDefined = filter !== null && filters.includes(filter) && /^count\s*\(\s*\*\s*\)$/i.test(expression);
      if (planJson.includes(`"metric":"${name}"`) || countsDefined) return [];
      return [
        `"${joinTokenTexts(hypotheses.tokens, from, to)}" is also the name of the metric ${name}, which this answer doesn't use.`,
      ];
    }),
  );
};

/** Writes a note on the sense that svc chose for each term with several senses. */
const createSenseNotes = ({ ambiguities }: Interpretation, { choices }: ReaderInput): string[] =>
  ambiguities.flatMap((ambiguity) =>
    ambiguity.defined && findChosenOptionIndex(ambiguity, choices) === null
      ? [`svc read "${ambiguity.term}" as ${ambiguity.options[ambiguity.takenIndex]!.label}.`]
      : [],
  );

/** Writes a note on the join path that svc chose, if no other path led to an interpretation. */
const createJoinPathNotes = (readings: readonly Interpretation[], { choices }: ReaderInput): string[] =>
  readings[0]!.ambiguities.flatMap((ambiguity) => {
    const { term, options, takenIndex } = ambiguity;
    const isOnlyWay = readings.every(({ ambiguities }) =>
      ambiguities.some((other) => other.term === term && other.takenIndex === takenIndex),
    );
    if (ambiguity.class !== 'which way' || !isOnlyWay || findChosenOptionIndex(ambiguity, choices) !== null) return [];
    const others = options.filter((_option, index) => index !== takenIndex).map(({ label }) => label);
    return [`svc linked "${term}" through ${options[takenIndex]!.label}, not through ${others.join(' or ')}.`];
  });

const findDefinitions = (interpretation: Interpretation, lens: Lens): LensDefinition[] => {
  const { phrases, key } = getVocabulary(lens);
  const namedDefinitions = listNamedTerms(interpretation).flatMap(({ text }) =>
    (phrases.get(key(text)) ?? []).flatMap((item) => (item.kind === 'definition' ? [item.definition] : [])),
  );
  return [...new Set(namedDefinitions)];
};

const findUsedDefinitions = (
  interpretation: Interpretation,
  { lens }: ReaderInput,
): Pick<LensDefinition, 'term' | 'meaning'>[] => {
  const metrics = interpretation.plan.measures.flatMap((measure) => findPlainMetricName(measure) ?? []);
  return findDefinitions(interpretation, lens).flatMap((definition) => {
    const { term, metric, senses, meaning } = definition;
    if (senses.length === 0) return metric === null || metrics.includes(metric) ? [{ term, meaning }] : [];
    const ambiguity = interpretation.ambiguities.find((ambiguity) => ambiguity.term === term);
    const sense = senses.find(({ key }) => key === ambiguity?.options[ambiguity.takenIndex]?.key);
    return sense ? [{ term, meaning: sense.meaning }] : [];
  });
};

/**
 * Writes a note if svc interprets a question as a new question although it could continue the previous question. For
 * example, "What was profit?" after "revenue in the West in 2016" can mean the profit of all rows, or the profit of the
 * West in 2016.
 */
const createDroppedLimitNote = ({ plan, before }: Interpretation, input: ReaderInput): string | null => {
  const earlierTurn = findEarlierTurn(input);
  if (!earlierTurn || before || plan.filters.length + plan.having.length > 0 || plan.time) return null;
  const [preferred] = findPreferredInterpretations(earlierTurn.input);
  const isGrouped = (term: Term): boolean =>
    term.t === 'value' &&
    term.any.every(({ options }) =>
      options.some(({ dataset, field }) =>
        plan.dimensions.some(({ path, field: name }) => path === dataset && name === field.name),
      ),
    );
  const droppedNames = (preferred ? listNamedTerms(preferred) : []).filter(
    ({ term }) => (term.t === 'value' || term.t === 'period') && !isGrouped(term),
  );
  return droppedNames.length === 0
    ? null
    : `svc does not apply these limits of the earlier question: ${droppedNames.map(({ text }) => `"${text}"`).join(', ')}. To keep them, begin the question with "and".`;
};

/**
 * Asks about the first name whose meaning differs between the interpretations. If no name differs, offers the sentences
 * of the interpretations.
 */
const createClarification = (
  interpretations: readonly Interpretation[],
  { lens, choices }: ReaderInput,
  words: WordUse[],
): ReaderResult | null => {
  const isOpen = ({ term, open }: Ambiguity): boolean =>
    open ||
    new Set(
      interpretations.map(({ ambiguities }) => ambiguities.find((ambiguity) => ambiguity.term === term)?.takenIndex),
    ).size > 1;
  const ambiguity = interpretations[0]!.ambiguities.find(
    (ambiguity) => isOpen(ambiguity) && findChosenOptionIndex(ambiguity, choices) === null,
  );
  const clarify = (term: string, message: string, options: Clarification['options']): ReaderResult => ({
    kind: 'clarification',
    words,
    clarification: { kind: 'ambiguous_term', term, message, options },
  });
  if (ambiguity) {
    const { term, defined } = ambiguity;
    const options = ambiguity.options.map(({ key, label, meaning = label }) => ({ key, label, meaning }));
    const labels = options.map(({ label }) => label);
    return clarify(
      term,
      defined
        ? `"${term}" has several meanings here: ${labels.join('; ')}. Choose one.`
        : `"${term}" could be about ${labels.join(' or ')}.`,
      options,
    );
  }
  const sentences = [...new Set(interpretations.map(({ plan }) => writeSentence(lens, plan)))];
  if (sentences.length < 2 || sentences.length > 4) return null;
  return clarify(
    INTERPRETATION_CHOICE_TERM,
    `svc can read this question in several ways. Choose one: ${sentences.join(' Or: ')}`,
    sentences.map((key) => ({ key, label: key, meaning: key })),
  );
};

const KIND_DESCRIPTIONS: Readonly<Record<string, string>> = {
  field: 'field',
  things: 'dataset',
  measure: 'metric',
  value: 'value',
  period: 'time',
  number: 'number',
};

const createWordUses = ({ hypotheses: { tokens, emptyFlags }, edge }: Interpretation): WordUse[] =>
  tokens.map(({ text }, position) => {
    const leaf = listLeafEdges(edge).find(({ from, to }) => from <= position && position < to);
    return {
      text,
      as: leaf ? (KIND_DESCRIPTIONS[leaf.cat] ?? 'construction') : emptyFlags[position] ? 'filler' : 'construction',
    };
  });
