// Resolves table names in FROM to relations of the scope.

import { suggestNames } from '../../dialects/fault-collector.ts';
import type { Table } from '../../dialects/tree.ts';
import { type GovernedRelation, toQualifiedName } from '../guarded-sql.ts';
import { createSource, type OutputColumn, type ScopeSource } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';

/** Reports an error and returns null if the scope has no such table. */
export function resolveTable(analysis: StatementAnalysis, table: Table): ScopeSource | null {
  const { alias, name } = table;
  const tableText = toQualifiedName({ source: { ...table, table: name } });
  const relations = findRelationsByName(analysis, table);
  if (relations.length === 0) {
    const knownTables = analysis.scope.relations.flatMap((relation) => [toQualifiedName(relation), relation.dataset]);
    analysis.faults.add('table', `The table ${tableText} is not in scope.${suggestNames(tableText, knownTables)}`);
    return null;
  }
  if (relations.length > 1 && analysis.isGoverning) {
    const names = relations.map(({ dataset }) => dataset).join(', ');
    analysis.faults.add('table', `The table ${tableText} matches several datasets. Use one of: ${names}.`);
    return null;
  }
  const relation = relations[0]!;
  analysis.size.addReads(1);
  analysis.relations.add(toQualifiedName(relation));
  if (!namesExactTable(analysis, table, relation))
    analysis.writtenNames.objections.add(`${tableText} is another name of ${toQualifiedName(relation)}`);
  const columns = analysis.isGoverning ? listGovernedColumns(relation) : listPhysicalColumns(analysis, relations);
  const schema = alias === null ? (relation.source.schema ?? analysis.dialect.defaultSchema) : null;
  return createSource(alias ?? name, columns, { relation, schema });
}

/** Returns true if the engine resolves the written name to exactly this table. */
export function namesExactTable(
  analysis: StatementAnalysis,
  { catalog, schema, name }: Table,
  { source }: GovernedRelation,
): boolean {
  const { dialect } = analysis;
  const isSameTableName = (a: string, b: string): boolean =>
    dialect.folding.tablesByServer ? a === b : analysis.isSameName(a, b);
  if (!isSameTableName(name, source.table)) return false;
  if (catalog !== null || source.catalog !== null)
    return isSameTableName(catalog ?? '', source.catalog ?? '') && isSameTableName(schema ?? '', source.schema ?? '');
  if (schema !== null) return isSameTableName(schema, source.schema ?? dialect.defaultSchema);
  // If the engine has its own table with this name, the name without a schema refers to the engine's table.
  return (source.schema ?? dialect.defaultSchema) === dialect.defaultSchema && !dialect.ownTables.test(name);
}

const listGovernedColumns = (relation: GovernedRelation): OutputColumn[] =>
  relation.columns.map((name) => ({
    name,
    masked: relation.masked.includes(name) ? `${relation.dataset}.${name}` : null,
  }));

/** Returns the physical columns, because the compiler's SQL refers to them. The compiler applies masks itself. */
const listPhysicalColumns = (analysis: StatementAnalysis, relations: GovernedRelation[]): OutputColumn[] => {
  const names = [...relations.flatMap((item) => [...item.columns, ...item.masked]), ...analysis.scope.extraColumns];
  return [...new Set(names)].map((name) => ({ name, masked: null }));
};

function findRelationsByName(analysis: StatementAnalysis, { catalog, schema, name }: Table): GovernedRelation[] {
  const { dialect, isGoverning } = analysis;
  const { relations } = analysis.scope;
  const { defaultSchema } = dialect;
  const isSameName = (a: string, b: string) => analysis.isSameName(a, b);
  const byTable = relations.filter(({ source }) => {
    if (!isSameName(source.table, name)) return false;
    if (catalog !== null && !isSameName(catalog, source.catalog ?? '')) return false;
    if (schema === null || isSameName(schema, source.schema ?? defaultSchema)) return true;
    return dialect.catalogAsSchema && catalog === null && source.catalog !== null && isSameName(schema, source.catalog);
  });
  if (byTable.length === 1) return byTable;
  // A name without a schema means a table of the default schema first, as in the engine.
  const byDefault = byTable.filter(({ source }) => schema === null && (source.schema ?? null) === defaultSchema);
  if (byDefault.length === 1) return byDefault;
  // If several datasets read the same table, their names distinguish them.
  const byDataset = isGoverning && schema === null ? relations.filter(({ dataset }) => isSameName(dataset, name)) : [];
  return byDataset.length === 1 ? byDataset : byTable;
}
