// An envelope as HTTP: its status, its body as JSON or, by Accept, its rows as CSV.
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { statusOfEnvelope } from '../../ask/entrances.ts';
import type { Envelope } from '../../contract/ask.ts';

/** text/csv is named, and application/json is not named before it. */
export function wantsCsv(request: FastifyRequest): boolean {
  const types = (request.headers.accept ?? '').split(',').map((part) => part.split(';')[0]!.trim().toLowerCase());
  const csv = types.indexOf('text/csv');
  const json = types.indexOf('application/json');
  return csv !== -1 && (json === -1 || csv < json);
}

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, envelope: Envelope): FastifyReply {
  reply.code(statusOfEnvelope(envelope));
  if (envelope.error?.code === 'unreachable') reply.header('retry-after', 5);
  if (wantsCsv(request) && envelope.data && envelope.columns) return sendCsv(reply, envelope);
  return reply
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(envelope);
}

function sendCsv(reply: FastifyReply, envelope: Envelope): FastifyReply {
  const { truncated, columns, data } = envelope;
  const names = columns!.map((column) => column.name);
  const rows = data!.map((row) => names.map((name) => row[name] ?? null));
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
