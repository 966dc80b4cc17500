// Schemas of lenses for callers: the list, a single lens, and stored values.
import { z } from 'zod';

export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Items per page'),
  cursor: z.string().min(1).max(2_000).optional().describe('`next_cursor` of the previous page'),
});
export const nextCursor = z.string().nullable().describe('Null on the last page');

export const lensSummary = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.int(),
  certified_count: z.int(),
  sample_questions: z.array(z.string()),
});
export const lensList = z.object({ items: z.array(lensSummary), next_cursor: nextCursor });

export const lensDefinition = z.object({
  term: z.string(),
  meaning: z.string().nullable().describe('The approved text, verbatim; null if the term has several meanings'),
  synonyms: z.array(z.string()),
  senses: z.array(z.object({ key: z.string(), label: z.string(), meaning: z.string(), metric: z.string().nullable() })),
  metric: z.string().nullable(),
});

const field = z.object({
  name: z.string(),
  datatype: z.string(),
  description: z.string().nullable(),
  synonyms: z.array(z.string()),
  unit: z.string().nullable(),
  masked: z.boolean().describe('True: null in results; you can only count its distinct values'),
  has_values: z.boolean().describe('True: /v1/lenses/{name}/values lists its stored values'),
});

export const factCounts = z.object({ inferred: z.int(), confirmed: z.int(), declared: z.int() });

export const lensDetail = lensSummary.extend({
  facts: factCounts.describe('Number of facts by origin. Answers that depend on an inferred fact are at most partial'),
  schema: z.object({
    datasets: z.array(
      z.object({
        name: z.string(),
        description: z.string().nullable(),
        time_field: z.string().nullable(),
        fields: z.array(field),
      }),
    ),
    relationships: z.array(
      z.object({
        name: z.string().describe('The role; write fields of the target as `name.field`'),
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
  definitions: z.array(lensDefinition),
  model: z.string().nullable().describe('Null: the smart entry of svc.config.yaml'),
  max_rows_to_compose: z.int(),
  max_rows_to_return: z.int(),
  filler_words: z
    .array(z.string())
    .describe('Words that svc may ignore in a question; svc must understand every other word'),
  data_as_of: z.string().nullable(),
});
export type LensDetail = z.infer<typeof lensDetail>;

export const valuesQuery = pageQuery.extend({
  field: z.string().min(1).max(200).describe('dataset.field, role.field, or the field alone if it is unique'),
  q: z.string().max(500).optional().describe('Sort by similarity to this text'),
});
export const valueList = z.object({
  field: z.string(),
  items: z.array(z.string()),
  complete: z.boolean().describe('True if the list is complete; false if the column may have more values'),
  next_cursor: nextCursor,
});
