// Converts PostgreSQL's values. svc doesn't use pg's own parsers, because they convert dates through the server's time
// zone and numbers through floats. Arrays, ranges and JSON values remain strings in the server's notation. bytea
// becomes hex.

import { trimFraction } from '../../../adapters/warehouse/iso-time.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';

type CellReader = (text: string) => Cell;
const readUnchanged: CellReader = (text) => text;

const CELL_READERS: Record<number, [Datatype, CellReader]> = {
  16: ['boolean', (text) => text === 't'],
  17: ['string', (text) => text.replace(/^\\x/, '')],
  20: ['integer', readUnchanged],
  21: ['integer', readUnchanged],
  23: ['integer', readUnchanged],
  26: ['integer', readUnchanged],
  700: ['float', readFloat],
  701: ['float', readFloat],
  1082: ['date', (text) => toExpandedIsoYear(text)],
  1083: ['time', readUnchanged],
  1114: ['datetime', (text) => toIsoTimestamp(text, '')],
  1184: ['datetimetz', (text) => toIsoTimestamp(text, 'Z')],
  1700: ['decimal', readUnchanged],
};

export const toDatatype = (oid: number): Datatype => CELL_READERS[oid]?.[0] ?? 'string';

export function createCellReader(oid: number): (text: string | null) => Cell {
  const reader = CELL_READERS[oid]?.[1] ?? readUnchanged;
  return (text) => (text === null ? null : reader(text));
}

function readFloat(text: string): Cell {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** Converts 'YYYY-MM-DD HH:MM:SS[.ffffff][+00]'. Sessions run in UTC with DateStyle ISO. */
function toIsoTimestamp(text: string, zone: '' | 'Z'): string {
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00)?( BC)?$/.exec(text);
  if (!parts) return text; // infinity, -infinity
  const [, day, clock, fraction = '', bc = ''] = parts;
  return `${toExpandedIsoYear(`${day}${bc}`)}T${clock}${trimFraction(fraction, zone)}`;
}

/** Writes years before 1 and after 9999 in the expanded form of ISO 8601: 44 BC is -000043. */
function toExpandedIsoYear(text: string): string {
  const [, year, monthAndDay, bc] = /^(\d+)(-\d\d-\d\d)( BC)?$/.exec(text) ?? [];
  if (year === undefined) return text;
  if (bc) return `-${String(Number(year) - 1).padStart(6, '0')}${monthAndDay}`;
  return year.length > 4 ? `+${year.padStart(6, '0')}${monthAndDay}` : text;
}
