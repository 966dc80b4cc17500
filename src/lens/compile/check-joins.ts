// Checks that every join is many to one: its target is a declared key, or has unique values.
import { guardSql } from '../../guard/guard-sql.ts';
import { limitToFirstRows } from '../../plan/sql/limit-to-first-rows.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { ReportProblem } from '../files/yaml-file.ts';
import { joinFactOf } from '../model/facts.ts';
import { type Lens, type LensDataset, SVC_CALLER } from '../model/lens.ts';
import { indentLines, sqlName, tableName } from '../model/sql-name.ts';
import { governedRelations } from '../policies/governed-relations.ts';
import {
  CHECK_OPTIONS,
  CHECKS_AT_ONCE,
  type CheckedTable,
  type CheckedWarehouse,
  createProgressReporter,
  type ReportProgress,
} from './checked-warehouse.ts';

export async function checkJoins(
  lens: Lens,
  {
    tableOf,
    sameName: isSameName,
  }: {
    tableOf(dataset: LensDataset): CheckedTable | undefined;
    sameName(a: string, b: string): boolean;
  },
  warehouse: CheckedWarehouse,
  complain: ReportProblem,
  report?: ReportProgress,
): Promise<ProjectProblem[]> {
  const isKey = (target: LensDataset, columns: string[]): boolean => {
    const table = tableOf(target);
    const keys = [table?.primaryKey ?? [], ...(table?.uniqueKeys ?? [])].filter((key) => key.length > 0);
    return keys.some((key) => key.every((column) => columns.some((item) => isSameName(item, column))));
  };
  // Joins with the same target share one check.
  const targets = new Map<string, { target: LensDataset; columns: string[]; joins: number[] }>();
  lens.relationships.forEach(({ to }, index) => {
    const target = lens.datasets.find(({ name }) => name === to.dataset)!;
    if (isKey(target, to.columns)) return;
    const key = JSON.stringify([to.dataset, [...to.columns].sort()]);
    const existingTarget = targets.get(key);
    if (existingTarget) existingTarget.joins.push(index);
    else targets.set(key, { target, columns: to.columns, joins: [index] });
  });
  const foundProblems = await mapInParallel(
    [...targets.values()],
    CHECKS_AT_ONCE,
    async ({ target, columns, joins }) => {
      if (!(await hasRepeats(lens, target, columns, warehouse))) return [];
      return joins.map((index) =>
        complain(
          ['relationships', index, 'to'],
          'fan_out',
          `${target.name}(${columns.join(', ')}) is not unique, so the join would count rows several times. Join on its key.`,
          isWithdrawn(lens, index) ? { severity: 'warning' } : {},
        ),
      );
    },
    createProgressReporter(report, 'joins'),
  );
  return foundProblems.flat();
}

/**
 * Whether svc withdrew the join's confirmation. Repeated values are then only a warning, so that the lens can change.
 */
function isWithdrawn({ relationships, facts = [] }: Lens, index: number): boolean {
  const { of, says } = joinFactOf(relationships[index]!);
  return facts.some(
    (fact) =>
      fact.kind === 'join' && fact.of === of && fact.says === says && fact.origin === 'inferred' && fact.withdrawn,
  );
}

async function hasRepeats(
  lens: Lens,
  target: LensDataset,
  columns: string[],
  warehouse: CheckedWarehouse,
): Promise<boolean> {
  const quotedColumns = columns.map((column) => sqlName(lens.dialect, column));
  const innerSql = `select ${quotedColumns.join(', ')} from ${tableName(lens.dialect, target.source)} where ${quotedColumns.map((column) => `${column} is not null`).join(' and ')} group by ${quotedColumns.join(', ')} having count(*) > 1`;
  const firstRepeatSql = await limitToFirstRows(lens.dialect, innerSql, 1);
  const statement = await guardSql(`select count(*) as repeated from (\n${indentLines(firstRepeatSql)}\n) as twice`, {
    dialect: lens.dialect,
    relations: await governedRelations(lens, SVC_CALLER),
    mode: 'verify',
    maxRows: null,
    extraColumns: columns,
  });
  const { rows } = await warehouse.fetch(statement, { maxRows: 1, maxBytes: 10_000, ...CHECK_OPTIONS });
  return Number(rows[0]?.[0] ?? 0) > 0;
}
