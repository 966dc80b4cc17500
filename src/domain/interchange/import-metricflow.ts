// dbt MetricFlow semantic models and metrics -> one lens. Simple, ratio and derived metrics carry over; cumulative ones,
// and filters over another model's dimension, are listed by name.
import { parse } from 'yaml';
import { z } from 'zod';
import type { Dialect } from '../../contract/warehouse.ts';
import { Problem } from '../../platform/problem.ts';
import { snake } from '../semantic/column-roles.ts';
import { writeLens } from '../semantic/write-lens.ts';
import type { ImportedLens, KnownTypes } from './import-ossie.ts';
import { refusedMetrics } from './refused-metrics.ts';

const named = {
  name: z.string(),
  description: z.string().optional(),
  label: z.string().nullish(),
  expr: z.union([z.string(), z.number()]).optional(),
};
const model = z.looseObject({
  name: z.string(),
  model: z.string(),
  description: z.string().optional(),
  defaults: z.looseObject({ agg_time_dimension: z.string().optional() }).optional(),
  entities: z.array(z.looseObject({ ...named, type: z.string() })).default([]),
  dimensions: z.array(z.looseObject({ ...named, type: z.string() })).default([]),
  measures: z
    .array(z.looseObject({ ...named, agg: z.string(), agg_time_dimension: z.string().optional() }))
    .default([]),
});
const input = z.union([
  z.string(),
  z.looseObject({ name: z.string(), alias: z.string().optional(), filter: z.unknown().optional() }),
]);
const metric = z.looseObject({
  ...named,
  type: z.string(),
  filter: z.unknown().optional(),
  type_params: z
    .looseObject({
      measure: input.optional(),
      numerator: input.optional(),
      denominator: input.optional(),
      expr: z.string().optional(),
      metrics: z.array(input).optional(),
    })
    .optional(),
});
const file = z.looseObject({ semantic_models: z.array(model).nullish(), metrics: z.array(metric).nullish() });
type Model = z.infer<typeof model>;
type Metric = z.infer<typeof metric>;
type Measure = Model['measures'][number];
const AGGREGATE: Record<string, (sql: string) => string> = {
  sum: (sql) => `sum(${sql})`,
  count: (sql) => `count(${sql})`,
  count_distinct: (sql) => `count(distinct ${sql})`,
  average: (sql) => `avg(${sql})`,
  min: (sql) => `min(${sql})`,
  max: (sql) => `max(${sql})`,
  median: (sql) => `median(${sql})`,
  sum_boolean: (sql) => `sum(case when ${sql} then 1 else 0 end)`,
};
const plain = (text: string | undefined) => (text ? { description: text.trim().replace(/\s+/g, ' ') } : {});

export async function importMetricflow(
  texts: string[],
  options: { name: string; connection: string; schema: string | null; types: KnownTypes; dialect?: Dialect },
): Promise<ImportedLens> {
  const files = texts.map((text) => {
    const read = file.safeParse(parse(text) ?? {});
    if (read.success) return read.data;
    throw new Problem(
      'invalid',
      `This is not a MetricFlow file: ${read.error.issues
        .slice(0, 5)
        .map(({ path, message }) => `${path.join('.')} ${message}`)
        .join('; ')}.`,
    );
  });
  const models = files.flatMap((one) => one.semantic_models ?? []);
  if (models.length === 0) throw new Problem('invalid', 'These files hold no semantic_models. Name the files that do.');
  const lost: string[] = [];
  const guessed: string[] = [];
  const datasets: Record<
    string,
    { source: string; fields: Record<string, Record<string, unknown>> } & Record<string, unknown>
  > = {};
  for (const one of models) datasets[one.name] = datasetOf(one, options.schema, options.types, guessed);
  const home = new Map(
    models.flatMap((one) => one.measures.map((measure) => [measure.name, { one, measure }] as const)),
  );
  const metrics: Record<string, Record<string, unknown>> = {};
  for (const one of files.flatMap((each) => each.metrics ?? [])) {
    const made = metricOf(one, home, datasets, lost);
    if (made)
      metrics[snake(one.name)] = {
        ...made,
        ...plain(one.description),
        ...(one.label && snake(one.label) !== snake(one.name) ? { synonyms: [one.label] } : {}),
      };
  }
  const name = snake(options.name).replace(/^_+/, '');
  const write = () => {
    const lens = { name, connection: options.connection, datasets, relationships: joinsOf(models, datasets), metrics };
    return { name, lens, files: { [`lenses/${name}/lens.yaml`]: writeLens(lens) } };
  };
  for (const [refused, why] of await refusedMetrics(write(), options.dialect)) {
    delete metrics[refused];
    lost.push(`metric ${refused}: ${why}`);
  }
  return { ...write(), kept: lost, guessed };
}

function datasetOf(one: Model, schema: string | null, types: KnownTypes, guessed: string[]) {
  const table = /ref\(\s*['"]([^'"]+)['"]\s*\)/.exec(one.model)?.[1] ?? one.model;
  const fields: Record<string, Record<string, unknown>> = {};
  const add = (name: string, expr: string, fallback: string, more: object = {}) => {
    const found = types.get(`${table}.${expr}`.toLowerCase());
    if (!found) guessed.push(`datatype of ${one.name}.${name}: ${fallback}`);
    fields[name] = { datatype: found ?? fallback, ...more, ...(expr !== name ? { expression: expr } : {}) };
  };
  for (const entity of one.entities) {
    const column = String(entity.expr ?? entity.name);
    if (/^\w+$/.test(column) && !(column in fields)) add(column, column, 'string', plain(entity.description));
  }
  for (const dimension of one.dimensions) {
    const fallback = dimension.type === 'time' ? 'date' : /^(is|has)_/.test(dimension.name) ? 'boolean' : 'string';
    add(dimension.name, String(dimension.expr ?? dimension.name), fallback, plain(dimension.description));
  }
  for (const measure of one.measures) {
    const column = String(measure.expr ?? measure.name);
    if (/^[A-Za-z_]\w*$/.test(column) && !(column in fields)) add(column, column, 'decimal');
    for (const word of /^\w+$/.test(column) ? [] : (column.match(/\b[A-Za-z_]\w*\b(?!\s*\()/g) ?? []))
      if (types.has(`${table}.${word}`.toLowerCase()) && !(word in fields)) add(word, word, 'decimal');
  }
  const key = one.entities.find(({ type }) => type === 'primary');
  const time = one.defaults?.agg_time_dimension;
  return {
    source: schema ? `${schema}.${table}` : table,
    ...plain(one.description),
    ...(key ? { primary_key: [String(key.expr ?? key.name)] } : {}),
    ...(time && time in fields ? { time_field: time } : {}),
    fields,
  };
}

function joinsOf(models: Model[], datasets: Record<string, unknown>): Record<string, unknown>[] {
  return models.flatMap((one) =>
    one.entities
      .filter(({ type }) => type === 'foreign')
      .flatMap((entity) => {
        const target = models.find(
          (other) =>
            other !== one &&
            other.entities.some(({ name, type }) => name === entity.name && (type === 'primary' || type === 'unique')),
        );
        const key = target?.entities.find(({ name }) => name === entity.name);
        return target && key && target.name in datasets
          ? [{ from: `${one.name}.${entity.expr ?? entity.name}`, to: `${target.name}.${key.expr ?? key.name}` }]
          : [];
      }),
  );
}

type Homes = Map<string, { one: Model; measure: Measure }>;
const nameOf = (given: z.infer<typeof input>): string => (typeof given === 'string' ? given : given.name);

function metricOf(
  one: Metric,
  home: Homes,
  datasets: Record<string, { fields: object }>,
  lost: string[],
): Record<string, unknown> | null {
  const params = one.type_params ?? {};
  const drop = (why: string): null => {
    lost.push(`metric ${one.name}: ${why}`);
    return null;
  };
  if (one.type === 'simple' && params.measure) {
    const found = home.get(nameOf(params.measure));
    if (!found) return drop(`its measure ${nameOf(params.measure)} is not in these files`);
    const made = measureOf(found.one, found.measure, datasets);
    if (!made) return drop(`aggregation ${found.measure.agg} has no counterpart`);
    if (one.filter === undefined || one.filter === null) return made;
    const filter = filterOf(one.filter, found.one);
    return filter ? { ...made, filter } : drop('its filter reads a dimension of another model');
  }
  if (one.type === 'ratio' && params.numerator && params.denominator) {
    if ([params.numerator, params.denominator].some((part) => typeof part === 'object' && part.filter))
      return drop('a part of the ratio has a filter of its own');
    return {
      expression: `metric(${snake(nameOf(params.numerator))}) / nullif(metric(${snake(nameOf(params.denominator))}), 0)`,
    };
  }
  if (one.type === 'derived' && params.expr && params.metrics) {
    if (
      params.metrics.some(
        (part) => typeof part === 'object' && (part.filter || 'offset_window' in part || 'offset_to_grain' in part),
      )
    )
      return drop('a part has a filter or an offset of its own');
    const names = new Map(
      params.metrics.map((part) => [typeof part === 'object' ? (part.alias ?? part.name) : part, snake(nameOf(part))]),
    );
    return {
      expression: params.expr.replace(/\b[A-Za-z_]\w*\b/g, (word) =>
        names.has(word) ? `metric(${names.get(word)})` : word,
      ),
    };
  }
  return drop(`type ${one.type} has no counterpart in a lens`);
}

function measureOf(
  one: Model,
  measure: Measure,
  datasets: Record<string, { fields: object }>,
): Record<string, unknown> | null {
  const aggregate = AGGREGATE[measure.agg];
  if (!aggregate) return null;
  const expr = String(measure.expr ?? measure.name);
  if (/^\d+$/.test(expr))
    return measure.agg === 'sum' && expr === '1' ? { expression: 'count(*)', dataset: one.name } : null;
  const fields = Object.keys(datasets[one.name]!.fields);
  const qualified = expr.replace(/'[^']*'|\b[A-Za-z_]\w*\b/g, (word) =>
    fields.includes(word) ? `${one.name}.${word}` : word,
  );
  return { expression: aggregate(qualified) };
}

/** {{ Dimension('order_id__is_food') }} = true, where the dimension is the measure's own. */
function filterOf(filter: unknown, one: Model): string | null {
  const text = (
    Array.isArray(filter) ? filter.map((part) => `(${String(part).trim()})`).join(' and ') : String(filter)
  ).trim();
  const own = new Set(one.dimensions.map(({ name }) => name));
  const sql = text.replace(/\{\{\s*(?:Dimension|TimeDimension)\(\s*'([^']+)'[^)]*\)\s*\}\}/g, (whole, path: string) => {
    const dimension = path.split('__').at(-1)!;
    return own.has(dimension) ? `${one.name}.${dimension}` : whole;
  });
  return sql.includes('{{') ? null : sql;
}
