// The changes to lens.yaml for a corrected fact: the fact itself, and metrics that the draft derived from it.
import { AGGREGATIONS, type LensFile } from '../../contract/files/lens-file.ts';
import { type FactClaim, formatCodedValues, formatColumnList, formatExpression } from '../../lens/model/facts.ts';
import { findDataset, type Lens, type LensFact } from '../../lens/model/lens.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import type { YamlAssignment } from '../project/files/rewrite-yaml.ts';

/** `says` is the corrected fact as text, or null if the correction removes the fact. */
export type Correction = { sets: YamlAssignment[]; says: string | null; warnings?: string[] } | { fault: string };

export function correctFact(lens: Lens, file: LensFile, fact: FactClaim, value: string | null): Correction {
  if (fact.kind === 'join') return correctJoin(lens, file, fact, value);
  const [dataset = '', field = ''] = fact.of.split('.');
  const datasetFile = file.datasets[dataset];
  if (!datasetFile) return { fault: `The dataset ${dataset} no longer exists in the lens. List the facts again.` };
  if ('entity' in datasetFile)
    return { fault: `${dataset} comes from semantic/entities.yaml. Correct the entity ${datasetFile.entity} there.` };
  const datasetPath = ['datasets', dataset];
  const context: CorrectionContext = {
    lens,
    file,
    fact,
    path: field ? [...datasetPath, 'fields', field] : datasetPath,
    dataset,
    field,
  };
  return CORRECTORS_BY_KIND[fact.kind](context, value);
}

interface CorrectionContext {
  lens: Lens;
  file: LensFile;
  fact: FactClaim;
  path: string[];
  dataset: string;
  field: string;
}

const CORRECTORS_BY_KIND: Record<
  Exclude<LensFact['kind'], 'join'>,
  (context: CorrectionContext, value: string | null) => Correction
> = {
  key({ lens, path, dataset }, value) {
    if (value === null) return { sets: [{ at: [...path, 'primary_key'], value: undefined }], says: null };
    const { fields, primaryKey } = findDataset(lens, dataset)!;
    const validColumns = [...new Set([...fields.map(({ name }) => name), ...primaryKey])];
    const columns = formatColumnList(value).split(', ');
    const unknownColumn = columns.find((column) => !validColumns.includes(column));
    if (unknownColumn !== undefined)
      return { fault: createUnknownNameMessage(`field of ${dataset}`, unknownColumn, validColumns) };
    return { sets: [{ at: [...path, 'primary_key'], value: columns }], says: columns.join(', ') };
  },

  time_field({ lens, file, fact, path, dataset }, value) {
    const dateFields = findDataset(lens, dataset)!.fields.filter(({ datatype }) => datatype.startsWith('date'));
    const validDates = dateFields.map(({ name }) => name);
    if (value !== null && !validDates.includes(value))
      return { fault: createUnknownNameMessage(`date of ${dataset}`, value, validDates) };
    const metrics = Object.entries(file.metrics).filter(
      ([, { time_field }]) => time_field === `${dataset}.${fact.says}`,
    );
    return {
      sets: [
        { at: [...path, 'time_field'], value: value ?? undefined },
        ...metrics.map(([name]) => ({
          ...{ at: ['metrics', name, 'time_field'], value: value === null ? undefined : `${dataset}.${value}` },
        })),
      ],
      says: value,
    };
  },

  unit({ lens, file, fact, path, dataset, field }, value) {
    const metrics = lens.metrics.filter(
      ({ name, references }) =>
        file.metrics[name]?.unit === fact.says &&
        references.fields.some((item) => item.dataset === dataset && item.field === field),
    );
    const paths = [path, ...metrics.map(({ name }) => ['metrics', name])];
    if (value !== null && value.length > 40) return { fault: 'A unit has at most 40 characters.' };
    return { sets: paths.map((path) => ({ at: [...path, 'unit'], value: value ?? undefined })), says: value };
  },

  aggregation({ lens, file, fact, path, dataset, field }, value) {
    const aggregation = value ?? 'none';
    if (!(AGGREGATIONS as readonly string[]).includes(aggregation))
      return { fault: createUnknownNameMessage('aggregation', aggregation, AGGREGATIONS) };
    const summingMetrics =
      aggregation === 'average' || aggregation === 'none'
        ? lens.metrics.filter(
            ({ references: { fields, aggregates } }) =>
              aggregates.includes('sum') && fields.some((item) => item.dataset === dataset && item.field === field),
          )
        : [];
    const blockingMetrics = summingMetrics.filter(
      ({ name, expression }) =>
        expression.replace(/\s|"/g, '').toLowerCase() !== `sum(${fact.of})`.toLowerCase() ||
        isNamedMetric(lens, file, name),
    );
    if (blockingMetrics.length > 0)
      return {
        fault: `First change or remove the metrics that sum ${fact.of}: ${blockingMetrics.map(({ name }) => name).join(', ')}.`,
      };
    return {
      sets: [
        { at: [...path, 'aggregation'], value: aggregation },
        ...summingMetrics.map(({ name }) => ({ at: ['metrics', name], value: undefined })),
      ],
      says: aggregation,
      warnings: summingMetrics.map(
        ({ name }) => `svc removed the metric ${name}, because it sums ${fact.of}, which can't be summed.`,
      ),
    };
  },

  codes({ file, path, dataset, field }, value) {
    const datasetFile = file.datasets[dataset];
    const values = datasetFile && !('entity' in datasetFile) ? datasetFile.fields[field]?.values : undefined;
    const storedCodes = (Array.isArray(values) ? values : []).map((item) =>
      typeof item === 'object' ? item.value : item,
    );
    const meaningByCode = new Map(
      (value ?? '').split(',').flatMap((part): [string, string[]][] => {
        const [code = '', words = ''] = part.split('=').map((item) => item.trim());
        return code ? [[code, words.split('|').flatMap((word) => word.trim() || [])]] : [];
      }),
    );
    const unknownCode = [...meaningByCode.keys()].find((code) => !storedCodes.some((item) => String(item) === code));
    if (unknownCode !== undefined)
      return { fault: createUnknownNameMessage(`code of ${dataset}.${field}`, unknownCode, storedCodes.map(String)) };
    const codeWithoutMeaning = [...meaningByCode].find(([, words]) => words.length === 0);
    if (codeWithoutMeaning)
      return { fault: `Write what ${codeWithoutMeaning[0]} means: "${codeWithoutMeaning[0]}=open".` };
    const codedValues = storedCodes.map((item) => ({ value: item, synonyms: meaningByCode.get(String(item)) ?? [] }));
    const newValues = codedValues.map((item) => (item.synonyms.length > 0 ? item : item.value));
    return { sets: [{ at: [...path, 'values'], value: newValues }], says: formatCodedValues(codedValues)[0] ?? null };
  },

  reading({ path, fact }, value) {
    if (value === null)
      return { fault: `The expression of ${fact.of} determines its data type. Correct the expression instead.` };
    return { sets: [{ at: [...path, 'expression'], value }], says: formatExpression(value) };
  },
};

const isNamedMetric = (lens: Lens, file: LensFile, metric: string): boolean =>
  lens.metrics.some(({ references }) => references.metrics.includes(metric)) ||
  file.definitions.some(
    (definition) => definition.metric === metric || definition.senses?.some((sense) => sense.metric === metric),
  );

function correctJoin(lens: Lens, file: LensFile, fact: FactClaim, value: string | null): Correction {
  const toColumnList = (side: string | string[]): string => formatColumnList([side].flat().join());
  const index = file.relationships.findIndex(
    ({ from, to }) => toColumnList(from) === fact.of && toColumnList(to) === fact.says,
  );
  if (index < 0) return { fault: `The join no longer exists in the lens. List the facts again.` };
  const joinPath = ['relationships', index];
  if (value === null) return { sets: [{ at: joinPath, value: undefined }], says: null };
  const columns = formatColumnList(value).split(', ');
  const validColumns = lens.datasets.flatMap(({ name, fields, primaryKey }) =>
    [...new Set([...primaryKey, ...fields.map((field) => field.name)])].map((column) => `${name}.${column}`),
  );
  const unknownColumn = columns.find((column) => !validColumns.includes(column));
  if (unknownColumn !== undefined) return { fault: createUnknownNameMessage('field', unknownColumn, validColumns) };
  const columnCount = fact.of.split(', ').length;
  if (columns.length !== columnCount) return { fault: `This join has ${columnCount} columns on each side.` };
  const paths = columns.map(quotePath);
  return {
    sets: [{ at: [...joinPath, 'to'], value: paths.length === 1 ? paths[0] : paths }],
    says: columns.join(', '),
  };
}

const quotePath = (path: string): string => {
  const dot = path.indexOf('.');
  const column = path.slice(dot + 1);
  return /^[A-Za-z_][\w$ ]*$/.test(column) ? path : `${path.slice(0, dot)}."${column}"`;
};
