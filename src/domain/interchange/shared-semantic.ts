import { Document, isMap, isSeq, parseDocument } from 'yaml';
import {
  type DatasetFile,
  type DefinitionEntry,
  datasetFileSchema,
  definitionFileSchema,
  type LensFile,
} from '../../contract/files/lens-file.ts';
import { parseYamlFile } from '../../lens/files/yaml-file.ts';
import { toCanonicalJson } from '../receipts/canonical-json.ts';

export interface SharedSemantic {
  definitions: DefinitionEntry[];
  entities: Record<string, DatasetFile>;
}
export const EMPTY_SHARED_SEMANTIC: SharedSemantic = { definitions: [], entities: {} };
const DEFINITIONS_PATH = 'semantic/definitions.yaml';
const ENTITIES_PATH = 'semantic/entities.yaml';
type Files = Record<string, string>;

export function readSharedSemantic(files: Files): SharedSemantic {
  const definitions = parseYamlFile('definitions', DEFINITIONS_PATH, files[DEFINITIONS_PATH] ?? '').value;
  return {
    definitions: Array.isArray(definitions) ? definitions : (definitions?.definitions ?? []),
    entities: parseYamlFile('entities', ENTITIES_PATH, files[ENTITIES_PATH] ?? '').value?.entities ?? {},
  };
}

/** Selects the shared entities that the lens uses, and the shared definitions that it can use and doesn't replace. */
export function selectSharedParts(lens: LensFile, sharedSemantic: SharedSemantic): Partial<SharedSemantic> {
  const usedNames = Object.values(lens.datasets).flatMap((dataset) => ('entity' in dataset ? [dataset.entity] : []));
  const entities = Object.fromEntries(
    Object.entries(sharedSemantic.entities).filter(([name]) => usedNames.includes(name)),
  );
  const ownTerms = lens.definitions.map(({ term }) => term.toLowerCase());
  const isUsable = ({ metric, field }: { metric?: string | undefined; field?: string | undefined }) =>
    (!metric || metric in lens.metrics) && (!field || field.split('.')[0]! in lens.datasets);
  const definitions = sharedSemantic.definitions.filter(
    (definition) =>
      !ownTerms.includes(definition.term.toLowerCase()) && [definition, ...(definition.senses ?? [])].every(isUsable),
  );
  return {
    ...(definitions.length > 0 ? { definitions } : {}),
    ...(Object.keys(entities).length > 0 ? { entities } : {}),
  };
}

/** Keeps existing parts, and reports imported parts that differ from them. */
export function mergeSharedSemantic(
  files: Files,
  importedShared: { definitions?: unknown; entities?: unknown },
): { files: Files; conflicts: string[] } {
  const currentShared = readSharedSemantic(files);
  const conflicts: string[] = [];
  const isNewPart = (label: string, existingItem: unknown, newItem: unknown): boolean => {
    if (existingItem !== undefined && toCanonicalJson(existingItem) !== toCanonicalJson(newItem))
      conflicts.push(`${label}: the project already has one`);
    return existingItem === undefined;
  };
  const importedDefinitions = Array.isArray(importedShared.definitions) ? importedShared.definitions : [];
  const definitions = importedDefinitions.flatMap((item: unknown) => {
    const parsedDefinition = definitionFileSchema.safeParse(item);
    if (!parsedDefinition.success) return [];
    const existingDefinition = currentShared.definitions.find(
      ({ term }) => term.toLowerCase() === parsedDefinition.data.term.toLowerCase(),
    );
    return isNewPart(`shared definition ${parsedDefinition.data.term}`, existingDefinition, parsedDefinition.data)
      ? [item]
      : [];
  });
  const entities = Object.entries((importedShared.entities ?? {}) as Record<string, unknown>).filter(
    ([name, entity]) => {
      const parsedEntity = datasetFileSchema.safeParse(entity);
      return (
        parsedEntity.success && isNewPart(`shared entity ${name}`, currentShared.entities[name], parsedEntity.data)
      );
    },
  );
  const mergedFiles: Files = {};
  if (definitions.length > 0) {
    const document = openDocument(files[DEFINITIONS_PATH], []);
    const listPath = isSeq(document.contents) ? [] : ['definitions'];
    for (const definition of definitions) document.addIn(listPath, document.createNode(definition));
    mergedFiles[DEFINITIONS_PATH] = document.toString({ lineWidth: 0 });
  }
  if (entities.length > 0) {
    const document = openDocument(files[ENTITIES_PATH], { entities: {} });
    for (const [name, entity] of entities) document.setIn(['entities', name], document.createNode(entity));
    mergedFiles[ENTITIES_PATH] = document.toString({ lineWidth: 0 });
  }
  return { files: mergedFiles, conflicts };
}

/** Keeps the comments of an existing document. */
function openDocument(text: string | undefined, empty: object): Document {
  const document = parseDocument(text ?? '', { uniqueKeys: false });
  return isSeq(document.contents) || isMap(document.contents) ? (document as Document) : new Document(empty);
}
