import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();

it('lists rows by a visible field when their name is masked', async () => {
  const { body } = await svc.post('/v1/lenses/shop/query', { q: 'order lines with sales above 200' });
  expect(body).toMatchObject({ status: 'answered', row_count: 2 });
  expect(Object.keys(body.data[0])).toContain('row_id');
  expect(Object.keys(body.data[0])).not.toContain('customer_name');
});

it('returns null for a masked field that the question names, and does not grade the answer verified', async () => {
  const { body } = await svc.post('/v1/lenses/shop/query', { q: 'customer name of order lines with sales above 200' });
  expect(body.data).toEqual([{ customer_name: null }, { customer_name: null }]);
  expect(body.confidence).not.toBe('verified');
});

it('names the masked field in the refusal of a question that groups by it', async () => {
  const { body } = await svc.post('/v1/lenses/shop/query', { q: 'revenue by customer name' });
  expect(body).toMatchObject({
    status: 'refused',
    answer: expect.stringContaining('The field orders.customer_name is masked'),
  });
});
