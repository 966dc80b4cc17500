// Compares the replies to clients with the database. Each 200 has exactly one trace, with the same tenant and outcome.
// SQL, rows and trace have the hashes in the receipt, and the receipt verifies.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Envelope } from '../../src/contract/ask.ts';
import type { Receipt } from '../../src/contract/receipt.ts';

export interface Served {
  orgId: string;
  token: string;
  status: number;
  requestId: string;
  body: Envelope;
}

/** Every reply that clients received, in order. */
export class History {
  readonly served: Served[] = [];

  add(
    orgId: string,
    token: string,
    reply: { status: number; headers: Record<string, string | number | string[] | undefined>; body: Envelope },
  ): void {
    const requestId = String(reply.headers['x-request-id']);
    this.served.push({ orgId, token, status: reply.status, requestId, body: reply.body });
  }

  statuses(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of this.served) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }
}

export interface TraceOnRecord {
  org_id: string;
  request_id: string;
  outcome: string;
  lens: string | null;
  lens_version: number | null;
  sql: string | null;
  receipt: Receipt | null;
}

/** Runs as the owner of the control database. `$1` is the list of request ids. */
export const TRACES_OF = `select org_id, request_id, outcome, lens, lens_version, sql, receipt from svc.traces
  where request_id = any($1::uuid[])`;

/** Describes every difference between replies and traces. */
export async function breachesOf(
  servedReplies: readonly Served[],
  lookups: {
    traces(requestIds: string[]): Promise<TraceOnRecord[]>;
    verify(receipt: Receipt, token: string): Promise<{ ok: boolean; mismatches: string[] }>;
  },
): Promise<string[]> {
  const breaches: string[] = [];
  const answeredReplies = servedReplies.filter(({ status }) => status === 200);
  const traces = new Map<string, TraceOnRecord[]>();
  for (const trace of await lookups.traces(answeredReplies.map(({ requestId }) => requestId)))
    traces.set(trace.request_id, [...(traces.get(trace.request_id) ?? []), trace]);
  const seenKeys = new Set<string>();
  for (const reply of servedReplies) {
    if (reply.status !== 200) {
      if (!reply.body?.error) breaches.push(`a reply of status ${reply.status} does not say what to do`);
      continue;
    }
    if (seenKeys.has(reply.requestId)) breaches.push(`${reply.requestId}: two replies have this request id`);
    seenKeys.add(reply.requestId);
    breaches.push(
      ...breachesOfOne(reply, traces.get(reply.requestId) ?? []).map((what) => `${reply.requestId}: ${what}`),
    );
    if (!reply.body.receipt) continue;
    const verified = await lookups.verify(reply.body.receipt, reply.token);
    if (!verified.ok) breaches.push(`${reply.requestId}: its receipt does not verify: ${JSON.stringify(verified)}`);
  }
  return breaches;
}

function breachesOfOne({ orgId, requestId, body }: Served, traces: TraceOnRecord[]): string[] {
  const [trace] = traces;
  if (!trace || traces.length > 1) return [`it has ${traces.length} traces`];
  const { receipt } = body;
  const facts: [string, unknown, unknown][] = [
    ['tenant', trace.org_id, orgId],
    ['request id of the body', body.request_id, requestId],
    ['outcome', trace.outcome, body.status],
    ['lens', trace.lens, body.lens],
    ['lens version', trace.lens_version, body.lens_version],
    ['receipt', canonicalize(trace.receipt), canonicalize(receipt)],
  ];
  if (receipt) {
    facts.push(
      ['request id of the receipt', receipt.request_id, requestId],
      ['lens of the receipt', receipt.lens, body.lens],
      ['lens version of the receipt', receipt.lens_version, body.lens_version],
      ['confidence of the receipt', receipt.confidence, body.confidence],
      ['certification of the receipt', receipt.certification, body.certification],
      ['hash of the SQL on record', digest(trace.sql ?? ''), receipt.sql_sha256],
    );
    if (body.sql) facts.push(['hash of the SQL', digest(body.sql), receipt.sql_sha256]);
    // The hash includes rows that the row limit left out of the reply.
    if (body.data && body.data.length === receipt.row_count)
      facts.push(['hash of the rows', digest(canonicalize(body.data)!), receipt.result_sha256]);
  }
  return facts.flatMap(([factName, actualValue, expectedValue]) =>
    actualValue === expectedValue ? [] : [`${factName}: ${String(actualValue)} is not ${String(expectedValue)}`],
  );
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
