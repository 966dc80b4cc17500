// The schema of a model's decision about how to answer a question. svc doesn't trust the decision. svc validates and
// compiles a plan like any other plan, and SQL must pass the guard.
import { z } from 'zod';
import { type MetricsBody, metricsBodySchema } from '../../../contract/ask.ts';
import { planSchema } from '../../../contract/plan.ts';
import { toStrictSchema, withoutNulls } from './strict-schema.ts';

const textSchema = z.string().max(2_000);
const missingTermSchema = z.strictObject({
  term: textSchema.describe('A term of the question that the lens does not define'),
  taken: textSchema.nullish().describe('The meaning that you propose'),
});
/** A model must not set which question a plan answers. */
const planWithoutAnswersSchema = planSchema.omit({ answers: true });
const decisionSchema = z.strictObject({
  kind: z
    .enum(['plan', 'sql', 'needs_definition', 'unanswerable'])
    .describe('plan if a plan can express the whole question'),
  plan: planWithoutAnswersSchema.nullish(),
  sql: z.string().max(100_000).nullish().describe('One SELECT, if no plan can express the question'),
  missing: z.array(missingTermSchema).max(20).nullish(),
});

export interface MissingTerm {
  term: string;
  taken?: string | null;
}
export type ModelDecision =
  | { kind: 'plan'; body: MetricsBody }
  | { kind: 'sql'; sql: string }
  | { kind: 'needs_definition'; missing: MissingTerm[] }
  | { kind: 'unanswerable' }
  /** The reply is a decision, but its plan is invalid. svc sends the model the reason. */
  | { kind: 'malformed'; reason: string; body?: unknown };

export const DECISION_JSON_SCHEMA = toStrictSchema(decisionSchema);
const readableDecisionSchema = decisionSchema.extend({ plan: z.unknown().optional() });

/** Null if the reply isn't a decision. */
export function parseDecision(value: unknown): ModelDecision | null {
  const parsed = readableDecisionSchema.safeParse(withoutNulls(value));
  if (!parsed.success) return null;
  const { kind, plan: body, sql, missing: terms } = parsed.data;
  switch (kind) {
    case 'plan':
      return parsePlanDecision(body);
    case 'sql':
      return sql?.trim() ? { kind, sql } : { kind: 'malformed', reason: 'kind is sql, but there is no sql.' };
    case 'needs_definition':
      return terms?.length ? { kind, missing: terms } : { kind: 'malformed', reason: 'Name the term in missing.' };
    case 'unanswerable':
      return { kind };
  }
}

function parsePlanDecision(body: unknown): ModelDecision {
  if (body === undefined) return { kind: 'malformed', reason: 'kind is plan, but there is no plan.' };
  const parsed = planWithoutAnswersSchema.safeParse(body);
  if (parsed.success) return { kind: 'plan', body: metricsBodySchema.parse(parsed.data) };
  return {
    kind: 'malformed',
    body,
    reason: parsed.error.issues
      .slice(0, 5)
      .map((issue) => describeFault(issue))
      .join('\n'),
  };
}

/**
 * For a union, describes the error in the branch that matched furthest, because the model most likely intended that
 * branch.
 */
function describeFault(issue: z.core.$ZodIssue, parentPath: PropertyKey[] = []): string {
  const path = [...parentPath, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors.flatMap((branch) => branch.slice(0, 1)) : [];
  const [deepestBranch] = branches.toSorted((a, b) => b.path.length - a.path.length);
  return deepestBranch ? describeFault(deepestBranch, path) : `${path.join('.') || 'plan'}: ${issue.message}`;
}
