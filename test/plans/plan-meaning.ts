// Computes the result of a plan row by row from the workshop tables, without SQL and without code of the service.
import { TABLES } from './workshop.ts';

export type Value = string | number | boolean | null;
type Row = Record<string, Value>;
// biome-ignore lint/suspicious/noExplicitAny: plans are JSON, made by plan-maker.ts
export type Json = any;

export const ROWS: Record<string, Row[]> = Object.fromEntries(
  Object.entries(TABLES).map(([name, { columns, rows }]) => {
    const names = [...columns.matchAll(/(\w+) (?:int|varchar|date|decimal|timestamp)/g)].map(([, column]) => column!);
    return [name, rows.map((row) => Object.fromEntries(names.map((column, index) => [column, row[index]!])))];
  }),
);
const KEYS: Record<string, string> = { clients: 'client_id', sites: 'site_id', jobs: 'job_id', payments: 'payment_id' };
const LINKS: Record<string, Record<string, { dataset: string; column: string }>> = {
  jobs: { clients: { dataset: 'clients', column: 'client_id' }, place: { dataset: 'sites', column: 'site_id' } },
  payments: { jobs: { dataset: 'jobs', column: 'job_id' } },
};
const METRICS: Record<string, Json> = {
  revenue: { fn: 'sum', field: 'jobs.price' },
  job_count: { fn: 'count', rows: 'jobs' },
  paid: { fn: 'sum', field: 'payments.amount' },
};

interface Path {
  dataset: string;
  /** Null if the key refers to no row. */
  of: (row: Row) => Row | null;
}
export const pathsOf = (datasetName: string): Record<string, Path> => {
  const paths: Record<string, Path> = { [datasetName]: { dataset: datasetName, of: (row) => row } };
  for (const [name, { dataset, column }] of Object.entries(LINKS[datasetName] ?? {})) {
    const to = (row: Row) => ROWS[dataset]!.find((item) => item[KEYS[dataset]!] === row[column]) ?? null;
    for (const [further, path] of Object.entries(pathsOf(dataset)))
      paths[further === dataset ? name : further] = {
        dataset: path.dataset,
        of: (row) => {
          const next = to(row);
          return next && path.of(next);
        },
      };
  }
  return paths;
};

const periodOf = (day: string, grain: string): Value => {
  const month = Number(day.slice(5, 7));
  if (grain === 'year') return `${day.slice(0, 4)}-01-01`;
  if (grain === 'month') return `${day.slice(0, 7)}-01`;
  if (grain === 'quarter') return `${day.slice(0, 4)}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
  return month; // month_of_year
};
function fieldOf(datasetName: string, row: Row, name: string): Value {
  const [path, field, grain] = name.split('.') as [string, string, string?];
  const value = pathsOf(datasetName)[path]!.of(row)?.[field] ?? null;
  return value === null || !grain ? value : periodOf(String(value), grain);
}

const isLess = (left: Value, right: Value): boolean => (left as number) < (right as number);
const compares: Record<string, (value: Value, values: Value[]) => boolean> = {
  '=': (value, [given]) => value === given,
  '!=': (value, [given]) => value !== given,
  in: (value, values) => values.includes(value),
  not_in: (value, values) => !values.includes(value),
  '>': (value, [given]) => isLess(given!, value),
  '>=': (value, [given]) => !isLess(value, given!),
  '<': (value, [given]) => isLess(value, given!),
  '<=': (value, [given]) => !isLess(given!, value),
  between: (value, [from, to]) => !isLess(value, from!) && !isLess(to!, value),
  contains: (value, [given]) => String(value).toLowerCase().includes(String(given).toLowerCase()),
};
/** Null if the result depends on a missing value. */
function satisfies(datasetName: string, row: Row, filter: Json): boolean | null {
  if (filter.any || filter.all) {
    const each: (boolean | null)[] = (filter.any ?? filter.all).map((item: Json) => satisfies(datasetName, row, item));
    if (each.includes(Boolean(filter.any))) return Boolean(filter.any);
    return each.includes(null) ? null : !filter.any;
  }
  if (filter.not) {
    const isSatisfied = satisfies(datasetName, row, filter.not);
    return isSatisfied === null ? null : !isSatisfied;
  }
  if (filter.exists || filter.not_exists) return hasRelatedRows(datasetName, row, filter);
  const value = fieldOf(datasetName, row, filter.field);
  if (filter.op === 'is_null') return value === null;
  const given = filter.than
    ? [
        aggregate(
          filter.than.fn,
          rowsSatisfying(datasetName, filter.than.where).map((item) => fieldOf(datasetName, item, filter.than.field)),
        ),
      ]
    : filter.other
      ? [fieldOf(datasetName, row, filter.other.field)]
      : filter.values;
  return value === null || given[0] === null ? null : compares[filter.op]!(value, given);
}
function hasRelatedRows(datasetName: string, row: Row, filter: Json): boolean {
  const many: string = filter.exists ?? filter.not_exists;
  const { of } = Object.values(pathsOf(many)).find(({ dataset }) => dataset === datasetName)!;
  const count = rowsSatisfying(many, filter.where).filter((item) => of(item) === row).length;
  if (filter.not_exists) return count === 0;
  return count >= (filter.at_least ?? (filter.at_most === undefined ? 1 : 0)) && count <= (filter.at_most ?? Infinity);
}
const satisfiesAll = (datasetName: string, row: Row, filters: Json[] = []): boolean =>
  filters.every((filter) => satisfies(datasetName, row, filter) === true);
const rowsSatisfying = (datasetName: string, filters: Json[] = []): Row[] =>
  ROWS[datasetName]!.filter((row) => satisfiesAll(datasetName, row, filters));

function aggregate(fn: string, all: Value[]): number | null {
  const values = all.filter((item) => item !== null) as number[];
  if (fn === 'count') return values.length;
  if (fn === 'count_distinct') return new Set(values).size;
  if (values.length === 0) return null;
  const sum = values.reduce((total, one) => total + one, 0);
  if (fn === 'sum') return sum;
  if (fn === 'avg') return sum / values.length;
  return fn === 'min' ? Math.min(...values) : Math.max(...values);
}
function rowValue(datasetName: string, row: Row, value: Json): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return fieldOf(datasetName, row, value) as number | null;
  if ('or' in value) return (fieldOf(datasetName, row, value.field) as number | null) ?? value.or;
  const [left, right] = value.of.map((item: Json) => rowValue(datasetName, row, item));
  if (left === null || right === null) return null;
  return value.op === '*' ? left * right : value.op === '+' ? left + right : left - right;
}

interface Group {
  values: Value[];
  keys: Value[];
}
interface Grouping {
  dimensions: Json[];
  per: string[];
  filters: Json[];
}
type Measured = (number | null)[];

const plain = (measure: Json): Json =>
  typeof measure === 'string'
    ? METRICS[measure]
    : measure.fn === 'metric'
      ? { ...METRICS[measure.metric], where: measure.where }
      : measure;
const innerOf = (measure: Json): Json[] => (Array.isArray(measure.of) ? measure.of : [measure.of]);
export function homeOf(measureOrName: Json): string {
  const measure = plain(measureOrName);
  if (measure.of) return homeOf(innerOf(measure)[0]);
  if (measure.rows) return measure.rows;
  const nameOfValue = (value: Json): string =>
    typeof value === 'string' ? value : nameOfValue(value.field ?? value.of[0]);
  return nameOfValue(measure.field ?? measure.value).split('.')[0]!;
}
export const nameOf = (dimension: Json): string => (typeof dimension === 'string' ? dimension : dimension.as);

function dimensionOf(datasetName: string, row: Row, dimension: Json): Value {
  if (typeof dimension === 'string') return fieldOf(datasetName, row, dimension);
  if (dimension.when) return satisfiesAll(datasetName, row, dimension.when) ? 'yes' : 'no';
  const value = fieldOf(datasetName, row, dimension.field) as number | null;
  return value === null ? null : Math.floor(value / dimension.bin) * dimension.bin;
}
const groupOf = (datasetName: string, row: Row, { dimensions, per }: Grouping): Group => ({
  values: dimensions.map((dimension) => dimensionOf(datasetName, row, dimension)),
  keys: per.map((path) => {
    const { dataset, of } = pathsOf(datasetName)[path]!;
    return of(row)?.[KEYS[dataset]!] ?? null;
  }),
});
const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** The groups in which a measure has rows, before its own conditions apply. */
function groupsOf(measureOrName: Json, grouping: Grouping): Group[] {
  const measure = plain(measureOrName);
  if (measure.fn === 'over_groups') return separateGroups(measure, grouping).map(({ outer }) => outer);
  if (measure.of) return innerOf(measure).flatMap((item) => groupsOf(item, grouping));
  const datasetName = homeOf(measure);
  return rowsSatisfying(datasetName, grouping.filters).map((row) => groupOf(datasetName, row, grouping));
}
function uniqueOf(groups: Group[]): Group[] {
  const seenGroups = new Map(groups.map((group) => [JSON.stringify(group), group]));
  return [...seenGroups.values()];
}
/** The groups of a nested measure and their values. Rows without a group are left out. */
function separateGroups(
  measure: Json,
  { dimensions, per, filters }: Grouping,
): { outer: Group; value: number | null }[] {
  const innerGrouping: Grouping = {
    filters,
    dimensions: [
      ...dimensions,
      ...(measure.by ?? []).filter((item: Json) => !dimensions.some((known) => isSame(known, item))),
    ],
    per: [...per, ...(measure.per ?? [])],
  };
  const groups = uniqueOf(groupsOf(measure.of, innerGrouping));
  const keptRows = (measure.having ?? []).map((item: Json) => {
    const values = measureGroups(item.measure, groups, innerGrouping);
    return values.map((value) => value !== null && compares[item.op]!(value, item.values));
  });
  return measureGroups(measure.of, groups, innerGrouping).flatMap((value, index) => {
    const { values, keys } = groups[index]!;
    const isOwn = (_value: Value, at: number) =>
      at >= dimensions.length || (measure.by ?? []).some((item: Json) => isSame(item, dimensions[at]));
    const ownKeys = [...values.filter(isOwn), ...keys.slice(per.length)];
    if (ownKeys.includes(null) || keptRows.some((item: boolean[]) => !item[index])) return [];
    return [{ outer: { values: values.slice(0, dimensions.length), keys: keys.slice(0, per.length) }, value }];
  });
}

/** The value of a measure in each group. */
function measureGroups(measureOrName: Json, groups: Group[], grouping: Grouping): Measured {
  const measure = plain(measureOrName);
  const { fn } = measure;
  if (fn === 'over_groups') {
    const all = separateGroups(measure, grouping);
    return groups.map((group) =>
      aggregate(
        measure.take,
        all.filter(({ outer }) => isSame(outer, group)).map(({ value }) => value),
      ),
    );
  }
  if (!measure.of) {
    const datasetName = homeOf(measure);
    const rows = rowsSatisfying(datasetName, grouping.filters).map((row) => ({
      row,
      group: groupOf(datasetName, row, grouping),
    }));
    return groups.map((group) => {
      const ownRows = rows.filter(
        (row) => isSame(row.group, group) && satisfiesAll(datasetName, row.row, measure.where),
      );
      if (measure.rows) return ownRows.length;
      return aggregate(
        fn,
        ownRows.map(({ row }) => rowValue(datasetName, row, measure.value ?? measure.field)),
      );
    });
  }
  const [first, second] = innerOf(measure).map((item) => measureGroups(item, groups, grouping)) as [
    Measured,
    Measured?,
  ];
  return first.map((value, index) => {
    const otherValue = second?.[index] ?? null;
    if (fn === 'or_zero') return value ?? 0;
    if (fn === 'rank') return 1 + first.filter((item) => item !== null && (value === null || item > value)).length;
    const of = (one: string): number | null => aggregate(one, first);
    if (fn.startsWith('groups_')) return of(fn.slice('groups_'.length));
    if (fn === 'share') {
      const part = measureGroups({ ...measure.of, where: measure.where }, groups, grouping)[index] ?? 0;
      return value ? (part / value) * (measure.percent ? 100 : 1) : null;
    }
    if (value === null) return null;
    if (fn === 'product') return value * measure.by;
    if (fn === 'share_of_total') return of('sum') ? value / of('sum')! : null;
    if (otherValue === null) return null;
    if (fn === 'difference') return value - otherValue;
    if (fn === 'total') return value + otherValue;
    return otherValue === 0 ? null : (value / otherValue) * (measure.percent ? 100 : 1);
  });
}

/** The rows of the answer. Undefined if ties leave their selection open. */
export function meaningOf(plan: Json): Value[][] | undefined {
  const grouping: Grouping = { dimensions: plan.dimensions, per: plan.per ?? [], filters: plan.filters ?? [] };
  return plan.rows ? listRows(plan, grouping) : groupRows(plan, grouping);
}
function listRows(plan: Json, grouping: Grouping): Value[][] | undefined {
  const rows = rowsSatisfying(plan.rows, grouping.filters).map((row) => groupOf(plan.rows, row, grouping));
  return firstRows(
    plan,
    (plan.distinct ? uniqueOf(rows) : rows).map(({ values }) => values),
  );
}
function groupRows(plan: Json, grouping: Grouping): Value[][] | undefined {
  const conditions: Json[] = plan.having ?? [];
  const all = [...plan.measures, ...conditions.map(({ measure }) => measure)];
  const foundGroups = uniqueOf(all.flatMap((item) => groupsOf(item, grouping)));
  const total = grouping.dimensions.length + grouping.per.length === 0;
  const groups = total && foundGroups.length === 0 ? [{ values: [], keys: [] }] : foundGroups;
  const columns: Measured[] = plan.measures.map((measure: Json) => measureGroups(measure, groups, grouping));
  const limits = conditions.map(({ measure }) => measureGroups(measure, groups, grouping));
  const keptGroups = groups.flatMap(({ values }, index) => {
    const meets = ({ op, values: given }: Json, of: number) => {
      const value = limits[of]![index]!;
      return value !== null && compares[op]!(value, given);
    };
    return conditions.every(meets) ? [[...values, ...columns.map((column) => column[index]!)]] : [];
  });
  return firstRows(plan, keptGroups);
}
function firstRows(plan: Json, rows: Value[][]): Value[][] | undefined {
  if (!plan.order_by) return rows;
  const columns = [...plan.dimensions.map(nameOf), ...(plan.measures ?? []).map(({ as }: Json) => as)];
  const order = (leftRow: Value[], rightRow: Value[]): number => {
    for (const { field, direction } of plan.order_by) {
      const [left, right] = [leftRow[columns.indexOf(field)]!, rightRow[columns.indexOf(field)]!];
      if (left === right) continue;
      if (left === null || right === null) return left === null ? 1 : -1;
      return isLess(left, right) === (direction === 'asc') ? -1 : 1;
    }
    return 0;
  };
  const ordered = [...rows].sort(order);
  const groups = new Map<string, Value[][]>();
  for (const row of ordered) {
    const key = JSON.stringify(plan.limit_per?.by.map((one: Json) => row[columns.indexOf(nameOf(one))]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const limit = plan.limit_per?.rows ?? plan.limit ?? ordered.length;
  const isOpen = [...groups.values()].some((all) => {
    const tied = all.filter((row) => order(row, all[limit - 1] ?? row) === 0);
    const isCut = all.length > limit && tied.includes(all[limit]!);
    return isCut && tied.some((row) => JSON.stringify(row) !== JSON.stringify(tied[0]));
  });
  return isOpen ? undefined : [...groups.values()].flatMap((all) => all.slice(0, limit));
}
