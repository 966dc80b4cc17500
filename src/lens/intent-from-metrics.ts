// The metrics body of CONTRACT 4 -> intent. Every fault of the body is named at once, with the nearest valid names. What is
// given and can't be used is a fault: nothing is left out unsaid.
import { DateTime } from 'luxon';
import type { MetricsBody } from '../contract/ask.ts';
import type { ProblemDetail } from '../contract/problem.ts';
import { Problem } from '../platform/problem.ts';
import {
  emptyIntent,
  type FieldRef,
  type Filter,
  type Having,
  type Intent,
  type Operator,
  type Order,
} from './intent.ts';
import { commonHome, datasetOfPath, isPathWord, pathTo } from './join-paths.ts';
import { findDataset, findField, GRAINS, type Grain, type Lens, type LensMetric } from './lens.ts';
import { nearestNames } from './project-problem.ts';

type Say = (path: string, message: string, code?: string) => null;
type Resolve = (name: string, path: string) => FieldRef | null;
const HAVING = ['=', '!=', '>', '>=', '<', '<=', 'between'];

export function intentFromMetricsBody(lens: Lens, body: MetricsBody): Intent {
  const details: ProblemDetail[] = [];
  const say: Say = (path, message, code = 'invalid') => {
    details.push({ path, message, code });
    return null;
  };
  const metricNames = lens.metrics.map(({ name }) => name);
  const metrics = (body.metrics ?? []).flatMap((name, index): LensMetric[] => {
    const metric = lens.metrics.find((one) => one.name === name);
    if (!metric) say(`metrics[${index}]`, `There is no metric "${name}".${hint(name, metricNames)}`, 'unknown_name');
    return metric ? [metric] : [];
  });
  const home = metrics[0]?.home ?? null;
  const resolve: Resolve = (name, path) => resolveField(lens, name, path, home, say);
  const dimensions = (body.dimensions ?? []).flatMap((name, index) => resolve(name, `dimensions[${index}]`) ?? []);
  const { filters, having } = filtersOf(body, metricNames, resolve, say);
  const order = orderOf(body, metricNames, dimensions, resolve, say);
  const time = body.time ? timeOf(lens, body.time, metrics, dimensions, resolve, say) : null;
  if ((body.metrics ?? []).length === 0 && (body.dimensions ?? []).length === 0)
    say('metrics', 'Name at least one metric or dimension.');
  if (body.distinct && metrics.length > 0)
    say('distinct', 'distinct is of a listing: beside metrics each group is one row already. Leave it out.');
  for (const term of Object.keys(body.choices ?? {}))
    if (!filters.some((filter) => filter.kind === 'condition' && namesField(term, filter.field)))
      say(`choices.${term}`, `No filter is on "${term}", so there is nothing to choose for it.`, 'unknown_name');
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
  return {
    ...emptyIntent(),
    measures: metrics.map(({ name }) => ({ kind: 'metric', name })),
    dimensions,
    filters,
    having,
    time,
    order,
    limit: body.limit ?? null,
    distinct: body.distinct ?? false,
  };
}

const namesField = (term: string, { path, field }: FieldRef): boolean => term === field || term === `${path}.${field}`;

/** Conditions on rows, and conditions on groups: those that name a metric. */
function filtersOf(
  body: MetricsBody,
  metricNames: string[],
  resolve: Resolve,
  say: Say,
): { filters: Filter[]; having: Having[] } {
  const filters: Filter[] = [];
  const having: Having[] = [];
  for (const [index, { field: name, op, values }] of (body.filters ?? []).entries()) {
    const path = `filters[${index}]`;
    if (metricNames.includes(name) && !name.includes('.')) {
      const numbers = values.map((value) => (isNumber(value) ? Number(value) : Number.NaN));
      if ((body.metrics ?? []).length === 0)
        say(`${path}.field`, `A condition on ${name} needs groups: name ${name} or another metric in metrics.`);
      else if (!HAVING.includes(op)) say(`${path}.op`, `${op} can't be used on a metric; use ${HAVING.join(', ')}.`);
      else if (values.length === 0 || numbers.some((value) => !Number.isFinite(value)))
        say(`${path}.values`, `The metric ${name} is compared with a number.`);
      else having.push({ measure: { kind: 'metric', name }, op: op as Having['op'], values: numbers });
      continue;
    }
    const field = resolve(name, `${path}.field`);
    if (
      op === 'between' &&
      values.length === 2 &&
      values.every((one) => typeof one === 'number') &&
      values[0]! > values[1]!
    )
      say(`${path}.values`, `Nothing lies between ${values[0]} and ${values[1]}; give the lower end first.`);
    if (field) filters.push({ kind: 'condition', field, op: op as Operator, values });
  }
  return { filters, having };
}
const isNumber = (value: string | number | boolean): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

function orderOf(
  body: MetricsBody,
  metricNames: string[],
  dimensions: FieldRef[],
  resolve: Resolve,
  say: Say,
): Order[] {
  const seen = new Set<string>();
  return (body.order_by ?? []).flatMap(({ field: name, direction }, index): Order[] => {
    const path = `order_by[${index}].field`;
    const by = orderedBy(name, path);
    if (!by) return [];
    const key = JSON.stringify(by);
    if (seen.has(key)) {
      say(path, `The result is ordered by "${name}" already; name it once.`, 'repeated');
      return [];
    }
    seen.add(key);
    return [{ by, direction }];
  });

  function orderedBy(name: string, path: string): Order['by'] | null {
    const at = (body.metrics ?? []).indexOf(name);
    if (at >= 0) return { kind: 'measure', index: at };
    if (metricNames.includes(name)) {
      if ((body.metrics ?? []).length === 0)
        return say(
          path,
          `A listing can't be ordered by the metric "${name}": name it in metrics, which groups by the dimensions.`,
        );
      return { kind: 'expression', measure: { kind: 'metric', name } };
    }
    const shown = dimensions.filter((ref) => columnName(ref) === name);
    if (shown.length > 1 && new Set(shown.map(({ path: of }) => of)).size > 1)
      return say(
        path,
        `"${name}" is the name of several columns; write ${shown.map((ref) => `${ref.path}.${ref.field}`).join(' or ')}.`,
        'ambiguous',
      );
    const field = shown[0] ?? resolve(name, path);
    return field && { kind: 'field', field };
  }
}

const hint = (name: string, valid: string[]): string => {
  const near = nearestNames(name, valid);
  return near.length > 0
    ? ` Did you mean ${near.join(' or ')}?`
    : valid.length > 0
      ? ` There are: ${valid.slice(0, 20).join(', ')}.`
      : '';
};
const columnName = ({ field, grain }: FieldRef): string => (grain ? `${field}_${grain}` : field);

/** `dataset.field`, `role.field` or the bare field when it is unique, with an optional grain at the end. */
function resolveField(lens: Lens, name: string, at: string, home: string | null, say: Say): FieldRef | null {
  const parts = name.split('.');
  const last = parts.at(-1)!;
  const pathKnown = parts.length >= 2 && isPathWord(lens, parts.at(-2)!);
  const fieldOfLast = pathKnown && findField(datasetOfPath(lens, parts.at(-2)!)!, last);
  const grain =
    parts.length > 1 && !fieldOfLast && (GRAINS as readonly string[]).includes(last) ? (last as Grain) : undefined;
  const rest = grain ? parts.slice(0, -1) : parts;
  const field = rest.at(-1)!;
  if (rest.length === 1) return bareField(lens, field, grain, at, home, say);
  const path = rest.slice(0, -1).join('.');
  const strange = rest.slice(0, -1).find((word) => !isPathWord(lens, word));
  const dataset = strange === undefined ? datasetOfPath(lens, path) : undefined;
  if (!dataset) {
    const valid = [
      ...lens.datasets.map((one) => one.name),
      ...lens.relationships.filter(({ named }) => named).map(({ role }) => role),
    ];
    return say(at, `There is no dataset or role "${strange ?? path}".${hint(strange ?? path, valid)}`, 'unknown_name');
  }
  const found = findField(dataset, field);
  if (!found)
    return say(
      at,
      `There is no field "${field}" in ${path}.${hint(
        field,
        dataset.fields.map((one) => one.name),
      )}`,
      'unknown_name',
    );
  if (grain && !found.datatype.startsWith('date'))
    return say(at, `${path}.${field} is no date, so it has no .${grain}.`);
  return { path, field, ...(grain && { grain }) };
}

function bareField(
  lens: Lens,
  field: string,
  grain: Grain | undefined,
  at: string,
  home: string | null,
  say: Say,
): FieldRef | null {
  const owners = lens.datasets.filter((dataset) => findField(dataset, field));
  if (owners.length === 0) {
    const valid = [...new Set(lens.datasets.flatMap((dataset) => dataset.fields.map(({ name }) => name)))];
    return say(
      at,
      `There is no field "${field}".${hint(field, at.startsWith('dimensions') ? valid : [...valid, ...lens.metrics.map(({ name }) => name)])}`,
      'unknown_name',
    );
  }
  const paths = owners.flatMap((owner) => {
    const roles = lens.relationships
      .filter(({ named, to }) => named && to.dataset === owner.name)
      .map(({ role }) => role);
    return roles.length > 1 && home !== owner.name ? roles : [owner.name];
  });
  if (paths.length > 1)
    return say(
      at,
      `"${field}" is in several places; write ${paths.map((path) => `${path}.${field}`).join(' or ')}.`,
      'ambiguous',
    );
  const found = findField(owners[0]!, field)!;
  if (grain && !found.datatype.startsWith('date')) return say(at, `${field} is no date, so it has no .${grain}.`);
  return { path: paths[0]!, field, ...(grain && { grain }) };
}

/** The field named; else the time field that all metrics share; else that of the rows listed, not of what they lead to. */
function timeOf(
  lens: Lens,
  time: NonNullable<MetricsBody['time']>,
  metrics: LensMetric[],
  dimensions: FieldRef[],
  resolve: Resolve,
  say: Say,
): Intent['time'] {
  const { from, to } = time;
  for (const [key, text] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (
      !/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text) ||
      !DateTime.fromISO(text.replace(' ', 'T')).isValid
    )
      say(`time.${key}`, `time.${key} must be a date like 2016-01-31 or a date and time like 2016-01-31T12:30:00.`);
  if (from >= to) say('time.to', 'time.to is exclusive and must come after time.from.');
  if (time.field) {
    const field = resolve(time.field, 'time.field');
    if (field?.grain)
      return say(
        'time.field',
        `A time window is about ${field.path}.${field.field} itself; leave out .${field.grain} and let from and to begin where it should.`,
      );
    return field && { field: { path: field.path, field: field.field }, from, to };
  }
  const own = metrics
    .flatMap(({ timeField }) => timeField ?? [])
    .map(({ dataset, field }) => ({ path: dataset, field }));
  const rows = metrics.length === 0 ? commonHome(lens, [...new Set(dimensions.map(({ path }) => path))]) : null;
  const usual = rows ? findDataset(lens, rows)?.timeField : null;
  const listed = rows && usual ? [{ path: rows, field: usual }] : [];
  const candidates = metrics.length > 0 ? own : listed;
  const distinct = candidates.filter(
    (one, index) => candidates.findIndex((other) => other.path === one.path && other.field === one.field) === index,
  );
  const field = distinct[0];
  if (distinct.length === 1 && field && (metrics.length === 0 || own.length === metrics.length))
    return { field, from, to };
  const dates = lens.datasets
    .flatMap((dataset) =>
      dataset.fields.filter(({ datatype }) => datatype.startsWith('date')).map(({ name }) => `${dataset.name}.${name}`),
    )
    .filter((name) => !metrics[0]?.home || pathTo(lens, metrics[0].home, name.split('.')[0]!).kind === 'path');
  return say('time.field', `Say which date the time window is about: time.field, one of ${dates.join(', ')}.`);
}
