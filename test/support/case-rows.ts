import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads a table of cases: one JSON value in each line, and headings after `//`. With `heading`, only the rows below
 * it.
 */
export function caseRows<Row>(folder: string, name: string, heading?: string): Row[] {
  const text = readFileSync(join(folder, name), 'utf8');
  const part = heading === undefined ? text : text.split(`// ${heading}\n`)[1]?.split('\n// ')[0];
  if (part === undefined) throw new Error(`${name} has no heading "${heading}"`);
  return part
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) =>
      JSON.parse(line, (_name, value) => (value?.regex === undefined ? value : new RegExp(value.regex, value.flags))),
    );
}

/**
 * Reads a table of SQL statements: in each line, between tabs, what is expected, the engines, a statement with {} for
 * each part, and the parts between ¦. ␤ and ␍ are line breaks, and # begins a comment.
 */
export function statementRows(folder: string, name: string): { expected: string; engines: string[]; sql: string }[] {
  const lines = readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line) => {
    const [expected, engines, form, parts] = line.split('\t') as [string, string, string, string];
    return parts.split(' ¦ ').map((part) => ({
      expected,
      engines: engines.split(' '),
      sql: form
        .replace('{}', () => part)
        .replaceAll('␤', '\n')
        .replaceAll('␍', '\r'),
    }));
  });
}
