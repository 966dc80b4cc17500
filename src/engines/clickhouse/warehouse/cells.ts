// Converts ClickHouse's values. JSON numbers can't hold 64-bit integers, decimals, NaN or infinities, so svc requests
// quotes around them.

import { trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';

export interface ClickhouseType {
  /** The type without Nullable and LowCardinality. */
  name: string;
  nullable: boolean;
}

export function parseType(typeText: string): ClickhouseType {
  const [, wrapper, innerText] = /^(Nullable|LowCardinality)\((.*)\)$/.exec(typeText) ?? [];
  if (innerText === undefined) return { name: typeText, nullable: false };
  const innerType = parseType(innerText);
  return wrapper === 'Nullable' ? { ...innerType, nullable: true } : innerType;
}

const DATATYPE_BY_NATIVE_TYPE = createDatatypeMap({
  boolean: 'Bool',
  float: 'Float32 Float64 BFloat16',
  date: 'Date Date32',
  time: 'Time',
  string: 'String UUID IPv4 IPv6',
});
/** The type of sums of integers, which svc casts to prevent overflow. */
const WIDE_INTEGER = 'Decimal(76, 0)';

/** Returns null for types that a lens can't use: arrays, maps, tuples and JSON. */
export function toDatatype(name: string): Datatype | null {
  if (name === WIDE_INTEGER || /^U?Int\d+$/.test(name)) return 'integer';
  if (name.startsWith('Decimal(')) return 'decimal';
  // A DateTime is an instant. The time zone in its type affects only how ClickHouse prints it.
  if (name.startsWith('DateTime')) return 'datetimetz';
  if (name.startsWith('Time64(')) return 'time';
  if (/^(?:FixedString|Enum8|Enum16)\(/.test(name)) return 'string';
  return DATATYPE_BY_NATIVE_TYPE[name] ?? null;
}

const NON_FINITE_TEXTS: Readonly<Record<string, string>> = {
  nan: 'NaN',
  '-nan': 'NaN',
  inf: 'Infinity',
  '-inf': '-Infinity',
};

export function toCell(value: unknown, name: string): Cell {
  if (value === null || value === undefined) return null;
  switch (toDatatype(name)) {
    case 'boolean':
      return value === true;
    case 'float':
      return typeof value === 'number' ? value : (NON_FINITE_TEXTS[String(value)] ?? String(value));
    case 'integer':
    case 'decimal':
      return String(value);
    case 'datetimetz':
      return toIsoTime(String(value));
    case 'time':
      return String(value).replace(/\.0+$/, '');
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Converts ClickHouse's `iso` format, which is a time in UTC that ends with Z. */
function toIsoTime(text: string): string {
  const [, moment, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return moment === undefined ? text : `${moment}${trimFraction(fraction, 'Z')}`;
}
