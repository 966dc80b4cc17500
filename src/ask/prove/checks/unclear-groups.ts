// Warns about unclear groups of an answer that svc can detect only in its rows.
import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { NAME_NOUNS } from '../../../reader/english/words.ts';
import { splitWords } from '../../../reader/words/phrase-key.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import type { FetchedRows } from '../../outcome.ts';

/**
 * "Tickets by ticket type name" has one row for each ticket type, because two people with the same name remain two
 * rows. If names repeat, the question may mean one row for each name.
 */
export function findSharedNameWarning({
  plan,
  columns,
  rows,
}: Pick<FetchedRows, 'plan' | 'columns' | 'rows'>): string | null {
  if (plan.plan !== 'compiled' || plan.readingOrigin.by !== 'reader') return null;
  const { dimensions, per = [] } = plan.lensPlan;
  const { lens } = plan.grantedLens;
  const { key, displayFieldsOf } = getVocabulary(lens);
  const nameWords = dimensions
    .filter(({ path }) => per.includes(path))
    .flatMap(({ path, field }) =>
      displayFieldsOf(findDatasetOfPath(lens, path)?.name ?? path).filter(({ name }) => name === field),
    )
    .flatMap(({ name, synonyms }) => [name, ...synonyms].flatMap((item) => splitWords(key(item))));
  const isNamed = plan.readingOrigin.words.some(
    ({ text, as }) => (as === 'field' || NAME_NOUNS.has(key(text))) && nameWords.includes(key(text)),
  );
  if (!isNamed) return null;
  const groups = new Set<string>();
  for (const row of rows) {
    const group = columns
      .slice(0, dimensions.length)
      .map(({ name }) => row[name])
      .join(', ');
    if (groups.has(group))
      return `Several rows are called ${group}. svc shows one row for each of the ${per.join(' and ').replaceAll('_', ' ')}, not for each name.`;
    groups.add(group);
  }
  return null;
}

/**
 * In "check-ins by venue city", the venue can be joined through the sessions of the check-ins or through their
 * tickets. If no row has a value along the joins of the plan, the question probably means other joins.
 */
export function findEmptyGroupWarning({
  plan,
  columns,
  rows,
}: Pick<FetchedRows, 'plan' | 'columns' | 'rows'>): string | null {
  if (plan.plan !== 'compiled' || plan.readingOrigin.by === 'caller' || rows.length === 0) return null;
  const { dimensions, measures } = plan.lensPlan;
  if (measures.length === 0) return null;
  const empty = columns.slice(0, dimensions.length).find(({ name }) => rows.every((row) => row[name] === null));
  if (!empty) return null;
  const name = empty.name.replaceAll(/[._]/g, ' ');
  return `No row of the answer has a ${name}. If you mean the ${name} of other rows, name those rows in the question.`;
}
