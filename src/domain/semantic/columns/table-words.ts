// Finds other names for a table: its name without the warehouse's prefix, or the last word of its name.

import { spacedWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import { toPlural, toSingular } from '../../../lens/model/singular.ts';
import type { CatalogTable } from '../../ports.ts';

const AFFIX =
  /^(?:dim|fact|fct|tbl|stg|vw|mart|ref|lkp|lookup|mst|tb)_(?=[a-z])|_(?:tbl|tab|table|master|dim|fact|vw)$/;
/** Words that describe the kind of a table instead of its contents. */
const TABLE_KIND_WORD =
  /^(?:type|kind|detail|info|information|data|list|status|code|history|log|record|line|item|content|entry|map|mapping|link|xref|value|set|table|master|name|reference|event|group|category|class|archive|backup|summary|total|count|stat|statistic)s?$/;

export function findOtherNames(table: CatalogTable, allTables: readonly CatalogTable[]): string[] {
  const name = toSnakeCase(table.table);
  const bareName = name.replace(AFFIX, '');
  const otherParts = allTables.filter((item) => item !== table).map((item) => toSnakeCase(item.table).split('_'));
  const names = new Set<string>();
  if (bareName !== name && !otherParts.some((parts) => toSingular(parts.join('_')) === toSingular(bareName)))
    names.add(spacedWords(bareName));
  const lastWord = toSingular(bareName.split('_').at(-1)!);
  const isAmbiguous =
    otherParts.some((parts) => parts.some((word) => toSingular(word) === lastWord)) ||
    // With a course_id, the rows of "student_course" aren't courses.
    table.columns.some(
      (column) =>
        !table.primaryKey.includes(column.name) && toSingular(toSnakeCase(column.name).split('_')[0]!) === lastWord,
    );
  if (
    bareName.includes('_') &&
    !TABLE_KIND_WORD.test(lastWord) &&
    lastWord.length > 2 &&
    !isAmbiguous &&
    table.primaryKey.length === 1
  )
    names.add(toPlural(lastWord));
  names.delete(spacedWords(name));
  return [...names];
}
