// Finds the names in measures and dimensions of a plan.
import type { PlanDimension, PlanHaving, PlanMeasure, PlanValue, PlanWindow } from '../../contract/plan-of.ts';
import { additivityOf } from '../../lens/model/aggregation.ts';
import { commonHome, datasetOfPath, isPathWord, pathTo } from '../../lens/model/join-paths.ts';
import { findField, GRAINS, type Lens } from '../../lens/model/lens.ts';
import { isMoment } from '../../lens/model/named-period.ts';
import {
  type Aggregate,
  type Base,
  basesOf,
  type FieldRef,
  type Filter,
  fieldsOf,
  type Grouping,
  type Having,
  isAggregate,
  isDayPart,
  type Listed,
  type Measure,
  type Period,
  type RowValue,
  rowsOf,
  type TimeWindow,
} from '../lens-plan.ts';
import { filterPaths } from '../sql/filter-sql.ts';
import { filtersOf, periodOf } from './bind-filters.ts';
import { datasetNamed, fieldNamed, hint, metricNamed, type Names, pathNamed } from './names.ts';

/** Measures that another measure can refer to by name, in addition to metrics: those of the plan with a name. */
export type Called = ReadonlyMap<string, Measure>;

type PlanObject = Exclude<PlanMeasure, string>;
type Of<F extends PlanObject['fn']> = Extract<PlanObject, { fn: F }>;

export function measureOf(names: Names, measure: PlanMeasure, called: Called, path: string): Measure | null {
  if (typeof measure === 'string') {
    const own = called.get(measure);
    if (own) return own;
    const valid = [...names.lens.metrics.map(({ name }) => name), ...called.keys()];
    return valid.includes(measure)
      ? { fn: 'metric', metric: measure }
      : names.say(path, `There is no metric or measure "${measure}".${hint(measure, valid)}`, 'unknown_name');
  }
  const made = objectOf(names, measure, called, path);
  return made && (measure.as === undefined ? made : { ...made, as: measure.as });
}

function objectOf(names: Names, measure: PlanObject, called: Called, path: string): Measure | null {
  const inner = (of: PlanMeasure, at = `${path}.of`): Measure | null => measureOf(names, of, called, at);
  switch (measure.fn) {
    case 'metric': {
      const metric = metricNamed(names, measure.metric, `${path}.metric`);
      return metric && restricted(names, { fn: 'metric', metric: metric.name }, metric.home, measure.where, path);
    }
    case 'ratio':
    case 'difference':
    case 'total': {
      const [left, right] = measure.of.map((one, index) => inner(one, `${path}.of[${index}]`));
      if (measure.percent && measure.fn !== 'ratio')
        return names.say(
          `${path}.percent`,
          `percent is only for a ratio. A ${measure.fn} has the unit of its measures.`,
        );
      return left && right ? { fn: measure.fn, of: [left, right], ...(measure.percent && { percent: true }) } : null;
    }
    case 'product':
    case 'quotient': {
      const of = inner(measure.of);
      if (measure.fn === 'quotient' && measure.by === 0)
        return names.say(`${path}.by`, 'Division by 0 is not possible. Give another number.');
      return of && { fn: measure.fn, of, by: measure.by };
    }
    case 'round': {
      const of = inner(measure.of);
      return of && { fn: 'round', of, digits: measure.digits };
    }
    case 'or_zero': {
      const of = inner(measure.of);
      return of && { fn: 'or_zero', of };
    }
    case 'share': {
      const of = inner(measure.of);
      const near = of && homeOf(names.lens, of);
      const where = filtersOf({ ...names, near: near ?? names.near }, measure.where, `${path}.where`);
      return of && { fn: 'share', of, where, ...(measure.percent && { percent: true }) };
    }
    case 'change':
      return changeOf(names, measure, inner(measure.of), path);
    case 'share_of_total':
    case 'running_total':
    case 'rank':
    case 'groups_avg':
    case 'groups_min':
    case 'groups_max':
    case 'groups_sum': {
      const of = inner(measure.of);
      const within = 'within' in measure ? dimensionsOf(names, measure.within, `${path}.within`) : [];
      return (
        of &&
        ({
          fn: measure.fn,
          of,
          ...('percent' in measure && measure.percent && { percent: true }),
          ...(measure.fn === 'rank' && { direction: measure.direction, ...(measure.dense && { dense: true }) }),
          ...(within.length > 0 && { within }),
        } as Measure)
      );
    }
    case 'over_groups':
    case 'count_groups':
      return overGroups(names, measure, called, path);
    case 'list':
      return listed(names, measure, path);
    default:
      return aggregateOf(names, measure, path);
  }
}
/** The dataset whose rows a measure aggregates first. */
export const homeOf = (lens: Lens, measure: Measure | undefined): string | null => {
  const [base] = measure ? basesOf(measure) : [];
  if (!base) return null;
  return base.fn === 'metric'
    ? (lens.metrics.find(({ name }) => name === base.metric)?.home ?? null)
    : (datasetOfPath(lens, rowsOf(base))?.name ?? null);
};

/** Inside another measure it isn't a column. */
const withoutName = (measure: Measure | null): Measure | null => {
  if (!measure) return null;
  const { as: _as, ...rest } = measure;
  return rest as Measure;
};

function restricted<B extends Base>(
  names: Names,
  of: B,
  near: string | null,
  where: Of<'metric'>['where'],
  path: string,
): B {
  const filters = filtersOf({ ...names, near: near ?? names.near }, where, `${path}.where`);
  return filters.length > 0 ? { ...of, where: filters } : of;
}

const NUMERIC = ['integer', 'decimal', 'float'];
const COUNTS = ['count', 'count_distinct'];
type PlanAggregate = Of<'count' | Exclude<Aggregate['fn'], 'count'>>;

function listed(names: Names, { field, distinct, separator, where }: Of<'list'>, path: string): Measure | null {
  const ref = textField(names, field, `${path}.field`, 'A list');
  if (!ref) return null;
  const measure: Listed = { fn: 'list', field: ref, ...(distinct && { distinct }), separator };
  return restricted(names, measure, ref.path, where, path);
}

function textField(names: Names, name: string, path: string, what: string): FieldRef | null {
  const ref = fieldNamed(names, name, path);
  if (!ref) return null;
  const written = `${ref.path}.${ref.field}`;
  const { datatype, masked } = findField(datasetOfPath(names.lens, ref.path)!, ref.field)!;
  if (masked)
    return names.say(
      path,
      `${written} is masked. You can only list it as a dimension, as null, or use count_distinct.`,
      'masked',
    );
  if (datatype !== 'string')
    return names.say(
      path,
      `${what} needs a text; ${written} is ${datatype}. Add a field to the lens: {datatype: string, expression: cast(${ref.field} as varchar)}.`,
    );
  return ref;
}

function aggregateOf(names: Names, measure: PlanAggregate, path: string): Measure | null {
  const { fn } = measure;
  const { rows, field: name, value }: { rows?: string; field?: string; value?: PlanValue } = measure;
  if (fn !== 'count') {
    if ((name === undefined) === (value === undefined))
      return names.say(path, `${fn} needs either field or value.`, 'missing');
    if (value !== undefined) return amountOf(names, fn, value, measure.where, path);
  }
  if (fn === 'count' && (rows === undefined) === (name === undefined))
    return names.say(path, 'count needs either rows (a dataset) or field.');
  const ref = rows === undefined ? fieldNamed(names, name!, `${path}.field`) : null;
  const of = rows === undefined ? ref?.path : pathNamed(names, rows, `${path}.rows`);
  if (!of) return null;
  if (ref?.grain)
    return names.say(`${path}.field`, `An aggregate needs ${ref.path}.${ref.field} itself. Remove .${ref.grain}.`);
  const dataset = datasetOfPath(names.lens, of)!;
  const field = ref ? findField(dataset, ref.field)! : null;
  const numbers = dataset.fields
    .filter((one) => NUMERIC.includes(one.datatype) && !one.masked && additivityOf(one, dataset).how !== 'none')
    .map(({ name }) => name);
  if (field && ['sum', 'avg', 'median'].includes(fn) && !NUMERIC.includes(field.datatype))
    return names.say(
      `${path}.field`,
      `${fn} needs a number; ${of}.${field.name} is ${field.datatype}. ${numbers.length > 0 ? `Numbers there: ${numbers.join(', ')}.` : 'Use count or count_distinct.'}`,
    );
  if (field?.masked && fn !== 'count_distinct')
    return names.say(
      `${path}.field`,
      `${of}.${field.name} is masked. You can only list it, as null, or use count_distinct.`,
      'masked',
    );
  if (field && !COUNTS.includes(fn) && field.datatype === 'boolean')
    return names.say(`${path}.field`, `${of}.${field.name} is a boolean. Count its rows with where instead.`);
  const aggregate: Aggregate = ref ? { fn, field: ref } : { fn: 'count', rows: of };
  return restricted(names, aggregate, of, measure.where, path);
}

function amountOf(
  names: Names,
  fn: Exclude<Aggregate['fn'], 'count'>,
  given: PlanValue,
  where: PlanAggregate['where'],
  path: string,
): Measure | null {
  if (fn === 'count_distinct')
    return names.say(`${path}.fn`, 'count_distinct needs a field. For a value, use sum, avg, min, max or median.');
  const found = computedOf(names, given, `${path}.value`);
  return found && restricted(names, { fn, value: found.value }, found.home, where, path);
}

function computedOf(names: Names, given: PlanValue, path: string): { value: RowValue; home: string } | null {
  const value = rowValueOf(names, given, path);
  if (value === null) return null;
  const paths = [...new Set(fieldsOf(value).map((one) => one.path))];
  const home = paths.length === 0 ? null : commonHome(names.lens, paths);
  if (paths.length === 0) return names.say(path, 'Add a field. A number alone is the same for each row.');
  return home ? { value, home } : names.say(path, `No row has all of these: ${paths.join(', ')}.`, 'fan_out');
}

function rowValueOf(names: Names, given: PlanValue, path: string): RowValue | null {
  if (typeof given === 'number') return given;
  if (typeof given === 'string') return plainField(names, given, path);
  if ('or' in given) {
    const field = plainField(names, given.field, `${path}.field`);
    return field && { field, or: given.or };
  }
  if ('items' in given) {
    const field = textField(names, given.items, `${path}.items`, 'A number of items');
    return field && { items: field, separator: given.separator };
  }
  if ('from' in given) {
    const [from, to] = [plainField(names, given.from, `${path}.from`), plainField(names, given.to, `${path}.to`)];
    return from && to && { from, to, in: given.in };
  }
  const values = given.of.map((one, index) => rowValueOf(names, one, `${path}.of[${index}]`));
  return values.reduce((left, right) => (left === null || right === null ? null : { op: given.op, of: [left, right] }));
}

function plainField(names: Names, name: string, path: string): FieldRef | null {
  const ref = fieldNamed(names, name, path);
  return ref?.grain ? names.say(path, `A value needs ${ref.path}.${ref.field} itself. Remove .${ref.grain}.`) : ref;
}

function changeOf(names: Names, measure: Of<'change'>, of: Measure | null, path: string): Measure | null {
  const { from, to, percent } = measure;
  if (!of) return null;
  if (!from && !to) return { fn: 'change', of, ...(percent && { percent }) };
  if (!from || !to)
    return names.say(path, 'change needs both from and to, or neither, to compare with the previous period.');
  const earlier = windowOf(
    names,
    from,
    basesOf(of).flatMap((one) => timesOf(names.lens, one)),
    `${path}.from`,
  );
  const later = windowOf(
    names,
    to,
    basesOf(of).flatMap((one) => timesOf(names.lens, one)),
    `${path}.to`,
  );
  return earlier && later && { fn: 'change', of, ...(percent && { percent }), from: earlier, to: later };
}

function overGroups(
  names: Names,
  measure: Of<'over_groups'> | Of<'count_groups'>,
  called: Called,
  path: string,
): Measure | null {
  const by = dimensionsOf(names, measure.by, `${path}.by`);
  const per = (measure.per ?? []).flatMap((one, index) => pathNamed(names, one, `${path}.per[${index}]`) ?? []);
  const having = havingOf(names, measure.having, called, `${path}.having`);
  const every = measure.every === undefined ? undefined : everyOf(names, measure.every, by, `${path}.every`);
  if (!measure.by && !measure.per)
    return names.say(path, `Add the groups: by (dimensions) or per (datasets).`, 'missing');
  const of =
    measure.fn === 'over_groups'
      ? measureOf(names, measure.of, called, `${path}.of`)
      : (having[0]?.measure ?? countedRows(names, by, per, path));
  if (!of || by.length + per.length === 0 || every === null) return null;
  return {
    ...(measure.fn === 'count_groups' ? { fn: measure.fn, of } : { fn: measure.fn, take: measure.take, of }),
    ...(by.length > 0 && { by }),
    ...(per.length > 0 && { per }),
    ...(having.length > 0 && { having }),
    ...(every && { every }),
  };
}

/** A dataset whose rows are the groups, or a date whose periods are. */
export function everyOf(
  names: Names,
  given: string,
  dimensions: readonly Grouping[],
  path: string,
): string | Period | null {
  const { lens, say } = names;
  const words = given.split('.');
  if (words.length === 1 || !words.some((word) => !isPathWord(lens, word))) {
    return pathNamed(names, given, path);
  }
  const ref = fieldNamed(names, given, path);
  if (!ref) return null;
  const { grain } = ref;
  if (!grain || isDayPart(grain))
    return say(path, `every takes a dataset, or a period of a date: .${GRAINS.join(' .')}. Give one of these.`);
  if (!dimensions.some((one) => one.path === ref.path && one.field === ref.field && one.grain === grain))
    return say(path, `${given} is not among the dimensions; add it to show its periods.`);
  return { path: ref.path, field: ref.field, grain };
}
/** The default measure of a group: a count of the rows that lead to all of its dimensions. */
function countedRows({ lens, say }: Names, by: Grouping[], per: string[], path: string): Measure | null {
  const paths = [...by.flatMap((one) => (one.when ? filterPaths(one.when) : one.through ? [] : one.path)), ...per];
  const home = commonHome(lens, [...new Set(paths)]);
  return home ? { fn: 'count', rows: home } : say(path, 'No dataset refers to all of these groups.', 'fan_out');
}

export const havingOf = (names: Names, having: PlanHaving[] | undefined, called: Called, path: string): Having[] =>
  (having ?? []).flatMap(({ measure, op, values, than }, index): Having[] => {
    const at = `${path}[${index}]`;
    const left = withoutName(measureOf(names, measure, called, `${at}.measure`));
    const right = than === undefined ? undefined : withoutName(measureOf(names, than, called, `${at}.than`));
    const wanted = than === undefined ? (op === 'between' ? 2 : 1) : 0;
    if (values.length !== wanted)
      names.say(
        `${at}.values`,
        than === undefined
          ? `${op} takes ${wanted} value${wanted === 1 ? '' : 's'}; ${values.length} given.`
          : 'Give either values or than, not both.',
      );
    if (than !== undefined && op === 'between')
      names.say(`${at}.op`, 'between needs two values. With than, use =, !=, >, >=, < or <=.');
    return left && right !== null ? [{ measure: left, op, values, ...(right && { than: right }) }] : [];
  });

export const dimensionsOf = (
  names: Names,
  dimensions: readonly PlanDimension[] | undefined,
  path: string,
): Grouping[] => (dimensions ?? []).flatMap((one, index) => dimensionOf(names, one, `${path}[${index}]`) ?? []);

function dimensionOf(names: Names, dimension: PlanDimension, path: string): Grouping | null {
  if (typeof dimension === 'string') return fieldNamed(names, dimension, path);
  if ('when' in dimension) {
    const when = filtersOf(names, dimension.when, `${path}.when`);
    const first = homeOfFilters(when) ?? names.home;
    return when.length > 0 ? { path: first ?? '', field: dimension.as, as: dimension.as, when } : null;
  }
  if ('value' in dimension) {
    const { as, bin } = dimension;
    const found = computedOf(names, dimension.value, `${path}.value`);
    return found && { path: found.home, field: `(${as})`, value: found.value, ...(bin !== undefined && { bin }), as };
  }
  const { bin, through, where, as } = dimension;
  const ref = fieldNamed(names, dimension.field, `${path}.field`);
  const between = through === undefined ? undefined : datasetNamed(names, through, `${path}.through`);
  if (where && through === undefined)
    return names.say(
      `${path}.where`,
      'where applies to the dataset in between (through); restrict other rows with filters.',
    );
  if (!ref || between === null) return null;
  const field = findField(datasetOfPath(names.lens, ref.path)!, ref.field)!;
  if (bin !== undefined && (ref.grain || !NUMERIC.includes(field.datatype))) {
    const numbers = datasetOfPath(names.lens, ref.path)!.fields.filter((one) => NUMERIC.includes(one.datatype));
    return names.say(
      `${path}.bin`,
      `Only numbers have bins; ${ref.path}.${ref.field} is ${field.datatype}. Numbers there: ${numbers.map(({ name }) => name).join(', ') || 'none'}.`,
    );
  }
  return {
    ...ref,
    ...(bin !== undefined && { bin }),
    ...(between && { through: between }),
    ...(between && where && { where: filtersOf({ ...names, near: between }, where, `${path}.where`) }),
    ...(as !== undefined && { as }),
  };
}
const homeOfFilters = (filters: Filter[]): string | undefined => filterPaths(filters)[0];

export const timesOf = (lens: Lens, base: Measure): { path: string; field: string }[] => {
  if (base.fn === 'metric') {
    const time = lens.metrics.find(({ name }) => name === base.metric)?.timeField;
    return time ? [{ path: time.dataset, field: time.field }] : [];
  }
  const path = isAggregate(base) ? rowsOf(base) : '';
  const dataset = datasetOfPath(lens, path);
  return dataset?.timeField ? [{ path, field: dataset.timeField }] : [];
};

/** A period of the named date, or of the date that all measures share. */
export function windowOf(
  names: Names,
  { field: named, from, to, during }: PlanWindow,
  usual: { path: string; field: string }[],
  path: string,
): TimeWindow | null {
  const { say } = names;
  const span = spanOf(names, { from, to, during }, path);
  if (named !== undefined) {
    const field = fieldNamed(names, named, `${path}.field`);
    if (field?.grain)
      return say(
        `${path}.field`,
        `A time window needs ${field.path}.${field.field} itself. Remove .${field.grain} and set from and to.`,
      );
    const dataset = field && datasetOfPath(names.lens, field.path);
    if (dataset && !findField(dataset, field.field)!.datatype.startsWith('date'))
      return say(
        `${path}.field`,
        `${field.path}.${field.field} is not a date. A time window needs a date.${datesHint(names)}`,
      );
    return field && span && { field: { path: field.path, field: field.field }, ...span };
  }
  const distinct = usual.filter(
    (one, index) => usual.findIndex((other) => other.path === one.path && other.field === one.field) === index,
  );
  if (distinct.length !== 1)
    return say(`${path}.field`, `Name the date of the time window: ${path}.field.${datesHint(names)}`);
  return span && { field: distinct[0]!, ...span };
}

export function datesHint({ lens, home }: Names): string {
  const dates = lens.datasets
    .flatMap((dataset) =>
      dataset.fields.filter(({ datatype }) => datatype.startsWith('date')).map(({ name }) => `${dataset.name}.${name}`),
    )
    .filter((name) => !home || pathTo(lens, home, name.split('.')[0]!).kind === 'path');
  return dates.length > 0 ? ` There are: ${dates.join(', ')}.` : ' There is no date here. Remove the window.';
}

function spanOf(names: Names, { from, to, during }: Omit<PlanWindow, 'field'>, path: string) {
  const { say } = names;
  if (during !== undefined) {
    if (from !== undefined || to !== undefined) return say(`${path}.during`, 'Give either during, or from and to.');
    return periodOf(names, during, `${path}.during`);
  }
  if (from === undefined || to === undefined) {
    const key = from === undefined ? 'from' : 'to';
    return say(`${path}.${key}`, `Give ${path}.${key}, or during: "last 7 days".`, 'missing');
  }
  for (const [key, text] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (!isMoment(text))
      say(
        `${path}.${key}`,
        `${path}.${key} must be a date like 2016-01-31 or a date and time like 2016-01-31T12:30:00.`,
      );
  if (from >= to) say(`${path}.to`, `${path}.to is exclusive and must come after ${path}.from.`);
  return { from, to };
}
