import { access, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { loadDialect } from '../dialects/dialects.ts';
import { exportOssie } from '../domain/interchange/export-ossie.ts';
import { importMetricflow } from '../domain/interchange/import-metricflow.ts';
import { importOssie } from '../domain/interchange/import-ossie.ts';
import type { KnownTable, KnownTables } from '../domain/interchange/known-tables.ts';
import { readSharedSemantic } from '../domain/interchange/shared-semantic.ts';
import { findEngine } from '../engines/engines.ts';
import { parseYamlFile } from '../lens/files/yaml-file.ts';
import { type Client, connectToServer, fetchAllPages } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { printResult } from './terminal/print.ts';
import { writeFiles } from './write-files.ts';

interface InterchangeOptions {
  connection?: string;
  out: string;
  name?: string;
  schema?: string;
  json?: boolean;
}

export async function runImportCommand(format: string, paths: string[], options: InterchangeOptions): Promise<void> {
  if (format !== 'ossie' && format !== 'metricflow')
    throw new Failure(`Unknown format "${format}". Use ossie or metricflow.`, 2);
  const texts = await Promise.all(
    paths.map((path) => readFile(path, 'utf8').catch(() => Promise.reject(new Failure(`Can't read ${path}.`, 2)))),
  );
  const connection = options.connection ?? (await findOnlyConnection(options.out));
  const knownTables = await readKnownTables(connection, options.out);
  const lenses =
    format === 'ossie'
      ? (await Promise.all(texts.map((text) => importOssie(text, connection, knownTables)))).flat()
      : [
          await importMetricflow(texts, {
            name: options.name ?? basename(paths[0]!).split('.')[0]!,
            connection,
            schema: options.schema ?? null,
            knownTables,
          }),
        ];
  for (const { name } of lenses) await refuseExistingLens(join(options.out, 'lenses', name));
  for (const lens of lenses) await writeFiles(options.out, lens.files);
  printResult(
    options,
    lenses.map(({ name, preservedParts, guessedParts }) => ({ name, kept: preservedParts, guessed: guessedParts })),
    lenses.flatMap(({ name, preservedParts, guessedParts }) => [
      `Lens "${name}" written to ${join(options.out, 'lenses', name)}.`,
      ...guessedParts.map((line) => `  guessed: ${line}`),
      ...preservedParts.map((line) => `  not imported, because a lens has no equivalent: ${line}`),
    ]),
  );
}

async function refuseExistingLens(folder: string): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Failure(`${folder} already exists. Move it, or choose another folder with --out.`);
}

/** Looks for the only connection in the project folder, then in the running instance. */
async function findOnlyConnection(dir: string): Promise<string> {
  const text = await readFile(join(dir, 'svc.config.yaml'), 'utf8').catch(() => '');
  let names = Object.keys(parseYamlFile('config', 'svc.config.yaml', text).value?.connections ?? {});
  if (names.length === 0) {
    const client = await connectToServer('admin').catch(() => null);
    const connections = client && (await fetchAllPages<{ name: string }>(client, '/mgmt/connections').catch(() => []));
    names = (connections ?? []).map(({ name }) => name);
  }
  if (names.length === 1) return names[0]!;
  throw new Failure(
    names.length === 0
      ? `There is no connection yet. Name one with --connection NAME, and declare it in ${join(dir, 'svc.config.yaml')}.`
      : `There are several connections. Choose one with --connection: ${names.join(', ')}.`,
    2,
  );
}

/** If the running instance doesn't have the connection, the project folder shows only its kind. */
async function readKnownTables(connection: string, dir: string): Promise<KnownTables> {
  try {
    const client: Client = await connectToServer('admin');
    const path = `/mgmt/connections/${encodeURIComponent(connection)}`;
    const { kind } = await client.call<{ kind: string }>('GET', path);
    // Requests few pages, because the server reads its whole stored catalog for each page.
    const tables = await fetchAllPages<KnownTable>(client, `${path}/catalog`, { pageSize: 500 });
    return { dialect: await findDialect(kind), tables };
  } catch (fault) {
    if (!(fault instanceof Failure)) throw fault;
    const text = await readFile(join(dir, 'svc.config.yaml'), 'utf8').catch(() => '');
    const engineKind = parseYamlFile('config', 'svc.config.yaml', text).value?.connections[connection]?.kind ?? '';
    return { dialect: await findDialect(engineKind), tables: [] };
  }
}

/** Null if the connection's kind comes from a plugin. */
async function findDialect(kind: string): Promise<string | null> {
  const engine = findEngine(kind);
  return engine ? (await loadDialect(engine.dialect)).name : null;
}

/** Each lens of the project has one Ossie file. */
export function toOssieFiles(files: Record<string, string>): Record<string, string> {
  const names = [...new Set(Object.keys(files).flatMap((path) => path.match(/^lenses\/([^/]+)\//)?.[1] ?? []))];
  const sharedSemantic = readSharedSemantic(files);
  const models = names.flatMap((name) => {
    const lensFiles = Object.entries(files).flatMap(([path, text]) =>
      path.startsWith(`lenses/${name}/`) ? [[path.slice(`lenses/${name}/`.length), text]] : [],
    );
    const model = exportOssie(Object.fromEntries(lensFiles), sharedSemantic);
    return model ? [[`${name}.ossie.yaml`, model.text]] : [];
  });
  return Object.fromEntries(models);
}
