// "All cities where students live" has one row per student, so a city can repeat. The question doesn't state whether
// each city should appear once, and only the rows show whether any city repeats. A column of names gets no warning,
// because different people or products can have the same name.
import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import type { FetchedRows } from '../../outcome.ts';

export function findRepeatedRowsWarning({
  plan,
  columns,
  rows,
}: Pick<FetchedRows, 'plan' | 'columns' | 'rows'>): string | null {
  if (plan.plan !== 'compiled' || plan.readingOrigin.by === 'caller') return null;
  const { measures, dimensions, distinct, grouped, limit } = plan.lensPlan;
  if (measures.length > 0 || distinct || grouped || limit !== null) return null;
  const { lens } = plan.grantedLens;
  const namesSomething = dimensions.some(({ path, field }) => {
    const dataset = findDatasetOfPath(lens, path)?.name;
    return (
      dataset !== undefined &&
      getVocabulary(lens)
        .displayFieldsOf(dataset)
        .some(({ name }) => name === field)
    );
  });
  // Equal amounts and dates occur by chance, but people usually want each city, category or status listed once.
  if (namesSomething || !columns.some(({ datatype }) => datatype === 'string')) return null;
  if (new Set(rows.map((row) => JSON.stringify(row))).size === rows.length) return null;
  const columnNames = columns.map(({ name }) => name.replaceAll(/[._]/g, ' ')).join(', ');
  return `The same ${columnNames} occurs several times, once for each row that matches. To list each value once, add “different” to the question.`;
}
