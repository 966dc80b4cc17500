// Looking up a governed term: the approved meaning verbatim (CONTRACT 4, GET /v1/definitions).
import { z } from 'zod';
import { lensDefinition, nextCursor, pageQuery } from './lens.ts';

export const definitionsQuery = pageQuery.extend({
  term: z.string().trim().min(1).max(200).optional().describe('Without a term, every governed term is listed'),
  lens: z.string().min(1).max(200).optional().describe('Look in this lens only'),
});

export const definitionItem = lensDefinition.extend({ lens: z.string() });
export type DefinitionItem = z.infer<typeof definitionItem>;

export const definitionList = z.object({
  items: z.array(definitionItem).describe('Empty when the term is not governed'),
  suggestions: z.array(z.string()).describe('Governed terms that come near'),
  next_cursor: nextCursor,
});
