// A lens as text for a language model: tables with their keys and joins, metrics with what they measure, terms in full.
// Compact, because it is paid for at each call; the same for every kind of call, so that providers can keep it.
import type { Lens, LensDataset, LensDefinition, LensField, LensMetric } from '../../../lens/lens.ts';

const SHOWN_VALUES = 12; // of a field
const LONGEST_VALUE = 40; // signs

/** Values of such form say nothing about a question and much about a person or a machine. */
const UNTELLING = [
  /^\+?[\d ()./-]{7,}$/,
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  /^Mozilla\//,
  /^[^@\s]+@[^@\s]+\.\w+$/,
  /^[0-9a-f]{24,}$/i,
];

/** `shown`: the datasets that a question can touch; of the others the name alone. */
export function lensText(lens: Lens, shown: readonly LensDataset[]): string {
  const among = new Set(shown.map(({ name }) => name));
  const others = lens.datasets.filter(({ name }) => !among.has(name));
  const joins = lens.relationships.filter(({ from, to }) => among.has(from.dataset) && among.has(to.dataset));
  const metrics = lens.metrics.filter(({ references: { fields } }) =>
    fields.every(({ dataset }) => among.has(dataset)),
  );
  return [
    said(`lens ${lens.name} (${lens.dialect}, timezone ${lens.timezone})`, lens.description),
    ...shown.map(tableText),
    ...joins.map(({ role, named, from, to }) => {
      const as = named ? ` as ${role}` : '';
      return `join ${from.dataset}(${from.columns.join(', ')}) -> one row of ${to.dataset}(${to.columns.join(', ')})${as}`;
    }),
    ...metrics.map(metricText),
    ...lens.definitions.map(termText),
    ...(others.length > 0
      ? [
          `left out here, because the question does not seem to touch them: ${others.map(({ name }) => name).join(', ')}`,
        ]
      : []),
  ].join('\n');
}

export function tableText(dataset: LensDataset): string {
  const { name, source, primaryKey, timeField, fields, description } = dataset;
  const table = [source.catalog, source.schema, source.table].filter((part) => part !== null).join('.');
  const about = [
    ...(table === name ? [] : [`= ${table}`]),
    ...(primaryKey.length > 0 ? [`key(${primaryKey.join(', ')})`] : []),
    ...(timeField ? [`time(${timeField})`] : []),
  ];
  const head = said(['table', name, ...about].join(' '), description, dataset.synonyms);
  return [head, ...fields.filter(({ masked }) => !masked).map(fieldText)].join('\n');
}

const fieldText = (field: LensField): string =>
  `  ${said([field.name, field.datatype, field.unit ?? ''].filter(Boolean).join(' '), field.description, field.synonyms)}${valuesText(field)}`;

function valuesText({ dictionary }: LensField): string {
  const values = dictionary?.values.map(({ value }) => value) ?? [];
  if (values.length === 0 || values.some((value) => UNTELLING.some((form) => form.test(value)))) return '';
  const some = values.slice(0, SHOWN_VALUES).map((value) => `'${cut(value)}'`);
  const more = values.length - some.length;
  const rest = more > 0 || !dictionary!.complete ? [`… ${dictionary!.complete ? `${more} more` : 'and more'}`] : [];
  return ` {${[...some, ...rest].join(', ')}}`;
}

const cut = (value: string): string => (value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value);

const metricText = ({ name, unit, expression, filter, home, description, synonyms }: LensMetric): string =>
  said(
    [
      `metric ${name}${unit ? ` ${unit}` : ''} = ${expression}`,
      ...(filter ? [`where ${filter}`] : []),
      ...(home ? [`over rows of ${home}`] : []),
    ].join(' '),
    description,
    synonyms,
  );

function termText({ term, synonyms, meaning, metric, filter, field, senses }: LensDefinition): string {
  const means = [metric && `metric ${metric}`, filter && `where ${filter}`, field && `field ${field}`].filter(Boolean);
  const head = said(`term "${term}"${means.length > 0 ? ` = ${means.join(', ')}` : ''}`, meaning, synonyms);
  if (senses.length === 0) return head;
  const meanings = senses.map((sense) => {
    const is = [sense.metric && `metric ${sense.metric}`, sense.filter && `where ${sense.filter}`, sense.field];
    return `  ${sense.key}: ${[sense.meaning, ...is].filter(Boolean).join('; ')}`;
  });
  return [`${head} (several meanings: ask which)`, ...meanings].join('\n');
}

function said(head: string, description: string | null, synonyms: readonly string[] = []): string {
  const also = synonyms.length > 0 ? ` (also: ${synonyms.join(', ')})` : '';
  return `${head}${also}${description ? ` -- ${description.replaceAll(/\s+/g, ' ').trim()}` : ''}`;
}
