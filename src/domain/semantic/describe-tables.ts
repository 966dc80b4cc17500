import { toSnakeCase } from '../../lens/model/name-words.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import type { CatalogTable } from '../ports.ts';
import { classifyRows } from './columns/classify-rows.ts';
import { findColumnAdditivity } from './columns/column-additivity.ts';
import { decideColumnRole } from './columns/column-roles.ts';
import { readSchemaInSteps } from './columns/schema-words.ts';
import { findJoinsByNamesAlone } from './joins/prove-joins.ts';

export const describeTables = (tables: CatalogTable[]) => runInTurns(describeTablesInSteps(tables));

function* describeTablesInSteps(catalogTables: CatalogTable[]) {
  const tables = yield* readSchemaInSteps(catalogTables);
  const joins = yield* findJoinsByNamesAlone(tables);
  const qualifyName = (table: CatalogTable): string => [table.schema, table.table].filter(Boolean).join('.');
  const descriptions = [];
  for (const table of tables) {
    const tableJoins = joins.filter(({ from }) => from.table === table);
    const keys = new Set([...table.primaryKey, ...tableJoins.flatMap(({ from }) => from.columns)]);
    const rows = classifyRows(table, table.rowNoun);
    descriptions.push({
      table: qualifyName(table),
      dataset: toSnakeCase(table.table),
      rows: table.rowEstimate,
      primary_key: table.primaryKey,
      columns: table.columns.map((column) => {
        const { how } = findColumnAdditivity({ ...column, synonyms: [] }, table, rows);
        return {
          name: column.name,
          datatype: column.datatype,
          role: decideColumnRole(column, keys.has(column.name), how),
        };
      }),
      joins: tableJoins.map(({ from, to, declared }) => ({
        columns: from.columns,
        to: qualifyName(to.table),
        to_columns: to.columns,
        declared,
      })),
    });
    yield;
  }
  return descriptions;
}
