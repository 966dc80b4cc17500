// Converts DuckDB's values. Cells keep every digit. Lists, structs and maps become JSON strings, and blobs become
// lowercase hex.
import type { DuckDBValue } from '@duckdb/node-api';
import { toIsoDateTime, toIsoDay } from '../../../adapters/warehouse/iso-time.ts';
import { toShortestFloat32 } from '../../../adapters/warehouse/shortest-float.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';

type CellReader = (value: Exclude<DuckDBValue, null>) => Cell;
const readText: CellReader = (value) => String(value);
const createFloatReader = (digits: (value: number) => number): CellReader => {
  return (value) => (Number.isFinite(value) ? digits(value as number) : String(value));
};
const createInstantReader = (member: string, perSecond: bigint, zone: '' | 'Z'): CellReader => {
  return (value) => {
    const valueText = String(value);
    if (valueText.includes('infinity')) return valueText;
    return toIsoDateTime((value as unknown as Record<string, bigint>)[member]!, perSecond, zone);
  };
};

/** Datatypes and readers by DuckDBTypeId, whose values follow the stable C enum duckdb_type. */
const CELL_READERS: Record<number, [Datatype, CellReader]> = {
  1: ['boolean', (value) => value as boolean],
  10: ['float', createFloatReader(toShortestFloat32)],
  11: ['float', createFloatReader((value) => value)],
  12: ['datetime', createInstantReader('micros', 1_000_000n, '')],
  13: ['date', (value) => toIsoDay((value as unknown as { days: number }).days)],
  14: ['time', readText],
  18: ['string', (value) => Buffer.from((value as unknown as { bytes: Uint8Array }).bytes).toString('hex')],
  19: ['decimal', readText],
  20: ['datetime', createInstantReader('seconds', 1n, '')],
  21: ['datetime', createInstantReader('millis', 1_000n, '')],
  22: ['datetime', createInstantReader('nanos', 1_000_000_000n, '')],
  31: ['datetimetz', createInstantReader('micros', 1_000_000n, 'Z')],
  39: ['time', readText],
};
for (const id of [2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 35]) CELL_READERS[id] = ['integer', readText];

export const toDatatype = (typeId: number): Datatype => CELL_READERS[typeId]?.[0] ?? 'string';

export function createCellReader(typeId: number): (value: DuckDBValue) => Cell {
  const reader = CELL_READERS[typeId]?.[1] ?? convertNestedValue;
  return (value) => (value === null ? null : reader(value));
}

function convertNestedValue(value: Exclude<DuckDBValue, null>): Cell {
  return typeof value === 'object' && ('items' in value || 'entries' in value)
    ? JSON.stringify(toPlainValue(value))
    : String(value);
}

function toPlainValue(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  if ('items' in value) return (value.items as unknown[]).map(toPlainValue);
  if ('entries' in value && Array.isArray(value.entries))
    return value.entries.map((entry: { key: unknown; value: unknown }) => [
      toPlainValue(entry.key),
      toPlainValue(entry.value),
    ]);
  if ('entries' in value)
    return Object.fromEntries(Object.entries(value.entries as object).map(([k, v]) => [k, toPlainValue(v)]));
  return String(value);
}
