import type { Intent } from '../../lens/model/intent.ts';
import type { Asker } from '../../lens/model/lens.ts';
import { checkIntent } from '../../lens/sql/compile-intent.ts';
import { intentSentence } from '../../lens/sql/intent-sentence.ts';
import { Problem } from '../../platform/problem.ts';
import { canonicalSentence, withPeriod } from '../canonical/sentence.ts';
import { type Chart, type Edge, type Grammar, grammarOf, parse, whole } from '../chart/chart.ts';
import { rulesOf } from '../chart/pattern.ts';
import { ENGLISH } from '../english/english.ts';
import { PROVEN } from '../english/proven.ts';
import type { PlannerInput, Reading, WordUse } from '../grammar/reading.ts';
import type { Entry } from '../language/entry.ts';
import type { Language } from '../language/language.ts';
import { byKey } from '../lattice/by-key.ts';
import { type Lattice, latticeOf } from '../lattice/lattice.ts';
import { type WordData, wordDataOf } from '../lattice/word-data.ts';
import { intentOf } from '../meaning/intent.ts';
import { OPERATORS } from '../meaning/operators.ts';
import { type Fork, Settling, Unfit } from '../meaning/settle.ts';
import type { Cond, Query, Term } from '../meaning/terms.ts';
import { countedBy } from '../restrictions/plan-parts.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { contradicts } from './contradicts.ts';
import { namedIn } from './named.ts';

const LONGEST = 1000; // characters
const MAX_WORDS = 60;
/** No round trip proves it. */
const UNPROVEN = 'This question was put together from its parts. Check that the scope says what was meant.';
const WAYS = 32; // of settling the names of one term

/** What the lens names. */
const NAMED: ReadonlySet<string> = new Set(['field', 'things', 'measure', 'value']);

export interface Spoken {
  language: Language;
  entries: ReadonlyMap<string, Entry>;
  grammar: Grammar;
  /** Words of constructions. */
  known: ReadonlySet<string>;
  yesOrNo: ReadonlySet<string>;
}
export const spoken = (language: Language): Spoken => {
  const rules = language.constructions.flatMap(rulesOf);
  return {
    language,
    entries: new Map(language.constructions.map((entry) => [entry.id, entry])),
    grammar: grammarOf(rules),
    known: new Set(rules.flatMap(({ items }) => items.flatMap((item) => ('words' in item ? [...item.words] : [])))),
    yesOrNo: new Set(language.yesOrNo.split(' ')),
  };
};
export const SPOKEN = spoken(ENGLISH);

export interface Complete {
  intent: Intent;
  /** Two of one plan are one reading. */
  meant: string;
  forks: readonly Fork[];
  doubts: readonly string[];
  edge: Edge<Term>;
  lattice: Lattice;
}
export interface Parsed {
  vocabulary: Vocabulary;
  lattice: Lattice;
  chart: Chart<Term>;
  roots: Edge<Term>[];
}

export const parsed = (
  { language, entries, grammar, known, yesOrNo }: Spoken,
  { question, lens, now }: PlannerInput,
): Parsed | null => {
  if (question.length > LONGEST) return null;
  const vocabulary = vocabularyOf(lens, language);
  const lattice = latticeOf(question, vocabulary, { now, timezone: lens.timezone }, known);
  const { tokens } = lattice;
  if (tokens.length === 0 || tokens.length > MAX_WORDS || wantsYesOrNo(lattice, yesOrNo)) return null;
  const named = namedIn(vocabulary, now);
  const chart = parse<Term>(grammar, lattice, (id, slots) => {
    const { meaning, takes = {} } = entries.get(id)!;
    return OPERATORS[meaning]!(slots, takes, named);
  });
  return { vocabulary, lattice, chart, roots: whole(chart, lattice, 'query') };
};

/** "is urgent" may be a name. */
const wantsYesOrNo = ({ tokens, leaves }: Lattice, words: ReadonlySet<string>): boolean =>
  words.has(tokens[0]!.norm) && !leaves.some(({ from, to, cat }) => from === 0 && to > 1 && NAMED.has(cat));

const ANYONE: Asker = { name: '', groups: [], attributes: {}, superuser: true };
/** A plan as a text; conditions have no order. */
export const meantBy = (intent: Intent): string => {
  const { filters, ...rest } = withPeriod(intent);
  return JSON.stringify({ ...rest, filters: filters.map((one) => JSON.stringify(one)).sort() });
};
/** Every way to settle the names of a term that compiles. */
const completed = (edge: Edge<Term>, input: PlannerInput, { vocabulary, lattice }: Parsed): Complete[] => {
  const made: Complete[] = [];
  const said = new Set(lattice.tokens.map(({ stem }) => stem));
  const open: number[][] = [[]];
  for (let taken = open.pop(), tries = 0; taken && tries < WAYS; taken = open.pop(), tries++) {
    const settling = new Settling(vocabulary, said, taken);
    try {
      const intent = intentOf(settling, edge.term as Query);
      checkIntent(input.lens, intent, ANYONE);
      if (!contradicts(intent, vocabulary))
        made.push({ intent, meant: meantBy(intent), forks: settling.forks, doubts: settling.doubts, edge, lattice });
    } catch (fault) {
      if (!(fault instanceof Unfit || fault instanceof Problem)) throw fault;
    }
    for (const [at, { options, taken: way }] of settling.forks.entries())
      if (at >= taken.length && way === 0)
        for (let other = 1; other < options.length; other++)
          open.push([...settling.forks.slice(0, at).map((fork) => fork.taken), other]);
  }
  return made;
};

/** Entries of the data that a reading is made of. */
export const entriesOf = (edge: Edge<Term>, seen = new Set<Edge<Term>>()): Set<string> => {
  const used = new Set<string>();
  if (seen.has(edge)) return used;
  seen.add(edge);
  for (const { rule, parts } of edge.derivations) {
    used.add(rule.entry);
    for (const part of parts) for (const id of entriesOf(part, seen)) used.add(id);
  }
  return used;
};

interface Found extends Parsed {
  complete: Complete[];
}
/** Null where a bound was met: what it cut can have held another reading. */
export const completeReadings = (input: PlannerInput, as = SPOKEN): Found | null => {
  const found = parsed(as, input);
  return found && !found.chart.cut
    ? { ...found, complete: found.roots.flatMap((edge) => completed(edge, input, found)) }
    : null;
};

/** A question back about whole readings, by their sentences. */
const READING = 'reading';

/** The readings that are left where one class of them stands behind another. */
export const readingsLeft = (input: PlannerInput, as = SPOKEN): readonly Complete[] => {
  const chosen = ({ forks }: Complete): boolean =>
    forks.every(({ term, options, taken }) => {
      const one = options.find(({ key }) => key === input.choices[term]);
      return !one || one === options[taken];
    });
  const said = input.choices[READING];
  const all = ofRows((completeReadings(input, as)?.complete ?? []).filter(chosen));
  return lowest(unsplit(all, wordDataOf(as.language))).filter(
    ({ intent }) => said === undefined || intentSentence(input.lens, intent) === said,
  );
};

/** Null where nothing accounts for every word, or where a bound was met. */
export const readByGrammar = (input: PlannerInput): Reading | null => {
  const left = readingsLeft(input);
  const groups = [...byKey(left, ({ meant }) => meant).values()];
  const [only, more] = groups;
  if (!only) return null;
  const [{ intent, doubts, edge, lattice }] = only as [Complete];
  if (more)
    return askedBack(
      groups.map(([first]) => first!),
      input,
      usesOf(lattice, edge),
    );
  const notes = lattice.mended.map(({ text, as }) => `"${text}" was read as "${as}".`);
  return {
    kind: 'intent',
    intent,
    words: usesOf(lattice, edge),
    sentence: intentSentence(input.lens, intent),
    used: intent.measures.flatMap((one) =>
      one.kind === 'metric'
        ? [
            {
              kind: 'metric' as const,
              name: one.name,
              text: input.lens.metrics.find(({ name }) => name === one.name)?.description ?? null,
            },
          ]
        : [],
    ),
    notes,
    unproven: [],
    asked: { texts: [], choices: input.choices },
    doubt: [...doubts, ...notes, ...(isProven(only, input) ? [] : [UNPROVEN])].join(' ') || null,
  };
};

/** Made of proven constructions alone, without a word like "only" or "all" (no plan of the proof is said with one), of a plan
 *  whose own sentence reads as it and as nothing else here. What is not so of a thing with several rows is not proven. */
const isProven = (all: readonly Complete[], input: PlannerInput): boolean => {
  const [first] = all;
  if (input.restricted || !first || !all.some(({ edge }) => fromProven(edge) && leavesOf(edge).every(isExact)))
    return false;
  if (input.negated && (isOnce(first.lattice.leaves) || countedBy(input.lens, first.intent).are !== 'rows'))
    return false;
  const said = canonicalSentence(input.lens, first.intent);
  if (said === null) return false;
  const again = readingsLeft({ ...input, question: said, choices: {} });
  return again.length > 0 && again.every(({ meant }) => meant === first.meant);
};
/** What is called orders may be the rows, or what has several of them. */
const isOnce = (leaves: readonly { term: Term }[]): boolean =>
  leaves.some(({ term }) => term.features.includes('once'));
/** "Meals" for the values of meal_code may be other things. */
const isExact = ({ term }: Edge<Term>): boolean =>
  term.t === 'field'
    ? term.options.some(({ loose }) => loose < 2)
    : term.t !== 'things' || term.options.some(({ by }) => !by || (by.loose === 0 && by.identity === undefined));
const fromProven = ({ derivations }: Edge<Term>): boolean =>
  derivations.length === 0 ||
  derivations.some(({ rule, parts }) => PROVEN[rule.entry]?.includes(rule.pattern) === true && parts.every(fromProven));

/** The class of rows and things: rows are meant by a name that is theirs, unless nothing of the kind can hold of them. */
const ofRows = (all: readonly Complete[]): readonly Complete[] => {
  const rows = all.filter(({ edge }) => !isOnce(leavesOf(edge)));
  return rows.length > 0 ? rows : all;
};
const leavesOf = (edge: Edge<Term>): Edge<Term>[] =>
  edge.derivations[0] ? edge.derivations[0].parts.flatMap(leavesOf) : [edge];

/** The class of names: words that are one name are no two parts of a question, where both would do. "Size of all scans" is
 *  made of parts, whatever is called so. */
const unsplit = (all: readonly Complete[], { isFunction }: WordData): readonly Complete[] => {
  const leaves = all.map(({ edge }) => leavesOf(edge));
  const names = all.flatMap(({ lattice: { tokens } }, at) =>
    leaves[at]!.filter(
      ({ cat, from, to }) =>
        NAMED.has(cat) && to - from > 1 && !tokens.slice(from, to).some(({ norm }) => isFunction(norm)),
    ),
  );
  const splits = (own: readonly Edge<Term>[]): boolean =>
    names.some(
      (name) =>
        own.filter(({ from, to }) => name.from <= from && to <= name.to && to - from < name.to - name.from).length > 1,
    );
  return all.filter((_, at) => !splits(leaves[at]!));
};

/** The class of attachment: what may be said of a thing or of what it is a part of is said of the nearest one, where the
 *  same is measured. */
const lowest = (all: readonly Complete[]): Complete[] =>
  [
    ...byKey(all, ({ edge }) =>
      (edge.term as Query).shown.map((one) => (one.t === 'field' ? '' : one.is)).join(),
    ).values(),
  ].flatMap((alike) => {
    const deepest = Math.max(...alike.map(depth));
    return alike.filter((one) => depth(one) === deepest);
  });
const depth = ({ edge }: Complete): number =>
  depthOf((edge.term as Query).conds, 1) + depthOf((edge.term as Query).things?.conds ?? [], 1);
const depthOf = (conds: readonly Cond[], depth: number): number =>
  conds.reduce(
    (sum, one) =>
      sum +
      depth +
      (one.is === 'has'
        ? depthOf(one.things.conds, depth + 1)
        : one.is === 'not'
          ? depthOf([one.of], depth) - depth
          : one.is === 'all' || one.is === 'any'
            ? depthOf(one.of, depth) - depth
            : 0),
    0,
  );

/** By the first name that tells the readings apart, else by their sentences. */
const askedBack = (all: readonly Complete[], { lens }: PlannerInput, words: WordUse[]): Reading | null => {
  const fork = all[0]!.forks.find(
    ({ term }) => new Set(all.map(({ forks }) => forks.find((one) => one.term === term)?.taken)).size > 1,
  );
  if (fork)
    return {
      kind: 'clarification',
      words,
      clarification: {
        kind: 'ambiguous_term',
        term: fork.term,
        message: `"${fork.term}" could be about ${fork.options.map(({ label }) => label).join(' or ')}.`,
        options: fork.options.map(({ key, label }) => ({ key, label, meaning: label })),
      },
    };
  const sentences = [...new Set(all.map(({ intent }) => intentSentence(lens, intent)))];
  if (sentences.length < 2 || sentences.length > 4) return null;
  return {
    kind: 'clarification',
    words,
    clarification: {
      kind: 'ambiguous_term',
      term: READING,
      message: `This can be read as: ${sentences.join(' Or: ')}`,
      options: sentences.map((key) => ({ key, label: key, meaning: key })),
    },
  };
};

const AS: Readonly<Record<string, string>> = {
  field: 'field',
  things: 'dataset',
  measure: 'metric',
  value: 'value',
  period: 'time',
  number: 'number',
};
const usesOf = ({ tokens, empty }: Lattice, edge: Edge<Term> | undefined): WordUse[] => {
  const leaves = edge ? leavesOf(edge) : [];
  return tokens.map(({ text }, at) => {
    const leaf = leaves.find(({ from, to }) => from <= at && at < to);
    return { text, as: leaf ? (AS[leaf.cat] ?? 'construction') : empty[at] ? 'filler' : 'construction' };
  });
};
