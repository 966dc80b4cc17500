// Reports invalid parameters as -32602 with a plain message. The SDK reports them as a server error or quotes its
// validator.
import { z } from 'zod';

const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

const issuesSchema = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);
const faultSchema = z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) });

/** `answer` is one JSON-RPC message. A message that reports no invalid parameters is returned unchanged. */
export function explainProtocolFault(answer: unknown): unknown {
  const parsedFault = faultSchema.safeParse(answer);
  if (!parsedFault.success) return answer;
  const { code, message } = parsedFault.data.error;
  const issues = code === INTERNAL_ERROR || code === INVALID_PARAMS ? parseIssues(message) : null;
  if (!issues) return answer;
  const faults = issues.map(
    ({ path, message: reason }) => `${path.join('.')}: ${reason.replace(/^Invalid input: /, '')}`,
  );
  const error = { ...parsedFault.data.error, code: INVALID_PARAMS, message: `Invalid params: ${faults.join('; ')}` };
  return { ...parsedFault.data, error };
}

function parseIssues(message: string): z.infer<typeof issuesSchema> | null {
  const index = message.indexOf('[');
  if (index === -1 || !message.endsWith(']')) return null;
  try {
    return issuesSchema.safeParse(JSON.parse(message.slice(index))).data ?? null;
  } catch {
    return null;
  }
}
