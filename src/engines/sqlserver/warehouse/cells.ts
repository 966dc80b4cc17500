import { trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';
import type { ResultColumn } from './client.ts';

const DATATYPE_BY_NAME = createDatatypeMap({
  boolean: 'bit',
  integer: 'tinyint smallint int bigint',
  decimal: 'decimal numeric money smallmoney',
  float: 'real float',
  string: 'char varchar nchar nvarchar sysname uniqueidentifier',
  date: 'date',
  time: 'time',
  datetime: 'smalldatetime datetime datetime2',
  datetimetz: 'datetimeoffset',
});

/**
 * Returns null for types that a lens can't use. Decimals without decimal places are integers, and so are their sums.
 */
export const findDatatypeByName = (type: string, scale: number | null): Datatype | null =>
  /^(?:decimal|numeric)$/.test(type) && scale === 0 ? 'integer' : (DATATYPE_BY_NAME[type] ?? null);

/** `typeText` is a type name from the server, such as `decimal(38,0)`. */
export function parseDatatype(typeText: string): Datatype | null {
  const [, name = '', scale] = /^(\w+)(?:\((?:\d+|max)(?:,(\d+))?\))?$/i.exec(typeText.toLowerCase()) ?? [];
  return findDatatypeByName(name, scale === undefined ? null : Number(scale));
}

/** The datatypes of nullable columns, by the client's names for types. */
const DATATYPE_BY_WIRE_TYPE: Readonly<Record<string, Datatype>> = {
  IntN: 'integer',
  BitN: 'boolean',
  FloatN: 'float',
  MoneyN: 'decimal',
  DateTimeN: 'datetime',
};

export function toDatatype({ type: { name }, scale = 0 }: ResultColumn): Datatype | null {
  if (name === 'NumericN' || name === 'DecimalN') return findDatatypeByName('decimal', scale);
  return DATATYPE_BY_WIRE_TYPE[name] ?? findDatatypeByName(name.toLowerCase(), null);
}

export function toCell(value: unknown, datatype: Datatype | null): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return toUtcTime(value, datatype);
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex').toUpperCase()}`;
  if (datatype === 'boolean') return value === true;
  return datatype === 'float' ? Number(value) : String(value);
}

/** Writes a time in UTC. The client returns the fraction below a millisecond in nanosecondsDelta, in seconds. */
function toUtcTime(value: Date & { nanosecondsDelta?: number }, datatype: Datatype | null): string {
  const [day = '', clock = ''] = value.toISOString().split('T');
  if (datatype === 'date') return day;
  const extraNanos = Math.round((value.nanosecondsDelta ?? 0) * 10_000_000);
  const fraction = clock.slice(9, 12) + String(extraNanos).padStart(4, '0');
  const text = `${clock.slice(0, 8)}${trimFraction(fraction, datatype === 'datetimetz' ? 'Z' : '')}`;
  return datatype === 'time' ? text : `${day}T${text}`;
}
