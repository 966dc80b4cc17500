// Unchanged imported parts keep their original form, including the extensions of other vendors. Parts without an Ossie
// equivalent go into svc's own extension.
import { parse, stringify } from 'yaml';
import type { DatasetFile, LensFile } from '../../contract/files/lens-file.ts';
import { parseYamlFile } from '../../lens/files/yaml-file.ts';
import { isSameJson } from '../project/check-config.ts';
import { mergeThreeWays } from './merge-three-ways.ts';
import { DATATYPE_BY_OSSIE_TYPE, type OssieModel } from './ossie-shapes.ts';
import { toLensName } from './ossie-to-lens.ts';
import { type PreservedModel, readPreservedModel } from './preserved-model.ts';
import { SVC_VENDOR_NAME } from './restore-extension.ts';
import { NO_SHARED_PARTS, type SelfContainedLens, type SharedSemantic, withSharedParts } from './shared-semantic.ts';

const OSSIE_VERSION = '0.2.0.dev0';
const OSSIE_TYPE_BY_DATATYPE = Object.fromEntries(
  Object.entries(DATATYPE_BY_OSSIE_TYPE).map(([ossie, datatype]) => [datatype, ossie]),
);
type JsonObject = Record<string, unknown>;

/** `sharedSemantic` has the shared parts that the lens can use. Returns null if svc can't read lens.yaml. */
export function exportOssie(
  files: Record<string, string>,
  sharedSemantic: SharedSemantic = NO_SHARED_PARTS,
): { name: string; text: string } | null {
  const text = files['lens.yaml'] ?? '';
  const lensFile = parseYamlFile('lens', 'lens.yaml', text).value;
  if (!lensFile) return null;
  const lens = withSharedParts(lensFile, sharedSemantic);
  const preserved = readPreservedModel(text);
  const currentModel = generateModel(lens);
  const mergedModel = preserved.ossie ? mergePreservedModel(preserved.ossie, currentModel) : currentModel;
  const model = {
    ...mergedModel,
    custom_extensions: [
      ...(preserved.ossie?.model.custom_extensions ?? []).filter(({ vendor_name }) => vendor_name !== SVC_VENDOR_NAME),
      ...(preserved.metricflow
        ? [{ vendor_name: 'DBT', data: JSON.stringify({ metricflow: preserved.metricflow }) }]
        : []),
      { vendor_name: SVC_VENDOR_NAME, data: JSON.stringify(createSvcExtension(lens, files)) },
    ],
  };
  const topLevelMembers = preserved.ossie?.top ?? { version: OSSIE_VERSION };
  return { name: lens.name, text: stringify({ ...topLevelMembers, semantic_model: [model] }, { lineWidth: 0 }) };
}

/** Applies the changes since the import to the imported model. */
function mergePreservedModel(
  { base = {}, model }: NonNullable<PreservedModel['ossie']>,
  currentModel: JsonObject,
): JsonObject {
  const [previousMetrics, currentMetrics] = [base, currentModel].map(
    (tree) => (tree['metrics'] ?? []) as { name: string }[],
  ) as [{ name: string }[], { name: string }[]];
  const listChangedNames = (metrics: { name: string }[], others: { name: string }[]) =>
    metrics.filter((item) => !others.some((other) => isSameJson(item, other))).map(({ name }) => name);
  const changedNames = [
    ...listChangedNames(previousMetrics, currentMetrics),
    ...listChangedNames(currentMetrics, previousMetrics),
  ];
  return mergeThreeWays(base, currentModel, withoutDatasetMetrics(model, changedNames)) as JsonObject;
}

/** Removes changed metrics from the datasets, because the export writes them as metrics of the whole model. */
function withoutDatasetMetrics(model: OssieModel, changedNames: string[]): OssieModel {
  const isUnchanged = (name: string) => !changedNames.includes(toLensName(name));
  return {
    ...model,
    datasets: model.datasets.map((dataset) => ({
      ...dataset,
      ...(dataset.metrics && {
        metrics: dataset.metrics.filter(
          ({ name }) => isUnchanged(name) && isUnchanged(`${toLensName(dataset.name)}_${name}`),
        ),
      }),
    })),
  };
}

export function generateModel(lens: SelfContainedLens): JsonObject {
  return {
    name: lens.name,
    ...(lens.description ? { description: lens.description } : {}),
    datasets: Object.entries(lens.datasets).map(([name, dataset]) => toOssieDataset(name, dataset)),
    ...(lens.relationships.length > 0 ? { relationships: lens.relationships.map(toOssieRelationship) } : {}),
    ...(Object.keys(lens.metrics).length > 0
      ? { metrics: Object.entries(lens.metrics).map(([name, metric]) => toOssieMetric(name, metric)) }
      : {}),
  };
}

function toOssieDataset(name: string, dataset: DatasetFile): JsonObject {
  return {
    name,
    source: dataset.source,
    ...(dataset.primary_key ? { primary_key: dataset.primary_key } : {}),
    ...(dataset.description ? { description: dataset.description } : {}),
    ...toAiContextMember(dataset.synonyms),
    fields: Object.entries(dataset.fields).map(
      ([field, { expression, datatype, description, synonyms: fieldSynonyms }]) => ({
        name: field,
        expression: toAnsiExpression(expression ?? field),
        datatype: OSSIE_TYPE_BY_DATATYPE[datatype],
        ...(description ? { description } : {}),
        ...toAiContextMember(fieldSynonyms),
      }),
    ),
  };
}
const toOssieMetric = (name: string, metric: LensFile['metrics'][string]): JsonObject => ({
  name,
  expression: toAnsiExpression(metric.expression),
  ...(metric.datatype ? { datatype: OSSIE_TYPE_BY_DATATYPE[metric.datatype] } : {}),
  ...(metric.description ? { description: metric.description } : {}),
  ...toAiContextMember(metric.synonyms),
});
function toOssieRelationship({ name, from, to }: LensFile['relationships'][number]): JsonObject {
  const [leftPaths, rightPaths] = [[from].flat(), [to].flat()];
  const [manyDataset, oneDataset] = [leftPaths[0]!.split('.')[0]!, rightPaths[0]!.split('.')[0]!];
  const columnNames = (paths: string[]) => paths.map((path) => path.slice(path.indexOf('.') + 1).replaceAll('"', ''));
  return {
    name: name ?? `${manyDataset}_to_${oneDataset}`,
    from: manyDataset,
    to: oneDataset,
    from_columns: columnNames(leftPaths),
    to_columns: columnNames(rightPaths),
  };
}
const toAnsiExpression = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });
const toAiContextMember = (list: string[]): JsonObject => (list.length > 0 ? { ai_context: { synonyms: list } } : {});

/** The extension also contains the certified entries and evals. */
function createSvcExtension(lens: SelfContainedLens, files: Record<string, string>): JsonObject {
  const { name: _name, title, description: _description, datasets, relationships, metrics, ...rest } = lens;
  const entriesIn = (folder: string) =>
    Object.entries(files)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .flatMap(([, text]) => [parse(text) as unknown].flat());
  return {
    lens: { title, ...rest },
    fields: Object.fromEntries(
      Object.entries(datasets).flatMap(([name, dataset]) =>
        Object.entries(dataset.fields).flatMap(([field, { mask, values, unit, aggregation }]) =>
          mask || values || unit || aggregation ? [[`${name}.${field}`, { mask, values, unit, aggregation }]] : [],
        ),
      ),
    ),
    datasets: Object.fromEntries(
      Object.entries(datasets).flatMap(([name, { time_field }]) => (time_field ? [[name, { time_field }]] : [])),
    ),
    metrics: Object.fromEntries(
      Object.entries(metrics).flatMap(([name, { filter, time_field, unit, dataset }]) =>
        filter || time_field || unit || dataset ? [[name, { filter, time_field, unit, dataset }]] : [],
      ),
    ),
    roles: relationships.flatMap(({ name }) => name ?? []),
    certified: entriesIn('certified'),
    evals: entriesIn('evals'),
  };
}
