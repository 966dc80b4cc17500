// Removes the parts of table names that describe their origin, and finds other names for a table.

import { splitNameIntoWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import { toPlural, toSingular } from '../../../lens/model/singular.ts';
import type { CatalogTable } from '../../ports.ts';

const AFFIX_PATTERN =
  /^(?:dim|fact|fct|tbl|stg|vw|mart|ref|lkp|lookup|mst|tb)_(?=[a-z])|_(?:tbl|tab|table|master|dim|fact|vw)$/;
/** Words that describe the kind of a table instead of its contents. */
const TABLE_KIND_WORD_PATTERN =
  /^(?:type|kind|detail|info|information|data|list|status|code|history|log|record|line|item|content|entry|map|mapping|link|xref|value|set|table|master|name|reference|event|group|category|class|archive|backup|summary|total|count|stat|statistic)s?$/;

export function findOtherTableNames(table: CatalogTable, allTables: readonly CatalogTable[]): string[] {
  const name = toSnakeCase(table.table);
  const bareName = name.replace(AFFIX_PATTERN, '');
  const otherParts = allTables.filter((item) => item !== table).map((item) => toSnakeCase(item.table).split('_'));
  const names = new Set<string>();
  if (bareName !== name && !otherParts.some((parts) => toSingular(parts.join('_')) === toSingular(bareName)))
    names.add(splitNameIntoWords(bareName));
  const lastWord = toSingular(bareName.split('_').at(-1)!);
  const isAmbiguous =
    otherParts.some((parts) => parts.some((word) => toSingular(word) === lastWord)) ||
    // If the table "student_course" has a course_id, its rows aren't courses.
    table.columns.some(
      (column) =>
        !table.primaryKey.includes(column.name) && toSingular(toSnakeCase(column.name).split('_')[0]!) === lastWord,
    );
  if (
    bareName.includes('_') &&
    !TABLE_KIND_WORD_PATTERN.test(lastWord) &&
    lastWord.length > 2 &&
    !isAmbiguous &&
    table.primaryKey.length === 1
  )
    names.add(toPlural(lastWord));
  names.delete(splitNameIntoWords(name));
  return [...names];
}

const ORIGIN_WORD_PATTERN =
  /^(?:exports?|exported|dumps?|extracts?|downloads?|final|copy|v\d+|\d+|q[1-4]|fy\d+|csv|xlsx?|sheet\d*)$/;
const MONTH_PATTERN = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/;
const YEAR_PATTERN = /^(?:19|20)\d\d$/;

/** Changes "Deals Export 2024-25" to "deals". */
function toPlainTableName(name: string): string {
  const parts = toSnakeCase(name).split('_').filter(Boolean);
  const hasYear = parts.some((part) => YEAR_PATTERN.test(part));
  const isTechnical = (part: string | undefined): boolean =>
    part !== undefined && (ORIGIN_WORD_PATTERN.test(part) || (hasYear && MONTH_PATTERN.test(part)));
  const plainParts = [...parts];
  while (isTechnical(plainParts.at(-1))) plainParts.pop();
  while (isTechnical(plainParts[0]) && plainParts.length > 1) plainParts.shift();
  if (plainParts.length < parts.length && plainParts[0] === 'of') plainParts.shift();
  return plainParts.join('').length > 2 ? plainParts.join('_') : toSnakeCase(name);
}

/** A table whose plain name isn't unique keeps its full name. */
export function toPlainTableNames(names: readonly string[]): string[] {
  const plainNames = names.map(toPlainTableName);
  const counts = new Map<string, number>();
  for (const [index, name] of names.entries())
    for (const item of new Set([toSnakeCase(name), plainNames[index]!])) counts.set(item, (counts.get(item) ?? 0) + 1);
  return names.map((name, index) => (counts.get(plainNames[index]!) === 1 ? plainNames[index]! : toSnakeCase(name)));
}
