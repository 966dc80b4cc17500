import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectWith, demoProject } from '../demo/identity-provider.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { History } from '../support/history.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts';

describe('F21: an unavailable embedding service', () => {
  let svc: TestApp;
  let endpoint: ModelServer;
  let project: string;
  beforeAll(async () => {
    endpoint = await startModelServer({ status: 500 });
    project = await createProjectWith(
      `models: {embedder: {provider: openai, model: embed-1, base_url: "${endpoint.baseUrl}", api_key: none, exact_band: 0.9}}`,
    );
    svc = await startTestApp({ project });
  });

  it.each(['failing', 'silent'])(
    'leaves /ready passing, and svc plans questions instead of matching them: %s',
    async (failure) => {
      endpoint.script(failure === 'silent' ? { silence: true } : { status: 500 });
      const history = new History();
      const startedAt = performance.now();
      // This is exactly an approved question. With a working embedder, svc would match it.
      for (let turn = 0; turn < 3; turn++) {
        const reply = await svc.post('/v1/lenses/shop/query', {
          q: 'What is revenue by region?',
          format: 'structured',
        });
        history.add(svc.orgId, svc.callerKey, reply);
        expect(reply.body, reply.text).toMatchObject({ status: 'answered', certified_id: null });
      }
      expect(performance.now() - startedAt, 'three asks while nobody embeds').toBeLessThan(25_000);
      const metrics = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] });
      expect(metrics.status).toBe(200);
      expect((await svc.get('/ready', null)).status).toBe(200);
      await checkInvariants(svc, history);
    },
  );
});

describe('F21: an unavailable identity provider', () => {
  let svc: TestApp;
  let provider: TokenIssuer;
  let project: string;
  beforeAll(async () => {
    provider = await startTokenIssuer('svc-demo');
    project = await demoProject(provider.issuer);
    svc = await startTestApp({ project, env: { SVC_DEMO_ORG_ID: 'default' } });
  });
  afterEach(() => {
    vi.useRealTimers();
    provider.set('up');
  });
  const fetchLenses = (token: string) => svc.get('/v1/lenses', token);
  /** Advances the clock beyond the time in which svc doesn't fetch keys again. */
  const advanceClock = () => {
    clockOffsetMs += 15_000;
    vi.useFakeTimers({ toFake: ['Date'], now: performance.timeOrigin + performance.now() + clockOffsetMs });
  };
  let clockOffsetMs = 0;

  it('is named in the sign-in error, while caller keys work, and sign-in recovers', async () => {
    provider.set('failing');
    const signInReply = await svc.get('/auth/start?provider=demo&return_to=%2Fdemo', null);
    expect(signInReply.status, signInReply.text).toBe(503);
    expect(signInReply.text).toMatch(/sign-in provider is not responding/);
    expect((await fetchLenses(await provider.token())).status).toBe(503);
    expect((await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] })).status).toBe(200);
    expect((await svc.get('/ready', null)).status).toBe(200);
    provider.set('up');
    const waitOptions = { timeout: 15_000, interval: 200 };
    await vi.waitFor(async () => expect((await fetchLenses(await provider.token())).status).toBe(200), waitOptions);
    expect((await svc.get('/auth/start?provider=demo&return_to=%2Fdemo', null)).status).toBe(303);
  });

  it('is asked for unknown keys at most twice for 40 tokens, and a rotated key is accepted', async () => {
    expect((await fetchLenses(await provider.token())).status).toBe(200);
    advanceClock();
    const before = provider.fetches();
    const strange = await Promise.all(Array.from({ length: 40 }, (_, n) => provider.token({ kid: `strange-${n}` })));
    for (const { status } of await Promise.all(strange.map(fetchLenses))) expect(status).toBe(401);
    expect(provider.fetches() - before).toBeLessThanOrEqual(2);
    advanceClock();
    const old = await provider.token();
    await provider.rotate();
    expect((await fetchLenses(await provider.token())).status).toBe(200);
    expect((await fetchLenses(old)).status, 'signed with a key that was withdrawn').toBe(401);
  });

  it('makes svc answer 503 with Retry-After instead of 401 when its keys can’t be fetched', async () => {
    advanceClock();
    await provider.rotate();
    const token = await provider.token();
    provider.set('failing');
    const lensReply = await fetchLenses(token);
    expect(lensReply.status, lensReply.text).toBe(503);
    expect(lensReply.headers['retry-after']).toBeDefined();
    provider.set('up');
    advanceClock();
    expect((await fetchLenses(token)).status).toBe(200);
  });
});
