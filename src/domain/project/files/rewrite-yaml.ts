// YAML files edited as their authors wrote them: comments, order and layout of the rest stay.
import { isDeepStrictEqual } from 'node:util';
import { applyPatch, structuredPatch } from 'diff';
import { type Document, isMap, isSeq, parse, parseDocument, type YAMLMap } from 'yaml';

/** A file that was read before, so that its keys are known to differ: comparing each with all others takes seconds. */
export const editable = (text: string): Document.Parsed => parseDocument(text, { uniqueKeys: false });

/** The change of a document laid over its author's text, where that comes to the same; else the document written again. */
export function rewriteYaml(doc: Document, before: string): string {
  const after = written(doc, before);
  const rewritten = written(editable(before), before);
  for (const context of [3, 1, 0]) {
    const laid = applyPatch(before, structuredPatch('', '', rewritten, after, '', '', { context }));
    if (laid !== false && isDeepStrictEqual(parse(laid, { uniqueKeys: false }), doc.toJS())) return laid;
  }
  return after;
}

const written = (doc: Document, like: string): string =>
  doc.toString({
    lineWidth: 0,
    flowCollectionPadding: /\{ \S/.test(like),
    indent: /^( +)[^\s#-]/m.exec(like)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[\w-]+:[ \t]*\n\1- /m.test(like),
  });

/** Members to set in one thing of a file; undefined takes a member away. Null instead of members removes the thing. */
export type Members = Record<string, unknown> | null;

/** `is`: what the members of the entry are that is meant, of a list; `at`: where the thing stands, of a map by name. */
export type YamlEdit =
  | { is: Record<string, string>; members: Members }
  | { at: string[]; members: Members }
  | { set: YamlSet[] };
/** What stands at a place of a file; undefined takes it away. In this order. */
export interface YamlSet {
  at: (string | number)[];
  value: unknown;
}

export const editYaml = (text: string, edit: YamlEdit): string | null | undefined =>
  'set' in edit
    ? setAll(text, edit.set)
    : 'is' in edit
      ? editListed(text, edit.is, edit.members)
      : editNamed(text, edit.at, edit.members);

function setAll(text: string, sets: readonly YamlSet[]): string {
  const doc = editable(text);
  for (const { at, value } of sets) {
    // "connections:" with nothing in it is no map yet.
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

/** One entry of a file that holds an entry or a list of them. Null text: nothing is left; undefined: it is not in there. */
function editListed(text: string, wanted: Record<string, string>, members: Members): string | null | undefined {
  const is = (item: YAMLMap) => Object.entries(wanted).every(([member, value]) => item.get(member) === value);
  const doc = editable(text);
  const root = isMap(doc.contents) && isSeq(doc.contents.get('definitions')) ? ['definitions'] : [];
  const list = doc.getIn(root, true);
  if (!isSeq(list)) {
    if (!isMap(list) || !is(list)) return undefined;
    return members === null ? null : setMembers(doc, [], members, text);
  }
  const index = list.items.findIndex((item) => isMap(item) && is(item));
  if (index < 0) return undefined;
  const at = [...root, index];
  if (members !== null) return setMembers(doc, at, members, text);
  doc.deleteIn(at);
  return list.items.length === 0 ? null : rewriteYaml(doc, text);
}

/** One thing of a map by name, `entities: {orders: …}`; its members are replaced whole. */
function editNamed(text: string, at: string[], members: Members): string | undefined {
  const doc = editable(text);
  if (!doc.hasIn(at)) return undefined;
  if (members === null) doc.deleteIn(at);
  else doc.setIn(at, doc.createNode(members));
  return rewriteYaml(doc, text);
}

function setMembers(doc: Document, at: (string | number)[], members: Record<string, unknown>, text: string): string {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) doc.deleteIn([...at, name]);
    else if (!isDeepStrictEqual(plain(doc.getIn([...at, name])), value))
      doc.setIn([...at, name], doc.createNode(value));
  }
  return rewriteYaml(doc, text);
}
const plain = (node: unknown): unknown => (isMap(node) || isSeq(node) ? node.toJSON() : node);
