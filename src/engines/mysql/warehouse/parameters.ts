// Converts parameters to typed values. Without a type, a number would arrive as a double. LIMIT refuses a double, and a
// decimal sent as a double loses digits.
import mysql from 'mysql2';
import type { FetchOptions } from '../../../domain/ports.ts';

export function bindMysql(names: readonly string[], parameters: FetchOptions['parameters'] = []): unknown[] {
  return names.map((name) => {
    const entry = parameters.find((parameter) => parameter.name === name);
    const value = entry?.value ?? null;
    if (!entry || value === null) return null;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    switch (entry.datatype) {
      case 'integer':
        return /^[+-]?\d+$/.test(text) ? mysql.TypedParameter.LONGLONG(BigInt(text)) : text;
      case 'boolean':
        return text === 'true' ? 1 : 0;
      case 'float':
        return Number(text);
      case 'datetime':
        return text.replace('T', ' ');
      case 'datetimetz':
        return toUtc(text);
      default:
        return text;
    }
  });
}

function toUtc(text: string): string {
  const time = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('T', ' ').replace('Z', '');
}
