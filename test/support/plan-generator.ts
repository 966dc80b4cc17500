// Random plans over a lens, generated from the plan language and not from questions.

import { isNumeric, isTemporal } from '../../src/contract/warehouse.ts';
import type { Lens, LensField } from '../../src/lens/model/lens.ts';
import { negateExists, toCountBounds } from '../../src/plan/filters.ts';
import {
  type Aggregate,
  countsRows,
  createEmptyPlan,
  type ExistsFilter,
  type FieldRef,
  type Filter,
  type Grouping,
  isBaseMeasure,
  type LensPlan,
  type Measure,
  restrictRows,
} from '../../src/plan/lens-plan.ts';
import { getVocabulary, type Vocabulary } from '../../src/reader/words/vocabulary.ts';
import { SeededChoices } from './seeded.ts';

interface FieldPath {
  path: string;
  field: LensField;
}

export class PlanGenerator extends SeededChoices {
  private readonly vocabulary: Vocabulary;
  private readonly lens: Lens;
  constructor(lens: Lens, seed: number) {
    super(seed);
    this.lens = lens;
    this.vocabulary = getVocabulary(lens);
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

  private number(): number {
    return this.pick([0, 1, 2, 3, 5, 10, 12, 25, 40, 100, 1500]);
  }

  private ways(datasetName: string): FieldPath[] {
    return [...this.vocabulary.graph.pathsFrom(datasetName).values()]
      .filter(({ ambiguous }) => !ambiguous)
      .flatMap(({ path, dataset }) => this.vocabulary.dataset(dataset).fields.map((field) => ({ path, field })));
  }
  private keys(name: string): string[] {
    return this.vocabulary.dataset(name).primaryKey;
  }
  private isKey(path: string, { name }: LensField): boolean {
    return this.keys(this.vocabulary.graph.datasetOf(path)!).includes(name);
  }
  private amounts(datasetName: string): LensField[] {
    return this.vocabulary
      .dataset(datasetName)
      .fields.filter(
        (field) => isNumeric(field.datatype) && !this.isKey(datasetName, field) && !/year/.test(field.name),
      );
  }
  private homes(): string[] {
    return this.lens.datasets.map(({ name }) => name);
  }

  /** A count of rows. An approved metric with that expression replaces it. */
  private base(datasetName: string): Measure {
    const approved = new Set(this.lens.metrics.map(({ expression }) => expression));
    const [key] = this.keys(datasetName);
    const metrics: Measure[] = this.lens.metrics
      .filter((metric) => metric.home === datasetName)
      .map(({ name }) => ({ fn: 'metric', metric: name }));
    const numbers: Aggregate[] = this.amounts(datasetName).flatMap(({ name: field }) =>
      (['sum', 'avg', 'min', 'max', 'median'] as const)
        .filter((fn) => !approved.has(`${fn}(${datasetName}.${field})`))
        .map((fn) => ({ fn, field: { path: datasetName, field } })),
    );
    const rowCounts: Aggregate[] = approved.has(`count(${datasetName}.${key})`)
      ? []
      : [{ fn: 'count', rows: datasetName }];
    const kinds: Aggregate[] = this.vocabulary
      .dataset(datasetName)
      .fields.filter(({ dictionary }) => dictionary)
      .map(({ name: field }) => ({ fn: 'count_distinct', field: { path: datasetName, field } }));
    return this.pick<Measure>([...metrics, ...metrics, ...numbers, ...rowCounts, ...rowCounts, ...kinds]);
  }

  private measure(datasetName: string): Measure {
    const base = this.base(datasetName);
    if (this.chance(0.5)) return base;
    const otherMeasure = this.base(datasetName);
    const isOnce = [base, otherMeasure].some(({ fn }) => fn === 'count_distinct');
    const where = [this.value(datasetName)].filter(
      (item) => item !== null && !(isOnce && 'or_null' in item),
    ) as Filter[];
    // Adds one condition to both operands.
    const [sharedFilter] = this.chance(0.4) ? where : [];
    const side = (of: Measure): Measure => (sharedFilter ? restrictRows(of, [sharedFilter]) : of);
    const entity = this.thing(datasetName);
    const entityKey = entity?.key ?? null;
    const { timeField } = this.vocabulary.dataset(datasetName);
    const during = (year: number) => ({
      field: { path: datasetName, field: timeField! },
      from: `${year}-01-01`,
      to: `${year + 1}-01-01`,
    });
    const isSum = /^(?:metric|sum|count)$/.test(base.fn);
    const rowCount = { fn: 'count' as const, rows: datasetName };
    const isCounted = JSON.stringify(base) === JSON.stringify(rowCount);
    const composed: Measure[] = [
      ...(entityKey && isCounted
        ? [{ fn: 'over_groups' as const, take: 'avg' as const, of: base, per: [entityKey] }]
        : []),
      ...(entityKey && isSum
        ? [
            { fn: 'over_groups' as const, take: 'avg' as const, of: base, per: [entityKey] },
            { fn: 'over_groups' as const, take: this.pick(['median', 'max'] as const), of: base, per: [entityKey] },
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
      ...(JSON.stringify(otherMeasure) === JSON.stringify(base)
        ? []
        : [
            { fn: 'ratio' as const, of: [side(base), side(otherMeasure)] },
            { fn: 'difference' as const, of: [side(base), side(otherMeasure)] },
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

  private value(datasetName: string): Filter | null {
    const flags = this.ways(datasetName).filter(({ field: { datatype } }) => datatype === 'boolean');
    if (flags.length > 0 && this.chance(0.5)) {
      const { path, field } = this.pick(flags);
      const ref = { path, field: field.name };
      return this.chance(0.6)
        ? { field: ref, op: '=', values: [true] }
        : { field: ref, op: '!=', values: [true], or_null: true };
    }
    const all = this.ways(datasetName).filter(({ field: { dictionary } }) => dictionary);
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
  private compared(datasetName: string): Filter | null {
    const all = this.ways(datasetName).filter(
      ({ path, field }) => isNumeric(field.datatype) && !this.isKey(path, field) && !/year/.test(field.name),
    );
    if (all.length === 0) return null;
    const { path, field } = this.pick(all);
    const ref = { path, field: field.name };
    const [lowNumber, highNumber] = [this.number(), this.number()].sort((a, b) => a - b) as [number, number];
    if (this.chance(0.15) && lowNumber < highNumber)
      return { field: ref, op: 'between', values: [lowNumber, highNumber] };
    if (this.chance(0.1) && lowNumber < highNumber) return { field: ref, op: 'in', values: [lowNumber, highNumber] };
    return { field: ref, op: this.pick(['>', '>=', '<', '<=', '=']), values: [lowNumber] };
  }
  private written(datasetName: string): Filter | null {
    const all = this.vocabulary
      .dataset(datasetName)
      .fields.filter((field) => field.datatype === 'string' && !field.dictionary && !this.isKey(datasetName, field));
    if (all.length === 0) return null;
    const ref = { path: datasetName, field: this.pick(all).name };
    return this.pick<Filter>([
      { field: ref, op: 'contains', values: ['ab c'] },
      { field: ref, op: 'starts_with', values: ['X1'] },
      { field: ref, op: 'is_null', values: [] },
    ]);
  }
  private related(datasetName: string): Filter | null {
    const leading = this.homes().filter(
      (name) => name !== datasetName && this.vocabulary.graph.paths(name, datasetName).length === 1,
    );
    if (leading.length === 0) return null;
    const path = this.pick(leading);
    const innerFilters = this.chance(0.4) ? [this.chance(0.5) ? this.value(path) : this.compared(path)] : [];
    // Uses only conditions on the related row, because its parent may be the counted row itself.
    const where = innerFilters.filter(
      (item): item is Filter => item !== null && 'field' in item && item.field.path === path,
    );
    const plain: ExistsFilter = { exists: path, where };
    return this.pick<Filter>([
      plain,
      negateExists(plain),
      { ...plain, ...toCountBounds(this.pick(['>', '>=', '=']), this.pick([2, 3, 5, 12])) },
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
  private period(datasetName: string): Filter[] {
    const { timeField, fields } = this.vocabulary.dataset(datasetName);
    if (timeField === null) return [];
    const dates = fields.filter(({ datatype }) => isTemporal(datatype));
    const field = { path: datasetName, field: this.chance(0.7) ? timeField : this.pick(dates).name };
    const [from, to] = this.window();
    const edge = (op: '>=' | '<', value: string): Filter => ({ field, op, values: [value] });
    return this.pick([
      [edge('>=', from), edge('<', to)],
      [edge('>=', from), edge('<', to)],
      [edge('>=', from)],
      [edge('<', from)],
    ]);
  }
  private filters(datasetName: string, maxCount = 2): Filter[] {
    const madeFilters: (Filter | null)[] = [];
    for (let at = 0; at < maxCount; at++)
      if (this.chance(0.5))
        madeFilters.push(
          this.pick([
            () => this.value(datasetName),
            () => this.value(datasetName),
            () => this.compared(datasetName),
            () => this.written(datasetName),
            () => this.related(datasetName),
          ])(),
        );
    const all = madeFilters.filter((item) => item !== null);
    const fieldOf = (filter: Filter): string =>
      'field' in filter ? `${filter.field.path}.${filter.field.field}` : 'related';
    const apart = all.filter((item, at) => all.findIndex((other) => fieldOf(other) === fieldOf(item)) === at);
    const period = this.chance(0.35) ? this.period(datasetName) : [];
    const second = this.chance(0.3) ? this.period(datasetName) : [];
    const isApart = [...period, ...second].every((item) => 'field' in item) && period[0] && second[0];
    return [...period, ...(isApart && fieldOf(period[0]!) !== fieldOf(second[0]!) ? second : []), ...apart];
  }

  private rowFilters(datasetName: string): Filter[] {
    return this.filters(datasetName, 1).filter((filter) => 'field' in filter);
  }
  private thing(datasetName: string): { dimensions: Grouping[]; key: string | null } | null {
    const all = [...this.vocabulary.graph.pathsFrom(datasetName).values()].filter(
      ({ path, dataset, ambiguous, hops }) => !ambiguous && hops > 0 && path === dataset,
    );
    if (all.length === 0) return null;
    const { path } = this.pick(all);
    const display = this.vocabulary.displayFieldsOf(path).map(({ name }) => name);
    const keys = this.keys(path);
    const shownFields = display.length > 0 ? display : keys;
    return {
      dimensions: shownFields.map((field) => ({ path, field })),
      key: keys.some((key) => !shownFields.includes(key)) ? path : null,
    };
  }
  private kindsOf(datasetName: string): Grouping[] {
    return this.ways(datasetName)
      .filter(({ field }) => field.dictionary)
      .map(({ path, field }) => ({ path, field: field.name }));
  }
  private grain(datasetName: string, running = false): Grouping | null {
    const { timeField } = this.vocabulary.dataset(datasetName);
    return timeField === null
      ? null
      : {
          path: datasetName,
          field: timeField,
          grain: this.pick(
            running
              ? (['month', 'quarter', 'year'] as const)
              : (['day', 'week', 'month', 'quarter', 'year', 'weekday', 'month_of_year'] as const),
          ),
        };
  }

  private measured(): LensPlan {
    const datasetName = this.pick(this.homes());
    const measures = [this.measure(datasetName)];
    const { fn } = measures[0]!;
    const isPlain = isBaseMeasure(measures[0]!);
    const compared = 'from' in measures[0]!;
    const running = fn === 'running_total' || (fn === 'change' && !compared);
    if (isPlain && this.chance(0.2)) measures.push(this.base(datasetName));
    const groupings: Grouping[] = [];
    const keys: string[] = [];
    if (this.chance(0.6) || running) {
      const kinds = this.kindsOf(datasetName);
      if (kinds.length > 0 && this.chance(0.6)) groupings.push(this.pick(kinds));
      const entity = this.chance(0.3) ? this.thing(datasetName) : null;
      if (entity && !groupings.some(({ path }) => path === entity.dimensions[0]!.path)) {
        groupings.push(...entity.dimensions);
        if (entity.key) keys.push(entity.key);
      }
      const grain = running || (!compared && this.chance(0.4)) ? this.grain(datasetName, running) : null;
      if (grain) groupings.push(grain);
    }
    const isOnce = measures.some((measure) => JSON.stringify(measure).includes('count_distinct'));
    const madeFilters = Array.isArray((measures[0] as { of?: unknown }).of)
      ? []
      : this.filters(datasetName, fn === 'share' ? 0 : 2);
    // With count_distinct, a negated condition would apply to all rows of an entity.
    const { timeField } = this.vocabulary.dataset(datasetName);
    // After the condition of a share, only a period of the usual date clearly applies to all the rows.
    const isClear = (item: Filter): boolean => fn !== 'share' || ('field' in item && item.field.field === timeField);
    const filters = (compared ? [] : madeFilters)
      .filter(isClear)
      .filter(
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
      isPlain && measures.length === 1 && groupings.length === 1 && this.chance(0.35)
        ? [
            {
              fn: 'share_of_total',
              of: measures[0]!,
              ...(this.chance(0.5) && { percent: true as const }),
            },
          ]
        : measures;
    const order: LensPlan['order_by'] =
      groupings.length > 0 &&
      !['running_total', 'share_of_total', 'change', 'share', 'ratio', 'difference'].includes(shared[0]!.fn) &&
      shared.length === 1 &&
      this.chance(0.2)
        ? [{ measure: shared[0]!, direction: this.pick(['asc', 'desc']) }]
        : [];
    return {
      ...createEmptyPlan(),
      measures: shared.filter(
        (item, at) => shared.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === at,
      ),
      dimensions: groupings,
      filters,
      order_by: order,
      ...(keys.length > 0 && { per: keys }),
    };
  }

  private rows(datasetName: string): Grouping[] {
    const display = this.vocabulary.displayFieldsOf(datasetName);
    const fields = display.length > 0 ? display : this.vocabulary.dataset(datasetName).fields;
    return fields.map(({ name }) => ({ path: datasetName, field: name }));
  }
  private listing(): LensPlan {
    const datasetName = this.pick(this.homes());
    const usual = this.rows(datasetName);
    const fields = this.vocabulary.dataset(datasetName).fields.map(({ name }) => ({ path: datasetName, field: name }));
    const [first, second] = [this.pick(fields), this.pick(fields)];
    const listedFields = this.chance(0.6) ? usual : first.field === second.field ? [first] : [first, second];
    const plain: LensPlan = {
      ...createEmptyPlan(),
      rows: datasetName,
      dimensions: listedFields,
      filters: this.filters(datasetName),
    };
    if (listedFields !== usual || this.chance(0.7)) return plain;
    const by = this.pick(fields);
    const isShown = listedFields.some(({ field }) => field === by.field);
    return isShown ? { ...plain, order_by: [{ field: by, direction: this.pick(['asc', 'desc']) }] } : plain;
  }
  private rankedRows(): LensPlan {
    const datasetName = this.pick(this.homes());
    const { timeField } = this.vocabulary.dataset(datasetName);
    const usual = this.rows(datasetName);
    const scales = this.amounts(datasetName).map(({ name }) => name);
    const by = {
      path: datasetName,
      field: this.chance(0.3) && timeField ? timeField : this.pick([...scales, ...(timeField ? [timeField] : [])]),
    };
    if (by.field === undefined) return this.listing();
    const isShown = usual.some(({ field }) => field === by.field);
    const ownFields = this.vocabulary
      .dataset(datasetName)
      .fields.map(({ name }) => ({ path: datasetName, field: name }));
    const singleField = this.chance(0.2) ? [this.pick(ownFields)] : null;
    return {
      ...createEmptyPlan(),
      rows: datasetName,
      dimensions: singleField
        ? singleField
        : isShown || by.field === timeField || this.chance(0.5)
          ? usual
          : [...usual, by],
      filters: this.filters(datasetName, 1),
      order_by: [{ field: by, direction: this.pick(['asc', 'desc']) }],
      limit: this.pick([1, 2, 3, 5, 10]),
    };
  }

  /** A ranking of entities by a measure of their rows. */
  private ranked(): LensPlan {
    const datasetName = this.pick(this.homes());
    const entity = this.thing(datasetName);
    const base = this.base(datasetName);
    if (!entity?.key) return this.measured();
    const isAlone = this.chance(0.5);
    const direction = countsRows(base) ? 'desc' : this.pick(['asc', 'desc'] as const);
    return {
      ...createEmptyPlan(),
      measures: isAlone ? [] : [base],
      dimensions: entity.dimensions,
      filters: [...this.rowFilters(datasetName), this.given(entity.key)],
      order_by: [{ measure: base, direction }],
      limit: this.pick([1, 2, 3, 5, 10]),
      per: [entity.key],
      ...(isAlone && { grouped: true }),
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
    const datasetName = this.pick(this.homes());
    const entity = this.thing(datasetName);
    const base = this.base(datasetName);
    if (!entity?.key || countsRows(base)) return this.listing();
    return {
      ...createEmptyPlan(),
      dimensions: entity.dimensions,
      filters: [...this.rowFilters(datasetName), this.given(entity.key)],
      having: [{ measure: base, op: this.pick(['>', '>=', '<', '<=']), values: [this.number()] }],
      per: [entity.key],
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
    const datasetName = this.pick(this.homes());
    const kinds = this.kindsOf(datasetName);
    if (kinds.length === 0) return this.measured();
    const grouping = this.pick(kinds);
    const grain = this.grain(datasetName);
    const dated = grain !== null && this.chance(0.4);
    const countedDataset = dated ? datasetName : grouping.path;
    if (!this.homes().includes(countedDataset)) return this.measured();
    const base = this.base(countedDataset);
    const approved = this.lens.metrics.some(
      ({ expression }) => expression === `count(${countedDataset}.${this.keys(countedDataset)[0]})`,
    );
    if (approved) return this.measured();
    const measure: Measure = dated ? base : { fn: 'count', rows: countedDataset };
    return {
      ...createEmptyPlan(),
      measures: [measure],
      dimensions: dated ? [grain] : [grouping],
      filters: JSON.stringify(base).includes('distinct') ? [] : this.filters(countedDataset, 1),
      order_by: [{ measure, direction: 'desc' }],
      limit: dated ? 1 : this.pick([1, 2, 3, 5]),
    };
  }
}
