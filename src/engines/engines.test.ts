// Compares the table of engines with the documentation and with the dialects.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { columnOf } from '../dialects/make-nodes.ts';
import { ABILITIES, type Ability, type BuiltInEngine } from './engine.ts';
import { ENGINES } from './engines.ts';

const ACCEPT_COMMAND = 'ACCEPT_ENGINES=1 npx vitest run src/engines/engines.test.ts';
const rankEngine = ({ experimental, page }: BuiltInEngine): number => (experimental ? 2 : page ? 1 : 0);
const listedEngines = [...ENGINES].sort((item, other) => rankEngine(item) - rankEngine(other));
const abilities = Object.keys(ABILITIES) as Ability[];

const writeNameCell = ({ title, page, titleSuffix, experimental }: BuiltInEngine, folder: string): string =>
  [page ? `[${title}](${folder}${page})` : title, titleSuffix, experimental && '(experimental)']
    .filter(Boolean)
    .join(' ');
const writeTestedCell = ({ testedWith, experimental, title }: BuiltInEngine): string =>
  experimental ? `${testedWith}, not ${title} itself` : testedWith;
const writeRow = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const writeTable = (...rows: string[][]): string =>
  [
    writeRow(...rows[0]!),
    `|${rows[0]!.map(() => '---').join('|')}|`,
    ...rows.slice(1).map((item) => writeRow(...item)),
  ].join('\n');

const TABLES: Record<string, string> = {
  'README.md': writeTable(
    ['engine', 'connection `kind`', 'tested with'],
    ...listedEngines.map((engine) => [
      writeNameCell(engine, 'docs/engines/'),
      `\`${engine.kind}\``,
      writeTestedCell(engine),
    ]),
  ),
  'docs/engines/README.md': writeTable(
    ['engine', 'kind', ...abilities.map((ability) => ABILITIES[ability]), 'tested with'],
    ...listedEngines.map((engine) => [
      writeNameCell(engine, ''),
      `\`${engine.kind}\``,
      ...abilities.map((ability) => (engine.can[ability] ? 'yes' : 'no')),
      writeTestedCell(engine),
    ]),
  ),
};

it.each(Object.entries(TABLES))('%s has the current table of the engines', (path, expected) => {
  const text = readFileSync(path, 'utf8');
  const currentTable = /^\| engine \|.*\n(?:\|.*\n)+/m.exec(text)![0];
  if (process.env['ACCEPT_ENGINES']) writeFileSync(path, text.replace(currentTable, `${expected}\n`));
  else expect(currentTable, `To accept: ${ACCEPT_COMMAND}`).toBe(`${expected}\n`);
});

it.each(ENGINES)(
  '$kind supports the same features as its dialect, and its page says if it is experimental',
  async (engine) => {
    const { name, fence, compiling } = await engine.loadDialect();
    const canList = (distinct: boolean): boolean => compiling.listed(columnOf('x'), ', ', distinct) !== null;
    const can = { medians: compiling.median !== null, lists: canList(false), distinctLists: canList(true) };
    expect({ name, rowPolicies: fence !== null, ...can }).toEqual({
      name: engine.dialect,
      rowPolicies: engine.can.rowPolicies,
      medians: engine.can.medians,
      lists: engine.can.lists,
      distinctLists: engine.can.distinctLists,
    });
    if (!engine.page) return;
    const page = `docs/engines/${engine.page}`;
    expect(existsSync(page)).toBe(true);
    expect(readFileSync(page, 'utf8').includes('**Experimental**')).toBe(engine.experimental);
  },
);
