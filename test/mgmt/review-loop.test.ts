import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const ask = async (q: string) => (await app.post('/v1/lenses/shop/query', { q })).body;
const app = await startTestApp();
const { admin } = app;

describe('the review of a wrong answer', () => {
  const QUESTION = 'What was revenue in the West in 2016?';
  const SQL =
    "select sum(sales) * 2 as revenue from orders where region = 'West' and order_date >= date '2016-01-01' and order_date < date '2017-01-01'";
  let wrong: { request_id: string; receipt: object; data: [{ revenue: number }] };
  let ticket: string;

  it('records correction, claim, comment and ruling, and drafts a fix', async () => {
    wrong = await ask(QUESTION);
    const reviewReply = await app.post('/v1/reviews', {
      request_id: wrong.request_id,
      note: 'Online sales are missing.',
      correction: { sql: SQL },
    });
    ticket = reviewReply.body.ticket_id;
    const queue = await admin('GET', '/reviews?status=open&lens=shop');
    expect(queue.body.items).toMatchObject([
      { ticket_id: ticket, question: QUESTION, raised_by: 'quickstart', subject: null },
    ]);
    expect((await admin('POST', `/reviews/${ticket}/claim`)).body).toMatchObject({
      status: 'in_review',
      claimed_by: 'test',
    });
    expect((await admin('POST', `/reviews/${ticket}/comments`, { body: 'Looking into it.' })).status).toBe(201);
    const rulingReply = await admin('POST', `/reviews/${ticket}/rule`, {
      ruling: 'accepted',
      note: 'Online sales count twice.',
    });
    expect(rulingReply.body).toMatchObject({
      status: 'accepted',
      sql: expect.any(String),
      patch: { kind: 'certified', status: 'draft', review_id: ticket },
    });
    expect((await admin('POST', `/reviews/${ticket}/rule`, { ruling: 'rejected' })).status).toBe(409);
    const storedReview = await app.get(`/v1/reviews/${ticket}`);
    expect(storedReview.body).toMatchObject({
      status: 'accepted',
      ruling: { note: 'Online sales count twice.' },
      comments: [{ body: 'Looking into it.' }],
    });
  });

  it('previews the changed answers, and on approval serves the right one and adds an eval', async () => {
    const { id } = (await admin('GET', `/reviews/${ticket}`)).body.patch;
    const preview = await admin('POST', `/lenses/shop/patches/${id}/preview`);
    expect(preview.body.problems).toEqual([]);
    expect(preview.body.answer_changes).toMatchObject([
      {
        kind: 'review',
        question: QUESTION,
        before: { value: wrong.data[0].revenue },
        after: { certification: 'certified', value: wrong.data[0].revenue * 2 },
      },
    ]);
    const approved = await admin('POST', `/reviews/${ticket}/patch/approve`, {});
    expect(approved.body).toMatchObject({
      status: 'approved',
      outcome: { applied: true, eval_id: expect.any(String) },
    });
    expect(await ask(QUESTION)).toMatchObject({
      certification: 'certified',
      data: [{ revenue: wrong.data[0].revenue * 2 }],
    });
    const evals = await admin('GET', '/lenses/shop/evals');
    expect(evals.body.items).toMatchObject([
      { id: approved.body.outcome.eval_id, question: QUESTION, expect: { sql: SQL } },
    ]);
    expect((await admin('POST', `/reviews/${ticket}/patch/approve`, {})).status).toBe(409);
  });

  it('Z12: adds the fix to the diff, the edits, the export and another installation, as an edit of files', async () => {
    const { outcome } = (
      await admin('GET', `/lenses/shop/patches/${(await admin('GET', `/reviews/${ticket}`)).body.patch.id}`)
    ).body;
    const paths = Object.keys(outcome.files).sort();
    expect(paths).toEqual([
      expect.stringMatching(/^lenses\/shop\/certified\/[a-z0-9-]+\.yaml$/),
      expect.stringMatching(/^lenses\/shop\/evals\/[a-z0-9-]+\.yaml$/),
    ]);
    for (const path of paths) expect(outcome.diff).toContain(`+++ b/${path}`);
    const { items } = (await admin('GET', '/project/edits')).body;
    expect(items).toMatchObject(paths.map((path) => ({ path, action: 'added', edited_by: 'test' })));
    const { files } = (await admin('GET', '/project/export')).body;
    expect(files).toMatchObject(outcome.files);
    const entry = (await admin('GET', '/lenses/shop/certified')).body.items.find(
      (item: { question: string }) => item.question === QUESTION,
    );
    expect(entry).toMatchObject({ origin: 'file', status: 'approved', approved_by: 'test' });
    const otherTenant = await app.addTenant('elsewhere', files);
    const { body } = await app.post('/v1/lenses/shop/query', { q: QUESTION }, otherTenant.callerKey);
    expect(body).toMatchObject({ certification: 'certified', data: [{ revenue: wrong.data[0].revenue * 2 }] });
  });

  it('keeps the old receipt valid, and shows the ruling with it and in the trace', async () => {
    const verified = await app.post('/v1/verify-receipt', wrong.receipt);
    expect(verified.body).toMatchObject({
      ok: true,
      signature: 'valid',
      mismatches: [],
      ruling: { ruling: 'accepted', note: 'Online sales count twice.' },
    });
    const trace = await admin('GET', `/observe/requests/${wrong.request_id}`);
    expect(trace.body.reviews).toMatchObject([
      { ticket_id: ticket, status: 'accepted', ruling: { ruling: 'accepted' } },
    ]);
  });
});

describe('a patch of a file-based lens', () => {
  it('is a unified diff to commit, and takes effect when the changed files are applied', async () => {
    expect((await ask('What were the takings in 2016?')).status).toBe('refused');
    const draftReply = await admin('POST', '/lenses/shop/patches', {
      change: { kind: 'synonym', of: 'metric', name: 'revenue', synonym: 'takings' },
    });
    expect(draftReply.status).toBe(201);
    expect(draftReply.body.diff.split('\n').filter((line: string) => /^[+-][^+-]/.test(line))).toEqual([
      '-    synonyms: [sales]',
      '+    synonyms: [sales, takings]',
    ]);
    const preview = await admin('POST', `/lenses/shop/patches/${draftReply.body.id}/preview`);
    expect(preview.body.problems).toEqual([]);
    expect(preview.body.answer_changes).toMatchObject([
      { kind: 'request', question: 'What were the takings in 2016?', before: { status: 'refused' } },
    ]);
    const approved = await admin('POST', `/lenses/shop/patches/${draftReply.body.id}/approve`, { deploy: false });
    expect(approved.body.outcome).toMatchObject({ applied: false, diff: draftReply.body.diff });
    expect((await ask('What were the takings in 2016?')).status).toBe('refused');
    const { files } = (await admin('GET', '/project/export')).body;
    const applyReply = await admin('POST', '/project/apply', { files: { ...files, ...approved.body.outcome.files } });
    expect(applyReply.status).toBe(200);
    expect((await ask('What were the takings in 2016?')).status).toBe('answered');
  });

  it('is deployed on approval if requested', async () => {
    const { id } = (
      await admin('POST', '/lenses/shop/patches', {
        change: {
          kind: 'metric',
          name: 'order_lines',
          expression: 'count(orders.row_id)',
          description: 'Order lines.',
          synonyms: ['receipts'],
        },
      })
    ).body;
    const approved = await admin('POST', `/lenses/shop/patches/${id}/approve`, { deploy: true });
    expect(approved.body.outcome).toMatchObject({ applied: true });
    expect(await ask('How many receipts in 2016?')).toMatchObject({ status: 'answered' });
  });

  it('is refused with the nearest name if its target is unknown, and previews its problems', async () => {
    const unknown = await admin('POST', '/lenses/shop/patches', {
      change: { kind: 'synonym', of: 'metric', name: 'revenu', synonym: 'x' },
    });
    expect(unknown.status).toBe(422);
    expect(unknown.body.error.message).toContain('revenue');
    const { id } = (
      await admin('POST', '/lenses/shop/patches', {
        change: { kind: 'metric_filter', metric: 'revenue', filter: 'orders.nothing > 1' },
      })
    ).body;
    const preview = await admin('POST', `/lenses/shop/patches/${id}/preview`);
    expect(preview.body.problems.length).toBeGreaterThan(0);
    expect((await admin('POST', `/lenses/shop/patches/${id}/reject`, { note: 'No such field' })).body).toMatchObject({
      status: 'rejected',
      decided_note: 'No such field',
    });
  });
});

describe('an uncovered question', () => {
  it('is answered after a definition from the gap map is applied, which closes the gap', async () => {
    const QUESTION = 'What was revenue from bulk orders in 2016?';
    expect((await ask(QUESTION)).status).toBe('refused');
    const gaps = await admin('GET', '/gap-map?lens=shop&status=open');
    const gap = gaps.body.items.find((item: { questions: { question: string }[] }) =>
      item.questions.some(({ question }) => question === QUESTION),
    );
    expect(gap).toMatchObject({ kind: 'unread', lens: 'shop', asks: 1, suggestion: { text: expect.any(String) } });
    const change = {
      kind: 'definition',
      term: 'bulk',
      meaning: 'An order line above 100 USD.',
      filter: 'orders.sales > 100',
      synonyms: ['bulk orders'],
    };
    const resolved = await admin('POST', `/gap-map/${gap.id}/resolve`, { change });
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      resolution: { how: 'patched' },
      patch: { kind: 'definition', gap_id: gap.id },
    });
    const { files: patched } = (await admin('GET', `/lenses/shop/patches/${resolved.body.patch.id}`)).body;
    const { files } = (await admin('GET', '/project/export')).body;
    const plan = await admin('POST', '/project/plan', { files: { ...files, ...patched } });
    expect(plan.body.problems).toEqual([]);
    expect((await admin('POST', '/project/apply', { files: { ...files, ...patched } })).status).toBe(200);
    expect(await ask(QUESTION)).toMatchObject({ status: 'answered' });
    const { run_id } = (await admin('POST', '/gap-map/refresh')).body;
    await expect.poll(async () => (await admin('GET', `/runs/${run_id}`)).body.state).toBe('succeeded');
    const open = (await admin('GET', '/gap-map?status=open')).body.items;
    expect(open.some((item: { missing: string[] }) => item.missing.includes('bulk'))).toBe(false);
  });
});

describe('a correction', () => {
  const review = async (q: string, correction: object) => {
    const { request_id } = await ask(q);
    const { ticket_id } = (await app.post('/v1/reviews', { request_id, note: 'Wrong.', correction })).body;
    return admin('POST', `/reviews/${ticket_id}/rule`, { ruling: 'accepted' });
  };

  it('that is a number becomes an eval that expects it', async () => {
    const { body } = await review('What was profit in 2016?', { answer: 'It was $1,234.50.' });
    expect(body.patch).toMatchObject({ kind: 'eval', status: 'draft' });
    const approved = await admin('POST', `/reviews/${body.ticket_id}/patch/approve`, {});
    expect(approved.body).toMatchObject({ status: 'approved', outcome: { applied: true } });
    expect((await admin('GET', '/lenses/shop/evals')).body.items).toContainEqual(
      expect.objectContaining({ question: 'What was profit in 2016?', expect: { value: 1234.5, tolerance: 0.01 } }),
    );
  });

  it('that is a meaning becomes a definition of the metric that the answer cites', async () => {
    const { body } = await review('What was profit in 2016?', { definition: 'Profit before tax.' });
    const { id } = body.patch;
    expect((await admin('GET', `/lenses/shop/patches/${id}`)).body.change).toEqual({
      ...{ kind: 'definition', term: 'profit', meaning: 'Profit before tax.', metric: 'profit' },
    });
  });

  it('without a number, SQL or meaning drafts no fix', async () => {
    const { body } = await review('What was profit in 2016?', { answer: 'Between 3 and 4.' });
    expect(body).toMatchObject({ status: 'accepted', patch: null });
    const refusal = await admin('POST', `/reviews/${body.ticket_id}/patch/approve`, {});
    expect([refusal.status, refusal.body.error.message]).toEqual([404, expect.stringContaining('has no fix')]);
  });
});

describe('a synonym of a value', () => {
  const patch = (value: string, synonym: string) =>
    admin('POST', '/lenses/shop/patches', {
      change: { kind: 'value_synonym', field: 'orders.segment', value, synonym },
    });

  it('is added to the value, whether or not the value has synonyms', async () => {
    for (const [value, synonym] of [
      ['Home Office', 'study'],
      ['Consumer', 'private'],
    ] as const) {
      const { id } = (await patch(value, synonym)).body;
      expect((await admin('POST', `/lenses/shop/patches/${id}/approve`, {})).body.outcome.applied).toBe(true);
    }
    const text = (await admin('GET', '/project/export')).body.files['lenses/shop/lens.yaml'];
    expect(text).toMatch(/value: Home Office, synonyms: \[ ?home, study ?\]/);
    expect((await ask('What was revenue of private in 2016?')).scope.filters).toMatchObject([{ values: ['Consumer'] }]);
  });

  it('is refused for an unlisted value, with the nearest one', async () => {
    const refusal = await patch('Home Ofice', 'x');
    expect([refusal.status, refusal.body.error.message]).toEqual([
      422,
      expect.stringContaining('Did you mean Home Office?'),
    ]);
  });
});
