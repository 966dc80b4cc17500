// Merges an imported model (`importedValue`), the model as exported right after the import (`exportedBefore`), and the
// model as exported now (`now`). Unchanged parts keep their imported form, including members that svc doesn't know.
// Changed parts come from `now`.
import { sameJson } from '../project/check-config.ts';

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => value !== null && typeof value === 'object' && !Array.isArray(value);
const isNamed = (value: unknown): value is { name: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isTree(item) && typeof item['name'] === 'string');

/** `isSameName` checks whether the names of an imported item and of an exported item mean the same item. */
export function mergeThreeWays(
  exportedBefore: unknown,
  now: unknown,
  importedValue: unknown,
  isSameName: (importedName: string, exportedName: string) => boolean,
): unknown {
  if (sameJson(exportedBefore, now)) return importedValue;
  if (now === undefined) return undefined;
  if (isNamed(now) && (isNamed(importedValue) || importedValue === undefined || isNamed(exportedBefore))) {
    const [was, importedItems] = [
      isNamed(exportedBefore) ? exportedBefore : [],
      isNamed(importedValue) ? importedValue : [],
    ];
    const removedItems = was.filter(({ name }) => !now.some((item) => item.name === name));
    const mergedItems = now.flatMap((item) => {
      const asBefore = was.some((previousItem) => sameJson(previousItem, item));
      const importedItem = importedItems.find(({ name }) => isSameName(name, item.name));
      if (!importedItem) return asBefore ? [] : [item]; // the import generated this item from something else, or didn't import it
      const mergedItem = mergeThreeWays(
        was.find(({ name }) => name === item.name),
        item,
        importedItem,
        isSameName,
      );
      return mergedItem === undefined ? [] : [mergedItem as { name: string }];
    });
    const untouched = importedItems.filter(
      ({ name }) =>
        ![...now, ...removedItems].some((item) => isSameName(name, item.name)) &&
        !mergedItems.some((item) => item.name === name),
    );
    return inImportedOrder([...mergedItems, ...untouched], importedItems);
  }
  if (isTree(now)) {
    const [was, importedTree] = [
      isTree(exportedBefore) ? exportedBefore : {},
      isTree(importedValue) ? importedValue : {},
    ];
    // `ai_context` can be a string or an object.
    const textOnly = typeof importedValue === 'string' ? { instructions: importedValue } : {};
    const mergedEntries = [...new Set([...Object.keys(importedTree), ...Object.keys(now)])].map((key) => [
      key,
      mergeThreeWays(was[key], now[key], importedTree[key], isSameName),
    ]);
    return { ...textOnly, ...Object.fromEntries(mergedEntries.filter(([, value]) => value !== undefined)) };
  }
  return now;
}

/** Keeps the order of the imported list. New items come last. */
function inImportedOrder<T extends { name: string }>(
  exportedItems: T[],
  importedItems: readonly { name: string }[],
): T[] {
  const positionOf = ({ name }: T): number => {
    const index = importedItems.findIndex((item) => item.name === name);
    return index === -1 ? importedItems.length : index;
  };
  return [...exportedItems].sort((a, b) => positionOf(a) - positionOf(b));
}
