// Merges an imported model with the changes since its import. Unchanged parts keep their imported form, including
// members that svc doesn't know. Changed parts come from `exportedNow`.
import { isSameJson } from '../project/check-config.ts';
import { toLensName } from './ossie-to-lens.ts';

type JsonObject = Record<string, unknown>;
type NamedItem = JsonObject & { name: string };
const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isNamedList = (value: unknown): value is NamedItem[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isJsonObject(item) && typeof item['name'] === 'string');

/** Most joins have no name, so the compared columns identify a join. */
const createMergeKey = ({ name, from, to, from_columns, to_columns }: NamedItem): string =>
  from_columns
    ? JSON.stringify([toLensName(String(from)), toLensName(String(to)), from_columns, to_columns])
    : toLensName(name);

export function mergeThreeWays(exportedBefore: unknown, exportedNow: unknown, importedValue: unknown): unknown {
  if (isSameJson(exportedBefore, exportedNow)) return importedValue;
  if (isNamedList(exportedNow)) {
    const [previousItems, currentItems, importedItems] = [exportedBefore, exportedNow, importedValue].map(
      (list) => new Map((isNamedList(list) ? list : []).map((item) => [createMergeKey(item), item])),
    ) as [Map<string, NamedItem>, Map<string, NamedItem>, Map<string, NamedItem>];
    // Keeps the order of the imported list. New items come last.
    return [...new Set([...importedItems.keys(), ...currentItems.keys()])].flatMap((key) => {
      const [previous, current, imported] = [previousItems.get(key), currentItems.get(key), importedItems.get(key)];
      // Omits an unchanged item that isn't in the imported list, because it comes from another part of the imported
      // model.
      if (!imported) return isSameJson(previous, current) ? [] : [current];
      if (!current) return previous ? [] : [imported];
      return [mergeThreeWays(previous, current, imported)];
    });
  }
  if (!isJsonObject(exportedNow)) return exportedNow;
  const [previousTree, importedTree] = [exportedBefore, importedValue].map((value) =>
    isJsonObject(value) ? value : {},
  ) as [JsonObject, JsonObject];
  // `ai_context` can be a string or an object.
  const instructionsMember = typeof importedValue === 'string' ? { instructions: importedValue } : {};
  const mergedEntries = [...new Set([...Object.keys(importedTree), ...Object.keys(exportedNow)])].map((key) => [
    key,
    mergeThreeWays(previousTree[key], exportedNow[key], importedTree[key]),
  ]);
  return { ...instructionsMember, ...Object.fromEntries(mergedEntries.filter(([, value]) => value !== undefined)) };
}
