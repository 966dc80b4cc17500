// Converts an Ossie model to a lens, using warehouse metadata. A pure function, so that an export can repeat an import.
import { toSnakeCase } from '../../lens/model/name-words.ts';
import { isTime } from '../semantic/columns/column-roles.ts';
import { type Known, sourceIn, tableOf, typeOf } from './known-tables.ts';
import { notePreserved } from './note-preserved.ts';
import { DATATYPE_OF, type OssieField, type OssieMetric, type OssieModel, sqlOf, synonymsOf } from './ossie-shapes.ts';
import { ownEntity, ownExtension } from './restore-extension.ts';

type Tree = Record<string, unknown>;
type Fields = Record<string, Tree>;
/** Warehouse metadata and guesses of an import. An export uses them to find later changes. */
export interface Facts {
  sources: Record<string, string>;
  types: Record<string, string>;
}
export interface LensOfModel {
  name: string;
  lens: Tree;
  facts: Facts;
  /** Parts without an equivalent. */
  kept: string[];
  /** Guesses to review. */
  guessed: string[];
}
const TABLE_SOURCE = /^("[^"]+"|[A-Za-z_][\w$]*)(\.("[^"]+"|[A-Za-z_][\w$]*)){0,2}$/;
const MAX_TEXT = 4000;
const MAX_WORD = 200;

/** Names in a lens have only letters, digits and "_". */
export const lensWord = (name: string): string =>
  /^[A-Za-z_]\w{0,62}$/.test(name) ? name : toSnakeCase(name).slice(0, 63) || 'unnamed';
const withDescription = (description: string | undefined): Tree =>
  description?.trim() ? { description: description.trim().slice(0, MAX_TEXT) } : {};
const withSynonyms = (words: string[]): Tree => {
  const usable = [...new Set(words.map((word) => word.trim()).filter((word) => word && word.length <= MAX_WORD))];
  return usable.length > 0 ? { synonyms: usable } : {};
};

const omitKeys = (tree: Tree, keys: string[]): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([key]) => !keys.includes(key)));

export function ossieToLens(
  model: OssieModel,
  connection: string,
  catalog: Known,
  { dropped = [], facts: preservedFacts }: { dropped?: string[]; facts?: Facts } = {},
): LensOfModel {
  const name = toSnakeCase(model.name).replace(/^_+/, '').slice(0, 63) || 'model';
  const extension = ownExtension(model);
  const facts: Facts = { sources: {}, types: {} };
  const guessed: string[] = [];
  const kept = notePreserved(model);
  const readable = model.datasets.filter((dataset) => ownEntity(dataset) || TABLE_SOURCE.test(dataset.source));
  for (const dataset of model.datasets)
    if (!readable.includes(dataset)) kept.push(`dataset ${dataset.name}: its source is a query, not a table`);
  const datasets: Record<string, Tree> = {};
  for (const dataset of readable) {
    const word = lensWord(dataset.name);
    const entity = ownEntity(dataset);
    if (entity) {
      datasets[word] = entity;
      continue;
    }
    const source = preservedFacts?.sources[word] ?? sourceIn(dataset.source, catalog);
    facts.sources[word] = source;
    if (source !== dataset.source) guessed.push(`source of ${word}: ${source}, for ${dataset.source}`);
    const fields: Fields = {};
    for (const field of dataset.fields ?? []) {
      const fieldName = lensWord(field.name);
      fields[fieldName] = {
        ...importField(field, fieldName, typeOfField(word, field, source)),
        ...extension?.fields[`${word}.${fieldName}`],
      };
    }
    const isTimed = ({ name: field, dimension }: OssieField) =>
      dimension?.is_time !== false && isTime(fields[lensWord(field)]!['datatype'] as 'date');
    const time = (dataset.fields ?? []).find(isTimed);
    const restored = extension ? extension.datasets[word] : time && { time_field: lensWord(time.name) };
    datasets[word] = {
      source,
      ...withDescription(dataset.description),
      ...withSynonyms(synonymsOf(dataset.ai_context)),
      ...(dataset.primary_key ? { primary_key: dataset.primary_key } : {}),
      ...restored,
      fields,
    };
  }
  const metrics = metricsOf(model, extension?.metrics);
  for (const metric of dropped) delete metrics[metric];
  addMeasuredColumns();
  const lens: Tree = {
    name,
    ...(extension ? {} : { title: model.name }),
    ...withDescription(model.description),
    ...omitKeys(extension?.lens ?? {}, ['name', 'description', 'datasets', 'relationships', 'metrics']),
    connection,
    datasets,
    relationships: relationshipsOf(model, datasets, extension?.roles ?? null),
    metrics,
  };
  return { name, lens, facts, kept, guessed };

  /** The declared type, otherwise the warehouse's, otherwise a guess. */
  function typeOfField(dataset: string, field: OssieField, source: string): string {
    const declared = field.datatype ? DATATYPE_OF[field.datatype] : undefined;
    if (declared) return declared;
    const path = `${dataset}.${lensWord(field.name)}`;
    const sql = sqlOf(field.expression);
    const found = preservedFacts?.types[path] ?? typeOf(tableOf(source, catalog), sql);
    const datatype = found ?? guessType(field.name, sql, field.dimension?.is_time ?? false);
    if (!found) guessed.push(`datatype of ${path}: ${datatype}`);
    facts.types[path] = datatype;
    return datatype;
  }

  /** Adds fields for columns that metrics read and no field declares. */
  function addMeasuredColumns(): void {
    for (const { expression } of Object.values(metrics))
      for (const [, dataset = '', column = ''] of String(expression).matchAll(/\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b/g)) {
        const target = datasets[dataset] as { source: string; fields?: Fields } | undefined;
        if (!target?.fields || !target.source || column in target.fields) continue;
        const path = `${dataset}.${column}`;
        const datatype = preservedFacts?.types[path] ?? typeOf(tableOf(target.source, catalog), column) ?? 'decimal';
        target.fields[column] = { datatype };
        facts.types[path] = datatype;
        guessed.push(`field ${path}: ${datatype}, because a metric reads it`);
      }
  }
}

function importField(field: OssieField, name: string, datatype: string): Tree {
  const sql = sqlOf(field.expression);
  const label = field.label && field.label !== field.name ? [field.label] : [];
  return {
    datatype,
    ...withDescription(field.description),
    ...withSynonyms([...synonymsOf(field.ai_context), ...label]),
    ...(sql !== name ? { expression: sql } : {}),
  };
}

/**
 * Guesses a type from names and arithmetic, for a model without datatypes. An apply gets the other types from the
 * warehouse.
 */
function guessType(name: string, sql: string, time: boolean): string {
  if (time)
    return /name|label|text/i.test(name)
      ? 'string'
      : /(^|_)(year|month|quarter|week|day)$/i.test(name)
        ? 'integer'
        : 'date';
  return /[-+*/]/.test(sql) ? 'decimal' : /(_id|_sk|_key)$/i.test(name) ? 'integer' : 'string';
}

/** A dataset's own metric gets the dataset's name as a prefix if the model has a metric with the same name. */
function metricsOf(model: OssieModel, extensionMetrics: Record<string, Tree> | undefined): Record<string, Tree> {
  const existing = new Set((model.metrics ?? []).map((metric) => metric.name));
  const entryOf = (name: string, metric: OssieMetric, homeDataset?: string): [string, Tree] => [
    lensWord(name),
    {
      expression: sqlOf(metric.expression),
      ...withDescription(metric.description),
      ...withSynonyms(synonymsOf(metric.ai_context)),
      ...(metric.datatype && DATATYPE_OF[metric.datatype] ? { datatype: DATATYPE_OF[metric.datatype] } : {}),
      ...(homeDataset ? { dataset: homeDataset } : {}),
      ...extensionMetrics?.[lensWord(name)],
    },
  ];
  return Object.fromEntries([
    ...(model.metrics ?? []).map((metric) => entryOf(metric.name, metric)),
    ...model.datasets.flatMap((dataset) =>
      (dataset.metrics ?? []).map((metric) =>
        entryOf(
          existing.has(metric.name) ? `${lensWord(dataset.name)}_${metric.name}` : metric.name,
          metric,
          lensWord(dataset.name),
        ),
      ),
    ),
  ]);
}

/**
 * `roles` are the named joins of svc's own export. In other models, joins get a name only if they need one to be
 * distinct.
 */
function relationshipsOf(model: OssieModel, datasets: Record<string, Tree>, roles: string[] | null): Tree[] {
  const usable = (model.relationships ?? []).filter(
    ({ from, to }) => lensWord(from) in datasets && lensWord(to) in datasets,
  );
  const pairs = usable.map(({ from, to }) => `${from}>${to}`);
  return usable.map((join) => {
    const needsName = join.from === join.to || pairs.filter((pair) => pair === `${join.from}>${join.to}`).length > 1;
    const path = (dataset: string, columns: string[]) => {
      const paths = columns.map(
        (column) => `${lensWord(dataset)}.${/^[A-Za-z_][\w$]*$/.test(column) ? column : `"${column}"`}`,
      );
      return paths.length === 1 ? paths[0] : paths;
    };
    return {
      ...((roles ? roles.includes(lensWord(join.name)) : needsName) ? { name: lensWord(join.name) } : {}),
      from: path(join.from, join.from_columns),
      to: path(join.to, join.to_columns),
    };
  });
}
