// svc lens list, svc key list and similar commands: print the server's objects as a table.
import type { z } from 'zod';
import type { certifiedList } from '../contract/certified.ts';
import type { gapList } from '../contract/mgmt/cockpit.ts';
import type { connectionView } from '../contract/mgmt/connections.ts';
import type { caller, key } from '../contract/mgmt/identity.ts';
import type { lensRow } from '../contract/mgmt/lenses.ts';
import type { queuedReviewList } from '../contract/mgmt/reviews.ts';
import { connect, listAll } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { tableLines } from './terminal/print-table.ts';

const MAX_ITEMS = 1000;

interface Listing<Row> {
  columns: Record<string, (row: Row) => unknown>;
  emptyText: string;
}
interface Options {
  json?: boolean;
}

export const listLenses = (options: Options): Promise<void> =>
  printList<z.infer<typeof lensRow>>('/mgmt/lenses', options, {
    columns: {
      name: ({ name }) => name,
      version: ({ version }) => version ?? 'not published',
      certified: ({ certified_count }) => certified_count,
      connection: ({ connection }) => connection,
      origin: ({ origin }) => origin,
      updated: ({ updated_at }) => formatMinute(updated_at),
    },
    emptyText: 'No lenses. Draft one: npx svc introspect <connection> --publish',
  });

export const listConnections = (options: Options): Promise<void> =>
  printList<z.infer<typeof connectionView>>('/mgmt/connections', options, {
    columns: {
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
      origin: ({ origin }) => origin,
      'used by': ({ used_by }) => used_by,
    },
    emptyText: 'No connections. Add one: npx svc introspect <URL> --publish',
  });

type Caller = z.infer<typeof caller>;
export const listCallers = (options: Options): Promise<void> =>
  printList<Caller>('/mgmt/callers', options, {
    columns: {
      name: ({ name }) => name,
      groups: ({ groups }) => groups,
      attributes: ({ attributes }) => Object.entries(attributes).map(([name, value]) => `${name}=${value}`),
      state: ({ disabled }) => (disabled ? 'disabled' : 'active'),
      created: ({ created_at }) => formatMinute(created_at),
    },
    emptyText: 'No callers. Create one: npx svc key create --caller <name> --lens <lens>',
  });

export async function listKeys({ caller: name, json }: Options & { caller: string }): Promise<void> {
  const client = await connect('admin');
  const callers = await listAll<Caller>(client, `/mgmt/callers?q=${encodeURIComponent(name)}`);
  const owner = callers.find((item) => item.name === name);
  if (!owner) throw new Failure(`There is no caller "${name}". List callers: npx svc caller list`);
  await printList<z.infer<typeof key>>(
    `/mgmt/callers/${owner.id}/keys`,
    { json },
    {
      columns: {
        key: ({ prefix, last_four }) => `${prefix}…${last_four}`,
        label: ({ label }) => label,
        state: ({ revoked_at }) => (revoked_at ? 'revoked' : 'active'),
        expires: ({ expires_at }) => (expires_at ? formatMinute(expires_at) : 'never'),
        'last used': ({ last_used_at }) => (last_used_at ? formatMinute(last_used_at) : 'never'),
      },
      emptyText: `${name} has no keys. Create one: npx svc key create --caller ${name} --lens <lens>`,
    },
  );
}

export const listGaps = (options: Options): Promise<void> =>
  printList<z.infer<typeof gapList>['items'][number]>('/mgmt/gap-map?status=open', options, {
    columns: {
      lens: ({ lens }) => lens ?? '(none)',
      kind: ({ kind }) => kind,
      missing: ({ missing }) => missing,
      asks: ({ asks }) => asks,
      callers: ({ callers }) => callers,
      suggestion: ({ suggestion }) => suggestion.text,
    },
    emptyText: 'No open gaps.',
  });

export const listReviews = (options: Options): Promise<void> =>
  printList<z.infer<typeof queuedReviewList>['items'][number]>('/mgmt/reviews', options, {
    columns: {
      id: ({ ticket_id }) => ticket_id,
      status: ({ status }) => status,
      'raised by': ({ raised_by }) => raised_by,
      question: ({ question }) => question,
      note: ({ note }) => note,
    },
    emptyText: 'No reviews.',
  });

export const listCertified = (lens: string, options: Options): Promise<void> =>
  printList<z.infer<typeof certifiedList>['items'][number]>(
    `/mgmt/lenses/${encodeURIComponent(lens)}/certified`,
    options,
    {
      columns: {
        id: ({ cert_id }) => cert_id,
        status: ({ status }) => status,
        question: ({ question }) => question,
        'approved by': ({ approved_by }) => approved_by,
      },
      emptyText: `${lens} has no certified entries. Certify an answer in the app, or add a file in lenses/${lens}/certified.`,
    },
  );

const formatMinute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

async function printList<Row>(path: string, { json }: Options, { columns, emptyText }: Listing<Row>): Promise<void> {
  const rows = await listAll<Row>(await connect('admin'), path, { maxItems: MAX_ITEMS });
  if (json) return console.log(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return console.log(emptyText);
  const table = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  console.log(tableLines(Object.keys(columns), table).join('\n'));
  if (rows.length >= MAX_ITEMS) console.error(`Only the first ${MAX_ITEMS} are listed. See ${path} for the rest.`);
}
