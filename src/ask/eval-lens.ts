// Runs the evals of a lens through the real pipeline, without traces, receipts or a limit on returned rows.

import type { JsonValue } from '../contract/ask.ts';
import type { EvalPorts } from '../domain/evals/run-evals.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { ModelUsage, Warehouse } from '../domain/ports.ts';
import { guardSql } from '../guard/guard-sql.ts';
import { governedRelations } from '../lens/policies/governed-relations.ts';
import { newId } from '../platform/ids.ts';
import { FETCH_CAP } from './run/fetch-rows.ts';
import type { SideAsk } from './side-ask.ts';

const FETCH_LIMITS = { maxRows: FETCH_CAP, maxBytes: 16_777_216, timeoutMs: 60_000 };
const ASK_TIMEOUT_MS = 120_000;

export function evalPorts(
  sideAsk: SideAsk,
  principal: Principal,
  liveLens: ServedLens,
  warehouse: Warehouse,
  { cancelled: cancelSignal, onModelCall }: { cancelled?: AbortSignal; onModelCall?: (call: ModelUsage) => void },
): EvalPorts {
  const createTimeoutSignal = (ms: number) =>
    AbortSignal.any([AbortSignal.timeout(ms), ...(cancelSignal ? [cancelSignal] : [])]);
  const uncappedLens = { ...liveLens, lens: { ...liveLens.lens, maxRowsToReturn: FETCH_CAP } };
  const ask = sideAsk(uncappedLens);
  return {
    ask: (q, choices) =>
      ask.query(
        {
          principal,
          requestId: newId(),
          surface: 'mgmt',
          client: null,
          signal: createTimeoutSignal(ASK_TIMEOUT_MS),
          ...(onModelCall && { onModelCall }),
        },
        liveLens.name,
        {
          q,
          format: 'structured',
          ...(choices && { choices }),
        },
      ),
    async fetchRows(sql) {
      const caller = { name: principal.name, groups: [], attributes: {}, superuser: true };
      const statement = await guardSql(sql, {
        dialect: liveLens.lens.dialect,
        relations: await governedRelations(liveLens.lens, caller),
        mode: 'govern',
        maxRows: FETCH_CAP,
      });
      const { rows } = await warehouse.fetch(statement, {
        ...FETCH_LIMITS,
        signal: createTimeoutSignal(FETCH_LIMITS.timeoutMs),
      });
      return { rows: rows as JsonValue[][], ordered: statement.report.ordered };
    },
  };
}
