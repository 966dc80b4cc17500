// Suggests a plan for the meaning of a statement. A later step compares the two meanings.
import type { Dialect } from '../../../dialects/dialect.ts';
import { FaultCollector } from '../../../dialects/fault-collector.ts';
import { toConstant } from '../../../dialects/nodes.ts';
import type { Column, Expression, SortKey } from '../../../dialects/tree.ts';
import { findPath } from '../../../lens/model/join-paths.ts';
import { GRAINS, type Lens } from '../../../lens/model/lens.ts';
import {
  type Condition,
  createEmptyPlan,
  DAY_PARTS,
  type FieldRef,
  type Filter,
  type Grouping,
  type Having,
  isDayPart,
  type LensPlan,
  type Measure,
  type Period,
  type SortOrder,
  type TimeWindow,
} from '../../../plan/lens-plan.ts';
import { memoizeAsync } from '../../../platform/memoize.ts';
import { Problem } from '../../../platform/problem.ts';
import { findCalls, findColumns } from '../statement/parts.ts';
import { type NameResolver, translateFilter } from './lift-conditions.ts';
import { type CanonicalMetric, MeasureReader } from './lift-measures.ts';
import type { Meaning, PeriodList } from './meaning.ts';
import { compileReadableSql, toPlainColumnLens } from './plain-lens.ts';
import { findRankLimit } from './rank-limits.ts';
import { readMeaning } from './read-meaning.ts';
import { ROW_COUNT_FUNCTION } from './row-count-function.ts';
import { type Source, throwUnreadable, UnreadablePartError } from './scope.ts';
import { addOneDay } from './time/periods.ts';
import { sortsNullsLast } from './values.ts';
import { withUniqueNames } from './with-unique-names.ts';

const memoizePeriodText = memoizeAsync<Lens, string | null>(1_000);
const memoizeMetricTexts = memoizeAsync<Lens, CanonicalMetric[]>(100);

export class PlanReader {
  readonly #lens: Lens;
  readonly #dialect: Dialect;
  /** The periods and date parts of the current statement, keyed by their canonical strings. */
  #fieldsByText = new Map<string, FieldRef>();

  constructor(lens: Lens, dialect: Dialect) {
    this.#lens = lens;
    this.#dialect = dialect;
  }

  async readMeaningOfPlan(lensPlan: LensPlan): Promise<Meaning | null> {
    const lens = toPlainColumnLens(this.#lens);
    const query = await this.#dialect.read(await compileReadableSql(this.#lens, lensPlan), new FaultCollector());
    return query && readMeaning(lens, this.#dialect, withUniqueNames(lens, this.#dialect, query));
  }

  async suggestPlan(meaning: Meaning): Promise<LensPlan> {
    const { mainSource, group, fullyGroupedSource, select } = meaning;
    await this.#recordPeriods(meaning);
    const names = this.#createNameResolver(meaning);
    const uses = group === null || select.distinct ? [] : await this.#findMetrics(meaning);
    const restrictedMetric = uses.find((use) => use.where.length > 0);
    const reader = new MeasureReader(meaning, names, uses, (source) => this.#choosePath(mainSource, source));
    const targets = meaning.items.map(({ value }, index): SortTarget => {
      if (group !== null && this.#isMeasure(value)) return { measure: reader.readMeasure(value) };
      return { field: names.shownFieldOf(value) ?? translateComputedDimension(meaning, reader, value, index) };
    });
    const dimensions = targets.flatMap((target) => ('field' in target ? [target.field] : []));
    const measures = targets.flatMap((target) => ('measure' in target ? [target.measure] : []));
    const { periods } = meaning;
    const ends = periods?.boundConditions.map(({ text }) => text) ?? [];
    const conditions = [...meaning.where].filter(
      ([text]) => !restrictedMetric?.where.includes(text) && !ends.includes(text),
    );
    const readFilters = conditions.map(([, condition]) => translateFilter(names, condition));
    const periodGroups = periods && convertPeriods(periods, meaning, dimensions);
    const { filters, time } = periodGroups
      ? { filters: readFilters, time: periodGroups.time }
      : this.#splitTimeWindow(mainSource, readFilters);
    const groupKeys = group ? this.#findHiddenKeys(meaning) : [];
    return {
      ...createEmptyPlan(),
      ...{ measures, dimensions, filters, time },
      ...(measures.length === 0 && { rows: mainSource.dataset.name }),
      ...(fullyGroupedSource && { every: this.#choosePath(mainSource, fullyGroupedSource) }),
      ...(periodGroups && { every: periodGroups.period }),
      ...(groupKeys.length > 0 && { per: groupKeys }),
      distinct: measures.length === 0 && group !== null,
      having: [...meaning.having.values()].map((item) => translateHaving(reader, item)),
      ...this.#readOrderAndLimit(meaning, names, targets),
    };
  }

  #isMeasure(value: Expression): boolean {
    const { list } = this.#dialect.functions;
    return findCalls([value]).some(
      ({ name, over }) => over !== null || name === ROW_COUNT_FUNCTION || list.kind(name) === 'aggregate',
    );
  }

  /** The datasets whose keys the statement groups by but doesn't show. */
  #findHiddenKeys(meaning: Meaning): string[] {
    const { group, items, dependencies, mainSource } = meaning;
    const shownKeys = dependencies.findKnownColumns(
      items.map(({ value }) => value).filter((value) => !this.#isMeasure(value)),
    );
    const paths = [...group!.values()].flatMap((key): string[] => {
      if (shownKeys.has(key)) return [];
      const scopedColumn = key.kind === 'column' ? meaning.text.scope.findOwn(key.path) : null;
      if (!scopedColumn) throw new UnreadablePartError('a hidden group key');
      const { source, column } = scopedColumn;
      if (source.dataset.primaryKey.includes(column) || source.steps.at(-1)?.to.columns.includes(column))
        return [this.#choosePath(mainSource, source)];
      const step = this.#lens.relationships.find(
        ({ from }) => from.dataset === source.dataset.name && from.columns.length === 1 && from.columns[0] === column,
      );
      if (!step) throw new UnreadablePartError('a hidden group key');
      return [this.#choosePath(mainSource, { dataset: { name: step.to.dataset }, steps: [...source.steps, step] })];
    });
    return [...new Set(paths)];
  }

  #createNameResolver(meaning: Meaning): NameResolver {
    const refOf = (column: Column): FieldRef => {
      const scopedColumn = meaning.text.scope.findOwn(column.path);
      if (!scopedColumn?.field) throw new UnreadablePartError('no field');
      return { path: this.#choosePath(meaning.mainSource, scopedColumn.source), field: scopedColumn.field.name };
    };
    return {
      refOf,
      shownFieldOf: (value) => {
        if (value.kind === 'column') return refOf(value);
        return this.#fieldsByText.get(meaning.text.render(value)) ?? null;
      },
      nestedMeaning: (query) => {
        const inner = readMeaning(toPlainColumnLens(this.#lens), this.#dialect, query, meaning.text.scope);
        return { meaning: inner, names: this.#createNameResolver(inner) };
      },
      roleOf: (inner, condition) => this.#findRole(meaning, inner, condition),
      datatype: meaning.text.typeOf,
    };
  }

  /**
   * Returns the role of the relationship that joins the inner rows to the outer rows, if a dataset has several roles.
   */
  #findRole(meaning: Meaning, inner: Meaning, conditions: readonly Expression[]): string | undefined {
    const equalPairs = conditions.flatMap((condition) =>
      condition.kind === 'compare' && condition.operator === '=' ? [[condition.left, condition.right]] : [],
    );
    const columnNamesIn = (expressions: Expression[], { text }: Meaning): string[] =>
      expressions.flatMap((expression) => {
        const scopedColumn = expression.kind === 'column' ? text.scope.findOwn(expression.path) : null;
        return scopedColumn ? [`${scopedColumn.source.dataset.name}.${scopedColumn.column}`] : [];
      });
    const roles = this.#lens.relationships.filter(({ from, to }) =>
      from.columns.every((column, index) =>
        equalPairs.some(
          (pair) =>
            columnNamesIn(pair, inner).includes(`${from.dataset}.${column}`) &&
            columnNamesIn(pair, meaning).includes(`${to.dataset}.${to.columns[index]}`),
        ),
      ),
    );
    const [role] = roles;
    const sameEndRelationships = this.#lens.relationships.filter(
      ({ from, to }) => role && from.dataset === role.from.dataset && to.dataset === role.to.dataset,
    );
    return role && sameEndRelationships.length > 1 ? role.role : undefined;
  }

  /**
   * The plan's name for a joined table: its dataset, its role, or all roles on the path. Uses the first of these names
   * that is unambiguous.
   */
  #choosePath(mainSource: Source, { dataset, steps }: { dataset: { name: string }; steps: Source['steps'] }): string {
    if (steps.length === 0) return dataset.name;
    const stepsKey = JSON.stringify(steps);
    const candidates = [dataset.name, steps.at(-1)!.role, steps.map(({ role }) => role).join('.')];
    const step = candidates.find((candidate) => {
      const result = findPath(this.#lens, mainSource.dataset.name, candidate);
      return result.kind === 'path' && JSON.stringify(result.path.steps) === stepsKey;
    });
    if (step === undefined) throw new UnreadablePartError('no path');
    return step;
  }

  /** Records the compiler's SQL for the periods and date parts in this statement. */
  async #recordPeriods(meaning: Meaning): Promise<void> {
    this.#fieldsByText = new Map();
    for (const path of findColumnPaths(meaning)) {
      const scopedColumn = meaning.text.scope.findOwn(path);
      if (!scopedColumn?.field?.datatype.startsWith('date')) continue;
      const ref = { path: this.#choosePath(meaning.mainSource, scopedColumn.source), field: scopedColumn.field.name };
      for (const grain of [...GRAINS, ...DAY_PARTS]) {
        if (grain === 'hour' && scopedColumn.field.datatype === 'date') continue;
        const rows = meaning.mainSource.dataset.name;
        const key = `${meaning.mainSource.label} ${ref.path}.${ref.field}.${grain}`;
        const listing = { ...createEmptyPlan(), dimensions: [{ ...ref, grain }], rows };
        const text = await memoizePeriodText(this.#lens, key, async () => {
          const listedMeaning = await this.readMeaningOfPlan(listing).catch(ignoreUnreadableMetric);
          return listedMeaning?.items[0]?.text ?? null;
        });
        if (text) this.#fieldsByText.set(text, { ...ref, grain });
      }
    }
  }

  /** Returns the metrics of the main source whose own conditions are all in the statement. */
  async #findMetrics({ mainSource, where, fullyGroupedSource }: Meaning): Promise<CanonicalMetric[]> {
    if (fullyGroupedSource) return [];
    const texts = await memoizeMetricTexts(this.#lens, mainSource.dataset.name, () =>
      this.#readMetricTexts(mainSource.dataset.name),
    );
    return texts.filter((item) => item.where.every((text) => where.has(text)));
  }

  /** Each metric with its canonical string and its own conditions. */
  async #readMetricTexts(mainSource: string): Promise<CanonicalMetric[]> {
    const collectedTexts: CanonicalMetric[] = [];
    for (const { name } of this.#lens.metrics.filter((metric) => metric.home === mainSource)) {
      const lensPlan = { ...createEmptyPlan(), measures: [{ fn: 'metric' as const, metric: name }] };
      const meaning = await this.readMeaningOfPlan(lensPlan).catch(ignoreUnreadableMetric);
      const [item] = meaning?.items ?? [];
      if (meaning && item) collectedTexts.push({ name, text: item.text, where: [...meaning.where.keys()] });
    }
    return collectedTexts.sort((a, b) => b.where.length - a.where.length);
  }

  /** Converts a lower and an upper bound on the dataset's time field to the plan's time window. */
  #splitTimeWindow({ dataset }: Source, filters: Filter[]): Pick<LensPlan, 'filters' | 'time'> {
    const timeField = dataset.timeField;
    const findBound = (ops: string[]) =>
      filters.find(
        (filter): filter is Condition =>
          'field' in filter &&
          filter.field.path === dataset.name &&
          filter.field.field === timeField &&
          ops.includes(filter.op) &&
          !filter.field.grain &&
          !filter.other &&
          typeof filter.values[0] === 'string',
      );
    const [first, last] = [findBound(['>=']), findBound(['<', '<='])];
    const type = dataset.fields.find(({ name }) => name === timeField)?.datatype;
    if (!timeField || !first || !last || (last.op === '<=' && type !== 'date')) return { filters, time: null };
    const [from, until] = [String(first.values[0]), String(last.values[0])];
    const endDay = last.op === '<=' ? addOneDay(until) : until;
    if (from >= endDay) return { filters, time: null };
    return {
      filters: filters.filter((item) => item !== first && item !== last),
      time: { field: { path: dataset.name, field: timeField }, from, to: endDay },
    };
  }

  /**
   * Reads LIMIT, OFFSET and ORDER BY. A LIMIT requires an ORDER BY on columns of the result, because otherwise the plan
   * could cut off different rows.
   */
  #readOrderAndLimit(
    meaning: Meaning,
    names: NameResolver,
    targets: SortTarget[],
  ): Pick<LensPlan, 'order_by' | 'limit' | 'offset' | 'limit_per'> {
    const { select } = meaning;
    const rankLimit = this.#readRankLimit(meaning, names, targets);
    const [limit, offset] = [select.limit, select.offset].map((item) => item && toConstant(item));
    if (select.limit === null && select.offset === null) return { order_by: [], limit: null, ...rankLimit };
    if (typeof limit !== 'number' || limit < 1 || ![limit, offset === null ? 0 : offset].every(Number.isInteger))
      throw new UnreadablePartError('limit');
    if (select.orderBy.length === 0 || rankLimit || meaning.group?.size === 0)
      throw new UnreadablePartError('an arbitrary limit');
    const order = select.orderBy.map((key) => this.#readSortKey(meaning, key, targets));
    return { order_by: order, limit, ...(typeof offset === 'number' && offset > 0 && { offset }) };
  }

  /** Reads a condition on a rank as "the first n of each group". */
  #readRankLimit(
    meaning: Meaning,
    names: NameResolver,
    targets: SortTarget[],
  ): Pick<LensPlan, 'order_by' | 'limit_per'> | null {
    const { qualify } = meaning;
    if (qualify.size === 0) return null;
    const [condition, second] = qualify.values();
    const rankLimit = condition && !second ? findRankLimit(condition) : null;
    if (!rankLimit || rankLimit.over.partitionBy.length === 0) throw new UnreadablePartError('windows');
    const { name, over, rows } = rankLimit;
    const partition = over.partitionBy.map(
      (item): Grouping => names.shownFieldOf(item) ?? throwUnreadable('no field', item),
    );
    const order = over.orderBy.map((key) => this.#readSortKey(meaning, key, targets, names));
    const ties = name !== 'row_number' ? { ties: true as const } : {};
    return { order_by: order, limit_per: { by: partition, rows, ...ties } };
  }

  /**
   * Reads a sort key that must be a column of the result. With `names`, the sort key can also be a field that the
   * result doesn't have, as in the ORDER BY of a rank.
   */
  #readSortKey(
    { items, text }: Meaning,
    { value, direction: declaredDirection, nulls }: SortKey,
    targets: SortTarget[],
    names?: NameResolver,
  ): SortOrder {
    const direction = declaredDirection ?? 'asc';
    const sortText = text.render(value);
    const shownTarget = targets[items.findIndex((item) => item.text === sortText)];
    const hiddenField = shownTarget ? null : names?.shownFieldOf(value);
    const sortTarget = shownTarget ?? (hiddenField && { field: hiddenField });
    if (!sortTarget) throw new UnreadablePartError('order', value);
    // SQL sorts the names of weekdays by the alphabet, and a plan sorts weekdays by the calendar.
    if ('field' in sortTarget && sortTarget.field.grain === 'weekday') throw new UnreadablePartError('order', value);
    const nullsFirst = !sortsNullsLast(this.#dialect, direction, nulls) && !text.isNonNull(value);
    return { ...sortTarget, direction, ...(nullsFirst && { nulls: 'first' as const }) };
  }
}

type SortTarget = { field: Grouping } | { measure: Measure };

/** A dimension computed for each row. The dimension has the statement's alias as its name. */
function translateComputedDimension(
  { mainSource, select }: Meaning,
  reader: MeasureReader,
  value: Expression,
  itemIndex: number,
): Grouping {
  if (value.kind !== 'arithmetic') throw new UnreadablePartError('no field', value);
  const alias = select.items[itemIndex]?.alias ?? '';
  const columnName = /^\w+$/.test(alias) ? alias : `value_${itemIndex + 1}`;
  return { path: mainSource.dataset.name, field: `(${columnName})`, value: reader.readValue(value), as: columnName };
}

/**
 * Converts the periods to the grain of the dimension that shows them. If the date has no grain, the grain becomes day.
 */
function convertPeriods(
  { key, from, to }: PeriodList,
  { items, group }: Meaning,
  dimensions: Grouping[],
): { period: Period; time: TimeWindow } {
  const dimensionIndex = items.filter(({ text }) => group!.has(text)).findIndex(({ text }) => text === key);
  const dimension = dimensions[dimensionIndex];
  if (!dimension || isDayPart(dimension.grain)) throw new UnreadablePartError('periods');
  dimension.grain ??= 'day';
  const { path, field, grain } = dimension;
  return { period: { path, field, grain }, time: { field: { path, field }, from, to } };
}

function translateHaving(reader: MeasureReader, expression: Expression): Having {
  if (expression.kind !== 'compare') throw new UnreadablePartError('having', expression);
  const number = toConstant(expression.right);
  if (typeof number !== 'number' || expression.operator.startsWith('is'))
    throw new UnreadablePartError('having', expression);
  const op = expression.operator === '<>' ? '!=' : (expression.operator as '=' | '<' | '<=' | '>' | '>=');
  return { measure: reader.readMeasure(expression.left), op, values: [number] };
}

/** The paths of all columns inside expressions, without duplicates. */
const findColumnPaths = ({ items, where, group, qualify }: Meaning): string[][] => {
  const expressions = [
    ...items.map(({ value }) => value),
    ...where.values(),
    ...(group?.values() ?? []),
    ...qualify.values(),
  ];
  const parts = expressions.filter(({ kind }) => kind !== 'column');
  const paths = findColumns(parts).map(({ path }) => path);
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
};

const ignoreUnreadableMetric = (fault: unknown): null => {
  if (fault instanceof UnreadablePartError || (fault instanceof Problem && fault.code === 'invalid')) return null;
  throw fault;
};
