// Checks a lens against its warehouse: the columns exist, expressions run, types match, and join targets are unique.

import type { Datatype } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { foldName } from '../../dialects/fold-name.ts';
import { createDidYouMeanHint } from '../../platform/closest-names.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { ProblemFactory, ProblemReporter } from '../files/yaml-file.ts';
import { findDatasetOfPath } from '../model/join-paths.ts';
import type { Lens, LensDataset } from '../model/lens.ts';
import { formatTableName } from '../model/sql-name.ts';
import { checkFields, checkMetrics } from './check-fields.ts';
import { checkJoins } from './check-joins.ts';
import { checkDataTimestamp, checkPolicies } from './check-policies.ts';
import type { CheckedWarehouse, LensCheck, ProgressReporter } from './checked-warehouse.ts';

export async function checkAgainstWarehouse(
  lens: Lens,
  warehouse: CheckedWarehouse,
  problemAt: ProblemFactory,
  report?: ProgressReporter,
): Promise<ProjectProblem[]> {
  const problems: ProjectProblem[] = [];
  const add: ProblemReporter = (...args) => void problems.push(problemAt(...args));
  const tables = await warehouse.catalog();
  const dialect = findDialect(lens.dialect);
  const isSameName = (a: string, b: string): boolean =>
    dialect.folding.tablesByServer ? a === b : foldName(dialect, a) === foldName(dialect, b);
  const tableOf = ({ source }: LensDataset) =>
    tables.find(
      ({ catalog, schema, table }) =>
        isSameName(table, source.table) &&
        (!source.schema || !schema || isSameName(schema, source.schema)) &&
        (!source.catalog || !catalog || isSameName(catalog, source.catalog)),
    );
  for (const dataset of lens.datasets) {
    const table = tableOf(dataset);
    const datasetPath = ['datasets', dataset.name];
    if (!table) {
      const tableNames = tables.map((table) => [table.schema, table.table].filter(Boolean).join('.'));
      const sourceTable = [dataset.source.schema, dataset.source.table].filter(Boolean).join('.');
      add(
        [...datasetPath, 'source'],
        'unknown_name',
        `The warehouse has no table ${formatTableName(lens.dialect, dataset.source)}.${createDidYouMeanHint(sourceTable, tableNames)}`,
      );
      continue;
    }
    const columns = table.columns.map(({ name }) => name);
    const requireColumn = (column: string, problemPath: (string | number)[]): void => {
      if (columns.some((name) => isSameName(name, column))) return;
      add(
        problemPath,
        'unknown_name',
        `${table.table} has no column "${column}".${createDidYouMeanHint(column, columns)}`,
      );
    };
    const plainFieldNames = dataset.fields.filter(({ expression }) => !expression).map(({ name }) => name);
    dataset.whole = columns.every((column) => plainFieldNames.includes(column));
    for (const field of dataset.fields) {
      const { name, expression } = field;
      if (expression) continue;
      requireColumn(name, [...datasetPath, 'fields', name]);
      const storedColumn = table.columns.find((column) => isSameName(column.name, name));
      if (storedColumn?.nullable === false) field.nullable = false;
      if (storedColumn?.comparesAsText) field.comparesAsText = true;
    }
    lens.rowPolicies.forEach((policy, index) => {
      const joinsHere = (policy.joins ?? []).filter(({ path }) => findDatasetOfPath(lens, path)?.name === dataset.name);
      const ownColumns = policy.dataset === dataset.name ? (policy.unlisted ?? []) : [];
      const foundTypes: Record<string, Datatype> = {};
      const readColumns = [
        ...ownColumns.map((column) => ({ column, path: dataset.name })),
        ...joinsHere.flatMap(({ path, unlisted }) => unlisted.map((column) => ({ column, path }))),
      ];
      for (const { column, path } of readColumns) {
        const storedColumn = table.columns.find(({ name }) => isSameName(name, column));
        if (storedColumn) foundTypes[`${path}.${column}`] = storedColumn.datatype ?? 'string';
        if (storedColumn) continue;
        const knownNames = [...columns, ...dataset.fields.map(({ name }) => name)];
        add(
          ['row_policies', index, 'filter'],
          'unknown_name',
          `The row policy "${policy.name}" uses "${column}", which is neither a field of ${dataset.name} nor a column of ${table.table}.${createDidYouMeanHint(column, knownNames)}`,
        );
      }
      const { columnTypes } = lens.rowPolicies[index]!;
      if (readColumns.length > 0)
        lens.rowPolicies[index] = { ...policy, columnTypes: { ...columnTypes, ...foundTypes } };
    });
    dataset.primaryKey.forEach((column, index) => void requireColumn(column, [...datasetPath, 'primary_key', index]));
    lens.relationships.forEach(({ from, to }, index) => {
      if (from.dataset === dataset.name)
        for (const column of from.columns) requireColumn(column, ['relationships', index, 'from']);
      if (to.dataset === dataset.name)
        for (const column of to.columns) requireColumn(column, ['relationships', index, 'to']);
    });
  }
  if (problems.length > 0) return problems;
  const check: LensCheck = { lens, warehouse, problemAt, report };
  const fieldProblems = await checkFields(check);
  if (fieldProblems.length > 0) return fieldProblems;
  return [
    ...(await checkPolicies(check)),
    ...(await checkDataTimestamp(check)),
    ...(await checkMetrics(check)),
    ...(await checkJoins(check, { tableOf, isSameName })),
  ];
}
