import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const LENS = 'lenses/billing/lens.yaml';
const FACTS = `facts:
  - {kind: join, of: invoices.customer_id, says: customers.customer_id, origin: inferred, evidence: all 120 values are in customers.customer_id}
  - {kind: join, of: tickets.customer_id, says: customers.customer_id, origin: declared, evidence: foreign key}
  - {kind: aggregation, of: invoices.amount, says: sum, origin: inferred, evidence: its name is that of an amount}
  - {kind: time_field, of: tickets, says: opened_at, origin: inferred, evidence: "80 of 80 rows have it"}
  - {kind: key, of: customers, says: customer_id, origin: inferred, evidence: unique in 12 rows}
`;
const apply = async (facts: string, more: Record<string, string> = {}) => {
  const sent = { ...files, ...more, [LENS]: `${files[LENS]}${facts}` };
  const reply = await app.admin('POST', '/project/apply', { files: sent });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const files = await loadProjectFolder(BILLING);
const app = await startTestApp({ project: BILLING, files });
await app.listen();

const query = async (q: string): Promise<Envelope> => (await app.post('/v1/lenses/billing/query', { q })).body;
const postMetrics = async (body: object): Promise<Envelope> =>
  (await app.post('/v1/lenses/billing/metrics', body)).body;
const postSql = async (text: string): Promise<Envelope> =>
  (await app.post('/v1/sql', { lens: 'billing', sql: text, limit: 100 })).body;
const postChat = async (content: string): Promise<Envelope> =>
  (await app.post('/v1/chat/completions', { model: 'svc/billing', messages: [{ role: 'user', content }] })).body.svc;
async function askOverMcp(tool: string, args: Record<string, unknown>): Promise<Envelope> {
  const client = new Client({ name: 'test', version: '1' });
  const { port } = app.app.server.address() as { port: number };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${app.callerKey}` } },
    }),
  );
  const toolResult = await client.callTool({ name: tool, arguments: args });
  await client.close();
  return toolResult.structuredContent as unknown as Envelope;
}
const factsOf = ({ checks }: Envelope) => checks.find(({ name }) => name === 'facts_confirmed');

/** The same question on each surface. */
const SURFACES: [string, () => Promise<Envelope>][] = [
  ['question', () => query('billed by state')],
  ['plan', () => postMetrics({ metrics: ['billed'], dimensions: ['customers.state'] })],
  [
    'SQL that equals a plan',
    () =>
      postSql(
        'select c.state, sum(i.amount) as billed from main.invoices i left join main.customers c on i.customer_id = c.customer_id group by c.state order by billed desc',
      ),
  ],
  ['chat', () => postChat('billed by state')],
  ['MCP question', () => askOverMcp('query', { lens: 'billing', q: 'billed by state' })],
  [
    'MCP plan',
    () => askOverMcp('query_metrics', { lens: 'billing', metrics: ['billed'], dimensions: ['customers.state'] }),
  ],
];

describe('a lens written by its author', () => {
  it.each(SURFACES)('%s: grades an answer verified, because the lens has no inferred facts', async (_door, ask) => {
    const envelope = await ask();
    expect(envelope).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(factsOf(envelope)?.outcome).toBe('not_applicable');
  });
});

describe('facts inferred by a draft', () => {
  beforeAll(() => apply(FACTS));

  it.each(SURFACES)(
    '%s: grades an answer partial, with each fact, its evidence and the command to confirm it',
    async (_door, ask) => {
      const envelope = await ask();
      expect(envelope).toMatchObject({ status: 'answered', confidence: 'partial' });
      expect(factsOf(envelope)).toMatchObject({ outcome: 'fail', critical: false });
      const { detail } = factsOf(envelope)!;
      expect(detail).toContain(
        'invoices.customer_id refers to customers.customer_id (all 120 values are in customers.customer_id)',
      );
      expect(detail).toContain('invoices.amount is aggregated by sum (its name is that of an amount)');
      expect(detail).toContain(
        'npx svc lens facts billing --confirm join:invoices.customer_id aggregation:invoices.amount',
      );
      expect(detail).not.toContain('tickets');
    },
  );

  it.each<[string, string | object, string]>(caseRows(import.meta.dirname, 'graded.jsonl'))(
    'grades an answer by the inferred facts that it depends on: %s',
    async (_what, asked, confidence) => {
      const envelope = await (typeof asked === 'string' ? query(asked) : postMetrics(asked));
      expect([envelope.status, envelope.confidence, factsOf(envelope)?.detail]).toEqual([
        'answered',
        confidence,
        confidence === 'partial' ? expect.stringContaining('Not confirmed') : expect.anything(),
      ]);
    },
  );

  it('no longer lower the grade after they are confirmed', async () => {
    await apply(FACTS.replaceAll('origin: inferred', 'origin: confirmed, by: ada, at: 2026-01-31'));
    for (const [, ask] of SURFACES) expect((await ask()).confidence).toBe('verified');
  });
});

describe('a row policy through an inferred join', () => {
  const policies = `row_policies:
  - {name: own-state, dataset: invoices, filter: "customers.state = {caller.state}"}
`;
  const certified = `- id: invoices
  question: How many invoices are there?
  sql: select count(*) as n from main.invoices
  approved_by: ada
  approved_at: 2026-01-31
`;
  let key: string;
  beforeAll(async () => {
    const rep = { name: 'rep', lenses: ['billing'], attributes: { state: 'Ohio' } };
    ({ key } = await app.mintCaller(rep));
  });
  const askEach = async (facts: string) => {
    await apply(`${facts}${policies}`, { 'lenses/billing/certified/core.yaml': certified });
    const ask = async (path: string, body: object, token = key): Promise<Envelope> =>
      (await app.post(path, body, token)).body;
    return Promise.all([
      ask('/v1/lenses/billing/metrics', { measures: [{ fn: 'count', rows: 'invoices' }] }),
      ask('/v1/sql', { lens: 'billing', sql: 'select count(*) as n from main.invoices' }),
      ask('/v1/lenses/billing/certified/invoices/run', {}),
      ask('/v1/lenses/billing/metrics', { metrics: ['invoice_count'] }, app.adminToken),
    ]);
  };

  it('lowers the grade of plans, SQL and certified answers to which the policy applies', async () => {
    const [plan, sql, entry, elsewhere] = await askEach(FACTS);
    for (const envelope of [plan, sql, entry]) {
      expect(envelope.scope?.row_policies).toEqual(['own-state']);
      expect([envelope.status, envelope.confidence]).toEqual(['answered', 'partial']);
      expect(factsOf(envelope)?.facts).toEqual(['join:invoices.customer_id']);
    }
    expect(elsewhere.confidence).toBe('verified');
  });

  it('no longer lowers the grade after the join is confirmed', async () => {
    const confirmed = FACTS.replace('origin: inferred, evidence: all', 'origin: confirmed, evidence: all');
    for (const envelope of await askEach(confirmed)) expect(envelope.confidence).toBe('verified');
  });
});

describe('a manual edit of a lens file', () => {
  it('makes facts outdated, and the plan warns about them', async () => {
    const edited = FACTS.replace('says: sum', 'says: latest').replace(
      'of: tickets.customer_id',
      'of: tickets.customer',
    );
    expect((await apply(edited)).warnings).toEqual([
      expect.stringContaining('tickets.customer'),
      expect.stringContaining('The lens now says "sum"'),
    ]);
    expect(factsOf(await query('billed'))?.outcome).toBe('pass');
  });

  it('with two entries for one fact is a problem in the plan', async () => {
    const sent = { ...files, [LENS]: `${files[LENS]}${FACTS}${FACTS.split('\n')[1]}\n` };
    const reply = await app.admin('POST', '/project/plan', { files: sent });
    expect(reply.body.problems).toEqual([expect.objectContaining({ code: 'duplicate', path: LENS })]);
  });
});

describe('a field that a draft guessed to be averaged', () => {
  it('is summed when the caller chooses sum, and graded partial', async () => {
    const averaged = files[LENS]!.replace(
      'amount: {datatype: decimal,',
      'amount: {datatype: decimal, aggregation: average,',
    ).replace(/ {2}billed: .*\n/, '');
    const fact = `facts: [{kind: aggregation, of: invoices.amount, says: average, origin: inferred, evidence: its name}]\n`;
    const lens = { ...files, [LENS]: averaged + fact };
    const own = await app.addTenant('averaged', lens);
    const ask = async (choices: Record<string, string>): Promise<Envelope> =>
      (await app.post('/v1/lenses/billing/query', { q: 'total invoice amount', choices }, own.callerKey)).body;
    const { clarification } = await ask({});
    expect(clarification).toMatchObject({
      term: 'invoices.amount',
      message: 'A draft guessed that amount is averaged, not summed. Choose one: sum, average, highest.',
    });
    const summed = await ask({ 'invoices.amount': 'sum' });
    expect(summed).toMatchObject({ status: 'answered', confidence: 'partial' });
    expect(summed.sql).toContain('sum(');
  });
});

describe('facts of metrics and codes', () => {
  const facts = `facts:
  - {kind: aggregation, of: invoices.amount, says: sum, origin: inferred, evidence: its name is that of an amount}
  - {kind: key, of: invoices, says: invoice_id, origin: inferred, evidence: 2 rows share a value, withdrawn: 2026-01-31}
  - {kind: codes, of: tickets.channel, says: email=letters, origin: inferred, evidence: a table of codes}
`;
  const lens = files[LENS]!.replace(
    /( {2}billed: .*\n)/,
    '$1  billed_per_invoice: {expression: "metric(billed) / nullif(metric(invoice_count), 0)"}\n',
  ).replace(
    'channel: {datatype: string, values: auto}',
    'channel: {datatype: string, values: [{value: email, synonyms: [letters]}]}',
  );

  let tenant: Awaited<ReturnType<typeof app.addTenant>>;
  beforeAll(async () => {
    tenant = await app.addTenant('metrics', { ...files, [LENS]: lens + facts });
  });

  it.each<[string, object, string[]]>([
    ['metrics in a metric', { metrics: ['billed_per_invoice'] }, ['aggregation:invoices.amount', 'key:invoices']],
    ['a sum alone', { metrics: ['billed'] }, ['aggregation:invoices.amount']],
    ['a count of rows whose key the data contradicts', { metrics: ['invoice_count'] }, ['key:invoices']],
    [
      'a condition on codes',
      { metrics: ['ticket_count'], filters: [{ field: 'channel', values: ['email'] }] },
      ['codes:tickets.channel'],
    ],
    ['codes that the answer shows', { metrics: ['ticket_count'], dimensions: ['tickets.channel'] }, []],
  ])('lower the grade of an answer that depends on them: %s', async (_about, plan, expected) => {
    const { body } = await app.post<Envelope>('/v1/lenses/billing/metrics', plan, tenant.callerKey);
    expect([body.confidence, factsOf(body)?.facts ?? []]).toEqual([
      expected.length > 0 ? 'partial' : 'verified',
      expected,
    ]);
    if (expected.includes('codes:tickets.channel'))
      expect(factsOf(body)!.detail).toContain('codes of tickets.channel mean email=letters (a table of codes)');
  });
});
