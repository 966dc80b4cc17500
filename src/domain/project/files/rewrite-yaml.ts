// Edits YAML files, and keeps the comments, order and layout of everything else.
import { isDeepStrictEqual } from 'node:util';
import { applyPatch, structuredPatch } from 'diff';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';

/**
 * Skips the check for duplicate keys, because svc made this check when it read the file. For large files, the check
 * takes seconds.
 */
export const parseForEdit = (text: string): Document.Parsed => parseDocument(text, { uniqueKeys: false });

/** Patches the author's text if the result has the document's content. Otherwise writes the whole document. */
export function rewriteYaml(doc: Document, originalText: string): string {
  const rewrittenText = writeDocument(doc, originalText);
  const rewrittenOriginal = writeDocument(parseForEdit(originalText), originalText);
  for (const context of [3, 1, 0]) {
    const patchedText = applyPatch(
      originalText,
      structuredPatch('', '', rewrittenOriginal, rewrittenText, '', '', { context }),
    );
    if (patchedText !== false && hasSameContent(patchedText, doc)) return patchedText;
  }
  return rewrittenText;
}

/** A patch that changes the middle of a folded scalar can result in invalid YAML. */
function hasSameContent(text: string, doc: Document): boolean {
  const parsedDocument = parseForEdit(text);
  return parsedDocument.errors.length === 0 && isDeepStrictEqual(parsedDocument.toJS(), doc.toJS());
}

const writeDocument = (doc: Document, sampleText: string): string =>
  doc.toString({
    lineWidth: 0,
    flowCollectionPadding: /\{ \S/.test(sampleText),
    indent: /^( +)[^\s#-]/m.exec(sampleText)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[\w-]+:[ \t]*\n\1- /m.test(sampleText),
  });

/** Members to set in one object of a file. Undefined removes a member. Null removes the object. */
export type YamlMembers = Record<string, unknown> | null;

/** `is` contains the members that identify an entry in a list. `at` is the path of an object in a map. */
export type YamlEdit =
  | { is: Record<string, string>; members: YamlMembers }
  | { at: string[]; members: YamlMembers }
  | { set: YamlAssignment[] };
/** Undefined removes the value. svc sets the values in the given order. */
export interface YamlAssignment {
  at: (string | number)[];
  value: unknown;
}

export const editYaml = (text: string, edit: YamlEdit): string | null | undefined =>
  'set' in edit
    ? setAllValues(text, edit.set)
    : 'is' in edit
      ? editListItem(text, edit.is, edit.members)
      : editNamedObject(text, edit.at, edit.members);

function setAllValues(text: string, assignments: readonly YamlAssignment[]): string {
  const doc = parseForEdit(text);
  for (const { at, value } of assignments) {
    // The key "connections:" without a value isn't a map yet.
    for (let depth = 1; depth < at.length; depth++)
      if (doc.getIn(at.slice(0, depth)) === null) doc.deleteIn(at.slice(0, depth));
    if (value === undefined) doc.deleteIn(at);
    else if (typeof value === 'object') {
      const list = doc.getIn(at.slice(0, -1));
      if (isSeq(list) && list.items.length === 0) list.flow = false;
      doc.setIn(at, doc.createNode(value, { flow: true }));
    } else doc.setIn(at, value);
  }
  return rewriteYaml(doc, text);
}

/** Returns null if the file has no entry left, and undefined if the file doesn't have the entry. */
function editListItem(
  text: string,
  identifyingMembers: Record<string, string>,
  members: YamlMembers,
): string | null | undefined {
  const isTarget = (item: YAMLMap) =>
    Object.entries(identifyingMembers).every(([member, value]) => item.get(member) === value);
  const doc = parseForEdit(text);
  const root = isMap(doc.contents) && isSeq(doc.contents.get('definitions')) ? ['definitions'] : [];
  const list = doc.getIn(root, true);
  if (!isSeq(list)) {
    if (!isMap(list) || !isTarget(list)) return undefined;
    return members === null ? null : setMembers(doc, [], members, text);
  }
  const index = list.items.findIndex((item) => isMap(item) && isTarget(item));
  if (index < 0) return undefined;
  const itemPath = [...root, index];
  if (members !== null) return setMembers(doc, itemPath, members, text);
  doc.deleteIn(itemPath);
  return list.items.length === 0 ? null : rewriteYaml(doc, text);
}

/** Replaces all members of one object of a map, such as `entities: {orders: …}`. */
function editNamedObject(text: string, path: string[], members: YamlMembers): string | undefined {
  const doc = parseForEdit(text);
  if (!doc.hasIn(path)) return undefined;
  if (members === null) doc.deleteIn(path);
  else doc.setIn(path, doc.createNode(members));
  return rewriteYaml(doc, text);
}

function setMembers(doc: Document, path: (string | number)[], members: Record<string, unknown>, text: string): string {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) doc.deleteIn([...path, name]);
    else if (!isDeepStrictEqual(toPlainJson(doc.getIn([...path, name])), value))
      doc.setIn([...path, name], doc.createNode(value));
  }
  return rewriteYaml(doc, text);
}
const toPlainJson = (node: unknown): unknown => (isMap(node) || isSeq(node) ? node.toJSON() : node);
