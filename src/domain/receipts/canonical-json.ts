// Canonical JSON according to RFC 8785.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

export function toCanonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not representable as JSON');
  return text;
}

export const computeSha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const CELLS_PER_SLICE = 1_000;

/** Computes sha256(toCanonicalJson(rows)) row by row, to limit memory and time on the event loop. */
export function* hashRowsInSteps(rows: readonly Record<string, unknown>[]): Generator<void, string> {
  const hash = createHash('sha256');
  const names = Object.keys(rows[0] ?? {}).sort();
  const keys = names.map((name) => `${toCanonicalJson(name)}:`);
  const rowsPerSlice = Math.ceil(CELLS_PER_SLICE / Math.max(1, names.length));
  let text = '[';
  for (const [rowIndex, row] of rows.entries()) {
    const members = names.map((name, index) => keys[index] + toCanonicalCell(row[name]));
    text += `${rowIndex === 0 ? '' : ','}{${members.join(',')}}`;
    if (rowIndex % rowsPerSlice !== rowsPerSlice - 1) continue;
    hash.update(text, 'utf8');
    text = '';
    yield;
  }
  return hash.update(`${text}]`, 'utf8').digest('hex');
}

declare global {
  interface String {
    /** isWellFormed is part of ES2024, but Node.js has had it since version 20. */
    isWellFormed(): boolean;
  }
}

const toCanonicalCell = (cell: unknown): string =>
  typeof cell === 'string' && cell.isWellFormed() ? JSON.stringify(cell) : toCanonicalJson(cell);

/** Rows from a request can have any column names, but the hash is the same as for rows of an answer. */
export function* hashRequestRowsInSteps(rows: readonly Record<string, unknown>[]): Generator<void, string> {
  const hash = createHash('sha256');
  for (const [index, row] of rows.entries()) {
    hash.update(`${index === 0 ? '[' : ','}${toCanonicalJson(row)}`, 'utf8');
    yield;
  }
  return hash.update(rows.length === 0 ? '[]' : ']').digest('hex');
}
