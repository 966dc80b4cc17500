// The certified library of a lens, and its ranked search (SPEC "Certified library entry", CONTRACT 4).
import { z } from 'zod';
import { nextCursor, pageQuery } from './lens.ts';

export const certifiedQuery = pageQuery.extend({
  q: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Rank by similarity to this question; the top 5 come back'),
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
      'Only with q: 0 to 1, by the embedder named beside exact_band, places filled with the values of q; what runs by itself reaches exact_band by this number',
    ),
});
export type CertifiedItem = z.infer<typeof certifiedItem>;

export const certifiedList = z.object({
  items: z.array(certifiedItem),
  exact_band: z
    .number()
    .describe('Similarity from which a question counts as an exact match, relative to the embedder'),
  embedder: z.string(),
  next_cursor: nextCursor,
});
