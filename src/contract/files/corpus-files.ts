// The schemas of files in certified/ and evals/. Each file contains one entry or a list of entries.
import { z } from 'zod';
import { datatypeSchema, entryIdSchema, plainValueSchema, sqlTextSchema, textSchema } from './shared-schemas.ts';

export const parametersSchema = z.record(
  z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/),
  z.strictObject({ datatype: datatypeSchema }),
);
const certifiedEntryFileSchema = z.strictObject({
  id: entryIdSchema,
  question: textSchema,
  also_asked: z.array(textSchema).max(100).default([]),
  sql: sqlTextSchema,
  parameters: parametersSchema
    .default({})
    .describe('The parameters. Write `:name` in the SQL and `{name}` in the question. svc binds the values'),
  approved_by: textSchema.optional(),
  approved_at: z.iso
    .date()
    .or(z.iso.datetime({ offset: true }))
    .optional(),
  status: z.enum(['draft', 'approved', 'suspended', 'retired']).default('approved'),
  notes: textSchema.optional(),
});
const toleranceSchema = z.number().min(0).optional();
export const evalExpectationSchema = z.union([
  z.strictObject({ sql: sqlTextSchema, tolerance: toleranceSchema }),
  z.strictObject({ rows: z.array(z.array(plainValueSchema)), tolerance: toleranceSchema }),
  z.strictObject({ value: plainValueSchema, tolerance: toleranceSchema }),
  z.strictObject({ clarification: z.enum(['ambiguous_term', 'unknown_value']) }),
  z.strictObject({ status: z.enum(['answered', 'clarification', 'refused', 'uncovered']) }),
]);
const evalCaseFileSchema = z.strictObject({
  id: entryIdSchema,
  question: textSchema,
  paraphrases: z.array(textSchema).max(100).default([]),
  choices: z.record(z.string(), z.string()).optional(),
  expect: evalExpectationSchema,
});
export const certifiedFileSchema = z.union([z.array(certifiedEntryFileSchema).max(10_000), certifiedEntryFileSchema]);
export const evalsFileSchema = z.union([z.array(evalCaseFileSchema).max(10_000), evalCaseFileSchema]);
export type CertifiedEntryFile = z.infer<typeof certifiedEntryFileSchema>;
export type EvalCaseFile = z.infer<typeof evalCaseFileSchema>;
export type EvalExpectation = z.infer<typeof evalExpectationSchema>;
