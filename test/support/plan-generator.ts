// Random plans over a lens, generated from the plan language and not from questions.

import type { Lens, LensField } from '../../src/lens/model/lens.ts';
import { countBounds, negateExists } from '../../src/plan/filters.ts';
import {
  type Aggregate,
  countsRows,
  type ExistsFilter,
  emptyPlan,
  type FieldRef,
  type Filter,
  type Grouping,
  isBase,
  type LensPlan,
  type Measure,
  restrictRows,
} from '../../src/plan/lens-plan.ts';
import { isNumeric, isTemporal } from '../../src/reader/words/datatypes.ts';
import { type Vocabulary, vocabularyOf } from '../../src/reader/words/vocabulary.ts';

interface Way {
  path: string;
  field: LensField;
}

export class Plans {
  private readonly vocabulary: Vocabulary;
  private readonly lens: Lens;
  private readonly random: () => number;
  constructor(lens: Lens, random: () => number) {
    this.lens = lens;
    this.random = random;
    this.vocabulary = vocabularyOf(lens);
  }

  one(): LensPlan {
    const kinds = [
      () => this.measured(),
      () => this.measured(),
      () => this.measured(),
      () => this.listing(),
      () => this.listing(),
      () => this.ranked(),
      () => this.rankedRows(),
      () => this.chosen(),
      () => this.firstOfEach(),
      () => this.mostCommon(),
    ];
    return this.pick(kinds)();
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)]!;
  }
  private chance(of: number): boolean {
    return this.random() < of;
  }
  private number(): number {
    return this.pick([0, 1, 2, 3, 5, 10, 12, 25, 40, 100, 1500]);
  }

  private ways(home: string): Way[] {
    return [...this.vocabulary.graph.reach(home).values()]
      .filter(({ ambiguous }) => !ambiguous)
      .flatMap(({ path, dataset }) => this.vocabulary.dataset(dataset).fields.map((field) => ({ path, field })));
  }
  private keys(name: string): string[] {
    return this.vocabulary.dataset(name).primaryKey;
  }
  private isKey(path: string, { name }: LensField): boolean {
    return this.keys(this.vocabulary.graph.datasetOf(path)!).includes(name);
  }
  private amounts(home: string): LensField[] {
    return this.vocabulary
      .dataset(home)
      .fields.filter((field) => isNumeric(field.datatype) && !this.isKey(home, field) && !/year/.test(field.name));
  }
  private homes(): string[] {
    return this.lens.datasets.map(({ name }) => name);
  }

  /** A count of rows. An approved metric with that expression replaces it. */
  private base(home: string): Measure {
    const approved = new Set(this.lens.metrics.map(({ expression }) => expression));
    const [key] = this.keys(home);
    const metrics: Measure[] = this.lens.metrics
      .filter((metric) => metric.home === home)
      .map(({ name }) => ({ fn: 'metric', metric: name }));
    const numbers: Aggregate[] = this.amounts(home).flatMap(({ name: field }) =>
      (['sum', 'avg', 'min', 'max', 'median'] as const)
        .filter((fn) => !approved.has(`${fn}(${home}.${field})`))
        .map((fn) => ({ fn, field: { path: home, field } })),
    );
    const counted: Aggregate[] = approved.has(`count(${home}.${key})`) ? [] : [{ fn: 'count', rows: home }];
    const kinds: Aggregate[] = this.vocabulary
      .dataset(home)
      .fields.filter(({ dictionary }) => dictionary)
      .map(({ name: field }) => ({ fn: 'count_distinct', field: { path: home, field } }));
    return this.pick<Measure>([...metrics, ...metrics, ...numbers, ...counted, ...counted, ...kinds]);
  }

  private measure(home: string): Measure {
    const base = this.base(home);
    if (this.chance(0.5)) return base;
    const other = this.base(home);
    const isOnce = [base, other].some(({ fn }) => fn === 'count_distinct');
    const where = [this.value(home)].filter((item) => item !== null && !(isOnce && 'or_null' in item)) as Filter[];
    // Adds one condition to both operands.
    const [both] = this.chance(0.4) ? where : [];
    const side = (of: Measure): Measure => (both ? restrictRows(of, [both]) : of);
    const thing = this.thing(home);
    const over = thing?.key ?? null;
    const { timeField } = this.vocabulary.dataset(home);
    const during = (year: number) => ({
      field: { path: home, field: timeField! },
      from: `${year}-01-01`,
      to: `${year + 1}-01-01`,
    });
    const isSum = /^(?:metric|sum|count)$/.test(base.fn);
    const counted = { fn: 'count' as const, rows: home };
    const isCounted = JSON.stringify(base) === JSON.stringify(counted);
    const composed: Measure[] = [
      ...(over && isCounted ? [{ fn: 'over_groups' as const, take: 'avg' as const, of: base, per: [over] }] : []),
      ...(over && isSum
        ? [
            { fn: 'over_groups' as const, take: 'avg' as const, of: base, per: [over] },
            { fn: 'over_groups' as const, take: this.pick(['median', 'max'] as const), of: base, per: [over] },
          ]
        : []),
      ...(timeField && isSum
        ? [{ fn: 'change' as const, of: base, percent: true as const, from: during(2015), to: during(2016) }]
        : []),
      ...(isSum && timeField
        ? [
            { fn: 'running_total' as const, of: base },
            { fn: 'running_total' as const, of: base },
            { fn: 'change' as const, of: base, percent: true as const },
          ]
        : []),
      ...(JSON.stringify(other) === JSON.stringify(base)
        ? []
        : [
            { fn: 'ratio' as const, of: [side(base), side(other)] },
            { fn: 'difference' as const, of: [side(base), side(other)] },
          ]),
      ...(where.length > 0
        ? [
            { fn: 'share' as const, of: base, where },
            { fn: 'share' as const, of: base, where, percent: true as const },
          ]
        : []),
    ];
    return composed.length > 0 ? this.pick(composed) : base;
  }

  private value(home: string): Filter | null {
    const flags = this.ways(home).filter(({ field: { datatype } }) => datatype === 'boolean');
    if (flags.length > 0 && this.chance(0.5)) {
      const { path, field } = this.pick(flags);
      const ref = { path, field: field.name };
      return this.chance(0.6)
        ? { field: ref, op: '=', values: [true] }
        : { field: ref, op: '!=', values: [true], or_null: true };
    }
    const all = this.ways(home).filter(({ field: { dictionary } }) => dictionary);
    if (all.length === 0) return null;
    const { path, field } = this.pick(all);
    const values = field.dictionary!.values.map(({ value }) => value);
    const first = this.pick(values);
    const second = values.find((value) => value !== first);
    const ref: FieldRef = { path, field: field.name };
    return this.pick<Filter>([
      { field: ref, op: '=', values: [first] },
      { field: ref, op: '=', values: [first] },
      { field: ref, op: '!=', values: [first], or_null: true },
      ...(second && values.length > 2
        ? [
            { field: ref, op: 'in' as const, values: [first, second] },
            {
              field: ref,
              op: 'not_in' as const,
              values: [first, second],
              or_null: true as const,
            },
          ]
        : []),
    ]);
  }
  private compared(home: string): Filter | null {
    const all = this.ways(home).filter(
      ({ path, field }) => isNumeric(field.datatype) && !this.isKey(path, field) && !/year/.test(field.name),
    );
    if (all.length === 0) return null;
    const { path, field } = this.pick(all);
    const ref = { path, field: field.name };
    const [low, high] = [this.number(), this.number()].sort((a, b) => a - b) as [number, number];
    if (this.chance(0.15) && low < high) return { field: ref, op: 'between', values: [low, high] };
    if (this.chance(0.1) && low < high) return { field: ref, op: 'in', values: [low, high] };
    return { field: ref, op: this.pick(['>', '>=', '<', '<=', '=']), values: [low] };
  }
  private written(home: string): Filter | null {
    const all = this.vocabulary
      .dataset(home)
      .fields.filter((field) => field.datatype === 'string' && !field.dictionary && !this.isKey(home, field));
    if (all.length === 0) return null;
    const ref = { path: home, field: this.pick(all).name };
    return this.pick<Filter>([
      { field: ref, op: 'contains', values: ['ab c'] },
      { field: ref, op: 'starts_with', values: ['X1'] },
      { field: ref, op: 'is_null', values: [] },
    ]);
  }
  private related(home: string): Filter | null {
    const leading = this.homes().filter(
      (name) => name !== home && this.vocabulary.graph.paths(name, home).length === 1,
    );
    if (leading.length === 0) return null;
    const path = this.pick(leading);
    const inner = this.chance(0.4) ? [this.chance(0.5) ? this.value(path) : this.compared(path)] : [];
    // Uses only conditions on the related row, because its parent may be the counted row itself.
    const where = inner.filter((item): item is Filter => item !== null && 'field' in item && item.field.path === path);
    const plain: ExistsFilter = { exists: path, where };
    return this.pick<Filter>([
      plain,
      negateExists(plain),
      { ...plain, ...countBounds(this.pick(['>', '>=', '=']), this.pick([2, 3, 5, 12])) },
    ]);
  }
  private window(): [string, string] {
    const year = this.pick([2015, 2019, 2021, 2023]);
    const month = this.pick(['01', '04', '07', '10', '11']);
    const next = { '01': '02', '04': '05', '07': '08', '10': '11', '11': '12' }[month]!;
    return this.pick<[string, string]>([
      [`${year}-01-01`, `${year + 1}-01-01`],
      [`${year}-${month}-01`, `${year}-${next}-01`],
      [`${year}-04-01`, `${year}-07-01`],
      [`${year}-03-05`, `${year}-03-06`],
      [`${year}-02-10`, `${year}-05-21`],
    ]);
  }
  private period(home: string): Filter[] {
    const { timeField, fields } = this.vocabulary.dataset(home);
    if (timeField === null) return [];
    const dates = fields.filter(({ datatype }) => isTemporal(datatype));
    const field = { path: home, field: this.chance(0.7) ? timeField : this.pick(dates).name };
    const [from, to] = this.window();
    const edge = (op: '>=' | '<', value: string): Filter => ({ field, op, values: [value] });
    return this.pick([
      [edge('>=', from), edge('<', to)],
      [edge('>=', from), edge('<', to)],
      [edge('>=', from)],
      [edge('<', from)],
    ]);
  }
  private filters(home: string, most = 2): Filter[] {
    const made: (Filter | null)[] = [];
    for (let at = 0; at < most; at++)
      if (this.chance(0.5))
        made.push(
          this.pick([
            () => this.value(home),
            () => this.value(home),
            () => this.compared(home),
            () => this.written(home),
            () => this.related(home),
          ])(),
        );
    const all = made.filter((item) => item !== null);
    const fieldOf = (one: Filter): string => ('field' in one ? `${one.field.path}.${one.field.field}` : 'related');
    const apart = all.filter((item, at) => all.findIndex((other) => fieldOf(other) === fieldOf(item)) === at);
    const period = this.chance(0.35) ? this.period(home) : [];
    const second = this.chance(0.3) ? this.period(home) : [];
    const isApart = [...period, ...second].every((item) => 'field' in item) && period[0] && second[0];
    return [...period, ...(isApart && fieldOf(period[0]!) !== fieldOf(second[0]!) ? second : []), ...apart];
  }

  private rowFilters(home: string): Filter[] {
    return this.filters(home, 1).filter((filter) => 'field' in filter);
  }
  private thing(home: string): { dimensions: Grouping[]; key: string | null } | null {
    const all = [...this.vocabulary.graph.reach(home).values()].filter(
      ({ path, dataset, ambiguous, hops }) => !ambiguous && hops > 0 && path === dataset,
    );
    if (all.length === 0) return null;
    const { path } = this.pick(all);
    const display = this.vocabulary.display(path).map(({ name }) => name);
    const keys = this.keys(path);
    const shown = display.length > 0 ? display : keys;
    return {
      dimensions: shown.map((field) => ({ path, field })),
      key: keys.some((key) => !shown.includes(key)) ? path : null,
    };
  }
  private kindsOf(home: string): Grouping[] {
    return this.ways(home)
      .filter(({ field }) => field.dictionary)
      .map(({ path, field }) => ({ path, field: field.name }));
  }
  private grain(home: string, running = false): Grouping | null {
    const { timeField } = this.vocabulary.dataset(home);
    return timeField === null
      ? null
      : {
          path: home,
          field: timeField,
          grain: this.pick(
            running
              ? (['month', 'quarter', 'year'] as const)
              : (['day', 'week', 'month', 'quarter', 'year', 'weekday', 'month_of_year'] as const),
          ),
        };
  }

  private measured(): LensPlan {
    const home = this.pick(this.homes());
    const measures = [this.measure(home)];
    const { fn } = measures[0]!;
    const isPlain = isBase(measures[0]!);
    const compared = 'from' in measures[0]!;
    const running = fn === 'running_total' || (fn === 'change' && !compared);
    if (isPlain && this.chance(0.2)) measures.push(this.base(home));
    const told: Grouping[] = [];
    const keys: string[] = [];
    if (this.chance(0.6) || running) {
      const kinds = this.kindsOf(home);
      if (kinds.length > 0 && this.chance(0.6)) told.push(this.pick(kinds));
      const thing = this.chance(0.3) ? this.thing(home) : null;
      if (thing && !told.some(({ path }) => path === thing.dimensions[0]!.path)) {
        told.push(...thing.dimensions);
        if (thing.key) keys.push(thing.key);
      }
      const grain = running || (!compared && this.chance(0.4)) ? this.grain(home, running) : null;
      if (grain) told.push(grain);
    }
    const isOnce = measures.some((measure) => JSON.stringify(measure).includes('count_distinct'));
    const made = Array.isArray((measures[0] as { of?: unknown }).of) ? [] : this.filters(home, fn === 'share' ? 0 : 2);
    // With count_distinct, a negated condition would apply to all rows of an entity.
    const filters = (compared ? [] : made).filter(
      (item) =>
        !isOnce ||
        !(
          'not_exists' in item ||
          'any' in item ||
          'or_null' in item ||
          ('field' in item && typeof item.values[0] === 'number')
        ),
    );
    const shared: Measure[] =
      isPlain && measures.length === 1 && told.length === 1 && this.chance(0.35)
        ? [
            {
              fn: 'share_of_total',
              of: measures[0]!,
              ...(this.chance(0.5) && { percent: true as const }),
            },
          ]
        : measures;
    const order: LensPlan['order_by'] =
      told.length > 0 &&
      !['running_total', 'share_of_total', 'change', 'share', 'ratio', 'difference'].includes(shared[0]!.fn) &&
      shared.length === 1 &&
      this.chance(0.2)
        ? [{ measure: shared[0]!, direction: this.pick(['asc', 'desc']) }]
        : [];
    return {
      ...emptyPlan(),
      measures: shared.filter(
        (item, at) => shared.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === at,
      ),
      dimensions: told,
      filters,
      order_by: order,
      ...(keys.length > 0 && { per: keys }),
    };
  }

  private rows(home: string): Grouping[] {
    const display = this.vocabulary.display(home);
    const fields = display.length > 0 ? display : this.vocabulary.dataset(home).fields;
    return fields.map(({ name }) => ({ path: home, field: name }));
  }
  private listing(): LensPlan {
    const home = this.pick(this.homes());
    const usual = this.rows(home);
    const fields = this.vocabulary.dataset(home).fields.map(({ name }) => ({ path: home, field: name }));
    const [first, second] = [this.pick(fields), this.pick(fields)];
    const told = this.chance(0.6) ? usual : first.field === second.field ? [first] : [first, second];
    const plain: LensPlan = { ...emptyPlan(), rows: home, dimensions: told, filters: this.filters(home) };
    if (told !== usual || this.chance(0.7)) return plain;
    const by = this.pick(fields);
    const shown = told.some(({ field }) => field === by.field);
    return shown ? { ...plain, order_by: [{ field: by, direction: this.pick(['asc', 'desc']) }] } : plain;
  }
  private rankedRows(): LensPlan {
    const home = this.pick(this.homes());
    const { timeField } = this.vocabulary.dataset(home);
    const usual = this.rows(home);
    const scales = this.amounts(home).map(({ name }) => name);
    const by = {
      path: home,
      field: this.chance(0.3) && timeField ? timeField : this.pick([...scales, ...(timeField ? [timeField] : [])]),
    };
    if (by.field === undefined) return this.listing();
    const shown = usual.some(({ field }) => field === by.field);
    const own = this.vocabulary.dataset(home).fields.map(({ name }) => ({ path: home, field: name }));
    const alone = this.chance(0.2) ? [this.pick(own)] : null;
    return {
      ...emptyPlan(),
      rows: home,
      dimensions: alone ? alone : shown || by.field === timeField || this.chance(0.5) ? usual : [...usual, by],
      filters: this.filters(home, 1),
      order_by: [{ field: by, direction: this.pick(['asc', 'desc']) }],
      limit: this.pick([1, 2, 3, 5, 10]),
    };
  }

  /** A ranking of entities by a measure of their rows. */
  private ranked(): LensPlan {
    const home = this.pick(this.homes());
    const thing = this.thing(home);
    const base = this.base(home);
    if (!thing?.key) return this.measured();
    const alone = this.chance(0.5);
    const direction = countsRows(base) ? 'desc' : this.pick(['asc', 'desc'] as const);
    return {
      ...emptyPlan(),
      measures: alone ? [] : [base],
      dimensions: thing.dimensions,
      filters: [...this.rowFilters(home), this.given(thing.key)],
      order_by: [{ measure: base, direction }],
      limit: this.pick([1, 2, 3, 5, 10]),
      per: [thing.key],
      ...(alone && { grouped: true }),
    };
  }
  private given(path: string): Filter {
    return {
      field: { path, field: this.keys(this.vocabulary.graph.datasetOf(path)!)[0]! },
      op: 'is_not_null',
      values: [],
    };
  }
  /** Entities filtered by a measure of their rows. */
  private chosen(): LensPlan {
    const home = this.pick(this.homes());
    const thing = this.thing(home);
    const base = this.base(home);
    if (!thing?.key || countsRows(base)) return this.listing();
    return {
      ...emptyPlan(),
      dimensions: thing.dimensions,
      filters: [...this.rowFilters(home), this.given(thing.key)],
      having: [{ measure: base, op: this.pick(['>', '>=', '<', '<=']), values: [this.number()] }],
      per: [thing.key],
      grouped: true,
    };
  }
  private firstOfEach(): LensPlan {
    const of = this.rankedRows();
    if (of.rows && of.dimensions.length < this.rows(of.rows).length) return of;
    const kinds = of.rows ? this.kindsOf(of.rows) : [];
    if (kinds.length === 0 || of.limit === null) return of;
    const each = this.pick(kinds);
    const by = of.order_by[0]!.field;
    if (of.dimensions.some(({ path, field }) => path === each.path && field === each.field)) return of;
    return {
      ...of,
      dimensions: [
        each,
        ...of.dimensions,
        ...(by && !of.dimensions.some(({ field }) => field === by.field) ? [by] : []),
      ],
      limit: null,
      limit_per: { by: [each], rows: of.limit },
    };
  }
  private mostCommon(): LensPlan {
    const home = this.pick(this.homes());
    const kinds = this.kindsOf(home);
    if (kinds.length === 0) return this.measured();
    const one = this.pick(kinds);
    const grain = this.grain(home);
    const dated = grain !== null && this.chance(0.4);
    const counted = dated ? home : one.path;
    if (!this.homes().includes(counted)) return this.measured();
    const base = this.base(counted);
    const approved = this.lens.metrics.some(
      ({ expression }) => expression === `count(${counted}.${this.keys(counted)[0]})`,
    );
    if (approved) return this.measured();
    const measure: Measure = dated ? base : { fn: 'count', rows: counted };
    return {
      ...emptyPlan(),
      measures: [measure],
      dimensions: dated ? [grain] : [one],
      filters: JSON.stringify(base).includes('distinct') ? [] : this.filters(counted, 1),
      order_by: [{ measure, direction: 'desc' }],
      limit: dated ? 1 : this.pick([1, 2, 3, 5]),
    };
  }
}
