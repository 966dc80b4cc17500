// Merges an imported model (`importedValue`), the model as exported right after the import (`exportedBefore`), and the
// model as exported now (`exportedNow`). Unchanged parts keep their imported form, including members that svc doesn't
// know. Changed parts come from `exportedNow`.
import { isSameJson } from '../project/check-config.ts';

type JsonObject = Record<string, unknown>;
const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isNamedList = (value: unknown): value is { name: string }[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isJsonObject(item) && typeof item['name'] === 'string');

/** `isSameName` checks whether an imported name and an exported name belong to the same item. */
export function mergeThreeWays(
  exportedBefore: unknown,
  exportedNow: unknown,
  importedValue: unknown,
  isSameName: (importedName: string, exportedName: string) => boolean,
): unknown {
  if (isSameJson(exportedBefore, exportedNow)) return importedValue;
  if (exportedNow === undefined) return undefined;
  if (
    isNamedList(exportedNow) &&
    (isNamedList(importedValue) || importedValue === undefined || isNamedList(exportedBefore))
  ) {
    const [previousItems, importedItems] = [
      isNamedList(exportedBefore) ? exportedBefore : [],
      isNamedList(importedValue) ? importedValue : [],
    ];
    const removedItems = previousItems.filter(({ name }) => !exportedNow.some((item) => item.name === name));
    const mergedItems = exportedNow.flatMap((item) => {
      const isUnchanged = previousItems.some((previousItem) => isSameJson(previousItem, item));
      const importedItem = importedItems.find(({ name }) => isSameName(name, item.name));
      if (!importedItem) return isUnchanged ? [] : [item]; // the import generated this item from something else, or didn't import it
      const mergedItem = mergeThreeWays(
        previousItems.find(({ name }) => name === item.name),
        item,
        importedItem,
        isSameName,
      );
      return mergedItem === undefined ? [] : [mergedItem as { name: string }];
    });
    const unexportedItems = importedItems.filter(
      ({ name }) =>
        ![...exportedNow, ...removedItems].some((item) => isSameName(name, item.name)) &&
        !mergedItems.some((item) => item.name === name),
    );
    return sortByImportedOrder([...mergedItems, ...unexportedItems], importedItems);
  }
  if (isJsonObject(exportedNow)) {
    const [previousTree, importedTree] = [
      isJsonObject(exportedBefore) ? exportedBefore : {},
      isJsonObject(importedValue) ? importedValue : {},
    ];
    // `ai_context` can be a string or an object.
    const instructionsMember = typeof importedValue === 'string' ? { instructions: importedValue } : {};
    const mergedEntries = [...new Set([...Object.keys(importedTree), ...Object.keys(exportedNow)])].map((key) => [
      key,
      mergeThreeWays(previousTree[key], exportedNow[key], importedTree[key], isSameName),
    ]);
    return { ...instructionsMember, ...Object.fromEntries(mergedEntries.filter(([, value]) => value !== undefined)) };
  }
  return exportedNow;
}

/** Keeps the order of the imported list. New items come last. */
function sortByImportedOrder<T extends { name: string }>(
  exportedItems: T[],
  importedItems: readonly { name: string }[],
): T[] {
  const positionOf = ({ name }: T): number => {
    const index = importedItems.findIndex((item) => item.name === name);
    return index === -1 ? importedItems.length : index;
  };
  return [...exportedItems].sort((a, b) => positionOf(a) - positionOf(b));
}
