// Random plans over the workshop, with every feature that plan-meaning.ts can compute.
import { SeededChoices } from '../support/seeded.ts';
import { type Json, nameOf, pathsOf, ROWS, type Value } from './plan-meaning.ts';

const FIELDS: Record<string, Record<'text' | 'number' | 'date', string[]>> = {
  jobs: { text: ['kind'], number: ['hours', 'price'], date: ['opened', 'closed'] },
  payments: { text: ['method'], number: ['amount'], date: ['paid_on'] },
  clients: { text: ['client_name', 'city'], number: [], date: ['joined'] },
  sites: { text: ['site_name', 'region'], number: [], date: [] },
};
const RELATED: Record<string, string[]> = { jobs: ['payments'], clients: ['jobs', 'payments'], sites: ['jobs'] };
const GRAINS = ['year', 'quarter', 'month', 'month_of_year'];
const METRIC_HOMES: Record<string, string[]> = { jobs: ['revenue', 'job_count'], payments: ['paid'] };

export class PlanMaker extends SeededChoices {
  plan(): Json {
    const homes = this.chance(0.15) ? ['jobs', 'payments'] : [this.pick(['jobs', 'jobs', 'payments', 'clients'])];
    const dimensions = this.distinct(
      this.some(0, 2, () => this.dimension(homes)),
      nameOf,
    );
    const filters = this.some(0, 2, () =>
      this.filter(this.pick(homes.slice(-1)), homes.length > 1 ? ['jobs'] : undefined),
    );
    const shape =
      this.chance(0.2) && homes.length === 1 ? this.listing(homes[0]!, dimensions) : this.groups(homes, dimensions);
    const columns = [...shape.dimensions.map(nameOf), ...(shape.measures ?? []).map(({ as }: Json) => as)];
    const keys = this.distinct([this.pick(columns), ...(this.chance(0.3) ? [this.pick(columns)] : [])], String);
    const order = this.chance(0.5) && {
      order_by: keys.map((field) => ({ field, direction: this.pick(['asc', 'desc']) })),
    };
    const rows = 1 + this.below(5);
    const limit =
      shape.dimensions.length > 0 && !shape.distinct && this.chance(0.3)
        ? { limit_per: { by: [this.pick(shape.dimensions)], rows } }
        : { limit: rows };
    return {
      ...shape,
      ...(homes.length === 1 && filters.length > 0 && { filters }),
      ...order,
      ...(order && this.chance(0.5) && limit),
    };
  }

  private listing(datasetName: string, dimensions: Json[]): Json {
    const shown = dimensions.length > 0 ? dimensions : [this.dimension([datasetName])];
    return { rows: datasetName, dimensions: shown, ...(this.chance(0.3) && { distinct: true }) };
  }
  private groups(homes: string[], dimensions: Json[]): Json {
    const measures = homes.map((datasetName, index) => ({ ...this.measure(datasetName, dimensions), as: `m${index}` }));
    const keyed = homes.length === 1 && dimensions.length > 0;
    return {
      dimensions,
      measures,
      ...(keyed && this.chance(0.2) && { having: [this.having(homes[0]!)] }),
      ...(keyed && this.chance(0.15) && { per: [this.pick(Object.keys(pathsOf(homes[0]!)))] }),
    };
  }
  private having(datasetName: string): Json {
    return { measure: this.base(datasetName), op: this.pick(['>', '<=']), values: [this.below(5)] };
  }

  private measure(home: string, dimensions: Json[]): Json {
    const additive = this.chance(0.5) ? { fn: 'count', rows: home } : this.sum(home);
    const kinds: (() => Json)[] = [
      ...Array.from({ length: 4 }, () => () => this.base(home)),
      () => ({ fn: 'ratio', of: [this.base(home), this.base(home)], ...(this.chance(0.4) && { percent: true }) }),
      () => ({ fn: this.pick(['difference', 'total']), of: [this.base(home), additive] }),
      () => ({ fn: 'product', of: this.base(home), by: this.pick([2, 100]) }),
      () => ({ fn: 'or_zero', of: this.base(home) }),
      () => ({ fn: 'share', of: additive, where: [this.filter(home)], ...(this.chance(0.4) && { percent: true }) }),
      () => ({ fn: 'over_groups', take: this.pick(['avg', 'max', 'sum']), of: additive, ...this.separate(home) }),
      ...(dimensions.length === 0
        ? []
        : [
            () => ({ fn: 'rank', of: this.base(home) }),
            () => ({ fn: this.pick(['groups_avg', 'groups_max', 'groups_sum']), of: additive }),
            () => ({ fn: 'share_of_total', of: additive }),
          ]),
    ];
    return this.pick(kinds)();
  }
  private separate(datasetName: string): Json {
    const by = this.chance(0.5)
      ? { by: [this.dimension([datasetName])] }
      : { per: [this.pick(Object.keys(pathsOf(datasetName)))] };
    return { ...by, ...(this.chance(0.3) && { having: [this.having(datasetName)] }) };
  }
  private sum(home: string): Json {
    const [field] = FIELDS[home]!.number;
    return field ? { fn: 'sum', field: `${home}.${field}` } : { fn: 'count', rows: home };
  }
  private base(home: string): Json {
    const where = this.chance(0.4) && { where: [this.filter(home)] };
    const [number, otherField] = FIELDS[home]!.number.map((item) => `${home}.${item}`);
    const text = `${home}.${this.pick(FIELDS[home]!.text)}`;
    const kinds: Json[] = [
      { fn: 'count', rows: home },
      { fn: this.pick(['count', 'count_distinct']), field: text },
      ...(METRIC_HOMES[home] ?? []).map((metric) => ({ fn: 'metric', metric })),
      ...(number ? [{ fn: this.pick(['sum', 'avg', 'min', 'max']), field: number }] : []),
      ...(otherField
        ? [{ fn: 'sum', value: { op: this.pick(['*', '-']), of: [{ field: otherField, or: 1 }, number] } }]
        : []),
    ];
    return { ...this.pick(kinds), ...where };
  }

  private dimension(homes: string[]): Json {
    const shared = Object.entries(pathsOf(homes[0]!)).filter(([path]) =>
      homes.every((datasetName) => path in pathsOf(datasetName)),
    );
    const [path, { dataset }] = this.pick(shared);
    const { text, date, number } = FIELDS[dataset]!;
    if (date.length > 0 && this.chance(0.3)) return `${path}.${this.pick(date)}.${this.pick(GRAINS)}`;
    if (number.length > 0 && this.chance(0.2)) {
      const bin = this.pick([2, 50]);
      return { field: `${path}.${number[0]}`, bin, as: `steps_of_${bin}` };
    }
    if (homes.length === 1 && this.chance(0.1)) return { when: [this.filter(homes[0]!)], as: 'flag' };
    return `${path}.${this.pick(text)}`;
  }

  private filter(home: string, only = Object.keys(pathsOf(home)), depth = 0): Json {
    const innerFilter = () => this.filter(home, only, depth + 1);
    if (depth < 2 && this.chance(0.2))
      return this.pick([() => ({ any: [innerFilter(), innerFilter()] }), () => ({ not: innerFilter() })])();
    const many = RELATED[home];
    if (many && this.chance(0.2)) return this.related(this.pick(many), depth);
    const [amount] = FIELDS[home]!.number;
    if (amount && this.chance(0.15)) {
      const where = depth < 2 && this.chance(0.3) && { where: [innerFilter()] };
      const field = `${home}.${amount}`;
      return { field, op: this.pick(['>', '<=']), than: { fn: this.pick(['avg', 'max']), field, ...where } };
    }
    if (home === 'jobs' && this.chance(0.1))
      return { field: 'jobs.closed', op: '>', other: { field: 'jobs.promised' } };
    return this.comparison(home, this.pick(only));
  }
  private related(many: string, depth: number): Json {
    const where = depth < 2 && this.chance(0.4) && { where: [this.comparison(many, many)] };
    const count = this.pick([{}, {}, { at_least: 2 }, { at_most: 1 }]);
    return this.chance(0.4) ? { not_exists: many, ...where } : { exists: many, ...count, ...where };
  }
  private comparison(datasetName: string, path: string): Json {
    const { dataset } = pathsOf(datasetName)[path]!;
    const kinds = (['text', 'number', 'date'] as const).filter((kind) => FIELDS[dataset]![kind].length > 0);
    const kind = this.pick(kinds);
    const column = this.pick(FIELDS[dataset]![kind]);
    const field = `${path}.${column}`;
    if (this.chance(0.1)) return { field, op: 'is_null' };
    const knownValues = [...new Set(ROWS[dataset]!.map((row) => row[column]!))].filter((value) => value !== null);
    const [lowerValue, upperValue] = [this.pick(knownValues), this.pick(knownValues)].sort((a, b) =>
      a < b ? -1 : 1,
    ) as [Value, Value];
    if (kind === 'text' && this.chance(0.2))
      return { field, op: 'contains', values: [String(lowerValue).slice(1, 3).trim()] };
    const op = this.pick(kind === 'text' ? ['=', '!=', 'in', 'not_in'] : ['=', '>', '>=', '<', '<=', 'between', '!=']);
    const pair = op === 'between' || ((op === 'in' || op === 'not_in') && lowerValue !== upperValue);
    return { field, op, values: pair ? [lowerValue, upperValue] : [lowerValue] };
  }

  private distinct<T>(all: T[], name: (one: T) => string): T[] {
    return [...new Map(all.map((item) => [name(item), item])).values()];
  }
}
