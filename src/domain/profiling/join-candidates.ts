// Finds possible joins between datasets of a lens: columns of the same data type with similar names, or several columns
// if a single column isn't a key. For each possible join, a limited read checks how many values exist on the other
// side, and whether the values are unique there.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/profiling.ts';
import { type Lens, type LensDataset, SVC_CALLER } from '../../lens/model/lens.ts';
import { toSingular } from '../../lens/model/singular.ts';
import { sqlName } from '../../lens/model/sql-name.ts';
import { governedRelations } from '../../lens/policies/governed-relations.ts';
import type { Warehouse } from '../ports.ts';
import { type JoinSide, measureInclusion, measureUniqueness, type QueryContext } from './weigh-join.ts';

export type JoinCandidate = z.infer<typeof wire.joinCandidates>['items'][number];
interface CandidateSide {
  dataset: LensDataset;
  columns: string[];
}
interface Pair {
  from: CandidateSide;
  to: CandidateSide;
}
const MAX_PAIRS = 60;
const MAX_KEY_COLUMNS = 3;
const TIMEOUT_MS = 20_000;
export async function findJoinCandidates(
  lens: Lens,
  warehouse: Warehouse,
  report: (progress: { done: number; total: number }) => void,
  signal: AbortSignal,
): Promise<JoinCandidate[]> {
  const queryContext: QueryContext = { warehouse, mode: 'govern', timeoutMs: TIMEOUT_MS, signal };
  const pairs = listCandidatePairs(lens).slice(0, MAX_PAIRS);
  const candidates: JoinCandidate[] = [];
  let [doneCount, total] = [0, pairs.length];
  const checkPair = async ({ from, to }: Pair): Promise<JoinCandidate | null> => {
    signal.throwIfAborted();
    report({ done: doneCount++, total });
    const evidence = await evaluatePair(lens, from, to, queryContext);
    const [fromPath, toPath] = [pathOf(from), pathOf(to)];
    const isDeclared = lens.relationships.some(
      (relationship) =>
        relationship.from.dataset === from.dataset.name &&
        relationship.to.dataset === to.dataset.name &&
        relationship.from.columns.join() === from.columns.join() &&
        relationship.to.columns.join() === to.columns.join(),
    );
    if (!isDeclared && (evidence.inclusion ?? 0) < 0.5) return null;
    const confidence =
      evidence.unique && (evidence.inclusion ?? 0) >= 0.99
        ? 'high'
        : evidence.unique && (evidence.inclusion ?? 0) >= 0.9
          ? 'medium'
          : 'low';
    return {
      from: fromPath,
      to: toPath,
      declared: isDeclared,
      ...evidence,
      confidence,
      relationship: { name: to.dataset.name, from: pathOrPaths(from), to: pathOrPaths(to) },
    };
  };
  const keyedColumns = new Set<string>();
  for (const pair of pairs) {
    const candidate = await checkPair(pair);
    if (!candidate) continue;
    candidates.push(candidate);
    if (candidate.unique) keyedColumns.add(pairKey(pair));
  }
  // If no single column is a key of the other side, several columns together can be a key.
  const compositeCandidates = compositePairs(lens).filter(
    (pair) =>
      !keyedColumns.has(pairKey(pair)) &&
      !candidates.some(({ from, to }) => from === pathOf(pair.from) && to === pathOf(pair.to)),
  );
  total += Math.min(compositeCandidates.length, MAX_PAIRS);
  for (const pair of compositeCandidates.slice(0, MAX_PAIRS)) {
    if (keyedColumns.has(pairKey(pair))) continue;
    const candidate = await checkPair(pair);
    if (!candidate?.unique) continue;
    candidates.push(candidate);
    keyedColumns.add(pairKey(pair));
  }
  report({ done: total, total });
  return candidates.sort((a, b) => Number(b.unique) - Number(a.unique) || (b.inclusion ?? 0) - (a.inclusion ?? 0));
}

const pathsOf = ({ dataset, columns }: CandidateSide): string[] => columns.map((column) => `${dataset.name}.${column}`);
const pathOf = (side: CandidateSide): string => pathsOf(side).join(', ');
const pathOrPaths = (side: CandidateSide): string | string[] =>
  side.columns.length === 1 ? pathOf(side) : pathsOf(side);
const pairKey = ({ from, to }: Pair): string => `${from.dataset.name} ${to.dataset.name}`;
const stemOf = (name: string): string => toSingular(name.toLowerCase().replace(/_?(id|key|code|no|number|name)$/, ''));

/**
 * Returns the declared joins first, to check that they are still valid. Omits joins whose columns are masked or aren't
 * in the lens.
 */
function listCandidatePairs(lens: Lens): Pair[] {
  const findSide = (name: string, columns: string[]): CandidateSide | null => {
    const dataset = lens.datasets.find((dataset) => dataset.name === name);
    const isReadable = (column: string) => dataset?.fields.some((field) => field.name === column && !field.masked);
    return dataset && columns.every(isReadable) ? { dataset, columns } : null;
  };
  const declaredPairs = lens.relationships.flatMap(({ from, to }) => {
    const [manySide, oneSide] = [findSide(from.dataset, from.columns), findSide(to.dataset, to.columns)];
    return manySide && oneSide ? [{ from: manySide, to: oneSide }] : [];
  });
  const declaredKeys = new Set(declaredPairs.map(({ from, to }) => `${pathOf(from)} ${pathOf(to)}`));
  return [
    ...declaredPairs,
    ...likelyPairs(lens).filter(({ from, to }) => !declaredKeys.has(`${pathOf(from)} ${pathOf(to)}`)),
  ];
}

/**
 * Pairs columns of the same data type with similar names. For example, orders.customer_id can refer to
 * customers.customer_id, customers.id or customers.customer. Never uses masked or computed fields.
 */
function likelyPairs(lens: Lens): Pair[] {
  const sides = lens.datasets.flatMap((dataset) =>
    dataset.fields
      .filter(
        ({ masked, expression, datatype }) =>
          !masked && !expression && (datatype === 'string' || datatype === 'integer'),
      )
      .map((field) => ({ dataset, column: field.name, columns: [field.name], datatype: field.datatype })),
  );
  return sides.flatMap((from) =>
    sides
      .filter(
        (to) =>
          to.dataset !== from.dataset &&
          to.datatype === from.datatype &&
          (to.column === from.column ||
            (/^(id|key|code|iata)$/i.test(to.column) && stemOf(from.column) === stemOf(to.dataset.name)) ||
            stemOf(from.column) === stemOf(to.dataset.name) ||
            (stemOf(from.column) !== '' && stemOf(from.column) === stemOf(to.column))),
      )
      .filter(
        (to) =>
          to.dataset.primaryKey.length === 0 || to.dataset.primaryKey.includes(to.column) || to.column === from.column,
      )
      .map((to) => ({ from, to })),
  );
}

/**
 * Pairs datasets by the declared composite key of the other side, or by the columns with the same name on both sides if
 * there is no such key.
 */
function compositePairs(lens: Lens): Pair[] {
  const isKeyable = ({ masked, expression, datatype }: LensDataset['fields'][number]) =>
    !masked && !expression && ['string', 'integer', 'date'].includes(datatype);
  return lens.datasets.flatMap((to) =>
    lens.datasets.flatMap((from) => {
      if (from === to) return [];
      const sharedFields = to.fields.filter(
        (field) =>
          isKeyable(field) &&
          from.fields.some((item) => item.name === field.name && item.datatype === field.datatype && isKeyable(item)),
      );
      const sharedNames = sharedFields.map(({ name }) => name);
      const keys =
        to.primaryKey.length > 1
          ? [to.primaryKey].filter((key) => key.every((column) => sharedNames.includes(column)))
          : to.primaryKey.length === 0
            ? listCombinations(sharedNames)
            : [];
      return keys.map((columns) => ({ from: { dataset: from, columns }, to: { dataset: to, columns } }));
    }),
  );
}

/** Returns all pairs of columns, then all triples. */
function listCombinations(names: string[]): string[][] {
  const extendSets = (sets: string[][]) =>
    sets.flatMap((set) => names.slice(names.indexOf(set.at(-1)!) + 1).map((name) => [...set, name]));
  const sizes = [extendSets(names.map((name) => [name]))];
  while (sizes.length < MAX_KEY_COLUMNS - 1) sizes.push(extendSets(sizes.at(-1)!));
  return sizes.flat();
}

async function evaluatePair(
  lens: Lens,
  from: CandidateSide,
  to: CandidateSide,
  queryContext: QueryContext,
): Promise<Pick<JoinCandidate, 'values_checked' | 'inclusion' | 'unique'>> {
  const relations = await governedRelations(lens, SVC_CALLER);
  const toJoinSide = ({ dataset, columns }: CandidateSide): JoinSide => ({
    from: sqlName(lens.dialect, dataset.name),
    relation: relations.find((relation) => relation.dataset === dataset.name)!,
    columns,
  });
  const counts = await measureInclusion(queryContext, toJoinSide(from), toJoinSide(to));
  const uniqueness = counts && (await measureUniqueness(queryContext, toJoinSide(to)));
  queryContext.signal.throwIfAborted();
  if (!counts || !uniqueness) return { values_checked: 0, inclusion: null, unique: null };
  const [checkedCount, matchedCount] = counts;
  return {
    values_checked: checkedCount,
    inclusion: checkedCount === 0 ? null : Math.round((matchedCount / checkedCount) * 10_000) / 10_000,
    unique: uniqueness.nonNullRows > 0 && uniqueness.nonNullRows === uniqueness.distinctCount,
  };
}
