import { z } from 'zod';
import { PLAN_EXAMPLES, planSchema } from './plan.ts';

export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Items per page'),
  cursor: z.string().min(1).max(2_000).optional().describe('`next_cursor` of the previous page'),
});
export const nextCursorSchema = z.string().nullable().describe('Null on the last page');

export const lensSummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.int(),
  certified_count: z.int(),
  sample_questions: z.array(z.string()),
});
export const lensListSchema = z.object({ items: z.array(lensSummarySchema), next_cursor: nextCursorSchema });

export const lensDefinitionSchema = z.object({
  term: z.string(),
  meaning: z.string().nullable().describe('The approved text, verbatim. Null if the term has several meanings'),
  synonyms: z.array(z.string()),
  senses: z.array(z.object({ key: z.string(), label: z.string(), meaning: z.string(), metric: z.string().nullable() })),
  metric: z.string().nullable(),
});

const lensFieldSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  description: z.string().nullable(),
  synonyms: z.array(z.string()),
  unit: z.string().nullable(),
  masked: z
    .boolean()
    .describe('If true, results contain null instead of the values, and you can only count the distinct values'),
  has_values: z.boolean().describe('Whether /v1/lenses/{name}/values lists the stored values of the field'),
});

export const factCountsSchema = z.object({ inferred: z.int(), confirmed: z.int(), declared: z.int() });

export const lensDetailSchema = lensSummarySchema.extend({
  facts: factCountsSchema.describe(
    'Number of facts by origin. Answers that depend on an inferred fact are at most partial',
  ),
  schema: z.object({
    datasets: z.array(
      z.object({
        name: z.string(),
        description: z.string().nullable(),
        time_field: z.string().nullable(),
        fields: z.array(lensFieldSchema),
      }),
    ),
    relationships: z.array(
      z.object({
        name: z.string().describe('The role. Write fields of the target as `name.field`'),
        from: z.object({ dataset: z.string(), columns: z.array(z.string()) }),
        to: z.object({ dataset: z.string(), columns: z.array(z.string()) }),
      }),
    ),
    metrics: z.array(
      z.object({
        name: z.string(),
        description: z.string().nullable(),
        synonyms: z.array(z.string()),
        unit: z.string().nullable(),
      }),
    ),
  }),
  definitions: z.array(lensDefinitionSchema),
  model: z.string().nullable().describe('Null if the lens uses the `smart` entry of svc.config.yaml'),
  max_rows_to_compose: z.int(),
  max_rows_to_return: z.int(),
  filler_words: z
    .array(z.string())
    .describe('Words that svc may ignore in a question. svc must understand every other word'),
  data_as_of: z.string().nullable(),
});
export type LensDetail = z.infer<typeof lensDetailSchema>;

export const valuesQuerySchema = pageQuerySchema.extend({
  field: z.string().min(1).max(200).describe('dataset.field, role.field, or the field alone if it is unique'),
  q: z.string().max(500).optional().describe('Sort by similarity to this text'),
});
export const valueListSchema = z.object({
  field: z.string(),
  items: z.array(z.string()),
  complete: z.boolean().describe('True if the list is complete. False if the column may have more values'),
  next_cursor: nextCursorSchema,
});

export const definitionsQuerySchema = pageQuerySchema.extend({
  term: z.string().trim().min(1).max(200).optional().describe('Default: list every governed term'),
  lens: z.string().min(1).max(200).optional().describe('Search only this lens'),
});

export const listedDefinitionSchema = lensDefinitionSchema.extend({ lens: z.string() });
export type ListedDefinition = z.infer<typeof listedDefinitionSchema>;

export const definitionListSchema = z.object({
  items: z.array(listedDefinitionSchema).describe('Empty if the term is not governed'),
  suggestions: z.array(z.string()).describe('Similar governed terms'),
  next_cursor: nextCursorSchema,
});

export const certifiedQuerySchema = pageQuerySchema.extend({
  q: z.string().trim().min(1).max(10_000).optional().describe('Return the 5 entries most similar to this question'),
});

export const listedCertifiedEntrySchema = z.object({
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

export const certifiedListSchema = z.object({
  items: z.array(listedCertifiedEntrySchema),
  exact_band: z.number().describe('Minimum similarity of an exact match, which depends on the embedder'),
  embedder: z.string(),
  next_cursor: nextCursorSchema,
});

const MAX_COMPLETED_LENGTH = 1_000;
const earlierQuestionSchema = z.string().max(MAX_COMPLETED_LENGTH);
export const completeQuerySchema = z.strictObject({
  q: z.string().max(MAX_COMPLETED_LENGTH).default('').describe('The question typed so far'),
  cursor: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_COMPLETED_LENGTH)
    .optional()
    .describe('Number of characters before the cursor. Default: the end of `q`'),
  before: z
    .union([earlierQuestionSchema, z.array(earlierQuestionSchema).max(20)])
    .transform((questions) => (Array.isArray(questions) ? questions : [questions]))
    .default([])
    .describe(
      'Earlier questions of the conversation, oldest first, which a follow-up continues. Repeat the parameter for each question',
    ),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Maximum number of suggestions'),
});

const nextSuggestionSchema = z.object({
  text: z.string().describe('The complete suggestion'),
  insert: z.string().describe('Text to insert at the cursor: `text` without the part already typed'),
  kind: z.enum(['metric', 'dimension', 'value', 'time', 'rank', 'word']),
  detail: z
    .string()
    .nullable()
    .describe(
      'The metric, dataset or `dataset.field` that the suggestion names. For a value, its field. Null for ordinary words',
    ),
  from: z.int().describe('The first character that `text` replaces. The replaced text ends at the cursor'),
});
const completedWordSchema = z.object({
  text: z.string(),
  start: z.int(),
  end: z.int(),
  kind: z.enum([...nextSuggestionSchema.shape.kind.options, 'unresolved']),
  of: z
    .string()
    .nullable()
    .describe('The metric, dataset or `dataset.field` that the word names. For a value, its field'),
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
export const completionSchema = z.object({
  sentence: z
    .string()
    .nullable()
    .describe('The text interpreted as one sentence. Null if it has no interpretation, or several'),
  plan: planSchema
    .nullable()
    .describe('The plan of that sentence, for /v1/lenses/{name}/metrics')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  words: z.array(completedWordSchema).describe('The words of the text, each with its most likely meaning'),
  next: z.array(nextSuggestionSchema).describe('Suggestions at the cursor, most relevant first'),
});
export type Completion = z.infer<typeof completionSchema>;

export const phraseListSchema = z.object({
  items: z.array(
    z.object({
      about: z.string().describe('The dataset whose rows are measured, counted or listed'),
      sentence: z.string().describe('A question that this lens answers, generated from a plan'),
    }),
  ),
  next_cursor: nextCursorSchema,
});
export type PhraseList = z.infer<typeof phraseListSchema>;
