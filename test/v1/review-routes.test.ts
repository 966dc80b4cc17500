import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestTenant } from '../support/app.ts';

const svc = await startTestApp();
const otherTenant: TestTenant = await svc.addTenant('other');
const colleague = (await svc.mintCaller({ name: 'colleague', lenses: ['shop'] })).key;
const requestId = (await svc.post('/v1/lenses/shop/query', { q: 'What was revenue in 2016?' })).body.request_id;

const raise = (body: object, token?: string, headers?: Record<string, string>) =>
  svc.post('/v1/reviews', body, token, headers);

describe('review routes', () => {
  it('open a ticket on an answer to this caller, with a correction', async () => {
    const reply = await raise({ request_id: requestId, note: 'Too low', correction: { answer: '400 USD' } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      status: 'open',
      request_id: requestId,
      lens: 'shop',
      note: 'Too low',
      correction: { answer: '400 USD' },
      ruling: null,
      comments: [],
    });
    expect(reply.body.tracking_url).toBe(`http://127.0.0.1:8080/app/reviews/${reply.body.ticket_id}`);
    expect((await svc.get(`/v1/reviews/${reply.body.ticket_id}`)).body).toEqual(reply.body);
  });

  it('list all tickets on this caller’s requests by page, newest first', async () => {
    const byAdmin = await raise({ request_id: requestId, note: 'seen by an admin' }, svc.adminToken);
    const first = await svc.get('/v1/reviews?limit=1');
    expect(first.body.items[0].ticket_id).toBe(byAdmin.body.ticket_id);
    const second = await svc.get(`/v1/reviews?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.items[0].note).toBe('Too low');
    expect((await svc.get('/v1/reviews', colleague)).body.items).toEqual([]);
  });
});

describe('refuses', () => {
  it('a request that svc didn’t serve, an unknown ticket, and unknown members', async () => {
    expect((await raise({ request_id: randomUUID() })).status).toBe(404);
    expect((await svc.get(`/v1/reviews/${randomUUID()}`)).status).toBe(404);
    expect((await raise({ request_id: requestId, correction: { sqll: 'select 1' } })).body.error.message).toContain(
      'Did you mean sql?',
    );
  });
});

describe('isolation', () => {
  it('refuses another caller’s request and ticket, and treats another tenant’s ids like random ids', async () => {
    const ticket = (await raise({ request_id: requestId })).body.ticket_id;
    expect((await raise({ request_id: requestId }, colleague)).status).toBe(403);
    expect((await svc.get(`/v1/reviews/${ticket}`, colleague)).status).toBe(403);
    for (const token of [otherTenant.callerKey, otherTenant.adminToken]) {
      const alike = async (id: string) => {
        const [reviewReply, read] = [await raise({ request_id: id }, token), await svc.get(`/v1/reviews/${id}`, token)];
        return [reviewReply, read].map(({ status, body }) => [status, { ...body.error, request_id: '' }]);
      };
      expect(await alike(requestId)).toEqual(await alike(randomUUID()));
      expect(await alike(ticket)).toEqual(await alike(randomUUID()));
    }
    expect((await svc.get('/v1/reviews', otherTenant.adminToken)).body.items).toEqual([]);
  });
});
