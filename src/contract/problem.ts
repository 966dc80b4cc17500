// The error body of /v1, /mgmt, /auth and /demo.
import { z } from 'zod';
import { PROBLEM_CODES } from './problem-codes.ts';

export const problemDetailSchema = z.looseObject({
  path: z.string().describe('Place in the request, as a JSON path. Empty for the whole request'),
  message: z.string(),
  code: z.string(),
});
export type ProblemDetail = z.infer<typeof problemDetailSchema>;

export const problemBodySchema = z.object({
  error: z.object({
    code: z.enum(PROBLEM_CODES),
    message: z.string().describe('The problem and the next step'),
    type: z.string().describe('Error class for OpenAI clients: invalid_request_error, authentication_error, …'),
    param: z.string().nullable(),
    details: z.array(problemDetailSchema),
    request_id: z.string(),
  }),
});
export type ProblemBody = z.infer<typeof problemBodySchema>;
