// Schemas of answers that callers share by link. svc computes such an answer again for each reader.
import { z } from 'zod';
import { choices, envelope } from './ask.ts';
import { PLAN_EXAMPLES, plan } from './plan.ts';

export const answerParams = z.object({ request_id: z.string().min(1).max(100).describe('Request id of an answer') });
export const answerQuery = z.strictObject({
  chart: z.enum(['true', 'false']).optional().describe('Also return a chart'),
  plan: z.enum(['true', 'false']).optional().describe('Include the compiled plan'),
});

export const reopenedAnswer = z.object({
  request_id: z.string(),
  asked_at: z.string(),
  own: z.boolean().describe('True if this caller asked the question or may see every request'),
  question: z.string().nullable(),
  context: z
    .array(z.string())
    .describe('Earlier questions of the conversation, oldest first. Empty unless `own` is true'),
  choices: choices.describe('The choices that answered clarifications. Empty unless `own` is true'),
  plan: plan
    .nullable()
    .describe('The plan, if the request was a plan')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  changed: z.object({
    lens: z.boolean().describe('True if svc now serves another version of the lens'),
    rows: z
      .boolean()
      .nullable()
      .describe(
        'True if the rows differ from the original ones; null if they can’t be compared, for example because this caller sees other rows',
      ),
  }),
  answer: envelope.describe('The current answer, computed for this caller as a new request'),
});
export type ReopenedAnswer = z.infer<typeof reopenedAnswer>;
