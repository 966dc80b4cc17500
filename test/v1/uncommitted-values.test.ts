import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const files = await loadProjectFolder(SHOP);
const lens = files['lenses/shop/lens.yaml']!;
files['lenses/shop/lens.yaml'] = lens
  .replace(/, values: \[Central, East, South, West\]/, '')
  .replace(/, values: \[\{value: Home Office.*Corporate\]\}/, '}');
expect(files['lenses/shop/lens.yaml']).not.toMatch(/values:/);
const svc = await startTestApp({ files });
const west = (
  await svc.mintCaller({ name: 'westerner', lenses: ['shop'], groups: ['field'], attributes: { region: 'West' } })
).key;

const ask = async (q: string, key?: string): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/shop/query', { q }, key)).body;

describe('a value without a dictionary', () => {
  it('is found in upper and lower case', async () => {
    expect(await ask('revenue in the west')).toMatchObject({
      status: 'answered',
      confidence: 'verified',
      scope: { filters: [{ field: 'orders.region', values: ['West'] }] },
    });
  });

  it('is proven absent on the metrics route, with the existing values as options', async () => {
    const { body } = await svc.post<Envelope>('/v1/lenses/shop/metrics', {
      metrics: ['revenue'],
      filters: [{ field: 'region', op: '=', values: ['Nort'] }],
    });
    expect(body).toMatchObject({
      status: 'clarification',
      receipt: null,
      clarification: { kind: 'unknown_value', term: 'orders.region', value: 'Nort' },
    });
    expect(body.clarification!.options).toContain('West');
  });

  it('is neither confirmed nor denied if a row policy hides it, and no option reveals it', async () => {
    const envelope = await ask('revenue in the East', west);
    // The reply may repeat the caller's word, as for any unknown value, but no other value.
    expect(JSON.stringify(envelope)).not.toMatch(/Central|South/);
    expect(envelope.status).not.toBe('clarification');
    expect(envelope.confidence).not.toBe('verified');
    const nowhere = await ask('revenue in the Wast', west);
    expect([envelope.status, envelope.confidence, envelope.data]).toEqual([
      nowhere.status,
      nowhere.confidence,
      nowhere.data,
    ]);
    const { body } = await svc.post<Envelope>(
      '/v1/lenses/shop/metrics',
      { metrics: [], dimensions: ['region'], filters: [{ field: 'region', op: '=', values: ['East'] }] },
      west,
    );
    expect(body).toMatchObject({
      status: 'answered',
      row_count: 0,
      empty: { reason: 'filtered_by_policy' },
      scope: { row_policies: ['own-region'] },
    });
    expect(body.confidence).not.toBe('verified');
  });

  it('is looked up for each caller separately', async () => {
    expect(await ask('revenue in the West', west)).toMatchObject({ status: 'answered' });
    expect(await ask('revenue in the East')).toMatchObject({
      status: 'answered',
      confidence: 'verified',
      scope: { row_policies: [] },
    });
  });
});
