import { expect, it } from 'vitest';
import { startModelsApp } from '../models/models-app.ts';

const app = await startModelsApp();

it('returns the approved meaning verbatim, without a warehouse and without a model', async () => {
  const { svc, models } = app;
  svc.deps.warehouses.get = () => {
    throw new Error('a warehouse was asked for');
  };
  const { status, body } = await svc.get('/v1/definitions?term=revenue');
  expect(status).toBe(200);
  const expectedMeaning = 'Revenue is what customers paid, less discounts.';
  expect(body.items).toEqual(
    expect.arrayContaining([expect.objectContaining({ term: 'revenue', meaning: expectedMeaning, lens: 'shop' })]),
  );
  // A metric without a definition has its description as its meaning.
  for (const term of ['profit_ratio', 'Profit ratio'])
    expect((await svc.get(`/v1/definitions?term=${encodeURIComponent(term)}`)).body.items).toEqual([
      {
        ...{ lens: 'shop', term: 'profit_ratio', meaning: 'Profit divided by sales.', metric: 'profit_ratio' },
        ...{ synonyms: [], senses: [] },
      },
    ]);
  expect((await svc.get('/v1/definitions?term=marginn')).body).toMatchObject({ items: [], suggestions: ['margin'] });
  expect(models.requests).toHaveLength(0);
  // Asks fail, which proves that the warehouse is unreachable.
  expect((await svc.post('/v1/lenses/shop/query', { q: 'revenue by region' })).status).toBe(500);
});
