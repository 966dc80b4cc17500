// A statement -> the plan that it equals. What the plan could be is guessed from the look of the statement; it is taken
// only where the plan, compiled, means the very same (meaning.ts).
import type { Dialect } from '../../../dialects/dialect.ts';
import { dialectOf } from '../../../dialects/dialects.ts';
import { Faults } from '../../../dialects/faults.ts';
import { constantOf } from '../../../dialects/nodes.ts';
import type { Call, Column, Expression, Query, Select } from '../../../dialects/tree.ts';
import {
  type Aggregate,
  type Condition,
  DAY_PARTS,
  emptyIntent,
  type FieldRef,
  type Filter,
  type Grouping,
  type Having,
  type Intent,
  type Measure,
  type Order,
} from '../../../lens/intent.ts';
import { pathTo } from '../../../lens/join-paths.ts';
import { GRAINS, type Lens } from '../../../lens/lens.ts';
import { Problem } from '../../../platform/problem.ts';
import { nodesBeside } from '../statement/parts.ts';
import { filterOf, type Names } from './lift-conditions.ts';
import { type Meaning, meaningOf, sameMeaning } from './meaning.ts';
import { Scope, type Source, Unread } from './scope.ts';
import { shownLens, writtenFor } from './shown-lens.ts';

export interface Lifted {
  intent: Intent;
  /** The column of the statement that each column of the plan is. */
  columns: number[];
}

/** Null where no plan is known that means the same. */
export async function liftStatement(lens: Lens, query: Query, now: Date): Promise<Lifted | null> {
  try {
    return await lifted(lens, query, now);
  } catch (fault) {
    // What a plan can't say, or this lens does not allow.
    if (fault instanceof Unread || (fault instanceof Problem && fault.code === 'invalid')) return null;
    throw fault;
  }
}

async function lifted(lens: Lens, query: Query, now: Date): Promise<Lifted | null> {
  const dialect = dialectOf(lens.dialect);
  const reader = new PlanReader(lens, dialect, now);
  const meaning = meaningOf(shownLens(lens), dialect, query);
  const intent = await reader.intentOf(meaning);
  const compiled = await reader.meaningOfPlan(intent);
  const columns = compiled && sameMeaning(meaning, compiled);
  return columns && { intent, columns };
}

const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max']);
const COMBINED: Record<string, 'ratio' | 'difference' | 'total'> = { '/': 'ratio', '-': 'difference', '+': 'total' };
const periods = new WeakMap<Lens, Map<string, string | null>>();

class PlanReader {
  readonly #lens: Lens;
  readonly #dialect: Dialect;
  readonly #now: Date;
  /** What the text of an expression over this home shows. */
  #shown = new Map<string, FieldRef>();

  constructor(lens: Lens, dialect: Dialect, now: Date) {
    this.#lens = lens;
    this.#dialect = dialect;
    this.#now = now;
  }

  async meaningOfPlan(intent: Intent): Promise<Meaning | null> {
    const text = await writtenFor(this.#lens, intent, this.#now);
    const query = await this.#dialect.read(text, new Faults());
    return query && meaningOf(shownLens(this.#lens), this.#dialect, query);
  }

  async intentOf(meaning: Meaning): Promise<Intent> {
    const { select, home, group } = meaning;
    await this.#learnPeriods(meaning);
    const names = this.#namesOf(meaning);
    const dimensions: Grouping[] = [];
    const measures: Measure[] = [];
    const uses = group === null || select.distinct ? [] : await this.#metricsOf(meaning);
    const filter = uses.find((one) => one.where.length > 0);
    for (const { text, value } of meaning.items) {
      const shown = group === null || group.includes(text) ? names.shownAs(value) : null;
      if (shown) dimensions.push(shown);
      else if (group === null) throw new Unread('listed');
      else measures.push(this.#measureOf(meaning, names, text, value, uses));
    }
    if (group !== null && group.length > dimensions.length) throw new Unread('a group that is not shown');
    const own = [...meaning.where].filter(([text]) => !filter?.where.includes(text));
    const { filters, time } = this.#windowed(
      home,
      own.map(([, one]) => filterOf(names, one)),
    );
    return {
      ...emptyIntent(),
      ...{ measures, dimensions, filters, time },
      ...(measures.length === 0 && { home: home.dataset.name }),
      distinct: select.distinct !== null || (measures.length === 0 && group !== null),
      having: [...meaning.having.values()].map((one) => this.#havingOf(meaning, names, one, uses)),
      ...this.#ending(meaning, dimensions, measures),
    };
  }

  #namesOf(meaning: Meaning): Names {
    const refOf = (column: Column): FieldRef => {
      const scope = this.#scopeOf(meaning);
      const found = scope.find(column.path);
      if (!found?.field) throw new Unread('no field');
      return { path: this.#pathOf(meaning.home, found.source), field: found.field.name };
    };
    return {
      refOf,
      shownAs: (value) => {
        if (value.kind === 'column') return refOf(value);
        return this.#shown.get(this.#textOf(meaning, value)) ?? null;
      },
      within: (query) => {
        const inner = meaningOf(shownLens(this.#lens), this.#dialect, query, this.#scopeOf(meaning));
        return { meaning: inner, names: this.#namesOf(inner) };
      },
    };
  }

  #scopeOf({ sources }: Meaning): Scope {
    const scope = new Scope(shownLens(this.#lens), this.#dialect, null);
    scope.sources.push(...sources);
    return scope;
  }

  #textOf(meaning: Meaning, value: Expression): string {
    return meaning.text.of(value);
  }

  /** As a plan names where a row leads: by its dataset, its role, or all roles on the way. */
  #pathOf(home: Source, { dataset, steps }: Source): string {
    if (steps.length === 0) return dataset.name;
    const wanted = JSON.stringify(steps);
    const ways = [dataset.name, steps.at(-1)!.role, steps.map(({ role }) => role).join('.')];
    const found = ways.find((way) => {
      const result = pathTo(this.#lens, home.dataset.name, way);
      return result.kind === 'path' && JSON.stringify(result.path.steps) === wanted;
    });
    if (found === undefined) throw new Unread('no path');
    return found;
  }

  /** How the compiler writes the periods and parts of the dates that are computed with here. */
  async #learnPeriods(meaning: Meaning): Promise<void> {
    this.#shown = new Map();
    const known = periods.get(this.#lens) ?? new Map<string, string | null>();
    periods.set(this.#lens, known);
    const scope = this.#scopeOf(meaning);
    for (const path of datesIn(meaning)) {
      const found = scope.find(path);
      if (!found?.field?.datatype.startsWith('date')) continue;
      const ref = { path: this.#pathOf(meaning.home, found.source), field: found.field.name };
      for (const grain of [...GRAINS, ...DAY_PARTS]) {
        if (grain === 'hour' && found.field.datatype === 'date') continue;
        const key = `${meaning.home.label} ${ref.path}.${ref.field}.${grain}`;
        if (!known.has(key)) {
          const listing = { ...emptyIntent(), dimensions: [{ ...ref, grain }], home: meaning.home.dataset.name };
          known.set(key, (await this.meaningOfPlan(listing).catch(unread))?.items[0]?.text ?? null);
        }
        const text = known.get(key);
        if (text) this.#shown.set(text, { ...ref, grain });
      }
    }
  }

  /** The approved metrics over these rows, each as it is written here and with the conditions of its own. */
  async #metricsOf({ home, where }: Meaning): Promise<MetricText[]> {
    const own = this.#lens.metrics.filter((metric) => metric.home === home.dataset.name);
    const found: MetricText[] = [];
    for (const { name } of own) {
      const intent = { ...emptyIntent(), measures: [{ kind: 'metric' as const, name }] };
      const meaning = await this.meaningOfPlan(intent).catch(unread);
      const [item] = meaning?.items ?? [];
      const conditions = [...(meaning?.where.keys() ?? [])];
      if (meaning && item && conditions.every((one) => where.has(one)))
        found.push({ name, text: item.text, where: conditions });
    }
    return found.sort((a, b) => b.where.length - a.where.length);
  }

  #measureOf(meaning: Meaning, names: Names, text: string, value: Expression, uses: MetricText[]): Measure {
    const metric = uses.find((one) => one.text === text);
    if (metric) return { kind: 'metric', name: metric.name };
    if (value.kind === 'call') return this.#aggregateOf(meaning, names, value);
    const fn = value.kind === 'arithmetic' && value.left ? COMBINED[value.operator] : undefined;
    if (!fn || value.kind !== 'arithmetic') throw new Unread('measure');
    const [left, right] = [value.left!, unlessZero(value.right)].map((one) =>
      this.#measureOf(meaning, names, this.#textOf(meaning, one), one, uses),
    );
    return { kind: 'combined', fn, left: left!, right: right! };
  }

  #aggregateOf(meaning: Meaning, names: Names, call: Call): Measure {
    const { name, args, distinct, filter } = call;
    if (!AGGREGATES.has(name) || call.orderBy.length > 0) throw new Unread(name);
    if (filter) {
      const whole = { ...call, filter: null };
      return this.#restricted(meaning, names, whole, filter);
    }
    if (this.#textOf(meaning, call) === 'count(*)')
      return { kind: 'aggregate', fn: 'count', path: meaning.home.dataset.name };
    const [only, more] = args;
    if (!only || more) throw new Unread('arguments');
    if (only.kind === 'case') return this.#conditional(meaning, names, call, only);
    if (only.kind !== 'column' || (distinct && name !== 'count')) throw new Unread('aggregate');
    const fn = distinct ? 'count_distinct' : (name as Aggregate['fn']);
    return { kind: 'aggregate', fn, ...names.refOf(only) };
  }

  /** sum(case when … then x end). */
  #conditional(
    meaning: Meaning,
    names: Names,
    call: Call,
    { operand, whens, otherwise }: Expression & { kind: 'case' },
  ): Measure {
    const [when, more] = whens;
    if (operand || !when || more || otherwise) throw new Unread('case');
    return this.#restricted(meaning, names, { ...call, args: [when.result] }, when.when);
  }

  /** Of a field, not of a metric: those have rows of their own. */
  #restricted(meaning: Meaning, names: Names, call: Call, condition: Expression): Measure {
    return { kind: 'restricted', of: this.#aggregateOf(meaning, names, call), where: [filterOf(names, condition)] };
  }

  #havingOf(meaning: Meaning, names: Names, one: Expression, uses: MetricText[]): Having {
    if (one.kind !== 'compare') throw new Unread('having');
    const number = constantOf(one.right);
    if (typeof number !== 'number' || one.operator.startsWith('is')) throw new Unread('having');
    const measure = this.#measureOf(meaning, names, this.#textOf(meaning, one.left), one.left, uses);
    const op = one.operator === '<>' ? '!=' : (one.operator as '=' | '<' | '<=' | '>' | '>=');
    return { measure, op, values: [number] };
  }

  /** Both ends of the usual date of these rows are the plan's period. */
  #windowed({ dataset }: Source, all: Filter[]): Pick<Intent, 'filters' | 'time'> {
    const usual = dataset.timeField;
    const end = (ops: string[]) =>
      all.find(
        (one): one is Condition =>
          one.kind === 'condition' &&
          one.field.path === dataset.name &&
          one.field.field === usual &&
          ops.includes(one.op) &&
          !one.field.grain &&
          !one.other &&
          typeof one.values[0] === 'string',
      );
    const [first, last] = [end(['>=']), end(['<', '<='])];
    const type = dataset.fields.find(({ name }) => name === usual)?.datatype;
    if (!usual || !first || !last || (last.op === '<=' && type !== 'date')) return { filters: all, time: null };
    const [from, until] = [String(first.values[0]), String(last.values[0])];
    const to = last.op === '<=' ? dayAfter(until) : until;
    if (from >= to) return { filters: all, time: null };
    return {
      filters: all.filter((one) => one !== first && one !== last),
      time: { field: { path: dataset.name, field: usual }, from, to },
    };
  }

  /** A cut that the plan makes alike: by what is shown, rows without a value last. */
  #ending(meaning: Meaning, dimensions: Grouping[], measures: Measure[]): Pick<Intent, 'order' | 'limit' | 'offset'> {
    const { select, items } = meaning;
    const [limit, offset] = [select.limit, select.offset].map((one) => one && constantOf(one));
    if (select.limit === null && select.offset === null) return { order: [], limit: null };
    if (typeof limit !== 'number' || limit < 1 || (select.offset && typeof offset !== 'number'))
      throw new Unread('limit');
    if (select.orderBy.length === 0) throw new Unread('a cut by chance');
    const order = select.orderBy.map((key): Order => {
      const at = itemOf(select, meaning, key.value);
      const direction = key.direction ?? 'asc';
      const shown = items[at] && this.#placeOf(meaning, at, dimensions, measures);
      if (!shown) throw new Unread('order');
      if (!nullsLast(this.#dialect, direction, key.nulls) && !/^count\(|name:"count"/.test(items[at]!.text))
        throw new Unread('nulls first');
      return { by: shown, direction };
    });
    return { order, limit, ...(typeof offset === 'number' && offset > 0 && { offset }) };
  }

  #placeOf(meaning: Meaning, at: number, dimensions: Grouping[], measures: Measure[]): Order['by'] | null {
    const { group, items } = meaning;
    const isGroup = (text: string): boolean => group === null || group.includes(text);
    const before = items.slice(0, at).filter(({ text }) => isGroup(text) === isGroup(items[at]!.text)).length;
    if (!isGroup(items[at]!.text)) return measures[before] ? { kind: 'measure', index: before } : null;
    return dimensions[before] ? { kind: 'field', field: dimensions[before]! } : null;
  }
}

/** Names of columns that stand within a computed output, each once. */
const datesIn = ({ items, where }: Meaning): string[][] => {
  const parts = [...items.map(({ value }) => value), ...where.values()].filter(({ kind }) => kind !== 'column');
  const paths = [...nodesBeside(parts)].flatMap((node) => (node.kind === 'column' ? [node.path] : []));
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
};

interface MetricText {
  name: string;
  text: string;
  where: string[];
}

const unread = (fault: unknown): null => {
  if (fault instanceof Unread || (fault instanceof Problem && fault.code === 'invalid')) return null;
  throw fault;
};

/** x / nullif(y, 0) */
const unlessZero = (one: Expression): Expression =>
  one.kind === 'call' && one.name === 'nullif' && one.args[1] && constantOf(one.args[1]) === 0 ? one.args[0]! : one;

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const nullsLast = ({ nullsSort }: Dialect, direction: 'asc' | 'desc', nulls: 'first' | 'last' | null): boolean => {
  if (nulls !== null) return nulls === 'last';
  const { unsaid } = nullsSort;
  return unsaid === 'last' || (unsaid === 'as greatest' ? direction === 'asc' : direction === 'desc');
};

/** The output that a key of ORDER BY is: by its place, its name or its text. */
function itemOf({ items }: Select, meaning: Meaning, key: Expression): number {
  if (key.kind === 'literal') return Number(key.value) - 1;
  const named =
    key.kind === 'column' && key.path.length === 1 ? items.findIndex(({ alias }) => alias === key.path[0]) : -1;
  return named >= 0 ? named : meaning.items.findIndex(({ text }) => text === meaning.text.of(key));
}
