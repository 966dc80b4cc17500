import { sanitizeMarkup } from '../../ask/present/sanitize-text.ts';
import type { Envelope, ReceiptForm } from '../../contract/ask.ts';
import type { ToolFailure } from '../../contract/mcp-tools.ts';
import { PROBLEMS } from '../../contract/problem-codes.ts';
import { isStatementFault } from '../../domain/statement-fault.ts';
import { estimateSize } from '../../platform/http/write-json.ts';
import { Problem } from '../../platform/problem.ts';
import { toProblem } from '../http/reply-with-problem.ts';
import { formatReceipt } from '../v1/send-envelope.ts';
import { writeAnswer } from './answer-text.ts';
import { removeHiddenCharacters } from './remove-hidden-characters.ts';

export interface ToolResult {
  [key: string]: unknown;
  content: ({ type: 'text'; text: string } | { type: 'image'; data: string; mimeType: 'image/svg+xml' })[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
}

/** Without `text`, the agent gets the body as JSON. */
export function toSuccessResult(body: Record<string, unknown>, text?: string): ToolResult {
  const structuredContent = { ok: true, ...body };
  const resultText = text ?? sanitizeMarkup(JSON.stringify(structuredContent));
  return { content: [{ type: 'text', text: resultText }], structuredContent };
}

interface AnswerResultOptions {
  receipt: ReceiptForm;
  rows: number;
  /** The tool argument with which the agent can request more rows. */
  moreArgument?: string;
  isWrittenByAgent?: boolean;
}

export async function toAnswerResult(
  fullEnvelope: Envelope,
  { receipt, rows, moreArgument = 'rows', isWrittenByAgent }: AnswerResultOptions,
): Promise<ToolResult> {
  if (fullEnvelope.status === 'failed')
    return toFailureResult(createFailureProblem(fullEnvelope), fullEnvelope.request_id);
  const envelope = formatReceipt(fullEnvelope, receipt);
  const text = writeAnswer(envelope, {
    maxRows: rows,
    moreRowsArgument: moreArgument,
    showsEvidence: !isWrittenByAgent || receipt === 'full',
  });
  return {
    content: [{ type: 'text', text }, ...(await drawChartImage(fullEnvelope))],
    structuredContent: { ok: true, ...envelope },
  };
}

/** Loads the renderer only if the call requests a chart. */
async function drawChartImage({ chart, data }: Envelope): Promise<ToolResult['content']> {
  if (!chart || !data) return [];
  const { drawChart } = await import('../../ask/present/chart/draw-chart.ts');
  const svg = await drawChart(chart, data);
  return [{ type: 'image', data: Buffer.from(svg).toString('base64'), mimeType: 'image/svg+xml' }];
}

const MAX_RESULT_BYTES = 1_048_576;
/** The longest JSON escape of one character has this number of bytes. */
const MAX_BYTES_PER_ESCAPE = 6;

/** Drops the image of a result above 1 MB. If the result is still too large, returns an error. */
export function limitResultSize(result: ToolResult): ToolResult {
  if (estimateSize(result, MAX_RESULT_BYTES / MAX_BYTES_PER_ESCAPE) <= MAX_RESULT_BYTES / MAX_BYTES_PER_ESCAPE)
    return result;
  const fitsSize = (toolResult: ToolResult) => Buffer.byteLength(JSON.stringify(toolResult)) <= MAX_RESULT_BYTES;
  if (fitsSize(result)) return result;
  const textContents = result.content.filter(({ type }) => type === 'text');
  const note = { type: 'text' as const, text: 'The chart is left out, because the reply would be larger than 1 MB.' };
  const textResult = { ...result, content: [...textContents, note] };
  if (textContents.length < result.content.length && fitsSize(textResult)) return textResult;
  throw new Problem('too_large', 'The reply would be larger than 1 MB. Ask for less: fewer columns, rows or names.');
}

/** The guard's codes for names that the lens doesn't have. */
const UNKNOWN_NAME_CODES = new Set(['table', 'column']);

/** An agent reacts differently to unknown names, invalid input, failures of the engine and refusals. */
function findFailureCode(problem: Problem): ToolFailure['code'] {
  const { code, details } = problem;
  if (code === 'invalid' && isStatementFault(problem)) return 'upstream';
  if (code === 'guard_refused' && details.length > 0 && details.every((detail) => UNKNOWN_NAME_CODES.has(detail.code)))
    return 'not_found';
  return PROBLEMS[code].mcp;
}

const MAX_DETAILS = 10;

/** Includes the path of each error, because the agent has to change the value at that path. */
function writeError({ code, message, details }: Problem): string {
  const hasPathDetails =
    code === 'invalid' && details.length > 0 && details.every((detail) => message.includes(detail.message));
  if (!hasPathDetails) return message;
  return details
    .slice(0, MAX_DETAILS)
    .map(({ path, message: detailMessage }) => (path === '' ? detailMessage : `${path}: ${detailMessage}`))
    .join(' ');
}

export function toFailureResult(error: unknown, requestId: string): ToolResult {
  const problem = toProblem(error);
  const message = writeError(problem);
  const retry =
    problem.retryAfter === undefined || message.includes('Retry')
      ? ''
      : ` Retry after ${Math.max(1, Math.ceil(problem.retryAfter))} s.`;
  const structuredContent: ToolFailure = {
    ok: false,
    code: findFailureCode(problem),
    error: removeHiddenCharacters(message + retry),
    reason: problem.code,
    request_id: requestId,
    details: problem.details.map((detail) => ({
      ...detail,
      path: removeHiddenCharacters(detail.path),
      message: removeHiddenCharacters(detail.message),
    })),
  };
  return {
    content: [{ type: 'text', text: sanitizeMarkup(JSON.stringify(structuredContent)) }],
    structuredContent: { ...structuredContent },
    isError: true,
  };
}

function createFailureProblem({ error, certification, certified_id }: Envelope): Problem {
  const message = error?.message ?? 'The warehouse did not respond.';
  const details =
    certification === 'certified_failed'
      ? [
          {
            path: 'cert_id',
            code: 'certified_failed',
            message: `The approved SQL${certified_id ? ` of ${certified_id}` : ''} no longer runs.`,
          },
        ]
      : [];
  return new Problem(error?.code ?? 'upstream', message, { details });
}
