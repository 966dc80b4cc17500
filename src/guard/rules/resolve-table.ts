// Resolves table names in FROM to relations of the scope.

import { suggestNames } from '../../dialects/faults.ts';
import { type GovernedRelation, qualified } from '../guarded-sql.ts';
import type { Analysis } from './analysis.ts';
import { makeSource, type OutputColumn, type Source } from './name-scope.ts';

interface TableName {
  catalog: string;
  schema: string;
  table: string;
}

/** Adds a fault and returns null if the scope has no such table. */
export function resolveTable(analysis: Analysis, name: TableName, alias: string): Source | null {
  const written = [name.catalog, name.schema, name.table].filter((part) => part !== '').join('.');
  const found = relationsCalled(analysis, name);
  if (found.length === 0) {
    const knownTables = analysis.scope.relations.flatMap((relation) => [qualified(relation), relation.dataset]);
    analysis.faults.add('table', `The table ${written} is not in scope.${suggestNames(written, knownTables)}`);
    return null;
  }
  if (found.length > 1 && analysis.governing) {
    const names = found.map(({ dataset }) => dataset).join(', ');
    analysis.faults.add('table', `The table ${written} matches several datasets. Use one of: ${names}.`);
    return null;
  }
  const relation = found[0]!;
  analysis.size.read(1);
  analysis.relations.add(qualified(relation));
  if (!isOwnName(analysis, name, relation))
    analysis.written.never.add(`${written} is another name of ${qualified(relation)}`);
  return makeSource(
    alias || name.table,
    analysis.governing ? governedColumns(relation) : physicalColumns(analysis, found),
    {
      relation,
      schema: alias === '' ? (relation.source.schema ?? analysis.dialect.defaultSchema) : null,
    },
  );
}

/** True if the engine finds exactly this table by the name as written. */
export function isOwnName(analysis: Analysis, name: TableName, { source }: GovernedRelation): boolean {
  const { catalog, schema, table } = name;
  const { dialect } = analysis;
  const exact = (a: string, b: string): boolean => (dialect.folding.tablesByServer ? a === b : analysis.same(a, b));
  if (!exact(table, source.table)) return false;
  if (catalog !== '' || source.catalog !== null)
    return exact(catalog, source.catalog ?? '') && exact(schema, source.schema ?? '');
  if (schema !== '') return exact(schema, source.schema ?? dialect.defaultSchema);
  // The engine's own tables come before those of the warehouse.
  return (source.schema ?? dialect.defaultSchema) === dialect.defaultSchema && !dialect.ownTables.test(table);
}

const governedColumns = (relation: GovernedRelation): OutputColumn[] =>
  relation.columns.map((name) => ({
    name,
    masked: relation.masked.includes(name) ? `${relation.dataset}.${name}` : null,
  }));

/** The compiler writes physical columns, and applies masks itself. */
const physicalColumns = (analysis: Analysis, found: GovernedRelation[]): OutputColumn[] => {
  const names = [...found.flatMap((item) => [...item.columns, ...item.masked]), ...analysis.scope.extraColumns];
  return [...new Set(names)].map((name) => ({ name, masked: null }));
};

function relationsCalled(analysis: Analysis, { catalog, schema, table }: TableName): GovernedRelation[] {
  const { dialect, governing } = analysis;
  const { relations } = analysis.scope;
  const { defaultSchema } = dialect;
  const same = (a: string, b: string) => analysis.same(a, b);
  const byTable = relations.filter(({ source }) => {
    if (!same(source.table, table)) return false;
    if (catalog !== '' && !same(catalog, source.catalog ?? '')) return false;
    if (schema === '' || same(schema, source.schema ?? defaultSchema)) return true;
    return dialect.catalogAsSchema && catalog === '' && source.catalog !== null && same(schema, source.catalog);
  });
  if (byTable.length === 1) return byTable;
  // A name without a schema means a table of the default schema first, as in the engine.
  const byDefault = byTable.filter(({ source }) => schema === '' && (source.schema ?? null) === defaultSchema);
  if (byDefault.length === 1) return byDefault;
  // The names of datasets distinguish those with the same table.
  const byDataset = governing && schema === '' ? relations.filter(({ dataset }) => same(dataset, table)) : [];
  return byDataset.length === 1 ? byDataset : byTable;
}
