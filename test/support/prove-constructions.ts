// Proves constructions: generates plans from a lens, writes each as a sentence, and reads it back. Each sentence is
// also written in other wordings, with the patterns of its constructions. A pattern is proven if svc reads each
// sentence with this pattern back as the plan of the sentence.

import type { Lens } from '../../src/lens/model/lens.ts';
import { toSingular } from '../../src/lens/model/singular.ts';
import { isAggregate, type LensPlan, getRowsPath as rowsMeasured } from '../../src/plan/lens-plan.ts';
import { checkPlan } from '../../src/plan/sql/compile-plan.ts';
import { Problem } from '../../src/platform/problem.ts';
import { findPluralName } from '../../src/reader/canonical/round-trip-names.ts';
import { writeCanonicalSentence } from '../../src/reader/canonical/sentence.ts';
import type { ChartEdge, TermDerivation } from '../../src/reader/chart/chart.ts';
import { expandRules, type GrammarRule } from '../../src/reader/chart/pattern.ts';
import { hasContradiction } from '../../src/reader/decide/contradictions.ts';
import { findPreferredInterpretations, interpretQuestion } from '../../src/reader/decide/interpret.ts';
import { createPlanKey, type Interpretation } from '../../src/reader/decide/interpretations.ts';
import { compileGrammar } from '../../src/reader/decide/parse-question.ts';
import type { Construction } from '../../src/reader/english/construction.ts';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import type { Term } from '../../src/reader/meaning/terms.ts';
import { getVocabulary } from '../../src/reader/words/vocabulary.ts';
import { shapedLenses } from './lens-shapes.ts';
import { planBrief } from './plan-brief.ts';
import { PlanGenerator } from './plan-generator.ts';
import { SeededChoices } from './seeded.ts';

export interface Proof {
  plans: number;
  wordings: number;
  /** Sentences whose chart reaches a limit. svc declines these. */
  cut: number;
  /** Plans without a sentence, or whose sentence svc can't interpret or interprets differently. */
  differences: string[];
  /** Sentences with a second interpretation. */
  alternatives: string[];
  /** Wordings that svc interpreted as a different plan. */
  misread: string[];
  /** The patterns of each construction that read back correctly. */
  proven: Map<string, number[]>;
}

const now = new Date('2024-06-30T12:00:00Z');
const ANYONE = { name: '', groups: [], attributes: {}, superuser: true };
/** A pattern is proven only after this many correct interpretations, over this many lenses. */
const OFTEN = 3;
const LENSES = 2;
/** A wording isn't tested again after this many correct interpretations. */
const ENOUGH = 12;

const isPlan = (lens: Lens, plan: LensPlan): boolean => {
  try {
    checkPlan(lens, plan, ANYONE);
    return !hasContradiction(plan, getVocabulary(lens));
  } catch (fault) {
    if (fault instanceof Problem) return false;
    throw fault;
  }
};

/** Other wordings of a grammar entry: words around its slots. `only`: the texts to which a wording applies. */
const REWORDED: readonly (readonly [entry: string, as: string, only?: RegExp])[] = [
  ['things-that', '{c.v.v} {t}', / where [^"]* is (?!.* or )/],
  ['things-that', '{t} that are {c.v.v}', / where [^"]* is /],
  ['things-that', '{t} {c.v.v}', /^\S+ where \S+ is (?!.* or )[^"]*$/],
  ['in-value', 'in {v.v}'],
  ['in-value', 'for {v.v}'],
  ['in-value', 'that are {v.v}'],
  ['not-value', 'not in {v.v}'],
  ['not-value', 'that are not {v.v}'],
  ['not-value', 'not {v}'],
  ['compares', 'that have a {f} of {o} {n}'],
  ['compares', 'with {f} {o} {n}'],
  ['compares', 'with {o} {n} {f}'],
  ['compares', '{f} {o} {n}'],
  ['by-word', 'per {g}'],
  ['by-word', 'across {g}'],
  ['by-word', 'split by {g}'],
  ['by-word', 'grouped by {g}'],
  ['by-word', 'recorded by {g}'],
  ['by-word', 'recorded by {g}', / (?:day|week|month|quarter|year)$/],
  ['by-word', 'recorded per {g}'],
  ['by-word', 'recorded in each {g}'],
  ['aggregate', '{a} {f} of {rows}'],
  ['restricted', '{m.a} {m.f} of {rows} {c}'],
  ['restricted', '{m} {c.v.v}', / where [^"]* is (?!.* or )/],

  ['by-word', 'for each {g}'],
  ['grouped', 'for each {g.g}, {q}'],
  ['grouped', 'for each {g.g} show {q}'],
  ['grouped', 'how does {q.m} vary by {g.g}'],
  ['grouped', '{q.m.t} by {g.g}'],
  ['grouped', 'how many {q.m.t} does each {g.g} have'],
  ['grouped', 'monthly {q}', / by month$/],
  ['grouped', 'yearly {q}', / by year$/],
  ['grouped', '{q} over time', / by month$/],
  ['grouped', '{q} trend', / by month$/],
  ['grouped', '{q} over the years', / by year$/],
  ['grouped', 'monthly {q} trend', / by month$/],
  ['grouped', '{q.m} trend by quarter', / by quarter$/],
  ['with-most', '{t} that bring in the highest {x.m}', /with the highest/],
  ['grain-most', 'busiest {g} for {m.t}', /highest number of/],
  ['grain-most', 'best {g} for {m}', /highest/],
  ['grain-most', '{g} with the most {m.t}', /highest number of/],
  ['grain-most', 'which {g} had the most {m.t}', /highest number of/],
  ['measured', 'what is the {m}'],
  ['measured', 'show me the {m}'],
  ['measured', 'calculate the {m}'],
  ['measured', 'overall {m}'],
  ['measured', '{m} in total'],
  ['measured', '{m} in our database'],
  ['measured', 'how much {m}'],
  ['measured', 'how many {m}'],
  ['query-cond', '{c.v.v} {q}', /^(?!.* excluding ).* in [^"]+$/],
  ['listed', 'list the {t}'],
  ['listed', 'which {t}'],
  ['listed', 'give me a list of {t}'],
  ['listed', 'all {t}'],
  ['count', 'how many {t} are there'],
  ['count', 'total number of {t}'],
  ['count', 'total {t}'],
  ['ratio', 'ratio of {a.t} to {b.t}'],
  ['share-of-each', '{w} of {m.m.t} by {g}'],
  ['share-of-things', '{w} of {t}'],
  ['restricted', '{c}, {m}'],
  ['restricted', '{m} {c.v.v}', / where [^"]* is (?!.* or )/],
  ['with-most', '{t} with the most {x.m.t}', /^\D*highest number of/],
  ['with-most', '{n} {t} with the most {x.m.t}', /highest number of/],
  ['top-by', 'top {n} {t} by number of {x.m.t}', /^top/i],
  ['has', 'who have {t}'],
  ['has', 'with at least one {t}'],
  ['has', 'having {t}'],
  ['missing', 'without {f}'],
  ['missing', 'missing {f}'],
  ['missing', 'with no {f}'],
  ['missing', 'that have no {f}'],
  ['has-not', 'with no {t}'],
  ['has-not', 'that have no {t}'],
  ['has-count', 'that have {o} {n} {t}'],
  ['has-count', 'with {n} {t}', /^with exactly/],
  ['has-count', 'with {n} or more {t}', /^with at least/],
  ['is-flag', 'that are {f}'],
  ['restricted', 'number of {c.f} {m.t}', /^number of \S+ where (?!not )\S+(?: \S+)?$/i],
  ['restricted', 'how many {m.t} are {c.f}', /^number of \S+ where (?!not )\S+(?: \S+)?$/i],
  ['restricted', 'how many {m.t} are not {c.f}', /^number of \S+ where not \S+(?: \S+)?$/i],
  ['restricted', 'how many {m.t} does {c.v.v} have', /^number of \S+ where [^"]+ is /i],
  ['restricted', 'how many {m.t} did {c.v.v} receive', /^number of \S+ where [^"]+ is /i],
  ['compares', '{o} {n} euros', /^where (?:cost|fee|freight) /],
  ['compares', 'that {o} {n} EUR', /^where (?:cost|fee|freight) /],
  ['with-most', '{n} most expensive {t}', / with the highest cost$/],
  ['with-most', '{n} cheapest {t}', / with the lowest cost$/],
  ['with-most', '{n} heaviest {t}', / with the highest weight$/],
  ['in-value', 'received in {v.v}', /^where receiving /],
  ['in-value', 'unloaded in {v.v}', /^where unloading /],
  ['not-value', 'neither in {v.v.a} nor in {v.v.b}', / or /],
  ['aggregate', '{a} {f} per {row}', /^average /i],
  ['things-that', '{t} never repaired', / without repairs$/],
  ['things-that', '{t} never visited', / without visits$/],
  ['things-that', '{t} that were never shipped', / without shipments$/],
  ['things-that', '{c.f} {t}', /^\S+ where (?!not )\S+(?: \S+)?$/],
  ['things-that', '{t} that are {c.f}', /^\S+ where (?!not )\S+(?: \S+)?$/],
  ['not-flag', 'that are not {f}'],
  ['not-value', 'neither {v.v.a} nor {v.v.b}', / or /],
  ['not-value', 'outside {v.v}'],
  ['things-that', '{t.t} {t.c} and {c}'],
  ['restricted', '{m.m} {m.c} and {c}'],
  ['query-cond', '{q.q} {q.c} and {c}'],
  ['things-that', '{c.v.v} {t}', / where [^"]* is [^"]* or /],
  ['ratio', 'ratio of {a.t} to {b}'],
  ['ratio', 'ratio of {a.t} out of all {b.t}'],
  ['has-not', 'who never had {t}'],
  ['ordered', '{q} in descending order', /descending$/],
  ['ordered', '{q} from highest to lowest', /descending$/],
  ['ordered', '{q} highest first', /descending$/],
  ['ordered', '{q} sorted from highest to lowest', /descending$/],
];

type Node = ChartEdge<Term>;
const partsOf = ({ rule, parts }: TermDerivation<Term>): Record<string, Node> =>
  Object.fromEntries(
    rule.items.flatMap((item) => ('slot' in item ? [item.slot] : [])).map((slot, at) => [slot, parts[at]!]),
  );
const nodesOf = (edge: Node): Node[] => [
  edge,
  ...(edge.derivations[0]?.parts.flatMap(nodesOf) ?? []).filter(({ derivations }) => derivations.length > 0),
];
const patternsOf = (edge: Node, seenKeys = new Set<Node>()): string[] => {
  if (seenKeys.has(edge)) return [];
  seenKeys.add(edge);
  return edge.derivations.flatMap(({ rule, parts }) => [
    `${rule.entry} ${rule.pattern}`,
    ...parts.flatMap((part) => patternsOf(part, seenKeys)),
  ]);
};

const FILLED: Readonly<Record<string, readonly string[]>> = {
  prep: ['in', 'for', 'of'],
  link: ['having', 'located', 'recorded'],
};

/** Maps the id of each construction to the rules of all constructions with the same operator. */
const alikeRules = (constructions: readonly Construction[]): ReadonlyMap<string, readonly GrammarRule[]> => {
  const operator = ({ out, meaning, takes }: Construction) => JSON.stringify([out, meaning, takes]);
  const ofOperator = new Map<string, GrammarRule[]>();
  for (const entry of constructions)
    ofOperator.set(operator(entry), [...(ofOperator.get(operator(entry)) ?? []), ...expandRules(entry)]);
  return new Map(constructions.map((entry) => [entry.id, ofOperator.get(operator(entry))!]));
};

/** Finds the rules that have the operator of a node and accept its parts. */
const alike = (
  rules: ReadonlyMap<string, readonly GrammarRule[]>,
  node: Node,
): { rule: GrammarRule; parts: Record<string, Node> }[] =>
  node.derivations.flatMap((derivation) => {
    const parts = partsOf(derivation);
    return rules
      .get(derivation.rule.entry)!
      .filter(({ items }) => {
        const slots = items.flatMap((item) => ('slot' in item ? [item] : []));
        return (
          Object.keys(parts).every((slot) => slots.some((item) => item.slot === slot) || FILLED[parts[slot]!.cat]) &&
          slots.every(({ slot, cat, feature }) => {
            const part = parts[slot];
            return part
              ? part.cat === cat && (!feature || part.term.features.includes(feature))
              : FILLED[cat] !== undefined;
          })
        );
      })
      .map((rule) => ({ rule, parts }));
  });

class Prover extends SeededChoices {
  private readonly rules: ReadonlyMap<string, readonly GrammarRule[]>;
  private readonly as: ReturnType<typeof compileGrammar>;
  private readonly came = new Map<string, Set<string>>();
  private readonly times = new Map<string, number>();
  private readonly tried = new Map<string, number>();
  private readonly confirmed = new Map<string, number>();
  private readonly failed = new Set<string>();
  readonly proof: Proof = {
    plans: 0,
    wordings: 0,
    cut: 0,
    differences: [],
    alternatives: [],
    misread: [],
    proven: new Map(),
  };

  constructor(seed: number, constructions: readonly Construction[]) {
    super(seed);
    this.rules = alikeRules(constructions);
    this.as = compileGrammar(constructions);
  }

  plan(lens: Lens, plan: LensPlan, wordings: number): void {
    this.proof.plans++;
    const sentence = writeCanonicalSentence(lens, plan);
    const intendedKey = createPlanKey(plan);
    if (sentence === null) {
      this.proof.differences.push(`${lens.name}: no sentence for ${planBrief(plan)}`);
      return;
    }
    const read = this.read(lens, sentence);
    if (read.length === 0 && interpretQuestion({ question: sentence, lens, choices: {}, now }, this.as) === null) {
      this.proof.cut++;
      return;
    }
    const otherReadings = read.filter((item) => item.planText !== intendedKey);
    if (
      read.length === 0 ||
      (read.length === otherReadings.length && new Set(otherReadings.map((other) => other.planText)).size === 1)
    )
      this.proof.differences.push(
        `${lens.name}: ${sentence} | ${planBrief(plan)} | ${read[0] ? planBrief(read[0].plan) : 'not read'}`,
      );
    else if (otherReadings.length > 0)
      this.proof.alternatives.push(`${lens.name}: ${sentence} | ${planBrief(otherReadings[0]!.plan)}`);
    else {
      this.count(lens, read);
      for (let at = 0; at < wordings; at++) this.wording(lens, sentence, this.pick(read), rowsOf(lens, plan));
    }
  }

  private read(lens: Lens, question: string): readonly Interpretation[] {
    return findPreferredInterpretations({ question, lens, choices: {}, now }, this.as);
  }
  private count(lens: Lens, read: readonly Interpretation[]): void {
    for (const pattern of new Set(read.flatMap(({ edge }) => patternsOf(edge)))) {
      this.times.set(pattern, (this.times.get(pattern) ?? 0) + 1);
      this.came.set(pattern, (this.came.get(pattern) ?? new Set()).add(lens.name));
    }
  }

  /** Picks the pattern that was tested least. */
  private wording(
    lens: Lens,
    sentence: string,
    { edge, hypotheses, planText }: Interpretation,
    rows: string | null,
  ): void {
    const textOf = ({ from, to }: { from: number; to: number }): string =>
      sentence.slice(hypotheses.tokens[from]!.start, hypotheses.tokens[to - 1]!.end);
    const wordings = nodesOf(edge).flatMap((node) => [
      ...alike(this.rules, node).map(({ rule, parts }) => ({
        node,
        key: `${rule.entry} ${rule.pattern}`,
        made: () => this.spelled(rule, parts, textOf),
      })),
      ...REWORDED.filter(
        ([entry, , only]) =>
          node.derivations.some(({ rule }) => rule.entry === entry) && (!only || only.test(textOf(node))),
      ).flatMap(([entry, as]) => {
        const words = reworded(as, node, entry, textOf, rows);
        return words === null ? [] : [{ node, key: `${entry} ${as}`, made: () => words }];
      }),
    ]);
    const untested = wordings.filter(({ key }) => (this.confirmed.get(key) ?? 0) < ENOUGH);
    const fewestTests = Math.min(...untested.map(({ key }) => this.tried.get(key) ?? 0));
    const open = untested.filter(({ key }) => (this.tried.get(key) ?? 0) === fewestTests);
    const { node, key, made } = (this.pick(open) as (typeof open)[number] | undefined) ?? {};
    if (!node || !key) return;
    this.tried.set(key, fewestTests + 1);
    const words = made!();
    const start = hypotheses.tokens[node.from]!.start;
    const end = hypotheses.tokens[node.to - 1]!.end;
    const question = `${sentence.slice(0, start)}${words}${sentence.slice(end)}`;
    this.proof.wordings++;
    const read = this.read(lens, question);
    const meanings = new Set(read.map((item) => item.planText));
    if (meanings.size !== 1 || read[0]!.declinedReason !== null) return;
    if (meanings.has(planText)) {
      this.count(lens, read);
      this.confirmed.set(key, (this.confirmed.get(key) ?? 0) + 1);
    } else {
      for (const pattern of patternsOf(read[0]!.edge)) if (pattern === key) this.failed.add(pattern);
      this.proof.misread.push(`${lens.name}: ${key} | ${sentence} | ${question} | ${planBrief(read[0]!.plan)}`);
    }
  }
  private spelled(rule: GrammarRule, parts: Record<string, Node>, textOf: (node: Node) => string): string {
    return rule.items
      .map((item) =>
        'words' in item
          ? this.pick([...item.words])
          : parts[item.slot]
            ? textOf(parts[item.slot]!)
            : this.pick(FILLED[item.cat]!),
      )
      .join(' ');
  }

  done(): Proof {
    for (const [pattern, times] of this.times) {
      const [entry, at] = pattern.split(' ') as [string, string];
      if (times < OFTEN || this.came.get(pattern)!.size < LENSES || this.failed.has(pattern)) continue;
      this.proof.proven.set(
        entry,
        [...(this.proof.proven.get(entry) ?? []), Number(at)].sort((a, b) => a - b),
      );
    }
    return this.proof;
  }
}

const reworded = (
  as: string,
  node: Node,
  entry: string,
  textOf: (node: Node) => string,
  rows: string | null,
): string | null => {
  const derivation = node.derivations.find(({ rule }) => rule.entry === entry)!;
  const at = (path: string[], from: TermDerivation<Term> | undefined): Node | null => {
    const part = from && partsOf(from)[path[0]!];
    return !part ? null : path.length === 1 ? part : at(path.slice(1), part.derivations[0]);
  };
  let isComplete = true;
  const text = as.replace(/\{([\w.]+)\}/g, (_, path: string) => {
    if (path === 'rows' || path === 'row') {
      isComplete &&= rows !== null;
      return (path === 'row' ? rows && toSingular(rows) : rows) ?? '';
    }
    const part = at(path.split('.'), derivation);
    isComplete &&= part !== null;
    return part ? textOf(part) : '';
  });
  return isComplete ? text : null;
};

interface Asked {
  plans: number;
  /** The number of wordings for each plan. */
  wordings: number;
  seed?: number;
  constructions?: readonly Construction[];
  /** Stops at the first error. */
  stop?: boolean;
}
/** The name of the rows that a plan measures. */
const rowsOf = (lens: Lens, { measures: [measure] }: LensPlan): string | null =>
  measure && isAggregate(measure) && !measure.where ? findPluralName(getVocabulary(lens), rowsMeasured(measure)) : null;

export const prove = ({ plans, wordings, seed = 1, constructions = CONSTRUCTIONS, stop = false }: Asked): Proof => {
  const prover = new Prover(seed, constructions);
  const { proof } = prover;
  const lenses = shapedLenses();
  for (let at = 0; proof.plans < plans; at++) {
    const lens = lenses[at % lenses.length]!;
    const plan = new PlanGenerator(lens, seed * 1_000_003 + at).one();
    if (isPlan(lens, plan)) prover.plan(lens, plan, wordings);
    if (stop && proof.differences.length + proof.alternatives.length + proof.misread.length > 0) break;
  }
  return prover.done();
};

/** The text of the file that stores the proven patterns. */
export const provenFile = ({ proven }: Proof): string => {
  const all = [...proven]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([entry, patterns]) => `${entry} ${patterns.join('')}`);
  return `// The numbers of the patterns of each construction that passed the round trip from a plan to a sentence and back. A
// test writes this list. Don't edit the list by hand.
const PROVEN_TEXT =
  '${all.join(' ')}';
export const PROVEN_PATTERNS: ReadonlyMap<string, readonly number[]> = new Map(
  [...PROVEN_TEXT.matchAll(/(\\S+) (\\d+)/g)].map(([, entry = '', patterns = '']) => [entry, [...patterns].map(Number)]),
);
`;
};
