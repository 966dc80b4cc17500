// Apache Ossie model -> lens.yaml. What a lens has no place for is kept, whole, in a comment that the export puts back,
// and is listed by name, so that nothing goes lost unseen.
import { parse } from 'yaml';
import type { z } from 'zod';
import { Problem } from '../../platform/problem.ts';
import { isTime, snake } from '../semantic/column-roles.ts';
import { writeLens } from '../semantic/write-lens.ts';
import {
  DATATYPE_OF,
  type OssieField,
  type OssieMetric,
  type OssieModel,
  ossieFile,
  sqlOf,
  synonymsOf,
} from './ossie-shapes.ts';
import { refusedMetrics } from './refused-metrics.ts';

export interface ImportedLens {
  name: string;
  lens: Record<string, unknown>;
  files: Record<string, string>;
  /** What a lens can't say; kept for the export. */
  kept: string[];
  /** What was guessed and wants a look. */
  guessed: string[];
}
export const KEPT_LINE = '# Kept by svc import for svc export --ossie: ';
/** Columns of the warehouse, for datatypes that the model leaves out: `table.column` -> datatype. */
export type KnownTypes = ReadonlyMap<string, string>;

export async function importOssie(
  text: string,
  connection: string,
  types: KnownTypes = new Map(),
): Promise<ImportedLens[]> {
  let plain: unknown;
  try {
    plain = parse(text);
  } catch (error) {
    throw new Problem('invalid', `The file is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  const read = ossieFile.safeParse(plain);
  if (!read.success) {
    const details = read.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      code: issue.code,
      message: issue.message,
    }));
    throw new Problem(
      'invalid',
      `This is not an Ossie model: ${details
        .slice(0, 5)
        .map(({ path, message }) => `${path} ${message}`)
        .join('; ')}.`,
      { details },
    );
  }
  const { version } = read.data;
  return Promise.all(
    read.data.semantic_model.map(async (model) => {
      const whole = importModel(model, version, connection, types);
      const refused = await refusedMetrics(whole);
      if (refused.size === 0) return whole;
      const fitting = importModel(model, version, connection, types, [...refused.keys()]);
      return {
        ...fitting,
        kept: [...fitting.kept, ...[...refused].map(([metric, why]) => `metric ${metric}: ${why}`)],
      };
    }),
  );
}

export function importModel(
  model: OssieModel,
  version: string,
  connection: string,
  types: KnownTypes,
  dropped: string[] = [],
): ImportedLens {
  const name = snake(model.name).replace(/^_+/, '').slice(0, 63) || 'model';
  const [kept, guessed]: string[][] = [[], []];
  const datasets = Object.fromEntries(
    model.datasets.map((dataset) => {
      const fields = Object.fromEntries(
        (dataset.fields ?? []).map((field) => [
          field.name,
          importField(dataset.source, dataset.name, field, types, guessed!),
        ]),
      );
      const time = (dataset.fields ?? []).find(
        (field) => fields[field.name]!['datatype'] && isTime(fields[field.name]!['datatype'] as 'date'),
      );
      return [
        dataset.name,
        {
          source: dataset.source,
          ...(dataset.description ? { description: dataset.description.trim() } : {}),
          ...(synonymsOf(dataset.ai_context).length > 0 ? { synonyms: synonymsOf(dataset.ai_context) } : {}),
          ...(dataset.primary_key ? { primary_key: dataset.primary_key } : {}),
          ...(time ? { time_field: time.name } : {}),
          fields,
        },
      ];
    }),
  );
  const pairs = (model.relationships ?? []).map(({ from, to }) => `${from}>${to}`);
  const relationships = (model.relationships ?? []).map((join) => {
    const twice = join.from === join.to || pairs.filter((pair) => pair === `${join.from}>${join.to}`).length > 1;
    const path = (dataset: string, columns: string[]) =>
      columns.length === 1 ? `${dataset}.${columns[0]}` : columns.map((column) => `${dataset}.${column}`);
    return {
      ...(twice ? { name: snake(join.name) } : {}),
      from: path(join.from, join.from_columns),
      to: path(join.to, join.to_columns),
    };
  });
  const scoped = model.datasets.flatMap((dataset) =>
    (dataset.metrics ?? []).map((metric) => ({ metric, home: dataset.name })),
  );
  const taken = new Set((model.metrics ?? []).map((metric) => metric.name));
  const metrics = Object.fromEntries([
    ...(model.metrics ?? []).map((metric) => [metric.name, importMetric(metric)]),
    ...scoped.map(({ metric, home }) => [
      taken.has(metric.name) ? `${home}_${metric.name}` : metric.name,
      { ...importMetric(metric), dataset: home },
    ]),
  ]);
  for (const metric of dropped) delete metrics[metric];
  addMeasuredColumns(datasets, metrics, types, guessed!);
  noteKept(model, kept!);
  const lens: Record<string, unknown> = {
    name,
    title: model.name,
    ...(model.description ? { description: model.description.trim() } : {}),
    connection,
    datasets,
    relationships,
    metrics,
  };
  const tail = `${KEPT_LINE}${JSON.stringify({ version, model, ...(dropped.length > 0 ? { dropped } : {}) })}\n`;
  return {
    name,
    lens,
    files: { [`lenses/${name}/lens.yaml`]: writeLens(lens) + tail },
    kept: kept!,
    guessed: guessed!,
  };
}

function importField(
  source: string,
  dataset: string,
  field: OssieField,
  types: KnownTypes,
  guessed: string[],
): Record<string, unknown> {
  const sql = sqlOf(field.expression);
  const table = source.split('.').at(-1)!.replaceAll('"', '');
  const declared = field.datatype ? DATATYPE_OF[field.datatype] : undefined;
  const found = declared ?? types.get(`${table}.${sql}`.toLowerCase());
  const datatype = found ?? guessType(field.name, sql, field.dimension?.is_time ?? false);
  if (!found) guessed.push(`datatype of ${dataset}.${field.name}: ${datatype}`);
  const synonyms = [
    ...new Set([...synonymsOf(field.ai_context), ...(field.label && field.label !== field.name ? [field.label] : [])]),
  ];
  return {
    datatype,
    ...(field.description ? { description: field.description.trim() } : {}),
    ...(synonyms.length > 0 ? { synonyms } : {}),
    ...(sql !== field.name ? { expression: sql } : {}),
  };
}

/** A model without datatypes: names and arithmetic tell something, the warehouse tells the rest at apply. */
function guessType(name: string, sql: string, time: boolean): string {
  if (time)
    return /name|label|text/i.test(name)
      ? 'string'
      : /(^|_)(year|month|quarter|week|day)$/i.test(name)
        ? 'integer'
        : 'date';
  return /[-+*/]/.test(sql) ? 'decimal' : /(_id|_sk|_key)$/i.test(name) ? 'integer' : 'string';
}

/** Columns that metrics read and no field declares become fields, or the lens could not know them. */
function addMeasuredColumns(
  datasets: Record<string, { source: string; fields: Record<string, Record<string, unknown>> }>,
  metrics: Record<string, Record<string, unknown>>,
  types: KnownTypes,
  guessed: string[],
): void {
  for (const { expression } of Object.values(metrics))
    for (const [, dataset = '', column = ''] of String(expression).matchAll(/\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b/g)) {
      const target = datasets[dataset];
      if (!target || column in target.fields) continue;
      const datatype = types.get(`${target.source.split('.').at(-1)}.${column}`.toLowerCase()) ?? 'decimal';
      target.fields[column] = { datatype };
      guessed.push(`field ${dataset}.${column}: ${datatype}, because a metric reads it`);
    }
}

function importMetric(metric: OssieMetric): Record<string, unknown> {
  const synonyms = synonymsOf(metric.ai_context);
  return {
    expression: sqlOf(metric.expression),
    ...(metric.description ? { description: metric.description.trim() } : {}),
    ...(synonyms.length > 0 ? { synonyms } : {}),
    ...(metric.datatype && DATATYPE_OF[metric.datatype] ? { datatype: DATATYPE_OF[metric.datatype] } : {}),
  };
}

function noteKept(model: OssieModel, kept: string[]): void {
  const look = (
    place: string,
    thing: {
      ai_context?: unknown;
      custom_extensions?: { vendor_name: string }[] | undefined;
      expression?: z.infer<typeof ossieFile>['semantic_model'][number]['datasets'][number] | unknown;
    },
  ): void => {
    const context = thing.ai_context;
    if (
      typeof context === 'string' ||
      (context && typeof context === 'object' && Object.keys(context).some((key) => key !== 'synonyms'))
    )
      kept.push(`${place}: ai_context`);
    for (const { vendor_name } of thing.custom_extensions ?? []) kept.push(`${place}: extension of ${vendor_name}`);
    const dialects = (thing.expression as { dialects?: { dialect: string }[] } | undefined)?.dialects ?? [];
    for (const { dialect } of dialects.length > 1 ? dialects.filter(({ dialect: one }) => one !== 'ANSI_SQL') : [])
      kept.push(`${place}: expression in ${dialect}`);
  };
  look(model.name, model);
  for (const dataset of model.datasets) {
    look(dataset.name, dataset);
    if (dataset.unique_keys) kept.push(`${dataset.name}: unique_keys`);
    for (const field of dataset.fields ?? []) look(`${dataset.name}.${field.name}`, field);
    for (const metric of dataset.metrics ?? []) look(`${dataset.name}.${metric.name}`, metric);
  }
  for (const join of model.relationships ?? []) look(join.name, join);
  for (const metric of model.metrics ?? []) look(metric.name, metric);
}
