// A bottom-up chart parser with an agenda. It knows words as sets of forms and terms by their keys, no language and no
// lens. Equal terms over one span are one edge, whichever way they were derived. A chart that ran into a bound says so:
// what was cut can have held another reading.
import type { Item, Rule } from './pattern.ts';

export interface Keyed {
  /** Two terms of one key mean the same. */
  readonly key: string;
  readonly features: readonly string[];
}
export interface Edge<T extends Keyed> {
  from: number;
  to: number;
  cat: string;
  term: T;
  derivations: Derivation<T>[];
}
export interface Derivation<T extends Keyed> {
  entry: string;
  parts: readonly Edge<T>[];
}
export interface ChartInput<T extends Keyed> {
  /** The forms of each word. */
  forms: readonly ReadonlySet<string>[];
  /** Words that may stand between the parts of anything. */
  empty: readonly boolean[];
  leaves: readonly { from: number; to: number; cat: string; term: T }[];
}
export type Build<T extends Keyed> = (entry: string, slots: Readonly<Record<string, T>>) => T | null;
export interface Grammar {
  byWord: ReadonlyMap<string, readonly Rule[]>;
  byCat: ReadonlyMap<string, readonly Rule[]>;
}
export interface Chart<T extends Keyed> {
  edges: readonly Edge<T>[];
  /** A bound was met. */
  cut: boolean;
}

const PER_SPAN = 24; // terms of one category over one span
const EDGES = 1_500;
const STEPS = 12_000;
const DERIVATIONS = 4;

export const grammarOf = (rules: readonly Rule[]): Grammar => {
  const byWord = new Map<string, Rule[]>();
  const byCat = new Map<string, Rule[]>();
  const put = (map: Map<string, Rule[]>, key: string, rule: Rule): void => {
    map.set(key, [...(map.get(key) ?? []), rule]);
  };
  for (const rule of rules) {
    const first = rule.items[0]!;
    if ('words' in first) for (const word of first.words) put(byWord, word, rule);
    else put(byCat, first.cat, rule);
  }
  return { byWord, byCat };
};

interface Active<T extends Keyed> {
  rule: Rule;
  dot: number;
  from: number;
  parts: readonly Edge<T>[];
}

export function parse<T extends Keyed>(grammar: Grammar, input: ChartInput<T>, build: Build<T>): Chart<T> {
  const length = input.forms.length;
  const edges = new Map<string, Edge<T>>();
  const starting = new Map<string, Edge<T>[]>();
  const waiting = new Map<string, Active<T>[]>();
  const held = new Map<string, number>();
  const agenda: Edge<T>[] = [];
  let steps = 0;
  let cut = false;

  const add = (from: number, to: number, cat: string, term: T, derivation: Derivation<T> | null): void => {
    const span = `${from}.${to}.${cat}`;
    const key = `${span}.${term.features.join('+')}.${term.key}`;
    const known = edges.get(key);
    if (known) {
      if (derivation && known.derivations.length < DERIVATIONS) known.derivations.push(derivation);
      return;
    }
    const many = held.get(span) ?? 0;
    if (many >= PER_SPAN || edges.size >= EDGES) {
      cut = true;
      return;
    }
    held.set(span, many + 1);
    const edge: Edge<T> = { from, to, cat, term, derivations: derivation ? [derivation] : [] };
    edges.set(key, edge);
    agenda.push(edge);
  };
  /** Here, or behind the empty words that stand here. */
  const places = (at: number): number[] => {
    const all = [at];
    for (let next = at; next < length && input.empty[next]; next++) all.push(next + 1);
    return all;
  };
  const advance = (active: Active<T>, at: number): void => {
    if (++steps > STEPS) {
      cut = true;
      return;
    }
    const item: Item | undefined = active.rule.items[active.dot];
    if (!item) {
      complete(active, at);
      return;
    }
    for (const place of active.dot === 0 ? [at] : places(at)) {
      if ('words' in item) {
        if (place < length && meets(item.words, input.forms[place]!))
          advance({ ...active, dot: active.dot + 1 }, place + 1);
        continue;
      }
      const key = `${place}.${item.cat}`;
      const list = waiting.get(key);
      if (list) list.push(active);
      else waiting.set(key, [active]);
      for (const edge of [...(starting.get(key) ?? [])]) extend(active, edge);
    }
  };
  const extend = (active: Active<T>, edge: Edge<T>): void => {
    const item = active.rule.items[active.dot]!;
    if ('words' in item || (item.feature && !edge.term.features.includes(item.feature))) return;
    advance({ ...active, dot: active.dot + 1, parts: [...active.parts, edge] }, edge.to);
  };
  const complete = ({ rule, from, parts }: Active<T>, to: number): void => {
    const slots: Record<string, T> = {};
    let at = 0;
    for (const item of rule.items) if ('slot' in item) slots[item.slot] = parts[at++]!.term;
    const term = build(rule.entry, slots);
    if (term) add(from, to, rule.out, term, { entry: rule.entry, parts });
  };

  for (const { from, to, cat, term } of input.leaves) add(from, to, cat, term, null);
  for (const [at, forms] of input.forms.entries())
    for (const form of forms)
      for (const rule of grammar.byWord.get(form) ?? []) advance({ rule, dot: 0, from: at, parts: [] }, at);
  for (let edge = agenda.pop(); edge && steps <= STEPS; edge = agenda.pop()) {
    const key = `${edge.from}.${edge.cat}`;
    starting.set(key, [...(starting.get(key) ?? []), edge]);
    for (const rule of grammar.byCat.get(edge.cat) ?? []) {
      const first = rule.items[0]!;
      if ('slot' in first && first.feature && !edge.term.features.includes(first.feature)) continue;
      advance({ rule, dot: 1, from: edge.from, parts: [edge] }, edge.to);
    }
    for (const active of [...(waiting.get(key) ?? [])]) extend(active, edge);
  }
  return { edges: [...edges.values()], cut };
}

const meets = (words: ReadonlySet<string>, forms: ReadonlySet<string>): boolean => {
  for (const form of forms) if (words.has(form)) return true;
  return false;
};

/** The edges of a category over everything but empty words. */
export const whole = <T extends Keyed>({ edges }: Chart<T>, { empty }: ChartInput<T>, cat: string): Edge<T>[] =>
  edges.filter(
    (edge) => edge.cat === cat && empty.slice(0, edge.from).every(Boolean) && empty.slice(edge.to).every(Boolean),
  );
