// Finds what can follow at each position: the next items of the partly matched rules that can complete a question.
import type { PartialMatch } from '../chart/chart.ts';
import type { GrammarRule, PatternItem } from '../chart/pattern.ts';

/** The possible next items: words, and names of these categories. */
export interface ExpectedItems {
  /** Each word with its synonyms. */
  words: ReadonlySet<ReadonlySet<string>>;
  /** For each category, a name needs at least one of these features. Null if any name fits. */
  names: ReadonlyMap<string, ReadonlySet<string | null>>;
}

const ROOT_CATEGORY = 'query';

export class ExpectedItemFinder {
  private readonly byOut = new Map<string, GrammarRule[]>();
  private readonly firstItemsByCategory = new Map<string, ReadonlySet<PatternItem>>();
  private readonly startCats = new Map<string, readonly string[]>();

  constructor(rules: readonly GrammarRule[]) {
    for (const rule of rules) this.byOut.set(rule.out, [...(this.byOut.get(rule.out) ?? []), rule]);
  }

  /** Empty words (`empty`) can occur between any two items. */
  findExpectedItems(position: number, openRules: readonly PartialMatch[], empty: readonly boolean[]): ExpectedItems {
    const expectedItems = this.findNextItems(position, openRules, empty);
    const words = new Set<ReadonlySet<string>>();
    const names = new Map<string, Set<string | null>>();
    for (const item of expectedItems.flatMap((item) => [item, ...this.findFirstItems(item)]))
      if ('words' in item) words.add(item.words);
      else names.set(item.cat, (names.get(item.cat) ?? new Set()).add(item.feature));
    return { words, names };
  }

  /**
   * Works from left to right. A rule is useful if another rule expects its result at the position where the rule
   * started.
   */
  private findNextItems(
    position: number,
    openRules: readonly PartialMatch[],
    empty: readonly boolean[],
  ): PatternItem[] {
    const isReachable = (start: number, to: number): boolean => start <= to && empty.slice(start, to).every(Boolean);
    const goal: PatternItem = { slot: 'q', cat: ROOT_CATEGORY, feature: null };
    const cats = new Map<number, Set<string>>();
    const catsAt = (start: number): Set<string> => {
      const categories = cats.get(start) ?? new Set(isReachable(0, start) ? this.findStartCategories(goal) : []);
      cats.set(start, categories);
      return categories;
    };
    const items: PatternItem[] = isReachable(0, position) ? [goal] : [];
    for (const { rule, dot, from, position: rulePosition } of [...openRules].sort((a, b) => a.from - b.from)) {
      if (rulePosition > position || !catsAt(from).has(rule.out)) continue;
      const item = rule.items[dot]!;
      if (isReachable(rulePosition, position)) items.push(item);
      for (let next = rulePosition; next <= position && isReachable(rulePosition, next); next++)
        for (const cat of this.findStartCategories(item)) catsAt(next).add(cat);
    }
    return items;
  }

  private findFirstItems(item: PatternItem): ReadonlySet<PatternItem> {
    if ('words' in item) return new Set();
    const cachedItems = this.firstItemsByCategory.get(item.cat);
    if (cachedItems) return cachedItems;
    const reachable = new Set<PatternItem>();
    const seenCats = new Set<string>();
    const pendingCats = [item.cat];
    for (let cat = pendingCats.pop(); cat !== undefined; cat = pendingCats.pop()) {
      if (seenCats.has(cat)) continue;
      seenCats.add(cat);
      for (const { items } of this.byOut.get(cat) ?? []) {
        reachable.add(items[0]!);
        if ('slot' in items[0]!) pendingCats.push(items[0].cat);
      }
    }
    this.firstItemsByCategory.set(item.cat, reachable);
    return reachable;
  }
  private findStartCategories(item: PatternItem): readonly string[] {
    if ('words' in item) return [];
    const categories = this.startCats.get(item.cat) ?? [
      ...new Set([item.cat, ...[...this.findFirstItems(item)].flatMap((item) => ('slot' in item ? [item.cat] : []))]),
    ];
    this.startCats.set(item.cat, categories);
    return categories;
  }
}
