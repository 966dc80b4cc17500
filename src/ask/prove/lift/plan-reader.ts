// Suggests a plan for the meaning of a statement. A later step compares the two meanings.
import type { Dialect } from '../../../dialects/dialect.ts';
import { Faults } from '../../../dialects/faults.ts';
import { constantOf } from '../../../dialects/nodes.ts';
import type { Column, Expression, SortKey } from '../../../dialects/tree.ts';
import { pathTo } from '../../../lens/model/join-paths.ts';
import { GRAINS, type Lens } from '../../../lens/model/lens.ts';
import {
  type Condition,
  DAY_PARTS,
  emptyPlan,
  type FieldRef,
  type Filter,
  type Grouping,
  type Having,
  isDayPart,
  type LensPlan,
  type Measure,
  type Order,
  type Period,
  type TimeWindow,
} from '../../../plan/lens-plan.ts';
import { memoizeAsync } from '../../../platform/memoize.ts';
import { Problem } from '../../../platform/problem.ts';
import { callsIn, nodesOutsideQueries } from '../statement/parts.ts';
import { filterOf, type Names } from './lift-conditions.ts';
import { MeasureReader, type MetricText } from './lift-measures.ts';
import type { Meaning, Periods } from './meaning.ts';
import { placeIn } from './places.ts';
import { lensOfPlainColumns, readableSql } from './plain-lens.ts';
import { meaningOf } from './read-meaning.ts';
import { ROWS_OF } from './rows-of.ts';
import { Scope, type Source, UnreadablePart } from './scope.ts';
import { dayAfter } from './time/moments.ts';
import { sortsNullsLast } from './values.ts';
import { withUniqueNames } from './with-unique-names.ts';

const periods = new WeakMap<Lens, Map<string, string | null>>();
const metricTexts = memoizeAsync<Lens, MetricText[]>(100);

export class PlanReader {
  readonly #lens: Lens;
  readonly #dialect: Dialect;
  /** The periods and date parts of the current statement, keyed by their canonical strings. */
  #shown = new Map<string, FieldRef>();

  constructor(lens: Lens, dialect: Dialect) {
    this.#lens = lens;
    this.#dialect = dialect;
  }

  async meaningOfPlan(lensPlan: LensPlan): Promise<Meaning | null> {
    const lens = lensOfPlainColumns(this.#lens);
    const query = await this.#dialect.read(await readableSql(this.#lens, lensPlan), new Faults());
    return query && meaningOf(lens, this.#dialect, withUniqueNames(lens, this.#dialect, query));
  }

  async planOf(meaning: Meaning): Promise<LensPlan> {
    const { home, group, every, select } = meaning;
    await this.#learnPeriods(meaning);
    const names = this.#namesOf(meaning);
    const uses = group === null || select.distinct ? [] : await this.#metricsOf(meaning);
    const restrictedMetric = uses.find((use) => use.where.length > 0);
    const reader = new MeasureReader(meaning, names, uses, (source) => this.#pathOf(home, source));
    const dimensions: Grouping[] = [];
    const measures: Measure[] = [];
    for (const [itemIndex, { value }] of meaning.items.entries()) {
      if (group !== null && this.#measures(value)) measures.push(reader.measureOf(value));
      else dimensions.push(names.shownFieldOf(value) ?? computedOf(meaning, reader, value, itemIndex));
    }
    const { periods } = meaning;
    const ends = periods?.ends.map(({ text }) => text) ?? [];
    const conditions = [...meaning.where].filter(
      ([text]) => !restrictedMetric?.where.includes(text) && !ends.includes(text),
    );
    const readFilters = conditions.map(([, condition]) => filterOf(names, condition));
    const spread = periods && everyPeriod(periods, meaning, dimensions);
    const { filters, time } = spread ? { filters: readFilters, time: spread.time } : this.#windowed(home, readFilters);
    const groupKeys = group ? this.#keysOf(meaning) : [];
    return {
      ...emptyPlan(),
      ...{ measures, dimensions, filters, time },
      ...(measures.length === 0 && { rows: home.dataset.name }),
      ...(every && { every: this.#pathOf(home, every) }),
      ...(spread && { every: spread.period }),
      ...(groupKeys.length > 0 && { per: groupKeys }),
      distinct: measures.length === 0 && group !== null,
      having: [...meaning.having.values()].map((item) => havingOf(reader, item)),
      ...this.#ending(meaning, dimensions, measures),
    };
  }

  #measures(value: Expression): boolean {
    const { list } = this.#dialect.functions;
    return callsIn([{ value }]).some(
      ({ name, over }) => over !== null || name === ROWS_OF || list.kind(name) === 'aggregate',
    );
  }

  /** The datasets that the statement groups by without showing the key. */
  #keysOf(meaning: Meaning): string[] {
    const { group, items, dependencies, home } = meaning;
    const shownKeys = dependencies.knownFrom(items.map(({ value }) => value).filter((value) => !this.#measures(value)));
    const paths = [...group!.values()].flatMap((key): string[] => {
      if (shownKeys.has(key)) return [];
      const scopedColumn = key.kind === 'column' ? this.#scopeOf(meaning).find(key.path) : null;
      if (!scopedColumn) throw new UnreadablePart('a group that is not shown');
      const { source, column } = scopedColumn;
      if (source.dataset.primaryKey.includes(column) || source.steps.at(-1)?.to.columns.includes(column))
        return [this.#pathOf(home, source)];
      const step = this.#lens.relationships.find(
        ({ from }) => from.dataset === source.dataset.name && from.columns.length === 1 && from.columns[0] === column,
      );
      if (!step) throw new UnreadablePart('a group that is not shown');
      return [this.#pathOf(home, { dataset: { name: step.to.dataset }, steps: [...source.steps, step] })];
    });
    return [...new Set(paths)];
  }

  #namesOf(meaning: Meaning): Names {
    const refOf = (column: Column): FieldRef => {
      const scopedColumn = this.#scopeOf(meaning).find(column.path);
      if (!scopedColumn?.field) throw new UnreadablePart('no field');
      return { path: this.#pathOf(meaning.home, scopedColumn.source), field: scopedColumn.field.name };
    };
    return {
      refOf,
      shownFieldOf: (value) => {
        if (value.kind === 'column') return refOf(value);
        return this.#shown.get(meaning.text.render(value)) ?? null;
      },
      nestedMeaning: (query) => {
        const inner = meaningOf(lensOfPlainColumns(this.#lens), this.#dialect, query, this.#scopeOf(meaning));
        return { meaning: inner, names: this.#namesOf(inner) };
      },
      roleOf: (inner, condition) => this.#via(meaning, inner, condition),
      datatype: (value) => meaning.text.typeOf(value),
    };
  }

  /**
   * The role of the relationship that joins the inner rows to the outer rows. Set only if a dataset has several roles.
   */
  #via(meaning: Meaning, inner: Meaning, conditions: readonly Expression[]): string | undefined {
    const equal = conditions.flatMap((condition) =>
      condition.kind === 'compare' && condition.operator === '=' ? [[condition.left, condition.right]] : [],
    );
    const scope = this.#scopeOf(meaning);
    const innerScope = this.#scopeOf(inner);
    const columns = (expressions: Expression[], searchScope: Scope): string[] =>
      expressions.flatMap((expression) => {
        const scopedColumn =
          expression.kind === 'column' && searchScope.sources.some(({ alias }) => alias === expression.path[0])
            ? searchScope.find(expression.path)
            : null;
        return scopedColumn ? [`${scopedColumn.source.dataset.name}.${scopedColumn.column}`] : [];
      });
    const roles = this.#lens.relationships.filter(({ from, to }) =>
      from.columns.every((column, index) =>
        equal.some(
          (pair) =>
            columns(pair, innerScope).includes(`${from.dataset}.${column}`) &&
            columns(pair, scope).includes(`${to.dataset}.${to.columns[index]}`),
        ),
      ),
    );
    const [role] = roles;
    const rivals = this.#lens.relationships.filter(
      ({ from, to }) => role && from.dataset === role.from.dataset && to.dataset === role.to.dataset,
    );
    return role && rivals.length > 1 ? role.role : undefined;
  }

  #scopeOf({ sources }: Meaning): Scope {
    const scope = new Scope(lensOfPlainColumns(this.#lens), this.#dialect, null);
    scope.sources.push(...sources);
    return scope;
  }

  /**
   * The plan's name for a joined table: its dataset, its role, or all roles on the path. The first unambiguous name
   * applies.
   */
  #pathOf(homeSource: Source, { dataset, steps }: { dataset: { name: string }; steps: Source['steps'] }): string {
    if (steps.length === 0) return dataset.name;
    const stepsKey = JSON.stringify(steps);
    const candidates = [dataset.name, steps.at(-1)!.role, steps.map(({ role }) => role).join('.')];
    const step = candidates.find((candidate) => {
      const result = pathTo(this.#lens, homeSource.dataset.name, candidate);
      return result.kind === 'path' && JSON.stringify(result.path.steps) === stepsKey;
    });
    if (step === undefined) throw new UnreadablePart('no path');
    return step;
  }

  /** Records how the compiler writes the periods and parts of the dates in this statement. */
  async #learnPeriods(meaning: Meaning): Promise<void> {
    this.#shown = new Map();
    const periodTexts = periods.get(this.#lens) ?? new Map<string, string | null>();
    periods.set(this.#lens, periodTexts);
    const scope = this.#scopeOf(meaning);
    for (const path of datesIn(meaning)) {
      const scopedColumn = scope.find(path);
      if (!scopedColumn?.field?.datatype.startsWith('date')) continue;
      const ref = { path: this.#pathOf(meaning.home, scopedColumn.source), field: scopedColumn.field.name };
      for (const grain of [...GRAINS, ...DAY_PARTS]) {
        if (grain === 'hour' && scopedColumn.field.datatype === 'date') continue;
        const key = `${meaning.home.label} ${ref.path}.${ref.field}.${grain}`;
        if (!periodTexts.has(key)) {
          const listing = { ...emptyPlan(), dimensions: [{ ...ref, grain }], rows: meaning.home.dataset.name };
          periodTexts.set(key, (await this.meaningOfPlan(listing).catch(nullIfUnreadable))?.items[0]?.text ?? null);
        }
        const text = periodTexts.get(key);
        if (text) this.#shown.set(text, { ...ref, grain });
      }
    }
  }

  /** The metrics of the main source whose conditions the statement contains. */
  async #metricsOf({ home, where, every }: Meaning): Promise<MetricText[]> {
    if (every) return [];
    const texts = await metricTexts(this.#lens, home.dataset.name, () => this.#textsOfMetrics(home.dataset.name));
    return texts.filter((item) => item.where.every((text) => where.has(text)));
  }

  /** Each metric with its canonical string and its own conditions. */
  async #textsOfMetrics(home: string): Promise<MetricText[]> {
    const collectedTexts: MetricText[] = [];
    for (const { name } of this.#lens.metrics.filter((metric) => metric.home === home)) {
      const lensPlan = { ...emptyPlan(), measures: [{ fn: 'metric' as const, metric: name }] };
      const meaning = await this.meaningOfPlan(lensPlan).catch(nullIfUnreadable);
      const [item] = meaning?.items ?? [];
      if (meaning && item) collectedTexts.push({ name, text: item.text, where: [...meaning.where.keys()] });
    }
    return collectedTexts.sort((a, b) => b.where.length - a.where.length);
  }

  /** Converts a lower and an upper bound on the dataset's time field to the plan's time window. */
  #windowed({ dataset }: Source, filters: Filter[]): Pick<LensPlan, 'filters' | 'time'> {
    const usual = dataset.timeField;
    const findEnd = (ops: string[]) =>
      filters.find(
        (filter): filter is Condition =>
          'field' in filter &&
          filter.field.path === dataset.name &&
          filter.field.field === usual &&
          ops.includes(filter.op) &&
          !filter.field.grain &&
          !filter.other &&
          typeof filter.values[0] === 'string',
      );
    const [first, last] = [findEnd(['>=']), findEnd(['<', '<='])];
    const type = dataset.fields.find(({ name }) => name === usual)?.datatype;
    if (!usual || !first || !last || (last.op === '<=' && type !== 'date')) return { filters: filters, time: null };
    const [from, until] = [String(first.values[0]), String(last.values[0])];
    const endDay = last.op === '<=' ? dayAfter(until) : until;
    if (from >= endDay) return { filters: filters, time: null };
    return {
      filters: filters.filter((item) => item !== first && item !== last),
      time: { field: { path: dataset.name, field: usual }, from, to: endDay },
    };
  }

  /**
   * Reads LIMIT, OFFSET and ORDER BY. A LIMIT requires an ORDER BY on columns of the result, because otherwise the plan
   * could cut off different rows.
   */
  #ending(
    meaning: Meaning,
    dimensions: Grouping[],
    measures: Measure[],
  ): Pick<LensPlan, 'order_by' | 'limit' | 'offset' | 'limit_per'> {
    const { select } = meaning;
    const first = this.#firstOfEach(meaning, dimensions, measures);
    const [limit, offset] = [select.limit, select.offset].map((item) => item && constantOf(item));
    if (select.limit === null && select.offset === null) return { order_by: [], limit: null, ...first };
    if (typeof limit !== 'number' || limit < 1 || (select.offset && typeof offset !== 'number'))
      throw new UnreadablePart('limit');
    if (select.orderBy.length === 0 || first) throw new UnreadablePart('a cut by chance');
    const order = select.orderBy.map((key) => this.#ordered(meaning, key, dimensions, measures));
    return { order_by: order, limit, ...(typeof offset === 'number' && offset > 0 && { offset }) };
  }

  /** Reads a condition on a rank as "the first n of each group". */
  #firstOfEach(
    meaning: Meaning,
    dimensions: Grouping[],
    measures: Measure[],
  ): Pick<LensPlan, 'order_by' | 'limit_per'> | null {
    const { qualify } = meaning;
    if (qualify.size === 0) return null;
    const [condition, second] = qualify.values();
    const place = condition && !second ? placeIn(condition) : null;
    if (!place) throw new UnreadablePart('windows');
    const { name, over, rows } = place;
    const names = this.#namesOf(meaning);
    const partition = over.partitionBy.map((item): Grouping => names.shownFieldOf(item) ?? rejectUnshown(item));
    const order = over.orderBy.map((key) => this.#ordered(meaning, key, dimensions, measures, names));
    const ties = name !== 'row_number' ? { ties: true as const } : {};
    return { order_by: order, limit_per: { by: partition, rows, ...ties } };
  }

  #ordered(
    meaning: Meaning,
    { value, direction: declaredDirection, nulls }: SortKey,
    dimensions: Grouping[],
    measures: Measure[],
    names?: Names,
  ): Order {
    const direction = declaredDirection ?? 'asc';
    const text = meaning.text.render(value);
    const itemIndex = meaning.items.findIndex((item) => item.text === text);
    const by = itemIndex >= 0 ? this.#placeOf(meaning, itemIndex, dimensions, measures) : this.#unseen(value, names);
    if (!by) throw new UnreadablePart('order', value);
    const first = !sortsNullsLast(this.#dialect, direction, nulls) && !meaning.text.isNonNull(value);
    return { ...by, direction, ...(first && { nulls: 'first' as const }) };
  }

  /** A rank can order rows by a field that the statement doesn't show. */
  #unseen(value: Expression, names: Names | undefined): SortTarget | null {
    const field = names?.shownFieldOf(value);
    return field ? { field } : null;
  }

  #placeOf(
    { items, group }: Meaning,
    itemIndex: number,
    dimensions: Grouping[],
    measures: Measure[],
  ): SortTarget | null {
    const isMeasure = ({ value }: { value: Expression }): boolean => group !== null && this.#measures(value);
    const isMeasureItem = isMeasure(items[itemIndex]!);
    const precedingCount = items.slice(0, itemIndex).filter((item) => isMeasure(item) === isMeasureItem).length;
    if (isMeasureItem) return measures[precedingCount] ? { measure: measures[precedingCount] } : null;
    return dimensions[precedingCount] ? { field: dimensions[precedingCount] } : null;
  }
}

type SortTarget = { field: FieldRef } | { measure: Measure };

/** A dimension computed for each row. Its name is the statement's alias. */
function computedOf({ home, select }: Meaning, reader: MeasureReader, value: Expression, itemIndex: number): Grouping {
  if (value.kind !== 'arithmetic') throw new UnreadablePart('no field', value);
  const alias = select.items[itemIndex]?.alias ?? '';
  const columnName = /^\w+$/.test(alias) ? alias : `value_${itemIndex + 1}`;
  return { path: home.dataset.name, field: `(${columnName})`, value: reader.valueOf(value), as: columnName };
}

/**
 * Converts the periods to the grain of the dimension that shows them. If the date has no grain, the grain becomes day.
 */
function everyPeriod(
  { key, from, to }: Periods,
  { items, group }: Meaning,
  dimensions: Grouping[],
): { period: Period; time: TimeWindow } {
  const dimensionIndex = items.filter(({ text }) => group!.has(text)).findIndex(({ text }) => text === key);
  const dimension = dimensions[dimensionIndex];
  if (!dimension || isDayPart(dimension.grain)) throw new UnreadablePart('periods');
  dimension.grain ??= 'day';
  const { path, field, grain } = dimension;
  return { period: { path, field, grain }, time: { field: { path, field }, from, to } };
}

function havingOf(reader: MeasureReader, expression: Expression): Having {
  if (expression.kind !== 'compare') throw new UnreadablePart('having', expression);
  const number = constantOf(expression.right);
  if (typeof number !== 'number' || expression.operator.startsWith('is'))
    throw new UnreadablePart('having', expression);
  const op = expression.operator === '<>' ? '!=' : (expression.operator as '=' | '<' | '<=' | '>' | '>=');
  return { measure: reader.measureOf(expression.left), op, values: [number] };
}

/** The paths of the columns inside larger expressions, without duplicates. */
const datesIn = ({ items, where, group, qualify }: Meaning): string[][] => {
  const expressions = [
    ...items.map(({ value }) => value),
    ...where.values(),
    ...(group?.values() ?? []),
    ...qualify.values(),
  ];
  const parts = expressions.filter(({ kind }) => kind !== 'column');
  const paths = [...nodesOutsideQueries(parts)].flatMap((node) => (node.kind === 'column' ? [node.path] : []));
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
};

const rejectUnshown = (expression: Expression): never => {
  throw new UnreadablePart('no field', expression);
};
const nullIfUnreadable = (fault: unknown): null => {
  if (fault instanceof UnreadablePart || (fault instanceof Problem && fault.code === 'invalid')) return null;
  throw fault;
};
