import type { DatasetFile, DefinitionFile, LensFile } from '../../contract/files/lens-file.ts';
import { parseYamlFile } from '../../lens/files/yaml-file.ts';

export interface SharedSemantic {
  definitions: DefinitionFile[];
  entities: Record<string, DatasetFile>;
}
export const NO_SHARED_PARTS: SharedSemantic = { definitions: [], entities: {} };
const DEFINITIONS_PATH = 'semantic/definitions.yaml';
const ENTITIES_PATH = 'semantic/entities.yaml';

export function readSharedSemantic(files: Record<string, string>): SharedSemantic {
  const definitions = parseYamlFile('definitions', DEFINITIONS_PATH, files[DEFINITIONS_PATH] ?? '').value;
  return {
    definitions: Array.isArray(definitions) ? definitions : (definitions?.definitions ?? []),
    entities: parseYamlFile('entities', ENTITIES_PATH, files[ENTITIES_PATH] ?? '').value?.entities ?? {},
  };
}

export type SelfContainedLens = Omit<LensFile, 'datasets'> & { datasets: Record<string, DatasetFile> };

/** Includes the shared entities of the lens, and the shared definitions that it can use and doesn't replace. */
export function withSharedParts(lens: LensFile, { definitions, entities }: SharedSemantic): SelfContainedLens {
  const datasets = Object.entries(lens.datasets).flatMap(([name, dataset]): [string, DatasetFile][] => {
    if (!('entity' in dataset)) return [[name, dataset]];
    const entity = entities[dataset.entity];
    return entity ? [[name, { ...entity, fields: { ...entity.fields, ...dataset.fields } }]] : [];
  });
  const ownTerms = lens.definitions.map(({ term }) => term.toLowerCase());
  const isUsable = ({ metric, field }: { metric?: string | undefined; field?: string | undefined }) =>
    (!metric || metric in lens.metrics) && (!field || field.split('.')[0]! in lens.datasets);
  const usableDefinitions = definitions.filter(
    (definition) =>
      !ownTerms.includes(definition.term.toLowerCase()) && [definition, ...(definition.senses ?? [])].every(isUsable),
  );
  return { ...lens, datasets: Object.fromEntries(datasets), definitions: [...lens.definitions, ...usableDefinitions] };
}
