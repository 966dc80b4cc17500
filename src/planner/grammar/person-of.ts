// "The names of the poker players": a thing that has no name of its own and leads to one person is that person, and is
// called and described as persons are. So is a professor, whose key is that of an employee.

import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';

const PERSON = /^(?:person|human|individual|human being)$/;
/** What a thing has of its own or not at all: an id, part of a name, or a day of birth. */
const PART_OF_NAME =
  /^(?:id|name|(?:first|last|full|given|family|middle) name|forename|surname|date of birth|birth ?date|birthday)$/;

/** The dataset whose rows a dataset describes further: its key is one of theirs. */
const describes = (c: Cursor, dataset: string): string | null => {
  const key = (name: string): string => c.vocabulary.dataset(name).primaryKey.join();
  const same = c.vocabulary.lens.relationships.filter(
    ({ from, to }) =>
      from.dataset === dataset &&
      to.dataset !== dataset &&
      from.columns.join() === key(dataset) &&
      to.columns.join() === key(to.dataset),
  );
  return same.length === 1 ? same[0]!.to.dataset : null;
};

/** The dataset of persons that rows of a dataset are; null where there is none, or where several lead there. */
export const personOf = (c: Cursor, dataset: string): string | null => {
  const { graph, lens } = c.vocabulary;
  if (c.vocabulary.display(dataset).length > 0) return null;
  const further = describes(c, dataset);
  if (further) return further;
  const persons = lens.datasets.filter(({ name, synonyms }) =>
    [name, ...synonyms].some((title) => PERSON.test(phraseKey(title))),
  );
  const [only] = persons;
  if (persons.length !== 1 || !only || only.name === dataset) return null;
  const paths = graph.paths(dataset, only.name);
  return paths.length === 1 && paths[0]!.hops === 1 ? only.name : null;
};

/** "The students' first names", where only employees have any: nobody else's. What says whose it is, is no such name. */
export const namesAnother = (c: Cursor, text: string, datasets: readonly string[], dataset: string): boolean => {
  if (!PART_OF_NAME.test(phraseKey(text))) return false;
  const own = personOf(c, dataset);
  return datasets.every((name) => name !== dataset && name !== own);
};
