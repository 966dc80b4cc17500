// What the data plane says about lenses: the list, the detail, stored values (CONTRACT 4).
import { z } from 'zod';

export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Items a page'),
  cursor: z.string().min(1).max(2_000).optional().describe('`next_cursor` of the page before'),
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
  meaning: z.string().nullable().describe('The approved text, verbatim; null when the term has several senses'),
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
  masked: z.boolean().describe('Null in results; may only be counted distinct'),
  has_values: z.boolean().describe('Its stored values are listed at /v1/lenses/{name}/values'),
});

/** How many marked facts come from where. */
export const factCounts = z.object({ inferred: z.int(), confirmed: z.int(), declared: z.int() });

export const lensDetail = lensSummary.extend({
  facts: factCounts.describe(
    'Marked facts; one without a mark was written by an author. Answers on inferred ones are partial',
  ),
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
        name: z.string().describe('The role: fields of the target are reached as `name.field`'),
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
  model: z.string().nullable().describe("Null: the install's smart entry"),
  max_rows_to_compose: z.int(),
  max_rows_to_return: z.int(),
  filler_words: z
    .array(z.string())
    .describe('Words of a question that may be ignored; every other word must be placed'),
  data_as_of: z.string().nullable(),
});
export type LensDetail = z.infer<typeof lensDetail>;

export const valuesQuery = pageQuery.extend({
  field: z.string().min(1).max(200).describe('dataset.field, role.field, or the bare field when it is unique'),
  q: z.string().max(500).optional().describe('Nearest to this text first'),
});
export const valueList = z.object({
  field: z.string(),
  items: z.array(z.string()),
  complete: z.boolean().describe('True only of a list just read: false, and the column may hold more'),
  next_cursor: nextCursor,
});
