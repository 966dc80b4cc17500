// Describes tables for a draft: the probable role of each column, and the joins.

import { toSnakeCase } from '../../lens/model/name-words.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import type { CatalogTable } from '../ports.ts';
import { findColumnAdditivity } from './columns/column-additivity.ts';
import { decideRole } from './columns/column-roles.ts';
import { classifyRows } from './columns/rows-in-time.ts';
import { readSchemaInSteps } from './columns/schema-words.ts';
import { findJoinsByNamesAlone } from './joins/prove-joins.ts';

export const describeTables = (tables: CatalogTable[]) => runInTurns(describeTablesInSteps(tables));

function* describeTablesInSteps(tables: CatalogTable[]) {
  const words = yield* readSchemaInSteps(tables);
  const joins = yield* findJoinsByNamesAlone(tables, words);
  const qualifiedName = (table: CatalogTable): string => [table.schema, table.table].filter(Boolean).join('.');
  const descriptions = [];
  for (const table of tables) {
    const tableJoins = joins.filter(({ from }) => from.table === table);
    const keys = new Set([...table.primaryKey, ...tableJoins.flatMap(({ from }) => from.columns)]);
    descriptions.push({
      table: qualifiedName(table),
      dataset: toSnakeCase(table.table),
      rows: table.rowEstimate,
      primary_key: table.primaryKey,
      columns: table.columns.map((column) => ({
        name: column.name,
        datatype: column.datatype,
        role: decideRole(
          column,
          words.get(table)!.wordsOf(column),
          keys.has(column.name),
          findColumnAdditivity(
            { ...column, synonyms: [] },
            table,
            classifyRows(table, words.get(table)!.thing, () => undefined),
          ).how,
          undefined,
        ),
      })),
      joins: tableJoins.map(({ from, to, declared }) => ({
        columns: from.columns,
        to: qualifiedName(to.table),
        to_columns: to.columns,
        declared,
      })),
    });
    yield;
  }
  return descriptions;
}
