// Schemas of a lens's certified library and of its ranked search.
import { z } from 'zod';
import { nextCursor, pageQuery } from './lens.ts';

export const certifiedQuery = pageQuery.extend({
  q: z.string().trim().min(1).max(10_000).optional().describe('Return the 5 entries most similar to this question'),
});

export const certifiedItem = z.object({
  cert_id: z.string(),
  question: z.string(),
  also_asked: z.array(z.string()),
  sql: z.string(),
  parameters: z.record(z.string(), z.object({ datatype: z.string() })),
  approved_by: z.string().nullable(),
  approved_at: z.string().nullable(),
  status: z.enum(['draft', 'approved', 'suspended', 'retired']),
  notes: z.string().nullable(),
  similarity: z
    .number()
    .optional()
    .describe(
      'Only with q: the similarity to q from 0 to 1, computed by `embedder` after filling in parameters from q. An entry runs automatically only if its similarity is at least exact_band',
    ),
});
export type CertifiedItem = z.infer<typeof certifiedItem>;

export const certifiedList = z.object({
  items: z.array(certifiedItem),
  exact_band: z.number().describe('Minimum similarity of an exact match; it depends on the embedder'),
  embedder: z.string(),
  next_cursor: nextCursor,
});
