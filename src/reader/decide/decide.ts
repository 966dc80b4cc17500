import { DateTime } from 'luxon';
import type { Asker, Lens } from '../../lens/model/lens.ts';
import { type LensPlan, metricAlone } from '../../plan/lens-plan.ts';
import { planSentence } from '../../plan/plan-sentence.ts';
import { checkPlan } from '../../plan/sql/compile-plan.ts';
import { Problem } from '../../platform/problem.ts';
import { canonicalSentence, withPeriod } from '../canonical/sentence.ts';
import { type Chart, type Edge, type Grammar, grammarOf, parse, whole } from '../chart/chart.ts';
import { rulesOf } from '../chart/pattern.ts';
import type { Language } from '../english/english.ts';
import { ENGLISH } from '../english/english.ts';
import type { Entry } from '../english/entry.ts';
import { PROVEN } from '../english/proven.ts';
import { byKey } from '../lattice/by-key.ts';
import { type Lattice, latticeOf } from '../lattice/lattice.ts';
import { asAsked } from '../lattice/leaf.ts';
import { type WordData, wordDataOf } from '../lattice/word-data.ts';
import { applyChange } from '../meaning/changed.ts';
import { planOf } from '../meaning/intent.ts';
import { OPERATORS } from '../meaning/operators.ts';
import { type Fork, Settling, Unfit } from '../meaning/settle.ts';
import type { Cond, Query, Term } from '../meaning/terms.ts';
import type { PlannerInput, Reading, WordUse } from '../reading.ts';
import { countedBy } from '../restrictions/plan-parts.ts';
import { withoutRestricting } from '../restrictions/settle-words.ts';
import { isTooLong } from '../words/longest.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { contradicts, disjointPeriods } from './contradicts.ts';
import { namedIn } from './named.ts';

const LONGEST = 1000; // characters
const MAX_WORDS = 60;
/** No round trip proves it. */
const UNPROVEN = 'This question was put together from its parts. Check that the scope says what was meant.';
const COMPILED = 100; // plans of a lens
const WAYS = 32; // of settling the names of one term

/** What the lens names. */
const NAMED: ReadonlySet<string> = new Set(['field', 'things', 'measure', 'value']);

export interface Spoken {
  language: Language;
  entries: ReadonlyMap<string, Entry>;
  /** For a question that stands alone, and for one that may change another. */
  grammar: Grammar;
  turns: Grammar;
  /** Words of constructions. */
  known: ReadonlySet<string>;
  yesOrNo: ReadonlySet<string>;
}
export const spoken = (language: Language): Spoken => {
  const rules = language.constructions.flatMap(rulesOf);
  return {
    language,
    entries: new Map(language.constructions.map((entry) => [entry.id, entry])),
    grammar: grammarOf(rules.filter(({ out }) => out !== 'change')),
    turns: grammarOf(rules),
    known: new Set(rules.flatMap(({ items }) => items.flatMap((item) => ('words' in item ? [...item.words] : [])))),
    yesOrNo: new Set(language.yesOrNo.split(' ')),
  };
};
export const SPOKEN = spoken(ENGLISH);

export interface Complete {
  intent: LensPlan;
  /** Two of one plan are one reading. */
  meant: string;
  query: Query;
  forks: readonly Fork[];
  doubts: readonly string[];
  notes: readonly string[];
  edge: Edge<Term>;
  lattice: Lattice;
  /** The question that this one changes. */
  before: { question: string; as: Complete } | null;
}
export interface Parsed {
  vocabulary: Vocabulary;
  lattice: Lattice;
  chart: Chart<Term>;
  roots: Edge<Term>[];
}

/** A question is read again with each choice that it may be answered by. */
const lastParsed = new WeakMap<Spoken, { input: PlannerInput; made: Parsed | null }>();
export const parsed = (as: Spoken, input: PlannerInput): Parsed | null => {
  const last = lastParsed.get(as);
  const same =
    last?.input.lens === input.lens &&
    last.input.question === input.question &&
    last.input.now === input.now &&
    !last.input.context?.length === !input.context?.length;
  if (last && same) return last.made;
  const made = parseQuestion(as, input);
  lastParsed.set(as, { input, made });
  return made;
};
const parseQuestion = (
  { language, entries, grammar, turns, known, yesOrNo }: Spoken,
  { question, lens, now, context = [] }: PlannerInput,
): Parsed | null => {
  if (question.length > LONGEST) return null;
  const vocabulary = vocabularyOf(lens, language);
  const lattice = latticeOf(question, vocabulary, { now, timezone: lens.timezone }, known);
  const { tokens } = lattice;
  if (tokens.length === 0 || tokens.length > MAX_WORDS || wantsYesOrNo(lattice, yesOrNo)) return null;
  const named = namedIn(vocabulary);
  const chart = parse<Term>(context.length > 0 ? turns : grammar, lattice, (id, slots) => {
    const { meaning, takes = {} } = entries.get(id)!;
    return OPERATORS[meaning]!(slots, takes, named);
  });
  return { vocabulary, lattice, chart, roots: whole(chart, lattice, 'query') };
};

/** "is urgent" may be a name. */
const wantsYesOrNo = ({ tokens, leaves }: Lattice, words: ReadonlySet<string>): boolean =>
  words.has(tokens[0]!.norm) && !leaves.some(({ from, to, cat }) => from === 0 && to > 1 && NAMED.has(cat));

const ANYONE: Asker = { name: '', groups: [], attributes: {}, superuser: true };
/** A plan as a text; conditions and groups have no order. */
export const meantBy = (intent: LensPlan): string => {
  const { filters, dimensions, ...rest } = withPeriod(intent);
  const unordered = [filters, dimensions].map((all) => all.map((one) => JSON.stringify(one)).sort());
  return JSON.stringify({ ...rest, unordered });
};
/** What compiled does so again: for the proof that its sentence reads back, and for each choice. */
const compiled = new WeakMap<Lens, Set<string>>();
const checked = (lens: Lens, intent: LensPlan, meant: string): void => {
  const known = compiled.get(lens) ?? new Set<string>();
  compiled.set(lens, known);
  if (known.has(meant)) return;
  checkPlan(lens, intent, ANYONE);
  if (known.size >= COMPILED) known.clear();
  known.add(meant);
};
/** Every way to settle the names of a term that compiles, and why the others do not. */
const completed = (
  { query, edge, before }: Pick<Complete, 'query' | 'edge' | 'before'>,
  input: PlannerInput,
  { vocabulary, lattice }: Parsed,
  faults: string[],
): Complete[] => {
  const made: Complete[] = [];
  const said = new Set([...lattice.tokens, ...(before?.as.lattice.tokens ?? [])].map(({ stem }) => stem));
  const today = DateTime.fromJSDate(input.now, { zone: input.lens.timezone }).toISODate()!;
  const open: number[][] = [[]];
  for (let taken = open.pop(), tries = 0; taken && tries < WAYS; taken = open.pop(), tries++) {
    const settling = new Settling(vocabulary, said, taken, today);
    try {
      const intent = planOf(settling, query);
      const meant = meantBy(intent);
      checked(input.lens, intent, meant);
      const { forks, doubts, notes } = settling;
      const never = disjointPeriods(intent);
      if (never) faults.push(never);
      else if (!contradicts(intent, vocabulary))
        made.push({ intent, meant, query, forks, doubts, notes, edge, lattice, before });
    } catch (fault) {
      if (fault instanceof Problem) faults.push(inWords(fault));
      else if (!(fault instanceof Unfit)) throw fault;
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

/** To somebody who wrote no plan. */
const inWords = ({ message, details }: Problem): string => {
  const [{ code, path } = { code: '', path: '' }] = details;
  const said = path.replaceAll('_', ' ');
  if (code === 'fan_out')
    return `Each row that is counted can have several ${said}, so it would be counted several times. Ask for a number of ${said}, or leave ${said} out.`;
  if (code === 'ambiguous') return message.replace('Choose one with via', 'Name the one that is meant');
  if (code === 'not_additive')
    return 'An average, a ratio or a number of different things has no parts that add up. Ask for it by group, or for the share of a total or a number of rows.';
  return message;
};

interface Found extends Parsed {
  complete: Complete[];
  /** Why what was read has no plan. */
  faults: string[];
}
/** The question before this one, if it is none that is too long to read. */
const earlierOf = ({ context = [] }: PlannerInput): string | undefined =>
  context.slice(-1).find((question) => !isTooLong(question));
/** Null where a bound was met: what it cut can have held another reading. */
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
  // What begins as a change is none of its own; what else stands alone does.
  const opened = changed(changes.filter(({ term }) => term.features.includes('opened')));
  const own = opened.length > 0 ? opened : alone();
  return { ...found, complete: own.length > 0 ? own : changed(changes), faults };
};

/** A question back about whole readings, by their sentences. */
const READING = 'reading';

/** Which option was answered: by the term that was asked about or the words that lead to it, by its key or the last name
 *  of it. */
const answerTo = ({ term, options, defined }: Fork, choices: PlannerInput['choices']): number | null => {
  const said = [term, ...(defined?.synonyms ?? []), options.map(({ key }) => key).join(' or ')];
  const led = Object.keys(choices).find((one) => one.toLowerCase().endsWith(` ${term.toLowerCase()}`));
  const answer = said.map((one) => choices[one]).find(Boolean) ?? (led && choices[led]);
  const at = options.findIndex(({ key }) => key === answer || key.split('.').at(-1) === answer);
  return at < 0 ? null : at;
};

/** The readings that are left where one class of them stands behind another. */
export const readingsLeft = (
  input: PlannerInput,
  as = SPOKEN,
  found = completeReadings(input, as),
): readonly Complete[] => {
  const chosen = ({ forks }: Complete): boolean =>
    forks.every((fork) => [null, fork.taken].includes(answerTo(fork, input.choices)));
  const said = input.choices[READING];
  const all = ofRows((found?.complete ?? []).filter(chosen));
  return lowest(unsplit(approved(all), wordDataOf(as.language))).filter(
    ({ intent }) => said === undefined || planSentence(input.lens, intent) === said,
  );
};

/** Null where nothing accounts for every word, or where a bound was met. */
export const readByGrammar = (input: PlannerInput, found = completeReadings(input)): Reading | null => {
  const left = readingsLeft(input, SPOKEN, found);
  const groups = [...byKey(left, ({ meant }) => meant).values()];
  const [only, more] = groups;
  if (!only) return null;
  const [first] = only as [Complete];
  const open = first.forks.some((fork) => fork.open && answerTo(fork, input.choices) === null);
  if (open) return askedBack([first], input, usesOf(first.lattice, first.edge));
  const { intent, doubts, edge, lattice } = first;
  if (more)
    return askedBack(
      groups.map(([first]) => first!),
      input,
      usesOf(lattice, edge),
    );
  const mended = lattice.mended.map(({ text, as }) => `"${text}" was read as "${as}".`);
  const carried = carriedOn(first);
  const notes = [
    ...carried.slice(0, 1).map((text) => `Carried over from the earlier question: "${text}".`),
    ...mended,
    ...sensesTaken(first),
    ...first.notes,
  ];
  const leaves = leftOut(first, input);
  return {
    kind: 'intent',
    intent,
    words: usesOf(lattice, edge),
    sentence: planSentence(input.lens, intent),
    used: usedBy(first, input),
    notes,
    unproven: [],
    asked: { texts: carried, choices: input.choices },
    doubt:
      [...doubts, ...mended, ...(leaves ? [leaves] : []), ...(isProven(only, input) ? [] : [UNPROVEN])].join(' ') ||
      null,
  };
};

/** The questions that this one carries on, the last one first. */
const carriedOn = ({ before }: Complete): string[] => (before ? [before.question, ...carriedOn(before.as)] : []);
/** The names of a question and of those that it carries on. */
const namesOf = ({ edge, lattice: { tokens }, before }: Complete): { term: Term; said: string }[] => [
  ...leavesOf(edge).map(({ term, from, to }) => ({ term, said: asAsked(tokens, from, to) })),
  ...(before ? namesOf(before.as) : []),
];
const sensesTaken = ({ forks }: Complete): string[] =>
  forks.flatMap(({ defined, term, options, taken }) =>
    defined ? [`"${term}" was read as ${options[taken]!.label}.`] : [],
  );
const usedBy = (read: Complete, { lens }: PlannerInput): Extract<Reading, { kind: 'intent' }>['used'] => {
  const metrics = read.intent.measures.flatMap((one) => metricAlone(one) ?? []);
  const { phrases, key } = vocabularyOf(lens);
  const terms = namesOf(read).flatMap(({ said }) =>
    (phrases.get(key(said)) ?? []).flatMap((one) => (one.kind === 'definition' ? [one.definition] : [])),
  );
  const defined = [...new Set(terms)].flatMap((one) => {
    if (one.senses.length === 0) return one.metric === null || metrics.includes(one.metric) ? [one] : [];
    const fork = read.forks.find(({ term }) => term === one.term);
    const sense = one.senses.find(({ key: known }) => known === fork?.options[fork.taken]?.key);
    return sense ? [{ ...one, meaning: sense.meaning }] : [];
  });
  return [
    ...metrics.map((name) => ({
      kind: 'metric' as const,
      name,
      text: lens.metrics.find((one) => one.name === name)?.description ?? null,
    })),
    ...defined.map(({ term, meaning }) => ({ kind: 'definition' as const, name: term, text: meaning })),
  ];
};

/** "What was profit?" behind "revenue in the West in 2016": of all that is stored, or of the West in 2016? It stands alone,
 *  but that nothing is left out is not proven. */
const leftOut = ({ intent, before }: Complete, input: PlannerInput): string | null => {
  const question = earlierOf(input);
  if (question === undefined || before || intent.filters.length + intent.having.length > 0 || intent.time) return null;
  const earlier = {
    ...input,
    question: withoutRestricting(question, input.lens, input.now),
    context: input.context!.slice(0, -1),
  };
  const [one] = readingsLeft(earlier);
  const grouped = (term: Term): boolean =>
    term.t === 'value' &&
    term.any.every(({ options }) =>
      options.some(({ dataset, field }) =>
        intent.dimensions.some(({ path, field: name }) => path === dataset && name === field.name),
      ),
    );
  const limits = (one ? namesOf(one) : []).filter(
    ({ term }) => (term.t === 'value' || term.t === 'period') && !grouped(term),
  );
  return limits.length === 0
    ? null
    : `Limits of the earlier question are not applied: ${limits.map(({ said }) => `"${said}"`).join(', ')}. Begin with "and" to keep them.`;
};

/** Made of proven constructions alone, without a word like "only" or "all" (no plan of the proof is said with one), of a plan
 *  whose own sentence reads as it and as nothing else here. What is not so of a thing with several rows is not proven. */
const isProven = (all: readonly Complete[], input: PlannerInput): boolean => {
  const [first] = all;
  if (input.restricted || !first || !all.some(isMadeOfProven)) return false;
  if (input.negated && (isOnce(first.lattice.leaves) || countedBy(input.lens, first.intent).are !== 'rows'))
    return false;
  const said = canonicalSentence(input.lens, first.intent);
  if (said === null) return false;
  const again = readingsLeft({ ...input, question: said, context: [], choices: {} });
  return again.length > 0 && again.every(({ meant }) => meant === first.meant);
};
const isMadeOfProven = ({ edge, before, intent, lattice }: Complete): boolean =>
  fromProven(edge) &&
  leavesOf(edge).every((leaf) => (isExact(leaf) || isMetric(leaf, intent, lattice)) && !isToldBy(intent, leaf)) &&
  (before === null || isMadeOfProven(before.as));
/** "units per order", where rows are lines: a row for each order, or how many there are in one? */
const isToldBy = ({ dimensions }: LensPlan, { term }: Edge<Term>): boolean =>
  term.t === 'things' &&
  term.features.includes('once') &&
  term.options.some(({ by }) =>
    dimensions.some(({ path, field }) => path === by?.dataset && field === by.fields[0]!.name),
  );
/** What is called orders may be the rows, or what has several of them. */
const isOnce = (leaves: readonly { term: Term }[]): boolean =>
  leaves.some(({ term }) => term.features.includes('once'));
/** "Customers by region", counted by the metric that is called customers. */
const isMetric = ({ cat, from, to }: Edge<Term>, { measures }: LensPlan, { leaves }: Lattice): boolean =>
  cat === 'things' &&
  leaves.some(
    ({ term, ...leaf }) =>
      leaf.from === from &&
      leaf.to === to &&
      term.t === 'measure' &&
      term.is === 'metric' &&
      term.metrics.some(({ name }) => measures.some((one) => metricAlone(one) === name)),
  );
/** "Meals" for the values of meal_code may be other things. */
const isExact = ({ term }: Edge<Term>): boolean =>
  term.t === 'field'
    ? term.options.some(({ loose }) => loose < 2)
    : term.t !== 'things' ||
      term.features.includes('once') ||
      term.options.some(({ by }) => !by || (by.loose === 0 && by.identity === undefined));
const fromProven = ({ derivations }: Edge<Term>): boolean =>
  derivations.length === 0 ||
  derivations.some(
    ({ rule, parts }) =>
      // A change says no plan of its own; the plan that it makes is read back whole.
      (rule.out === 'change' || PROVEN[rule.entry]?.includes(rule.pattern) === true) && parts.every(fromProven),
  );

/** The class of rows and things: rows are meant by a name that is theirs, unless nothing of the kind can hold of them. */
const ofRows = (all: readonly Complete[]): readonly Complete[] => {
  const rows = all.filter(({ edge }) => !isOnce(leavesOf(edge)));
  const meant = new Set(rows.map((one) => one.meant));
  return rows.length > 0 ? all.filter((one) => meant.has(one.meant)) : all;
};
const leavesOf = (edge: Edge<Term>): Edge<Term>[] =>
  edge.derivations[0] ? edge.derivations[0].parts.flatMap(leavesOf) : [edge];

/** The class of approved names: what a metric is called is no part of the name of a field. */
const approved = (all: readonly Complete[]): readonly Complete[] => {
  const metrics = all.flatMap(({ edge }) =>
    leavesOf(edge).filter(({ term }) => term.t === 'measure' && term.is === 'metric'),
  );
  const isPart = ({ term, from, to }: Edge<Term>): boolean =>
    term.t === 'field' &&
    term.options.every(({ loose }) => loose > 0) &&
    metrics.some((one) => one.from === from && one.to === to);
  return all.filter(({ edge }) => !leavesOf(edge).some(isPart));
};

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
  [...byKey(all, measuredAs).values()].flatMap((alike) => {
    const deepest = Math.max(...alike.map(depth));
    return alike.filter((one) => depth(one) === deepest);
  });
const measuredAs = ({ query: { shown, groups } }: Complete): string =>
  [groups.length, ...shown.map((one) => (one.t === 'field' ? '' : one.is))].join();
const depth = ({ query }: Complete): number => depthOf(query.conds, 1) + depthOf(query.things?.conds ?? [], 1);
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
const askedBack = (all: readonly Complete[], { lens, choices }: PlannerInput, words: WordUse[]): Reading | null => {
  const isOpen = ({ term, open }: Fork): boolean =>
    open || new Set(all.map(({ forks }) => forks.find((one) => one.term === term)?.taken)).size > 1;
  const fork = all[0]!.forks.find((one) => isOpen(one) && answerTo(one, choices) === null);
  if (fork)
    return {
      kind: 'clarification',
      words,
      clarification: {
        kind: 'ambiguous_term',
        term: fork.term,
        message: fork.defined
          ? `"${fork.term}" has several meanings here: ${fork.options.map(({ label }) => label).join('; ')}. Say which.`
          : `"${fork.term}" could be about ${fork.options.map(({ label }) => label).join(' or ')}.`,
        options: fork.options.map(({ key, label, meaning = label }) => ({ key, label, meaning })),
      },
    };
  const sentences = [...new Set(all.map(({ intent }) => planSentence(lens, intent)))];
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
