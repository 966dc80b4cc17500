import { z } from 'zod';
import { evalExpectationSchema } from '../files/corpus-files.ts';
import { createListSchema, etagSchema, lensParamsSchema, slugSchema, timeSchema } from './shared.ts';

const questionSchema = z.string().trim().min(1).max(10_000);
export const newEvalBodySchema = z.strictObject({
  id: slugSchema.optional().describe('Default: derived from the question'),
  question: questionSchema,
  paraphrases: z
    .array(questionSchema)
    .max(100)
    .default([])
    .describe('Other wordings, which must give the same result as the question'),
  choices: z.record(z.string().max(200), z.string().max(500)).optional().describe('Replies to clarifications'),
  expect: evalExpectationSchema.describe('sql, rows, value, clarification or status'),
});
export const changeEvalBodySchema = z.strictObject({
  question: questionSchema.optional(),
  paraphrases: z.array(questionSchema).max(100).optional(),
  choices: z.record(z.string().max(200), z.string().max(500)).nullable().optional(),
  expect: evalExpectationSchema.optional(),
});
export const evalParamsSchema = lensParamsSchema.extend({ id: z.string().min(1).max(200) });
export const evalRunBodySchema = z.strictObject({
  ids: z.array(z.string().min(1).max(200)).min(1).max(5000).optional().describe('Run only these cases'),
});

export const evalCaseSchema = z.object({
  id: z.string(),
  lens: z.string(),
  question: z.string(),
  paraphrases: z.array(z.string()),
  choices: z.record(z.string(), z.string()).nullable(),
  expect: z.record(z.string(), z.unknown()),
  origin: z.enum(['file', 'api']),
  path: z.string().nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
  etag: etagSchema,
});
export const evalListSchema = createListSchema(evalCaseSchema);

const shareSchema = z.number().nullable();
const readerSchema = z
  .enum(['certified', 'reader', 'model', 'model_sql'])
  .describe(
    'Who interpreted the question. `certified` is a certified entry, `reader` is svc, `model` is the plan of a language model, and `model_sql` is the SQL of a language model',
  );
const gradeSchema = z.object({ answers: z.int(), right: z.int(), share: shareSchema });
export const evalSummarySchema = z.object({
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  accuracy: shareSchema.describe('Share of right answers among the cases that expect data'),
  clarification_accuracy: shareSchema,
  refusal: z.object({ precision: shareSchema, recall: shareSchema }),
  paraphrase_stability: shareSchema.describe('Share of paraphrases with the same result as their question'),
  by_grade: z
    .object({ verified: gradeSchema, partial: gradeSchema, unverified: gradeSchema })
    .describe('Answers with this grade, and how many were right. Each question counts once'),
  by_reader: z
    .array(
      z.object({
        reader: readerSchema,
        questions: z.int().describe('Number of distinct questions'),
        right: z.int(),
        verified: z.int(),
        verified_but_wrong: z.int(),
      }),
    )
    .describe('Answers, grouped by who interpreted the question'),
  wrong_answers: z.int().describe('Number of wrong answers'),
  reasons: z.record(z.string(), z.int()),
  regressed: z.array(z.string()).describe('Cases that passed in the previous run and fail now'),
  fixed: z.array(z.string()),
  compared_with: z
    .object({ run_id: z.string(), lens_version: z.int() })
    .nullable()
    .default(null)
    .describe('The previous run and its lens version. Null on the first run'),
});
const caseVerdictSchema = z.object({
  passed: z.boolean(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
});
export const evalRunSchema = z.object({
  run_id: z.string(),
  lens: z.string(),
  lens_version: z.int(),
  actor: z.string(),
  created_at: timeSchema,
  summary: evalSummarySchema,
});
export const evalRunListSchema = createListSchema(evalRunSchema);
export const evalRunDetailSchema = evalRunSchema.extend({
  cases: z.array(
    caseVerdictSchema.extend({
      id: z.string(),
      question: z.string(),
      expects: z.string(),
      status: z.string(),
      confidence: z.string(),
      reader: readerSchema.nullable().default(null).describe('Null if the case was not answered'),
      sql: z.string().nullable(),
      answer: z.string().nullable(),
      expected_rows: z.array(z.array(z.unknown())).nullable(),
      actual_rows: z.array(z.array(z.unknown())).nullable(),
      ms: z.number(),
      paraphrases: z.array(caseVerdictSchema.extend({ question: z.string(), stable: z.boolean() })),
    }),
  ),
});
