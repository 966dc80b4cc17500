// The schema of the files boards/*.yaml, each of which contains one board. Anyone who can use one of the board's lenses
// can see the board.
import { z } from 'zod';
import { certifiedRunBodySchema, choicesSchema } from '../ask.ts';
import { planSchema } from '../plan.ts';
import { boardRefreshSchema, MAX_TILES } from '../saved.ts';
import { entryIdSchema, lowercaseNameSchema, oneLineSchema, textSchema } from './shared-schemas.ts';

const tileMembers = {
  lens: lowercaseNameSchema,
  wide: z.boolean().default(false).describe('If true, the tile takes the whole width of the board'),
};
const tileSchema = z.union([
  z.strictObject({ ...tileMembers, question: textSchema, choices: choicesSchema.optional() }),
  z.strictObject({ ...tileMembers, plan: planSchema }),
  z.strictObject({ ...tileMembers, certified: entryIdSchema, parameters: certifiedRunBodySchema.shape.parameters }),
]);
export const boardFileSchema = z.strictObject({
  title: oneLineSchema.min(1).max(200).describe('Everyone who may use a lens of the board sees the title'),
  refresh: boardRefreshSchema.default('manual'),
  tiles: z.array(tileSchema).min(1).max(MAX_TILES),
});
export type BoardFile = z.infer<typeof boardFileSchema>;
