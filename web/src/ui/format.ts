// How numbers, times and cells are written. Digits that travel as text stay as they are.
import { inert } from './inert.ts';

export interface CellColumn {
  datatype: string;
  unit: string | null;
  name: string;
}

const NUMERIC = new Set(['integer', 'number', 'decimal', 'float']);
const PLAIN = /^-?\d+(\.\d+)?$/;

export const isNumeric = ({ datatype }: Pick<CellColumn, 'datatype'>): boolean => NUMERIC.has(datatype);

export function cellText(value: unknown, column: CellColumn): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!isNumeric(column) || /(^|_)(year|id)$/.test(column.name)) return inert(String(value));
  const text = String(value);
  if (!PLAIN.test(text)) return inert(text);
  return `${groupDigits(text)}${column.unit === 'percent' ? ' %' : ''}`;
}

/** By text, so that no digit is lost: 1234567.8900 -> 1,234,567.89 */
function groupDigits(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, 4).replace(/0+$/, '');
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',') + (kept ? `.${kept}` : '');
}

export const count = (value: number): string => new Intl.NumberFormat('en').format(value);
export const percent = (share: number | null): string =>
  share === null ? '–' : new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(share);
export const milliseconds = (ms: number | null): string =>
  ms === null ? '–' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
export const dollars = (usd: number): string => (usd === 0 ? '$0' : usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`);

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
export const moment = (iso: string | null | undefined): string => (iso ? MOMENT.format(new Date(iso)) : '–');
export const day = (iso: string): string => iso.slice(0, 10);
