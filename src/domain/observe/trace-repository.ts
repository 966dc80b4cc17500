// The audit trail has one durable row for each ask, written before svc returns the receipt.

import type { Envelope } from '../../contract/ask.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Restrictions } from '../../lens/policies/restrictions.ts';
import { createId, isId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { GroupCommit } from '../../platform/tenancy/group-commit.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { LENS_STAMP_SQL, type LiveLens } from '../lenses/lens-repository.ts';
import type { ModelUsage } from '../ports.ts';

export interface TraceStep {
  name: string;
  started_at: string;
  ms: number;
  detail: string | null;
}

export interface Trace {
  requestId: string;
  /** Null for requests of admins and curators. */
  callerId: string | null;
  caller: string;
  surface: string;
  client: string | null;
  route: string;
  /** answered, clarification, …, or cancelled if the client disconnected. */
  outcome: string;
  /** The served envelope without its rows. */
  envelope: Omit<Envelope, 'data'>;
  /** The SQL is stored separately, because the envelope of a prose or structured response can omit it. */
  sql: string | null;
  steps: TraceStep[];
  modelCalls: ModelUsage[];
  guard: Record<string, unknown> | null;
  /** Earlier turns of the conversation, oldest first. */
  context: string[];
  /** The request body without the question: choices, a plan, parameters, SQL. */
  asked: Record<string, unknown>;
  /** What limited the caller's view of the lens. Null without a lens, and in traces of earlier builds. */
  restrictions: Restrictions | null;
}

export interface StoredTrace extends Trace {
  at: string;
  receipt: Receipt | null;
  cost: number;
  columns: Pick<Receipt, 'lens' | 'confidence' | 'certification' | 'sql_sha256'>;
}

/** Some members are columns of the table, and the others are in the column `detail`. */
interface TraceRow
  extends Omit<StoredTrace, 'at' | 'cost' | 'steps' | 'modelCalls' | 'guard' | 'context' | 'asked' | 'restrictions'> {
  at: Date;
  cost: string;
  detail: Pick<Trace, 'steps' | 'guard'> & { model_calls: ModelUsage[] } & Partial<
      Pick<Trace, 'context' | 'asked' | 'restrictions'>
    >;
}

const TRACE_COLUMNS = `request_id, caller_id, caller, surface, client, route, lens, lens_version, question, status, outcome, confidence,
  certification, certified_id, plan, sql, sql_sha256, row_count, cost, total_ms, warehouse_ms, envelope, receipt, detail`;

/** A trace whose lens is no longer served isn't inserted. */
const INSERT_TRACES = `insert into svc.traces (org_id, ${TRACE_COLUMNS})
  select $1::uuid, ${TRACE_COLUMNS}
  from jsonb_array_elements($2::jsonb) as sent, jsonb_populate_record(null::svc.traces, sent)
  where sent ->> 'held_lens' is null or exists (
    select from svc.lenses where id = (sent ->> 'held_lens')::uuid and name = lens and active_version is not null
      and ${LENS_STAMP_SQL} = sent ->> 'held_stamp')
  returning request_id`;

/** Earlier builds stored the linked caller also for requests of admins and curators. */
export const ASKING_CALLER_SQL = `case when t.detail #>> '{guard,superuser}' = 'true' then null else t.caller_id end`;

const PROBE_TIMEOUT_MS = 2_000;
/** A test trace needs values for the not-null columns. */
const PROBE_TRACE = {
  ...{ caller: 'readiness', surface: 'v1', route: 'query', status: 'refused', outcome: 'refused' },
  ...{ confidence: 'unverified', certification: 'none', cost: 0, total_ms: 0, warehouse_ms: 0 },
  ...{ envelope: {}, detail: {} },
};

type InsertedRow = Record<string, unknown> & { request_id: string };

export class TraceRepository {
  readonly #tenancy: Tenancy;
  readonly #inserts: GroupCommit<InsertedRow, boolean>;
  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
    this.#inserts = new GroupCommit(async (orgId, rows) => {
      const values = [orgId, replaceNul(JSON.stringify(rows))];
      const result = await tenancy.queryInTenant<Pick<InsertedRow, 'request_id'>>(orgId, {
        name: 'write_traces',
        text: INSERT_TRACES,
        values,
      });
      const writtenIds = new Set(result.rows.map(({ request_id }) => request_id));
      return rows.map(({ request_id }) => writtenIds.has(request_id));
    });
  }

  /** Durable when the promise resolves. Returns false and writes nothing if `liveLens` is no longer served. */
  write(orgId: string, trace: Trace, liveLens: Pick<LiveLens, 'lensId' | 'stamp'> | null): Promise<boolean> {
    const { envelope } = trace;
    return this.#inserts.run(orgId, {
      request_id: trace.requestId,
      caller_id: trace.callerId,
      caller: trace.caller,
      surface: trace.surface,
      client: trace.client,
      route: trace.route,
      lens: envelope.lens,
      lens_version: envelope.lens_version,
      question: envelope.question,
      status: envelope.status,
      outcome: trace.outcome,
      confidence: envelope.confidence,
      certification: envelope.certification,
      certified_id: envelope.certified_id,
      plan: envelope.plan,
      sql: trace.sql,
      sql_sha256: envelope.receipt?.sql_sha256 ?? null,
      row_count: envelope.row_count,
      cost: trace.modelCalls.reduce((sum, call) => sum + (call.cost ?? 0), 0),
      total_ms: envelope.timings_ms.total,
      warehouse_ms: envelope.timings_ms.warehouse,
      envelope,
      receipt: envelope.receipt,
      detail: {
        steps: trace.steps,
        model_calls: trace.modelCalls,
        guard: trace.guard,
        ...(trace.context.length > 0 && { context: trace.context }),
        ...(Object.keys(trace.asked).length > 0 && { asked: trace.asked }),
        ...(trace.restrictions && { restrictions: trace.restrictions }),
      },
      held_lens: liveLens?.lensId ?? null,
      held_stamp: liveLens?.stamp ?? null,
    });
  }

  /** Writes a test trace with all triggers and rolls back. Throws the error that a real insert would throw. */
  async probe(): Promise<void> {
    const [org] = await this.#tenancy.queryGlobal<{ id: string }>(
      'select id from svc.organizations order by id limit 1',
    );
    if (!org) return; // without an organization, svc can't insert a test trace
    const row = { ...PROBE_TRACE, request_id: createId() };
    const rollbackSignal = new Error('rolled back');
    await this.#tenancy
      .inTenant(org.id, async (db) => {
        await db.run("select set_config('statement_timeout', $1, true)", [String(PROBE_TIMEOUT_MS)]);
        await db.run(INSERT_TRACES, [org.id, JSON.stringify([row])]);
        await db.run('set constraints all immediate');
        throw rollbackSignal;
      })
      .catch((fault: unknown) => {
        if (fault !== rollbackSignal) throw fault;
      });
  }

  find(orgId: string, requestId: string): Promise<StoredTrace | null> {
    if (!isId(requestId)) return Promise.resolve(null);
    return this.#tenancy.inTenant(orgId, async (db) => {
      const row = await db.first<TraceRow>(
        `select ${addCamelCaseAliases('request_id, at, caller, surface, client, route, outcome, envelope, sql, receipt, cost, detail')},
           ${ASKING_CALLER_SQL} as "callerId",
           jsonb_build_object('lens', lens, 'confidence', confidence, 'certification', certification, 'sql_sha256', sql_sha256) as columns
         from svc.traces t where request_id = $1`,
        [requestId],
      );
      return row ? toStoredTrace(row) : null;
    });
  }
}

function toStoredTrace({ detail, ...row }: TraceRow): StoredTrace {
  const { model_calls: modelCalls, steps, guard, context = [], asked = {}, restrictions = null } = detail;
  return {
    ...row,
    at: row.at.toISOString(),
    cost: Number(row.cost),
    steps,
    modelCalls,
    guard,
    context,
    asked,
    restrictions,
  };
}

/** PostgreSQL can't store NUL in text or JSON. */
const replaceNul = (json: string): string => json.replaceAll('\\u0000', '\\ufffd');
