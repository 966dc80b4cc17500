import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { decision, startModelsApp } from './models-app.ts';

const app = await startModelsApp();

const QUESTION = 'how much dough did the place rake in out West';
const routeQuestion = async (): Promise<Envelope> => (await app.svc.post<Envelope>('/v1/query', { q: QUESTION })).body;
const script = (lens: string | null) =>
  app.models.script((request) => {
    if (!request.structured) return { status: 500 };
    if (request.user.includes('<lenses')) return { say: { lens } };
    return {
      say: decision('plan', {
        plan: { metrics: ['revenue'], filters: [{ field: 'region', op: '=', values: ['West'] }] },
      }),
    };
  });

it('answers from the lens that the model names, states so, and does not grade it verified', async () => {
  script('shop');
  const envelope = await routeQuestion();
  expect(envelope).toMatchObject({
    status: 'answered',
    lens: 'shop',
    plan: 'compiled',
    routing: { lens: 'shop', why: expect.stringMatching(/model/) },
  });
  expect(envelope.confidence).not.toBe('verified');
});

it.each([
  ['no lens', null],
  ['a lens that is not granted', 'secret-lens'],
])('returns uncovered when the model names %s', async (_what, lens) => {
  script(lens);
  expect(await routeQuestion()).toMatchObject({ status: 'uncovered', lens: null, receipt: null });
});

it('returns uncovered with suggestions when the model fails', async () => {
  app.models.script({ status: 500 });
  const envelope = await routeQuestion();
  expect(envelope.status).toBe('uncovered');
  expect(envelope.suggestions!.length).toBeGreaterThan(0);
});
