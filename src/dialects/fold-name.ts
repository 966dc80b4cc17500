import type { Dialect } from './dialect.ts';

/** How an engine compares names; a parser may have folded them while reading. */
export function foldName({ folding }: Dialect, name: string): string {
  if (folding.names === 'ascii') return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folding.names === 'unicode' ? name.toLowerCase() : name;
}

/** A name in capitals in small letters, and the other way around; any other name as it is. */
export function inOtherCase(name: string): string {
  if (/^[A-Z_][A-Z0-9_$]*$/.test(name)) return name.toLowerCase();
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name.toUpperCase() : name;
}
