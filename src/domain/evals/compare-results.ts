// Equal results have the same multiset of rows, with columns in any order and with any names. The order of rows counts
// only if the outermost query of the expected SQL has an ORDER BY.
import type { JsonScalar } from '../../contract/ask.ts';

export type ResultDifference =
  | 'missing_column'
  | 'extra_column'
  | 'missing_rows'
  | 'extra_rows'
  | 'wrong_grain'
  | 'wrong_filter'
  | 'wrong_value'
  | 'wrong_rows'
  | 'wrong_order';
export type ResultComparison = { equal: true } | { equal: false; reason: ResultDifference; detail: string };
/** A number is a JSON number, or a string if a JSON number would lose digits. */
export type ResultRow = readonly JsonScalar[];

const RELATIVE_TOLERANCE = 1e-6;
const NUMBER_PATTERN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const MIDNIGHT_PATTERN = /^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?(Z|[+-]00:?00)?$/;
const MAX_PAIRWISE_ROWS = 2_000;
const MAX_TRIED_ORDERS = 10_000;

export function compareResults(
  expectedResult: { rows: readonly ResultRow[]; ordered: boolean },
  actual: { rows: readonly ResultRow[]; columns?: number },
  tolerance?: number,
): ResultComparison {
  const [expectedCells, actualCells] = [
    expectedResult.rows.map((row) => row.map(toComparableCell)),
    actual.rows.map((row) => row.map(toComparableCell)),
  ];
  if (expectedCells.length === 0 && actualCells.length === 0) return { equal: true };
  if (expectedCells.length === 0)
    return createUnequalComparison(
      'extra_rows',
      `The expected result has no rows, but the answer has ${actualCells.length}.`,
    );
  if (actualCells.length === 0)
    return createUnequalComparison(
      'missing_rows',
      `The expected result has ${formatCount(expectedCells.length, 'row')}, but the answer has none.`,
    );
  const [expectedWidth, actualWidth] = [expectedCells[0]!.length, actualCells[0]!.length];
  const isSameCell = createCellComparer(tolerance);
  if (
    actualWidth !== expectedWidth &&
    expectedCells.length !== actualCells.length &&
    haveSameTotals(expectedCells, actualCells, isSameCell)
  )
    return createUnequalComparison(
      'wrong_grain',
      `The expected result has ${formatCount(expectedCells.length, 'row')}, but the answer has ${actualCells.length}. Their totals are equal, so the grouping differs.`,
    );
  if (actualWidth < expectedWidth)
    return createUnequalComparison(
      'missing_column',
      `The expected result has ${formatCount(expectedWidth, 'column')}, but the answer has ${actualWidth}.`,
    );
  if (actualWidth > expectedWidth)
    return createUnequalComparison(
      'extra_column',
      `The expected result has ${formatCount(expectedWidth, 'column')}, but the answer has ${actualWidth}.`,
    );
  let isDisordered = false;
  for (const arrangedRows of listMatchingArrangements(expectedCells, actualCells, isSameCell)) {
    if (!expectedResult.ordered || isSameOrder(expectedCells, arrangedRows, isSameCell)) return { equal: true };
    isDisordered = true;
  }
  return isDisordered
    ? createUnequalComparison('wrong_order', 'The rows are right, but not their order.')
    : describeDifference(expectedCells, actualCells, isSameCell);
}

/** Whether the other result has the same number of rows and contains all columns of the expected result. */
export function containsResult(expectedRows: readonly ResultRow[], otherRows: readonly ResultRow[]): boolean {
  if (expectedRows.length === 0) return otherRows.length === 0;
  const [expectedCells, actualCells] = [
    expectedRows.map((row) => row.map(toComparableCell)),
    otherRows.map((row) => row.map(toComparableCell)),
  ];
  return !listMatchingArrangements(expectedCells, actualCells, createCellComparer(undefined)).next().done;
}

/** Yields the actual rows once for each order of columns in which they equal the expected rows. */
function* listMatchingArrangements(
  expectedRows: CellRow[],
  actualRows: CellRow[],
  isSameCell: CellEqualityTest,
): Generator<CellRow[]> {
  if (expectedRows.length !== actualRows.length) return;
  for (const columnOrder of listColumnOrders(expectedRows, actualRows, isSameCell)) {
    const arrangedRows = actualRows.map((row) => columnOrder.map((columnIndex) => row[columnIndex]!));
    if (isSameMultiset(expectedRows, arrangedRows, isSameCell)) yield arrangedRows;
  }
}

const createUnequalComparison = (reason: ResultDifference, detail: string): ResultComparison => ({
  equal: false,
  reason,
  detail,
});
type CellEqualityTest = (a: JsonScalar, b: JsonScalar) => boolean;
type CellRow = JsonScalar[];

function toComparableCell(cell: JsonScalar): JsonScalar {
  const day = typeof cell === 'string' ? MIDNIGHT_PATTERN.exec(cell)?.[1] : undefined;
  return day ?? (typeof cell === 'number' && !Number.isFinite(cell) ? null : cell);
}
const parseNumericCell = (cell: JsonScalar): number | null =>
  typeof cell === 'number' ? cell : typeof cell === 'string' && NUMBER_PATTERN.test(cell) ? Number(cell) : null;

function createCellComparer(tolerance: number | undefined): CellEqualityTest {
  return (a, b) => {
    if (a === b) return true;
    const [leftNumber, rightNumber] = [parseNumericCell(a), parseNumericCell(b)];
    if (leftNumber === null || rightNumber === null) return false;
    const distance = Math.abs(leftNumber - rightNumber);
    // Allows for floating-point error when a difference equals the tolerance.
    if (tolerance !== undefined)
      return distance <= tolerance + Number.EPSILON * Math.max(Math.abs(leftNumber), Math.abs(rightNumber));
    return distance <= RELATIVE_TOLERANCE * Math.max(Math.abs(leftNumber), Math.abs(rightNumber)) || distance < 1e-12;
  };
}

/** Numbers come before strings. */
function compareCells(a: JsonScalar, b: JsonScalar): number {
  const [leftNumber, rightNumber] = [parseNumericCell(a), parseNumericCell(b)];
  if (leftNumber !== null && rightNumber !== null) return leftNumber - rightNumber;
  if (leftNumber !== null || rightNumber !== null) return leftNumber !== null ? -1 : 1;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/**
 * Yields up to MAX_TRIED_ORDERS ways to match each expected column with an actual column that has the same contents.
 */
function* listColumnOrders(
  expectedRows: CellRow[],
  actualRows: CellRow[],
  isSameCell: CellEqualityTest,
): Generator<number[]> {
  const sortedColumn = (rows: CellRow[], columnIndex: number) =>
    rows.map((row) => row[columnIndex]!).sort(compareCells);
  const width = expectedRows[0]!.length;
  const sortedActualColumns = actualRows[0]!.map((_, columnIndex) => sortedColumn(actualRows, columnIndex));
  const candidates = Array.from({ length: width }, (_, columnIndex) => {
    const column = sortedColumn(expectedRows, columnIndex);
    return sortedActualColumns.flatMap((actualColumn, index) =>
      column.every((cell, row) => isSameCell(cell, actualColumn[row]!)) ? [index] : [],
    );
  });
  let triedCount = 0;
  function* assignColumns(columnIndex: number, placedColumns: number[]): Generator<number[]> {
    if (columnIndex === width) {
      triedCount++;
      yield placedColumns;
      return;
    }
    for (const index of candidates[columnIndex]!)
      if (!placedColumns.includes(index) && triedCount < MAX_TRIED_ORDERS)
        yield* assignColumns(columnIndex + 1, [...placedColumns, index]);
  }
  yield* assignColumns(0, []);
}

const areRowsEqual = (a: CellRow, b: CellRow, isSameCell: CellEqualityTest): boolean =>
  a.every((cell, columnIndex) => isSameCell(cell, b[columnIndex]!));

function isSameMultiset(expectedRows: CellRow[], actualRows: CellRow[], isSameCell: CellEqualityTest): boolean {
  // Sorts by text columns first, because numbers that are equal only within the tolerance could sort rows differently.
  const sortColumns = expectedRows[0]!
    .map((_, columnIndex) => columnIndex)
    .sort(
      (a, b) =>
        Number(parseNumericCell(expectedRows[0]![a]!) !== null) -
        Number(parseNumericCell(expectedRows[0]![b]!) !== null),
    );
  const compareRows = (a: CellRow, b: CellRow) => {
    for (const columnIndex of sortColumns) {
      const comparison = compareCells(a[columnIndex]!, b[columnIndex]!);
      if (comparison !== 0) return comparison;
    }
    return 0;
  };
  const [sortedExpected, sortedActual] = [[...expectedRows].sort(compareRows), [...actualRows].sort(compareRows)];
  if (sortedExpected.every((row, rowIndex) => areRowsEqual(row, sortedActual[rowIndex]!, isSameCell))) return true;
  if (sortedExpected.length > MAX_PAIRWISE_ROWS) return false;
  const unmatchedRows = [...sortedActual];
  return sortedExpected.every((row) => {
    const matchIndex = unmatchedRows.findIndex((freeRow) => areRowsEqual(row, freeRow, isSameCell));
    if (matchIndex >= 0) unmatchedRows.splice(matchIndex, 1);
    return matchIndex >= 0;
  });
}

/** Rows with equal values in the sorted column can be in any order. */
function isSameOrder(expectedRows: CellRow[], actualRows: CellRow[], isSameCell: CellEqualityTest): boolean {
  if (expectedRows.every((row, rowIndex) => areRowsEqual(row, actualRows[rowIndex]!, isSameCell))) return true;
  return expectedRows[0]!.some((_, column) => {
    if (!expectedRows.every((row, rowIndex) => isSameCell(row[column]!, actualRows[rowIndex]![column]!))) return false;
    const steps = expectedRows
      .slice(1)
      .map((row, rowIndex) =>
        isSameCell(row[column]!, expectedRows[rowIndex]![column]!)
          ? 0
          : compareCells(expectedRows[rowIndex]![column]!, row[column]!),
      );
    const isSorted = steps.every((step) => step <= 0) || steps.every((step) => step >= 0);
    if (!isSorted || steps.every((step) => step === 0)) return false;
    let from = 0;
    for (let end = 1; end <= expectedRows.length; end++) {
      if (end < expectedRows.length && steps[end - 1] === 0) continue;
      if (!isSameMultiset(expectedRows.slice(from, end), actualRows.slice(from, end), isSameCell)) return false;
      from = end;
    }
    return true;
  });
}

const findNumericColumns = (rows: CellRow[]): number[] =>
  rows[0]!
    .map((_, columnIndex) => columnIndex)
    .filter(
      (columnIndex) =>
        rows.every((row) => row[columnIndex] === null || parseNumericCell(row[columnIndex]!) !== null) &&
        rows.some((row) => row[columnIndex] !== null),
    );

function haveSameTotals(expectedRows: CellRow[], actualRows: CellRow[], isSameCell: CellEqualityTest): boolean {
  const sum = (rows: CellRow[], columnIndex: number) =>
    rows.reduce((total, row) => total + (parseNumericCell(row[columnIndex]!) ?? 0), 0);
  const [expectedColumns, actualColumns] = [findNumericColumns(expectedRows), findNumericColumns(actualRows)];
  return expectedColumns.some((columnIndex) =>
    actualColumns.some((otherColumn) => isSameCell(sum(expectedRows, columnIndex), sum(actualRows, otherColumn))),
  );
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeDifference(
  expectedRows: CellRow[],
  actualRows: CellRow[],
  isSameCell: CellEqualityTest,
): ResultComparison {
  const count = `The expected result has ${formatCount(expectedRows.length, 'row')}, but the answer has ${actualRows.length}.`;
  const [expectedColumns, actualColumns] = [findNumericColumns(expectedRows), findNumericColumns(actualRows)];
  const toRowKeys = (rows: CellRow[], numberIndexes: number[]) =>
    rows.map((row) =>
      JSON.stringify(
        row
          .filter((_, columnIndex) => !numberIndexes.includes(columnIndex))
          .map(String)
          .sort(),
      ),
    );
  const [expectedKeys, actualKeys] = [toRowKeys(expectedRows, expectedColumns), toRowKeys(actualRows, actualColumns)];
  if (expectedRows.length !== actualRows.length) {
    if (haveSameTotals(expectedRows, actualRows, isSameCell))
      return createUnequalComparison('wrong_grain', `${count} Their totals are equal, so the grouping differs.`);
    const isMissing = actualRows.length < expectedRows.length;
    const [fewerKeys, moreKeys] = isMissing ? [actualKeys, expectedKeys] : [expectedKeys, actualKeys];
    const moreKeySet = new Set(moreKeys);
    const hasOtherKeys = fewerKeys.some((key) => !moreKeySet.has(key));
    return createUnequalComparison(
      isMissing ? 'missing_rows' : 'extra_rows',
      hasOtherKeys ? `${count} Some rows differ.` : count,
    );
  }
  if ([...expectedKeys].sort().join('\n') !== [...actualKeys].sort().join('\n'))
    return createUnequalComparison('wrong_rows', 'The number of rows is right, but the non-numeric values differ.');
  if (expectedRows.length > 1 && expectedColumns.length === 1 && actualColumns.length === 1) {
    const actualByKey = new Map(
      actualRows.map((row, rowIndex) => [actualKeys[rowIndex]!, parseNumericCell(row[actualColumns[0]!]!) ?? 0]),
    );
    const differences = expectedRows.map(
      (row, rowIndex) =>
        (actualByKey.get(expectedKeys[rowIndex]!) ?? 0) - (parseNumericCell(row[expectedColumns[0]!]!) ?? 0),
    );
    if (differences.every((difference) => difference > 0))
      return createUnequalComparison(
        'wrong_filter',
        'Every number is larger than expected. Rows may be counted twice, or a filter is missing.',
      );
    if (differences.every((difference) => difference < 0))
      return createUnequalComparison(
        'wrong_filter',
        'Every number is smaller than expected. Rows are missing, or a filter is too narrow.',
      );
  }
  return createUnequalComparison('wrong_value', 'The non-numeric values are right, but the numbers differ.');
}
