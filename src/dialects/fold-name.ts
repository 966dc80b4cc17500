import type { Dialect } from './dialect.ts';

/** How an engine compares names; a parser may have folded them while reading. */
export function foldName({ folding }: Dialect, name: string): string {
  if (folding.names === 'ascii') return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folding.names === 'read' ? name : name.toLowerCase();
}
