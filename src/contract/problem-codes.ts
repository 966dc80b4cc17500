// The fixed list of codes of the error body. Processes load this list without the schemas.

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
