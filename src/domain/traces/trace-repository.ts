// The audit trail: one durable row for each ask, written before its receipt leaves (CONTRACT 5, SECURITY RCP-06).
import type { Envelope } from '../../contract/ask.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { GroupCommit } from '../../platform/group-commit.ts';
import type { Tenancy } from '../../platform/tenant.ts';
import { type ServedLens, STAMP_OF_LENS } from '../lenses/lens-repository.ts';
import type { ModelUsage } from '../ports.ts';

export interface TraceStep {
  name: string;
  started_at: string;
  ms: number;
  detail: string | null;
}

export interface Trace {
  requestId: string;
  callerId: string | null;
  caller: string;
  surface: string;
  client: string | null;
  route: string;
  /** answered, clarification, …, or cancelled when the client went away. */
  outcome: string;
  /** The envelope as served, but for the rows. */
  envelope: Omit<Envelope, 'data'>;
  /** Kept apart from the envelope: a prose or structured serve hides parts of it from the client only. */
  sql: string | null;
  steps: TraceStep[];
  modelCalls: ModelUsage[];
  guard: Record<string, unknown> | null;
}

export interface StoredTrace extends Trace {
  at: string;
  receipt: Receipt | null;
  cost: number;
}

interface TraceRow {
  request_id: string;
  at: Date;
  caller_id: string | null;
  caller: string;
  surface: string;
  client: string | null;
  route: string;
  outcome: string;
  envelope: Omit<Envelope, 'data'>;
  sql: string | null;
  receipt: Receipt | null;
  cost: string;
  detail: { steps: TraceStep[]; model_calls: ModelUsage[]; guard: Record<string, unknown> | null };
}

const INSERT = `insert into svc.traces (org_id, request_id, caller_id, caller, surface, client, route, lens, lens_version, question,
  status, outcome, confidence, certification, certified_id, plan, sql, sql_sha256, row_count, cost, total_ms, warehouse_ms,
  envelope, receipt, detail)
  select $1::uuid,$2::uuid,$3::uuid,$4,$5,$6,$7,$8,$9::int,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19::int,$20::numeric,
    $21::float8,$22::float8,$23::jsonb,$24::jsonb,$25::jsonb
  where $26::uuid is null or exists (
    select from svc.lenses where id = $26 and name = $8 and active_version is not null and ${STAMP_OF_LENS} = $27)`;

export class TraceRepository {
  readonly #tenancy: Tenancy;
  readonly #inserts: GroupCommit;
  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
    this.#inserts = new GroupCommit(tenancy);
  }

  /** Durable when this resolves. False, and nothing written, when `held` is no longer the lens in service. */
  async write(orgId: string, trace: Trace, held: Pick<ServedLens, 'lensId' | 'stamp'> | null): Promise<boolean> {
    const { envelope } = trace;
    const cost = trace.modelCalls.reduce((sum, call) => sum + (call.cost ?? 0), 0);
    const detail = { steps: trace.steps, model_calls: trace.modelCalls, guard: trace.guard };
    const values = [
      orgId,
      trace.requestId,
      trace.callerId,
      trace.caller,
      trace.surface,
      trace.client,
      trace.route,
      envelope.lens,
      envelope.lens_version,
      withoutNul(envelope.question),
      envelope.status,
      trace.outcome,
      envelope.confidence,
      envelope.certification,
      envelope.certified_id,
      envelope.plan,
      trace.sql,
      envelope.receipt?.sql_sha256 ?? null,
      envelope.row_count,
      cost,
      envelope.timings_ms.total,
      envelope.timings_ms.warehouse,
      withoutNul(JSON.stringify(envelope)),
      envelope.receipt ? JSON.stringify(envelope.receipt) : null,
      withoutNul(JSON.stringify(detail)),
      held?.lensId ?? null,
      held?.stamp ?? null,
    ];
    const { rowCount } = await this.#inserts.run(orgId, { name: 'write_trace', text: INSERT, values });
    return rowCount === 1;
  }

  /** Whether an insert would be allowed just now. */
  async writable(): Promise<boolean> {
    const rows = await this.#tenancy.global<{ may: boolean }>(
      "select has_table_privilege('svc.traces', 'insert') and not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as may",
    );
    return rows[0]?.may ?? false;
  }

  find(orgId: string, requestId: string): Promise<StoredTrace | null> {
    if (!/^[0-9a-f-]{36}$/i.test(requestId)) return Promise.resolve(null);
    return this.#tenancy.inTenant(orgId, async (db) => {
      const { rows } = await db.query<TraceRow>(
        `select request_id, at, caller_id, caller, surface, client, route, outcome, envelope, sql, receipt, cost, detail
         from svc.traces where request_id = $1`,
        [requestId],
      );
      return rows[0] ? stored(rows[0]) : null;
    });
  }
}

function stored(row: TraceRow): StoredTrace {
  return {
    requestId: row.request_id,
    at: row.at.toISOString(),
    callerId: row.caller_id,
    caller: row.caller,
    surface: row.surface,
    client: row.client,
    route: row.route,
    outcome: row.outcome,
    envelope: row.envelope,
    sql: row.sql,
    receipt: row.receipt,
    cost: Number(row.cost),
    steps: row.detail.steps,
    modelCalls: row.detail.model_calls,
    guard: row.detail.guard,
  };
}

/** Postgres text holds no NUL; as JSON it would be the escape of one. */
function withoutNul<T extends string | null>(text: T): T {
  return (text === null ? null : text.replaceAll('\u0000', '\ufffd').replaceAll('\\u0000', '\\ufffd')) as T;
}
