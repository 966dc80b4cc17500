import { isTemporal } from '../../contract/warehouse.ts';
import { toSnakeCase } from '../../lens/model/name-words.ts';
import { quoteIfNeeded } from '../semantic/draft/write-lens-yaml.ts';
import { findColumnType, findTable, type KnownTables, toSourceName } from './known-tables.ts';
import {
  DATATYPE_BY_OSSIE_TYPE,
  listSynonyms,
  type OssieField,
  type OssieMetric,
  type OssieModel,
  selectSqlExpression,
} from './ossie-shapes.ts';
import { readSvcExtension, SVC_VENDOR_NAME } from './restore-extension.ts';

type JsonObject = Record<string, unknown>;
type ConvertedFields = Record<string, JsonObject>;
interface ConvertedModel {
  name: string;
  lens: JsonObject;
  /** The names of parts without an equivalent in a lens. */
  preservedParts: string[];
  /** Guesses that a person should review. */
  guessedParts: string[];
}
const TABLE_SOURCE_PATTERN = /^("[^"]+"|[A-Za-z_][\w$]*)(\.("[^"]+"|[A-Za-z_][\w$]*)){0,2}$/;
const MAX_TEXT_LENGTH = 4000;
const MAX_SYNONYM_LENGTH = 200;

/** Names in a lens contain only letters, digits and "_". */
export const toLensName = (name: string): string =>
  /^[A-Za-z_]\w{0,62}$/.test(name) ? name : toSnakeCase(name).slice(0, 63) || 'unnamed';
const toDescriptionMember = (description: string | undefined): JsonObject =>
  description?.trim() ? { description: description.trim().slice(0, MAX_TEXT_LENGTH) } : {};
const toSynonymsMember = (words: string[]): JsonObject => {
  const usableWords = [
    ...new Set(words.map((word) => word.trim()).filter((word) => word && word.length <= MAX_SYNONYM_LENGTH)),
  ];
  return usableWords.length > 0 ? { synonyms: usableWords } : {};
};

/** `droppedMetrics` contains the names of metrics that svc refuses in this lens. */
export function convertOssieToLens(
  model: OssieModel,
  connection: string,
  catalog: KnownTables,
  droppedMetrics: string[],
): ConvertedModel {
  const name = toSnakeCase(model.name).replace(/^_+/, '').slice(0, 63) || 'model';
  const extension = readSvcExtension(model);
  const guessedParts: string[] = [];
  const preservedParts = describePreservedObjects(model);
  const readableDatasets = model.datasets.filter(({ source }) => TABLE_SOURCE_PATTERN.test(source));
  for (const dataset of model.datasets)
    if (!readableDatasets.includes(dataset))
      preservedParts.push(`dataset ${dataset.name}: its source is a query, not a table`);
  const datasets: Record<string, JsonObject> = {};
  for (const dataset of readableDatasets) {
    const lensName = toLensName(dataset.name);
    const source = toSourceName(dataset.source, catalog);
    if (source !== dataset.source) guessedParts.push(`source of ${lensName}: ${source}, for ${dataset.source}`);
    const fields: ConvertedFields = {};
    for (const field of dataset.fields ?? []) {
      const fieldName = toLensName(field.name);
      fields[fieldName] = {
        ...convertField(field, fieldName, chooseFieldType(lensName, field, source)),
        ...extension?.fields[`${lensName}.${fieldName}`],
      };
    }
    const isTimeField = ({ name: field, dimension }: OssieField) =>
      dimension?.is_time !== false && isTemporal(fields[toLensName(field)]!['datatype'] as 'date');
    const timeField = (dataset.fields ?? []).find(isTimeField);
    const restoredMembers = extension
      ? extension.datasets[lensName]
      : timeField && { time_field: toLensName(timeField.name) };
    datasets[lensName] = {
      source,
      ...toDescriptionMember(dataset.description),
      ...toSynonymsMember(listSynonyms(dataset.ai_context)),
      ...(dataset.primary_key ? { primary_key: dataset.primary_key } : {}),
      ...restoredMembers,
      fields,
    };
  }
  const metrics = convertMetrics(model, extension?.metrics);
  for (const metric of droppedMetrics) delete metrics[metric];
  addMeasuredColumns();
  const ownMembers = {
    name,
    ...(extension ? {} : { title: model.name }),
    ...toDescriptionMember(model.description),
  };
  const lens: JsonObject = {
    // The first spread of `ownMembers` sets their order. The second keeps the extension from replacing them.
    ...ownMembers,
    ...extension?.lens,
    ...ownMembers,
    connection,
    datasets,
    relationships: convertRelationships(model, datasets, extension?.roles ?? null),
    metrics,
  };
  return { name, lens, preservedParts, guessedParts };

  /** Prefers the declared type, then the type in the warehouse, then a guess. */
  function chooseFieldType(dataset: string, field: OssieField, source: string): string {
    const declaredType = field.datatype ? DATATYPE_BY_OSSIE_TYPE[field.datatype] : undefined;
    if (declaredType) return declaredType;
    const path = `${dataset}.${toLensName(field.name)}`;
    const sql = selectSqlExpression(field.expression);
    const foundType = findColumnType(findTable(source, catalog), sql);
    const datatype = foundType ?? guessDatatype(field.name, sql, field.dimension?.is_time ?? false);
    if (!foundType) guessedParts.push(`datatype of ${path}: ${datatype}`);
    return datatype;
  }

  /** Adds a field for each column that only metrics read. */
  function addMeasuredColumns(): void {
    for (const { expression } of Object.values(metrics))
      for (const [, dataset = '', column = ''] of String(expression).matchAll(/\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b/g)) {
        const target = datasets[dataset] as { source: string; fields: ConvertedFields } | undefined;
        if (!target || column in target.fields) continue;
        const datatype = findColumnType(findTable(target.source, catalog), column) ?? 'decimal';
        target.fields[column] = { datatype };
        guessedParts.push(`field ${dataset}.${column}: ${datatype}, because a metric reads it`);
      }
  }
}

function convertField(field: OssieField, name: string, datatype: string): JsonObject {
  const sql = selectSqlExpression(field.expression);
  const label = field.label && field.label !== field.name ? [field.label] : [];
  return {
    datatype,
    ...toDescriptionMember(field.description),
    ...toSynonymsMember([...listSynonyms(field.ai_context), ...label]),
    ...(sql !== name ? { expression: sql } : {}),
  };
}

/** Guesses the type of a field if neither the model nor the warehouse has it. */
function guessDatatype(name: string, sql: string, isTimeField: boolean): string {
  if (isTimeField)
    return /name|label|text/i.test(name)
      ? 'string'
      : /(^|_)(year|month|quarter|week|day)$/i.test(name)
        ? 'integer'
        : 'date';
  return /[-+*/]/.test(sql) ? 'decimal' : /(_id|_sk|_key)$/i.test(name) ? 'integer' : 'string';
}

/** A dataset's own metric has the dataset's name as a prefix if the model has a metric with the same name. */
function convertMetrics(
  model: OssieModel,
  extensionMetrics: Record<string, JsonObject> | undefined,
): Record<string, JsonObject> {
  const existingNames = new Set((model.metrics ?? []).map((metric) => metric.name));
  const toMetricEntry = (name: string, metric: OssieMetric, ownerDataset?: string): [string, JsonObject] => [
    toLensName(name),
    {
      expression: selectSqlExpression(metric.expression),
      ...toDescriptionMember(metric.description),
      ...toSynonymsMember(listSynonyms(metric.ai_context)),
      ...(metric.datatype && DATATYPE_BY_OSSIE_TYPE[metric.datatype]
        ? { datatype: DATATYPE_BY_OSSIE_TYPE[metric.datatype] }
        : {}),
      ...(ownerDataset ? { dataset: ownerDataset } : {}),
      ...extensionMetrics?.[toLensName(name)],
    },
  ];
  return Object.fromEntries([
    ...(model.metrics ?? []).map((metric) => toMetricEntry(metric.name, metric)),
    ...model.datasets.flatMap((dataset) =>
      (dataset.metrics ?? []).map((metric) =>
        toMetricEntry(
          existingNames.has(metric.name) ? `${toLensName(dataset.name)}_${metric.name}` : metric.name,
          metric,
          toLensName(dataset.name),
        ),
      ),
    ),
  ]);
}

/** `roles` contains the names of joins from svc's own export. In other models, svc names only ambiguous joins. */
function convertRelationships(
  model: OssieModel,
  datasets: Record<string, JsonObject>,
  roles: string[] | null,
): JsonObject[] {
  const usableJoins = (model.relationships ?? []).filter(
    ({ from, to }) => toLensName(from) in datasets && toLensName(to) in datasets,
  );
  const pairs = usableJoins.map(({ from, to }) => `${from}>${to}`);
  return usableJoins.map((join) => {
    const needsName = join.from === join.to || pairs.filter((pair) => pair === `${join.from}>${join.to}`).length > 1;
    const columnPaths = (dataset: string, columns: string[]) => {
      const paths = columns.map((column) => `${toLensName(dataset)}.${quoteIfNeeded(column)}`);
      return paths.length === 1 ? paths[0] : paths;
    };
    return {
      ...((roles ? roles.includes(toLensName(join.name)) : needsName) ? { name: toLensName(join.name) } : {}),
      from: columnPaths(join.from, join.from_columns),
      to: columnPaths(join.to, join.to_columns),
    };
  });
}

interface AnnotatedObject {
  ai_context?: unknown;
  custom_extensions?: { vendor_name: string }[] | undefined;
  expression?: { dialects: { dialect: string }[] };
}

/** Lists the parts without an equivalent in a lens, which the export restores. */
function describePreservedObjects(model: OssieModel): string[] {
  const preservedParts: string[] = [];
  const addPart = (
    path: string,
    { ai_context: context, custom_extensions: extensions, expression }: AnnotatedObject,
  ): void => {
    const hasOtherContext =
      context && typeof context === 'object' && Object.keys(context).some((key) => key !== 'synonyms');
    if (typeof context === 'string' || hasOtherContext) preservedParts.push(`${path}: ai_context`);
    for (const { vendor_name } of extensions ?? [])
      if (vendor_name !== SVC_VENDOR_NAME) preservedParts.push(`${path}: extension of ${vendor_name}`);
    const dialects = expression?.dialects ?? [];
    for (const { dialect } of dialects.length > 1
      ? dialects.filter(({ dialect: dialectName }) => dialectName !== 'ANSI_SQL')
      : [])
      preservedParts.push(`${path}: expression in ${dialect}`);
  };
  addPart(model.name, model);
  for (const dataset of model.datasets) {
    addPart(dataset.name, dataset);
    if (dataset.unique_keys) preservedParts.push(`${dataset.name}: unique_keys`);
    for (const field of dataset.fields ?? []) addPart(`${dataset.name}.${field.name}`, field);
    for (const metric of dataset.metrics ?? []) addPart(`${dataset.name}.${metric.name}`, metric);
  }
  for (const join of model.relationships ?? []) addPart(join.name, join);
  for (const metric of model.metrics ?? []) addPart(metric.name, metric);
  return preservedParts;
}
