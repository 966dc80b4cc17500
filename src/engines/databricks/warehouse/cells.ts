// Converts Databricks values. The types of columns come from DESCRIBE QUERY.

import { trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';

const DATATYPE_BY_NATIVE_TYPE = createDatatypeMap({
  boolean: 'boolean',
  integer: 'tinyint smallint int bigint',
  float: 'float double',
  decimal: 'decimal',
  string: 'string varchar char',
  date: 'date',
  datetimetz: 'timestamp',
  datetime: 'timestamp_ntz',
});
/** The type of sums of integers, which svc casts to prevent overflow. */
const WIDE_INTEGER = 'decimal(38,0)';

/** Removes the size of a type: `decimal(12,2)` becomes `decimal`. Nested types don't change. */
export const toBaseType = (typeText: string): string => typeText.toLowerCase().replace(/\(\d+(?:, ?\d+)?\)$/, '');

/** Returns null for types that a lens can't use: arrays, maps, structs, variants, bytes and intervals. */
export const toDatatype = (type: string): Datatype | null =>
  type === WIDE_INTEGER ? 'integer' : (DATATYPE_BY_NATIVE_TYPE[toBaseType(type)] ?? null);

export function toCell(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null;
  switch (toDatatype(type)) {
    case 'boolean':
      return value === true || value === 'true';
    case 'float': {
      const number = Number(value);
      return Number.isFinite(number) ? number : String(value);
    }
    case 'date':
      return value instanceof Date ? value.toISOString().split('T')[0]! : String(value);
    case 'datetime':
      return toIsoTime(value, '');
    case 'datetimetz':
      return toIsoTime(value, 'Z');
    case null:
      return typeof value === 'string'
        ? value
        : JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member));
    default:
      return String(value);
  }
}

/** svc's sessions run in UTC, so the client's times are in UTC. */
function toIsoTime(value: unknown, zone: '' | 'Z'): string {
  const text = value instanceof Date ? value.toISOString().replace('T', ' ').replace('Z', '') : String(value);
  const [, day, clock, fraction = ''] = /^([+-]?\d+-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${clock}${trimFraction(fraction, zone)}`;
}
