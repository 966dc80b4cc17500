import { DateTime } from 'luxon';
import type { DETAIL_LEVELS, DescribedLens } from '../../contract/mcp-tools.ts';
import type { getLiveLens } from '../../domain/lenses/get-live-lens.ts';
import type { Caller, Lens, LensDataset, LensField, LensMetric } from '../../lens/model/lens.ts';
import { toSnakeCase } from '../../lens/model/name-words.ts';
import { findPolicies } from '../../lens/policies/row-policies.ts';
import { createDidYouMeanHint } from '../../platform/closest-names.ts';
import { Problem } from '../../platform/problem.ts';
import type { ResultOf } from '../http/operation.ts';
import { decodeOffset, encodeCursor } from '../http/page.ts';
import { countFacts, summarizeLens } from '../v1/describe-lens.ts';

type DetailLevel = (typeof DETAIL_LEVELS)[number];
type DescribedDataset = DescribedLens['schema']['datasets'][number];
type DescribedDefinition = NonNullable<DescribedLens['definitions']>[number];
type DescribedMetric = NonNullable<DescribedDataset['metrics']>[number];
type DescribedItem =
  | { kind: 'dataset'; body: DescribedDataset }
  | { kind: 'metric'; body: DescribedMetric }
  | { kind: 'definition'; body: DescribedDefinition };

interface DescribeRequest {
  detail?: DetailLevel | undefined;
  search?: string | undefined;
  dataset?: string | undefined;
  cursor?: string | undefined;
}

/** The maximum number of characters on a page. A dataset with a longer description gets its own page. */
const PAGE_LENGTH: Record<DetailLevel, number> = { names: 11_000, summary: 56_000, full: 12_000 };
/** By default, svc summarizes a lens up to this number of characters, and lists only the names of a larger lens. */
const MAX_DEFAULT_SUMMARY_LENGTH = 12_000;
const MAX_VALUES_PER_FIELD = 8;
const MAX_VALUES_OF_ONE_DATASET = 20;
const MAX_MATCHING_VALUES = 5;
/** Up to this number of characters, a summary includes the values of fields with few values. */
const MAX_LENGTH_WITH_VALUES = 8_000;

/** A search reads every dictionary of the lens, so this generator lets other requests continue. */
export function* describeLensForAgent(
  liveLens: ResultOf<typeof getLiveLens>,
  caller: Caller,
  request: DescribeRequest,
  dataAsOf: string | null,
  now: Date,
): Generator<void, DescribedLens> {
  const { lens } = liveLens;
  const matches = yield* findMatches(lens, caller, request);
  const { detail, items } = describeInDetail(lens, caller, request, matches);
  const start = decodeOffset(request.cursor);
  let length = 0;
  let end = start;
  for (; end < items.length; end++) {
    length += measureItemLength(items[end]!);
    if (length > PAGE_LENGTH[detail] && end > start) break;
  }
  const page = items.slice(start, end);
  const selectBodies = <Kind extends DescribedItem['kind']>(kind: Kind) =>
    page.flatMap((item) => (item.kind === kind ? [item.body] : [])) as Extract<DescribedItem, { kind: Kind }>['body'][];
  const { name, title, description, version, certified_count, sample_questions } = summarizeLens(liveLens);
  const isFirstPage = start === 0 && request.search === undefined && request.dataset === undefined;
  return {
    ...{ name, title, version, certified_count },
    ...(isFirstPage ? { description, sample_questions, facts: countFacts(lens) } : {}),
    detail,
    dataset_count: lens.datasets.length,
    today: DateTime.fromJSDate(now, { zone: lens.timezone }).toISODate()!,
    timezone: lens.timezone,
    data_as_of: dataAsOf,
    schema: { datasets: selectBodies('dataset'), ...omitEmptyMembers({ metrics: selectBodies('metric') }) },
    ...omitEmptyMembers({ definitions: selectBodies('definition') }),
    ...omitEmptyMembers({ unmatched_words: matches.unmatchedWords }),
    next_cursor: end < items.length ? encodeCursor(String(end)) : null,
  };
}

interface DatasetMatch {
  dataset: LensDataset;
  fields: LensField[];
  metrics: LensMetric[];
  /** The stored values that match the search, by field. */
  values: ReadonlyMap<LensField, string[]>;
}
interface LensMatches {
  datasets: DatasetMatch[];
  metrics: LensMetric[];
  definitions: Lens['definitions'];
  /** The words of the search that nothing in the lens contains, if the lens doesn't match all words. */
  unmatchedWords: string[];
}

function* findMatches(lens: Lens, caller: Caller, { search, dataset }: DescribeRequest): Generator<void, LensMatches> {
  if (dataset !== undefined) refuseUnknownDataset(lens, dataset);
  const datasets = lens.datasets.filter(({ name }) => dataset === undefined || name === dataset);
  const metricsOf = new Map<string | null, LensMetric[]>();
  for (const metric of lens.metrics) metricsOf.set(metric.home, [...(metricsOf.get(metric.home) ?? []), metric]);
  const allItems: LensMatches = {
    datasets: datasets.map((dataset) => ({
      ...{ dataset: dataset, fields: dataset.fields, metrics: metricsOf.get(dataset.name) ?? [] },
      values: new Map(),
    })),
    metrics: dataset === undefined ? (metricsOf.get(null) ?? []) : [],
    definitions: dataset === undefined ? lens.definitions : [],
    unmatchedWords: [],
  };
  if (search === undefined) return allItems;
  const fullMatches = yield* searchLens(allItems, lens, caller, search, 'every');
  const hasNoMatch = fullMatches.datasets.length + fullMatches.metrics.length + fullMatches.definitions.length === 0;
  return hasNoMatch ? yield* searchLens(allItems, lens, caller, search, 'some') : fullMatches;
}

/** A matching dataset includes all of its fields and metrics. */
function* searchLens(
  allItems: LensMatches,
  lens: Lens,
  caller: Caller,
  search: string,
  matchMode: 'every' | 'some',
): Generator<void, LensMatches> {
  const allWords = splitWords(search);
  const longWords = allWords.filter((word) => word.length > 3);
  // Ignores short words such as "no" if there are longer ones, because a short word would match most of the lens.
  const searchWords = matchMode === 'every' || longWords.length === 0 ? allWords : longWords;
  const unmatchedWords = new Set(searchWords);
  const matches = (words: string[], isFound: (word: string) => boolean): boolean => {
    if (matchMode === 'every') return words.every(isFound);
    const foundWords = words.filter(isFound);
    for (const word of foundWords) unmatchedWords.delete(word);
    return foundWords.length > 0;
  };
  const matchesWords = (...texts: (string | null | undefined)[]): boolean => {
    const textWords = texts.flatMap((text) => splitWords(text ?? ''));
    return matches(searchWords, (word) =>
      textWords.some(
        (item) =>
          item === word || (word.length > 3 && item.includes(word)) || (item.length > 3 && word.startsWith(item)),
      ),
    );
  };
  const isSearchedValue = (value: string): boolean => {
    const text = value.toLowerCase();
    return matches(matchMode === 'every' ? searchWords : longWords, (word) => text.includes(word));
  };
  const isMatchingMetric = ({ name, description, synonyms }: LensMetric) =>
    matchesWords(name, description, ...synonyms);
  const datasets: DatasetMatch[] = [];
  for (const match of allItems.datasets) {
    const { dataset } = match;
    const values = new Map<LensField, string[]>();
    for (const field of match.fields) {
      yield;
      const foundValues = listVisibleValues(lens, caller, dataset, field).filter(isSearchedValue);
      if (foundValues.length > 0) values.set(field, foundValues);
    }
    const isDatasetMatch = matchesWords(dataset.name, ...dataset.synonyms, dataset.description);
    const fields = match.fields.filter(
      (field) => matchesWords(field.name, field.description, ...field.synonyms) || isDatasetMatch || values.has(field),
    );
    const metrics = match.metrics.filter((metric) => isMatchingMetric(metric) || isDatasetMatch);
    if (fields.length + metrics.length > 0 || isDatasetMatch) datasets.push({ dataset, fields, metrics, values });
  }
  return {
    datasets,
    metrics: allItems.metrics.filter(isMatchingMetric),
    definitions: allItems.definitions.filter(({ term, meaning, synonyms, senses }) =>
      matchesWords(
        term,
        meaning,
        ...synonyms,
        ...senses.flatMap(({ label, meaning: senseMeaning }) => [label, senseMeaning]),
      ),
    ),
    unmatchedWords: matchMode === 'some' ? [...unmatchedWords] : [],
  };
}

function refuseUnknownDataset(lens: Lens, dataset: string): void {
  const names = lens.datasets.map(({ name }) => name);
  if (names.includes(dataset)) return;
  const message = `There is no dataset “${dataset}” in the lens ${lens.name}.${createDidYouMeanHint(dataset, names)}`;
  throw new Problem('not_found', message, { param: 'dataset' });
}

/** If the request names no level of detail, the highest level that fits the page applies. */
function describeInDetail(
  lens: Lens,
  caller: Caller,
  request: DescribeRequest,
  matches: LensMatches,
): { detail: DetailLevel; items: DescribedItem[] } {
  const isPartial = request.dataset !== undefined || request.search !== undefined;
  const writeItems = (detail: DetailLevel) => ({
    detail,
    items: listDescribedItems(lens, caller, matches, detail, isPartial),
  });
  if (request.detail) return writeItems(request.detail);
  if (request.dataset !== undefined) return writeItems('full');
  for (const detail of isPartial ? (['full', 'summary'] as const) : (['summary'] as const)) {
    const writtenItems = writeItems(detail);
    if (writtenItems.items.reduce((sum, item) => sum + measureItemLength(item), 0) <= MAX_DEFAULT_SUMMARY_LENGTH)
      return writtenItems;
  }
  return writeItems('names');
}

function listDescribedItems(
  lens: Lens,
  caller: Caller,
  matches: LensMatches,
  detail: DetailLevel,
  isPartial: boolean,
): DescribedItem[] {
  const maxValues = matches.datasets.length === 1 ? MAX_VALUES_OF_ONE_DATASET : MAX_VALUES_PER_FIELD;
  const datasets = matches.datasets.map((dataset): DescribedDataset => {
    if (detail === 'names') return { name: dataset.dataset.name };
    const joins = describeJoins(lens, dataset.dataset, isPartial);
    return detail === 'full'
      ? toFullDataset(lens, caller, dataset, { joins, maxValues })
      : toDatasetSummary(lens, caller, dataset, joins);
  });
  const fittingDatasets = detail === 'summary' ? shortenToPage(datasets) : datasets;
  return [
    ...fittingDatasets.map((body): DescribedItem => ({ kind: 'dataset', body })),
    ...(detail === 'names' ? [] : matches.metrics).map(
      (metric): DescribedItem => ({ kind: 'metric', body: describeMetric(metric) }),
    ),
    ...(detail === 'names' ? [] : matches.definitions).map(
      ({ term, meaning, synonyms, senses, metric }): DescribedItem => ({
        kind: 'definition',
        body:
          detail === 'summary'
            ? { term }
            : omitEmptyMembers({
                ...{ term, meaning, synonyms, metric },
                senses: senses.map((sense) => omitEmptyMembers({ ...sense, filter: null, field: null })),
              }),
      }),
    ),
  ];
}

function describeJoins(
  { relationships, datasets }: Lens,
  { name }: LensDataset,
  includesIncoming: boolean,
): Pick<DescribedDataset, 'joins' | 'joined_by'> {
  const outgoingJoins = relationships.filter(({ from }) => from.dataset === name);
  const incomingJoins = includesIncoming ? relationships.filter(({ to }) => to.dataset === name) : [];
  return omitEmptyMembers({
    joins: outgoingJoins.map(({ role, from, to }) => {
      const isKeyJoin =
        datasets.find((dataset) => dataset.name === to.dataset)?.primaryKey.join() === to.columns.join();
      const target = isKeyJoin ? to.dataset : `${to.dataset} (${to.columns.join(', ')})`;
      return `${role === to.dataset ? '' : `${role}: `}${from.columns.join(', ')} -> ${target}`;
    }),
    joined_by: incomingJoins.map(({ from }) => `${from.dataset}.${from.columns.join(', ')}`),
  });
}

/** Fields that already appear as a key, date or join are left out. */
function toDatasetSummary(lens: Lens, caller: Caller, match: DatasetMatch, joins: object): DescribedDataset {
  const { dataset, fields, metrics } = match;
  const mentionedNames = new Set([...dataset.primaryKey, dataset.timeField]);
  for (const { from } of lens.relationships)
    if (from.dataset === dataset.name) for (const column of from.columns) mentionedNames.add(column);
  const values = fields.flatMap((field) => {
    const fewValues = listValuesIfFew(lens, caller, dataset, field);
    return fewValues && fewValues.length > 0 ? [[field.name, fewValues] as const] : [];
  });
  return omitEmptyMembers({
    name: dataset.name,
    key: dataset.primaryKey,
    time_field: dataset.timeField,
    ...joins,
    values: values.length > 0 ? Object.fromEntries(values) : null,
    field_names: fields.map(({ name }) => name).filter((name) => !mentionedNames.has(name)),
    masked: fields.filter(({ masked }) => masked).map(({ name }) => name),
    metric_names: metrics.filter((metric) => !isPlainFieldMetric(metric)).map(({ name }) => name),
  });
}

function toFullDataset(
  lens: Lens,
  caller: Caller,
  match: DatasetMatch,
  { joins, maxValues }: { joins: object; maxValues: number },
): DescribedDataset {
  const { dataset, fields, metrics, values } = match;
  return omitEmptyMembers({
    name: dataset.name,
    description: dataset.description,
    synonyms: dataset.synonyms,
    key: dataset.primaryKey,
    time_field: dataset.timeField,
    ...joins,
    fields: fields.map((field) =>
      describeField(field, listValuesIfFew(lens, caller, dataset, field, maxValues), values.get(field)),
    ),
    metrics: metrics.map((metric) => describeMetric(metric)),
  });
}

function describeField(
  field: LensField,
  values: string[] | null,
  matchingValues: readonly string[] = [],
): NonNullable<DescribedDataset['fields']>[number] {
  const hasValues = !values && !field.masked && (field.dictionary !== null || field.dictionaryFromWarehouse);
  return omitEmptyMembers({
    name: field.name,
    datatype: field.datatype,
    description: field.description,
    synonyms: field.synonyms,
    unit: field.unit,
    masked: field.masked || null,
    nullable: field.nullable === false ? false : null,
    values,
    has_values: hasValues || null,
    matching_values: values ? null : matchingValues.slice(0, MAX_MATCHING_VALUES),
  });
}

const describeMetric = ({ name, description, synonyms, unit, timeField }: LensMetric): DescribedMetric =>
  omitEmptyMembers({
    ...{ name, description, synonyms, unit },
    time_field: timeField ? `${timeField.dataset}.${timeField.field}` : null,
  });

/** A plan can request a plain measure of a field, such as total_amount or order_count, without this metric. */
function isPlainFieldMetric({ name, filter, references, expression, home }: LensMetric): boolean {
  const { fields, metrics, aggregates } = references;
  if (filter !== null || metrics.length > 0 || aggregates.length !== 1 || fields.length > 1) return false;
  const field = fields[0];
  if (!field) return /^count\(\*\)$/i.test(expression) && home !== null && name.endsWith('_count');
  return `_${toSnakeCase(name)}_`.includes(`_${toSnakeCase(field.field)}_`) && /^\w+\([^()]*\)$/.test(expression);
}

/** A summary that is too long loses first the values of fields, then field names, and last all metric names. */
function shortenToPage(datasets: DescribedDataset[]): DescribedDataset[] {
  const sizeOfDatasets = (bodies: readonly DescribedDataset[]) =>
    bodies.reduce((sum, body) => sum + measureItemLength({ body }), 0);
  if (sizeOfDatasets(datasets) <= MAX_LENGTH_WITH_VALUES) return datasets;
  const trimmedDatasets = datasets.map(({ values: _, ...dataset }) => dataset);
  let maxFields = Math.max(0, ...trimmedDatasets.map(({ field_names }) => field_names?.length ?? 0));
  let fittingDatasets: DescribedDataset[] = trimmedDatasets;
  while (maxFields > 0 && sizeOfDatasets(fittingDatasets) > PAGE_LENGTH.summary) {
    maxFields = Math.floor(maxFields * 0.8);
    fittingDatasets = trimmedDatasets.map((dataset) => limitFieldNames(dataset, maxFields));
  }
  return sizeOfDatasets(fittingDatasets) > PAGE_LENGTH.summary
    ? fittingDatasets.map(({ metric_names: _, ...dataset }) => dataset)
    : fittingDatasets;
}

function limitFieldNames(dataset: DescribedDataset, maxFields: number): DescribedDataset {
  const { field_names: names = [], ...rest } = dataset;
  if (names.length <= maxFields) return dataset;
  return omitEmptyMembers({ ...rest, field_names: names.slice(0, maxFields), more_fields: names.length - maxFields });
}

function listValuesIfFew(
  lens: Lens,
  caller: Caller,
  dataset: LensDataset,
  field: LensField,
  maxValues = MAX_VALUES_PER_FIELD,
): string[] | null {
  const { dictionary } = field;
  if (!dictionary?.complete || dictionary.values.length > maxValues) return null;
  const visibleValues = listVisibleValues(lens, caller, dataset, field);
  return visibleValues.length === dictionary.values.length ? visibleValues : null;
}

/** Returns no values if a row policy could hide one of them from this caller. */
const listVisibleValues = (
  lens: Lens,
  caller: Caller,
  dataset: LensDataset,
  { dictionary, masked }: LensField,
): string[] =>
  masked || !dictionary || findPolicies(lens, dataset.name, caller).length > 0
    ? []
    : dictionary.values.map(({ value }) => value);

const omitEmptyMembers = <T extends Record<string, unknown>>(body: T): { [Key in keyof T]: Exclude<T[Key], null> } =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as { [Key in keyof T]: Exclude<T[Key], null> };

const measureItemLength = ({ body }: { body: object }): number => JSON.stringify(body).length + 1;

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
