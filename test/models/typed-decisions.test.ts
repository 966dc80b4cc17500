// typed_decisions: off, ok, degraded(<reason>) after three consecutive failures, and ok again.
import { describe, expect, it } from 'vitest';
import { CANNOT, scriptRoles, startModelsApp } from './models-app.ts';

const app = await startModelsApp();

const STRANGE = 'How much dough did the shop rake in?';
const REFUSAL = JSON.stringify({
  choices: [
    { message: { role: 'assistant', content: null, refusal: 'I cannot help with that.' }, finish_reason: 'stop' },
  ],
});
const fetchState = async () => {
  const { status, body } = await app.svc.get('/ready', null);
  return [status, body.checks.typed_decisions.status];
};
const waitUntil = async (wantedState: string) => {
  const deadline = Date.now() + 25_000;
  while ((await fetchState())[1] !== wantedState && Date.now() < deadline)
    await new Promise((next) => setTimeout(next, 250));
  return fetchState();
};

describe('typed decisions', () => {
  it('degrade with a reason at the third consecutive failure, and recover at the first success', async () => {
    expect(await fetchState()).toEqual([200, 'ok']);
    app.models.script({ status: 401 });
    await app.ask(STRANGE);
    await app.ask(STRANGE);
    expect(await fetchState()).toEqual([200, 'ok']);
    await app.ask(STRANGE);
    expect(await fetchState()).toEqual([503, 'degraded(status_401)']);
    // While degraded, svc skips the model, except for one attempt every five seconds.
    const before = app.models.requests.filter(({ structured }) => structured).length;
    for (let ask = 0; ask < 5; ask++) expect(await app.ask(STRANGE)).toMatchObject({ status: 'refused' });
    expect(await app.ask('What was revenue in 2017?')).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(app.models.requests.filter(({ structured }) => structured).length - before).toBeLessThanOrEqual(1);
    app.models.script(scriptRoles({ decides: CANNOT }));
    expect(await waitUntil('ok')).toEqual([200, 'ok']);
  });

  it.each([
    ['match no schema', { say: { verdict: 'revenue' } }],
    ['aren’t JSON', { say: 'I think it is revenue.' }],
    ['are cut by a token limit', { say: '{"kind": "pl', finish: 'length' }],
    ['use null for absent members', { say: { kind: 'plan', plan: { metrics: null, limit: null } } }],
    ['are refusals of the provider', { raw: REFUSAL }],
    ['are filtered', { say: 'Rev', finish: 'content_filter' }],
  ])('do not degrade when the answers %s', async (_what, decides) => {
    app.models.script(scriptRoles({ decides, writesSql: { say: 'UNANSWERABLE' } }));
    for (let ask = 0; ask < 4; ask++) await app.ask(STRANGE);
    expect(await fetchState()).toEqual([200, 'ok']);
  });

  it('are off when the configuration turns them off', async () => {
    const off = await startModelsApp('typed_decisions: off\nmodels: {fast: {model: f}, smart: {model: s}}\n');
    const { body } = await off.svc.get('/ready', null);
    expect(body).toMatchObject({ status: 'ready', checks: { typed_decisions: { status: 'off' } } });
    expect(body.info.models).toMatchObject({ fast: { model: 'f' }, smart: { model: 's' } });
    off.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: 'UNANSWERABLE' } }));
    await off.ask(STRANGE);
    expect(off.models.requests.some(({ structured }) => structured)).toBe(false);
  });
});
