// lens.yaml -> Apache Ossie model. What was imported and not changed since comes back as it was, other vendors'
// extensions included; what Ossie has no place for travels in our own extension.
import { parse, stringify } from 'yaml';
import type { LensFile } from '../../contract/lens-file.ts';
import { parseYamlFile } from '../../lens/yaml-file.ts';
import { sameJson } from '../project/check-config.ts';
import { importModel, KEPT_LINE } from './import-ossie.ts';
import { DATATYPE_OF, type OssieModel, ossieModel } from './ossie-shapes.ts';

export const VENDOR = 'SVC';
const VERSION = '0.2.0.dev0';
const TYPE_OF = Object.fromEntries(Object.entries(DATATYPE_OF).map(([ossie, ours]) => [ours, ossie]));
type Tree = Record<string, unknown>;

/** One file for a lens; `files` are the lens's own. Null when its lens.yaml can't be read. */
export function exportOssie(files: Record<string, string>): { name: string; text: string } | null {
  const text = files['lens.yaml'] ?? '';
  const lens = parseYamlFile('lens', 'lens.yaml', text).value;
  if (!lens) return null;
  const kept = keptModel(text);
  const before = kept
    ? (parseYamlFile(
        'lens',
        'lens.yaml',
        importModel(kept.model, kept.version, lens.connection, new Map()).files[`lenses/${lens.name}/lens.yaml`] ?? '',
      ).value ?? null)
    : null;
  const model = { ...fresh(lens, files), ...mergeKept(lens, before, kept) };
  return {
    name: lens.name,
    text: stringify({ version: kept?.version ?? VERSION, semantic_model: [model] }, { lineWidth: 0 }),
  };
}

function keptModel(text: string): { version: string; model: OssieModel; dropped: string[] } | null {
  const line = text.split('\n').find((one) => one.startsWith(KEPT_LINE));
  if (!line) return null;
  try {
    const {
      version,
      model,
      dropped = [],
    } = JSON.parse(line.slice(KEPT_LINE.length)) as { version: string; model: unknown; dropped?: string[] };
    const read = ossieModel.safeParse(model);
    return read.success ? { version, model: read.data, dropped } : null;
  } catch {
    return null;
  }
}

function fresh(lens: LensFile, files: Record<string, string>): Tree {
  const extension = ours(lens, files);
  return {
    name: lens.name,
    ...(lens.description ? { description: lens.description } : {}),
    datasets: Object.entries(lens.datasets).map(([name, dataset]) => datasetOf(name, dataset)),
    ...(lens.relationships.length > 0 ? { relationships: lens.relationships.map(relationshipOf) } : {}),
    ...(Object.keys(lens.metrics).length > 0
      ? { metrics: Object.entries(lens.metrics).map(([name, metric]) => metricOf(name, metric)) }
      : {}),
    custom_extensions: [{ vendor_name: VENDOR, data: JSON.stringify(extension) }],
  };
}

function datasetOf(name: string, dataset: LensFile['datasets'][string]): Tree {
  if ('entity' in dataset)
    return {
      name,
      source: dataset.entity,
      custom_extensions: [{ vendor_name: VENDOR, data: JSON.stringify(dataset) }],
    };
  return {
    name,
    source: dataset.source,
    ...(dataset.primary_key ? { primary_key: dataset.primary_key } : {}),
    ...(dataset.description ? { description: dataset.description } : {}),
    ...synonyms(dataset.synonyms),
    fields: Object.entries(dataset.fields).map(([field, { expression, datatype, description, synonyms: also }]) => ({
      name: field,
      expression: ansi(expression ?? field),
      datatype: TYPE_OF[datatype],
      ...(description ? { description } : {}),
      ...synonyms(also),
    })),
  };
}
const metricOf = (name: string, metric: LensFile['metrics'][string]): Tree => ({
  name,
  expression: ansi(metric.expression),
  ...(metric.datatype ? { datatype: TYPE_OF[metric.datatype] } : {}),
  ...(metric.description ? { description: metric.description } : {}),
  ...synonyms(metric.synonyms),
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
const ansi = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });
const synonyms = (list: string[]): Tree => (list.length > 0 ? { ai_context: { synonyms: list } } : {});

/** Everything of the lens and its corpus that Ossie's core can't say. */
function ours(lens: LensFile, files: Record<string, string>): Tree {
  const {
    name: _name,
    title,
    description: _description,
    datasets,
    relationships: _relationships,
    metrics,
    ...rest
  } = lens;
  const entries = (folder: string) =>
    Object.entries(files)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .flatMap(([, text]) => [parse(text) as unknown].flat());
  return {
    lens: { title, ...rest },
    fields: Object.fromEntries(
      Object.entries(datasets).flatMap(([name, dataset]) =>
        Object.entries(dataset.fields ?? {}).flatMap(([field, { mask, values, unit }]) =>
          mask || values || unit ? [[`${name}.${field}`, { mask, values, unit }]] : [],
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
    certified: entries('certified'),
    evals: entries('evals'),
  };
}

/** Objects that still say what they said when they were imported keep their imported form, unknown members included. */
function mergeKept(lens: LensFile, before: LensFile | null, kept: ReturnType<typeof keptModel>): Tree {
  if (!before || !kept) return {};
  const { model, dropped } = kept;
  const merge = <T extends { name: string }>(
    made: Tree[],
    imported: readonly T[] | undefined,
    unchanged: (name: string) => boolean,
  ): Tree[] =>
    made.map((one) => {
      const old = imported?.find(({ name }) => name === one['name']);
      return !old ? one : unchanged(old.name) ? { ...old } : { ...old, ...one };
    });
  const now = fresh(lens, {});
  const datasets = merge(now['datasets'] as Tree[], model.datasets, (name) =>
    sameJson(lens.datasets[name], before.datasets[name]),
  );
  const scoped = new Set(model.datasets.flatMap((dataset) => (dataset.metrics ?? []).map(({ name }) => name)));
  const metrics = merge((now['metrics'] as Tree[] | undefined) ?? [], model.metrics, (name) =>
    sameJson(lens.metrics[name], before.metrics[name]),
  ).filter(({ name }) => !scoped.has(String(name)));
  const relationships = sameJson(lens.relationships, before.relationships) ? model.relationships : now['relationships'];
  const others = (model.custom_extensions ?? []).filter(({ vendor_name }) => vendor_name !== VENDOR);
  const {
    datasets: _datasets,
    metrics: _metrics,
    relationships: _joins,
    custom_extensions: _extensions,
    ...top
  } = model;
  return {
    ...top,
    ...(lens.description && lens.description !== before.description ? { description: lens.description } : {}),
    datasets,
    ...(relationships ? { relationships } : {}),
    ...(metrics.length > 0 || dropped.length > 0
      ? {
          metrics: inOrder(
            [...metrics, ...(model.metrics ?? []).filter(({ name }) => dropped.includes(name))],
            model.metrics,
          ),
        }
      : {}),
    custom_extensions: [...others, ...(now['custom_extensions'] as Tree[])],
  };
}

/** As the imported model lists them; what is new comes last. */
function inOrder(made: Tree[], imported: readonly { name: string }[] = []): Tree[] {
  const place = (name: unknown): number => {
    const at = imported.findIndex((one) => one.name === name);
    return at === -1 ? imported.length : at;
  };
  return [...made].sort((a, b) => place(a['name']) - place(b['name']));
}
