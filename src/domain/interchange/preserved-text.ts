// The comment at the foot of an imported lens.yaml: the imported model, whole, for the export.
import { z } from 'zod';
import { ossieModel } from './ossie-shapes.ts';

export const PRESERVED_TEXT_LINE = '# Kept by svc import for svc export --ossie: ';
const words = z.record(z.string(), z.string());
const preservedTextLine = z.object({
  ossie: z
    .object({
      top: z.looseObject({ version: z.union([z.string(), z.number()]) }),
      model: ossieModel,
      dropped: z.array(z.string()),
      facts: z.object({ sources: words, types: words }),
    })
    .optional(),
  metricflow: z.array(z.unknown()).optional(),
});
export type PreservedText = z.infer<typeof preservedTextLine>;

export function readPreservedText(text: string): PreservedText {
  const line = text.split('\n').find((one) => one.startsWith(PRESERVED_TEXT_LINE));
  try {
    const plain: unknown = line && JSON.parse(line.slice(PRESERVED_TEXT_LINE.length));
    // As it was written, members in their order.
    return preservedTextLine.safeParse(plain).success ? (plain as PreservedText) : {};
  } catch {
    return {};
  }
}
