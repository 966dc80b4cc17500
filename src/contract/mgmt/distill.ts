// Schemas of candidates for certified entries, which svc finds in past asks.
import { z } from 'zod';
import { pageQuery } from '../lens.ts';
import { entry } from './certified.ts';
import { lensParams, listSchemaOf, slug, time } from './shared.ts';

export const distillBody = z.strictObject({
  min_asks: z.int().min(1).max(1000).default(2).describe('Minimum number of asks for a recurring question'),
});
export const candidateQuery = pageQuery.extend({ status: z.enum(['open', 'accepted', 'dismissed']).optional() });
export const candidateParams = lensParams.extend({ id: z.string().min(1).max(100) });
export const acceptBody = z.strictObject({
  cert_id: slug.optional(),
  approve: z.boolean().default(true).describe('False: accept it as a draft'),
});
export const dismissBody = z.strictObject({ note: z.string().max(2000).optional() });
export const candidate = z.object({
  id: z.string(),
  lens: z.string(),
  question: z.string(),
  variants: z.array(z.string()).describe('Other wordings of the same question'),
  sql: z.string(),
  evidence: z.object({
    asks: z.int(),
    callers: z.int(),
    confirmed: z.int(),
    corrected: z.boolean(),
    last_at: z.string().nullable(),
  }),
  status: z.enum(['open', 'accepted', 'dismissed']),
  cert_id: z.string().nullable(),
  decided_by: z.string().nullable(),
  created_at: time,
  updated_at: time,
});
export const candidateList = listSchemaOf(candidate);
export const acceptedCandidate = candidate.extend({ entry });
