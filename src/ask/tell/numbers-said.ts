// Numbers that a text repeats, held against the cells of an answer: each is there, is what one rounds to, or is not.
import type { JsonValue } from '../../contract/ask.ts';
import type { SaidNumber } from '../../contract/verify.ts';

type Row = Record<string, JsonValue>;

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

function numbersIn(text: string): Said[] {
  return [...text.replace(NOT_NUMBERS, ' ').matchAll(NUMBER)].map(([said, sign, whole, fraction, word]) => {
    const scale = SCALE[word?.toLowerCase() ?? ''] ?? 1;
    const size = Number(`${whole!.replaceAll(',', '')}${fraction ?? ''}`) * scale;
    const half = (10 ** -((fraction?.length ?? 1) - 1) / 2) * scale;
    return { text: said.trim(), value: sign && sign !== '+' ? -size : size, half };
  });
}

/** What reads as a year and is in no cell says when, not how much. */
export function numbersSaid(text: string, rows: readonly Row[]): SaidNumber[] {
  const cells = rows.flatMap((row, index) =>
    Object.entries(row).flatMap(([column, value]) =>
      typeof value === 'boolean' || value === null || String(value).trim() === '' || Number.isNaN(Number(value))
        ? []
        : [{ row: index + 1, column, value, number: Number(value) }],
    ),
  );
  return numbersIn(text).flatMap(({ text: said, value, half }): SaidNumber[] => {
    const exact = cells.find(({ number }) => number === value);
    const cell = exact ?? cells.find(({ number }) => Math.abs(number - value) <= half * (1 + 1e-9));
    if (cell) return [{ text: said, value: cell.value, row: cell.row, column: cell.column, rounds: !exact }];
    return /^(19|20)\d\d$/.test(said) ? [] : [{ text: said, value: null, row: null, column: null, rounds: false }];
  });
}
