// "Tickets by ticket type name" has one row for each ticket type, because two people with the same name remain two
// rows. Only the rows show whether names repeat. The question may then mean one row for each name.

import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { splitWords } from '../../../reader/words/phrase-key.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import type { FetchedRows } from '../../outcome.ts';

export function findSharedNameWarning({ plan, columns, rows }: FetchedRows): string | null {
  if (plan.plan !== 'compiled' || plan.readingOrigin.by !== 'reader') return null;
  const { dimensions, per = [] } = plan.lensPlan;
  const { lens } = plan.grantedLens;
  const vocabulary = getVocabulary(lens);
  const names = dimensions.filter(
    ({ path, field }) =>
      per.includes(path) &&
      vocabulary.displayFieldsOf(findDatasetOfPath(lens, path)?.name ?? path).some(({ name }) => name === field),
  );
  const nameWords = new Set(names.flatMap(({ field }) => splitWords(vocabulary.key(field))));
  const isNamed = plan.readingOrigin.words.some(
    ({ text, as }) => as === 'field' && nameWords.has(vocabulary.key(text)),
  );
  if (!isNamed) return null;
  const cellsOf = (row: FetchedRows['rows'][number]): string =>
    columns
      .slice(0, dimensions.length)
      .map(({ name }) => row[name])
      .join(', ');
  const groups = new Set<string>();
  const shared = rows.map(cellsOf).find((cells) => groups.size === groups.add(cells).size);
  return shared === undefined
    ? null
    : `Several rows are called ${shared}. svc shows one row for each of the ${per.join(' and ').replaceAll('_', ' ')}, not for each name.`;
}
