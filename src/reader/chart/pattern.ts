// Expands a pattern of words and slots into rules without optional parts: "ratio of {a:measure} to|and {b:measure}",
// "[the] {f:field.number} is {n:number}".

export type PatternItem = { words: ReadonlySet<string> } | { slot: string; cat: string; feature: string | null };
export interface GrammarRule {
  entry: string;
  pattern: number;
  out: string;
  items: readonly PatternItem[];
}
export interface ConstructionPatterns {
  id: string;
  out: string;
  patterns: readonly string[];
}

const SLOT_PATTERN = /^\{(\w+):(\w+)(?:\.(\w+))?\}$/;

/** Brackets enclose optional parts and don't nest. */
const expandOptionalParts = (text: string): string[] => {
  const openIndex = text.indexOf('[');
  if (openIndex < 0) return [text];
  const closeIndex = text.indexOf(']', openIndex);
  const [before, inner, after] = [
    text.slice(0, openIndex),
    text.slice(openIndex + 1, closeIndex),
    text.slice(closeIndex + 1),
  ];
  return expandOptionalParts(after).flatMap((rest) => [before + inner + rest, before + rest]);
};

const parsePatternItem = (text: string): PatternItem => {
  const slot = SLOT_PATTERN.exec(text);
  return slot ? { slot: slot[1]!, cat: slot[2]!, feature: slot[3] ?? null } : { words: new Set(text.split('|')) };
};

export const expandRules = ({ id, out, patterns }: ConstructionPatterns): GrammarRule[] => {
  const seenTexts = new Set<string>();
  return patterns.flatMap((pattern, index) =>
    expandOptionalParts(pattern)
      .map((text) => text.trim().replace(/ +/g, ' '))
      .filter((text) => !seenTexts.has(text) && seenTexts.add(text))
      .map((text) => ({ entry: id, pattern: index, out, items: text.split(' ').map(parsePatternItem) })),
  );
};
