// Imports dbt MetricFlow semantic models and metrics as one lens. Converts simple, ratio and derived metrics, and lists
// others by name. A comment keeps the original files, so that an Ossie export can include them.

import { parse } from 'yaml';
import { toSnakeCase } from '../../lens/model/name-words.ts';
import { describeFaults, faultText } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';
import { writeLens } from '../semantic/draft/write-lens.ts';
import type { ImportedLens } from './import-ossie.ts';
import { type Known, sourceIn, tableOf, typeOf } from './known-tables.ts';
import { fieldOfColumn, metricOf } from './metricflow-metric.ts';
import { type MetricflowModel, metricflowFile } from './metricflow-shapes.ts';
import { PRESERVED_MODEL_PREFIX } from './preserved-model.ts';
import { refusedMetrics } from './refused-metrics.ts';

type Fields = Record<string, Record<string, unknown>>;
type Dataset = { source: string; fields: Fields } & Record<string, unknown>;
const descriptionOf = (text: string | null | undefined) =>
  text?.trim() ? { description: text.trim().replace(/\s+/g, ' ').slice(0, 4000) } : {};

export async function importMetricflow(
  texts: string[],
  options: { name: string; connection: string; schema: string | null; known: Known },
): Promise<ImportedLens> {
  const files = texts.map(readFile);
  const models = files.flatMap((file) => file.semantic_models ?? []);
  if (models.length === 0)
    throw new Problem('invalid', 'These files contain no semantic_models. Give the files that do.');
  const lost: string[] = [];
  const guessed: string[] = [];
  const descriptions = new Map(
    files
      .flatMap((file) => file.models ?? [])
      .flatMap(({ name, columns }) =>
        (columns ?? []).map((column) => [`${name}.${column.name}`, column.description ?? ''] as const),
      ),
  );
  const datasets: Record<string, Dataset> = {};
  for (const model of models)
    datasets[model.name] = datasetOf(model, options.schema, options.known, descriptions, guessed);
  const homes = new Map(
    models.flatMap((model) => model.measures.map((measure) => [measure.name, { one: model, measure }] as const)),
  );
  const declared = files.flatMap((each) => each.metrics ?? []);
  const declaredNames = new Set(declared.map(({ name }) => name));
  const generated = models
    .flatMap(({ measures }) => measures)
    .filter(({ create_metric, name }) => create_metric && !declaredNames.has(name))
    .map(({ name, description, label }) => ({
      ...{ name, description, label, type: 'simple', type_params: { measure: name } },
    }));
  const metrics: Record<string, Record<string, unknown>> = {};
  for (const imported of [...declared, ...generated]) {
    const found = metricOf(imported, homes, models, datasets);
    if ('why' in found) lost.push(`metric ${imported.name}: ${found.why}`);
    else
      metrics[toSnakeCase(imported.name)] = {
        ...found.body,
        ...descriptionOf(imported.description),
        ...(imported.label && toSnakeCase(imported.label) !== toSnakeCase(imported.name)
          ? { synonyms: [imported.label] }
          : {}),
      };
  }
  for (const { name } of files.flatMap((file) => file.saved_queries ?? [])) lost.push(`saved query ${name}`);
  const name = toSnakeCase(options.name).replace(/^_+/, '');
  const tail = `${PRESERVED_MODEL_PREFIX}${JSON.stringify({ metricflow: texts.map((text) => parse(text) as unknown) })}\n`;
  const write = () => {
    const lens = { name, connection: options.connection, datasets, relationships: joinsOf(models), metrics };
    return { name, lens, files: { [`lenses/${name}/lens.yaml`]: writeLens(lens) + tail } };
  };
  // Removing a metric also removes the metrics that use it.
  for (let removedCount = 1; removedCount > 0; ) {
    const refused = await refusedMetrics(write(), options.known.dialect);
    removedCount = refused.size;
    for (const [metric, why] of refused) {
      delete metrics[metric];
      lost.push(`metric ${metric}: ${why}`);
    }
  }
  return { ...write(), kept: lost, guessed };
}

function readFile(text: string) {
  const read = metricflowFile.safeParse(parse(text) ?? {});
  if (read.success) return read.data;
  const faults = describeFaults(read.error, metricflowFile).slice(0, 5);
  throw new Problem('invalid', `This is not a MetricFlow file. ${faults.map(faultText).join(' ')}`);
}

function datasetOf(
  model: MetricflowModel,
  schema: string | null,
  catalog: Known,
  descriptions: ReadonlyMap<string, string>,
  guessed: string[],
): Dataset {
  const modelName = /ref\(\s*['"]([^'"]+)['"]\s*\)/.exec(model.model)?.[1] ?? model.model;
  const source = sourceIn(schema ? `${schema}.${modelName}` : modelName, catalog);
  const table = tableOf(source, catalog);
  const fields: Fields = {};
  const add = (name: string, expr: string, fallback: string, description?: string | null) => {
    const found = typeOf(table, expr);
    if (!found) guessed.push(`datatype of ${model.name}.${name}: ${fallback}`);
    fields[name] = {
      datatype: found ?? fallback,
      ...descriptionOf(description || descriptions.get(`${modelName}.${expr}`)),
      ...(expr !== name ? { expression: expr } : {}),
    };
  };
  for (const entity of model.entities) {
    const column = String(entity.expr ?? entity.name);
    if (/^[A-Za-z_]\w*$/.test(column) && !(column in fields)) add(column, column, 'string', entity.description);
  }
  for (const dimension of model.dimensions) {
    const fallback = dimension.type === 'time' ? 'date' : /^(is|has)_/.test(dimension.name) ? 'boolean' : 'string';
    add(dimension.name, String(dimension.expr ?? dimension.name), fallback, dimension.description);
  }
  for (const measure of model.measures) {
    const column = String(measure.expr ?? measure.name);
    const read = (word: string) => {
      if (!fieldOfColumn(fields, word)) add(word in fields ? `${word}_column` : word, word, 'decimal');
    };
    if (/^[A-Za-z_]\w*$/.test(column)) {
      read(column);
      continue;
    }
    for (const word of column.replace(/'[^']*'/g, '').match(/\b[A-Za-z_]\w*\b(?!\s*\()/g) ?? [])
      if (typeOf(table, word)) read(word);
  }
  const key = model.entities.find(({ type }) => type === 'primary');
  const time = model.defaults?.agg_time_dimension;
  return {
    source,
    ...descriptionOf(model.description),
    ...(key ? { primary_key: [String(key.expr ?? key.name)] } : {}),
    ...(time && time in fields ? { time_field: time } : {}),
    fields,
  };
}

/** A foreign entity joins the one model whose key has its name. Joins over an expression aren't imported. */
function joinsOf(models: MetricflowModel[]): Record<string, unknown>[] {
  return models.flatMap((model) =>
    model.entities
      .filter(({ type }) => type === 'foreign')
      .flatMap((entity) => {
        const target = models.find(
          (other) =>
            other !== model &&
            other.entities.some(({ name, type }) => name === entity.name && (type === 'primary' || type === 'unique')),
        );
        const key = target?.entities.find(({ name }) => name === entity.name);
        const columns = [entity, key].map((end) => String(end?.expr ?? end?.name ?? ''));
        return target && columns.every((column) => /^[A-Za-z_]\w*$/.test(column))
          ? [{ from: `${model.name}.${columns[0]}`, to: `${target.name}.${columns[1]}` }]
          : [];
      }),
  );
}
