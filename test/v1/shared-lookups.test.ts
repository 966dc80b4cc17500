// Callers who see the same rows share a read of a field's values.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const url = await createDatabase(
  'create table notes (id int primary key, topic text)',
  "insert into notes values (1, 'Alpha'), (2, 'Beta')",
);
const db = await connect(url);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { desk: connectionTo(url) } }),
    'lenses/notes/lens.yaml': `
name: notes
title: Notes
description: Notes.
connection: desk
datasets:
  notes:
    source: public.notes
    description: Notes.
    primary_key: [id]
    fields: {id: {datatype: integer}, topic: {datatype: string}}
`,
  },
});
const base = await svc.listen();
const ask = async (signal?: AbortSignal) => {
  const reply = await fetch(`${base}/v1/lenses/notes/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ q: 'number of alpha notes' }),
    ...(signal && { signal }),
  });
  return [reply.status, ((await reply.json()) as { data: unknown }).data];
};
const countWaiting = async () =>
  (await db.query("select count(*)::int as n from pg_locks where not granted and locktype = 'relation'")).rows[0].n;

it('doesn’t cancel the ask of a caller who waits for the read of another caller who disconnects', async () => {
  await db.query('begin');
  await db.query('lock table notes in access exclusive mode');
  const disconnect = new AbortController();
  const canceledAsk = ask(disconnect.signal).catch(() => null);
  await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThan(0);
  const waitingAsk = ask();
  await sleep(500);
  disconnect.abort();
  await canceledAsk;
  await sleep(500);
  await db.query('commit');
  expect(await waitingAsk).toEqual([200, [{ notes_count: 1 }]]);
});
