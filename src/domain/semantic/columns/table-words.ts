// Other names for a table: without the warehouse's prefix, or its last word.

import { toSnakeCase, words } from '../../../lens/model/name-words.ts';
import { plural, singular } from '../../../lens/model/singular.ts';
import type { CatalogTable } from '../../ports.ts';

const AFFIX =
  /^(?:dim|fact|fct|tbl|stg|vw|mart|ref|lkp|lookup|mst|tb)_(?=[a-z])|_(?:tbl|tab|table|master|dim|fact|vw)$/;
/** Words for the kind of a table, not for its contents. */
const TABLE_KIND_WORD =
  /^(?:type|kind|detail|info|information|data|list|status|code|history|log|record|line|item|content|entry|map|mapping|link|xref|value|set|table|master|name|reference|event|group|category|class|archive|backup|summary|total|count|stat|statistic)s?$/;

export function tableNames(table: CatalogTable, all: readonly CatalogTable[]): string[] {
  const name = toSnakeCase(table.table);
  const bareName = name.replace(AFFIX, '');
  const others = all.filter((item) => item !== table).map((item) => toSnakeCase(item.table).split('_'));
  const names = new Set<string>();
  if (bareName !== name && !others.some((other) => singular(other.join('_')) === singular(bareName)))
    names.add(words(bareName));
  const head = singular(bareName.split('_').at(-1)!);
  const isAmbiguous =
    others.some((other) => other.some((word) => singular(word) === head)) ||
    // "student_course" with a course_id doesn't contain courses.
    table.columns.some(
      (column) => !table.primaryKey.includes(column.name) && singular(toSnakeCase(column.name).split('_')[0]!) === head,
    );
  if (
    bareName.includes('_') &&
    !TABLE_KIND_WORD.test(head) &&
    head.length > 2 &&
    !isAmbiguous &&
    table.primaryKey.length === 1
  )
    names.add(plural(head));
  names.delete(words(name));
  return [...names];
}
