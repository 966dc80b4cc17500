// What the lens calls a field, a dataset, a metric or a value, in words that name nothing else.

import type { FieldRef } from '../../lens/model/intent.ts';
import type { LensDataset } from '../../lens/model/lens.ts';
import { plural, singular } from '../../lens/model/singular.ts';
import { wordDataOf } from '../lattice/word-data.ts';
import { type Term, type Vocabulary, words } from '../words/vocabulary.ts';

/** There is no sentence for this part of a plan. */
export class Unsaid extends Error {}
export const unsaid = (): never => {
  throw new Unsaid();
};

const plain = (name: string): string => words(name).join(' ');

/** The first of these that names what is meant and nothing else. */
const naming = (vocabulary: Vocabulary, all: readonly string[], means: (term: Term) => boolean): string =>
  all.find((said) => {
    const terms = vocabulary.phrases.get(vocabulary.key(said)) ?? [];
    return terms.length > 0 && terms.every(means);
  }) ?? unsaid();
/** A word of the language itself. */
const isWord = ({ language }: Vocabulary, said: string): boolean => {
  const { phraseWords, counting } = wordDataOf(language);
  return phraseWords.has(said) || counting.has(said);
};

const titles = ({ name, synonyms }: Pick<LensDataset, 'name' | 'synonyms'>): string[] => [name, ...synonyms].map(plain);

export const fieldCalled = (vocabulary: Vocabulary, { path, field: name }: FieldRef): string => {
  const dataset = vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? unsaid());
  const field = dataset.fields.find((one) => one.name === name) ?? unsaid();
  const role = path === dataset.name ? undefined : path;
  const owners = role ? [plain(role)] : titles(dataset).map(singular);
  const own = titles(field);
  return naming(
    vocabulary,
    [
      ...(role ? [] : own.filter((said) => !isWord(vocabulary, said))),
      ...owners.flatMap((owner) => own.map((said) => `${owner} ${said}`)),
    ],
    (term) => term.kind === 'field' && term.field === field && term.dataset === dataset.name && term.role === role,
  );
};

const thing = (vocabulary: Vocabulary, path: string, form: (said: string) => string): string => {
  const dataset = vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? unsaid());
  const role = path === dataset.name ? undefined : path;
  const all = role ? [plain(role)] : titles(dataset);
  return naming(
    vocabulary,
    all.map(form),
    (term) => term.kind !== 'dataset' || (term.dataset === dataset.name && term.role === role),
  );
};
export const thingCalled = (vocabulary: Vocabulary, path: string): string => thing(vocabulary, path, singular);
export const thingsCalled = (vocabulary: Vocabulary, path: string): string => thing(vocabulary, path, plural);

export const metricCalled = (vocabulary: Vocabulary, name: string): string => {
  const metric = vocabulary.lens.metrics.find((one) => one.name === name) ?? unsaid();
  // A field that it adds up is often called so too; where that is no amount of what is asked, the metric is meant.
  const means = (term: Term): boolean =>
    term.kind === 'metric'
      ? term.metric === metric
      : term.kind === 'definition' || (term.kind === 'field' && term.identity === undefined);
  const all = titles(metric);
  const own = all.find((said) => vocabulary.phrases.get(vocabulary.key(said))?.every(means));
  if (own || !/^count\s*\(\s*distinct/i.test(metric.expression)) return own ?? unsaid();
  // "Customers" are listed, and their number is the metric.
  return `number of ${plural(naming(vocabulary, all, (one) => means(one) || one.kind === 'field' || one.kind === 'dataset'))}`;
};

/** A stored value as it is written, or in quotes where its words are words of questions. */
export const valueCalled = (value: string): string =>
  /^\p{L}[\p{L}\p{N}]*(?:[ -]\p{L}[\p{L}\p{N}]*)*$/u.test(value) ? value : `"${value}"`;
