// A bottom-up chart parser with an agenda. Equal terms over the same span share an edge, regardless of how the parser
// derived them. The chart reports whether the parser reached a limit, because an interpretation could then be missing.
import type { GrammarRule, PatternItem } from './pattern.ts';

export interface TermWithKey {
  /** Terms with the same key have the same meaning. */
  readonly key: string;
  readonly features: readonly string[];
}
export interface ChartEdge<T extends TermWithKey> {
  from: number;
  to: number;
  cat: string;
  term: T;
  derivations: TermDerivation<T>[];
}
export interface TermDerivation<T extends TermWithKey> {
  rule: GrammarRule;
  parts: readonly ChartEdge<T>[];
}
export interface ChartInput<T extends TermWithKey> {
  forms: readonly ReadonlySet<string>[];
  /** For each word, true if it can occur between any two items of a rule without changing the meaning. */
  emptyFlags: readonly boolean[];
  leaves: readonly { from: number; to: number; cat: string; term: T }[];
}
export type TermBuilder<T extends TermWithKey> = (rule: GrammarRule, slots: Readonly<Record<string, T>>) => T | null;
export interface Grammar {
  byWord: ReadonlyMap<string, readonly GrammarRule[]>;
  byCat: ReadonlyMap<string, readonly GrammarRule[]>;
}
/** A partly matched rule that expects its next item at a position. */
export interface PartialMatch {
  rule: GrammarRule;
  dot: number;
  from: number;
  position: number;
}
export interface Chart<T extends TermWithKey> {
  edges: readonly ChartEdge<T>[];
  openRules: readonly PartialMatch[];
  /** True if the parser reached a limit. */
  isTruncated: boolean;
}

// Twice the size of the chart for the largest recorded question. A chart of this size takes about 40 ms.
const MAX_TERMS_PER_SPAN = 24; // terms of one category over one span
const MAX_EDGES = 750;
const MAX_STEPS = 16_000;
const MAX_DERIVATIONS = 4;

export const buildGrammar = (rules: readonly GrammarRule[]): Grammar => {
  const byWord = new Map<string, GrammarRule[]>();
  const byCat = new Map<string, GrammarRule[]>();
  for (const rule of rules) {
    const first = rule.items[0]!;
    if ('words' in first) for (const word of first.words) appendToMap(byWord, word, rule);
    else appendToMap(byCat, first.cat, rule);
  }
  return { byWord, byCat };
};

interface ActiveEdge<T extends TermWithKey> extends PartialMatch {
  parts: readonly ChartEdge<T>[];
}

export const parseChart = <T extends TermWithKey>(
  grammar: Grammar,
  input: ChartInput<T>,
  build: TermBuilder<T>,
): Chart<T> => new Agenda(grammar, input, build).run();

class Agenda<T extends TermWithKey> {
  private readonly edges = new Map<string, ChartEdge<T>>();
  /** Edges by category, for each start position. */
  private readonly edgesByStart: readonly Map<string, ChartEdge<T>[]>[];
  /** Rules that expect an edge of a category, for each position. */
  private readonly waitingRules: readonly Map<string, ActiveEdge<T>[]>[];
  /** Number of terms for each category and span. */
  private readonly edgeCounts = new Map<string, number>();
  private readonly agenda: ChartEdge<T>[] = [];
  private readonly openRules: PartialMatch[] = [];
  private steps = 0;
  private isCut = false;
  private readonly grammar: Grammar;
  private readonly input: ChartInput<T>;
  private readonly build: TermBuilder<T>;

  constructor(grammar: Grammar, input: ChartInput<T>, build: TermBuilder<T>) {
    this.grammar = grammar;
    this.input = input;
    this.build = build;
    this.edgesByStart = input.forms.map(() => new Map());
    this.waitingRules = [...input.forms, null].map(() => new Map());
  }

  run(): Chart<T> {
    const { grammar, input } = this;
    for (const { from, to, cat, term } of input.leaves) this.add(from, to, cat, term, null);
    for (const [position, forms] of input.forms.entries())
      for (const form of forms)
        for (const rule of grammar.byWord.get(form) ?? [])
          this.advance({ rule, dot: 0, from: position, position, parts: [] });
    // The parser stops at a limit, because svc can't use an incomplete chart.
    for (let edge = this.agenda.pop(); edge && !this.isCut; edge = this.agenda.pop()) this.processEdge(edge);
    return { edges: [...this.edges.values()], openRules: this.openRules, isTruncated: this.isCut };
  }

  /** Continues the rules that start with the edge, and the rules that expected the edge. */
  private processEdge(edge: ChartEdge<T>): void {
    const { from, to, cat, term } = edge;
    appendToMap(this.edgesByStart[from]!, cat, edge);
    const parts = [edge];
    for (const rule of this.grammar.byCat.get(cat) ?? []) {
      const first = rule.items[0]!;
      if ('slot' in first && first.feature && !term.features.includes(first.feature)) continue;
      this.advance({ rule, dot: 1, from, position: to, parts });
    }
    const waiting = this.waitingRules[from]!.get(cat) ?? [];
    for (let at = 0, count = waiting.length; at < count; at++) this.extend(waiting[at]!, edge);
  }

  private add(from: number, to: number, cat: string, term: T, derivation: TermDerivation<T> | null): void {
    const span = `${from}.${to}.${cat}`;
    const key = `${span}.${term.features.join('+')}.${term.key}`;
    const existingEdge = this.edges.get(key);
    if (existingEdge) {
      if (derivation && existingEdge.derivations.length < MAX_DERIVATIONS) existingEdge.derivations.push(derivation);
      return;
    }
    const edgeCount = this.edgeCounts.get(span) ?? 0;
    if (edgeCount >= MAX_TERMS_PER_SPAN || this.edges.size >= MAX_EDGES) {
      this.isCut = true;
      return;
    }
    this.edgeCounts.set(span, edgeCount + 1);
    const edge: ChartEdge<T> = { from, to, cat, term, derivations: derivation ? [derivation] : [] };
    this.edges.set(key, edge);
    this.agenda.push(edge);
  }

  private advance(active: ActiveEdge<T>): void {
    if (this.isCut || ++this.steps > MAX_STEPS) {
      this.isCut = true;
      return;
    }
    const { rule, dot, from, position, parts } = active;
    const item: PatternItem | undefined = rule.items[dot];
    if (!item) {
      this.complete(active);
      return;
    }
    const { forms, emptyFlags: empty } = this.input;
    if (dot > 0) this.openRules.push(active);
    // The next item can also follow the empty words after this position.
    for (let next = position; ; next++) {
      if ('words' in item) {
        if (next < forms.length && hasCommonWord(item.words, forms[next]!))
          this.advance({ rule, dot: dot + 1, from, position: next + 1, parts });
      } else {
        appendToMap(this.waitingRules[next]!, item.cat, active);
        const edges = this.edgesByStart[next]?.get(item.cat) ?? [];
        for (let at = 0, count = edges.length; at < count; at++) this.extend(active, edges[at]!);
      }
      if (dot === 0 || next >= forms.length || !empty[next]) return;
    }
  }

  private extend({ rule, dot, from, parts }: ActiveEdge<T>, edge: ChartEdge<T>): void {
    const item = rule.items[dot]!;
    if ('words' in item || (item.feature && !edge.term.features.includes(item.feature))) return;
    this.advance({ rule, dot: dot + 1, from, position: edge.to, parts: [...parts, edge] });
  }

  private complete({ rule, from, position, parts }: ActiveEdge<T>): void {
    const slots: Record<string, T> = {};
    let partIndex = 0;
    for (const item of rule.items) if ('slot' in item) slots[item.slot] = parts[partIndex++]!.term;
    const term = this.build(rule, slots);
    if (term) this.add(from, position, rule.out, term, { rule, parts });
  }
}

const appendToMap = <V>(map: Map<string, V[]>, key: string, item: V): void => {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
};
const hasCommonWord = (words: ReadonlySet<string>, forms: ReadonlySet<string>): boolean => {
  for (const form of forms) if (words.has(form)) return true;
  return false;
};

/** Finds the edges of a category that cover all words except empty words. */
export const findSpanningEdges = <T extends TermWithKey>(
  { edges }: Chart<T>,
  { emptyFlags: empty }: ChartInput<T>,
  cat: string,
): ChartEdge<T>[] =>
  edges.filter(
    (edge) => edge.cat === cat && empty.slice(0, edge.from).every(Boolean) && empty.slice(edge.to).every(Boolean),
  );
