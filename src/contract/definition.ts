// Schemas for looking up the approved meaning of a term.
import { z } from 'zod';
import { lensDefinition, nextCursor, pageQuery } from './lens.ts';

export const definitionsQuery = pageQuery.extend({
  term: z.string().trim().min(1).max(200).optional().describe('Default: list every governed term'),
  lens: z.string().min(1).max(200).optional().describe('Search only this lens'),
});

export const definitionItem = lensDefinition.extend({ lens: z.string() });
export type DefinitionItem = z.infer<typeof definitionItem>;

export const definitionList = z.object({
  items: z.array(definitionItem).describe('Empty if the term is not governed'),
  suggestions: z.array(z.string()).describe('Similar governed terms'),
  next_cursor: nextCursor,
});
