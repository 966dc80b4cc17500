// Converts MySQL's values. Exact numbers and dates arrive as strings, so zero dates remain unchanged. TINYINT(1) is a
// boolean, as in MySQL's own tools. BIT and binary strings become hex.

import { trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import { toShortestFloat32 } from '../../../adapters/warehouse/shortest-float.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell, WarehouseColumn } from '../../../domain/ports.ts';

export interface MysqlField {
  name: string;
  columnType: number;
  columnLength: number;
}

const DATATYPE_BY_COLUMN_TYPE: Readonly<Record<number, Datatype>> = {
  0: 'decimal',
  1: 'integer',
  2: 'integer',
  3: 'integer',
  4: 'float',
  5: 'float',
  7: 'datetimetz',
  8: 'integer',
  9: 'integer',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'integer',
  14: 'date',
  246: 'decimal',
};
const FLOAT_COLUMN_TYPE = 4;

export const toDatatype = ({ columnType, columnLength }: MysqlField): Datatype =>
  columnType === 1 && columnLength === 1 ? 'boolean' : (DATATYPE_BY_COLUMN_TYPE[columnType] ?? 'string');

export const toWarehouseColumn = (field: MysqlField): WarehouseColumn => ({
  name: field.name,
  datatype: toDatatype(field),
});

export function toCell(value: unknown, field: MysqlField): Cell {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  switch (toDatatype(field)) {
    case 'boolean':
      return Number(value) !== 0;
    case 'float':
      return field.columnType === FLOAT_COLUMN_TYPE ? toShortestFloat32(Number(value)) : Number(value);
    case 'datetime':
      return toIsoTime(String(value), '');
    case 'datetimetz':
      return toIsoTime(String(value), 'Z');
    case 'time':
      return String(value).replace(/\.0+$/, '');
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

function toIsoTime(text: string, zone: '' | 'Z'): string {
  const [, day, clock, fraction = ''] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(?:\.(\d+))?)?$/.exec(text) ?? [];
  if (day === undefined || /^\d{4}-(?:00|\d\d-00)/.test(day)) return text;
  return `${day}T${clock ?? '00:00:00'}${trimFraction(fraction, zone)}`;
}
