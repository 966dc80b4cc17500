import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of a table of cases: a JSON value in each line, and headings behind `//`. */
export const caseRows = <Row>(folder: string, name: string): Row[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => JSON.parse(line));
