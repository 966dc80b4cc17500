// "The names of the poker players": a thing that has no name of its own and leads to one person is that person, and is
// called and described as persons are.

import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';

const PERSON = /^(?:person|human|individual|human being)$/;

/** The dataset of persons that rows of a dataset are; null where there is none, or where several lead there. */
export const personOf = (c: Cursor, dataset: string): string | null => {
  const { graph, lens } = c.vocabulary;
  if (c.vocabulary.display(dataset).length > 0) return null;
  const persons = lens.datasets.filter(({ name, synonyms }) =>
    [name, ...synonyms].some((title) => PERSON.test(phraseKey(title))),
  );
  const [only] = persons;
  if (persons.length !== 1 || !only || only.name === dataset) return null;
  const paths = graph.paths(dataset, only.name);
  return paths.length === 1 && paths[0]!.hops === 1 ? only.name : null;
};
