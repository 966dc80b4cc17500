// Schemas of suggestions for the next words of a question.
import { z } from 'zod';
import { nextCursor } from './lens.ts';
import { PLAN_EXAMPLES, plan } from './plan.ts';

const MAX_LENGTH = 1_000;
const earlierQuestion = z.string().max(MAX_LENGTH);
export const completeQuery = z.strictObject({
  q: z.string().max(MAX_LENGTH).default('').describe('The question typed so far'),
  cursor: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_LENGTH)
    .optional()
    .describe('Number of characters before the cursor; default: the end of `q`'),
  before: z
    .union([earlierQuestion, z.array(earlierQuestion).max(20)])
    .transform((questions) => (Array.isArray(questions) ? questions : [questions]))
    .default([])
    .describe(
      'Earlier questions of the conversation, oldest first, which a follow-up continues. Repeat the parameter for each question',
    ),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Maximum number of suggestions'),
});

const nextSuggestion = z.object({
  text: z.string().describe('The complete suggestion'),
  insert: z.string().describe('Text to insert at the cursor: `text` without the part already typed'),
  kind: z.enum(['metric', 'dimension', 'value', 'time', 'rank', 'word']),
  detail: z
    .string()
    .nullable()
    .describe(
      'The metric, dataset or `dataset.field` that the suggestion names; for a value, its field; null for ordinary words',
    ),
  from: z.int().describe('The first character that `text` replaces; the replaced text ends at the cursor'),
});
const completedWord = z.object({
  text: z.string(),
  start: z.int(),
  end: z.int(),
  kind: z.enum([...nextSuggestion.shape.kind.options, 'unresolved']),
  of: z
    .string()
    .nullable()
    .describe('The metric, dataset or `dataset.field` that the word names; for a value, its field'),
  candidates: z
    .array(
      z.object({
        kind: z.enum(['metric', 'field', 'dataset', 'definition', 'value', 'spelling']),
        text: z.string().describe('Replacement text'),
        name: z.string(),
      }),
    )
    .optional()
    .describe('For an unresolved word: possible meanings'),
});
export const completion = z.object({
  sentence: z
    .string()
    .nullable()
    .describe('The text interpreted as one sentence; null if it has no interpretation, or several'),
  plan: plan
    .nullable()
    .describe('The plan of that sentence, for /v1/lenses/{name}/metrics')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  words: z.array(completedWord).describe('The words of the text, each with its most likely meaning'),
  next: z.array(nextSuggestion).describe('Suggestions at the cursor, most relevant first'),
});
export type Completion = z.infer<typeof completion>;

export const phraseList = z.object({
  items: z.array(
    z.object({
      about: z.string().describe('The dataset whose rows are measured, counted or listed'),
      sentence: z.string().describe('A question that this lens answers, generated from a plan'),
    }),
  ),
  next_cursor: nextCursor,
});
export type PhraseList = z.infer<typeof phraseList>;
