import type { Dialect } from './dialect.ts';

/** Folds a name as the engine compares it. A parser may have folded it already. */
export function foldName({ folding }: Dialect, name: string): string {
  if (folding.names === 'ascii') return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folding.names === 'unicode' ? name.toLowerCase() : name;
}

/** Swaps a name between all capitals and all lowercase. Mixed-case names stay as they are. */
export function swapCase(name: string): string {
  if (/^[A-Z_][A-Z0-9_$]*$/.test(name)) return name.toLowerCase();
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name.toUpperCase() : name;
}
