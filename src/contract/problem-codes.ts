// The codes are separate from problem.ts, so that child processes can load the codes without the schemas.

/** The HTTP status of each code, its type for OpenAI clients, and its code in MCP results. */
export const PROBLEMS = {
  malformed: { status: 400, type: 'invalid_request_error', mcp: 'not_found' },
  auth: { status: 401, type: 'authentication_error', mcp: 'auth' },
  forbidden: { status: 403, type: 'permission_error', mcp: 'forbidden' },
  not_found: { status: 404, type: 'not_found_error', mcp: 'not_found' },
  no_exact_match: { status: 404, type: 'not_found_error', mcp: 'no_exact_match' },
  method_not_allowed: { status: 405, type: 'invalid_request_error', mcp: 'forbidden' },
  conflict: { status: 409, type: 'conflict_error', mcp: 'upstream' },
  precondition_failed: { status: 412, type: 'conflict_error', mcp: 'upstream' },
  too_large: { status: 413, type: 'invalid_request_error', mcp: 'upstream' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error', mcp: 'forbidden' },
  invalid: { status: 422, type: 'invalid_request_error', mcp: 'not_found' },
  guard_refused: { status: 422, type: 'invalid_request_error', mcp: 'forbidden' },
  rate_limited: { status: 429, type: 'rate_limit_error', mcp: 'rate_limited' },
  internal: { status: 500, type: 'server_error', mcp: 'upstream' },
  upstream: { status: 502, type: 'upstream_error', mcp: 'upstream' },
  unreachable: { status: 503, type: 'service_unavailable_error', mcp: 'unreachable' },
  timeout: { status: 504, type: 'timeout_error', mcp: 'upstream' },
} as const;
export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];
