import type { z } from 'zod';
import type { certifiedListSchema, PhraseList } from '../contract/lens.ts';
import type { gapListSchema } from '../contract/mgmt/cockpit.ts';
import type { connectionViewSchema } from '../contract/mgmt/connections.ts';
import type { callerSchema, keySchema } from '../contract/mgmt/identity.ts';
import type { lensRowSchema } from '../contract/mgmt/lenses.ts';
import type { queuedReviewListSchema } from '../contract/mgmt/reviews.ts';
import { connectToServer, fetchAllPages } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { formatTable, printResult } from './terminal/print.ts';

const MAX_LISTED_ROWS = 1000;

interface ListOptions {
  json?: boolean;
}

/** Either a member of the row whose name is also the column title, or a title with a function that formats the cell. */
type ListColumn<Row> = (keyof Row & string) | [title: string, cellOf: (row: Row) => unknown];

export const runListLensesCommand = (options: ListOptions): Promise<void> =>
  printTable<z.infer<typeof lensRowSchema>>(
    '/mgmt/lenses',
    options,
    [
      'name',
      ['version', ({ version }) => version ?? 'not published'],
      ['certified', ({ certified_count }) => certified_count],
      'connection',
      'origin',
      ['updated', ({ updated_at }) => formatMinute(updated_at)],
    ],
    'There are no lenses. To draft one, run: npx svc introspect <connection> --publish',
  );

export const runListConnectionsCommand = (options: ListOptions): Promise<void> =>
  printTable<z.infer<typeof connectionViewSchema>>(
    '/mgmt/connections',
    options,
    ['name', 'kind', 'origin', 'used_by'],
    'There are no connections. To add one, run: npx svc introspect <URL> --publish',
  );

type Caller = z.infer<typeof callerSchema>;

export const runListCallersCommand = (options: ListOptions): Promise<void> =>
  printTable<Caller>(
    '/mgmt/callers',
    options,
    [
      'name',
      'groups',
      ['attributes', ({ attributes }) => Object.entries(attributes).map(([name, value]) => `${name}=${value}`)],
      ['state', ({ disabled }) => (disabled ? 'disabled' : 'active')],
      ['created', ({ created_at }) => formatMinute(created_at)],
    ],
    'No callers. Create one: npx svc key create --caller <name> --lens <lens>',
  );

export async function runListKeysCommand({ caller: name, json }: ListOptions & { caller: string }): Promise<void> {
  const callers = await fetchAllPages<Caller>(
    await connectToServer('admin'),
    `/mgmt/callers?q=${encodeURIComponent(name)}`,
  );
  const owner = callers.find((item) => item.name === name);
  if (!owner) throw new Failure(`There is no caller "${name}". List callers: npx svc caller list`);
  await printTable<z.infer<typeof keySchema>>(
    `/mgmt/callers/${owner.id}/keys`,
    { json },
    [
      ['key', ({ prefix, last_four }) => `${prefix}…${last_four}`],
      'label',
      ['state', ({ revoked_at }) => (revoked_at ? 'revoked' : 'active')],
      ['expires', ({ expires_at }) => (expires_at ? formatMinute(expires_at) : 'never')],
      ['last used', ({ last_used_at }) => (last_used_at ? formatMinute(last_used_at) : 'never')],
    ],
    `${name} has no keys. Create one: npx svc key create --caller ${name} --lens <lens>`,
  );
}

export const runListGapsCommand = (options: ListOptions): Promise<void> =>
  printTable<z.infer<typeof gapListSchema>['items'][number]>(
    '/mgmt/gap-map?status=open',
    options,
    [
      ['lens', ({ lens }) => lens ?? '(none)'],
      'kind',
      'missing',
      'asks',
      'callers',
      ['suggestion', ({ suggestion }) => suggestion.text],
    ],
    'No open gaps.',
  );

export const runListReviewsCommand = (options: ListOptions): Promise<void> =>
  printTable<z.infer<typeof queuedReviewListSchema>['items'][number]>(
    '/mgmt/reviews',
    options,
    [['id', ({ ticket_id }) => ticket_id], 'status', 'raised_by', 'question', 'note'],
    'No reviews.',
  );

export const runListCertifiedCommand = (lens: string, options: ListOptions): Promise<void> =>
  printTable<z.infer<typeof certifiedListSchema>['items'][number]>(
    `/mgmt/lenses/${encodeURIComponent(lens)}/certified`,
    options,
    [['id', ({ cert_id }) => cert_id], 'status', 'question', 'approved_by'],
    `${lens} has no certified entries. Certify an answer in the app, or add a file in lenses/${lens}/certified.`,
  );

export async function runListPhrasesCommand(lens: string, options: ListOptions): Promise<void> {
  const path = `/v1/lenses/${encodeURIComponent(lens)}/phrases`;
  const items = await fetchAllPages<PhraseList['items'][number]>(await connectToServer('caller'), path);
  const lines = [...new Set(items.map(({ about }) => about))].flatMap((topic) => [
    topic,
    ...items.filter(({ about }) => about === topic).map(({ sentence }) => `  ${sentence}`),
  ]);
  const emptyText = `No phrases: svc can’t make a question from the names in ${lens}.`;
  printResult(options, items, lines.length > 0 ? lines : [emptyText]);
}

const formatMinute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

async function printTable<Row>(
  path: string,
  options: ListOptions,
  columns: ListColumn<Row>[],
  emptyText: string,
): Promise<void> {
  const rows = await fetchAllPages<Row>(await connectToServer('admin'), path, { maxItems: MAX_LISTED_ROWS });
  const titles = columns.map((column) => (typeof column === 'string' ? column.replaceAll('_', ' ') : column[0]));
  const cells = rows.map((row) => columns.map((column) => (typeof column === 'string' ? row[column] : column[1](row))));
  printResult(options, rows, rows.length > 0 ? formatTable(titles, cells) : [emptyText]);
  if (rows.length >= MAX_LISTED_ROWS)
    console.error(`This list shows only the first ${MAX_LISTED_ROWS} items. To list all of them, send GET ${path}.`);
}
