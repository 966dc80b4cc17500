// Callers who see the same rows share a read of a field's values.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const url = await createDatabase(
  'create table notes (id int primary key, topic text)',
  "insert into notes values (1, 'Alpha'), (2, 'Beta')",
  'create table imports (id int primary key, finished timestamptz)',
  "insert into imports values (1, '2026-03-01T10:00:00Z')",
);
const db = await connect(url);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { desk: connectionTo(url) } }),
    'lenses/notes/lens.yaml': lensText(`
name: notes
title: Notes
description: Notes.
connection: desk
data_as_of: {field: imports.finished}
datasets:
  imports: public.imports (id integer key, finished datetimetz) {description: Imports of notes.}
  notes: public.notes (id integer key, topic string) {description: Notes.}
`),
  },
});
const base = await svc.listen();
const ask = async (path: string, body: object, signal?: AbortSignal) => {
  const reply = await fetch(`${base}/v1/lenses/notes/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const { data, data_as_of } = (await reply.json()) as { data: unknown; data_as_of: string | null };
  return [reply.status, data, data_as_of];
};
const countWaiting = async () =>
  (await db.query("select count(*)::int as n from pg_locks where not granted and locktype = 'relation'")).rows[0].n;

it.each([
  // First, because svc keeps a date for 30 s.
  ['data_as_of', 'imports', 'metrics', { measures: [{ fn: 'count', rows: 'notes' }] }, [{ notes_count: 2 }]],
  ['values', 'notes', 'query', { q: 'number of alpha notes' }, [{ notes_count: 1 }]],
])(
  'reads the %s again for a caller who waits for the read of a caller who disconnects',
  async (_what, table, path, body, rows) => {
    await db.query('begin');
    await db.query(`lock table ${table} in access exclusive mode`);
    const disconnect = new AbortController();
    const canceledAsk = ask(path, body, disconnect.signal).catch(() => null);
    await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThan(0);
    const waitingAsk = ask(path, body);
    await sleep(500);
    disconnect.abort();
    await canceledAsk;
    await sleep(500);
    await db.query('commit');
    expect(await waitingAsk).toEqual([200, rows, '2026-03-01T10:00:00.000Z']);
  },
);
