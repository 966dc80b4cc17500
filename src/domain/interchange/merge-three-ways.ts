// Merges an imported model (`old`), the same model generated at import (`before`), and the model generated now (`now`).
// Unchanged parts keep their imported form with unknown members. Changed parts come from `now`.
import { sameJson } from '../project/check-config.ts';

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => value !== null && typeof value === 'object' && !Array.isArray(value);
const isNamed = (value: unknown): value is { name: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isTree(item) && typeof item['name'] === 'string');

/** `same` checks whether an imported item is the one with this generated name. */
export function mergeThreeWays(
  before: unknown,
  now: unknown,
  old: unknown,
  same: (imported: string, exported: string) => boolean,
): unknown {
  if (sameJson(before, now)) return old;
  if (now === undefined) return undefined;
  if (isNamed(now) && (isNamed(old) || old === undefined || isNamed(before))) {
    const [was, imported] = [isNamed(before) ? before : [], isNamed(old) ? old : []];
    const removed = was.filter(({ name }) => !now.some((item) => item.name === name));
    const exported = now.flatMap((item) => {
      const asBefore = was.some((other) => sameJson(other, item));
      const old = imported.find(({ name }) => same(name, item.name));
      if (!old) return asBefore ? [] : [item]; // the import generated this item from something else, or didn't import it
      const merged = mergeThreeWays(
        was.find(({ name }) => name === item.name),
        item,
        old,
        same,
      );
      return merged === undefined ? [] : [merged as { name: string }];
    });
    const untouched = imported.filter(
      ({ name }) =>
        ![...now, ...removed].some((item) => same(name, item.name)) && !exported.some((item) => item.name === name),
    );
    return inOrder([...exported, ...untouched], imported);
  }
  if (isTree(now)) {
    const [was, imported] = [isTree(before) ? before : {}, isTree(old) ? old : {}];
    // `ai_context` can be a string or an object.
    const textOnly = typeof old === 'string' ? { instructions: old } : {};
    const merged = [...new Set([...Object.keys(imported), ...Object.keys(now)])].map((key) => [
      key,
      mergeThreeWays(was[key], now[key], imported[key], same),
    ]);
    return { ...textOnly, ...Object.fromEntries(merged.filter(([, value]) => value !== undefined)) };
  }
  return now;
}

/** Keeps the order of the imported list. New items come last. */
function inOrder<T extends { name: string }>(exported: T[], imported: readonly { name: string }[]): T[] {
  const positionOf = ({ name }: T): number => {
    const index = imported.findIndex((item) => item.name === name);
    return index === -1 ? imported.length : index;
  };
  return [...exported].sort((a, b) => positionOf(a) - positionOf(b));
}
