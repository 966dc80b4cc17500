import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const OWN_NAME = '- {name: own-name, dataset: orders, filter: "orders.region = {caller.name}", groups: [named]}';
const files = await loadProjectFolder(SHOP);
files['lenses/shop/lens.yaml'] = files['lenses/shop/lens.yaml']!.replace(
  /segment: .*/,
  'segment: {datatype: string, values: auto}',
).replace('row_policies:', `row_policies:\n  ${OWN_NAME}`);
files['svc.config.yaml'] += '  named: {}\n';
const svc = await startTestApp({ files });
const bound = async (name: string, groups: string[], attributes: Record<string, string> = {}) =>
  (await svc.mintCaller({ name, lenses: ['shop'], groups, attributes })).key;
const west = await bound('wendy', ['field'], { region: 'West' });
const south = await bound('South', ['named']);
const central = await bound('Central', ['named']);

const ask = async (q: string, key?: string): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/shop/query', { q }, key)).body;
const postMetrics = async (value: string, key: string): Promise<Envelope> =>
  (
    await svc.post<Envelope>(
      '/v1/lenses/shop/metrics',
      { metrics: ['revenue'], filters: [{ field: 'segment', op: '=', values: [value] }] },
      key,
    )
  ).body;

describe('a value that occurs only in rows hidden by a row policy', () => {
  it.each([
    ['the warehouse holds', 'revenue for segment Hom Office', /Home/],
    ['the lens file lists', 'revenue in the Nort region', /Central|East|South/],
  ])('is not offered as an option for an unknown value when %s it', async (_, q, hidden) => {
    const { clarification, answer } = await ask(q, west);
    expect(JSON.stringify([clarification, answer])).not.toMatch(hidden);
    expect(JSON.stringify((await ask(q)).clarification!.options)).toMatch(hidden);
  });

  it('gets the same reply as a value that does not exist', async () => {
    const visibleParts = ({ status, confidence, data, clarification }: Envelope) => ({
      status,
      confidence,
      data,
      clarification,
    });
    expect(visibleParts(await postMetrics('Home Office', west))).toEqual(
      visibleParts(await postMetrics('No Such Thing', west)),
    );
    expect((await ask('revenue for home office', west)).status).toBe(
      (await ask('revenue for nosuch thing', west)).status,
    );
  });

  it('is readable for callers whose row policy allows it, also by a policy on the name of the caller', async () => {
    expect(await ask('revenue for home office', south)).toMatchObject({ status: 'answered', data: [{ revenue: 20 }] });
    expect((await ask('revenue for home office', central)).status).not.toBe('answered');
    expect(await ask('revenue for corporate', west)).toMatchObject({
      status: 'answered',
      confidence: 'verified',
      data: [{ revenue: 310 }],
    });
  });
});
