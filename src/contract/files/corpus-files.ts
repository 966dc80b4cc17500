// Schemas of certified/*.yaml and evals/*.yaml. A file contains one entry or a list.
import { z } from 'zod';
import { datatype, entryId, plainValue, sqlText, text } from './file-words.ts';

export const parameters = z.record(z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/), z.strictObject({ datatype }));
const certifiedEntryFile = z.strictObject({
  id: entryId,
  question: text,
  also_asked: z.array(text).max(100).default([]),
  sql: sqlText,
  parameters: parameters.default({}).describe('`:name` in the SQL and `{name}` in the question; svc binds the values'),
  approved_by: text.optional(),
  approved_at: z.iso
    .date()
    .or(z.iso.datetime({ offset: true }))
    .optional(),
  status: z.enum(['draft', 'approved', 'suspended', 'retired']).default('approved'),
  notes: text.optional(),
});
const tolerance = z.number().min(0).optional();
export const evalExpectation = z.union([
  z.strictObject({ sql: sqlText, tolerance }),
  z.strictObject({ rows: z.array(z.array(plainValue)), tolerance }),
  z.strictObject({ value: plainValue, tolerance }),
  z.strictObject({ clarification: z.enum(['ambiguous_term', 'unknown_value']) }),
  z.strictObject({ status: z.enum(['answered', 'clarification', 'refused', 'uncovered']) }),
]);
const evalCaseFile = z.strictObject({
  id: entryId,
  question: text,
  paraphrases: z.array(text).max(100).default([]),
  choices: z.record(z.string(), z.string()).optional(),
  expect: evalExpectation,
});
export const certifiedFile = z.union([z.array(certifiedEntryFile).max(10_000), certifiedEntryFile]);
export const evalsFile = z.union([z.array(evalCaseFile).max(10_000), evalCaseFile]);
export type CertifiedEntryFile = z.infer<typeof certifiedEntryFile>;
export type EvalCaseFile = z.infer<typeof evalCaseFile>;
export type EvalExpectation = z.infer<typeof evalExpectation>;
