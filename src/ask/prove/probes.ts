// Runs small governed queries for the checks, with the caller's permissions. Only a few queries run at once, and all
// share one time limit.
import { findDialect } from '../../dialects/dialects.ts';
import { FaultCollector } from '../../dialects/fault-collector.ts';
import type { Query } from '../../dialects/tree.ts';
import type { Cell } from '../../domain/ports.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { limitConcurrency } from '../../platform/schedule/in-parallel.ts';
import type { GrantedLens, SqlPlan } from '../outcome.ts';
import type { ValueMention } from '../read/values/named-values.ts';
import { type ProbeLimits, probeValues, type ValueLookup } from '../read/values/probe-values.ts';
import { fetchGovernedRows } from '../run/governed-read.ts';
import { StatementReader } from './statement/sources.ts';

const MAX_CONCURRENT_READS = 3; // a warehouse has few sessions
const PROBES_BUDGET_MS = 5_000; // if the checks take longer, the answer isn't verified

export interface Probes {
  readonly grantedLens: GrantedLens;
  readonly now: Date;
  fetchRows(lensPlan: LensPlan, maxRows: number): Promise<Cell[][]>;
  /** Returns the first number of the first row, or 0 if there are no rows. */
  count(lensPlan: LensPlan): Promise<number>;
  lookUpValues(mention: ValueMention, requestedValues: readonly string[]): Promise<Map<string, ValueLookup>>;
  /**
   * Reads a statement that a caller or model wrote. Returns null if the statement is too large to analyze on the event
   * loop.
   */
  analyzeStatement(plan: SqlPlan): Promise<StatementReader | null>;
  parseTree(plan: SqlPlan): Promise<Query | null>;
  readonly unread: string;
  reportOutdatedDictionary(): void;
}

export function createProbes(grantedLens: GrantedLens, limits: ProbeLimits): Probes {
  const deadline = performance.now() + PROBES_BUDGET_MS;
  const withConcurrencyLimit = limitConcurrency(MAX_CONCURRENT_READS);
  let pendingStatement: Promise<StatementReader | null> | undefined;
  let parse: Promise<Query | null> | undefined;
  const treeOf = (plan: SqlPlan) => (parse ??= readSyntaxTree(plan));
  const getRemainingLimits = (): ProbeLimits => ({
    ...limits,
    timeoutMs: Math.max(1, Math.min(limits.timeoutMs, Math.round(deadline - performance.now()))),
  });
  const rows: Probes['fetchRows'] = (lensPlan, maxRows) =>
    withConcurrencyLimit(async () => {
      const result = await fetchGovernedRows(grantedLens, lensPlan, {
        ...getRemainingLimits(),
        maxRows,
      });
      return result.rows;
    });
  return {
    grantedLens,
    now: limits.now,
    fetchRows: rows,
    count: async (lensPlan) => Number((await rows(lensPlan, 1))[0]?.[0] ?? 0),
    lookUpValues: (mention, requestedValues) =>
      withConcurrencyLimit(() => probeValues(grantedLens, mention, requestedValues, getRemainingLimits())),
    parseTree: treeOf,
    analyzeStatement: (plan) => (pendingStatement ??= readStatement(plan, treeOf(plan))),
    unread: 'The statement is too large to prove.',
    reportOutdatedDictionary: () => limits.onOutdatedDictionary?.(grantedLens),
  };
}

/** The longest statement, in characters, that svc analyzes on the shared event loop. */
const MAX_STATEMENT_LENGTH = 20_000;

const readSyntaxTree = async ({ sql, grantedLens: { lens } }: SqlPlan): Promise<Query | null> =>
  sql.length > MAX_STATEMENT_LENGTH ? null : findDialect(lens.dialect).read(sql, new FaultCollector());

async function readStatement(
  { grantedLens: { lens } }: SqlPlan,
  parse: Promise<Query | null>,
): Promise<StatementReader | null> {
  const dialect = findDialect(lens.dialect);
  const query = await parse;
  if (!query) return null;
  const reader = new StatementReader(lens, dialect);
  reader.read(query);
  return reader;
}
