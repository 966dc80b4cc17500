import { beforeAll, describe, expect, it } from 'vitest';
import { createProjectWith } from '../demo/identity-provider.ts';
import { CANNOT, type ModelsApp, scriptRoles, startModelsApp } from '../models/models-app.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

const STRANGE = 'How much dough did the shop rake in?';
const PLAIN = 'What was revenue by region in 2016?';
const COULD_NOT = /The language model \S+ \(\w+ entry\) (?:could not be asked|did not answer|did not respond)/;
const SECONDS = 9_000;
const SOON = `
models:
  fast: {model: fast-1, timeout_ms: 5000}
  smart: {model: smart-1, timeout_ms: 5000}
`;

describe('an unavailable language model', () => {
  let app: ModelsApp;
  beforeAll(async () => {
    app = await startModelsApp(SOON);
  });
  const measureTime = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const startedAt = performance.now();
    return [await work(), performance.now() - startedAt];
  };

  it('is named in the refusal within seconds when only a model could read the question', async () => {
    app.models.script({ silence: true });
    const [envelope, seconds] = await measureTime(() => app.ask(STRANGE));
    expect(envelope).toMatchObject({ status: 'refused', receipt: null });
    expect(envelope.answer).toMatch(
      /ask again shortly.*\(fast entry\) did not answer within [\d.]+ s \(timeout\).*timeout_ms.*dough/is,
    );
    expect(envelope.warnings.join()).toMatch(COULD_NOT);
    expect(seconds).toBeLessThan(SECONDS);
    expect(app.models.requests, 'an ask waits once').toHaveLength(1);
  });

  it('is named in a warning when svc words the answer without it', async () => {
    app.models.script({ silence: true });
    const [envelope, seconds] = await measureTime(() => app.ask(PLAIN, 'both'));
    expect(envelope).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(envelope.answer).toContain('350.5');
    expect(envelope.warnings.join()).toMatch(COULD_NOT);
    expect(seconds).toBeLessThan(SECONDS);
  });

  it('is named in the answer to a question that no lens covers', async () => {
    app.models.script({ status: 500 });
    const { body } = await app.svc.post('/v1/query', { q: STRANGE });
    expect(body.status).toBe('uncovered');
    expect(body.answer).toMatch(COULD_NOT);
  });

  it('is named while svc pauses its calls to the model, but not after the model recovers', async () => {
    app.models.script({ status: 401 });
    for (let ask = 0; ask < 3; ask++) await app.ask(STRANGE);
    app.models.script({ silence: true });
    const [resting, seconds] = await measureTime(() => app.ask(STRANGE));
    expect(resting.answer).toMatch(COULD_NOT);
    expect(seconds).toBeLessThan(2_000);
    app.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: 'UNANSWERABLE' } }));
    const until = Date.now() + 15_000;
    while ((await app.svc.get('/ready', null)).status !== 200 && Date.now() < until)
      await new Promise((next) => setTimeout(next, 200));
    const back = await app.ask(STRANGE);
    expect(back).toMatchObject({ status: 'refused', warnings: [] });
    expect(back.answer).not.toMatch(COULD_NOT);
  });

  it('is not named when the answer needs no model, or when the model replies with nonsense', async () => {
    app.models.script({ silence: true });
    expect(await app.ask(PLAIN)).toMatchObject({ status: 'answered', warnings: [] });
    app.models.script(scriptRoles({ decides: { say: { verdict: 1 } }, writesSql: { say: 'UNANSWERABLE' } }));
    expect((await app.ask(STRANGE)).answer).not.toMatch(COULD_NOT);
  });
});

describe('an unavailable embedding service', () => {
  let svc: TestApp;
  let endpoint: ModelServer;
  let project: string;
  beforeAll(async () => {
    endpoint = await startModelServer({ status: 500 });
    const at = `base_url: "${endpoint.baseUrl}", api_key: none`;
    project = await createProjectWith(
      `models: {smart: {provider: openai, model: smart-1, ${at}}, embedder: {provider: openai, model: embed-1, ${at}, exact_band: 0.9}}`,
    );
    svc = await startTestApp({ project });
  });
  const info = async () => (await svc.get('/ready', null)).body.info;

  it.each(['failing', 'silent', 'garbled'])(
    'adds a warning to answers within seconds, and /ready reports the service as failing: %s',
    async (failure) => {
      endpoint.script(
        failure === 'silent'
          ? { silence: true }
          : failure === 'garbled'
            ? { raw: '{"data": [{"index": 7}]}' }
            : { status: 500 },
      );
      const startedAt = performance.now();
      const q = `What is revenue by ${failure === 'silent' ? 'segment' : 'region'}?`;
      const { body } = await svc.post('/v1/lenses/shop/query', { q, format: 'structured' });
      expect(body, JSON.stringify(body)).toMatchObject({ status: 'answered', certified_id: null });
      expect(body.warnings.join()).toMatch(/embedding service did not respond/);
      const routed = await svc.post('/v1/query', { q: 'Which supplier is cheapest?' });
      expect(routed.body.warnings.join()).toMatch(/embedding service did not respond/);
      expect(performance.now() - startedAt).toBeLessThan(SECONDS);
      expect(await info()).toMatchObject({
        embeddings: { status: 'failing', embedder: 'openai:embed-1', detail: expect.any(String) },
        certified_matching: { status: 'failing', exact_band: 0.9 },
      });
      expect((await svc.get('/ready', null)).status).toBe(200);
    },
  );

  it('does not fail an ask that a model can answer without examples', async () => {
    endpoint.script((request) => (request.system ? { say: 'select count(*) as n from main.orders' } : { status: 500 }));
    const { body } = await svc.post('/v1/lenses/shop/query', { q: STRANGE, format: 'structured' });
    expect(body).toMatchObject({ status: 'answered', plan: 'model_sql', data: [{ n: 8 }] });
    expect(body.warnings.join()).toMatch(/embedding service did not respond/);
  });

  it('is reported by /ready before the first ask, and a working service is reported as ok', async () => {
    const defaultApp = await startTestApp();
    const { body } = await defaultApp.get('/ready', null);
    expect(body.info).toMatchObject({
      embeddings: { status: 'ok', embedder: 'builtin-lexical-512', checked_at: expect.any(String) },
      certified_matching: { status: 'ok', exact_band: 0.95, checked_at: expect.any(String) },
    });
    await defaultApp.close();
    const restartedApp = await startTestApp({ project });
    endpoint.script({ status: 500 });
    expect((await restartedApp.get('/ready', null)).body.info.embeddings.status).toBe('failing');
    await restartedApp.close();
  });
});
