// Applies a fix to the lens's own files, and keeps their comments and all other parts.
import { type Document, isMap, isSeq, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import type { PatchChange } from '../../contract/mgmt/reviews.ts';
import { createDidYouMeanHint } from '../../platform/closest-names.ts';
import { Problem } from '../../platform/problem.ts';
import { editYaml, parseForEdit, rewriteYaml } from '../project/files/rewrite-yaml.ts';

type Files = Record<string, string>;
export const SHARED_DEFINITIONS_PATH = 'semantic/definitions.yaml';
/** The keys of `files` are paths in the lens's folder, such as certified/orders.yaml. Returns only changed files. */
export function applyPatchToLensFiles(files: Files, change: PatchChange): Files {
  if (change.kind === 'certified') return changeCertifiedFile(files, change);
  if (change.kind === 'eval')
    return addEntryFile(files, 'evals', change.id!, { question: change.question, expect: change.expect });
  const text = files['lens.yaml'] ?? '';
  const doc = parseForEdit(text);
  applyChangeToDocument(doc, change);
  return { 'lens.yaml': rewriteYaml(doc, text) };
}

/** Null if the shared definitions don't contain the term. */
export function changeDefinitions(text: string, change: PatchChange): string | null {
  const term = findChangedTerm(change);
  if (term === null) return null;
  const doc = parseForEdit(text);
  if (findDefinitionPath(doc, term) === null) return null;
  applyChangeToDocument(doc, change as Parameters<typeof applyChangeToDocument>[1]);
  return rewriteYaml(doc, text);
}

export function findChangedTerm(change: PatchChange): string | null {
  if (change.kind === 'definition' || change.kind === 'definition_sense') return change.term;
  return change.kind === 'synonym' && change.of === 'definition' ? change.name : null;
}

function applyChangeToDocument(doc: Document, change: Exclude<PatchChange, { kind: 'certified' | 'eval' }>): void {
  switch (change.kind) {
    case 'synonym':
      addSynonym(doc, findSynonymsPath(doc, change), change.synonym);
      return;
    case 'filler_word':
      addSynonym(doc, ['filler_words'], change.word);
      return;
    case 'value_synonym':
      addValueSynonym(doc, change);
      return;
    case 'metric': {
      const { kind: _kind, name, ...metric } = change;
      if (doc.hasIn(['metrics', name])) throw new Problem('conflict', `The lens already has a metric “${name}”.`);
      doc.setIn(['metrics', name], doc.createNode(metric));
      return;
    }
    case 'metric_filter':
      requireKnownName(doc, ['metrics'], change.metric, 'metric');
      if (change.filter === null) doc.deleteIn(['metrics', change.metric, 'filter']);
      else doc.setIn(['metrics', change.metric, 'filter'], change.filter);
      return;
    case 'definition': {
      const { kind: _kind, ...definition } = change;
      const definitionPath = findDefinitionPath(doc, change.term);
      if (definitionPath === null) doc.addIn(['definitions'], doc.createNode(definition));
      else
        for (const [key, value] of Object.entries(definition))
          doc.setIn([...definitionPath, key], doc.createNode(value));
      return;
    }
    case 'definition_sense': {
      const definitionPath = requireDefinitionPath(doc, change.term, 'term');
      const senses = doc.getIn([...definitionPath, 'senses']) as YAMLSeq<YAMLMap> | undefined;
      const senseIndex = senses?.items.findIndex((sense) => sense.get('key') === change.sense.key) ?? -1;
      doc.setIn(
        [...definitionPath, 'senses', senseIndex >= 0 ? senseIndex : (senses?.items.length ?? 0)],
        doc.createNode(change.sense),
      );
    }
  }
}

function requireKnownName(doc: Document, path: string[], name: string, noun: string): void {
  if (doc.hasIn([...path, name])) return;
  const node = doc.getIn(path);
  const names = isMap(node) ? node.items.map(({ key }) => String(key)) : [];
  const hint = createDidYouMeanHint(name, names);
  throw new Problem('invalid', `The lens’s file has no ${noun} “${name}”.${hint}`, { param: 'name' });
}

function findSynonymsPath(doc: Document, { of, name }: Extract<PatchChange, { kind: 'synonym' }>): (string | number)[] {
  if (of === 'definition') return [...requireDefinitionPath(doc, name, 'name'), 'synonyms'];
  if (of === 'field') {
    const [dataset = '', field = ''] = name.split('.');
    requireKnownName(doc, ['datasets'], dataset, 'dataset');
    requireKnownName(doc, ['datasets', dataset, 'fields'], field, 'field');
    return ['datasets', dataset, 'fields', field, 'synonyms'];
  }
  requireKnownName(doc, [`${of}s`], name, of);
  return [`${of}s`, name, 'synonyms'];
}

function addSynonym(doc: Document, path: (string | number)[], word: string): void {
  const list = doc.getIn(path);
  if (!isSeq(list)) doc.setIn(path, doc.createNode([word], { flow: true }));
  else if (!(list.toJSON() as unknown[]).includes(word)) list.add(doc.createNode(word));
}

function addValueSynonym(
  doc: Document,
  { field: path, value, synonym }: Extract<PatchChange, { kind: 'value_synonym' }>,
): void {
  const [dataset = '', field = ''] = path.split('.');
  requireKnownName(doc, ['datasets', dataset, 'fields'], field, 'field');
  const valuesPath = ['datasets', dataset, 'fields', field, 'values'];
  const values = doc.getIn(valuesPath);
  if (!isSeq(values))
    throw new Problem(
      'invalid',
      `To add synonyms of values, list the values of ${path} in the lens. ${values === 'auto' ? 'Currently, svc reads them from the warehouse (auto)' : 'The lens lists none'}.`,
      { param: 'field' },
    );
  const plainValues = values.toJSON() as unknown[];
  const texts = plainValues.map((item) =>
    String(typeof item === 'object' && item !== null ? (item as { value: unknown }).value : item),
  );
  const index = texts.indexOf(value);
  if (index < 0) {
    const hint = createDidYouMeanHint(value, texts);
    throw new Problem('invalid', `“${value}” is not among the listed values of ${path}.${hint}`, { param: 'value' });
  }
  if (isMap(values.items[index])) addSynonym(doc, [...valuesPath, index, 'synonyms'], synonym);
  else
    doc.setIn(
      [...valuesPath, index],
      doc.createNode({ value: plainValues[index], synonyms: [synonym] }, { flow: true }),
    );
}

/** The definitions of a lens are under `definitions`. The shared file can also be a plain list. */
function findDefinitionPath(doc: Document, term: string): (string | number)[] | null {
  const root = isSeq(doc.contents) ? [] : ['definitions'];
  const list = root.length === 0 ? doc.contents : doc.getIn(root);
  const index = isSeq(list)
    ? (list as YAMLSeq<YAMLMap>).items.findIndex(
        (item) => isMap(item) && String(item.get('term')).toLowerCase() === term.toLowerCase(),
      )
    : -1;
  return index < 0 ? null : [...root, index];
}

function requireDefinitionPath(doc: Document, term: string, param: string): (string | number)[] {
  const path = findDefinitionPath(doc, term);
  if (path !== null) return path;
  const message = `Neither the lens’s own file nor ${SHARED_DEFINITIONS_PATH} has a definition “${term}”.`;
  throw new Problem('invalid', message, { param });
}

/** A new entry gets its own file, named after its id. */
function changeCertifiedFile(files: Files, change: Extract<PatchChange, { kind: 'certified' }>): Files {
  const { cert_id, question, sql, also_asked, parameters } = change;
  const members = { question, sql, ...(also_asked && { also_asked }), ...(parameters && { parameters }) };
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith('certified/')) continue;
    const changedText = editYaml(text, { is: { id: cert_id! }, members });
    if (changedText != null) return { [path]: changedText };
  }
  return addEntryFile(files, 'certified', cert_id!, members);
}

function addEntryFile(files: Files, folder: string, id: string, members: object): Files {
  let path = `${folder}/${id}.yaml`;
  for (let nth = 2; Object.hasOwn(files, path); nth++) path = `${folder}/${id}-${nth}.yaml`;
  return { [path]: stringify({ id, ...members }, { lineWidth: 0 }) };
}
