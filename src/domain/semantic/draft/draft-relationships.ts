import type { DialectName } from '../../../contract/warehouse.ts';
import { findDialect } from '../../../dialects/dialects.ts';
import { expandAbbreviations, toSnakeCase } from '../../../lens/model/name-words.ts';
import { toPlural, toSingular } from '../../../lens/model/singular.ts';
import { needsNoQuotes } from '../../../lens/model/sql-name.ts';
import { findNamesInComment } from '../columns/comment-words.ts';
import { type NamedTable, removeSeparators } from '../columns/schema-words.ts';
import { toPlainTableNames } from '../columns/table-words.ts';
import { parseIdentifyingName } from '../joins/name-joins.ts';
import type { DraftJoin } from '../joins/prove-joins.ts';
import { toUniqueName } from './draft-metrics.ts';
import { quoteIfNeeded } from './write-lens-yaml.ts';

type ColumnPaths = string | string[];
export interface DraftedRelationship {
  join: DraftJoin;
  body: { name?: string; from: ColumnPaths; to: ColumnPaths };
  /** For example, "all 24 values are in owners.vtownid, which is unique in 24 rows". */
  evidence: string;
}

/** Avoids reserved words of SQL, because expressions contain `dataset.field` unquoted. */
export function nameDatasets(tables: readonly NamedTable[], dialect: DialectName): Map<NamedTable, string> {
  const isUnreservedName = (name: string): boolean =>
    needsNoQuotes(name) && !findDialect(dialect).compiling.reserved.has(name);
  const toUnreservedName = (name: string): string => [name, toPlural(name)].find(isUnreservedName) ?? `${name}_table`;
  const tableCounts = new Map<string, number>();
  for (const { table } of tables) tableCounts.set(toSnakeCase(table), (tableCounts.get(toSnakeCase(table)) ?? 0) + 1);
  const usedNames = new Set<string>();
  const plainNames = toPlainTableNames(tables.map(({ table }) => table));
  return new Map(
    tables.map((table, index) => {
      const preferredName =
        tableCounts.get(toSnakeCase(table.table)) === 1
          ? plainNames[index]!
          : toSnakeCase(`${table.schema ?? ''}_${table.table}`);
      const name = toUniqueName(toUnreservedName(preferredName), usedNames);
      usedNames.add(name);
      return [table, name];
    }),
  );
}

/**
 * A role name distinguishes joins to the same dataset. A single join has a role name only if this name differs from the
 * dataset's name.
 */
export function draftRelationships(
  joins: readonly DraftJoin[],
  datasetNames: ReadonlyMap<NamedTable, string>,
  datasets: ReadonlySet<string>,
): DraftedRelationship[] {
  const datasetJoins = joins.filter(
    ({ from, to }) => datasets.has(datasetNames.get(from.table)!) && datasets.has(datasetNames.get(to.table)!),
  );
  const pairKey = ({ from, to }: DraftJoin) => `${datasetNames.get(from.table)} ${datasetNames.get(to.table)}`;
  const joinCounts = new Map<string, number>();
  for (const join of datasetJoins) joinCounts.set(pairKey(join), (joinCounts.get(pairKey(join)) ?? 0) + 1);
  const usedNames = new Set(datasetNames.values());
  return datasetJoins.map((join) => {
    const [from, to] = [datasetNames.get(join.from.table)!, datasetNames.get(join.to.table)!];
    const toPaths = (dataset: string, columns: string[]): ColumnPaths => {
      const paths = columns.map((column) => `${dataset}.${quoteIfNeeded(column)}`);
      return paths.length === 1 ? paths[0]! : paths;
    };
    const ends = { from: toPaths(from, join.from.columns), to: toPaths(to, join.to.columns) };
    const column = join.from.table.columns.find(({ name }) => name === join.from.columns[0]);
    const commentName = join.from.columns.length === 1 ? findNamesInComment(column?.comment ?? null, '')[0] : undefined;
    const roleName = toSnakeCase(commentName ?? column?.words ?? join.from.columns[0]!).replace(
      /_(id|key|code|no|number)$/,
      '',
    );
    const role = /^report(s|ing)?_to$/.test(roleName) ? 'manager' : roleName;
    const titles = [expandAbbreviations(join.to.table.table), ...findNamesInComment(join.to.table.comment, '')]
      .map(toSnakeCase)
      .map(toSingular);
    const isDefaultRole =
      join.from.columns.length > 1 ||
      titles.includes(toSingular(role)) ||
      removeSeparators(join.from.columns[0]!) === removeSeparators(join.to.columns[0]!) ||
      (column !== undefined &&
        parseIdentifyingName(join.from.table, column).stems.some((stem) => join.to.table.nameForms.has(stem)));
    const evidence = describeEvidence(join);
    if (isDefaultRole && from !== to && joinCounts.get(pairKey(join)) === 1) return { join, body: ends, evidence };
    const name = toUniqueName(usedNames.has(role) ? `${role}_${toSingular(to)}` : role, usedNames);
    usedNames.add(name);
    return { join, body: { name, ...ends }, evidence };
  });
}

function describeEvidence({ declared, evidence, to }: DraftJoin): string {
  if (declared) return 'foreign key';
  if (!evidence) return 'by name only, because svc read no values';
  const [checkedCount, matchedCount] = evidence.valueCounts!;
  const rows = evidence.keyUniqueness!.nonNullRows;
  return checkedCount === 0
    ? `by name only, because there are no values to compare. ${to.columns.join(', ')} is unique in ${rows} rows`
    : `${matchedCount === checkedCount ? `all ${checkedCount}` : `${matchedCount} of ${checkedCount}`} values are in ${to.table.table}.${to.columns.join(', ')}, which is unique in ${rows} rows`;
}
