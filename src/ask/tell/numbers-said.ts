// Numbers that a text repeats, held against the cells of an answer: each is there, is what one rounds to, or is not.
import type { JsonValue } from '../../contract/ask.ts';
import type { SaidNumber } from '../../contract/verify.ts';
import { Problem } from '../../platform/problem.ts';

type Row = Record<string, JsonValue>;

const MOST_NUMBERS = 200;

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

/** What reads as a year and is in no cell says when, not how much. Yields between rows. */
export function* numbersSaid(text: string, rows: readonly Row[]): Generator<void, SaidNumber[]> {
  const said = numbersIn(text);
  if (said.length > MOST_NUMBERS)
    throw new Problem(
      'invalid',
      `The text has ${said.length} numbers; ${MOST_NUMBERS} are held against rows at once.`,
      {
        details: [{ path: 'text', code: 'too_many', message: `At most ${MOST_NUMBERS} numbers.` }],
      },
    );
  const found: SaidNumber[] = said.map((one) => ({
    text: one.text,
    value: null,
    row: null,
    column: null,
    rounds: false,
  }));
  for (const [index, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === 'boolean' || value === null || String(value).trim() === '') continue;
      const number = Number(value);
      for (const [at, { value: meant, half }] of said.entries()) {
        const known = found[at]!;
        if (known.row !== null && !known.rounds) continue;
        const exact = number === meant;
        if (exact || (known.row === null && Math.abs(number - meant) <= half * (1 + 1e-9)))
          found[at] = { text: known.text, value, row: index + 1, column, rounds: !exact };
      }
    }
    yield;
  }
  return found.filter(({ row, text: one }) => row !== null || !/^(19|20)\d\d$/.test(one));
}
