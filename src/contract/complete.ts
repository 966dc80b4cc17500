// What can follow in a question that is being typed (CONTRACT 11).
import { z } from 'zod';
import { nextCursor, pageQuery } from './lens.ts';
import { PLAN_EXAMPLES, plan } from './plan.ts';

const LONGEST = 1_000;
export const completeQuery = z.strictObject({
  q: z.string().max(LONGEST).default('').describe('The question as far as it is typed'),
  cursor: z.coerce
    .number()
    .int()
    .min(0)
    .max(LONGEST)
    .optional()
    .describe('Characters before the cursor; without it, the end of `q`'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('At most so many that can follow'),
});

const following = z.object({
  text: z.string().describe('What can follow, whole'),
  insert: z.string().describe('What to write at the cursor: `text` less what is typed of it already'),
  kind: z.enum(['metric', 'dimension', 'value', 'time', 'rank', 'word']),
  detail: z
    .string()
    .nullable()
    .describe(
      'What it names: a metric, a dataset, `dataset.field`, of a value the field; null for words of the language',
    ),
  from: z.int().describe('The first character that `text` takes the place of; it ends at the cursor'),
});
const completedWord = z.object({
  text: z.string(),
  start: z.int(),
  end: z.int(),
  kind: z.enum([...following.shape.kind.options, 'unresolved']),
  of: z.string().nullable().describe('What it names: a metric, a dataset, `dataset.field`, of a value the field'),
  candidates: z
    .array(
      z.object({
        kind: z.enum(['metric', 'field', 'dataset', 'definition', 'value', 'spelling']),
        text: z.string().describe('What to write instead'),
        name: z.string(),
      }),
    )
    .optional()
    .describe('Of an unresolved word: what may have been meant'),
});
export const completion = z.object({
  sentence: z
    .string()
    .nullable()
    .describe(
      'The one sentence that says what the whole text asks for; null while it asks for nothing, or for several things',
    ),
  plan: plan
    .nullable()
    .describe('The plan of that sentence, for /v1/lenses/{name}/metrics')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  words: z
    .array(completedWord)
    .describe('The words of the text and what each names; of several meanings the likeliest'),
  next: z.array(following).describe('What can follow at the cursor; what the text is about comes first'),
});
export type Completion = z.infer<typeof completion>;

export const phrasesQuery = pageQuery.extend({
  limit: z.coerce.number().int().min(1).max(50).default(20).describe('Datasets a page'),
});
export const phraseList = z.object({
  items: z.array(
    z.object({
      about: z.string().describe('The dataset whose rows are measured, counted or listed'),
      sentence: z.string().describe('A question that this lens answers, in the sentence of its plan'),
    }),
  ),
  next_cursor: nextCursor,
});
export type PhraseList = z.infer<typeof phraseList>;
