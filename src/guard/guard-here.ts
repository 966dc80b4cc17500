// Text to a statement that may run (SECURITY 3, layers 1 to 3), in this process. Deny by default: every node kind,
// function, type, operator, table and column must be known; all faults are named at once.
import { Problem } from '../platform/problem.ts';
import { foldName } from './analysis.ts';
import { unlistedReach } from './as-written.ts';
import { examineDuckdb } from './duckdb/examine.ts';
import type { Examined } from './examined.ts';
import { Faults, withinStack } from './faults.ts';
import { type GovernedRelation, type GuardedSql, type GuardReport, type GuardScope, qualified } from './guarded-sql.ts';
import type { Token } from './lexer.ts';
import { examineMysql } from './mysql/examine.ts';
import { markMysqlParameters } from './mysql/parameters.ts';
import { numberParameters } from './parameters.ts';
import { examinePostgres } from './postgres/examine.ts';
import { qualifyCalls } from './postgres/qualify-calls.ts';
import { proveLiterals } from './prove-literals.ts';

export const guardHere = (sql: string, scope: GuardScope, tokens: readonly Token[]): Promise<GuardedSql> =>
  withinStack(() => read(sql, scope, tokens));

async function read(sql: string, scope: GuardScope, tokens: readonly Token[]): Promise<GuardedSql> {
  const faults = new Faults();
  const declared = scope.parameters ?? [];
  const numbered =
    scope.dialect === 'mysql'
      ? markMysqlParameters(sql, declared, faults)
      : numberParameters(sql, tokens, declared, faults);
  const examined = await examine(numbered.sql, numbered.names.length, scope, faults);
  if (!examined) {
    faults.throwIfAny();
    throw new Problem('guard_refused', 'The SQL was refused: it could not be read.');
  }
  examined.analysis.size.result(examined.outputs.length);
  const { analysis } = examined;
  const approved = scope.mode === 'govern' && scope.shown === 'approved';
  const asWritten = approved ? analysis.written.found(analysis.replaceable, numbered.sql) : null;
  proveLiterals(numbered.sql, scope, analysis.constants, faults);
  faults.throwIfAny();
  let text = numbered.sql;
  if (scope.mode === 'govern') text = await examined.rewrite(scope.maxRows);
  faults.throwIfAny();
  const runs = scope.dialect === 'postgres' ? await qualifyCalls(text) : text;
  return brand({
    dialect: scope.dialect,
    sql: scope.shown === 'approved' ? sql : text,
    runs,
    asWritten,
    constants: analysis.constants.map(({ value }) => value),
    parameters: numbered.names,
    columns: examined.outputs.length,
    apart: examined.apart?.() ?? false,
    report: reportOf(examined, scope),
  });
}

/** An approved text runs as it stands where nothing that the lens does not list can be meant by it; else the governed
 *  form does, and the report says why. `columnsOf`: what a table has; null when that can't be told. */
export async function keepText(
  statement: GuardedSql,
  columnsOf: (relation: GovernedRelation) => Promise<readonly string[] | null>,
  governed: () => Promise<GuardedSql>,
): Promise<GuardedSql> {
  const { asWritten, dialect } = statement;
  if (!asWritten) return statement;
  const fold = (name: string) => foldName(dialect, name);
  const beneath = [...asWritten.never];
  for (const reach of beneath.length > 0 ? [] : asWritten.reaches) {
    const why = unlistedReach(reach, await columnsOf(reach.relation), { dialect, fold });
    if (why) beneath.push(why);
  }
  const runs = beneath.length > 0 ? await governed() : { ...statement, runs: asWritten.text };
  return brand({ ...runs, report: { ...runs.report, beneath } });
}

function examine(sql: string, parameters: number, scope: GuardScope, faults: Faults): Promise<Examined | null> {
  switch (scope.dialect) {
    case 'postgres':
      return examinePostgres(sql, parameters, scope, faults);
    case 'duckdb':
      return examineDuckdb(sql, parameters, scope, faults);
    case 'mysql':
      return examineMysql(sql, parameters, scope, faults);
  }
}

function reportOf({ analysis, outputs, ordered }: Examined, scope: GuardScope): GuardReport {
  const used = scope.relations.filter((relation) => analysis.relations.has(qualified(relation)));
  const policies = scope.mode === 'govern' ? analysis.policies : new Set(used.flatMap(({ policies }) => policies));
  return {
    verdict: 'allowed',
    relations: [...analysis.relations].sort(),
    functions: [...analysis.functions].sort(),
    columns: [...analysis.columns].sort(),
    policies: [...policies].sort(),
    masks: [...new Set(outputs.flatMap(({ masked }) => (masked === null ? [] : [masked])))].sort(),
    beneath: null,
    ordered,
  };
}

function brand(statement: Omit<GuardedSql, symbol>): GuardedSql {
  return Object.freeze(statement) as GuardedSql;
}
