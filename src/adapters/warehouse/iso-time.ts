// Writes dates and times as ISO 8601. Times have milliseconds, or more decimal places if the value has more.
const DAY_MS = 86_400_000;

export function toIsoDay(days: number): string {
  const time = new Date(days * DAY_MS);
  // Only DuckDB's infinite dates are beyond the range of Date.
  if (Number.isNaN(time.getTime())) return days > 0 ? 'infinity' : '-infinity';
  return time.toISOString().split('T')[0]!;
}

export function toIsoDateTime(count: bigint, perSecond: bigint, zone: '' | 'Z'): string {
  let seconds = count / perSecond;
  let remainder = count % perSecond;
  if (remainder < 0n) {
    seconds -= 1n;
    remainder += perSecond;
  }
  const digits = String(perSecond).length - 1;
  const fraction = digits === 0 ? '' : String(remainder).padStart(digits, '0');
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return `${count}`;
  return date.toISOString().slice(0, -5) + trimFraction(fraction, zone);
}

/** Keeps at least milliseconds if the time has a zone. Without a zone, omits a fraction of zero. */
export function trimFraction(fraction: string, zone: '' | 'Z'): string {
  const significantDigits = fraction.replace(/0+$/, '');
  if (significantDigits === '' && zone === '') return '';
  return `.${significantDigits.padEnd(3, '0')}${zone}`;
}

/** Returns microseconds since 1970, or undefined for a string that isn't an ISO date or timestamp. */
export function parseMicroseconds(iso: string): bigint | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    iso.trim(),
  );
  if (!parts) return undefined;
  const [, day, clock = '00:00:00', fraction = '', zone = 'Z'] = parts;
  const milliseconds = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
