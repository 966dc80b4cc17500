// The error body of /v1, /mgmt, /auth and /demo, and its fixed list of codes.
import { z } from 'zod';

export const PROBLEM_STATUS = {
  malformed: 400,
  auth: 401,
  forbidden: 403,
  not_found: 404,
  no_exact_match: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  guard_refused: 422,
  rate_limited: 429,
  internal: 500,
  upstream: 502,
  unreachable: 503,
  timeout: 504,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUS;
export const PROBLEM_CODES = Object.keys(PROBLEM_STATUS) as [ProblemCode, ...ProblemCode[]];

/** Error types that OpenAI clients recognize. */
export const PROBLEM_TYPE: Record<ProblemCode, string> = {
  malformed: 'invalid_request_error',
  auth: 'authentication_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  no_exact_match: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  conflict: 'conflict_error',
  precondition_failed: 'conflict_error',
  too_large: 'invalid_request_error',
  unsupported_media_type: 'invalid_request_error',
  invalid: 'invalid_request_error',
  guard_refused: 'invalid_request_error',
  rate_limited: 'rate_limit_error',
  internal: 'server_error',
  upstream: 'upstream_error',
  unreachable: 'service_unavailable_error',
  timeout: 'timeout_error',
};

export const problemDetail = z.looseObject({
  path: z.string().describe('Place in the request, as a JSON path; empty for the whole request'),
  message: z.string(),
  code: z.string(),
});
export type ProblemDetail = z.infer<typeof problemDetail>;

export const problemBody = z.object({
  error: z.object({
    code: z.enum(PROBLEM_CODES),
    message: z.string().describe('The problem and the next step'),
    type: z.string().describe('Error class for OpenAI clients: invalid_request_error, authentication_error, …'),
    param: z.string().nullable(),
    details: z.array(problemDetail),
    request_id: z.string(),
  }),
});
export type ProblemBody = z.infer<typeof problemBody>;
