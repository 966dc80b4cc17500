// Publishes the JSON Schemas of the project files at /schemas/<name>.json. svc also uses them to suggest valid keys.
import { z } from 'zod';
import { boardFileSchema } from './board-file.ts';
import { configFileSchema } from './config-file.ts';
import { certifiedFileSchema, evalsFileSchema } from './corpus-files.ts';
import { definitionsFileSchema, entitiesFileSchema, lensFileSchema } from './lens-file.ts';

export const projectFileSchemas = {
  config: configFileSchema,
  lens: lensFileSchema,
  certified: certifiedFileSchema,
  evals: evalsFileSchema,
  definitions: definitionsFileSchema,
  entities: entitiesFileSchema,
  board: boardFileSchema,
};
export type ProjectFileKind = keyof typeof projectFileSchemas;

const toPublishedSchema = (kind: string, schema: z.ZodType): Record<string, unknown> => ({
  ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  $id: `/schemas/${kind}.json`,
});
export const projectJsonSchemas = Object.fromEntries(
  Object.entries(projectFileSchemas).map(([kind, schema]) => [kind, toPublishedSchema(kind, schema)]),
) as Record<ProjectFileKind, Record<string, unknown>>;
