// Functions whose result can be far larger, or whose work far longer, than their arguments (G14, G15).
import type { Faults } from '../dialects/faults.ts';

type Constant = string | number | boolean | null | undefined;
const LONGEST_TEXT = 1000;
const MOST_ROWS = 10_000;
const LARGEST_EXPONENT = 300;

/** `written` is the tree of the arguments, `args` their values where they are constants. */
export function checkBoundedCall(name: string, written: unknown[], args: Constant[], faults: Faults): void {
  switch (name) {
    case 'repeat':
    case 'lpad':
    case 'rpad':
      if (!isAtMost(args[1], LONGEST_TEXT) || /"(repeat|lpad|rpad)"/.test(JSON.stringify(written))) {
        faults.add('unbounded', `${name} needs a constant length of at most ${LONGEST_TEXT}, and can't be nested.`);
      }
      return;
    case 'format':
    case 'printf':
      if (typeof args[0] !== 'string' || /\d{4,}|\*|\{:?\{/.test(args[0])) {
        faults.add('unbounded', `${name} needs a constant format without wide or computed widths.`);
      }
      return;
    case 'generate_series':
    case 'range':
      if (!isSmallSeries(args)) {
        faults.add(
          'unbounded',
          `${name} needs constant bounds with at most ${MOST_ROWS} steps, or dates a constant interval apart.`,
        );
      }
      return;
    case 'power':
    case 'pow': {
      const exponent = args[1] === undefined || args[1] === null ? 0 : Number(args[1]);
      if (Math.abs(exponent) > LARGEST_EXPONENT) {
        faults.add('unbounded', `The exponent ${args[1]} is too large; ${LARGEST_EXPONENT} at most.`);
      }
    }
  }
}

const isAtMost = (value: Constant, most: number): boolean =>
  typeof value === 'number' ? value <= most : value === null;

function isSmallSeries(args: Constant[]): boolean {
  const numbers = args.map((arg) => (arg === undefined || arg === null || arg === '' ? Number.NaN : Number(arg)));
  if (numbers.every((number) => Number.isFinite(number))) {
    const [first = 0, last] = numbers;
    const [start, stop] = last === undefined ? [0, first] : [first, last];
    return Math.abs(stop - start) / Math.abs(numbers[2] ?? 1) <= MOST_ROWS;
  }
  // Dates: the step decides; an hour is the smallest that a report needs.
  return (
    args.length === 3 && /^\s*\d+\s*(h|hours?|days?|weeks?|mons?|months?|quarters?|years?)\s*$/i.test(String(args[2]))
  );
}
