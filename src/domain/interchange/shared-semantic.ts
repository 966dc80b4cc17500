// The files in semantic/ next to a lens: which parts an export includes, and how an import adds them to a project.
import { Document, isMap, isSeq, parseDocument } from 'yaml';
import {
  type DatasetFile,
  type DefinitionFile,
  datasetFile,
  definitionFile,
  type LensFile,
} from '../../contract/files/lens-file.ts';
import { parseYamlFile } from '../../lens/files/yaml-file.ts';
import { canonicalJson } from '../receipts/canonical-json.ts';

export interface SharedSemantic {
  definitions: DefinitionFile[];
  entities: Record<string, DatasetFile>;
}
export const NOTHING_SHARED: SharedSemantic = { definitions: [], entities: {} };
const DEFINITIONS = 'semantic/definitions.yaml';
const ENTITIES = 'semantic/entities.yaml';
type Files = Record<string, string>;

export function readShared(files: Files): SharedSemantic {
  const definitions = parseYamlFile('definitions', DEFINITIONS, files[DEFINITIONS] ?? '').value;
  return {
    definitions: Array.isArray(definitions) ? definitions : (definitions?.definitions ?? []),
    entities: parseYamlFile('entities', ENTITIES, files[ENTITIES] ?? '').value?.entities ?? {},
  };
}

/** The entities that the lens uses, and the shared terms that apply to it and that it doesn't define itself. */
export function usedByLens(lens: LensFile, shared: SharedSemantic): Partial<SharedSemantic> {
  const usedNames = Object.values(lens.datasets).flatMap((dataset) => ('entity' in dataset ? [dataset.entity] : []));
  const entities = Object.fromEntries(Object.entries(shared.entities).filter(([name]) => usedNames.includes(name)));
  const ownTerms = lens.definitions.map(({ term }) => term.toLowerCase());
  const fits = ({ metric, field }: { metric?: string | undefined; field?: string | undefined }) =>
    (!metric || metric in lens.metrics) && (!field || field.split('.')[0]! in lens.datasets);
  const definitions = shared.definitions.filter(
    (definition) =>
      !ownTerms.includes(definition.term.toLowerCase()) && [definition, ...(definition.senses ?? [])].every(fits),
  );
  return {
    ...(definitions.length > 0 ? { definitions } : {}),
    ...(Object.keys(entities).length > 0 ? { entities } : {}),
  };
}

/** The project's files with the imported shared parts. Keeps existing parts and reports differences. */
export function mergeShared(
  files: Files,
  brought: { definitions?: unknown; entities?: unknown },
): { files: Files; kept: string[] } {
  const here = readShared(files);
  const conflicts: string[] = [];
  const isNew = (label: string, existing: unknown, one: unknown): boolean => {
    if (existing !== undefined && canonicalJson(existing) !== canonicalJson(one))
      conflicts.push(`${label}: the project already has one`);
    return existing === undefined;
  };
  const importedDefinitions = Array.isArray(brought.definitions) ? brought.definitions : [];
  const definitions = importedDefinitions.flatMap((item: unknown) => {
    const read = definitionFile.safeParse(item);
    if (!read.success) return [];
    const existingDefinition = here.definitions.find(({ term }) => term.toLowerCase() === read.data.term.toLowerCase());
    return isNew(`shared definition ${read.data.term}`, existingDefinition, read.data) ? [item] : [];
  });
  const entities = Object.entries((brought.entities ?? {}) as Record<string, unknown>).filter(([name, one]) => {
    const read = datasetFile.safeParse(one);
    return read.success && isNew(`shared entity ${name}`, here.entities[name], read.data);
  });
  const out: Files = {};
  if (definitions.length > 0) {
    const document = documentOf(files[DEFINITIONS], []);
    const list = isSeq(document.contents) ? [] : ['definitions'];
    for (const definition of definitions) document.addIn(list, document.createNode(definition));
    out[DEFINITIONS] = document.toString({ lineWidth: 0 });
  }
  if (entities.length > 0) {
    const document = documentOf(files[ENTITIES], { entities: {} });
    for (const [name, one] of entities) document.setIn(['entities', name], document.createNode(one));
    out[ENTITIES] = document.toString({ lineWidth: 0 });
  }
  return { files: out, kept: conflicts };
}

/** The existing document with its comments, or an empty one. */
function documentOf(text: string | undefined, empty: object): Document {
  const document = parseDocument(text ?? '', { uniqueKeys: false });
  return isSeq(document.contents) || isMap(document.contents) ? (document as Document) : new Document(empty);
}
