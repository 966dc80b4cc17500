// Saved conversations. Each conversation belongs to its author. Other people can open a shared conversation and see its
// request ids. To see the answers, they must ask the questions again with their own access.
import type { z } from 'zod';
import type { changedThread, Thread, ThreadList } from '../../contract/threads.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { mayUseLens, ownerIdOf, type Principal } from '../identity/principal.ts';
import type { StoredTrace, TraceRepository } from '../observe/trace-repository.ts';
import { getOwnTrace } from '../receipts/verify-receipt.ts';
import * as rows from './thread-repository.ts';

export interface ThreadDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
}

const MAX_TURNS = 200;
const MAX_TITLE_LENGTH = 200;
const TRAILING_HIGH_SURROGATE = /[\ud800-\udbff]$/;

export async function startThread(
  deps: ThreadDeps,
  principal: Principal,
  input: { request_id: string; title?: string | undefined },
): Promise<Thread> {
  const owner = ownerIdOf(principal);
  const { route, ...turn } = await readTurn(deps, principal, input.request_id);
  const title = (input.title ?? turn.question ?? (route === 'sql' ? 'An SQL statement' : 'A plan'))
    .slice(0, MAX_TITLE_LENGTH)
    .replace(TRAILING_HIGH_SURROGATE, '');
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const id = await rows.insertThread(db, { owner, title });
    await rows.addTurn(db, id, turn);
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
      throw new Problem('conflict', `This conversation has ${MAX_TURNS} questions. Start another one.`);
    await rows.addTurn(db, thread.id, turn);
    return readThread(db, principal, thread.id);
  });
}

export const openThread = (deps: ThreadDeps, principal: Principal, id: string): Promise<Thread> =>
  deps.tenancy.inTenant(principal.orgId, (db) => readThread(db, principal, id));

export function changeThread(
  deps: ThreadDeps,
  principal: Principal,
  id: string,
  change: z.infer<typeof changedThread>,
): Promise<Thread> {
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const thread = await requireOwnThread(db, principal, id);
    await rows.updateThread(db, thread.id, change);
    return readThread(db, principal, thread.id);
  });
}

export const removeThread = (deps: ThreadDeps, principal: Principal, id: string): Promise<void> =>
  deps.tenancy.inTenant(principal.orgId, async (db) =>
    rows.deleteThread(db, (await requireOwnThread(db, principal, id)).id),
  );

export async function listOwnThreads(
  deps: ThreadDeps,
  principal: Principal,
  page: Omit<Parameters<typeof rows.listThreads>[1], 'owner'>,
): Promise<ThreadList['items']> {
  const owner = ownerIdOf(principal);
  const threadRows = await deps.tenancy.inTenant(principal.orgId, (db) => rows.listThreads(db, { owner, ...page }));
  return threadRows.map((row) => threadSummary(row, true));
}

async function readTurn(
  deps: ThreadDeps,
  principal: Principal,
  requestId: string,
): Promise<rows.NewTurn & Pick<StoredTrace, 'route'>> {
  const trace = await getOwnTrace(deps, principal, requestId, 'request_id');
  const { question, lens } = trace.envelope;
  return { request_id: trace.requestId, question, lens, route: trace.route };
}

async function requireOwnThread(db: TenantClient, principal: Principal, id: string): Promise<rows.ThreadRow> {
  const thread = await rows.findThread(db, id);
  if (!thread) throw threadNotFoundProblem();
  if (thread.owner !== ownerIdOf(principal))
    throw new Problem('forbidden', 'This conversation belongs to another person. Only they can change it.');
  return thread;
}

async function readThread(db: TenantClient, principal: Principal, id: string): Promise<Thread> {
  const thread = await rows.findThread(db, id);
  if (!thread) throw threadNotFoundProblem();
  const isOwn = thread.owner === ownerIdOf(principal);
  if (!isOwn && !thread.shared)
    throw new Problem(
      'forbidden',
      'This conversation belongs to another person and is not shared. Ask them to share it.',
    );
  const turns = await rows.listTurns(db, thread.id);
  const visibleTurns = isOwn ? turns : turns.filter(({ lens }) => lens !== null && mayUseLens(principal, lens));
  return {
    ...threadSummary(thread, isOwn),
    turns: visibleTurns.map((turn) => ({ ...turn, question: isOwn ? turn.question : null })),
    withheld: turns.length - visibleTurns.length,
  };
}

const threadSummary = (row: rows.ThreadRow, isOwn: boolean): ThreadList['items'][number] => ({
  id: row.id,
  title: isOwn ? row.title : null,
  shared: row.shared,
  own: isOwn,
  turns: row.turns,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const threadNotFoundProblem = (): Problem =>
  new Problem('not_found', 'There is no conversation with this id. It may have been deleted.');
