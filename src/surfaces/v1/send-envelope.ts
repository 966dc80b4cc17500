import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseHttpStatus } from '../../ask/entry-points.ts';
import type { Envelope, JsonScalar, ReceiptForm, SentEnvelope } from '../../contract/ask.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { escapeFormula, writeCsv } from '../http/csv.ts';

/** True if Accept lists text/csv, and doesn't list application/json first or with a higher weight. */
export function prefersCsv(request: FastifyRequest): boolean {
  const mediaTypes = (request.headers.accept ?? '').split(',').map((part, position) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='));
    return { type, place: position, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });
  const csv = mediaTypes.find(({ type, weight }) => type === 'text/csv' && weight > 0);
  const json = mediaTypes.find(({ type }) => type === 'application/json');
  if (!csv || !json) return csv !== undefined;
  return csv.weight > json.weight || (csv.weight === json.weight && csv.place < json.place);
}

/** Escapes formulas only in string columns. Numbers that are sent as strings aren't formulas. */
const escapeCell = (cell: JsonScalar, datatype: string): JsonScalar =>
  datatype === 'string' && typeof cell === 'string' ? escapeFormula(cell) : cell;

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, envelope: Envelope): FastifyReply {
  const receiptFormat = (request.body as { receipt?: ReceiptForm } | undefined)?.receipt ?? 'full';
  reply.code(chooseHttpStatus(envelope));
  if (envelope.error?.code === 'unreachable') reply.header('retry-after', 5);
  if (prefersCsv(request) && envelope.data && envelope.columns) return sendCsv(reply, envelope);
  return reply.type('application/json; charset=utf-8').send(writeJson(formatReceipt(envelope, receiptFormat)));
}

function sendCsv(reply: FastifyReply, envelope: Envelope): FastifyReply {
  const { truncated, columns, data } = envelope;
  const names = columns!.map(({ name }) => escapeFormula(name));
  const cutCellCount = columns!.reduce((sum, { cut_cells = 0 }) => sum + cut_cells, 0);
  const rows = data!.map((row) => columns!.map(({ name, datatype }) => escapeCell(row[name] ?? null, datatype)));
  reply.headers({
    'x-svc-confidence': envelope.confidence,
    'x-svc-certification': envelope.certification,
    'x-svc-row-count': String(envelope.row_count ?? rows.length),
    'x-svc-data-as-of': envelope.data_as_of ?? '',
  });
  if (truncated)
    reply.header('x-svc-truncated', `returned=${truncated.returned}; total=${truncated.total ?? 'unknown'}`);
  if (cutCellCount > 0) reply.header('x-svc-cut-cells', String(cutCellCount));
  if (envelope.receipt) {
    reply.header('x-svc-receipt', Buffer.from(JSON.stringify(envelope.receipt)).toString('base64url'));
  }
  return reply.type('text/csv; charset=utf-8; header=present').send(writeCsv([names, ...rows]));
}

export function formatReceipt(envelope: Envelope, receiptFormat: ReceiptForm): SentEnvelope {
  const { receipt } = envelope;
  if (receiptFormat === 'full' || receipt === null) return envelope;
  return { ...envelope, receipt: { request_id: receipt.request_id, digest: receipt.digest ?? null } };
}
