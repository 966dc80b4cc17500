import type { Dialect } from './dialect.ts';

/** Folds the case of a name as the engine does for comparisons. The parser may already have folded the name. */
export function foldName({ folding }: Dialect, name: string): string {
  if (folding.names === 'ascii') return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folding.names === 'unicode' ? name.toLowerCase() : name;
}

/**
 * Converts a name in all capitals to lowercase, and a name in all lowercase to capitals. Leaves mixed-case names
 * unchanged.
 */
export function swapCase(name: string): string {
  if (/^[A-Z_][A-Z0-9_$]*$/.test(name)) return name.toLowerCase();
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name.toUpperCase() : name;
}
