// An envelope as HTTP: its status, its body as JSON or, by Accept, its rows as CSV.
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { statusOfEnvelope } from '../../ask/entrances.ts';
import type { Envelope, ReceiptWanted } from '../../contract/ask.ts';
import { receiptAs } from '../receipt-as.ts';
import { CELLS_AT_ONCE, jsonInSlices } from './json-in-slices.ts';

/** text/csv is named, and application/json is neither preferred to it nor named before it. */
export function wantsCsv(request: FastifyRequest): boolean {
  const named = (request.headers.accept ?? '').split(',').map((part, place) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='));
    return { type, place, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });
  const csv = named.find(({ type, weight }) => type === 'text/csv' && weight > 0);
  const json = named.find(({ type }) => type === 'application/json');
  if (!csv || !json) return csv !== undefined;
  return csv.weight > json.weight || (csv.weight === json.weight && csv.place < json.place);
}

/** Text that a spreadsheet would take for a formula; numbers that travel as strings are none. */
const asText = (cell: unknown, datatype: string): unknown =>
  datatype === 'string' && typeof cell === 'string' ? inert(cell) : cell;
const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, envelope: Envelope): FastifyReply {
  const wanted = (request.body as { receipt?: ReceiptWanted } | undefined)?.receipt ?? 'full';
  reply.code(statusOfEnvelope(envelope));
  if (envelope.error?.code === 'unreachable') reply.header('retry-after', 5);
  if (wantsCsv(request) && envelope.data && envelope.columns) return sendCsv(reply, envelope);
  const sent = receiptAs(envelope, wanted);
  reply.type('application/json; charset=utf-8');
  if ((sent.data?.length ?? 0) * (sent.columns?.length ?? 0) > CELLS_AT_ONCE) return reply.send(jsonInSlices(sent));
  return reply.serializer((body: unknown) => JSON.stringify(body)).send(sent);
}

function sendCsv(reply: FastifyReply, envelope: Envelope): FastifyReply {
  const { truncated, columns, data } = envelope;
  const names = columns!.map(({ name }) => inert(name));
  const rows = data!.map((row) => columns!.map(({ name, datatype }) => asText(row[name] ?? null, datatype)));
  reply.headers({
    'x-svc-confidence': envelope.confidence,
    'x-svc-certification': envelope.certification,
    'x-svc-row-count': String(envelope.row_count ?? rows.length),
    'x-svc-data-as-of': envelope.data_as_of ?? '',
  });
  if (truncated)
    reply.header('x-svc-truncated', `returned=${truncated.returned}; total=${truncated.total ?? 'unknown'}`);
  if (envelope.receipt) {
    reply.header('x-svc-receipt', Buffer.from(JSON.stringify(envelope.receipt)).toString('base64url'));
  }
  const text = stringify([names, ...rows], { record_delimiter: 'windows', cast: { boolean: String } });
  return reply.type('text/csv; charset=utf-8; header=present').send(text);
}
