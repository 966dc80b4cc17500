// JSON Schemas of the project files. svc serves them at /schemas/<name>.json, and uses them to suggest valid keys.
import { z } from 'zod';
import { boardFile } from './board-file.ts';
import { configFile } from './config-file.ts';
import { certifiedFile, evalsFile } from './corpus-files.ts';
import { definitionsFile, entitiesFile, lensFile } from './lens-file.ts';

export const projectSchemas = {
  config: configFile,
  lens: lensFile,
  certified: certifiedFile,
  evals: evalsFile,
  definitions: definitionsFile,
  entities: entitiesFile,
  board: boardFile,
};
export type ProjectFileKind = keyof typeof projectSchemas;

type JsonSchema = Record<string, unknown>;
function publishedSchemaOf(kind: ProjectFileKind): JsonSchema {
  const schema = z.toJSONSchema(projectSchemas[kind], { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  // The schema of a removed key accepts no value, and exists only for its error message.
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).filter(
    ([, property]) => !('not' in property),
  );
  return {
    ...schema,
    ...(schema['properties'] ? { properties: Object.fromEntries(properties) } : {}),
    $id: `/schemas/${kind}.json`,
  };
}
export const jsonSchemas: Record<ProjectFileKind, JsonSchema> = {
  config: publishedSchemaOf('config'),
  lens: publishedSchemaOf('lens'),
  certified: publishedSchemaOf('certified'),
  evals: publishedSchemaOf('evals'),
  definitions: publishedSchemaOf('definitions'),
  entities: publishedSchemaOf('entities'),
  board: publishedSchemaOf('board'),
};
