// Edits write only the changed parts. The other parts keep their comments, order and layout.
import { applyPatch, structuredPatch } from 'diff';
import { type Document, isMap, isSeq, LineCounter, parseDocument } from 'yaml';

export type YamlPath = (string | number)[];
/** An undefined `value` removes the member. */
export interface TextChange {
  path: YamlPath;
  value: unknown;
}

/**
 * "term 0" is the first term, "field orders region" a field of a dataset, and "new metric" the form for a new metric.
 */
export type LensPart = 'general' | 'joins' | `${'metric' | 'term' | 'dataset' | 'field' | 'new'} ${string}`;

/** All parts are optional, because the text may be incomplete. */
export interface EditableLens {
  title?: string;
  description?: string;
  datasets?: Record<string, EditableDataset>;
  relationships?: { name?: string; from?: string | string[]; to?: string | string[] }[];
  metrics?: Record<string, EditableMetric>;
  definitions?: EditableTerm[];
  facts?: { kind?: string; of?: string }[];
}
export interface EditableDataset {
  entity?: string;
  description?: string;
  synonyms?: string[];
  primary_key?: string[];
  time_field?: string;
  fields?: Record<string, EditableField>;
}
export interface EditableField {
  datatype?: string;
  description?: string;
  synonyms?: string[];
  unit?: string;
  aggregation?: string;
  mask?: boolean;
}
export interface EditableMetric {
  expression?: string;
  description?: string;
  synonyms?: string[];
  unit?: string;
  filter?: string;
  time_field?: string;
}
export interface EditableTerm {
  term?: string;
  synonyms?: string[];
  meaning?: string;
  metric?: string;
  filter?: string;
  field?: string;
  senses?: { label?: string; meaning?: string }[];
}

export function parseLensText(text: string): EditableLens | { line: number; message: string } {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const fault = doc.errors[0];
  if (fault) return { line: lines.linePos(fault.pos[0]).line, message: fault.message.split('\n')[0] ?? '' };
  if (!isMap(doc.contents)) return { line: 1, message: 'A lens starts with its name, such as "name: sales".' };
  return doc.toJS() as EditableLens;
}

export function applyChanges(text: string, changes: TextChange[]): string {
  const doc = parseDocument(text, { uniqueKeys: false });
  for (const change of changes) applyChangeToDocument(doc, change);
  const changedText = toYaml(doc, text);
  const reserializedText = toYaml(parseDocument(text, { uniqueKeys: false }), text);
  for (const context of [3, 1, 0]) {
    const patchedText = applyPatch(text, structuredPatch('', '', reserializedText, changedText, '', '', { context }));
    if (patchedText !== false && toComparableJson(patchedText) === JSON.stringify(doc.toJS())) return patchedText;
  }
  return changedText;
}

function applyChangeToDocument(doc: Document, { path, value }: TextChange): void {
  // "relationships:" without a value isn't a list yet.
  for (let depth = 1; depth < path.length; depth++)
    if (doc.getIn(path.slice(0, depth)) === null) doc.deleteIn(path.slice(0, depth));
  if (value === undefined) {
    doc.deleteIn(path);
    const container = doc.getIn(path.slice(0, -1));
    if (isSeq(container) && container.items.length === 0) doc.deleteIn(path.slice(0, -1));
  } else if (typeof value === 'object') doc.setIn(path, doc.createNode(value, { flow: true }));
  else doc.setIn(path, value);
}

const toComparableJson = (text: string): string => JSON.stringify(parseDocument(text, { uniqueKeys: false }).toJS());
const toYaml = (doc: Document, originalText: string): string =>
  doc.toString({
    lineWidth: 0,
    flowCollectionPadding: /\{ \S/.test(originalText),
    indent: /^( +)[^\s#-]/m.exec(originalText)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[\w-]+:[ \t]*\n\1- /m.test(originalText),
  });

/**
 * Returns the change that removes the fact of an edited value, because a value that a person edited is no longer
 * inferred.
 */
export function createFactRemoval(lens: EditableLens, kind: string, subject: string): TextChange[] {
  const index = (lens.facts ?? []).findIndex((fact) => fact.kind === kind && fact.of === subject);
  return index < 0 ? [] : [{ path: ['facts', index], value: undefined }];
}

export const toUndefinedIfEmpty = (value: string | string[]): string | string[] | undefined =>
  value.length === 0 ? undefined : value;
