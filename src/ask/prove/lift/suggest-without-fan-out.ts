// Suggests a correction for a statement whose joins repeat rows. In the correction, each aggregate reads its own rows,
// and conditions on other tables become EXISTS. The correction is SQL over the same tables, which the caller can review
// and send.
import { isDeepStrictEqual } from 'node:util';
import { findDialect } from '../../../dialects/dialects.ts';
import { listConjuncts, toConstant } from '../../../dialects/nodes.ts';
import type { Column, Expression, Query, Select } from '../../../dialects/tree.ts';
import { findPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import {
  type Aggregate,
  type Condition,
  createEmptyPlan,
  type FieldRef,
  type Filter,
  type Grouping,
  getRowsPath,
  isAggregate,
  type LensPlan,
  type Measure,
} from '../../../plan/lens-plan.ts';
import { ignoreInvalidProbe } from '../check.ts';
import { type NameResolver, translateFilter } from './lift-conditions.ts';
import { compileReadableSql, toPlainColumnLens } from './plain-lens.ts';
import { addSources } from './read-meaning.ts';
import { nullIfUnreadable, Scope, throwUnreadable, UnreadablePartError } from './scope.ts';

/** Null if the intended statement isn't clear, or if a plan can't express it. */
export const suggestSqlWithoutFanOut = (lens: Lens, query: Query): Promise<string | null> =>
  writeIntendedStatement(lens, query).catch(nullIfUnreadable);

async function writeIntendedStatement(lens: Lens, query: Query): Promise<string | null> {
  for (const lensPlan of new IntendedStatement(lens, query).listPlans()) {
    const sql = await compileReadableSql(lens, lensPlan).catch(ignoreInvalidProbe);
    if (sql !== null) return sql;
  }
  return null;
}

/**
 * A restriction that all measures share becomes a filter, so that groups without such rows don't appear in the result.
 */
function withSharedRestriction(measures: Measure[]): Pick<LensPlan, 'measures' | 'filters'> | null {
  const aggregates = measures.filter(isAggregate);
  const [first] = aggregates;
  if (!first?.where || aggregates.length < measures.length) return null;
  const mainDatasets = new Set(aggregates.flatMap(getRowsPath));
  if (mainDatasets.size > 1 || aggregates.some(({ where }) => !isDeepStrictEqual(where, first.where))) return null;
  return { measures: aggregates.map(({ where: _, ...rest }) => rest), filters: first.where };
}

const AGGREGATE_FUNCTIONS = new Set(['count', 'sum', 'avg', 'min', 'max']);

class IntendedStatement {
  readonly #lens: Lens;
  readonly #select: Select;
  readonly #scope: Scope;
  readonly #names: NameResolver;

  constructor(lens: Lens, query: Query) {
    if (query.kind !== 'select' || query.with || query.distinct || query.having || query.limit)
      throw new UnreadablePartError('select');
    this.#lens = lens;
    this.#select = query;
    this.#scope = new Scope(toPlainColumnLens(lens), findDialect(lens.dialect), null);
    const joinConditions: Expression[] = [];
    for (const item of query.from) addSources(this.#scope, item, joinConditions);
    const refOf = ({ path }: Column): FieldRef => {
      const scopedColumn = this.#scope.find(path);
      if (!scopedColumn?.field) throw new UnreadablePartError('no field');
      return { path: scopedColumn.source.dataset.name, field: scopedColumn.field.name };
    };
    this.#names = {
      refOf,
      shownFieldOf: (value) => (value.kind === 'column' ? refOf(value) : null),
      roleOf: () => undefined,
      datatype: () => null,
      nestedMeaning: () => throwUnreadable('query'),
    };
    const datasets = this.#scope.sources.map(({ dataset }) => dataset.name);
    if (new Set(datasets).size < datasets.length) throw new UnreadablePartError('a table twice');
  }

  /**
   * First yields a plan for dimensions that are all reachable from the measured rows through many-to-one joins. Then
   * yields plans with dimensions on the "many" side, where a row counts once for each value.
   */
  *listPlans(): Generator<LensPlan> {
    const groupings: Grouping[] = [];
    const measures: Measure[] = [];
    for (const { value, alias } of this.#select.items) {
      const aliasPart = alias === null ? {} : { as: alias };
      if (value.kind === 'column') groupings.push({ ...this.#names.refOf(value), ...aliasPart });
      else measures.push({ ...this.#readMeasure(value), ...aliasPart });
    }
    if (measures.length === 0 || (this.#select.groupBy?.keys.length ?? 0) !== groupings.length)
      throw new UnreadablePartError('groups');
    const mainDatasets = this.#listMainDatasets(measures);
    const every = this.#readEvery(mainDatasets, groupings);
    const sharedRestriction = 'every' in every ? null : withSharedRestriction(measures);
    const basePlan = {
      ...createEmptyPlan(),
      ...(sharedRestriction ?? { measures, filters: this.#findSharedFilters(mainDatasets) }),
      ...every,
    };
    yield { ...basePlan, dimensions: groupings };
    if ('every' in basePlan) return;
    for (const { dataset } of this.#scope.sources)
      yield {
        ...basePlan,
        dimensions: groupings.map((item) =>
          mainDatasets.every((mainDataset) => this.#canReach(mainDataset, item.path))
            ? item
            : { ...item, through: dataset.name },
        ),
      };
  }

  /** With a left join, rows of the first table without a match also have a group. */
  #readEvery(mainDatasets: string[], groupings: Grouping[]): Pick<LensPlan, 'every'> | Record<never, never> {
    const [base, ...otherSources] = this.#scope.sources;
    const hasLeftJoin = otherSources.some(({ joinKind }) => joinKind === 'left') && groupings.length > 0;
    const name = base!.dataset.name;
    return hasLeftJoin && mainDatasets.every((mainDataset) => this.#isOnManySide(name, mainDataset))
      ? { every: name }
      : {};
  }

  #listMainDatasets(measures: Measure[]): string[] {
    return measures.flatMap((measure) => (isAggregate(measure) ? getRowsPath(measure) : []));
  }

  #readMeasure(value: Expression): Measure {
    if (value.kind !== 'call' || !AGGREGATE_FUNCTIONS.has(value.name) || value.filter || value.over)
      throw new UnreadablePartError('measure');
    const [first, second] = value.args;
    if (value.star || !first || second || first.kind !== 'column')
      throw new UnreadablePartError('rows of an unknown table');
    if (value.distinct && value.name !== 'count') throw new UnreadablePartError('distinct');
    const fn = value.distinct ? 'count_distinct' : (value.name as Aggregate['fn']);
    const field = this.#names.refOf(first);
    const where = this.#findRestrictingFilters(field.path);
    return { fn, field, ...(where.length > 0 && { where }) };
  }

  /** Expresses the effect of joins and conditions on the measured rows as filters that don't repeat rows. */
  #findRestrictingFilters(mainDataset: string): Filter[] {
    const ownFilters: Filter[] = [];
    const filtersByDataset = new Map<string, Filter[]>();
    for (const { dataset, joinKind } of this.#scope.sources)
      if (
        joinKind !== 'left' &&
        !this.#canReach(mainDataset, dataset.name) &&
        this.#isOnManySide(mainDataset, dataset.name)
      )
        filtersByDataset.set(dataset.name, []);
    for (const filter of this.#readConditions()) {
      const { path } = filter.field;
      if (this.#canReach(mainDataset, path)) ownFilters.push(filter);
      else {
        const relatedDataset = [path, ...this.#scope.sources.map(({ dataset }) => dataset.name)].find(
          (item) => this.#canReach(item, path) && this.#isOnManySide(mainDataset, item),
        );
        if (relatedDataset === undefined) throw new UnreadablePartError('condition');
        filtersByDataset.set(relatedDataset, [...(filtersByDataset.get(relatedDataset) ?? []), filter]);
      }
    }
    const exists = [...filtersByDataset].map(([path, where]): Filter => ({ exists: path, where }));
    return [...ownFilters, ...exists];
  }

  #readConditions(): Condition[] {
    const conjuncts = this.#select.where ? listConjuncts(this.#select.where) : [];
    return conjuncts
      .filter((item) => !this.#isJoin(item))
      .map((item) => {
        const filter = translateFilter(this.#names, item);
        if (!('field' in filter) || filter.other) throw new UnreadablePartError('condition');
        return filter;
      });
  }

  /** The conditions on tables that are reachable from the rows of all measures. */
  #findSharedFilters(mainDatasets: string[]): Filter[] {
    return this.#readConditions().filter(({ field }) =>
      mainDatasets.every((mainDataset) => this.#canReach(mainDataset, field.path)),
    );
  }

  #isJoin(condition: Expression): boolean {
    return (
      condition.kind === 'compare' &&
      toConstant(condition.left) === undefined &&
      toConstant(condition.right) === undefined
    );
  }

  #canReach(from: string, to: string): boolean {
    return from === to || findPath(this.#lens, from, to).kind === 'path';
  }

  /** Whether many rows of `other` can refer to one row of the measured dataset. */
  #isOnManySide(mainDataset: string, other: string): boolean {
    return this.#canReach(other, mainDataset) && other !== mainDataset;
  }
}
