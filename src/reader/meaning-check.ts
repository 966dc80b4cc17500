// Checks whether two questions mean the same, for certified matching. Similarity only finds candidates. Two questions
// mean the same if they have the same words, or if two proven readings have the same plan.

import type { Lens } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import { memoize } from '../platform/memoize.ts';
import { questionWords } from './question-words.ts';
import { readQuestion } from './read-question.ts';
import type { Reading } from './reading.ts';
import { sentenceOf } from './restrictions/sentence.ts';
import { vocabularyOf } from './words/vocabulary.ts';

/** Normalizes a question for the embedder: lowercase, singular, without accents, pauses and filler. */
export const normaliseQuestion = (text: string): string =>
  questionWords(text)
    .map(({ norm }) => norm)
    .join(' ');

/** "of Adams" differs from "of Adam", because names and stored values have no plural. */
const namesDiffer = (lens: Lens, questionA: string, questionB: string): boolean => {
  const { phrases, values } = vocabularyOf(lens);
  const others = questionWords(questionB);
  const isUppercase = [questionA, questionB].map((text) => text === text.toUpperCase());
  return questionWords(questionA).some(({ token: one }, index) => {
    const other = others[index]!.token;
    if (one.kind !== 'word' || other.kind !== 'word' || one.norm === other.norm) return false;
    if (one.stem !== other.stem || phrases.has(one.stem)) return false;
    const stored = [one, other].some(({ norm }) => values.has(norm));
    return (
      stored || [one, other].some(({ capital }, questionIndex) => capital && index > 0 && !isUppercase[questionIndex])
    );
  });
};

/** Two dates, so that "last month" can't equal a named month by chance. */
const CLOCKS = [new Date('2000-06-15T00:00:00Z'), new Date('2003-11-03T00:00:00Z')];

const readings = memoize<Lens, Reading>(200);
/** Cached, because one question is compared with many entries, and one entry with many questions. */
const readAt = (lens: Lens, question: string, now: Date): Reading =>
  readings(lens, `${now.getTime()} ${question}`, () => readQuestion({ question, lens, choices: {}, now }));

/** The kinds of differences between two questions. Empty only if they mean the same. */
export const meaningDiffers = (lens: Lens, questionA: string, questionB: string): string[] => {
  const found = readDifferently(lens, questionA, questionB);
  const sameRestrictions = found.length > 0 || restrictionsIn(lens, questionA) === restrictionsIn(lens, questionB);
  return sameRestrictions ? found : ['set operation'];
};

const readDifferently = (lens: Lens, questionA: string, questionB: string): string[] => {
  if (normaliseQuestion(questionA) === normaliseQuestion(questionB))
    return namesDiffer(lens, questionA, questionB) ? ['named value'] : [];
  const readable = CLOCKS.map((now) => {
    const [left, right] = [questionA, questionB].map((question) => readAt(lens, question, now));
    if (left?.kind !== 'plan' || right?.kind !== 'plan') return null;
    const found = planDifferences(left.plan, right.plan);
    // A reading with a doubt doesn't prove that two questions mean the same.
    return found.length === 0 && (left.doubt || right.doubt) ? null : found;
  });
  // If both questions have readings, their words are equivalent, or their differences have names.
  return readable.every((found) => found !== null) ? [...new Set(readable.flat())] : ['words'];
};

/** "only", "all" or "twice" in one of the questions makes their meanings different. */
const restrictionsIn = (lens: Lens, question: string): string =>
  sentenceOf(question, lens, CLOCKS[0]!)
    .words.map(({ sense, by }) => `${sense} ${by ?? ''}`)
    .sort()
    .join('\n');

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
const sorted = (list: readonly unknown[]): string => list.map(canonical).sort().join('\n');

const planDifferences = (one: LensPlan, other: LensPlan): string[] => {
  const found: string[] = [];
  const dimensionFields = (plan: LensPlan) => plan.dimensions.map(({ path, field }) => ({ path, field }));
  if (sorted(one.measures) !== sorted(other.measures)) found.push('measure');
  if (
    sorted(dimensionFields(one)) !== sorted(dimensionFields(other)) ||
    sorted(one.per ?? []) !== sorted(other.per ?? []) ||
    one.rows !== other.rows
  )
    found.push('grouping');
  else if (sorted(one.dimensions) !== sorted(other.dimensions)) found.push('grain');
  if (canonical(one.time) !== canonical(other.time)) found.push('date');
  if (sorted(one.filters) !== sorted(other.filters)) {
    const flat = (plan: LensPlan) =>
      canonical(plan.filters)
        .replaceAll('"not_exists"', '"exists"')
        .replace(/"op":"[^"]*"|"or_null":true,/g, '');
    found.push(flat(one) === flat(other) ? 'negation' : 'named value');
  }
  if (sorted(one.having) !== sorted(other.having)) found.push('number');
  if (one.limit !== other.limit || one.offset !== other.offset) found.push('number');
  if (canonical(one.limit_per) !== canonical(other.limit_per)) found.push('number');
  if (canonical(one.order_by) !== canonical(other.order_by)) found.push('direction');
  if (one.distinct !== other.distinct) found.push('set operation');
  return [...new Set(found)];
};
