// Checks that the engine can compare the columns of every join, and that every join is many to one: the target columns
// are a declared key or have unique values. Also checks that primary keys are unique.
import type { Datatype } from '../../contract/warehouse.ts';
import { limitToFirstRows } from '../../plan/sql/limit-to-first-rows.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import { createJoinFact, formatColumnList } from '../model/facts.ts';
import {
  findDataset,
  type Lens,
  type LensDataset,
  type LensFact,
  type LensRelationship,
  SVC_CALLER,
} from '../model/lens.ts';
import { formatTableName, indentLines, toSqlName } from '../model/sql-name.ts';
import { guardStatementOverLens } from '../policies/governed-relations.ts';
import {
  type CheckedTable,
  catchErrorMessage,
  createProgressReporter,
  type LensCheck,
  MAX_CONCURRENT_CHECKS,
  READ_OPTIONS,
  TYPE_FAMILIES,
} from './checked-warehouse.ts';

/** The time limit for checking a key that no join uses, because its table can be large. */
const KEY_CHECK_TIMEOUT_MS = 5_000;

/** Returns the tables and columns of a lens in the catalog. */
export interface CatalogLookup {
  tableOf(dataset: LensDataset): CheckedTable | undefined;
  isSameName(a: string, b: string): boolean;
}

export async function checkJoins(check: LensCheck, catalog: CatalogLookup): Promise<ProjectProblem[]> {
  const faults = await checkKeys(check, catalog);
  const joins = [...check.lens.relationships.entries()].filter(
    ([index]) => !faults.some(({ pointer }) => pointer === `/relationships/${index}/to`),
  );
  const typeFaults = await mapInParallel(joins, MAX_CONCURRENT_CHECKS, async ([index, join]) => {
    const message = await findTypeFault(check, catalog, join);
    return message === null ? null : check.problemAt(['relationships', index], 'datatype', message);
  });
  return [...faults, ...typeFaults.filter((fault) => fault !== null)];
}

async function checkKeys(check: LensCheck, { tableOf, isSameName }: CatalogLookup): Promise<ProjectProblem[]> {
  const { lens, problemAt, report } = check;
  const isDeclaredKey = (target: LensDataset, columns: string[]): boolean => {
    const table = tableOf(target);
    const keys = [table?.primaryKey ?? [], ...(table?.uniqueKeys ?? [])].filter((key) => key.length > 0);
    return keys.some((key) => key.every((column) => columns.some((item) => isSameName(item, column))));
  };
  // svc checks each target once, even if it is the target of several joins or also a primary key.
  const targets = new Map<string, { target: LensDataset; columns: string[]; joins: number[] }>();
  const addTarget = (target: LensDataset, columns: string[], joins: number[]): void => {
    if (isDeclaredKey(target, columns)) return;
    const key = JSON.stringify([target.name, [...columns].sort()]);
    targets.set(key, { target, columns, joins: [...(targets.get(key)?.joins ?? []), ...joins] });
  };
  for (const dataset of lens.datasets) if (dataset.primaryKey.length > 0) addTarget(dataset, dataset.primaryKey, []);
  for (const [index, { to }] of lens.relationships.entries())
    addTarget(findDataset(lens, to.dataset)!, to.columns, [index]);
  const foundProblems = await mapInParallel(
    [...targets.values()],
    MAX_CONCURRENT_CHECKS,
    async ({ target, columns, joins }) => {
      if (!(await hasRepeatedValues(check, target, columns, joins.length > 0))) return [];
      const columnsText = `${target.name}(${columns.join(', ')})`;
      const report = (at: (string | number)[], fact: JoinFactClaim, message: string) =>
        problemAt(at, 'fan_out', message, isConfirmationWithdrawn(lens, fact) ? { severity: 'warning' } : {});
      if (joins.length === 0)
        return [
          report(
            ['datasets', target.name, 'primary_key'],
            { kind: 'key', of: target.name, says: formatColumnList(columns.join()) },
            `${columnsText} is not unique, so it is not a primary key. List columns that identify one row, or remove primary_key.`,
          ),
        ];
      return joins.map((index) =>
        report(
          ['relationships', index, 'to'],
          { kind: 'join', ...createJoinFact(lens.relationships[index]!) },
          `${columnsText} is not unique, so the join would count rows several times. Join on its key.`,
        ),
      );
    },
    createProgressReporter(report, 'joins'),
  );
  return foundProblems.flat();
}

type JoinFactClaim = Pick<LensFact, 'kind' | 'of' | 'says'>;

/**
 * Returns true if svc withdrew the confirmation of the fact. Repeated values then cause only a warning, so that
 * curators can still edit the lens.
 */
const isConfirmationWithdrawn = ({ facts = [] }: Lens, { kind, of, says }: JoinFactClaim): boolean =>
  facts.some(
    (fact) =>
      fact.kind === kind && fact.of === of && fact.says === says && fact.origin === 'inferred' && fact.withdrawn,
  );

/**
 * Returns true if the key has repeated values. If no join uses the key and the check times out, svc assumes that the
 * key is unique.
 */
async function hasRepeatedValues(
  { lens, warehouse }: LensCheck,
  target: LensDataset,
  columns: string[],
  isJoined: boolean,
): Promise<boolean> {
  const quotedColumns = columns.map((column) => toSqlName(lens.dialect, column));
  const innerSql = `select ${quotedColumns.join(', ')} from ${formatTableName(lens.dialect, target.source)} where ${quotedColumns.map((column) => `${column} is not null`).join(' and ')} group by ${quotedColumns.join(', ')} having count(*) > 1`;
  const firstRepeatSql = await limitToFirstRows(lens.dialect, innerSql, 1);
  const sql = `select count(*) as repeated from (\n${indentLines(firstRepeatSql)}\n) as twice`;
  const scope = { mode: 'verify', maxRows: null, extraColumns: columns } as const;
  const statement = await guardStatementOverLens(lens, SVC_CALLER, sql, scope);
  const options = isJoined ? READ_OPTIONS : { ...READ_OPTIONS, timeoutMs: KEY_CHECK_TIMEOUT_MS };
  try {
    const { rows } = await warehouse.fetch(statement, options);
    return Number(rows[0]?.[0] ?? 0) > 0;
  } catch (error) {
    if (!isJoined && error instanceof Problem && error.code === 'timeout') return false;
    throw error;
  }
}

async function findTypeFault(check: LensCheck, catalog: CatalogLookup, join: LensRelationship): Promise<string | null> {
  const { tableOf, isSameName } = catalog;
  const typesOf = ({ dataset, columns }: LensRelationship['from']): (Datatype | null)[] => {
    const table = tableOf(findDataset(check.lens, dataset)!);
    return columns.map((column) => table?.columns.find(({ name }) => isSameName(name, column))?.datatype ?? null);
  };
  const [from, to] = [typesOf(join.from), typesOf(join.to)];
  if (from.every((type, n) => !type || !to[n] || TYPE_FAMILIES[type] === TYPE_FAMILIES[to[n]])) return null;
  const reason = await catchErrorMessage(() => runTestJoin(check, join));
  const sideText = ({ dataset, columns }: LensRelationship['from'], types: (Datatype | null)[]): string =>
    `${dataset}(${columns.map((column, n) => `${column} ${types[n]}`).join(', ')})`;
  if (!reason) return null;
  return `The join of ${sideText(join.from, from)} with ${sideText(join.to, to)} does not run: ${reason} Join columns of one type.`;
}

/** Runs the join over all rows, because some engines fail only when they reach a value that they can't convert. */
async function runTestJoin({ lens, warehouse }: LensCheck, { from, to }: LensRelationship): Promise<void> {
  const [source, target] = [from, to].map(({ dataset }) =>
    formatTableName(lens.dialect, findDataset(lens, dataset)!.source),
  );
  const conditions = from.columns.map(
    (column, n) => `near_side.${toSqlName(lens.dialect, column)} = far_side.${toSqlName(lens.dialect, to.columns[n]!)}`,
  );
  const sql = `select count(*) as joined from ${source} as near_side join ${target} as far_side on ${conditions.join(' and ')}`;
  const extraColumns = [...from.columns, ...to.columns];
  const statement = await guardStatementOverLens(lens, SVC_CALLER, sql, {
    mode: 'verify',
    maxRows: null,
    extraColumns,
  });
  await warehouse.fetch(statement, READ_OPTIONS);
}
