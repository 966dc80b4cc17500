// Exports lens.yaml as an Apache Ossie model. Unchanged imported parts keep their original form, with extensions of
// other vendors. Parts without an Ossie equivalent go into svc's own extension.
import { parse, stringify } from 'yaml';
import type { LensFile } from '../../contract/files/lens-file.ts';
import { parseYamlFile } from '../../lens/files/yaml-file.ts';
import { writeLens } from '../semantic/draft/write-lens.ts';
import { mergeThreeWays } from './merge-three-ways.ts';
import { DATATYPE_OF, type OssieModel } from './ossie-shapes.ts';
import { lensWord, ossieToLens } from './ossie-to-lens.ts';
import { type PreservedModel, readPreservedModel } from './preserved-model.ts';
import { VENDOR } from './restore-extension.ts';
import { NOTHING_SHARED, type SharedSemantic, usedByLens } from './shared-semantic.ts';

const VERSION = '0.2.0.dev0';
const OSSIE_TYPE_OF = Object.fromEntries(Object.entries(DATATYPE_OF).map(([ossie, datatype]) => [datatype, ossie]));
type Tree = Record<string, unknown>;

/**
 * Exports one lens as one file. `files` are the lens's own, `shared` the definitions and entities that it can use. Null
 * if svc can't read its lens.yaml.
 */
export function exportOssie(
  files: Record<string, string>,
  shared: SharedSemantic = NOTHING_SHARED,
): { name: string; text: string } | null {
  const text = files['lens.yaml'] ?? '';
  const lens = parseYamlFile('lens', 'lens.yaml', text).value;
  if (!lens) return null;
  const preserved = readPreservedModel(text);
  const now = generateModel(lens, shared);
  const merged = preserved.ossie ? mergeKept(lens, now, preserved.ossie, shared) : now;
  const model = {
    ...merged,
    custom_extensions: [
      ...(preserved.ossie?.model.custom_extensions ?? []).filter(({ vendor_name }) => vendor_name !== VENDOR),
      ...(preserved.metricflow
        ? [{ vendor_name: 'DBT', data: JSON.stringify({ metricflow: preserved.metricflow }) }]
        : []),
      { vendor_name: VENDOR, data: JSON.stringify(svcExtension(lens, files, shared)) },
    ],
  };
  const top = preserved.ossie?.top ?? { version: VERSION };
  return { name: lens.name, text: stringify({ ...top, semantic_model: [model] }, { lineWidth: 0 }) };
}

/** Repeats the import to find the parts that changed since. */
function mergeKept(
  lens: LensFile,
  now: Tree,
  { model, dropped, facts }: NonNullable<PreservedModel['ossie']>,
  shared: SharedSemantic,
): Tree {
  const reimported = ossieToLens(model, lens.connection, { dialect: null, tables: [] }, { dropped, facts });
  const before = parseYamlFile('lens', 'lens.yaml', writeLens(reimported.lens)).value;
  if (!before) return now;
  const [previous, current] = [generateModel(before, shared), now].map((tree) => withImportedNames(tree, model)) as [
    Tree,
    Tree,
  ];
  const metricsWere = new Map(((previous['metrics'] ?? []) as { name: string }[]).map((item) => [item.name, item]));
  const changed = ((current['metrics'] ?? []) as { name: string }[]).filter(
    (item) => JSON.stringify(item) !== JSON.stringify(metricsWere.get(item.name)),
  );
  const removed = [...metricsWere.keys()].filter((name) => !(name in lens.metrics));
  return mergeThreeWays(
    previous,
    current,
    withoutScoped(model, [...changed.map(({ name }) => name), ...removed]),
    (imported, name) => imported === name || lensWord(imported) === name,
  ) as Tree;
}

type Join = NonNullable<OssieModel['relationships']>[number];
/** Matches joins by their columns, because most joins in a lens have no name. */
function withImportedNames(exported: Tree, model: OssieModel): Tree {
  const key = ({ from, to, from_columns, to_columns }: Join) =>
    JSON.stringify([lensWord(from), lensWord(to), from_columns, to_columns]);
  const names = new Map((model.relationships ?? []).map((join) => [key(join), join.name]));
  const joins = exported['relationships'] as Join[] | undefined;
  return joins
    ? { ...exported, relationships: joins.map((join) => ({ ...join, name: names.get(key(join)) ?? join.name })) }
    : exported;
}

/** A changed metric of a dataset becomes a metric of the model. */
function withoutScoped(model: OssieModel, changed: string[]): OssieModel {
  return {
    ...model,
    datasets: model.datasets.map((dataset) => {
      if (!dataset.metrics) return dataset;
      const word = lensWord(dataset.name);
      const metrics = dataset.metrics.filter(
        ({ name }) => !changed.includes(lensWord(name)) && !changed.includes(lensWord(`${word}_${name}`)),
      );
      return metrics.length === dataset.metrics.length ? dataset : { ...dataset, metrics };
    }),
  };
}

function generateModel(lens: LensFile, { entities }: SharedSemantic): Tree {
  return {
    name: lens.name,
    ...(lens.description ? { description: lens.description } : {}),
    datasets: Object.entries(lens.datasets).map(([name, dataset]) => datasetOf(name, dataset, entities)),
    ...(lens.relationships.length > 0 ? { relationships: lens.relationships.map(relationshipOf) } : {}),
    ...(Object.keys(lens.metrics).length > 0
      ? { metrics: Object.entries(lens.metrics).map(([name, metric]) => metricOf(name, metric)) }
      : {}),
  };
}

/** Writes a shared entity in full for other tools, and by name for svc. */
function datasetOf(name: string, dataset: LensFile['datasets'][string], entities: SharedSemantic['entities']): Tree {
  if ('entity' in dataset) {
    const entity = entities[dataset.entity];
    const custom_extensions = [{ vendor_name: VENDOR, data: JSON.stringify(dataset) }];
    if (!entity) return { name, source: dataset.entity, custom_extensions };
    const fields = { ...entity.fields, ...dataset.fields };
    return { ...datasetOf(name, { ...entity, fields }, entities), custom_extensions };
  }
  return {
    name,
    source: dataset.source,
    ...(dataset.primary_key ? { primary_key: dataset.primary_key } : {}),
    ...(dataset.description ? { description: dataset.description } : {}),
    ...aiContext(dataset.synonyms),
    fields: Object.entries(dataset.fields).map(([field, { expression, datatype, description, synonyms: also }]) => ({
      name: field,
      expression: ansiExpression(expression ?? field),
      datatype: OSSIE_TYPE_OF[datatype],
      ...(description ? { description } : {}),
      ...aiContext(also),
    })),
  };
}
const metricOf = (name: string, metric: LensFile['metrics'][string]): Tree => ({
  name,
  expression: ansiExpression(metric.expression),
  ...(metric.datatype ? { datatype: OSSIE_TYPE_OF[metric.datatype] } : {}),
  ...(metric.description ? { description: metric.description } : {}),
  ...aiContext(metric.synonyms),
});
function relationshipOf({ name, from, to }: LensFile['relationships'][number]): Tree {
  const [left, right] = [[from].flat(), [to].flat()];
  const [many, one] = [left[0]!.split('.')[0]!, right[0]!.split('.')[0]!];
  const columns = (paths: string[]) => paths.map((path) => path.slice(path.indexOf('.') + 1).replaceAll('"', ''));
  return {
    name: name ?? `${many}_to_${one}`,
    from: many,
    to: one,
    from_columns: columns(left),
    to_columns: columns(right),
  };
}
const ansiExpression = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });
const aiContext = (list: string[]): Tree => (list.length > 0 ? { ai_context: { synonyms: list } } : {});

/** The parts of the lens and its certified entries and evals that Ossie's core can't express. */
function svcExtension(lens: LensFile, files: Record<string, string>, shared: SharedSemantic): Tree {
  const { name: _name, title, description: _description, datasets, relationships, metrics, ...rest } = lens;
  const entries = (folder: string) =>
    Object.entries(files)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .flatMap(([, text]) => [parse(text) as unknown].flat());
  return {
    lens: { title, ...rest },
    fields: Object.fromEntries(
      Object.entries(datasets).flatMap(([name, dataset]) =>
        Object.entries(dataset.fields ?? {}).flatMap(([field, { mask, values, unit, aggregation }]) =>
          mask || values || unit || aggregation ? [[`${name}.${field}`, { mask, values, unit, aggregation }]] : [],
        ),
      ),
    ),
    datasets: Object.fromEntries(
      Object.entries(datasets).flatMap(([name, dataset]) =>
        'time_field' in dataset && dataset.time_field ? [[name, { time_field: dataset.time_field }]] : [],
      ),
    ),
    metrics: Object.fromEntries(
      Object.entries(metrics).flatMap(([name, { filter, time_field, unit, dataset }]) =>
        filter || time_field || unit || dataset ? [[name, { filter, time_field, unit, dataset }]] : [],
      ),
    ),
    roles: relationships.flatMap(({ name }) => name ?? []),
    certified: entries('certified'),
    evals: entries('evals'),
    ...usedByLens(lens, shared),
  };
}
