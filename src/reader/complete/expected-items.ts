// Finds what can follow at each position: the next items of the started rules that lead to a complete question.
import type { OpenRule } from '../chart/chart.ts';
import type { Item, Rule } from '../chart/pattern.ts';

/** The possible next items: words, and names of these categories. */
export interface Expected {
  /** Each word with its synonyms. */
  words: ReadonlySet<ReadonlySet<string>>;
  /** For each category, the features that fit. A name needs one of them. Null if any name fits. */
  names: ReadonlyMap<string, ReadonlySet<string | null>>;
}

const GOAL = 'query';

export class ExpectedItems {
  private readonly byOut = new Map<string, Rule[]>();
  private readonly firsts = new Map<string, ReadonlySet<Item>>();
  private readonly begun = new Map<string, readonly string[]>();

  constructor(rules: readonly Rule[]) {
    for (const rule of rules) this.byOut.set(rule.out, [...(this.byOut.get(rule.out) ?? []), rule]);
  }

  /** `empty` words can occur between any two items. */
  at(position: number, open: readonly OpenRule[], empty: readonly boolean[]): Expected {
    const expectedItems = this.wanted(position, open, empty);
    const words = new Set<ReadonlySet<string>>();
    const names = new Map<string, Set<string | null>>();
    for (const item of expectedItems.flatMap((item) => [item, ...this.first(item)]))
      if ('words' in item) words.add(item.words);
      else names.set(item.cat, (names.get(item.cat) ?? new Set()).add(item.feature));
    return { words, names };
  }

  /** Works from left to right. A rule is useful if another rule expects its result where it started. */
  private wanted(position: number, open: readonly OpenRule[], empty: readonly boolean[]): Item[] {
    const reaches = (start: number, to: number): boolean => start <= to && empty.slice(start, to).every(Boolean);
    const goal: Item = { slot: 'q', cat: GOAL, feature: null };
    const cats = new Map<number, Set<string>>();
    const catsAt = (start: number): Set<string> => {
      const categories = cats.get(start) ?? new Set(reaches(0, start) ? this.cats(goal) : []);
      cats.set(start, categories);
      return categories;
    };
    const found: Item[] = reaches(0, position) ? [goal] : [];
    for (const { rule, dot, from, at } of [...open].sort((a, b) => a.from - b.from)) {
      if (at > position || !catsAt(from).has(rule.out)) continue;
      const item = rule.items[dot]!;
      if (reaches(at, position)) found.push(item);
      for (let next = at; next <= position && reaches(at, next); next++)
        for (const cat of this.cats(item)) catsAt(next).add(cat);
    }
    return found;
  }

  private first(item: Item): ReadonlySet<Item> {
    if ('words' in item) return new Set();
    const cachedItems = this.firsts.get(item.cat);
    if (cachedItems) return cachedItems;
    const found = new Set<Item>();
    const seen = new Set<string>();
    const left = [item.cat];
    for (let cat = left.pop(); cat !== undefined; cat = left.pop()) {
      if (seen.has(cat)) continue;
      seen.add(cat);
      for (const { items } of this.byOut.get(cat) ?? []) {
        found.add(items[0]!);
        if ('slot' in items[0]!) left.push(items[0].cat);
      }
    }
    this.firsts.set(item.cat, found);
    return found;
  }
  private cats(item: Item): readonly string[] {
    if ('words' in item) return [];
    const categories = this.begun.get(item.cat) ?? [
      ...new Set([item.cat, ...[...this.first(item)].flatMap((item) => ('slot' in item ? [item.cat] : []))]),
    ];
    this.begun.set(item.cat, categories);
    return categories;
  }
}
