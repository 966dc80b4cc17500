// Finds approved metrics whose name is an aggregate of a field or a count of rows. Such a name means the metric instead
// of the field, regardless of what the metric computes.
import type { LensMetric } from '../../lens/model/lens.ts';
import { COUNT_WORDS, WORD_CLASSES } from '../english/words.ts';
import { countsDistinct, findDistinctField } from './distinct-count.ts';
import type { Vocabulary } from './vocabulary.ts';

interface PlainAggregate {
  fn: string;
  path: string;
  field?: string;
}

/** Words that can precede or follow the name of an aggregated field. */
const listAggregateWords = ({ fn, field }: PlainAggregate): string[] =>
  field === undefined
    ? [...COUNT_WORDS]
    : WORD_CLASSES.filter(({ cat, value }) => cat === 'agg' && value === fn).flatMap(({ said }) =>
        said.split('|').map((item) => item.replace(/ of the$/, '')),
      );

export const findMetricsNamedAsAggregate = (vocabulary: Vocabulary, aggregate: PlainAggregate): LensMetric[] =>
  vocabulary.lens.metrics.filter((metric) => {
    const { aggregates, metrics } = metric.references;
    // The name "total payments" means a sum. A metric that counts each order once isn't a count of rows, even if the
    // rows are called orders.
    const isCount = aggregates.every((item) => /^count$/i.test(item)) && aggregates.length + metrics.length > 0;
    if (aggregate.field === undefined && (!isCount || countsDistinct(metric))) return false;
    return (
      usesDataset(vocabulary, metric, aggregate.path) &&
      [metric.name, ...metric.synonyms]
        .map(vocabulary.key)
        .some((name) => isNameOfAggregate(vocabulary, name, aggregate, metric))
    );
  });

/** Returns the metric that computes exactly this aggregate, if there is only one such metric. */
export const findMetricByExpression = (
  { lens }: Vocabulary,
  path: string,
  forms: readonly string[],
): LensMetric | null => {
  const normalize = (text: string): string => text.toLowerCase().replace(/\s+/g, '');
  const metrics = lens.metrics.filter(
    ({ home, filter, expression }) =>
      home === path && filter === null && forms.some((form) => normalize(form) === normalize(expression)),
  );
  return metrics.length === 1 ? metrics[0]! : null;
};

const usesDataset = ({ lens }: Vocabulary, { home, references }: LensMetric, path: string, depth = 0): boolean =>
  home === path ||
  references.fields.some(({ dataset }) => dataset === path) ||
  (depth < 8 &&
    references.metrics.some((name) => {
      const innerMetric = lens.metrics.find((metric) => metric.name === name);
      return innerMetric !== undefined && usesDataset({ lens } as Vocabulary, innerMetric, path, depth + 1);
    }));

/**
 * Returns true if the name states the aggregate, such as "average delay", "delay avg" or "flight count". A sum of
 * delays can also be called "delay".
 */
const isNameOfAggregate = (
  { phrases, key }: Vocabulary,
  name: string,
  { fn, path, field }: PlainAggregate,
  { references: { aggregates } }: LensMetric,
): boolean => {
  const isSumOnly = aggregates.length > 0 && aggregates.every((aggregate) => aggregate.toLowerCase() === fn);
  return [
    ...listAggregateWords({ fn, path, field }).flatMap((aggregateWord) =>
      removePhraseFromName(name, key(aggregateWord)),
    ),
    ...(isSumOnly ? [name] : []),
  ].some((rest) =>
    phrases
      .get(rest)
      ?.some((term) =>
        field === undefined
          ? term.kind === 'dataset' && term.dataset === path
          : term.kind === 'field' && term.dataset === path && term.field.name === field && term.loose < 2,
      ),
  );
};
/** Returns the rest of `name` if `name` starts or ends with `phrase`. */
const removePhraseFromName = (name: string, phrase: string): string[] => [
  ...(name.startsWith(`${phrase} `) ? [name.slice(phrase.length + 1).replace(/^of /, '')] : []),
  ...(name.endsWith(` ${phrase}`) ? [name.slice(0, -phrase.length - 1)] : []),
];

/** Returns the metric that counts each entity with this name once, if the entities have several rows in the dataset. */
export const findDistinctCountMetric = (
  vocabulary: Vocabulary,
  dataset: string,
  phrase = dataset,
): LensMetric | null => {
  const [key, second] = vocabulary.dataset(dataset).primaryKey;
  for (const item of vocabulary.phrases.get(vocabulary.key(phrase)) ?? []) {
    const distinctField =
      item.kind === 'metric' && item.metric.home === dataset ? findDistinctField(item.metric) : null;
    if (item.kind === 'metric' && distinctField && (second !== undefined || distinctField.field !== key))
      return item.metric;
  }
  return null;
};
