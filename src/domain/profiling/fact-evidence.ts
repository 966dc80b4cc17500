// Checks whether the data still supports a join or a key.
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';
import {
  countRowsWithNulls,
  type JoinSide,
  measureInclusion,
  measureUniqueness,
  type QueryContext,
} from '../semantic/joins/measure-join.ts';

const STATEMENT_TIMEOUT_MS = 20_000;

export const createQueryContext = (warehouse: QueryContext['warehouse'], signal: AbortSignal): QueryContext => ({
  ...{ warehouse, timeoutMs: STATEMENT_TIMEOUT_MS, signal },
});

/**
 * `matched` of the `checked` values exist on the other side of the join. Null if svc couldn't read the values in time.
 */
export async function countJoinedValues(lens: Lens, { from, to }: LensRelationship, queryContext: QueryContext) {
  const [manySide, oneSide] = [toJoinSide(lens, from.dataset, from.columns), toJoinSide(lens, to.dataset, to.columns)];
  const counts = await measureInclusion(queryContext, manySide, oneSide);
  return counts && { checked: counts[0], matched: counts[1] };
}

/** Null if svc couldn't read the rows in time. */
export async function countRepeatedRows(
  lens: Lens,
  dataset: string,
  columns: readonly string[],
  queryContext: QueryContext,
): Promise<number | null> {
  const uniqueness = await measureUniqueness(queryContext, toJoinSide(lens, dataset, columns));
  return uniqueness && uniqueness.nonNullRows - uniqueness.distinctCount;
}

/** Null if the columns identify the rows, or undefined if svc couldn't read the rows. */
export async function findKeyFault(
  lens: Lens,
  dataset: string,
  columns: readonly string[],
  queryContext: QueryContext,
): Promise<string | null | undefined> {
  const repeatedRows = await countRepeatedRows(lens, dataset, columns, queryContext);
  const emptyRows = await countRowsWithNulls(queryContext, toJoinSide(lens, dataset, columns));
  if (repeatedRows === null || emptyRows === null) return undefined;
  if (repeatedRows > 0) return `${describeRepeatedRows(repeatedRows, dataset, columns)}.`;
  return emptyRows > 0
    ? `${emptyRows === 1 ? `1 row of ${dataset} has` : `${emptyRows} rows of ${dataset} have`} no value of ${columns.join(', ')}.`
    : null;
}

export const describeRepeatedRows = (rows: number, dataset: string, columns: readonly string[]): string =>
  `${rows === 1 ? `1 row of ${dataset} repeats` : `${rows} rows of ${dataset} repeat`} a value of ${columns.join(', ')}`;

const toJoinSide = (lens: Lens, name: string, columns: readonly string[]): JoinSide => ({
  table: lens.datasets.find((dataset) => dataset.name === name)!.source,
  columns,
});
