import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let svc: TestApp;
beforeAll(async () => {
  svc = await startTestApp();
});
afterAll(() => svc?.close());

describe('answers', () => {
  it('answers a question with its SQL, citations, grade, freshness, request id and receipt', async () => {
    const reply = await svc.post('/v1/lenses/shop/query', { q: 'What was revenue in the West in 2016?' });
    expect(reply.body).toMatchObject({
      status: 'answered',
      lens: 'shop',
      data: [{ revenue: 350.5 }],
      confidence: 'verified',
      data_as_of: '2017-12-24T00:00:00.000Z',
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['x-request-id']).toBe(reply.body.request_id);
    expect(reply.body.receipt.request_id).toBe(reply.body.request_id);
  });
});
