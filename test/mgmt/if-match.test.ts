import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const svc = await startTestApp();
const make = async (path: string, body: object) => (await svc.post(path, body, svc.adminToken)).body;
const caller = await make('/mgmt/callers', { name: 'ada', groups: ['sales'] });
const user = await make('/mgmt/users', {
  email: 'eve@example.com',
  password: 'correct horse battery',
  role: 'viewer',
});
const term = await make('/mgmt/semantic/definitions', { term: 'active', meaning: 'Bought lately.' });
const entity = await make('/mgmt/semantic/entities', {
  name: 'people',
  entity: { source: 'main.people', fields: { id: { datatype: 'integer' } } },
});
await make('/mgmt/lenses/shop/evals', { id: 'first', question: 'What is revenue?', expect: { status: 'answered' } });
await make('/mgmt/lenses/shop/certified', {
  cert_id: 'all',
  question: 'How many lines?',
  sql: 'select count(*) as n from main.orders',
});
const connection = await make('/mgmt/connections', {
  name: 'spare',
  kind: 'postgres',
  host: '127.0.0.1',
  port: 1,
  database: 'x',
  user: 'reader',
});
const envelope = await svc.post('/v1/lenses/shop/query', { q: 'What is revenue?' });
const ticket = (await svc.post('/v1/reviews', { request_id: envelope.body.request_id, note: 'Hm' })).body;
const ids: Record<string, string> = {
  caller: caller.id,
  user: user.id,
  term: term.id,
  entity: entity.id,
  connection: connection.id,
  ticket: ticket.ticket_id,
};

type Edit = [what: string, read: string, method: 'PUT' | 'PATCH' | 'POST', edit: string, first: object, second: object];
const EDITS: Edit[] = caseRows(import.meta.dirname, 'if-match.jsonl');

const fillIds = (path: string) => path.replace(/:(\w+)/g, (_whole, name: string) => ids[name]!);
/** The ETag of a GET, or that of an item in a list. */
async function tagOf(path: string): Promise<string> {
  const [url, id] = fillIds(path).split('#') as [string, string | undefined];
  const { body, headers } = await svc.get(url, svc.adminToken);
  return id === undefined ? String(headers['etag']) : body.items.find((item: { id: string }) => item.id === id).etag;
}
const send = ([, , method, edit]: Edit, payload: object, tag?: string) =>
  svc.send({ method, url: fillIds(edit), payload, token: svc.adminToken, headers: tag ? { 'if-match': tag } : {} });

describe.each(EDITS)('%s', (...edit) => {
  const [, read, , , first, second] = edit;
  it('is changed with its current ETag, and not with a stale one', async () => {
    const old = await tagOf(read);
    expect(old).toMatch(/^"[^"]+"$/);
    expect(await tagOf(read)).toBe(old);
    expect((await send(edit, first, old)).status).toBe(200);
    const currentTag = await tagOf(read);
    expect(currentTag).not.toBe(old);
    const staleReply = await send(edit, second, old);
    expect([staleReply.status, staleReply.body.error.code]).toEqual([412, 'precondition_failed']);
    expect(await tagOf(read)).toBe(currentTag);
    expect((await send(edit, second, currentTag)).status).toBe(200);
    expect((await send(edit, first)).status).toBe(200);
    expect((await send(edit, first, 'no tag')).status).toBe(400);
  });
});

it('accepts one of several concurrent edits of the same state', async () => {
  for (const edit of EDITS.filter(([what]) => what !== 'a review')) {
    const [editName, read, , , first, second] = edit;
    await send(edit, first);
    const tag = await tagOf(read);
    const replies = await Promise.all(Array.from({ length: 4 }, () => send(edit, second, tag)));
    expect(replies.map(({ status }) => status).sort(), editName).toEqual([200, 412, 412, 412]);
  }
});
