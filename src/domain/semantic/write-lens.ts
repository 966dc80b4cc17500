// lens.yaml as a person would write it: structure in lines, leaves in one line each.
import { Document, isMap, isSeq, type Node, visit } from 'yaml';

/** What is said beside a part of it, and at its end. */
export interface LensNotes {
  beside: readonly { path: readonly (string | number)[]; said: string }[];
  end: readonly string[];
}

export function writeLens(lens: Record<string, unknown>, notes: LensNotes = { beside: [], end: [] }): string {
  const document = new Document(lens);
  if (notes.end.length > 0) document.comment = notes.end.map((note) => ` ${note}`).join('\n');
  for (const { path, said } of notes.beside) (document.getIn(path, true) as Node).comment = ` ${said}`;
  visit(document, {
    Collection(_key, node) {
      if (isLeaf(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
const isLeaf = (node: unknown): boolean =>
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
