// Checks that the engine can compare the columns of every join, and that every join is many to one: its target is a
// declared key or has unique values. svc also checks that primary keys are unique.
import type { Datatype } from '../../contract/warehouse.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import { limitToFirstRows } from '../../plan/sql/limit-to-first-rows.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { CreateProblem } from '../files/yaml-file.ts';
import { columnList, joinFactOf } from '../model/facts.ts';
import { type Lens, type LensDataset, type LensFact, type LensRelationship, SVC_CALLER } from '../model/lens.ts';
import { indentLines, sqlName, tableName } from '../model/sql-name.ts';
import { governedRelations } from '../policies/governed-relations.ts';
import { TYPE_FAMILIES } from './check-fields.ts';
import {
  CHECK_OPTIONS,
  CHECKS_AT_ONCE,
  type CheckedTable,
  type CheckedWarehouse,
  captureFailure,
  createProgressReporter,
  type ReportProgress,
} from './checked-warehouse.ts';

/** The time limit for checking a key that no join uses, because its table can be large. */
const KEY_CHECK_OPTIONS = { timeoutMs: 5_000 };

export async function checkJoins(
  lens: Lens,
  {
    tableOf,
    isSameName,
  }: {
    tableOf(dataset: LensDataset): CheckedTable | undefined;
    isSameName(a: string, b: string): boolean;
  },
  warehouse: CheckedWarehouse,
  complain: CreateProblem,
  report?: ReportProgress,
): Promise<ProjectProblem[]> {
  const isKey = (target: LensDataset, columns: string[]): boolean => {
    const table = tableOf(target);
    const keys = [table?.primaryKey ?? [], ...(table?.uniqueKeys ?? [])].filter((key) => key.length > 0);
    return keys.some((key) => key.every((column) => columns.some((item) => isSameName(item, column))));
  };
  /** If no join uses a key and its check times out, svc assumes that the key is unique. */
  const findRepeats = async (target: LensDataset, columns: string[], isRequired: boolean): Promise<boolean> => {
    try {
      return await hasRepeats(lens, target, columns, warehouse, isRequired ? CHECK_OPTIONS : KEY_CHECK_OPTIONS);
    } catch (error) {
      if (!isRequired && error instanceof Problem && error.code === 'timeout') return false;
      throw error;
    }
  };
  // svc checks each target once, even if several joins share it or it is also a primary key.
  const targets = new Map<string, { target: LensDataset; columns: string[]; joins: number[] }>();
  const addTarget = (target: LensDataset, columns: string[], join: number | null): void => {
    if (isKey(target, columns)) return;
    const key = JSON.stringify([target.name, [...columns].sort()]);
    const item = targets.get(key) ?? { target, columns, joins: [] };
    if (join !== null) item.joins.push(join);
    targets.set(key, item);
  };
  for (const dataset of lens.datasets) if (dataset.primaryKey.length > 0) addTarget(dataset, dataset.primaryKey, null);
  lens.relationships.forEach(
    ({ to }, index) => void addTarget(lens.datasets.find(({ name }) => name === to.dataset)!, to.columns, index),
  );
  const foundProblems = await mapInParallel(
    [...targets.values()],
    CHECKS_AT_ONCE,
    async ({ target, columns, joins }) => {
      if (!(await findRepeats(target, columns, joins.length > 0))) return [];
      const columnsText = `${target.name}(${columns.join(', ')})`;
      const createFanOutProblem = (
        at: (string | number)[],
        fact: Pick<LensFact, 'kind' | 'of' | 'says'>,
        message: string,
      ) => complain(at, 'fan_out', message, isWithdrawn(lens, fact) ? { severity: 'warning' } : {});
      if (joins.length === 0)
        return [
          createFanOutProblem(
            ['datasets', target.name, 'primary_key'],
            { kind: 'key', of: target.name, says: columnList(columns.join()) },
            `${columnsText} is not unique, so it is not a primary key. List columns that identify one row, or remove primary_key.`,
          ),
        ];
      return joins.map((index) =>
        createFanOutProblem(
          ['relationships', index, 'to'],
          { kind: 'join', ...joinFactOf(lens.relationships[index]!) },
          `${columnsText} is not unique, so the join would count rows several times. Join on its key.`,
        ),
      );
    },
    createProgressReporter(report, 'joins'),
  );
  const faults = foundProblems.flat();
  const typeFaults = await mapInParallel([...lens.relationships.entries()], CHECKS_AT_ONCE, async ([index, join]) => {
    const [from, to] = [join.from, join.to].map(({ dataset, columns }) => {
      const table = tableOf(lens.datasets.find(({ name }) => name === dataset)!);
      return columns.map((column) => table?.columns.find(({ name }) => isSameName(name, column))?.datatype ?? null);
    }) as [(Datatype | null)[], (Datatype | null)[]];
    const isFaulty = faults.some(({ pointer }) => pointer === `/relationships/${index}/to`);
    const differs = !isFaulty && from.some((type, n) => type && to[n] && TYPE_FAMILIES[type] !== TYPE_FAMILIES[to[n]]);
    const reason = differs && (await captureFailure(() => runJoin(lens, join, warehouse)));
    if (!reason) return [];
    const sideText = ({ dataset, columns }: LensRelationship['from'], types: (Datatype | null)[]): string =>
      `${dataset}(${columns.map((column, n) => `${column} ${types[n]}`).join(', ')})`;
    const message = `The join of ${sideText(join.from, from)} with ${sideText(join.to, to)} does not run: ${reason} Join columns of one type.`;
    return [complain(['relationships', index], 'datatype', message)];
  });
  return [...faults, ...typeFaults.flat()];
}

/**
 * Reads all rows, because an engine that converts the values of one side fails only when it reaches a value that it
 * can't convert.
 */
async function runJoin(lens: Lens, { from, to }: LensRelationship, warehouse: CheckedWarehouse): Promise<void> {
  const [source, target] = [from, to].map(({ dataset }) =>
    tableName(lens.dialect, lens.datasets.find(({ name }) => name === dataset)!.source),
  );
  const conditions = from.columns.map(
    (column, n) => `near_side.${sqlName(lens.dialect, column)} = far_side.${sqlName(lens.dialect, to.columns[n]!)}`,
  );
  const sql = `select count(*) as joined from ${source} as near_side join ${target} as far_side on ${conditions.join(' and ')}`;
  const statement = await guardSql(sql, {
    dialect: lens.dialect,
    relations: await governedRelations(lens, SVC_CALLER),
    mode: 'verify',
    maxRows: null,
    extraColumns: [...from.columns, ...to.columns],
  });
  await warehouse.fetch(statement, { maxRows: 1, maxBytes: 10_000, ...CHECK_OPTIONS });
}

/**
 * True if svc withdrew the confirmation. Repeated values then cause only a warning, so that the lens can still change.
 */
const isWithdrawn = ({ facts = [] }: Lens, { kind, of, says }: Pick<LensFact, 'kind' | 'of' | 'says'>): boolean =>
  facts.some(
    (fact) =>
      fact.kind === kind && fact.of === of && fact.says === says && fact.origin === 'inferred' && fact.withdrawn,
  );

async function hasRepeats(
  lens: Lens,
  target: LensDataset,
  columns: string[],
  warehouse: CheckedWarehouse,
  options: { timeoutMs: number },
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
  const { rows } = await warehouse.fetch(statement, { maxRows: 1, maxBytes: 10_000, ...options });
  return Number(rows[0]?.[0] ?? 0) > 0;
}
