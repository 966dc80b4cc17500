// Creates schemas in real engines, drafts them through the introspection route, and compares the drafts with
// expectations.
import { join } from 'node:path';
import { parse } from 'yaml';
import type { DialectName } from '../../../src/contract/warehouse.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createDuckdbFile } from '../../support/duckdb-file.ts';
import { READER, startTestMariadb } from '../../support/mariadb.ts';
import { connectionTo, createDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Schema, statements } from './schema.ts';

export interface Draft {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the drafted lens, read as YAML
  lens: any;
  // biome-ignore lint/suspicious/noExplicitAny: the result of the run
  result: any;
}
export interface Drafting {
  app: TestApp;
  draft(schema: Schema): Promise<Draft>;
}

/** Starts an app with one connection for each schema, all on one engine. */
export async function startDrafting(schemas: readonly Schema[], dialect: DialectName): Promise<Drafting> {
  const folder = await temporaryFolder();
  const mariadb = dialect === 'mysql' ? await startTestMariadb() : null;
  const connections: Record<string, object> = {};
  for (const schema of schemas) {
    const made = statements(schema, dialect);
    if (dialect === 'postgres') connections[schema.name] = connectionTo(await createDatabase(...made));
    else if (mariadb) {
      await mariadb.run(`create database ${schema.name}`, `grant select on ${schema.name}.* to '${READER.user}'@'%'`);
      for (const statement of made)
        await mariadb.run(statement.replace(/^(create table|insert into) /, (verb) => `${verb}${schema.name}.`));
      connections[schema.name] = {
        ...{ kind: 'mysql', host: '127.0.0.1', port: mariadb.port, database: schema.name, ...READER },
      };
    } else {
      await createDuckdbFile(join(folder, `${schema.name}.duckdb`), ...made);
      connections[schema.name] = { kind: 'duckdb', path: `./${schema.name}.duckdb` };
    }
  }
  const app = await startTestApp({ project: folder, files: { 'svc.config.yaml': JSON.stringify({ connections }) } });
  const drafts = new Map<Schema, Promise<Draft>>();
  return {
    app,
    draft: (schema) => drafts.get(schema) ?? drafts.set(schema, draftOf(app, schema)).get(schema)!,
  };
}

async function draftOf(app: TestApp, { name: connection, tables }: Schema): Promise<Draft> {
  // A MySQL connection sees every database that its user may read.
  const { run, text } = await app.draftLens(connection, { tables: Object.keys(tables) });
  return { text, lens: parse(text), result: run.result };
}

/** All differences between a draft and its expectations, by kind. */
export function compare({ expected, tables }: Schema, { lens, result }: Draft): Record<string, string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: datasets as the draft has them
  const datasets = Object.entries<any>(lens.datasets);
  const tableOf = (dataset: string): string => {
    const source = String(lens.datasets[dataset].source).split('.').at(-1)!.replaceAll('"', '');
    return Object.keys(tables).find((table) => table.toLowerCase() === source.toLowerCase()) ?? source;
  };
  const ofTable = (table: string) => datasets.find(([name]) => tableOf(name) === table)?.[1];
  const field = (path: string) => {
    const [table, column] = path.split('.');
    return ofTable(table!)?.fields[column!];
  };
  const end = (paths: string | string[]): string => {
    const all = [paths].flat();
    return `${tableOf(all[0]!.split('.')[0]!)}.${all.map((item) => item.split('.')[1]).join(',')}`;
  };
  const joins = lens.relationships.map(
    (relationship: { from: string; to: string }) => `${end(relationship.from)} -> ${end(relationship.to)}`,
  );
  const shownColumns = new Set<string>(
    result.personal.map((path: string) => `${tableOf(path.split('.')[0]!)}.${path.split('.')[1]}`),
  );
  const looked = (result.look_at ?? []) as { about: string; message: string }[];
  const about = (path: string) =>
    looked.filter(
      (item) => `${tableOf(item.about.split('.')[0]!)}.${item.about.split('.').slice(1).join('.')}` === path,
    );
  const findMissed = <T>(of: Record<string, T>, holds: (key: string, value: T) => boolean): string[] =>
    Object.entries(of).flatMap(([key, value]) => (holds(key, value) ? [] : [key]));
  return {
    joinsMissing: expected.joins.filter((join) => !joins.includes(join)),
    joinsExtra: joins.filter((join: string) => !expected.joins.includes(join)),
    undecided: findMissed(expected.undecided, (path, said) =>
      said ? about(path).some(({ message }) => said.test(message)) : about(path).length === 0,
    ),
    keys: findMissed(expected.keys, (table, key) => String([ofTable(table)?.primary_key ?? []].flat()) === String(key)),
    dates: findMissed(expected.dates, (table, date) => (ofTable(table)?.time_field ?? null) === date),
    adds: findMissed(expected.adds, (path, aggregation) => {
      const summed = Object.values<{ expression: string }>(lens.metrics).some(({ expression }) =>
        new RegExp(`^sum\\(\\w+\\."?${path.split('.')[1]}"?\\)$`).test(expression),
      );
      return aggregation === 'sum' ? summed : field(path)?.aggregation === aggregation && !summed;
    }),
    persons: expected.persons.filter((path) => !shownColumns.has(path) && !field(path)?.mask),
    codes: expected.codes.filter((path) => !field(path)?.values),
    words: findMissed(expected.words, (path, said) => (field(path)?.synonyms ?? []).includes(said)),
  };
}
