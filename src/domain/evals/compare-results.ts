// Compares two results (CONTRACT 2). They must have the same multiset of rows, with columns in any order and with any
// name, and numbers within 1e-6 relative or an absolute tolerance. The order counts only if the outermost level of the
// expected SQL has one.
import type { JsonValue } from '../../contract/ask.ts';

export type Difference =
  | 'missing_column'
  | 'extra_column'
  | 'missing_rows'
  | 'extra_rows'
  | 'wrong_grain'
  | 'wrong_filter'
  | 'wrong_value'
  | 'wrong_rows'
  | 'wrong_order';
export type Comparison = { equal: true } | { equal: false; reason: Difference; detail: string };
/** Numbers of numeric columns as JSON numbers, or as strings if a number would lose digits. */
export type Row = readonly JsonValue[];

const RELATIVE_TOLERANCE = 1e-6;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?(Z|[+-]00:?00)?$/;
const MATCHED_ONE_BY_ONE = 2_000;
const MAX_TRIED_ORDERS = 10_000;

export function compareResults(
  expected: { rows: readonly Row[]; ordered: boolean },
  actual: { rows: readonly Row[]; columns?: number },
  tolerance?: number,
): Comparison {
  const [want, have] = [
    expected.rows.map((row) => row.map(comparableCell)),
    actual.rows.map((row) => row.map(comparableCell)),
  ];
  if (want.length === 0 && have.length === 0) return { equal: true };
  if (want.length === 0) return difference('extra_rows', `Expected no rows, got ${have.length}.`);
  if (have.length === 0) return difference('missing_rows', `Expected ${want.length} rows, got none.`);
  const [wide, actualWidth] = [want[0]!.length, have[0]!.length];
  const same = cellsEqual(tolerance);
  if (actualWidth !== wide && want.length !== have.length && sameTotals(want, have, same))
    return difference(
      'wrong_grain',
      `Expected ${want.length} rows, got ${have.length}. Their totals are equal, so the grouping differs.`,
    );
  if (actualWidth < wide) return difference('missing_column', `Expected ${wide} columns, got ${actualWidth}.`);
  if (actualWidth > wide) return difference('extra_column', `Expected ${wide} columns, got ${actualWidth}.`);
  let disordered = false;
  if (want.length === have.length) {
    for (const order of columnOrders(want, have, same)) {
      const arranged = have.map((row) => order.map((columnIndex) => row[columnIndex]!));
      if (!sameMultiset(want, arranged, same)) continue;
      if (!expected.ordered || sameOrder(want, arranged, same)) return { equal: true };
      disordered = true;
    }
  }
  return disordered
    ? difference('wrong_order', 'The rows are right, but not their order.')
    : describeDifference(want, have, same);
}

/** Whether the other result contains this one: the same number of rows, and all of its columns. */
export function holdsResult(expected: readonly Row[], other: readonly Row[]): boolean {
  if (expected.length !== other.length) return false;
  if (expected.length === 0) return true;
  const [want, have] = [expected.map((row) => row.map(comparableCell)), other.map((row) => row.map(comparableCell))];
  const same = cellsEqual(undefined);
  for (const order of columnOrders(want, have, same)) {
    const arranged = have.map((row) => order.map((columnIndex) => row[columnIndex]!));
    if (sameMultiset(want, arranged, same)) return true;
  }
  return false;
}

const difference = (reason: Difference, detail: string): Comparison => ({ equal: false, reason, detail });
type IsSameCell = (a: JsonValue, b: JsonValue) => boolean;
type Cells = JsonValue[];

function comparableCell(cell: JsonValue): JsonValue {
  const day = typeof cell === 'string' ? MIDNIGHT.exec(cell)?.[1] : undefined;
  return day ?? (typeof cell === 'number' && !Number.isFinite(cell) ? null : cell);
}
const numeric = (cell: JsonValue): number | null =>
  typeof cell === 'number' ? cell : typeof cell === 'string' && NUMBER.test(cell) ? Number(cell) : null;

function cellsEqual(tolerance: number | undefined): IsSameCell {
  return (a, b) => {
    if (a === b) return true;
    const [left, right] = [numeric(a), numeric(b)];
    if (left === null || right === null) return false;
    const distance = Math.abs(left - right);
    // Floating-point error must not exceed a tolerance that the decimal numbers meet.
    if (tolerance !== undefined)
      return distance <= tolerance + Number.EPSILON * Math.max(Math.abs(left), Math.abs(right));
    return distance <= RELATIVE_TOLERANCE * Math.max(Math.abs(left), Math.abs(right)) || distance < 1e-12;
  };
}

/** Sorts numbers before strings, so that equal columns and rows are next to each other. */
function compareCells(a: JsonValue, b: JsonValue): number {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== null && right !== null) return left - right;
  if (left !== null || right !== null) return left !== null ? -1 : 1;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Yields assignments of columns with the same contents, at most a few thousand. */
function* columnOrders(want: Cells[], have: Cells[], same: IsSameCell): Generator<number[]> {
  const sorted = (rows: Cells[], columnIndex: number) => rows.map((row) => row[columnIndex]!).sort(compareCells);
  const width = want[0]!.length;
  const havesSorted = have[0]!.map((_, columnIndex) => sorted(have, columnIndex));
  const candidates = Array.from({ length: width }, (_, columnIndex) => {
    const column = sorted(want, columnIndex);
    return havesSorted.flatMap((other, index) => (column.every((cell, row) => same(cell, other[row]!)) ? [index] : []));
  });
  let tried = 0;
  function* assignColumns(columnIndex: number, placed: number[]): Generator<number[]> {
    if (columnIndex === width) {
      tried++;
      yield placed;
      return;
    }
    for (const index of candidates[columnIndex]!)
      if (!placed.includes(index) && tried < MAX_TRIED_ORDERS)
        yield* assignColumns(columnIndex + 1, [...placed, index]);
  }
  yield* assignColumns(0, []);
}

const rowsEqual = (a: Cells, b: Cells, same: IsSameCell): boolean =>
  a.every((cell, columnIndex) => same(cell, b[columnIndex]!));

function sameMultiset(want: Cells[], have: Cells[], same: IsSameCell): boolean {
  // Sorts by strings first, because numbers that are equal only within the tolerance could sort rows differently.
  const texts = want[0]!
    .map((_, columnIndex) => columnIndex)
    .sort((a, b) => Number(numeric(want[0]![a]!) !== null) - Number(numeric(want[0]![b]!) !== null));
  const byRow = (a: Cells, b: Cells) => {
    for (const columnIndex of texts) {
      const order = compareCells(a[columnIndex]!, b[columnIndex]!);
      if (order !== 0) return order;
    }
    return 0;
  };
  const [left, right] = [[...want].sort(byRow), [...have].sort(byRow)];
  if (left.every((row, rowIndex) => rowsEqual(row, right[rowIndex]!, same))) return true;
  if (left.length > MATCHED_ONE_BY_ONE) return false;
  const free = [...right];
  return left.every((row) => {
    const matchIndex = free.findIndex((other) => rowsEqual(row, other, same));
    if (matchIndex >= 0) free.splice(matchIndex, 1);
    return matchIndex >= 0;
  });
}

/** Compares in order. Rows with equal values in the sorted column can swap. */
function sameOrder(want: Cells[], have: Cells[], same: IsSameCell): boolean {
  if (want.every((row, rowIndex) => rowsEqual(row, have[rowIndex]!, same))) return true;
  return want[0]!.some((_, column) => {
    if (!want.every((row, rowIndex) => same(row[column]!, have[rowIndex]![column]!))) return false;
    const steps = want
      .slice(1)
      .map((row, rowIndex) =>
        same(row[column]!, want[rowIndex]![column]!) ? 0 : compareCells(want[rowIndex]![column]!, row[column]!),
      );
    const sorted = steps.every((step) => step <= 0) || steps.every((step) => step >= 0);
    if (!sorted || steps.every((step) => step === 0)) return false;
    let from = 0;
    for (let end = 1; end <= want.length; end++) {
      if (end < want.length && steps[end - 1] === 0) continue;
      if (!sameMultiset(want.slice(from, end), have.slice(from, end), same)) return false;
      from = end;
    }
    return true;
  });
}

/** Columns with only numbers and nulls, and at least one number. */
const numberColumns = (rows: Cells[]): number[] =>
  rows[0]!
    .map((_, columnIndex) => columnIndex)
    .filter(
      (columnIndex) =>
        rows.every((row) => row[columnIndex] === null || numeric(row[columnIndex]!) !== null) &&
        rows.some((row) => row[columnIndex] !== null),
    );

function sameTotals(want: Cells[], have: Cells[], same: IsSameCell): boolean {
  const sum = (rows: Cells[], columnIndex: number) =>
    rows.reduce((total, row) => total + (numeric(row[columnIndex]!) ?? 0), 0);
  const [expectedColumns, actualColumns] = [numberColumns(want), numberColumns(have)];
  return expectedColumns.some((columnIndex) =>
    actualColumns.some((other) => same(sum(want, columnIndex), sum(have, other))),
  );
}

/** The most probable reason why two results of the same width differ. */
function describeDifference(want: Cells[], have: Cells[], same: IsSameCell): Comparison {
  const count = `Expected ${want.length} rows, got ${have.length}.`;
  const [expectedColumns, actualColumns] = [numberColumns(want), numberColumns(have)];
  const keys = (rows: Cells[], numeral: number[]) =>
    rows.map((row) =>
      JSON.stringify(
        row
          .filter((_, columnIndex) => !numeral.includes(columnIndex))
          .map(String)
          .sort(),
      ),
    );
  const [wantKeys, haveKeys] = [keys(want, expectedColumns), keys(have, actualColumns)];
  if (want.length !== have.length) {
    if (sameTotals(want, have, same))
      return difference('wrong_grain', `${count} Their totals are equal, so the grouping differs.`);
    const [inWant, inHave] = [new Set(wantKeys), new Set(haveKeys)];
    if (have.length > want.length && wantKeys.every((key) => inHave.has(key))) return difference('extra_rows', count);
    if (have.length < want.length && haveKeys.every((key) => inWant.has(key))) return difference('missing_rows', count);
    return difference(have.length < want.length ? 'missing_rows' : 'extra_rows', `${count} Some rows differ.`);
  }
  if ([...wantKeys].sort().join('\n') !== [...haveKeys].sort().join('\n'))
    return difference('wrong_rows', 'The number of rows is right, but they are about other things.');
  if (want.length > 1 && expectedColumns.length === 1 && actualColumns.length === 1) {
    const other = new Map(have.map((row, rowIndex) => [haveKeys[rowIndex]!, numeric(row[actualColumns[0]!]!) ?? 0]));
    const differences = want.map(
      (row, rowIndex) => (other.get(wantKeys[rowIndex]!) ?? 0) - (numeric(row[expectedColumns[0]!]!) ?? 0),
    );
    if (differences.every((by) => by > 0))
      return difference(
        'wrong_filter',
        'Every number is larger than expected. Rows may be counted twice, or a filter is missing.',
      );
    if (differences.every((by) => by < 0))
      return difference(
        'wrong_filter',
        'Every number is smaller than expected. Rows are missing, or a filter is too narrow.',
      );
  }
  return difference('wrong_value', 'The rows are about the right things, but their numbers differ.');
}
