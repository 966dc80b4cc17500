// Names suggest possible joins, as in a draft. For each one, a limited read checks how many values exist on the other
// side, and whether they are unique there.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/profiling.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { toSingular } from '../../lens/model/singular.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import type { CatalogTable, Warehouse } from '../ports.ts';
import type { RunContext } from '../runs/runs.ts';
import { type NamedTable, readSchemaInSteps, removeSeparators } from '../semantic/columns/schema-words.ts';
import { addProfiles } from '../semantic/introspect.ts';
import { addFoundKeys } from '../semantic/joins/find-keys.ts';
import { measureInclusion, measureUniqueness, type QueryContext } from '../semantic/joins/measure-join.ts';
import { findJoinsByName, type NamedJoin } from '../semantic/joins/name-joins.ts';
import { findCompositeJoins } from '../semantic/joins/prove-joins.ts';
import { createQueryContext } from './fact-evidence.ts';
import { toProfileSubject } from './profile-lens.ts';
import { findSnapshot, saveSnapshot } from './snapshot-repository.ts';

type JoinCandidate = z.infer<typeof wire.joinCandidatesSchema>['items'][number];
interface JoinCandidateDeps {
  tenancy: Tenancy;
}
const MAX_PAIRS = 120;
const MIN_RANK = 3;

export const readJoinCandidates = (deps: JoinCandidateDeps, orgId: string, liveLens: LiveLens) =>
  findSnapshot<JoinCandidate[]>(deps, orgId, toProfileSubject(liveLens), 'join-candidates');

export async function findJoinCandidates(
  deps: JoinCandidateDeps,
  orgId: string,
  liveLens: LiveLens,
  warehouse: Warehouse,
  { report, signal }: Pick<RunContext, 'report' | 'signal'>,
): Promise<JoinCandidate[]> {
  const { lens } = liveLens;
  const queryContext = createQueryContext(warehouse, signal);
  const catalogTables = lens.datasets.map((dataset) => toCatalogTable(dataset, lens));
  // Columns can refer to the name of a dataset or to the name of its table.
  const tables = (await runInTurns(readSchemaInSteps(catalogTables))).map((table, index): NamedTable => {
    const datasetName = removeSeparators(toSingular(lens.datasets[index]!.name));
    const withDataset = (names: ReadonlySet<string>): ReadonlySet<string> => new Set([...names, datasetName]);
    return { ...table, nameForms: withDataset(table.nameForms), fullNames: withDataset(table.fullNames) };
  });
  const tableOf = new Map(lens.datasets.map(({ name }, index) => [name, tables[index]!]));
  const keylessTables = tables.filter(({ primaryKey }) => primaryKey.length === 0);
  await addProfiles(warehouse, keylessTables, signal, report);
  await addFoundKeys(queryContext, keylessTables);
  const isReadable = (dataset: string, columns: string[]) =>
    columns.every((column) =>
      lens.datasets.some(
        ({ name, fields }) => name === dataset && fields.some((field) => field.name === column && !field.masked),
      ),
    );
  const declaredPairs = lens.relationships
    .filter(({ from, to }) => isReadable(from.dataset, from.columns) && isReadable(to.dataset, to.columns))
    .map(({ from, to }) => ({
      from: { table: tableOf.get(from.dataset)!, columns: from.columns },
      to: { table: tableOf.get(to.dataset)!, columns: to.columns },
    }));
  const likelyJoins = [...(await runInTurns(findJoinsByName(tables))), ...findCompositeJoins(tables)];
  const likelyPairs = likelyJoins.filter(({ rank }) => rank >= MIN_RANK).sort((a, b) => b.rank - a.rank);
  const pairs: ColumnPair[] = [...declaredPairs, ...likelyPairs].slice(0, MAX_PAIRS);
  const candidates: JoinCandidate[] = [];
  for (const [doneCount, pair] of pairs.entries()) {
    report({ done: doneCount, total: pairs.length });
    const declared = doneCount < declaredPairs.length;
    const evidence = await measureColumnPair(pair, queryContext);
    const inclusion = evidence.inclusion ?? 0;
    if (!declared && inclusion < 0.5) continue;
    const confidence =
      evidence.unique && inclusion >= 0.99 ? 'high' : evidence.unique && inclusion >= 0.9 ? 'medium' : 'low';
    const pathsOf = ({ table, columns }: ColumnPair['from']): string[] =>
      columns.map((column) => `${lens.datasets[tables.indexOf(table)]!.name}.${column}`);
    const [from, to] = [pathsOf(pair.from), pathsOf(pair.to)];
    const name = to[0]!.split('.')[0]!;
    const relationship = from.length === 1 ? { name, from: from[0]!, to: to[0]! } : { name, from, to };
    candidates.push({ from: from.join(', '), to: to.join(', '), declared, ...evidence, confidence, relationship });
  }
  report({ done: pairs.length, total: pairs.length });
  candidates.sort((a, b) => Number(b.unique) - Number(a.unique) || (b.inclusion ?? 0) - (a.inclusion ?? 0));
  signal.throwIfAborted();
  await saveSnapshot(deps, orgId, toProfileSubject(liveLens), 'join-candidates', candidates);
  return candidates;
}
type ColumnPair = Pick<NamedJoin, 'from' | 'to'>;

/** Masked and computed fields are omitted. */
const toCatalogTable = ({ name, source, primaryKey, fields }: LensDataset, lens: Lens): CatalogTable => ({
  ...{ ...source, kind: 'table', comment: null, primaryKey, uniqueKeys: [], rowEstimate: null },
  columns: fields
    .filter(({ masked, expression }) => !masked && expression === null)
    .map((field) => ({ name: field.name, datatype: field.datatype, nativeType: '', nullable: true, comment: null })),
  foreignKeys: lens.relationships
    .filter(({ from }) => from.dataset === name)
    .map(({ from, to }) => ({
      ...{ name: to.dataset, columns: from.columns },
      to: { schema: null, table: to.dataset, columns: to.columns },
    })),
});

async function measureColumnPair(
  { from, to }: ColumnPair,
  queryContext: QueryContext,
): Promise<Pick<JoinCandidate, 'values_checked' | 'inclusion' | 'unique'>> {
  // A declared join can compare computed fields, which aren't columns of the table.
  const areColumns = [from, to].every(({ table, columns }) =>
    columns.every((column) => table.columns.some(({ name }) => name === column)),
  );
  const counts = areColumns ? await measureInclusion(queryContext, from, to) : null;
  const uniqueness = counts && (await measureUniqueness(queryContext, to));
  queryContext.signal.throwIfAborted();
  if (!counts || !uniqueness) return { values_checked: 0, inclusion: null, unique: null };
  const [checkedCount, matchedCount] = counts;
  return {
    values_checked: checkedCount,
    inclusion: checkedCount === 0 ? null : Math.round((matchedCount / checkedCount) * 10_000) / 10_000,
    unique: uniqueness.nonNullRows > 0 && uniqueness.nonNullRows === uniqueness.distinctCount,
  };
}
