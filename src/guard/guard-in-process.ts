// Checks SQL and turns it into a statement that svc can run, in the current process. The guard refuses node kinds,
// functions, types, operators, tables and columns that aren't listed, and reports all errors together.
import { findDialect, loadDialect } from '../dialects/dialects.ts';
import { FaultCollector, refuseStackOverflow } from '../dialects/fault-collector.ts';
import { formatSql } from '../dialects/format-sql.ts';
import type { Token } from '../dialects/lexer.ts';
import type { Query } from '../dialects/tree.ts';
import { Problem } from '../platform/problem.ts';
import {
  type GovernedRelation,
  type GuardedSql,
  type GuardReport,
  type GuardScope,
  toQualifiedName,
} from './guarded-sql.ts';
import { checkCharacters } from './raw-text.ts';
import { guardQuery } from './rules/guard-query.ts';
import type { OutputColumn } from './rules/name-scope.ts';
import { rewriteGovernedQuery, writeAndVerify } from './rules/rewrite.ts';
import { StatementAnalysis } from './rules/statement-analysis.ts';
import { checkTextsUnchanged, hideTableNames, qualifyCalls, withQualifiedCalls } from './rules/unambiguous-sql.ts';
import { explainAmbiguity } from './rules/written-names.ts';

export const guardInProcess = (sql: string, scope: GuardScope, tokens: readonly Token[]): Promise<GuardedSql> =>
  refuseStackOverflow(() => readAndGuard(sql, scope, tokens));

async function readAndGuard(sql: string, scope: GuardScope, tokens: readonly Token[]): Promise<GuardedSql> {
  const faults = new FaultCollector();
  const dialect = await loadDialect(scope.dialect);
  const boundSql = dialect.parameters.bind(sql, tokens, scope.parameters ?? [], faults);
  const query = await dialect.read(boundSql.sql, faults);
  if (!query) {
    faults.throwIfAny();
    throw new Problem('guard_refused', 'The SQL was refused: svc can’t parse it.');
  }
  const analysis = new StatementAnalysis(dialect, scope, faults);
  const outputs = guardQuery(analysis, query, boundSql.names.length);
  const showsApproved = scope.mode === 'govern' && scope.shown === 'approved' && !dialect.rewrites;
  const asWritten = showsApproved
    ? analysis.writtenNames.toApprovedSql(analysis.replaceableTables, boundSql.sql)
    : null;
  faults.throwIfAny();
  const isOrdered = query.orderBy.length > 0;
  const governedSql = scope.mode === 'govern' ? await rewriteGovernedQuery(analysis, query, scope.maxRows) : null;
  const faithfulSql = dialect.rewrites && !governedSql ? await writeAndVerify(dialect, query, faults) : null;
  faults.throwIfAny();
  const runs = governedSql ?? faithfulSql ?? { text: boundSql.sql, query };
  return markAsGuarded({
    ...describeStatement(analysis, outputs, isOrdered, scope),
    sql: scope.shown === 'approved' ? sql : runs.text,
    runs: qualifyCalls(dialect, runs.text, runs.query),
    approvedSql: asWritten,
    parameters: boundSql.names,
    needsOwnProcess: dialect.apart(runs.query),
  });
}

/** Checks the compiler's tree without parsing SQL. `sql` must be the SQL that the dialect writes for `query`. */
export const guardTree = (sql: string, query: Query, scope: GuardScope): Promise<GuardedSql> =>
  refuseStackOverflow(async () => {
    const faults = new FaultCollector();
    checkCharacters(sql, faults);
    faults.throwIfAny();
    const dialect = await loadDialect(scope.dialect);
    const analysis = new StatementAnalysis(dialect, scope, faults);
    const outputs = guardQuery(analysis, query, 0);
    faults.throwIfAny();
    const qualifiedQuery = withQualifiedCalls(dialect, dialect.names.nameStays ? hideTableNames(query) : query);
    const runs = qualifiedQuery === query ? sql : formatSql(dialect.write(qualifiedQuery));
    checkTextsUnchanged(dialect, runs, qualifiedQuery, faults);
    faults.throwIfAny();
    const facts = describeStatement(analysis, outputs, query.orderBy.length > 0, scope);
    const needsOwnProcess = dialect.apart(query);
    return markAsGuarded({ ...facts, sql, runs, approvedSql: null, parameters: [], needsOwnProcess });
  });

/**
 * Returns a statement that runs the approved SQL unchanged if that SQL can't refer to anything outside the lens.
 * Otherwise returns the statement with governed tables and the reason. `columnsOf` returns a table's columns, or null
 * if they are unknown.
 */
export async function keepApprovedSqlIfSafe(
  statement: GuardedSql,
  columnsOf: (relation: GovernedRelation) => Promise<readonly string[] | null>,
  runGoverned: () => Promise<GuardedSql>,
): Promise<GuardedSql> {
  const { approvedSql: asWritten } = statement;
  if (!asWritten) return statement;
  const dialect = findDialect(statement.dialect);
  const governedReasons = [...asWritten.objections];
  for (const reach of governedReasons.length > 0 ? [] : asWritten.ambiguousTables) {
    const reason = explainAmbiguity(reach, await columnsOf(reach.relation), dialect);
    if (reason) governedReasons.push(reason);
  }
  const runs = governedReasons.length > 0 ? await runGoverned() : { ...statement, runs: asWritten.text };
  return markAsGuarded({ ...runs, report: { ...runs.report, beneath: governedReasons } });
}

function describeStatement(
  analysis: StatementAnalysis,
  outputs: OutputColumn[],
  isOrdered: boolean,
  scope: GuardScope,
): Pick<GuardedSql, 'dialect' | 'constants' | 'columnCount' | 'report'> {
  const usedRelations = scope.relations.filter((relation) => analysis.relations.has(toQualifiedName(relation)));
  const policies =
    scope.mode === 'govern' ? analysis.policies : new Set(usedRelations.flatMap(({ policies }) => policies));
  const report: GuardReport = {
    verdict: 'allowed',
    relations: [...analysis.relations].sort(),
    functions: [...analysis.functions].sort(),
    columns: [...analysis.columns].sort(),
    policies: [...policies].sort(),
    masks: [...new Set(outputs.flatMap(({ masked }) => (masked === null ? [] : [masked])))].sort(),
    beneath: null,
    ordered: isOrdered,
  };
  return { dialect: scope.dialect, constants: analysis.constants, columnCount: outputs.length, report };
}

const markAsGuarded = (statement: Omit<GuardedSql, symbol>): GuardedSql => Object.freeze(statement) as GuardedSql;
