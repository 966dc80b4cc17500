// A lens for an agent: what it must know to ask, a page at a time, without the keys that say nothing.
import { DateTime } from 'luxon';
import type { DescribedLens } from '../../contract/mcp-tools.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { Asker, Lens, LensDataset, LensField } from '../../lens/lens.ts';
import { nearestNames } from '../../lens/project-problem.ts';
import { policiesFor } from '../../lens/row-policies.ts';
import { Problem } from '../../platform/problem.ts';
import { decodeCursor, encodeCursor, unusableCursor } from '../page.ts';
import { countFacts, summariseLens } from '../v1/describe-lens.ts';

interface Wanted {
  search?: string | undefined;
  dataset?: string | undefined;
  cursor?: string | undefined;
}

/** Of one page, in characters; a dataset that is longer by itself is a page. */
const PAGE = 8_000;
const FEW_VALUES = 8;
const SHOWN_NAMES = 200;

/** Periods that a question may name. */
const RELATIVE_TIMES = [
  'today',
  'yesterday',
  'this week',
  'last month',
  'last 7 days',
  'last 6 months',
  'previous quarter',
  'this year',
  'year to date',
] as const;

type Part = DescribedLens['schema'] & Pick<DescribedLens, 'definitions'>;
type Item = { [Kind in keyof Part]: { kind: Kind; body: Part[Kind][number] } }[keyof Part];

export function describedLens(
  served: ServedLens,
  asker: Asker,
  wanted: Wanted,
  dataAsOf: string | null,
  now: Date,
): DescribedLens {
  const { lens } = served;
  if (wanted.dataset !== undefined && !lens.datasets.some(({ name }) => name === wanted.dataset)) {
    const near = nearestNames(
      wanted.dataset,
      lens.datasets.map(({ name }) => name),
    );
    const message = `There is no dataset “${wanted.dataset}” in the lens ${lens.name}.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`;
    throw new Problem('not_found', message, { param: 'dataset' });
  }
  const all = itemsOf(lens, asker, wanted, 'every');
  const items = all.length > 0 ? all : itemsOf(lens, asker, wanted, 'some');
  const place = decodeCursor(wanted.cursor) ?? '0';
  if (!/^\d{1,9}$/.test(place)) throw unusableCursor();
  const from = Number(place);
  const part: Part = { metrics: [], definitions: [], datasets: [], relationships: [] };
  let length = 0;
  let to = from;
  for (; to < items.length; to++) {
    const { kind, body } = items[to]!;
    length += JSON.stringify(body).length;
    if (length > PAGE && to > from) break;
    (part[kind] as unknown[]).push(body);
  }
  const next = to < items.length ? encodeCursor(String(to)) : null;
  const first = from === 0 && wanted.search === undefined && wanted.dataset === undefined;
  const { name, title, description, version, certified_count, sample_questions } = summariseLens(served);
  const names = lens.datasets.map((one) => one.name);
  const { definitions, ...schema } = part;
  return {
    name,
    title,
    version,
    ...(first ? { description, certified_count, sample_questions, facts: countFacts(lens) } : {}),
    ...(first && next !== null ? { dataset_names: names.slice(0, SHOWN_NAMES), dataset_count: names.length } : {}),
    today: DateTime.fromJSDate(now, { zone: lens.timezone }).toISODate()!,
    timezone: lens.timezone,
    ...(first ? { relative_times: [...RELATIVE_TIMES] } : {}),
    schema,
    definitions,
    data_as_of: dataAsOf,
    next_cursor: next,
  };
}

/** Metrics and terms first: they are what a question is asked in. `how`: with every word that is sought, or with some. */
function itemsOf(lens: Lens, asker: Asker, { search, dataset }: Wanted, how: 'every' | 'some'): Item[] {
  const sought = search === undefined ? null : wordsOf(search);
  const hit = (...texts: (string | null | undefined)[]): boolean => {
    if (sought === null) return true;
    const said = texts.flatMap((text) => wordsOf(text ?? ''));
    return sought[how]((word) => said.some((one) => one.includes(word) || (one.length > 3 && word.includes(one))));
  };
  const of = (home: string | null): boolean => dataset === undefined || home === dataset;
  const metrics = lens.metrics.filter(
    ({ name, description, synonyms, home }) => of(home) && hit(name, description, ...synonyms),
  );
  const terms = dataset === undefined ? lens.definitions : [];
  const definitions = terms.filter(({ term, meaning, synonyms, senses }) =>
    hit(term, meaning, ...synonyms, ...senses.flatMap(({ label, meaning }) => [label, meaning])),
  );
  const found = lens.datasets.flatMap((one) => {
    if (!of(one.name)) return [];
    const whole = hit(one.name, ...one.synonyms, one.description);
    const fields = whole
      ? one.fields
      : one.fields.filter((field) =>
          hit(field.name, field.description, ...field.synonyms, ...(fewValues(lens, asker, one, field) ?? [])),
        );
    return fields.length > 0 ? [{ dataset: one, fields }] : [];
  });
  const shown = new Set(found.map((one) => one.dataset.name));
  const relationships = lens.relationships.filter(({ from, to }) =>
    dataset === undefined && search === undefined ? true : shown.has(from.dataset) || shown.has(to.dataset),
  );
  return [
    ...metrics.map(
      (metric): Item => ({
        kind: 'metrics',
        body: full({
          name: metric.name,
          description: metric.description,
          synonyms: metric.synonyms,
          unit: metric.unit,
          dataset: metric.home,
          time_field: metric.timeField ? `${metric.timeField.dataset}.${metric.timeField.field}` : null,
        }),
      }),
    ),
    ...definitions.map(
      ({ term, meaning, synonyms, senses, metric }): Item => ({
        kind: 'definitions',
        body: full({
          term,
          meaning,
          synonyms,
          metric,
          senses: senses.map((sense) => full({ ...sense, filter: null, field: null })),
        }),
      }),
    ),
    ...found.map(({ dataset: one, fields }): Item => ({ kind: 'datasets', body: datasetOf(lens, asker, one, fields) })),
    ...relationships.map(
      ({ role, from, to }): Item => ({
        kind: 'relationships',
        body: { name: role, from, to },
      }),
    ),
  ];
}

const datasetOf = (
  lens: Lens,
  asker: Asker,
  dataset: LensDataset,
  fields: readonly LensField[],
): Part['datasets'][number] =>
  full({
    name: dataset.name,
    description: dataset.description,
    synonyms: dataset.synonyms,
    key: dataset.primaryKey,
    time_field: dataset.timeField,
    fields: fields.map((field) => {
      const values = fewValues(lens, asker, dataset, field);
      return full({
        name: field.name,
        datatype: field.datatype,
        description: field.description,
        synonyms: field.synonyms,
        unit: field.unit,
        masked: field.masked || null,
        nullable: field.nullable === false ? false : null,
        values,
        has_values:
          !values && !field.masked && (field.dictionary !== null || field.dictionaryFromWarehouse) ? true : null,
      });
    }),
  });

/** All of them, where they are few; none where a policy may hide the rows of one from this asker. */
function fewValues(lens: Lens, asker: Asker, dataset: LensDataset, field: LensField): string[] | null {
  const { dictionary, masked } = field;
  if (masked || !dictionary?.complete || dictionary.values.length > FEW_VALUES) return null;
  if (policiesFor(lens, dataset.name, asker).length > 0) return null;
  return dictionary.values.map(({ value }) => value);
}

/** Without what is null or an empty list. */
const full = <T extends Record<string, unknown>>(body: T): { [Key in keyof T]: Exclude<T[Key], null> } =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as { [Key in keyof T]: Exclude<T[Key], null> };

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
