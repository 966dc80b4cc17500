// Answers by link (CONTRACT 11), computed again for each reader.
import { z } from 'zod';
import { choices, envelope } from './ask.ts';
import { PLAN_EXAMPLES, plan } from './plan.ts';

export const answerParams = z.object({ request_id: z.string().min(1).max(100).describe('Of an answer') });
export const answerQuery = z.strictObject({
  chart: z.enum(['true', 'false']).optional().describe('Also a picture'),
  plan: z.enum(['true', 'false']).optional().describe('Include the compiled plan'),
});

export const reopened = z.object({
  request_id: z.string(),
  asked_at: z.string(),
  own: z.boolean().describe('This caller asked it, or may see every request'),
  question: z.string().nullable(),
  context: z.array(z.string()).describe('The questions that it follows, oldest first; only for its caller'),
  choices: choices.describe('What was chosen of the options that were asked back'),
  plan: plan
    .nullable()
    .describe('What was sent, where it was a plan')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  changed: z.object({
    lens: z.boolean().describe('Another version of the lens is in service'),
    rows: z
      .boolean()
      .nullable()
      .describe('The rows are not those of then; null where they can’t be compared, as for a reader of other rows'),
  }),
  answer: envelope.describe('As it is now, for this caller, under a request of its own'),
});
export type Reopened = z.infer<typeof reopened>;
