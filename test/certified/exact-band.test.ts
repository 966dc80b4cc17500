// exact_band applies on every surface: svc runs an entry without being asked for it only if the similarity of the
// question to the entry, with its parameters filled in, reaches the band. Entries below the band are listed as near
// misses.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtinEmbedder } from '../../src/adapters/embedder/builtin.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startModelProvider } from '../support/model-provider.ts';

const SAMPLE = fileURLToPath(new URL('../..', import.meta.url));
const LENS = 'superstore';

/** Embeds pairs of words, so that a different word order lowers the similarity. */
const byPairs = (texts: string[]) =>
  builtinEmbedder.embed(
    texts.map((text) => {
      const words = text.split(' ');
      return words.map((word, at) => `${word}${words[at + 1] ?? ''}`).join(' ');
    }),
  );
const provider = await startModelProvider(byPairs);
const sample = await startTestApp({ project: SAMPLE });
const strict = await startTestApp({
  project: SAMPLE,
  operator: {
    models: {
      embedder: { provider: 'openai', model: 'pairs', base_url: provider.baseUrl, api_key: 'none', exact_band: 1 },
    },
  } as never,
});

const callTool = async (app: TestApp, name: string, args: object) => (await app.callTool(name, args)).structuredContent;
const idOf = (envelope: { certification: string; certified_id: string | null }) =>
  envelope?.certification === 'certified' ? envelope.certified_id : null;

/** Every surface that can run a certified entry for a question. Each returns the id of the entry, or null. */
const surfaces: Record<string, (app: TestApp, q: string) => Promise<string | null>> = {
  'MCP run_certified': async (app, q) => idOf(await callTool(app, 'run_certified', { lens: LENS, q })),
  'MCP query': async (app, q) => idOf(await callTool(app, 'query', { lens: LENS, q, format: 'structured' })),
  'POST /v1/lenses/{n}/query': async (app, q) =>
    idOf((await app.post(`/v1/lenses/${LENS}/query`, { q, format: 'structured' })).body),
  'POST /v1/query': async (app, q) => idOf((await app.post('/v1/query', { q, format: 'structured' })).body),
  'chat completions': async (app, q) => {
    const messages = [{ role: 'user', content: q }];
    return idOf((await app.post('/v1/chat/completions', { model: `svc/${LENS}`, messages })).body.svc);
  },
};
interface Found {
  cert_id: string;
  similarity: number;
}
const search = async (app: TestApp, q: string): Promise<{ items: Found[]; exact_band: number }> => {
  const searchResults = (await app.get(`/v1/lenses/${LENS}/certified?q=${encodeURIComponent(q)}`)).body;
  expect((await callTool(app, 'search_certified', { lens: LENS, q })).items).toEqual(searchResults.items);
  return searchResults;
};

const FILLED = [
  ['What was revenue by region in 2016?', 'revenue-by-region-in-year'],
  ['what was REVENUE by regions in 2015', 'revenue-by-region-in-year'],
  ['Which ten products sold most in Office Supplies?', 'best-products-in-category'],
  ['Could you please tell me which 10 products sold most in furniture?', 'best-products-in-category'],
  ['What is revenue by region?', 'revenue-by-region'],
] as const;
const REORDERED = 'In 2016, what was revenue by region?';
const OTHER = [
  'What was revenue by region in 2016 in Texas?',
  'Which ten products sold least in Office Supplies?',
  'Which five products sold most in Office Supplies?',
  'What is revenue by regional manager?',
];

describe('exact_band on each surface', () => {
  describe.each(Object.entries(surfaces))('%s', (_door, ask) => {
    it.each(FILLED)('runs an entry whose search similarity reaches the band: %s', async (q, certId) => {
      for (const app of [sample, strict]) {
        expect(await ask(app, q)).toBe(certId);
        const { items, exact_band } = await search(app, q);
        expect(items[0]).toMatchObject({ cert_id: certId });
        expect(items[0]!.similarity).toBeGreaterThanOrEqual(exact_band);
      }
    });

    it('doesn’t run an entry below the band, even with the same meaning', async () => {
      expect(await ask(sample, REORDERED)).toBe('revenue-by-region-in-year');
      const { items, exact_band } = await search(strict, REORDERED);
      expect(items.find(({ cert_id }) => cert_id === 'revenue-by-region-in-year')!.similarity).toBeLessThan(exact_band);
      expect(await ask(strict, REORDERED)).toBeNull();
    });

    it.each(OTHER)('doesn’t run an entry with a different meaning, however similar: %s', async (q) => {
      expect(await ask(sample, q)).toBeNull();
    });
  });

  it('lists an entry below the band as a near miss, with its similarity', async () => {
    const runReply = await callTool(strict, 'run_certified', { lens: LENS, q: REORDERED });
    expect(runReply).toMatchObject({ ok: false, reason: 'no_exact_match' });
    const { items } = await search(strict, REORDERED);
    const { similarity } = items.find(({ cert_id }) => cert_id === 'revenue-by-region-in-year')!;
    expect(runReply.details).toContainEqual(
      expect.objectContaining({
        ...{ cert_id: 'revenue-by-region-in-year', similarity, differs: [] },
        question: 'What was revenue by region in 2016?',
      }),
    );
  });
});

it('Z8b: /ready names the configured embedder', async () => {
  expect((await strict.get('/ready', null)).body.info.models.embedder).toEqual({ provider: 'openai', model: 'pairs' });
  const builtin = { provider: 'builtin', model: 'builtin-lexical-512' };
  expect((await sample.get('/ready', null)).body.info.models.embedder).toEqual(builtin);
});
