// svc checks the arguments itself, because the SDK's reply doesn't list every error.
import type { z } from 'zod';
import type { AskContext } from '../../ask/entry-points.ts';
import { findGrantedLens, listGrantedLenses } from '../../ask/read/resolve-lens.ts';
import { fetchDataTimestamp } from '../../ask/run/freshness.ts';
import { type McpToolName, mcpTools } from '../../contract/mcp-tools.ts';
import type { Deps } from '../../deps.ts';
import { toCaller } from '../../domain/identity/principal.ts';
import { findReceipt, verifyReceipt } from '../../domain/receipts/verify-receipt.ts';
import { getReviewTicket, raiseReview } from '../../domain/reviews/review.ts';
import { lookUpDefinition } from '../../domain/semantic/look-up-definition.ts';
import { describeFaults } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import { summarizeLens, toListedCertifiedEntry } from '../v1/describe-lens.ts';
import { describeLensForAgent } from './describe-lens-for-agent.ts';
import { writeLensText } from './lens-text.ts';
import { type ToolResult, toAnswerResult, toSuccessResult } from './tool-result.ts';

type ToolInput<Name extends McpToolName> = z.output<(typeof mcpTools)[Name]['input']>;
export type ToolDeps = Pick<
  Deps,
  | 'ask'
  | 'lenses'
  | 'library'
  | 'exactBand'
  | 'clock'
  | 'freshness'
  | 'warehouses'
  | 'tenancy'
  | 'traces'
  | 'signingKeys'
  | 'baseUrl'
>;
type ToolOperations = {
  [Name in McpToolName]: (deps: ToolDeps, context: AskContext, input: ToolInput<Name>) => Promise<ToolResult>;
};

const FRESHNESS_TIMEOUT_MS = 3_000;
const DEFAULT_ROWS = 20;
const MAX_CERTIFIED_MATCHES = 5;

const toolOperations: ToolOperations = {
  async list_lenses(deps, { principal }) {
    const liveLenses = await listGrantedLenses(deps.lenses, principal);
    return toSuccessResult({ items: liveLenses.map(summarizeLens), next_cursor: null });
  },
  async describe_lens(deps, { principal, signal }, { lens, ...describeRequest }) {
    const liveLens = await findGrantedLens(deps.lenses, principal, lens);
    const asOf = await fetchDataTimestamp(deps, principal, liveLens, { timeoutMs: FRESHNESS_TIMEOUT_MS, signal });
    const described = await runInTurns(
      describeLensForAgent(liveLens, toCaller(principal), describeRequest, asOf, deps.clock.now()),
    );
    return toSuccessResult(described, writeLensText(described));
  },
  async lookup_definition(deps, { principal }, { term, lens }) {
    const liveLenses = lens
      ? [await findGrantedLens(deps.lenses, principal, lens)]
      : await listGrantedLenses(deps.lenses, principal);
    return toSuccessResult({
      ...lookUpDefinition(
        liveLenses.map((item) => item.lens),
        term,
      ),
      next_cursor: null,
    });
  },
  async search_certified(deps, { principal }, { lens, q }) {
    const liveLens = await findGrantedLens(deps.lenses, principal, lens);
    const rankedEntries = await deps.library.rank(liveLens, q, MAX_CERTIFIED_MATCHES);
    const items = rankedEntries.map(({ entry, similarity }) => ({ ...toListedCertifiedEntry(entry), similarity }));
    return toSuccessResult({
      items,
      next_cursor: null,
      exact_band: deps.exactBand,
      embedder: deps.library.embedderName,
    });
  },
  async run_certified(deps, context, { lens, cert_id, q, rows, receipt, ...body }) {
    const run =
      cert_id === undefined
        ? deps.ask.runCertifiedByQuestion(context, lens, q!, body)
        : deps.ask.certifiedRun(context, lens, cert_id, body);
    return toAnswerResult(await run, { receipt, rows });
  },
  async query(deps, context, { lens, rows, receipt, ...body }) {
    return toAnswerResult(await deps.ask.query(context, lens, body), { receipt, rows });
  },
  async query_metrics(deps, context, { lens, rows, shown_rows, receipt, ...plan }) {
    const body = typeof rows === 'string' ? { ...plan, rows } : plan;
    const rowOptions = {
      rows: shown_rows ?? (typeof rows === 'number' ? rows : DEFAULT_ROWS),
      moreArgument: 'shown_rows',
      isWrittenByAgent: true,
    };
    return toAnswerResult(await deps.ask.metrics(context, lens, body), { receipt, ...rowOptions });
  },
  async sql(deps, context, { receipt, ...body }) {
    return toAnswerResult(await deps.ask.sql(context, body), { receipt, rows: body.limit, isWrittenByAgent: true });
  },
  async route_query(deps, context, { rows, receipt, ...body }) {
    return toAnswerResult(await deps.ask.queryWithRouting(context, body), { receipt, rows });
  },
  async send_for_review(deps, { principal }, body) {
    return toSuccessResult(await raiseReview(deps, principal, body));
  },
  async review_status(deps, { principal }, { ticket_id }) {
    return toSuccessResult(await getReviewTicket(deps, principal, ticket_id));
  },
  async verify_receipt(deps, { principal }, { receipt: givenReceipt, request_id, digest }) {
    const receipt = givenReceipt ?? { request_id: request_id!, digest: digest! };
    const verification = await verifyReceipt(deps, principal, await findReceipt(deps, principal, receipt));
    return toSuccessResult({ verification });
  },
};

export const isToolName = (name: string): name is McpToolName => Object.hasOwn(toolOperations, name);

export async function callTool(
  deps: ToolDeps,
  context: AskContext,
  name: McpToolName,
  rawInput: unknown,
): Promise<ToolResult> {
  const schema: z.ZodType = mcpTools[name].input;
  const input = rawInput ?? {};
  const parsedInput = schema.safeParse(input);
  if (!parsedInput.success) {
    const details = describeFaults(parsedInput.error, schema, input);
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details });
  }
  const operation = toolOperations[name] as (
    deps: ToolDeps,
    context: AskContext,
    input: unknown,
  ) => Promise<ToolResult>;
  return operation(deps, context, parsedInput.data);
}
