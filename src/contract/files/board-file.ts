// Schema of boards/*.yaml. Each file has one board. Anyone who can use one of the board's lenses can see the board.
import { z } from 'zod';
import { certifiedRunBody, choices } from '../ask.ts';
import { plan } from '../plan.ts';
import { boardRefresh, MAX_TILES } from '../saved.ts';
import { entryId, lowercaseName, oneLine, text } from './file-words.ts';

const tileMembers = {
  lens: lowercaseName,
  wide: z.boolean().default(false).describe('Takes the whole width of the board'),
};
const tile = z.union([
  z.strictObject({ ...tileMembers, question: text, choices: choices.optional() }),
  z.strictObject({ ...tileMembers, plan }),
  z.strictObject({ ...tileMembers, certified: entryId, parameters: certifiedRunBody.shape.parameters }),
]);
export const boardFile = z.strictObject({
  title: oneLine.min(1).max(200).describe('Everyone who may use a lens of the board sees the title'),
  refresh: boardRefresh.default('manual'),
  tiles: z.array(tile).min(1).max(MAX_TILES),
});
export type BoardFile = z.infer<typeof boardFile>;
