// Converts Snowflake's values. The client returns numbers as strings, and timestamps with nanoseconds.

import { toIsoDateTime, toIsoDay, trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';

export interface SnowflakeType {
  /** The type's name in results, such as `fixed`, or in tables, such as `NUMBER`. */
  name: string;
  scale: number;
}

const DATATYPE_BY_NATIVE_TYPE = createDatatypeMap({
  float: 'real float double',
  string: 'text string varchar char',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp_ntz',
  datetimetz: 'timestamp_ltz timestamp_tz',
});

/** Returns null for types that a lens can't use: variants, objects, arrays, bytes and geography. */
export function toDatatype({ name, scale }: SnowflakeType): Datatype | null {
  const type = name.toLowerCase();
  if (type === 'fixed' || type === 'number') return scale === 0 ? 'integer' : 'decimal';
  return DATATYPE_BY_NATIVE_TYPE[type] ?? null;
}

interface SnowflakeTimestamp {
  getEpochSeconds(): number;
  getNanoSeconds(): number;
}
const NANOS_PER_SECOND = 1_000_000_000n;
const toNanoseconds = (moment: SnowflakeTimestamp): bigint =>
  BigInt(moment.getEpochSeconds()) * NANOS_PER_SECOND + BigInt(Math.round(moment.getNanoSeconds()));

export function toCell(value: unknown, type: SnowflakeType): Cell {
  if (value === null || value === undefined) return null;
  switch (toDatatype(type)) {
    case 'boolean':
      return value === true;
    case 'integer':
    case 'decimal':
      return String(value);
    case 'float':
      return NON_FINITE_TEXTS[String(value).toLowerCase()] ?? Number(value);
    case 'date':
      return toIsoDay((value as SnowflakeTimestamp).getEpochSeconds() / 86_400);
    case 'time':
      return toIsoClockTime(String(value));
    case 'datetime':
      return toIsoDateTime(toNanoseconds(value as SnowflakeTimestamp), NANOS_PER_SECOND, '');
    case 'datetimetz':
      return toIsoDateTime(toNanoseconds(value as SnowflakeTimestamp), NANOS_PER_SECOND, 'Z');
    case 'string':
      return String(value);
    default:
      return Buffer.isBuffer(value) ? value.toString('hex').toUpperCase() : unquote(String(value));
  }
}
const NON_FINITE_TEXTS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' };

function toIsoClockTime(text: string): string {
  const [, time, fraction = ''] = /^(\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text) ?? [];
  return time === undefined ? text : time + trimFraction(fraction, '');
}

/** Converts a string in a variant, which the client returns as JSON. */
function unquote(text: string): string {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
