import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, normalize, resolve } from 'node:path';
import { type Client, connectToServer, RefusalError } from './client.ts';
import { isConnectionUrl, type NamedConnection, readConnectionUrl } from './connection-url.ts';
import { readDataPath } from './data-path.ts';
import { Failure } from './terminal/failure.ts';
import { callOperation, waitForRun } from './terminal/follow-run.ts';
import { printResult } from './terminal/print.ts';

interface LensDraft {
  lens: string;
  files: Record<string, string>;
  tables: number;
  left_out: string[];
  personal: string[];
  look_at: { topic: string; about: string; message: string }[];
  sample_questions: string[];
}
interface PublishResult {
  version: number;
  warnings: string[];
}

export interface IntrospectOptions {
  lens?: string;
  table?: string[];
  out?: string;
  publish?: boolean;
  grant?: string[];
  as?: string;
  json?: boolean;
}
const MAX_SHOWN_ITEMS = 12;
const QUICKSTART_CALLER = 'quickstart'; // an embedded instance stores the key of this caller for its owner

export async function runIntrospectCommand(source: string, options: IntrospectOptions): Promise<void> {
  if (options.out && options.publish)
    throw new Failure(
      'Give either --out, which writes files for svc apply, or --publish, which publishes on the server, not both.',
      2,
    );
  const client = await connectToServer('admin');
  await refuseUnknownCallers(client, options.grant ?? []);
  const requestedConnection = isConnectionUrl(source) ? readConnectionUrl(source) : await readDataPath(source);
  const storedConnection = requestedConnection
    ? await storeConnection(client, requestedConnection, options.as)
    : { name: source, isCreated: false };
  try {
    await draftLens(client, storedConnection.name, options);
  } catch (fault) {
    // Removes only a connection that this command created. A failed cleanup must not hide the original error.
    if (storedConnection.isCreated)
      await client
        .call('DELETE', `/mgmt/connections/${encodeURIComponent(storedConnection.name)}`)
        .catch(() => undefined);
    throw fault;
  }
}

async function draftLens(client: Client, connection: string, options: IntrospectOptions): Promise<void> {
  const { run_id } = await client.call<{ run_id: string }>('POST', '/mgmt/semantic/introspect/draft', {
    connection,
    name: options.lens,
    tables: options.table,
  });
  const result = await waitForRun<LensDraft>(client, 'Introspecting', run_id);
  const [[path, draftText] = ['', '']] = Object.entries(result.files);
  const callers = options.grant ?? (client.isOwner ? [QUICKSTART_CALLER] : []);
  const callerList = callers.map((caller) => (/^\w+$/.test(caller) ? caller : JSON.stringify(caller))).join(', ');
  const text = draftText.replace(
    'grants: {callers: [], groups: []}',
    () => `grants: {callers: [${callerList}], groups: []}`,
  );
  const publication = options.publish ? await publishDraft(client, result.lens, draftText, callers) : null;
  const report = { ...result, connection, published: publication };
  if (options.json || (!publication && !options.out)) return printResult(options, report, [text]);
  const tables = result.tables === 1 ? '1 table' : `${result.tables} tables`;
  if (publication) {
    const grantText = callers.length > 0 ? `, granted to ${callers.join(', ')}` : '';
    console.log(`Lens "${result.lens}" over ${tables} is published${grantText}.`);
    for (const warning of publication.warnings) console.log(`Warning: ${warning}`);
  } else {
    const target = resolve(options.out!, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text, { flag: 'wx' }).catch((fault: NodeJS.ErrnoException) => {
      throw fault.code === 'EEXIST'
        ? new Failure(`${target} already exists. Move it, or choose another name with --lens.`)
        : fault;
    });
    console.log(`Lens "${result.lens}" over ${tables} written to ${target}.`);
  }
  const location = options.out ? ` (at the end of ${path})` : '';
  for (const line of formatFindings(result, location)) console.log(line);
  const inferredCount = draftText
    .split('\n')
    .filter((line) => /^ {2}- \{kind: .*\borigin: inferred\b/.test(line)).length;
  if (inferredCount > 0)
    console.log(
      `Inferred facts: ${inferredCount}. Answers that depend on one are partial until you confirm it${publication ? `: npx svc lens facts ${result.lens}` : ''}.`,
    );
  const [example = 'How many rows are there?'] = result.sample_questions;
  const runAskCommand = `npx svc ask ${result.lens} "${example}"`;
  console.log(
    publication
      ? `Ask a question: ${runAskCommand}`
      : `Review the draft, then run: npx svc apply ${options.out} && ${runAskCommand}`,
  );
}

/** Personal data has a list of its own, outside `look_at`. */
function formatFindings({ personal, look_at, left_out }: LensDraft, location: string): string[] {
  const lists: [heading: string, items: string[], separator?: string][] = [
    ['Personal data that callers can see', personal],
    ...FINDING_TITLES.map(([topic, heading]): [string, string[], string] => {
      const findings = look_at.filter((item) => item.topic === topic);
      return [heading, findings.map(({ about, message }) => `${about} ${message}`.trim()), '; '];
    }),
    ['Left out', left_out],
  ];
  return lists
    .filter(([, items]) => items.length > 0)
    .map(([heading, items, separator = ', ']) => {
      const otherCount = items.length - MAX_SHOWN_ITEMS;
      const shown = items.slice(0, MAX_SHOWN_ITEMS).join(separator);
      return `${heading}: ${otherCount > 0 ? `${shown} and ${otherCount} more${location}` : shown}.`;
    });
}

const FINDING_TITLES = [
  ['join', 'Joins that svc left out, because the values do not prove them'],
  ['date', 'Several dates, so no default date'],
  ['adding_up', 'Fields that might not be safe to sum'],
  ['code', 'Codes with unknown meanings'],
  ['text', 'Text that looks like dates or numbers'],
] as const;
/**
 * Updates a connection to the same database, so that a corrected password takes effect. Doesn't change a connection to
 * another database.
 */
async function storeConnection(
  client: Client,
  { name: derivedName, config }: NamedConnection,
  as: string | undefined,
): Promise<{ name: string; isCreated: boolean }> {
  const name = as ?? derivedName;
  try {
    await client.call('POST', '/mgmt/connections', { name, ...config });
    return { name, isCreated: true };
  } catch (fault) {
    if (!(fault instanceof RefusalError) || fault.status !== 409) throw fault;
    const path = `/mgmt/connections/${name}`;
    const existingConnection = await client.call<{ origin: string; config: Record<string, unknown> }>('GET', path);
    const isSameConnection = ['kind', 'host', 'port', 'database', 'path', 'project', 'dataset'].every(
      (member) => existingConnection.config[member] === config[member],
    );
    if (!isSameConnection || formatFileFolders(existingConnection.config) !== formatFileFolders(config))
      throw new Failure(`A connection "${name}" to another database already exists. Name this one with --as.`);
    if (existingConnection.origin === 'api') await client.call('PATCH', path, config);
    return { name, isCreated: false };
  }
}

/** Compares only folders, so that a connection to files stays the same when one of its folders gets another file. */
function formatFileFolders(config: object): string {
  const { files = {} } = config as { files?: Record<string, { path: string }> };
  return [...new Set(Object.values(files).map(({ path }) => dirname(normalize(path))))].sort().join();
}

/** Checks the callers before the command creates anything, because it grants access in its last step. */
async function refuseUnknownCallers(client: Client, callers: string[]): Promise<void> {
  for (const caller of callers) {
    await client.call('GET', `/mgmt/callers/${encodeURIComponent(caller)}`).catch((fault: unknown) => {
      throw fault instanceof RefusalError && fault.status === 404
        ? new Failure(
            `There is no caller "${caller}". Create it first: npx svc key create --caller ${caller} --lens <lens>`,
          )
        : fault;
    });
  }
}

async function publishDraft(
  client: Client,
  lens: string,
  text: string,
  callers: string[],
): Promise<PublishResult & { callers: string[] }> {
  const base = `/mgmt/lenses/${lens}`;
  const draft = await client
    .call<{ id: string }>('POST', '/mgmt/lenses', { name: lens, files: { 'lens.yaml': text } })
    .catch((fault: unknown) => {
      throw fault instanceof RefusalError && fault.status === 409
        ? new Failure(`${fault.message}\nTo use another name, add --lens NAME.`)
        : fault;
    });
  const publishResult = await callOperation<PublishResult>(
    client,
    'Checking the lens against the warehouse',
    `${base}/drafts/${draft.id}/publish`,
  ).catch(async (fault: unknown) => {
    await client.call('DELETE', `${base}/drafts/${draft.id}`).catch(() => undefined);
    const problems =
      fault instanceof RefusalError ? (fault.body as { problems?: { message: string }[] }).problems : null;
    throw problems ? new Failure(problems.map(({ message }) => message).join('\n')) : fault;
  });
  if (callers.length > 0) await client.call('PUT', `${base}/grants`, { callers, groups: [] });
  return { ...publishResult, callers };
}
