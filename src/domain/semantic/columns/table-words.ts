// Removes the parts of table names that describe their origin.
import { toSnakeCase } from '../../../lens/model/name-words.ts';

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
