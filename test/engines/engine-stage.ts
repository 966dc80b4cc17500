// The real service over one engine, and PostgreSQL for the expected rows.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workshopLens } from '../plans/workshop.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { connect, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINES_FOLDER } from './engines-folder.ts';
import { postgresStatements, withEdges } from './tables.ts';

export interface EngineStage {
  svc: TestApp;
  /** The folder of the project. */
  folder: string;
  /** Runs SQL directly in PostgreSQL, for the expected rows. */
  gold(sql: string): Promise<string[][]>;
}

/**
 * The lens is named `workshop`. `schema` is the schema of its tables. `clients` are the client packages of the
 * project, with their text.
 */
export async function openEngineStage(
  connection: object,
  schema: string,
  change: (lens: string) => string = (lens) => lens,
  clients: Readonly<Record<string, string>> = {},
): Promise<EngineStage> {
  const url = await createDatabase(...postgresStatements());
  const client = await connect(url, { types: { getTypeParser: () => (value: string) => value } });
  // The folder is inside the engines folder, so that Node finds the clients installed there.
  const folder = await temporaryFolder(ENGINES_FOLDER);
  for (const [name, source] of Object.entries(clients)) {
    const place = join(folder, 'node_modules', name);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'index.js'), source);
  }
  const limits = 'limits: {requests_per_minute: 1000000}\n';
  await writeFile(join(folder, 'svc.config.yaml'), limits);
  const lens = withEdges(workshopLens('workshop', schema), schema).replace(
    'timezone: UTC',
    'timezone: Europe/Paris\ndata_as_of: {field: edges.day}\nfresh_for: P1D',
  );
  const svc = await startTestApp({
    project: folder,
    files: {
      'svc.config.yaml': JSON.stringify({ connections: { workshop: connection } }),
      'lenses/workshop/lens.yaml': change(lens),
    },
  });
  return {
    svc,
    folder,
    async gold(sql) {
      const { rows } = await client.query({ text: sql, rowMode: 'array' });
      return (rows as unknown[][]).map((row) => row.map((value) => (value === null ? 'null' : String(value))));
    },
  };
}

/** Writes equal values of JSON and PostgreSQL as the same text. Integers and decimals keep every digit. */
export function exactCell(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = String(value);
  if (/e[+-]?\d+$/i.test(text) && /^-?\d/.test(text)) return Number(text).toPrecision(12);
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text.replace(/^(\d{4}-\d\d-\d\d)[T ]00:00:00(\.0+)?(Z|\+00)?$/, '$1');
  const [integerDigits = '', places = ''] = text.split('.');
  // Values without an exact decimal are compared by twelve digits.
  const keptDigits = places.slice(0, 10).replace(/0+$/, '');
  return places.length > 10
    ? String(Number(Number(text).toFixed(8)))
    : `${integerDigits}${keptDigits === '' ? '' : `.${keptDigits}`}`;
}
