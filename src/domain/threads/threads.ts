// Other people who open a shared conversation see only its request ids. To see the answers, they must ask the questions
// again with their own access.
import type { z } from 'zod';
import type { changedThreadSchema, newThreadSchema, Thread, ThreadList } from '../../contract/saved.ts';
import { toWireObject, type WireObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { canUseLens, getOwnerId, type Principal } from '../identity/principal.ts';
import type { StoredTrace, TraceRepository } from '../observe/trace-repository.ts';
import { getAccessibleTrace } from '../receipts/verify-receipt.ts';

export interface ThreadDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
}

interface ThreadRow extends Omit<ThreadList['items'][number], 'title' | 'created_at' | 'updated_at'> {
  title: string;
  created_at: Date;
  updated_at: Date;
}
type Turn = Thread['turns'][number];

const MAX_TURNS = 200;
const MAX_TITLE_LENGTH = 200;
const TRAILING_HIGH_SURROGATE_PATTERN = /[\ud800-\udbff]$/;
/** svc deletes the owner's least recently used conversations first. */
const MAX_THREADS = 1000;

/** `own` is true if the conversation belongs to the owner $1. */
const SELECT_THREADS = `select id, title, shared, owner = $1 as own, created_at, updated_at,
    (select count(*)::int from svc.thread_turns n where n.org_id = t.org_id and n.thread_id = t.id) as turns
  from svc.threads t`;

export async function startThread(
  deps: ThreadDeps,
  principal: Principal,
  input: z.infer<typeof newThreadSchema>,
): Promise<Thread> {
  const owner = getOwnerId(principal);
  const { route, ...turn } = await readTurn(deps, principal, input.request_id);
  const title = (input.title ?? turn.question ?? (route === 'sql' ? 'An SQL statement' : 'A plan'))
    .slice(0, MAX_TITLE_LENGTH)
    .replace(TRAILING_HIGH_SURROGATE_PATTERN, '');
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    await db.run(
      `delete from svc.threads where id in (
         select id from svc.threads where owner = $1 order by updated_at desc, id offset $2)`,
      [owner, MAX_THREADS - 1],
    );
    const id = createId();
    await insertRows(db, 'threads', [{ id, owner, title }]);
    await addTurn(db, id, turn);
    return readThread(db, principal, id);
  });
}

export async function continueThread(
  deps: ThreadDeps,
  principal: Principal,
  id: string,
  requestId: string,
): Promise<Thread> {
  const turn = await readTurn(deps, principal, requestId);
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const thread = await requireOwnThread(db, principal, id);
    if (thread.turns >= MAX_TURNS)
      throw new Problem('conflict', `This conversation has ${MAX_TURNS} questions. Start another conversation.`);
    await addTurn(db, thread.id, turn);
    return readThread(db, principal, thread.id);
  });
}

/** The update locks the thread's row, so that simultaneous turns are added one after the other. */
async function addTurn(db: TenantClient, threadId: string, turn: Turn): Promise<void> {
  await db.run('update svc.threads set updated_at = now() where id = $1', [threadId]);
  await db.run(
    `insert into svc.thread_turns (org_id, thread_id, position, request_id, lens, question)
     select $1, $2, coalesce(max(position), 0) + 1, $3, $4, $5 from svc.thread_turns where thread_id = $2`,
    [db.orgId, threadId, turn.request_id, turn.lens, turn.question],
  );
}

export const getThread = (deps: ThreadDeps, principal: Principal, id: string): Promise<Thread> =>
  deps.tenancy.inTenant(principal.orgId, (db) => readThread(db, principal, id));

export function changeThread(
  deps: ThreadDeps,
  principal: Principal,
  id: string,
  { title, shared }: z.infer<typeof changedThreadSchema>,
): Promise<Thread> {
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const thread = await requireOwnThread(db, principal, id);
    const values = [thread.id, title, shared];
    await db.run(
      'update svc.threads set title = coalesce($2, title), shared = coalesce($3, shared) where id = $1',
      values,
    );
    return readThread(db, principal, thread.id);
  });
}

export const deleteThread = (deps: ThreadDeps, principal: Principal, id: string): Promise<void> =>
  deps.tenancy.inTenant(principal.orgId, async (db) => {
    const thread = await requireOwnThread(db, principal, id);
    await db.run('delete from svc.threads where id = $1', [thread.id]);
  });

/** The most recently used conversation comes first. */
export async function listOwnThreads(
  deps: ThreadDeps,
  principal: Principal,
  { q, after, limit }: RowPage<{ at: string; id: string }> & { q: string | undefined },
): Promise<ThreadList['items']> {
  const threads = await deps.tenancy.inTenant(principal.orgId, (db) =>
    db.rows<ThreadRow>(
      `${SELECT_THREADS} where t.owner = $1
         and ($2::text is null or strpos(lower(t.title), lower($2)) > 0 or exists (
           select from svc.thread_turns n
           where n.org_id = t.org_id and n.thread_id = t.id and strpos(lower(n.question), lower($2)) > 0))
         and ($3::timestamptz is null or (date_trunc('milliseconds', t.updated_at), t.id) < ($3, $4::uuid))
       order by date_trunc('milliseconds', t.updated_at) desc, t.id desc limit $5`,
      [getOwnerId(principal), q, after?.at, after?.id, limit],
    ),
  );
  return threads.map(toWireObject<ThreadRow>);
}

async function readTurn(
  deps: ThreadDeps,
  principal: Principal,
  requestId: string,
): Promise<Turn & Pick<StoredTrace, 'route'>> {
  const trace = await getAccessibleTrace(deps, principal, requestId, 'request_id');
  const { question, lens } = trace.envelope;
  return { request_id: trace.requestId, question, lens, route: trace.route };
}

async function findThread(db: TenantClient, principal: Principal, id: string): Promise<ThreadRow> {
  const thread = isId(id)
    ? await db.first<ThreadRow>(`${SELECT_THREADS} where t.id = $2`, [getOwnerId(principal), id])
    : null;
  return requireFound(thread, 'There is no conversation with this id. It may have been deleted.');
}

async function requireOwnThread(db: TenantClient, principal: Principal, id: string): Promise<ThreadRow> {
  const thread = await findThread(db, principal, id);
  if (!thread.own)
    throw new Problem('forbidden', 'This conversation belongs to another person. Only that person can change it.');
  return thread;
}

async function readThread(db: TenantClient, principal: Principal, id: string): Promise<Thread> {
  const { own, title, ...thread }: WireObject<ThreadRow> = toWireObject(await findThread(db, principal, id));
  if (!own && !thread.shared)
    throw new Problem(
      'forbidden',
      'This conversation belongs to another person and is not shared. Ask that person to share it.',
    );
  const turns = await db.rows<Turn>(
    'select request_id, question, lens from svc.thread_turns where thread_id = $1 order by position',
    [thread.id],
  );
  const visibleTurns = own ? turns : turns.filter(({ lens }) => lens !== null && canUseLens(principal, lens));
  return {
    ...{ ...thread, own, title: own ? title : null },
    turns: visibleTurns.map((turn) => ({ ...turn, question: own ? turn.question : null })),
    withheld: turns.length - visibleTurns.length,
  };
}
