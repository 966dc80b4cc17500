// Fetches rows from the warehouse within the fixed limits, and encodes them without losing digits.

import type { Column, JsonScalar } from '../../contract/ask.ts';
import type { Cell, FetchResult, WarehouseColumn } from '../../domain/ports.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import { takeFreeName } from '../../platform/take-free-name.ts';
import type { FetchedRows, GuardedPlan } from '../outcome.ts';

export const MAX_FETCHED_ROWS = 5_000;
/**
 * Limits the cells of wide results, because all requests share the thread that encodes and hashes each cell. The limit
 * is slightly above that of a response (cap-response.ts), so that svc can detect that the warehouse has more rows.
 */
const MAX_CELLS = 260_000;

export interface FetchLimits {
  timeoutMs: number;
  maxBytes: number;
}

export async function fetchRows(
  guardedPlan: GuardedPlan,
  limits: FetchLimits,
  signal: AbortSignal,
  beforeLarge: () => Promise<void>,
): Promise<Omit<FetchedRows, 'dataAsOf'>> {
  const { plan, statement } = guardedPlan;
  const parameters =
    plan.plan === 'certified'
      ? statement.parameters.map((name) => ({
          name,
          datatype: plan.entry.parameters[name]!.datatype,
          value: plan.parameters[name] ?? null,
        }))
      : undefined;
  const startedAt = performance.now();
  const warehouseRows = await plan.grantedLens.warehouse.fetch(statement, {
    parameters,
    maxRows: Math.min(MAX_FETCHED_ROWS, Math.floor(MAX_CELLS / Math.max(1, statement.columnCount))),
    maxBytes: limits.maxBytes,
    timeoutMs: limits.timeoutMs,
    signal,
    caller: plan.grantedLens.caller.name,
    beforeLarge,
  });
  const warehouseMs = performance.now() - startedAt;
  const encodedRows = await runInTurns(encodeRowsInSteps(warehouseRows, plan));
  return { plan, statement, ...encodedRows, more: warehouseRows.more, bytesCut: warehouseRows.bytesCut, warehouseMs };
}

function* encodeRowsInSteps(
  warehouseRows: FetchResult,
  plan: GuardedPlan['plan'],
): Generator<void, Pick<FetchedRows, 'columns' | 'rows' | 'warnings'>> {
  const names = toUniqueNames(warehouseRows.columns.map((column) => column.name));
  const declaredColumns = plan.plan === 'compiled' ? plan.compiledQuery.columns : [];
  const units = plan.plan === 'certified' ? plan.units : declaredColumns.map(({ unit }) => unit);
  const warnings: string[] = [];
  const encoders: { exact: boolean; encode: (cell: Cell) => JsonScalar }[] = [];
  const cutCounts = new Map<number, number>();
  for (const [index, column] of warehouseRows.columns.entries()) {
    const isExact = needsString(column, warehouseRows.rows, index);
    const declaredType = declaredColumns[index]?.datatype;
    encoders.push({ exact: isExact, encode: createEncoder(column, isExact, declaredType) });
    yield;
  }
  let hasNonFinite = false;
  const rows: Record<string, JsonScalar>[] = [];
  const rowOf = createRowFactory(names);
  for (const cells of warehouseRows.rows) {
    const values = encoders.map(({ encode }, index) => {
      const value = encode(cells[index] ?? null);
      const shortenedValue = truncateCell(value);
      if (shortenedValue !== value) cutCounts.set(index, (cutCounts.get(index) ?? 0) + 1);
      return shortenedValue;
    });
    if (values.some((value, index) => value === null && cells[index] !== null)) hasNonFinite = true;
    rows.push(rowOf(values));
    yield;
  }
  if (hasNonFinite) warnings.push('Some values are NaN or infinite, and are shown as null.');
  const columns = warehouseRows.columns.map(
    (column, index): Column => ({
      name: names[index]!,
      datatype: declaredColumns[index]?.datatype ?? column.datatype,
      unit: units[index] ?? null,
      encoding: encoders[index]!.exact ? 'string' : 'json',
      ...(cutCounts.has(index) && { cut_cells: cutCounts.get(index)! }),
    }),
  );
  if (cutCounts.size > 0) warnings.push(createCutWarning(columns));
  return { columns, rows, warnings };
}

function createCutWarning(columns: readonly Column[]): string {
  const cutTexts = columns.flatMap(({ name, cut_cells }) => (cut_cells ? [`${cut_cells} of “${name}”`] : []));
  const moreText =
    cutTexts.length > MAX_WARNED_COLUMNS ? ` and of ${cutTexts.length - MAX_WARNED_COLUMNS} more columns` : '';
  return `Cells are cut to their first 64 KB: ${cutTexts.slice(0, MAX_WARNED_COLUMNS).join(', ')}${moreText}. Select part of each value to read the rest.`;
}
const MAX_WARNED_COLUMNS = 5;

/**
 * The largest number of members that svc adds to an object one by one. With more members, V8 converts the object to a
 * hash table, which is several times as large.
 */
const MAX_FILLED_COLUMNS = 128;

function createRowFactory(names: string[]): (values: JsonScalar[]) => Record<string, JsonScalar> {
  if (names.length > MAX_FILLED_COLUMNS)
    return (values) => Object.fromEntries(names.map((name, index) => [name, values[index]!]));
  const emptyRow = Object.fromEntries(names.map((name) => [name, null as JsonScalar]));
  return (values) => {
    const row = { ...emptyRow };
    for (const [index, name] of names.entries()) row[name] = values[index]!;
    return row;
  };
}

/** Renames a second `name` to `name_2`, so that no cell overwrites another. */
function toUniqueNames(names: string[]): string[] {
  const seenNames = new Set<string>();
  return names.map((name) => takeFreeName(seenNames, name));
}

function needsString(column: WarehouseColumn, rows: Cell[][], index: number): boolean {
  if (column.datatype === 'integer')
    return rows.some((row) => row[index] != null && !Number.isSafeInteger(Number(row[index])));
  if (column.datatype === 'decimal') return rows.some((row) => row[index] != null && !fitsDouble(String(row[index])));
  return false;
}

const fitsDouble = (decimal: string): boolean =>
  countSignificantDigits(decimal) <= 15 &&
  !(isBeyondDouble(decimal) || (Number(decimal) === 0 && /[1-9]/.test(decimal)));
const isBeyondDouble = (text: string): boolean => !Number.isFinite(Number(text)) && /^[-+]?\.?\d/.test(text);

export function countSignificantDigits(decimal: string): number {
  return decimal.replace(/^[-+]?0*\.?0*/, '').replace('.', '').length;
}

/** The engine can return another type for an expression than the type of the field in the lens. MySQL is an example. */
function createEncoder(
  column: WarehouseColumn,
  isExact: boolean,
  declaredType?: Column['datatype'],
): (cell: Cell) => JsonScalar {
  if (column.datatype === 'integer' && declaredType === 'boolean')
    return (cell) => (cell === null ? null : Number(cell) !== 0);
  if (column.datatype === 'datetime' && declaredType === 'datetimetz')
    return (cell) =>
      cell === null || INFINITE_TIMES.has(cell) ? null : `${cell}${String(cell).includes('.') ? '' : '.000'}Z`;
  if (column.datatype === 'integer' || column.datatype === 'decimal') {
    return (cell) => {
      if (cell === null) return null;
      if (!Number.isFinite(Number(cell)) && !isBeyondDouble(String(cell))) return null;
      return isExact ? String(cell) : Number(cell);
    };
  }
  if (column.datatype === 'float') {
    return (cell) => {
      if (cell === null) return null;
      const value = Number(cell);
      return Number.isFinite(value) ? value : null;
    };
  }
  if (column.datatype.startsWith('date')) return (cell) => (INFINITE_TIMES.has(cell) ? null : cell);
  return (cell) => cell;
}

/** How PostgreSQL and DuckDB write infinite dates and times. */
const INFINITE_TIMES: ReadonlySet<Cell> = new Set(['infinity', '-infinity']);

const MAX_CELL_BYTES = 65_536;
/** The maximum number of UTF-8 bytes for one UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Cuts each cell to 64 KB before the rows are hashed, so that the receipt covers exactly the served rows. */
function truncateCell(cell: JsonScalar): JsonScalar {
  if (typeof cell !== 'string' || cell.length * MAX_BYTES_PER_CHARACTER <= MAX_CELL_BYTES) return cell;
  if (Buffer.byteLength(cell) <= MAX_CELL_BYTES) return cell;
  const bytes = Buffer.from(cell.slice(0, MAX_CELL_BYTES)).subarray(0, MAX_CELL_BYTES);
  // Leaves out a character that doesn't fit completely.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
