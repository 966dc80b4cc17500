// Numbers that a sentence repeats, held against the cells of the answer: each is there, is what one rounds to, or is not.
export interface Held {
  text: string;
  /** Null: no cell is or rounds to this. */
  found: { row: number; column: string; value: string; rounded: boolean } | null;
}
type Row = Record<string, unknown>;

const NOT_NUMBERS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|https?:\/\/\S+|\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?/gi;
const NUMBER =
  /(?<![\w.,])([-−+]?)[$€£]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\.?\d)\s?(k|thousand|m|million|bn|billion)?\b/gi;
const SCALE: Record<string, number> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };

interface Said {
  text: string;
  value: number;
  /** What it may be off by, being rounded. */
  half: number;
}

function numbersIn(sentence: string): Said[] {
  return [...sentence.replace(NOT_NUMBERS, ' ').matchAll(NUMBER)].map(([text, sign, whole, fraction, word]) => {
    const scale = SCALE[word?.toLowerCase() ?? ''] ?? 1;
    const size = Number(`${whole!.replaceAll(',', '')}${fraction ?? ''}`) * scale;
    const half = (10 ** -((fraction?.length ?? 1) - 1) / 2) * scale;
    return { text: text.trim(), value: sign && sign !== '+' ? -size : size, half };
  });
}

/** What reads as a year and is in no cell says when, not how much. */
export const held = (sentence: string, rows: Row[]): Held[] =>
  numbersIn(sentence)
    .map((said) => ({ text: said.text, found: findIn(rows, said) }))
    .filter(({ text, found }) => found !== null || !/^(19|20)\d\d$/.test(text));

function findIn(rows: Row[], { value, half }: Said): Held['found'] {
  let near: Held['found'] = null;
  for (const [index, row] of rows.entries())
    for (const [column, cell] of Object.entries(row)) {
      const number = typeof cell === 'boolean' || cell === null || cell === '' ? Number.NaN : Number(cell);
      if (Number.isNaN(number)) continue;
      if (number === value) return { row: index + 1, column, value: String(cell), rounded: false };
      if (!near && Math.abs(number - value) <= half * (1 + 1e-9))
        near = { row: index + 1, column, value: String(cell), rounded: true };
    }
  return near;
}
