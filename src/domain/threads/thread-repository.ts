// Reads and writes the conversations of one organization, and their requests.

import { isId, newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface ThreadRow {
  id: string;
  owner: string;
  title: string;
  shared: boolean;
  created_at: Date;
  updated_at: Date;
  turns: number;
}
export interface TurnRow {
  request_id: string;
  question: string | null;
  lens: string | null;
}
export type NewTurn = TurnRow;

const SELECT = `select id, owner, title, shared, created_at, updated_at,
    (select count(*)::int from svc.thread_turns n where n.org_id = t.org_id and n.thread_id = t.id) as turns
  from svc.threads t`;

/**
 * The number of conversations that svc keeps for each owner. svc deletes the least recently used conversations first.
 */
const MAX_THREADS = 1000;

export async function insertThread(db: TenantClient, thread: { owner: string; title: string }): Promise<string> {
  const id = newId();
  await db.run(
    `delete from svc.threads where id in (
       select id from svc.threads where owner = $1 order by updated_at desc, id offset $2)`,
    [thread.owner, MAX_THREADS - 1],
  );
  await insertRows(db, 'threads', [{ id, owner: thread.owner, title: thread.title }]);
  return id;
}

/** Locks the thread's row, so that simultaneous turns are added one after the other. */
export async function addTurn(db: TenantClient, threadId: string, turn: NewTurn): Promise<void> {
  await db.run('update svc.threads set updated_at = now() where id = $1', [threadId]);
  await db.run(
    `insert into svc.thread_turns (org_id, thread_id, position, request_id, lens, question)
     select $1, $2, coalesce(max(position), 0) + 1, $3, $4, $5 from svc.thread_turns where thread_id = $2`,
    [db.orgId, threadId, turn.request_id, turn.lens, turn.question],
  );
}

export async function findThread(db: TenantClient, id: string): Promise<ThreadRow | null> {
  if (!isId(id)) return null;
  return db.first<ThreadRow>(`${SELECT} where t.id = $1`, [id]);
}

export const listTurns = (db: TenantClient, threadId: string): Promise<TurnRow[]> =>
  db.rows<TurnRow>('select request_id, question, lens from svc.thread_turns where thread_id = $1 order by position', [
    threadId,
  ]);

/**
 * Lists the most recently used conversation first. `after` is the position of the last conversation on the previous
 * page.
 */
export const listThreads = (
  db: TenantClient,
  page: { owner: string; q: string | undefined; limit: number; after: { at: string; id: string } | null },
): Promise<ThreadRow[]> =>
  db.rows<ThreadRow>(
    `${SELECT} where t.owner = $1
       and ($2::text is null or strpos(lower(t.title), lower($2)) > 0 or exists (
         select from svc.thread_turns n
         where n.org_id = t.org_id and n.thread_id = t.id and strpos(lower(n.question), lower($2)) > 0))
       and ($3::timestamptz is null or (date_trunc('milliseconds', t.updated_at), t.id) < ($3, $4::uuid))
     order by date_trunc('milliseconds', t.updated_at) desc, t.id desc limit $5`,
    [page.owner, page.q ?? null, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  );

export async function updateThread(
  db: TenantClient,
  id: string,
  change: { title?: string | undefined; shared?: boolean | undefined },
): Promise<void> {
  await db.run('update svc.threads set title = coalesce($2, title), shared = coalesce($3, shared) where id = $1', [
    id,
    change.title ?? null,
    change.shared ?? null,
  ]);
}

export async function deleteThread(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.threads where id = $1', [id]);
}

export async function deleteThreadsOf(db: TenantClient, owner: string): Promise<void> {
  await db.run('delete from svc.threads where owner = $1', [owner]);
}

export async function deleteThreadsBefore(db: TenantClient, cutoff: Date): Promise<void> {
  await db.run('delete from svc.threads where updated_at < $1', [cutoff]);
}
