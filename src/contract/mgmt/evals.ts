// Schemas of eval cases and their runs.
import { z } from 'zod';
import { evalExpectation } from '../files/corpus-files.ts';
import { etag, lensParams, listSchemaOf, slug, time } from './shared.ts';

const question = z.string().trim().min(1).max(10_000);
export const newEvalBody = z.strictObject({
  id: slug.optional().describe('Default: derived from the question'),
  question,
  paraphrases: z
    .array(question)
    .max(100)
    .default([])
    .describe('Other wordings; each must give the same result as the question'),
  choices: z.record(z.string().max(200), z.string().max(500)).optional().describe('Replies to clarifications'),
  expect: evalExpectation.describe('sql, rows, value, clarification or status'),
});
export const changeEvalBody = z.strictObject({
  question: question.optional(),
  paraphrases: z.array(question).max(100).optional(),
  choices: z.record(z.string().max(200), z.string().max(500)).nullable().optional(),
  expect: evalExpectation.optional(),
});
export const evalParams = lensParams.extend({ id: z.string().min(1).max(200) });
export const evalRunBody = z.strictObject({
  ids: z.array(z.string().min(1).max(200)).min(1).max(5000).optional().describe('Run only these cases'),
});

export const evalCase = z.object({
  id: z.string(),
  lens: z.string(),
  question: z.string(),
  paraphrases: z.array(z.string()),
  choices: z.record(z.string(), z.string()).nullable(),
  expect: z.record(z.string(), z.unknown()),
  origin: z.enum(['file', 'api']),
  path: z.string().nullable(),
  created_at: time,
  updated_at: time,
  etag,
});
export const evalList = listSchemaOf(evalCase);

const share = z.number().nullable();
const reader = z
  .enum(['certified', 'reader', 'model', 'model_sql'])
  .describe(
    'Who interpreted the question. certified: a certified entry; reader: svc; model: the plan of a language model; model_sql: its SQL',
  );
const grade = z.object({ answers: z.int(), right: z.int(), share });
export const evalSummary = z.object({
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  accuracy: share.describe('Share of right answers among the cases that expect data'),
  clarification_accuracy: share,
  refusal: z.object({ precision: share, recall: share }),
  paraphrase_stability: share.describe('Share of paraphrases with the same result as their question'),
  by_grade: z
    .object({ verified: grade, partial: grade, unverified: grade })
    .describe('Answers with this grade, and how many were right. Each question counts once'),
  by_reader: z
    .array(
      z.object({
        reader,
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
    .describe('The previous run and its lens version; null on the first run'),
});
const verdict = z.object({ passed: z.boolean(), reason: z.string().nullable(), detail: z.string().nullable() });
export const evalRun = z.object({
  run_id: z.string(),
  lens: z.string(),
  lens_version: z.int(),
  actor: z.string(),
  created_at: time,
  summary: evalSummary,
});
export const evalRunList = listSchemaOf(evalRun);
export const evalRunDetail = evalRun.extend({
  cases: z.array(
    verdict.extend({
      id: z.string(),
      question: z.string(),
      expects: z.string(),
      status: z.string(),
      confidence: z.string(),
      reader: reader.nullable().default(null).describe('Null if the case was not answered'),
      sql: z.string().nullable(),
      answer: z.string().nullable(),
      expected_rows: z.array(z.array(z.unknown())).nullable(),
      actual_rows: z.array(z.array(z.unknown())).nullable(),
      ms: z.number(),
      paraphrases: z.array(verdict.extend({ question: z.string(), stable: z.boolean() })),
    }),
  ),
});
