// What only the warehouse can say of a lens: columns exist, expressions run, types fit, joined keys are unique.
import type { Datatype } from '../contract/warehouse.ts';
import { guardSql } from '../guard/guard-sql.ts';
import type { GuardedSql } from '../guard/guarded-sql.ts';
import { Problem } from '../platform/problem.ts';
import { compileIntent } from './compile-intent.ts';
import { governedRelations } from './governed-relations.ts';
import { emptyIntent } from './intent.ts';
import type { Asker, Lens, LensDataset } from './lens.ts';
import { nearestNames, type ProjectProblem } from './project-problem.ts';
import { indent, sqlName, tableName } from './sql-name.ts';
import type { Complain } from './yaml-file.ts';

/** The part of a warehouse that the check needs. */
export interface CheckedWarehouse {
  catalog(): Promise<
    {
      catalog: string | null;
      schema: string | null;
      table: string;
      columns: { name: string }[];
      primaryKey: string[];
      uniqueKeys: string[][];
    }[]
  >;
  describe(statement: GuardedSql, options: { timeoutMs: number }): Promise<{ name: string; datatype: Datatype }[]>;
  fetch(
    statement: GuardedSql,
    options: { maxRows: number; maxBytes: number; timeoutMs: number },
  ): Promise<{ rows: unknown[][] }>;
}

const OWNER: Asker = { name: 'plan', groups: [], attributes: {}, superuser: true };
const TIMEOUT = { timeoutMs: 30_000 };
const FAMILY: Record<Datatype, string> = {
  string: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
  datetimetz: 'time',
  time: 'clock',
};

export async function checkAgainstWarehouse(
  lens: Lens,
  warehouse: CheckedWarehouse,
  complain: Complain,
): Promise<ProjectProblem[]> {
  const problems: ProjectProblem[] = [];
  const tables = await warehouse.catalog();
  const same = (a: string, b: string): boolean =>
    lens.dialect === 'duckdb' ? a.toLowerCase() === b.toLowerCase() : a === b;
  const tableOf = ({ source }: LensDataset) =>
    tables.find(
      ({ catalog, schema, table }) =>
        same(table, source.table) &&
        (!source.schema || !schema || same(schema, source.schema)) &&
        (!source.catalog || !catalog || same(catalog, source.catalog)),
    );
  for (const dataset of lens.datasets) {
    const table = tableOf(dataset);
    const at = ['datasets', dataset.name];
    if (!table) {
      const known = tables.map((one) => [one.schema, one.table].filter(Boolean).join('.'));
      const near = nearestNames([dataset.source.schema, dataset.source.table].filter(Boolean).join('.'), known);
      problems.push(
        complain(
          [...at, 'source'],
          'unknown_name',
          `The warehouse has no table ${tableName(lens.dialect, dataset.source)}.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
        ),
      );
      continue;
    }
    const columns = table.columns.map(({ name }) => name);
    const need = (column: string, place: (string | number)[]): void => {
      if (columns.some((name) => same(name, column))) return;
      const near = nearestNames(column, columns);
      problems.push(
        complain(
          place,
          'unknown_name',
          `${table.table} has no column "${column}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
        ),
      );
    };
    for (const { name, expression } of dataset.fields) if (!expression) need(name, [...at, 'fields', name]);
    dataset.primaryKey.forEach((column, index) => void need(column, [...at, 'primary_key', index]));
    lens.relationships.forEach(({ from, to }, index) => {
      if (from.dataset === dataset.name)
        for (const column of from.columns) need(column, ['relationships', index, 'from']);
      if (to.dataset === dataset.name) for (const column of to.columns) need(column, ['relationships', index, 'to']);
    });
  }
  if (problems.length > 0) return problems;
  for (const dataset of lens.datasets)
    for (const field of dataset.fields)
      if (field.expression || !field.masked)
        problems.push(...(await checkField(lens, dataset, field.name, warehouse, complain)));
  if (problems.length > 0) return problems;
  for (const metric of lens.metrics) {
    const intent = { ...emptyIntent(), measures: [{ kind: 'metric' as const, name: metric.name }] };
    const reason = await failure(async () => {
      const { sql, extraColumns, literals } = compileIntent(lens, intent, OWNER, { maxRows: 1 });
      await warehouse.describe(
        await guardSql(sql, {
          dialect: lens.dialect,
          relations: governedRelations(lens, OWNER),
          mode: 'verify',
          maxRows: null,
          extraColumns,
          literals,
        }),
        TIMEOUT,
      );
    });
    if (reason)
      problems.push(
        complain(
          ['metrics', metric.name, 'expression'],
          'expression',
          `The metric "${metric.name}" does not run: ${reason}`,
        ),
      );
  }
  for (const [index, { to }] of lens.relationships.entries()) {
    const target = lens.datasets.find(({ name }) => name === to.dataset)!;
    const table = tableOf(target);
    const keys = [table?.primaryKey ?? [], ...(table?.uniqueKeys ?? [])].filter((key) => key.length > 0);
    if (keys.some((key) => key.every((column) => to.columns.some((one) => same(one, column))))) continue;
    if (await repeats(lens, target, to.columns, warehouse))
      problems.push(
        complain(
          ['relationships', index, 'to'],
          'fan_out',
          `${to.dataset}(${to.columns.join(', ')}) is not unique, so joining it would count rows several times; join on its key.`,
        ),
      );
  }
  return problems;
}

async function checkField(
  lens: Lens,
  dataset: LensDataset,
  name: string,
  warehouse: CheckedWarehouse,
  complain: Complain,
): Promise<ProjectProblem[]> {
  const field = dataset.fields.find((one) => one.name === name)!;
  const at = ['datasets', dataset.name, 'fields', name];
  const sql = `select ${sqlName(lens.dialect, name)} from ${tableName(lens.dialect, dataset.source)}`;
  const relations = governedRelations(
    { ...lens, datasets: [{ ...dataset, fields: [{ ...field, masked: false }] }] },
    OWNER,
  );
  let found: Datatype | undefined;
  const reason = await failure(async () => {
    found = (
      await warehouse.describe(
        await guardSql(sql, { dialect: lens.dialect, relations, mode: 'govern', maxRows: 1 }),
        TIMEOUT,
      )
    )[0]?.datatype;
  });
  if (reason)
    return [
      complain(
        [...at, ...(field.expression ? ['expression'] : [])],
        'expression',
        `The field "${name}" does not run: ${reason}`,
      ),
    ];
  if (!found || FAMILY[found] === FAMILY[field.datatype]) return [];
  return [
    complain(
      [...at, 'datatype'],
      'datatype',
      `${dataset.name}.${name} is declared ${field.datatype}; the warehouse says ${found}.`,
    ),
  ];
}

async function repeats(
  lens: Lens,
  target: LensDataset,
  columns: string[],
  warehouse: CheckedWarehouse,
): Promise<boolean> {
  const list = columns.map((column) => sqlName(lens.dialect, column));
  const inner = `select ${list.join(', ')} from ${tableName(lens.dialect, target.source)} where ${list.map((column) => `${column} is not null`).join(' and ')} group by ${list.join(', ')} having count(*) > 1 limit 1`;
  const statement = await guardSql(`select count(*) as repeated from (\n${indent(inner)}\n) as twice`, {
    dialect: lens.dialect,
    relations: governedRelations(lens, OWNER),
    mode: 'verify',
    maxRows: null,
    extraColumns: columns,
  });
  const { rows } = await warehouse.fetch(statement, { maxRows: 1, maxBytes: 10_000, ...TIMEOUT });
  return Number(rows[0]?.[0] ?? 0) > 0;
}

/** The engine's reason is for the author of the lens, who already sees the warehouse. */
async function failure(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || ['unreachable', 'timeout'].includes(error.code)) throw error;
    return error.detail ?? error.message;
  }
}
