// Writes lens.yaml as a person would: each field, metric and join on one line, and everything else on several lines.
import { Document, isMap, isSeq, visit } from 'yaml';

/** `notes` are comments at the end. */
export function writeLensYaml(lens: Record<string, unknown>, notes: readonly string[] = []): string {
  const document = new Document(lens);
  if (notes.length > 0) document.comment = notes.map((note) => ` ${note}`).join('\n');
  visit(document, {
    Collection(_key, node) {
      if (fitsOnOneLine(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
const fitsOnOneLine = (node: unknown): boolean =>
  (isSeq(node) && node.items.every((item) => !isMap(item) && !isSeq(item))) ||
  (isMap(node) &&
    node.items.length > 0 &&
    node.items.every(
      ({ value }) =>
        !isMap(value) &&
        (!isSeq(value) || value.items.length <= 6) &&
        !String((value as { value?: unknown } | null)?.value ?? '').includes('\n'),
    ) &&
    node.has('datatype')) ||
  (isMap(node) && ['expression', 'from', 'callers', 'origin'].some((key) => node.has(key)) && !node.has('connection'));

/** Quotes a part of a table's or column's path if the path would otherwise be ambiguous. */
export const quoteIfNeeded = (part: string): string => (/^[A-Za-z_][\w$]*$/.test(part) ? part : `"${part}"`);
