// Converts BigQuery's values, which are strings. Instants are in microseconds.

import { toIsoDateTime } from '../../../adapters/warehouse/iso-time.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';

export interface BigqueryField {
  name: string;
  type: string;
  mode?: string;
  description?: string;
  fields?: BigqueryField[];
}

const DATATYPE_BY_NATIVE_TYPE = createDatatypeMap({
  string: 'STRING',
  integer: 'INTEGER INT64',
  float: 'FLOAT FLOAT64',
  decimal: 'NUMERIC BIGNUMERIC',
  boolean: 'BOOLEAN BOOL',
  date: 'DATE',
  time: 'TIME',
  datetime: 'DATETIME',
  datetimetz: 'TIMESTAMP',
});

/** Returns null for types that a lens can't use: arrays, structs, bytes, JSON, geography, intervals and ranges. */
export const toDatatype = ({ type, mode }: BigqueryField): Datatype | null =>
  mode === 'REPEATED' ? null : (DATATYPE_BY_NATIVE_TYPE[type] ?? null);

export const toNativeType = ({ type, mode }: BigqueryField): string => {
  const name = NATIVE_TYPE_NAMES[type] ?? type.toLowerCase();
  return mode === 'REPEATED' ? `array<${name}>` : name;
};
const NATIVE_TYPE_NAMES: Readonly<Record<string, string>> = {
  INTEGER: 'int64',
  FLOAT: 'float64',
  BOOLEAN: 'bool',
  RECORD: 'struct',
};

export function toCell(value: unknown, field: BigqueryField): Cell {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : String(value);
  switch (toDatatype(field)) {
    case 'boolean':
      return text === 'true';
    case 'float':
      return NON_FINITE_TEXTS[text] ?? Number(text);
    case 'integer':
    case 'decimal':
    case 'string':
    case 'date':
      return text;
    case 'time':
    case 'datetime':
      return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
    case 'datetimetz':
      return /^-?\d+$/.test(text) ? toIsoDateTime(BigInt(text), 1_000_000n, 'Z') : text;
    default:
      return typeof value === 'string' ? value : JSON.stringify(toPlainValue(value, field));
  }
}
const NON_FINITE_TEXTS: Readonly<Record<string, string>> = {
  NaN: 'NaN',
  Infinity: 'Infinity',
  Inf: 'Infinity',
  '-Infinity': '-Infinity',
  '-Inf': '-Infinity',
};

/** BigQuery wraps array elements in `v`, and struct fields in `f`. */
function toPlainValue(value: unknown, field: BigqueryField): unknown {
  if (field.mode === 'REPEATED')
    return (value as { v: unknown }[]).map(({ v }) => toPlainValue(v, { ...field, mode: 'NULLABLE' }));
  if (!field.fields) return toCell(value, field);
  const cells = (value as { f: { v: unknown }[] }).f;
  return Object.fromEntries(
    field.fields.map((field, index) => [field.name, toPlainValue(cells[index]?.v ?? null, field)]),
  );
}
