// A comment at the end of an imported lens.yaml contains the complete imported model, for the export.
import { z } from 'zod';
import { ossieModelSchema } from './ossie-shapes.ts';

const PRESERVED_MODEL_PREFIX = '# Kept by svc import for svc export --ossie: ';
const preservedModelSchema = z.object({
  ossie: z
    .object({
      top: z.looseObject({ version: z.union([z.string(), z.number()]) }),
      model: ossieModelSchema,
      /** The model as an export would have written it right after the import. Absent if svc couldn't read the lens. */
      base: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  metricflow: z.array(z.unknown()).optional(),
});
export type PreservedModel = z.infer<typeof preservedModelSchema>;

export const writePreservedModel = (preserved: PreservedModel): string =>
  `${PRESERVED_MODEL_PREFIX}${JSON.stringify(preserved)}\n`;

export function readPreservedModel(text: string): PreservedModel {
  const line = text.split('\n').find((item) => item.startsWith(PRESERVED_MODEL_PREFIX));
  try {
    const parsedJson: unknown = line && JSON.parse(line.slice(PRESERVED_MODEL_PREFIX.length));
    // Uses the parsed JSON, because the schema's output would lose the original order of the members.
    return preservedModelSchema.safeParse(parsedJson).success ? (parsedJson as PreservedModel) : {};
  } catch {
    return {};
  }
}
