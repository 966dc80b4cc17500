import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const MOST = 65_536;
const MB = 1_048_576;
/** A cell of 8 MB of quotation marks with a short one, and a cell of two-byte characters after a one-byte character. */
const LARGE = `select string_agg(repeat('"', 999), '') as quotes, 'short' as short, 'x' || string_agg(repeat('é', 999), '') as accents
  from orders, range(200)`;
const rowsOf = (count: number, length: number) =>
  `select o.row_id, r.range as n, ${Array(length / 4_000)
    .fill(`repeat('ab"c', 1000)`)
    .join(' || ')} as note
   from orders o, range(${count}) r order by 1, 2 limit ${count}`;
const svc = await startTestApp();

const postSql = (statement: string, headers: Record<string, string> = {}) =>
  svc.post('/v1/sql', { sql: statement, lens: 'shop', limit: 500 }, svc.callerKey, headers);
const callTool = (statement: string) =>
  svc.post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'sql', arguments: { sql: statement, lens: 'shop', limit: 500, receipt: 'full' } },
    },
    svc.callerKey,
    { accept: 'application/json, text/event-stream' },
  );

describe('F4: a cell of several megabytes', () => {
  it('is cut to 64 KB, with a warning and a count by column, and the cut answer verifies', async () => {
    const { status, body } = await postSql(LARGE);
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    const [row] = body.data;
    expect(row.quotes).toBe('"'.repeat(MOST));
    expect(row.short).toBe('short');
    expect(row.accents).toBe(`x${'é'.repeat(MOST / 2 - 1)}`);
    expect(body.columns.map(({ cut_cells = 0 }) => cut_cells)).toEqual([1, 0, 1]);
    expect(body.warnings).toEqual([
      'Cells are cut to their first 64 KB: 1 of “quotes”, 1 of “accents”. Select part of each value to read the rest.',
    ]);
    const verified = await svc.post('/v1/verify-receipt', body.receipt, svc.callerKey);
    expect(verified.body).toMatchObject({ ok: true, signature: 'valid' });
    const compared = await svc.post('/v1/verify', { answer: body }, svc.callerKey);
    expect(compared.body).toMatchObject({ ok: true, rows: 'match', mismatches: [] });
    const forged = { ...body, data: [{ ...row, quotes: `${row.quotes}"` }] };
    expect((await svc.post('/v1/verify', { answer: forged }, svc.callerKey)).body).toMatchObject({ ok: false });
  });

  it('is cut in CSV too, with the number of cut cells in a header', async () => {
    const { headers, text } = await postSql(LARGE, { accept: 'text/csv' });
    expect(headers['x-svc-cut-cells']).toBe('2');
    expect(text).toBe(`quotes,short,accents\r\n"${'""'.repeat(MOST)}",short,x${'é'.repeat(MOST / 2 - 1)}\r\n`);
  });

  it('is cut over MCP too, in the text and in the structured content', async () => {
    const { body } = await callTool(LARGE);
    const { content, structuredContent } = body.result;
    expect(structuredContent.data[0].quotes).toHaveLength(MOST);
    expect(content[0].text).toContain('Warning: Cells are cut to their first 64 KB: 1 of “quotes”');
    expect(JSON.stringify(body).length).toBeLessThan(MB);
  });
});

describe('F4: the reply of a tool', () => {
  it('has at most 1 MB, and says how many of the rows it holds', async () => {
    const { body, text } = await callTool(rowsOf(100, 40_000));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MB);
    const { content, structuredContent } = body.result;
    const returned = structuredContent.data.length;
    expect(returned).toBeGreaterThan(3);
    expect(structuredContent).toMatchObject({ row_count: 100, truncated: { returned, total: 100 } });
    const said = `A tool reply has at most 1 MB, so it contains only ${returned} of these 100 rows.`;
    expect(structuredContent.warnings.join()).toContain(said);
    expect(content[0].text).toContain(`Rows were cut: ${returned} of 100 returned.`);
    expect(content[0].text).toContain(said);
    const verified = await svc.post('/v1/verify-receipt', structuredContent.receipt, svc.callerKey);
    expect(verified.body).toMatchObject({ ok: true, rows_returned: returned });
    const { ok: _tool, ...answer } = structuredContent;
    const compared = await svc.post('/v1/verify', { answer }, svc.callerKey);
    expect(compared.body).toMatchObject({ rows: 'unknown', mismatches: [] });
  });

  it('has all of the same rows over HTTP', async () => {
    const { body } = await postSql(rowsOf(100, 40_000));
    expect(body.data).toHaveLength(100);
    expect(body.truncated).toBeUndefined();
    const compared = await svc.post('/v1/verify-receipt', body.receipt, svc.callerKey);
    expect(compared.body).toMatchObject({ ok: true });
  });
});

describe('F3: a large CSV answer', () => {
  it('has the same content when svc writes it in parts', async () => {
    const { status, body } = await postSql(rowsOf(200, 8_000));
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    const { text, headers } = await postSql(rowsOf(200, 8_000), { accept: 'text/csv' });
    expect(headers['content-length'], 'written at once').toBeUndefined();
    const lines = body.data.map(
      (row: { row_id: number; n: number; note: string }) =>
        `${row.row_id},${row.n},"${row.note.replaceAll('"', '""')}"\r\n`,
    );
    expect(text).toBe(`row_id,n,note\r\n${lines.join('')}`);
  });
});
