import { sanitizeText } from '../../ask/present/sanitize-text.ts';
import type { DescribedLens } from '../../contract/mcp-tools.ts';
import { withoutMidnight } from './answer-text.ts';
import { removeHiddenCharacters } from './remove-hidden-characters.ts';

type DescribedDataset = DescribedLens['schema']['datasets'][number];
type DescribedField = NonNullable<DescribedDataset['fields']>[number];
type DescribedMetric = NonNullable<DescribedDataset['metrics']>[number];
type DescribedDefinition = NonNullable<DescribedLens['definitions']>[number];

export function writeLensText(described: DescribedLens): string {
  const { schema, definitions = [], unmatched_words: unmatchedWords = [], detail, next_cursor } = described;
  const isEmpty = schema.datasets.length + (schema.metrics?.length ?? 0) + definitions.length === 0;
  const lines = [
    ...writeHeaderLines(described),
    ...schema.datasets.flatMap(detail === 'full' ? writeFullLines : writeSummaryLines),
    ...(schema.metrics?.length ? ['Metrics across datasets:', ...schema.metrics.map(writeMetricLine)] : []),
    ...(definitions.length === 0
      ? []
      : detail === 'full'
        ? ['Terms:', ...definitions.map(writeTermLine)]
        : [`Terms (lookup_definition): ${definitions.map(({ term }) => toSafeLine(term)).join(', ')}`]),
    isEmpty
      ? 'No name, description or value of this lens matches. Call describe_lens without search to see the whole lens.'
      : unmatchedWords.length > 0
        ? `No name, description or value contains: ${unmatchedWords.map(toSafeLine).join(', ')}`
        : null,
    next_cursor === null ? null : `For more, call again with cursor ${next_cursor}`,
  ];
  return removeHiddenCharacters(lines.filter((line) => line !== null).join('\n'));
}

function writeHeaderLines({
  name,
  title,
  version,
  description,
  facts,
  detail,
  ...rest
}: DescribedLens): (string | null)[] {
  const { dataset_count, today, timezone, data_as_of } = rest;
  const asOf = data_as_of ? `, data as of ${withoutMidnight(data_as_of)}` : '';
  return [
    `${name} (${toSafeLine(title)}, version ${version}): ${dataset_count} dataset${dataset_count === 1 ? '' : 's'}. Today ${today} (${timezone})${asOf}.`,
    description ? toSafeLine(description) : null,
    facts && facts.inferred > 0
      ? `Inferred facts: ${facts.inferred}. Answers that depend on one are at most partial.`
      : null,
    HINTS_BY_DETAIL[detail],
  ];
}

const HINTS_BY_DETAIL: Record<DescribedLens['detail'], string | null> = {
  names: 'This list has only names. For more, call describe_lens with search, dataset or detail: summary.',
  summary:
    'Each line: dataset (key; date; joins): its other fields; metrics. Write a field across a join as dataset.field, or role.field if the join has a role. Totals, averages and counts need no metric: use measures such as {"fn": "sum", "field": …}.',
  full: null,
};

function writeSummaryLines({
  name,
  field_names,
  values,
  masked,
  metric_names,
  more_fields,
  ...dataset
}: DescribedDataset): string[] {
  const fields = (field_names ?? []).map(
    (field) => quoteInList(field) + writeValues(values?.[field]) + (masked?.includes(field) ? ' (masked)' : ''),
  );
  const moreText = more_fields ? [`… ${more_fields} more`] : [];
  const metrics = metric_names ? `; metrics ${metric_names.map(quoteInList).join(', ')}` : '';
  const fieldsText = [...fields, ...moreText].join(', ');
  return [`${quoteInList(name)}${writeKeyAndJoins(dataset)}${fieldsText === '' ? '' : `: ${fieldsText}`}${metrics}`];
}

const writeFullLines = ({
  name,
  description,
  synonyms,
  fields = [],
  metrics = [],
  ...dataset
}: DescribedDataset): string[] => [
  `${quoteInList(name)}${writeKeyAndJoins(dataset)}${writeDescription({ description, synonyms })}`,
  ...fields.map((field) => `  ${writeFieldLine(field)}`),
  ...(metrics.length > 0 ? ['  Metrics:', ...metrics.map((metric) => `  ${writeMetricLine(metric)}`)] : []),
];

function writeKeyAndJoins({ key, time_field, joins, joined_by }: Omit<DescribedDataset, 'name'>): string {
  const parts = [
    key ? `key ${key.map(quoteInList).join(', ')}` : null,
    time_field ? `date ${quoteInList(time_field)}` : null,
    joins ? joins.map(toSafeLine).join('; ') : null,
    joined_by ? `joined by ${joined_by.map(toSafeLine).join('; ')}` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
}

const writeFieldLine = ({ name, datatype, unit, masked, nullable, values, ...rest }: DescribedField): string =>
  [
    `${quoteInList(name)} ${datatype}`,
    unit ? ` [${toSafeLine(unit)}]` : '',
    masked ? ' masked' : '',
    nullable === false ? ' not null' : '',
    writeValues(values),
    writeValues(rest.matching_values && [...rest.matching_values, '…']) || (rest.has_values ? ' {…}' : ''),
    writeDescription(rest),
  ].join('');

const writeValues = (values: string[] | undefined): string =>
  values ? ` {${values.map((value) => quoteInList(toSafeLine(value))).join(', ')}}` : '';

const writeMetricLine = ({ name, unit, time_field, ...words }: DescribedMetric): string =>
  `${quoteInList(name)}${unit ? ` [${toSafeLine(unit)}]` : ''}${time_field ? ` by ${quoteInList(time_field)}` : ''}${writeDescription(words)}`;

function writeTermLine({ term, meaning, metric, synonyms, senses = [] }: DescribedDefinition): string {
  const senseTexts = senses.map(
    ({ key, label, meaning: senseMeaning }) => ` ${key}: ${toSafeLine(label)}. ${toSafeLine(senseMeaning)}`,
  );
  return `${toSafeLine(term)}${metric ? ` (metric ${metric})` : ''}${writeDescription({ description: meaning, synonyms })}${senseTexts.join('')}`;
}

function writeDescription({
  description,
  synonyms,
}: {
  description?: string | undefined;
  synonyms?: string[] | undefined;
}) {
  const synonymsText = synonyms?.length ? `. Also: ${synonyms.map(toSafeLine).join(', ')}` : '';
  return `${description ? `. ${toSafeLine(description).replace(/\.$/, '')}` : ''}${synonymsText}`;
}

const toSafeLine = (text: string): string => sanitizeText(text).replace(/\s+/g, ' ').trim();
/** Quotes a name that an agent could mistake for two names or for other text. */
const quoteInList = (name: string): string =>
  /^[^,;:(){}"\s]+(?: [^,;:(){}"\s]+)*$/.test(name) ? name : JSON.stringify(name);
