// Writes the SELECT that replaces each dataset's table in SQL from callers, models and certified entries. The SELECT
// applies the row policies and masks, and contains only the fields of the dataset.
import { findDialect } from '../../dialects/dialects.ts';
import type { Query } from '../../dialects/tree.ts';
import { guardWithCache } from '../../guard/guard-sql.ts';
import type { GovernedRelation, GuardedSql, GuardScope } from '../../guard/guarded-sql.ts';
import { createConstant } from '../../guard/literals.ts';
import { memoizeAsync } from '../../platform/memoize.ts';
import type { Caller, Lens, LensDataset, LensField } from '../model/lens.ts';
import { getAuthoredReader } from './authored-reader.ts';
import { createSelectBody } from './dataset-source.ts';
import { findPolicies, type PolicyWriteContext } from './row-policies.ts';

/** Caches the relations for up to 500 callers of each lens. */
const cacheRelations = memoizeAsync<Lens, GovernedRelation[]>(500);

/**
 * The result is frozen, because svc caches it by lens and by the caller's name, groups and attributes. `onlyFields`
 * lists the fields that a statement reads (`dataset.field`), so that the statement doesn't depend on other fields.
 */
export function createGovernedRelations(
  lens: Lens,
  caller: Caller,
  onlyFields?: ReadonlySet<string>,
): Promise<GovernedRelation[]> {
  const { name, groups, attributes, superuser } = caller;
  const key = JSON.stringify([name, groups, attributes, superuser, onlyFields ? [...onlyFields].sort() : null]);
  return cacheRelations(lens, key, () => writeRelations(lens, caller, onlyFields));
}

/**
 * Guards a statement over the tables of a lens, so that it returns only the rows and columns that the caller may see.
 */
export const guardStatementOverLens = async (
  lens: Lens,
  caller: Caller,
  sql: string,
  options: Omit<GuardScope, 'dialect' | 'relations'>,
  query?: Query,
): Promise<GuardedSql> =>
  guardWithCache(
    sql,
    { dialect: lens.dialect, relations: await createGovernedRelations(lens, caller), ...options },
    query,
  );

/** Also guards SQL that svc compiled, so that this SQL can't read outside the lens. */
export const guardCompiledSql = (
  lens: Lens,
  caller: Caller,
  { sql, query, extraColumns }: { sql: string; query: Query; extraColumns: string[] },
): Promise<GuardedSql> =>
  guardStatementOverLens(lens, caller, sql, { mode: 'verify', extraColumns, maxRows: null }, query);

async function writeRelations(
  lens: Lens,
  caller: Caller,
  onlyFields?: ReadonlySet<string>,
): Promise<GovernedRelation[]> {
  const { write } = findDialect(lens.dialect);
  const writing: PolicyWriteContext = {
    lens,
    caller,
    readAuthored: await getAuthoredReader(lens),
    literal: (value, datatype) => createConstant(lens.dialect, value, datatype),
  };
  const everyColumn = lens.datasets.flatMap(({ fields }) => fields.map(({ name }) => name));
  const relations = lens.datasets.map((dataset): GovernedRelation => {
    const readFields = dataset.fields.filter(({ name }) => !onlyFields || onlyFields.has(`${dataset.name}.${name}`));
    const fields = readFields.length > 0 ? readFields : dataset.fields.slice(0, 1);
    const columns = fields.map(({ name }) => name);
    const maskedNames = fields.filter((field) => field.masked).map(({ name }) => name);
    const rawNames = Object.fromEntries(maskedNames.map((name) => [name, chooseUnusedName(name, everyColumn)]));
    const policies = findPolicies(lens, dataset.name, caller);
    const plainFields = fields.filter((field) => !field.masked && field.expression === null);
    return {
      source: dataset.source,
      dataset: dataset.name,
      columns,
      masked: maskedNames,
      body: write(createSelectBody(writing, dataset, columns, { keys: [], keepsMaskedValues: false })),
      ...(maskedNames.length > 0 && {
        raw: {
          body: write(
            createSelectBody(writing, dataset, columns, {
              keys: [],
              keepsMaskedValues: false,
              rawColumns: Object.fromEntries(maskedNames.map((name) => [rawNames[name]!, name])),
            }),
          ),
          columns: rawNames,
        },
      }),
      policies: policies.map(({ name }) => name),
      plain: plainFields.map(({ name }) => name),
      ...(dataset.primaryKey.length > 0 &&
        hasFieldsNamed(plainFields, dataset.primaryKey) && { key: dataset.primaryKey }),
      whole: dataset.whole === true && !onlyFields && policies.length === 0 && plainFields.length === fields.length,
      ...(policies.length > 0 && {
        lookups: Object.fromEntries(plainFields.flatMap((field) => findLookupColumn(dataset, field))),
      }),
    };
  });
  return Object.freeze(relations) as GovernedRelation[];
}

const hasFieldsNamed = (fields: readonly LensField[], names: readonly string[]): boolean =>
  names.every((name) => fields.some((field) => field.name === name));

const findLookupColumn = (
  { primaryKey }: LensDataset,
  { name, datatype }: LensField,
): [string, 'integer' | 'string'][] =>
  primaryKey.includes(name) && (datatype === 'integer' || datatype === 'string') ? [[name, datatype]] : [];

/** Returns a column name that the lens doesn't use. The guard refuses this name in the SQL of callers. */
const chooseUnusedName = (name: string, existing: string[]): string => {
  let candidate = `raw_${name}`;
  while (existing.some((column) => column.toLowerCase() === candidate.toLowerCase())) candidate = `${candidate}_`;
  return candidate;
};
