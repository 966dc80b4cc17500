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

const publishedSchemaOf = (kind: string, schema: z.ZodType): Record<string, unknown> => ({
  ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  $id: `/schemas/${kind}.json`,
});
/** Without the removed key, whose schema exists only for its error message. */
const publishedSchemas = { ...projectSchemas, config: configFile.omit({ calibration: true }) };
export const jsonSchemas = Object.fromEntries(
  Object.entries(publishedSchemas).map(([kind, schema]) => [kind, publishedSchemaOf(kind, schema)]),
) as Record<ProjectFileKind, Record<string, unknown>>;
