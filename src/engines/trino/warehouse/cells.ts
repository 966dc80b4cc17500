// Converts Trino's values. parseExactJson has kept every digit of the numbers.

import { trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';
import { readDigits } from '../../duckdb/dialect/exact-json.ts';

const DATATYPE_BY_NATIVE_TYPE: Readonly<Record<string, Datatype>> = {
  ...createDatatypeMap({
    boolean: 'boolean',
    integer: 'tinyint smallint integer bigint',
    float: 'real double',
    decimal: 'decimal',
    string: 'varchar char uuid ipaddress',
    date: 'date',
    time: 'time',
    datetime: 'timestamp',
  }),
  'timestamp with time zone': 'datetimetz',
};
/** The type of sums of integers, which svc casts to prevent overflow. */
const WIDE_INTEGER_PATTERN = /^decimal\(38, ?0\)$/;

/** Removes the size of a type: `timestamp(6) with time zone` becomes `timestamp with time zone`. */
export const toBaseType = (typeText: string): string => typeText.replace(/\(\d+(?:, ?\d+)?\)/, '');

/** Returns null for types that a lens can't use: arrays, maps, rows, bytes and intervals. */
export const toDatatype = (type: string): Datatype | null =>
  WIDE_INTEGER_PATTERN.test(type) ? 'integer' : (DATATYPE_BY_NATIVE_TYPE[toBaseType(type)] ?? null);

export function toCell(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null;
  switch (toDatatype(type)) {
    case 'boolean':
      return value === true;
    case 'integer':
    case 'decimal':
      return readDigits(value) || String(value);
    case 'float':
      return NON_FINITE_TEXTS.has(String(value)) ? String(value) : Number(readDigits(value));
    case 'time':
      return String(value).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros));
    case 'datetime':
      return toIsoTime(String(value), '');
    case 'datetimetz':
      return toIsoInstant(String(value));
    default:
      return typeof value === 'string' ? value : JSON.stringify(restoreExactNumbers(value));
  }
}
const NON_FINITE_TEXTS = new Set(['NaN', 'Infinity', '-Infinity']);

function toIsoTime(text: string, zone: '' | 'Z'): string {
  const [, day, clock, fraction = ''] = /^([+-]?\d+-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${clock}${trimFraction(fraction, zone)}`;
}

/**
 * Converts a local time to an instant. A local time that occurs twice when clocks change remains as Trino writes it,
 * because its instant is ambiguous.
 */
function toIsoInstant(text: string): string {
  const [, local = '', fraction = '', zone = ''] = /^(\S+ \d\d:\d\d:\d\d)((?:\.\d+)?) (\S+)$/.exec(text) ?? [];
  if (local === '') return text;
  if (zone === 'UTC') return toIsoTime(local + fraction, 'Z');
  const wallTime = Date.parse(`${local.replace(' ', 'T')}Z`);
  const offsets = /^[+-]\d\d:\d\d$/.test(zone) ? [parseOffsetMinutes(zone)] : listOffsets(zone, wallTime);
  if (offsets.length !== 1 || Number.isNaN(wallTime)) return text;
  const utc = new Date(wallTime - offsets[0]! * 60_000).toISOString().slice(0, -5).replace('T', ' ');
  return toIsoTime(utc + fraction, 'Z');
}

const parseOffsetMinutes = (offset: string): number =>
  (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));

/** Returns the offsets in minutes that a local time can have in a zone. */
function listOffsets(zone: string, wallTime: number): number[] {
  const wallTimeAt = (utc: number): number => {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(utc);
    const partValue = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(
      partValue('year'),
      partValue('month') - 1,
      partValue('day'),
      partValue('hour'),
      partValue('minute'),
      partValue('second'),
    );
  };
  const DAY = 86_400_000;
  const candidateOffsets = [wallTime - DAY, wallTime + DAY].map((utc) => (wallTimeAt(utc) - utc) / 60_000);
  return [...new Set(candidateOffsets)].filter((offset) => wallTimeAt(wallTime - offset * 60_000) === wallTime);
}

/** Restores numbers that parseExactJson has marked. A number that JavaScript can't hold exactly becomes a string. */
function restoreExactNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoreExactNumbers);
  if (typeof value === 'string') {
    const digits = readDigits(value);
    if (digits === '') return value;
    return Number.isSafeInteger(Number(digits)) || /[.eE]/.test(digits) ? Number(digits) : digits;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restoreExactNumbers(member)]));
}
