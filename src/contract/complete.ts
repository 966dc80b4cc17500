// What can follow in a question that is being typed (CONTRACT 4).
import { z } from 'zod';

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
  kind: z.enum(['metric', 'dataset', 'field', 'value', 'period', 'ranking', 'comparison', 'word']),
  text: z.string().describe('What to write, from `from` to the cursor'),
  name: z
    .string()
    .nullable()
    .describe(
      'What it names: a metric, a dataset, `dataset.field`, of a value the field; null for words of the language',
    ),
  from: z.int().describe('The first of the characters that it takes the place of'),
});
const unresolved = z.object({
  text: z.string(),
  from: z.int(),
  to: z.int(),
  candidates: z.array(
    z.object({
      kind: z.enum(['metric', 'field', 'dataset', 'definition', 'value', 'spelling']),
      text: z.string().describe('What to write instead'),
      name: z.string(),
    }),
  ),
});
export const completion = z.object({
  next: z.array(following).describe('What can follow at the cursor; what the text is about comes first'),
  unresolved: z.array(unresolved).describe('Words that name nothing here, and what may have been meant'),
  sentence: z
    .string()
    .nullable()
    .describe(
      'The one sentence that says what the whole text asks for; null while it asks for nothing, or for several things',
    ),
});
export type Completion = z.infer<typeof completion>;

export const phraseList = z.object({
  items: z.array(
    z.object({
      about: z.string().describe('The dataset whose rows are measured, counted or listed'),
      sentence: z.string().describe('A question that this lens answers, in the sentence of its plan'),
    }),
  ),
});
export type PhraseList = z.infer<typeof phraseList>;
