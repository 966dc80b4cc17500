// Checks SQL and turns it into a statement that svc can run. svc reads small statements in its own process. Larger
// statements could block the event loop, so a separate process reads them with a time limit.

import { isBuiltInDialect, loadDialect } from '../dialects/dialects.ts';
import { FaultCollector } from '../dialects/fault-collector.ts';
import type { Query } from '../dialects/tree.ts';
import { memoizeAsync } from '../platform/memoize.ts';
import { Problem } from '../platform/problem.ts';
import { WorkerPool } from '../platform/schedule/worker-pool.ts';
import { guardInProcess, guardTree } from './guard-in-process.ts';
import type { GovernedRelation, GuardedSql, GuardScope } from './guarded-sql.ts';
import { checkRawText, MAX_SQL_LENGTH } from './raw-text.ts';

/**
 * The largest number of characters to read in svc's own process. Within this limit and the dialect's token limit,
 * parsing, checking and rewriting take at most 20 ms.
 */
const MAX_INLINE_LENGTH = 4_000;
const READ_TIMEOUT_MS = 10_000;

const MODULE_EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const guardPool = new WorkerPool({
  module: new URL(`./guard-process${MODULE_EXTENSION}`, import.meta.url),
  maxProcesses: 4,
  perTenant: 2,
  perCaller: 1,
  waitMs: 10_000,
});

export async function guardSql(sql: string, scope: GuardScope): Promise<GuardedSql> {
  if (sql.length > MAX_INLINE_LENGTH && sql.length <= MAX_SQL_LENGTH) return guardInWorker(sql, scope);
  const faults = new FaultCollector();
  const tokens = checkRawText(sql, faults);
  faults.throwIfAny();
  const { budgets } = await loadDialect(scope.dialect);
  return tokens.length > budgets.tokensHere ? guardInWorker(sql, scope) : guardInProcess(sql, scope, tokens);
}

async function guardInWorker(sql: string, scope: GuardScope): Promise<GuardedSql> {
  if (!isBuiltInDialect(scope.dialect))
    throw createGuardProblem(
      'too_long',
      `The statement is too large to check for the engine ${scope.dialect}. Use at most ${MAX_INLINE_LENGTH} characters and fewer words.`,
    );
  const { onBehalf = { tenant: '', caller: '' }, ...rest } = scope;
  const guardedSql = await guardPool.run<GuardedSql>({
    owner: onBehalf,
    affinityKey: '',
    request: { sql, scope: rest },
    timeoutMs: READ_TIMEOUT_MS,
    createTimeoutError: () =>
      createGuardProblem(
        'too_costly',
        `The statement takes longer than ${READ_TIMEOUT_MS / 1000} s to parse. Shorten the statement.`,
      ),
  });
  return Object.freeze(guardedSql);
}

const createGuardProblem = (code: string, message: string): Problem =>
  new Problem('guard_refused', `The SQL was refused: ${message}`, { details: [{ path: 'sql', code, message }] });

// Caches the verdict by SQL and scope, on which alone it depends. If the lens or the caller changes, the scope has
// other relations, so svc caches a separate verdict.
const memoizeVerdict = memoizeAsync<readonly GovernedRelation[], GuardedSql>(200);

/**
 * `relations` must not change after the first call; createGovernedRelations() freezes them. `query` is the compiler's tree,
 * so that svc doesn't parse the SQL again. The guard changes only its own copy of the tree.
 */
export function guardWithCache(sql: string, scope: GuardScope, query?: Query): Promise<GuardedSql> {
  const { relations, onBehalf: _onBehalf, ...cachedScope } = scope;
  const runGuard = () => (query ? guardTree(sql, structuredClone(query), scope) : guardSql(sql, scope));
  if (!Object.isFrozen(relations)) return runGuard();
  return memoizeVerdict(relations, JSON.stringify([sql, cachedScope, query !== undefined]), runGuard);
}
