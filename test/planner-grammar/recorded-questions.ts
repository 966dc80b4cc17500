// The recorded questions and their lenses, without a warehouse. The values that an apply would read come from the SQL
// of the questions.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileLens } from '../../src/lens/compile/compile-lens.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { readProject } from '../../src/lens/files/read-project.ts';
import type { Lens } from '../../src/lens/model/lens.ts';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import { wrongReadings } from '../readings/wrong-readings.ts';
import { desk } from '../support/planner-lenses.ts';

export interface Recorded {
  /** Unique together with the lens. */
  question: string;
  lens: Lens;
  called: string;
}

const SUITES = ['bank', 'bikes', 'clinic', 'saas', 'school'];
const TEST = join(import.meta.dirname, '..');

async function lensesOf(folder: string): Promise<Lens[]> {
  const files = await loadProjectFolder(folder);
  const config =
    files['svc.config.yaml'] ?? JSON.stringify({ connections: { warehouse: { kind: 'postgres', url: 'x' } } });
  const { project } = readProject({ ...files, 'svc.config.yaml': config });
  const compiled = project.lenses.map(
    async (lens) => (await compileLens(lens, { ...project, dialect: 'postgres' })).lens!,
  );
  return Promise.all(compiled);
}

const QUOTED = /(\w+)\s*(?:=|<>|!=|\bin\b\s*\()\s*((?:'[^']*'\s*,?\s*)+)/gi;
/** The values with which these statements compare columns. */
function withValues(lens: Lens, statements: readonly string[]): Lens {
  const named = new Map<string, Set<string>>();
  for (const sql of statements)
    for (const [, column, list] of sql.matchAll(QUOTED))
      for (const [, value] of list!.matchAll(/'([^']*)'/g))
        named.set(column!.toLowerCase(), (named.get(column!.toLowerCase()) ?? new Set()).add(value!));
  const datasets = lens.datasets.map((dataset) => ({
    ...dataset,
    fields: dataset.fields.map((field) => {
      const values = field.dictionaryFromWarehouse ? named.get(field.name) : undefined;
      return values
        ? { ...field, dictionary: { complete: true, values: [...values].map((value) => ({ value, synonyms: [] })) } }
        : field;
    }),
  }));
  return { ...lens, datasets };
}

export async function recordedQuestions(): Promise<Recorded[]> {
  const all: Recorded[] = [];
  for (const suite of SUITES) {
    const lines = (await readFile(join(TEST, 'suites', suite, 'questions.jsonl'), 'utf8')).trim().split('\n');
    const asked = lines.map((line) => JSON.parse(line) as { question: string; gold?: { sql?: string }[] });
    const [lens] = await lensesOf(join(TEST, 'suites', suite));
    const known = withValues(
      lens!,
      asked.flatMap(({ gold = [] }) => gold.flatMap(({ sql }) => sql ?? [])),
    );
    all.push(...asked.map(({ question }) => ({ question, lens: known, called: suite })));
  }
  const lenses = new Map((await lensesOf(join(TEST, 'readings'))).map((lens) => [lens.name, lens]));
  const readings = wrongReadings();
  for (const [name, lens] of lenses) {
    const ownReadings = readings.filter((reading) => reading.lens === name);
    const known = withValues(
      lens,
      ownReadings.flatMap(({ gold }) => gold),
    );
    all.push(...ownReadings.map(({ q }) => ({ question: q, lens: known, called: name })));
  }
  all.push(
    ...CONSTRUCTIONS.flatMap((item) => item.examples.map((question) => ({ question, lens: desk, called: 'desk' }))),
  );
  const seenKeys = new Set<string>();
  return all.filter(({ question, called }) => {
    const key = `${called} ${question}`;
    return !seenKeys.has(key) && seenKeys.add(key);
  });
}
