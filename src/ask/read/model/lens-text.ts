// Describes a lens for a language model: tables with keys and joins, metrics with their expressions, and definitions in
// full. The length of this text determines the cost of each model call, so the text leaves out generated descriptions,
// synonyms close to the name, and lists of codes. All kinds of calls use the same text, so that providers can cache it.
import type { Lens, LensDataset, LensDefinition, LensField, LensMetric } from '../../../lens/model/lens.ts';
import { findStem } from '../../../reader/english/inflection.ts';
import { splitWords } from '../../../reader/words/phrase-key.ts';

const MAX_LISTED_VALUES = 10; // the number of values that the text shows for a field
const MAX_SAMPLE_VALUES = 3; // the number of values that the text shows of a longer list
const MAX_CODE_VALUES = 6; // Lists up to this length appear even if their values are codes.
const MAX_VALUE_LENGTH = 40; // characters

/** Values of these forms, such as phone numbers, don't help with a question and can identify a person or a device. */
const UNINFORMATIVE_PATTERNS = [
  /^\+?[\d ()./-]{7,}$/,
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  /^Mozilla\//,
  /^[^@\s]+@[^@\s]+\.\w+$/,
  /^[0-9a-f]{24,}$/i,
];

/** `relevantDatasets` are the datasets that a question can need. For other datasets, the text lists only the name. */
export function writeLensForModel(lens: Lens, relevantDatasets: readonly LensDataset[]): string {
  const relevantNames = new Set(relevantDatasets.map(({ name }) => name));
  const otherDatasets = lens.datasets.filter(({ name }) => !relevantNames.has(name));
  const joins = lens.relationships.filter(
    ({ from, to }) => relevantNames.has(from.dataset) && relevantNames.has(to.dataset),
  );
  const metrics = lens.metrics.filter(({ references: { fields } }) =>
    fields.every(({ dataset }) => relevantNames.has(dataset)),
  );
  const schema = findCommonSchema(lens);
  const texts = new Map(metrics.map((metric) => [metric.name, writeMetric(metric)]));
  return [
    withDescription(`lens ${lens.name} (${lens.dialect}, timezone ${lens.timezone})`, lens.description),
    `${schema === null ? '' : `tables are in schema ${schema}; `}a field without a type is a string`,
    ...relevantDatasets.map((dataset) => writeDataset(dataset, schema)),
    ...joins.map(({ role, named, from, to }) => {
      const roleText = named ? ` as ${role}` : '';
      return `join ${from.dataset}(${from.columns.join(', ')}) -> ${to.dataset}(${to.columns.join(', ')})${roleText}`;
    }),
    ...(texts.size > 0 ? ['metrics:', ...texts.values()] : []),
    ...lens.definitions.flatMap((definition) => writeTerm(definition, texts.get(definition.metric ?? '') ?? '')),
    ...(otherDatasets.length > 0
      ? [
          `left out here, because the question does not seem to touch them: ${otherDatasets.map(({ name }) => name).join(', ')}`,
        ]
      : []),
  ].join('\n');
}

/** The schema that all tables share, or null if there are several schemas. */
function findCommonSchema({ datasets }: Lens): string | null {
  const schemas = new Set(datasets.map(({ source }) => writeSchemaName(source)));
  return schemas.size === 1 ? [...schemas][0]! : null;
}
const writeSchemaName = ({ catalog, schema }: LensDataset['source']): string =>
  [catalog, schema].filter((part) => part !== null).join('.');

export function writeDataset(dataset: LensDataset, schema: string | null): string {
  const { name, source, primaryKey, timeField, fields, description } = dataset;
  const table = [writeSchemaName(source) === schema ? '' : writeSchemaName(source), source.table]
    .filter(Boolean)
    .join('.');
  const attributes = [
    ...(table === name ? [] : [`= ${table}`]),
    ...(primaryKey.length > 0 ? [`key(${primaryKey.join(', ')})`] : []),
    ...(timeField ? [`time(${timeField})`] : []),
  ];
  const firstLine = withDescription(['table', name, ...attributes].join(' '), description, dataset.synonyms);
  return [firstLine, ...fields.filter(({ masked }) => !masked).map(writeField)].join('\n');
}

const writeField = (field: LensField): string =>
  `  ${withDescription([field.name, field.datatype === 'string' ? '' : field.datatype, field.unit ?? ''].filter(Boolean).join(' '), field.description, field.synonyms)}${writeValues(field)}`;

function writeValues({ dictionary }: LensField): string {
  const values = dictionary?.values.map(({ value }) => value) ?? [];
  const areMostlyCodes = values.filter((value) => /\d/.test(value)).length * 2 > values.length;
  if (values.length === 0 || (areMostlyCodes && values.length > MAX_CODE_VALUES) || values.some(isUninformative))
    return '';
  const isComplete = values.length <= MAX_LISTED_VALUES && dictionary!.complete;
  const shownValues = values
    .slice(0, isComplete ? MAX_LISTED_VALUES : MAX_SAMPLE_VALUES)
    .map((value) => `'${shortenValue(value)}'`);
  return ` {${shownValues.join(', ')}${isComplete ? '' : ', …'}}`;
}

export const isUninformative = (value: string): boolean => UNINFORMATIVE_PATTERNS.some((form) => form.test(value));
const shortenValue = (value: string): string =>
  value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;

const writeMetric = ({ name, unit, expression, filter, home, description, synonyms }: LensMetric): string =>
  withDescription(
    [
      `  ${name}${unit ? ` ${unit}` : ''} = ${expression}`,
      ...(filter ? [`where ${filter}`] : []),
      ...(home && /^\s*count\s*\(\s*\*\s*\)\s*$/i.test(expression) ? [`over ${home}`] : []),
    ].join(' '),
    description,
    synonyms,
  );

/** Returns an empty list for a term that only repeats a metric. */
function writeTerm(
  { term, synonyms, meaning, metric, filter, field, senses }: LensDefinition,
  ofMetric: string,
): string[] {
  const targets = [metric && `metric ${metric}`, filter && `where ${filter}`, field && `field ${field}`].filter(
    Boolean,
  );
  if (term === metric && !filter && senses.length === 0 && !hasNewWord(meaning ?? '', ofMetric)) return [];
  const firstLine = withDescription(
    `term "${term}"${targets.length > 0 ? ` = ${targets.join(', ')}` : ''}`,
    meaning,
    synonyms,
    ofMetric,
  );
  if (senses.length === 0) return [firstLine];
  const meanings = senses.map((sense) => {
    const senseParts = [sense.metric && `metric ${sense.metric}`, sense.filter && `where ${sense.filter}`, sense.field];
    return `  ${sense.key}: ${[sense.meaning, ...senseParts].filter(Boolean).join('; ')}`;
  });
  return [`${firstLine} (several meanings: ask which)`, ...meanings];
}

/**
 * Adds the description if it has information that isn't in the line, otherwise the first synonym with such information.
 * The prompt lists the synonyms in the question separately (named-words.ts).
 */
function withDescription(
  firstLine: string,
  description: string | null,
  synonyms: readonly string[] = [],
  knownText = '',
): string {
  if (description && hasNewWord(description, `${firstLine} ${knownText}`))
    return `${firstLine} -- ${description.replaceAll(/\s+/g, ' ').trim()}`;
  const extraSynonym = synonyms.find((synonym) => hasNewWord(synonym, firstLine));
  return extraSynonym === undefined ? firstLine : `${firstLine} (${extraSynonym})`;
}

/** Common words, which add no information to a description. */
const COMMON_WORDS = new Set(
  'a all an and are average avg by count counted each every for in is it its mean number of on one over per row sum that the this to total was which with'.split(
    ' ',
  ),
);

const COMPARED_WORD_LENGTH = 5; // the number of characters to compare, so that "creation" adds nothing to created_at

/** Whether the text has a word that isn't in the line. */
function hasNewWord(text: string, line: string): boolean {
  const lineText = splitWords(line).join('');
  return splitWords(text).some(
    (word) => !COMMON_WORDS.has(word) && !lineText.includes(findStem(word).slice(0, COMPARED_WORD_LENGTH)),
  );
}
