// svc checks every plan from a model or a caller: it also interprets the question itself, and both statements must be
// equal. This interpretation may ignore only words that restrict nothing. svc asks for clarification about undefined
// terms, and the reply goes to review.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { SHOP } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';
import { CANNOT, decision, scriptRoles, startModelsApp } from './models-app.ts';

const app = await startModelsApp();

const reads = (plan: object) =>
  app.models.script(scriptRoles({ decides: { say: decision('plan', { plan }) }, writesSql: { say: 'UNANSWERABLE' } }));
const checkOf = ({ checks }: Envelope, name: string) => checks.find((check) => check.name === name);

const rowsOf = <Row>(heading: string) => caseRows<Row>(import.meta.dirname, 'proof.jsonl', heading);
const revenue = { metrics: ['revenue'] };
const byRegion = { dimensions: ['orders.region'] };
const west = { filters: [{ field: 'orders.region', op: '=', values: ['West'] }] };

/** Each question has a word that svc doesn't know. */
const RIGHT = rowsOf<[question: string, plan: object]>('right plans');
const WRONG = rowsOf<[question: string, what: string, plan: object]>('wrong plans');

describe('a plan of a language model', () => {
  it.each(RIGHT)('is verified if svc reads the same statement: %s', async (question, plan) => {
    reads(plan);
    const answer = await app.ask(question);
    expect(answer, JSON.stringify(answer.checks)).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(checkOf(answer, 'reading_proven')).toMatchObject({ outcome: 'pass', critical: false });
    expect(app.models.requests).toHaveLength(1);
  });

  it.each(WRONG)('is not verified if it answers another question: “%s”, %s', async (question, _what, plan) => {
    reads(plan);
    const answer = await app.ask(question);
    expect(answer, answer.answer ?? '').toMatchObject({
      status: 'answered',
      confidence: expect.not.stringMatching(/^verified$/),
    });
    expect(checkOf(answer, 'reading_proven')).toMatchObject({ outcome: 'unknown' });
  });

  it('is tested with more than 30 wrong plans', () => expect(WRONG.length).toBeGreaterThan(30));

  // Each of these words may restrict the rows. Only a person may decide that it doesn't.
  it.each('late new open actual net active former online realized obtained performed interested'.split(' '))(
    'is partial if it leaves out “%s”',
    async (word) => {
      reads({ ...revenue, ...byRegion });
      const answer = await app.ask(`${word} revenue by region`);
      expect(answer).toMatchObject({ status: 'answered', confidence: 'partial' });
      expect(checkOf(answer, 'question_covered')!.detail).toMatch(
        new RegExp(`svc can’t account for “${word}”|svc can’t interpret the question`),
      );
    },
  );
});

describe('a plan that is sent with its question', () => {
  const sends = async (question: string, plan: object, leaves_out: string[] = []) =>
    (await app.svc.post<Envelope>('/v1/lenses/shop/metrics', { ...plan, answers: { question, leaves_out } })).body;

  it('is verified if svc reads the same statement, and partial otherwise', async () => {
    const question = 'What revenue was achieved in the West?';
    const right = await sends(question, { ...revenue, ...west });
    expect(right, JSON.stringify(right.checks)).toMatchObject({ confidence: 'verified', answers: { question } });
    expect(checkOf(right, 'reading_proven')).toMatchObject({ outcome: 'pass' });
    for (const [sentQuestion, plan, leftOutWords] of [
      [question, revenue, []],
      [question, { ...revenue, ...west }, ['achieved']],
      ['late revenue in the West', { ...revenue, ...west }, []],
    ] as const)
      expect(await sends(sentQuestion, plan, [...leftOutWords]), sentQuestion).toMatchObject({
        status: 'answered',
        confidence: 'partial',
      });
  });
});

it('does not ignore a filler word that is the synonym of a value in the lens', async () => {
  const shop = await readFile(join(SHOP, 'lenses/shop/lens.yaml'), 'utf8');
  const text = shop
    .replace('name: shop', 'name: funds')
    .replace('Corporate]', '{value: Corporate, synonyms: [performing]}]');
  await app.svc.publishLens('funds', text);
  for (const question of ['revenue by region performing', 'by region performing revenue']) {
    const plan = { ...revenue, ...byRegion, answers: { question, leaves_out: [] } };
    const answer = (await app.svc.post<Envelope>('/v1/lenses/funds/metrics', plan, app.svc.adminToken)).body;
    expect(answer, question).toMatchObject({ status: 'answered', confidence: 'partial' });
  }
});

it('asks about an undefined term, and proposes the reply as a definition in a review', async () => {
  const q = 'What is the GMROI of the shop by region?';
  const plan = { metrics: ['revenue'], dimensions: ['orders.region'] };
  reads(plan);
  const envelope = await app.ask(q);
  expect(envelope).toMatchObject({
    status: 'clarification',
    data: null,
    clarification: { kind: 'ambiguous_term', term: 'GMROI' },
  });
  expect(envelope.clarification!.options).toMatchObject([{ meaning: expect.stringContaining('model') }]);

  app.models.script(
    scriptRoles({
      decides: { say: decision('needs_definition', { missing: [{ term: 'GMROI', taken: 'revenue over stock' }] }) },
    }),
  );
  expect((await app.ask(q)).clarification).toMatchObject({ options: [{ key: 'revenue over stock' }] });
  app.models.script(scriptRoles({ decides: { say: decision('needs_definition', { missing: [{ term: 'GMROI' }] }) } }));
  expect(await app.ask(q)).toMatchObject({ status: 'refused', unplaced: [{ text: 'GMROI', nearest: [] }] });

  reads(plan);
  const askBody = { q, format: 'structured', choices: { GMROI: 'revenue' } };
  for (let nth = 0; nth < 2; nth++) {
    const { body } = await app.svc.post('/v1/lenses/shop/query', askBody);
    expect(body).toMatchObject({ status: 'answered', confidence: 'partial' });
    expect(checkOf(body, 'definitions_known')).toMatchObject({ outcome: 'unknown', critical: true });
  }
  expect(app.models.requests.at(-1)!.user).toContain('GMROI: revenue');
  const { body: queue } = await app.svc.admin('GET', '/reviews?lens=shop&status=open');
  const proposed = queue.items.filter(({ correction }: { correction: unknown }) => correction);
  expect(proposed).toMatchObject([{ question: q, correction: { term: 'GMROI', definition: 'revenue' } }]);
  const ticket = proposed[0].ticket_id;
  await app.svc.admin('POST', `/reviews/${ticket}/rule`, { ruling: 'accepted' });
  const { body: ruledReview } = await app.svc.admin('GET', `/reviews/${ticket}`);
  expect(ruledReview.patch).toMatchObject({ change: { kind: 'definition', term: 'GMROI', meaning: 'revenue' } });
});

it('offers the names of the lens that resemble an undefined term, with their meanings', async () => {
  const missing = [{ term: 'REVENU', taken: null }];
  app.models.script(scriptRoles({ decides: { say: decision('needs_definition', { missing }) } }));
  expect((await app.ask('What dough is the REVENU by region?')).clarification).toEqual({
    kind: 'ambiguous_term',
    term: 'REVENU',
    message:
      '“REVENU” is not defined in this lens. Which of these do you mean? If none of them fits, give its meaning in choices, {"REVENU": "…"}. svc then proposes this meaning as the definition.',
    options: [{ key: 'revenue', label: 'revenue', meaning: 'Revenue is what customers paid, less discounts.' }],
  });
});

it('ignores a model that reports a known name as undefined', async () => {
  const missingTerms = [{ term: 'region', taken: 'x' }];
  app.models.script(
    scriptRoles({
      decides: { say: decision('needs_definition', { missing: missingTerms }) },
      writesSql: { say: 'UNANSWERABLE' },
    }),
  );
  expect(await app.ask('How much dough by region?')).toMatchObject({ status: 'refused' });
  app.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: 'UNANSWERABLE' } }));
});

describe('an unknown word that a model resolves', () => {
  const listPatches = async () => {
    const { body } = await app.svc.admin('GET', '/lenses/shop/patches?status=draft');
    return body.items as { id: string; change: object; reason: string; created_by: string }[];
  };
  const alone = async (question: string) => {
    app.models.script({ status: 500 });
    const answer = await app.ask(question);
    expect(answer, answer.answer ?? '').toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(app.models.requests, 'no model is asked').toHaveLength(0);
    return answer;
  };

  it.each<[string, object, object, string]>(rowsOf('patches'))(
    'becomes a patch for “%s”, and no model is needed once it is approved',
    async (question, plan, change, confidence) => {
      reads(plan);
      const before = await app.ask(question);
      expect(before, JSON.stringify(before.checks)).toMatchObject({ status: 'answered', confidence });
      await app.ask(question);
      const draftedPatches = (await listPatches()).filter((patch) => isDeepStrictEqual(patch.change, change));
      expect(draftedPatches, JSON.stringify(await listPatches())).toMatchObject([
        { change, created_by: 'svc', reason: expect.stringContaining(question) },
      ]);
      const path = `/mgmt/lenses/shop/patches/${draftedPatches[0]!.id}/approve`;
      const approved = await app.svc.post(path, {}, app.svc.adminToken);
      expect(approved.status, approved.text).toBe(200);
      expect((await alone(question)).data).toEqual(before.data);
    },
  );

  it('becomes no patch if it may restrict the question, or if there are several', async () => {
    const before = await listPatches();
    for (const question of ['mostly revenue by region', 'flimsy blue revenue by region']) {
      reads({ ...revenue, ...byRegion });
      expect(await app.ask(question)).toMatchObject({
        status: 'answered',
        confidence: expect.not.stringMatching(/^verified$/),
      });
    }
    expect(await listPatches()).toEqual(before);
  });
});
