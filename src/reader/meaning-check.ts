// Whether two questions mean the same, for certified matching. Similarity finds candidates; this decides. A
// word that only one question has is a difference unless it is filler, so an unknown word keeps questions
// apart.

import type { Lens } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import { memoize } from '../platform/memoize.ts';
import { isPause, questionWords } from './question-words.ts';
import { readQuestion } from './read-question.ts';
import type { Reading } from './reading.ts';
import { sentenceOf } from './restrictions/sentence.ts';
import { isFiller } from './words/filler-words.ts';
import { SUPERLATIVES } from './words/lexicon.ts';
import { timeAt, unitOf } from './words/time-expressions.ts';
import type { Token } from './words/token.ts';
import { tokenise } from './words/tokens.ts';
import { vocabularyOf } from './words/vocabulary.ts';

/** Words without meaning of their own. Prepositions of direction aren't included. */
const NEUTRAL = new Set(
  "what which who how many much of for in on at to the a an is are was were do does did has have had and , . ? ! ; : ' 's that there all number count total".split(
    ' ',
  ),
);
const NEGATIONS = new Set(
  "not no without except excluding never neither nor don't doesn't didn't isn't aren't wasn't weren't other than non".split(
    ' ',
  ),
);
const SETS = new Set('or both either and but only also'.split(' '));
const DIRECTIONS = new Set(
  'ascending descending asc desc increasing decreasing over under above below more less fewer greater least most before after since until between from by per each every'.split(
    ' ',
  ),
);

/** For the embedder: lowercase, singular, and without accents, pauses and filler. */
export const normaliseQuestion = (text: string): string =>
  questionWords(text)
    .map(({ norm }) => norm)
    .join(' ');

/** "of Adams" isn't "of Adam": names and stored values have no plural. */
const namesDiffer = (lens: Lens, questionA: string, questionB: string): boolean => {
  const { phrases, values } = vocabularyOf(lens);
  const others = questionWords(questionB);
  const shouted = [questionA, questionB].map((text) => text === text.toUpperCase());
  return questionWords(questionA).some(({ token: one }, at) => {
    const other = others[at]!.token;
    if (one.kind !== 'word' || other.kind !== 'word' || one.norm === other.norm) return false;
    if (one.stem !== other.stem || phrases.has(one.stem)) return false;
    const stored = [one, other].some(({ norm }) => values.has(norm));
    return stored || [one, other].some(({ capital }, side) => capital && at > 0 && !shouted[side]);
  });
};

const KINDS = [
  'number',
  'date',
  'negation',
  'direction',
  'grain',
  'set operation',
  'named value',
  'measure',
  'grouping',
  'words',
] as const;
type Kind = (typeof KINDS)[number];

const bagOf = (lens: Lens, question: string): Map<Kind, string[]> => {
  const { list: tokens } = tokenise(question);
  const { phrases, values } = vocabularyOf(lens);
  const bag = new Map<Kind, string[]>();
  const add = (kind: Kind, word: string): void => {
    const known = bag.get(kind);
    if (known) known.push(word);
    else bag.set(kind, [word]);
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const time = isDateStart(token) ? timeAt(tokens, at, { now: new Date(0), timezone: lens.timezone }) : null;
    if (time && !time.fault) {
      add('date', `${time.from}..${time.to}`);
      at += time.length - 1;
    } else if (token.kind === 'number') add('number', `${token.value}${token.unit ?? ''}`);
    else if (token.kind === 'quoted') add('named value', token.norm);
    else if (NEGATIONS.has(token.norm)) add('negation', token.norm);
    else if (SUPERLATIVES.has(token.norm) || (DIRECTIONS.has(token.norm) && token.norm !== 'from'))
      add(/^(?:by|per|each|every)$/.test(token.norm) ? 'grouping' : 'direction', token.norm);
    else if (unitOf(token.stem)) add('grain', token.stem);
    else if (SETS.has(token.norm) && token.norm !== 'and') add('set operation', token.norm);
    else if (token.kind === 'punct' && !isPause(token)) add('words', token.norm);
    else if (token.kind === 'punct' || NEUTRAL.has(token.norm) || isFiller(token.norm)) continue;
    else if (phrases.has(token.stem)) add('measure', token.stem);
    else if (values.has(token.norm)) add('named value', token.norm);
    else add('words', token.stem);
  }
  return bag;
};
const isDateStart = (token: Token): boolean => token.kind === 'number' || token.kind === 'word';

/** Two dates, so that "last month" can't equal a named month by chance. */
const CLOCKS = [new Date('2000-06-15T00:00:00Z'), new Date('2003-11-03T00:00:00Z')];

const readings = memoize<Lens, Reading>(200);
/** Memoized, because one question is compared with many entries and one entry with many questions. */
const readAt = (lens: Lens, question: string, now: Date): Reading =>
  readings(lens, `${now.getTime()} ${question}`, () => readQuestion({ question, lens, choices: {}, now }));

/** The differences between two questions, by kind. Empty only if they mean the same. */
export const meaningDiffers = (lens: Lens, questionA: string, questionB: string): string[] => {
  const found = readDifferently(lens, questionA, questionB);
  const alike = found.length > 0 || restrictionsIn(lens, questionA) === restrictionsIn(lens, questionB);
  return alike ? found : ['set operation'];
};

const readDifferently = (lens: Lens, questionA: string, questionB: string): string[] => {
  if (normaliseQuestion(questionA) === normaliseQuestion(questionB))
    return namesDiffer(lens, questionA, questionB) ? ['named value'] : [];
  const [one, other] = [bagOf(lens, questionA), bagOf(lens, questionB)];
  const differences = KINDS.filter((kind) => {
    const left = [...(one.get(kind) ?? [])].sort().join('\n');
    const right = [...(other.get(kind) ?? [])].sort().join('\n');
    return left !== right;
  });
  const readable = CLOCKS.map((now) => {
    const [left, right] = [questionA, questionB].map((question) => readAt(lens, question, now));
    if (left?.kind !== 'plan' || right?.kind !== 'plan') return null;
    const found = planDifferences(left.plan, right.plan);
    // A reading with a doubt doesn't prove that two questions mean the same.
    return found.length === 0 && (left.doubt || right.doubt) ? null : found;
  });
  // Both questions have a reading: equivalent words, or named differences.
  if (readable.every((found) => found !== null)) return [...new Set(readable.flat())];
  if (differences.length > 0) return differences;
  // The same words without a reading: only their order differs, and order can matter.
  return ['words'];
};

/** "only", "all" or "twice" in one question keeps the two apart. */
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
  const bare = (plan: LensPlan) => plan.dimensions.map(({ path, field }) => ({ path, field }));
  if (sorted(one.measures) !== sorted(other.measures)) found.push('measure');
  if (
    sorted(bare(one)) !== sorted(bare(other)) ||
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
