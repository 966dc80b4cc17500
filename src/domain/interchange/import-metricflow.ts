// Only simple, ratio and derived metrics are converted. A comment in lens.yaml keeps the files for an Ossie export.

import { parse } from 'yaml';
import { toSnakeCase } from '../../lens/model/name-words.ts';
import { describeFaults, formatFault } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';
import { writeLensYaml } from '../semantic/draft/write-lens-yaml.ts';
import type { ImportedLens } from './import-ossie.ts';
import { findColumnType, findTable, type KnownTables, toSourceName } from './known-tables.ts';
import { convertMetric, findFieldOfColumn } from './metricflow-metric.ts';
import { type MetricflowModel, metricflowFileSchema } from './metricflow-shapes.ts';
import { writePreservedModel } from './preserved-model.ts';
import { findRefusedMetrics } from './refused-metrics.ts';

type ConvertedFields = Record<string, Record<string, unknown>>;
type ConvertedDataset = { source: string; fields: ConvertedFields } & Record<string, unknown>;
const toDescriptionMember = (text: string | null | undefined) =>
  text?.trim() ? { description: text.trim().replace(/\s+/g, ' ').slice(0, 4000) } : {};

export async function importMetricflow(
  texts: string[],
  options: { name: string; connection: string; schema: string | null; knownTables: KnownTables },
): Promise<ImportedLens> {
  const files = texts.map(parseMetricflow);
  const models = files.flatMap((file) => file.semantic_models ?? []);
  if (models.length === 0)
    throw new Problem('invalid', 'These files contain no semantic_models. Add the files that define them.');
  const unsupportedParts: string[] = [];
  const guessedParts: string[] = [];
  const descriptions = new Map(
    files
      .flatMap((file) => file.models ?? [])
      .flatMap(({ name, columns }) =>
        (columns ?? []).map((column) => [`${name}.${column.name}`, column.description ?? ''] as const),
      ),
  );
  const datasets: Record<string, ConvertedDataset> = {};
  for (const model of models)
    datasets[model.name] = convertDataset(model, options.schema, options.knownTables, descriptions, guessedParts);
  const measuresByName = new Map(
    models.flatMap((model) => model.measures.map((measure) => [measure.name, { model, measure }] as const)),
  );
  const declaredMetrics = files.flatMap((file) => file.metrics ?? []);
  const declaredNames = new Set(declaredMetrics.map(({ name }) => name));
  const implicitMetrics = models
    .flatMap(({ measures }) => measures)
    .filter(({ create_metric, name }) => create_metric && !declaredNames.has(name))
    .map(({ name, description, label }) => ({
      ...{ name, description, label, type: 'simple', type_params: { measure: name } },
    }));
  const metrics: Record<string, Record<string, unknown>> = {};
  for (const metric of [...declaredMetrics, ...implicitMetrics]) {
    const importedMetric = convertMetric(metric, measuresByName, models, datasets);
    if ('reason' in importedMetric) unsupportedParts.push(`metric ${metric.name}: ${importedMetric.reason}`);
    else
      metrics[toSnakeCase(metric.name)] = {
        ...importedMetric.body,
        ...toDescriptionMember(metric.description),
        ...(metric.label && toSnakeCase(metric.label) !== toSnakeCase(metric.name) ? { synonyms: [metric.label] } : {}),
      };
  }
  for (const { name } of files.flatMap((file) => file.saved_queries ?? []))
    unsupportedParts.push(`saved query ${name}`);
  const name = toSnakeCase(options.name).replace(/^_+/, '');
  const comment = writePreservedModel({ metricflow: texts.map((text) => parse(text) as unknown) });
  const buildResult = () => {
    const lens = { name, connection: options.connection, datasets, relationships: convertJoins(models), metrics };
    return { name, lens, files: { [`lenses/${name}/lens.yaml`]: writeLensYaml(lens) + comment } };
  };
  // Repeats, because removing a metric can make svc refuse the metrics that use it.
  for (let removedCount = 1; removedCount > 0; ) {
    const refusedReasons = await findRefusedMetrics(buildResult(), options.knownTables.dialect);
    removedCount = refusedReasons.size;
    for (const [metric, reason] of refusedReasons) {
      delete metrics[metric];
      unsupportedParts.push(`metric ${metric}: ${reason}`);
    }
  }
  return { ...buildResult(), preservedParts: unsupportedParts, guessedParts };
}

function parseMetricflow(text: string) {
  const input: unknown = parse(text) ?? {};
  const parsedFile = metricflowFileSchema.safeParse(input);
  if (parsedFile.success) return parsedFile.data;
  const faults = describeFaults(parsedFile.error, metricflowFileSchema, input).slice(0, 5);
  throw new Problem('invalid', `This is not a MetricFlow file. ${faults.map(formatFault).join(' ')}`);
}

function convertDataset(
  model: MetricflowModel,
  schema: string | null,
  catalog: KnownTables,
  descriptions: ReadonlyMap<string, string>,
  guessedParts: string[],
): ConvertedDataset {
  const modelName = /ref\(\s*['"]([^'"]+)['"]\s*\)/.exec(model.model)?.[1] ?? model.model;
  const source = toSourceName(schema ? `${schema}.${modelName}` : modelName, catalog);
  const table = findTable(source, catalog);
  const fields: ConvertedFields = {};
  const addField = (name: string, expr: string, fallback: string, description?: string | null) => {
    const datatype = findColumnType(table, expr);
    if (!datatype) guessedParts.push(`datatype of ${model.name}.${name}: ${fallback}`);
    fields[name] = {
      datatype: datatype ?? fallback,
      ...toDescriptionMember(description || descriptions.get(`${modelName}.${expr}`)),
      ...(expr !== name ? { expression: expr } : {}),
    };
  };
  for (const entity of model.entities) {
    const column = String(entity.expr ?? entity.name);
    if (/^[A-Za-z_]\w*$/.test(column) && !(column in fields)) addField(column, column, 'string', entity.description);
  }
  for (const dimension of model.dimensions) {
    const fallback = dimension.type === 'time' ? 'date' : /^(is|has)_/.test(dimension.name) ? 'boolean' : 'string';
    addField(dimension.name, String(dimension.expr ?? dimension.name), fallback, dimension.description);
  }
  for (const measure of model.measures) {
    const column = String(measure.expr ?? measure.name);
    const ensureField = (word: string) => {
      if (!findFieldOfColumn(fields, word)) addField(word in fields ? `${word}_column` : word, word, 'decimal');
    };
    if (/^[A-Za-z_]\w*$/.test(column)) {
      ensureField(column);
      continue;
    }
    for (const word of column.replace(/'[^']*'/g, '').match(/\b[A-Za-z_]\w*\b(?!\s*\()/g) ?? [])
      if (findColumnType(table, word)) ensureField(word);
  }
  const keyEntity = model.entities.find(({ type }) => type === 'primary');
  const timeDimension = model.defaults?.agg_time_dimension;
  return {
    source,
    ...toDescriptionMember(model.description),
    ...(keyEntity ? { primary_key: [String(keyEntity.expr ?? keyEntity.name)] } : {}),
    ...(timeDimension && timeDimension in fields ? { time_field: timeDimension } : {}),
    fields,
  };
}

/** A foreign entity becomes a join to each other model that has a key entity with the same name. */
function convertJoins(models: MetricflowModel[]): Record<string, unknown>[] {
  const keys = models.flatMap((model) =>
    model.entities.filter(({ type }) => type === 'primary' || type === 'unique').map((key) => ({ model, key })),
  );
  return models.flatMap((model) =>
    model.entities
      .filter(({ type }) => type === 'foreign')
      .flatMap((entity) =>
        keys.flatMap((target) => {
          if (target.model === model || target.key.name !== entity.name) return [];
          const columns = [entity, target.key].map(({ expr, name }) => String(expr ?? name));
          return columns.every((column) => /^[A-Za-z_]\w*$/.test(column))
            ? [{ from: `${model.name}.${columns[0]}`, to: `${target.model.name}.${columns[1]}` }]
            : [];
        }),
      ),
  );
}
