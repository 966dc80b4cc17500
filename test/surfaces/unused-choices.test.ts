// A choice answers a clarification. A choice that has no effect never disappears silently.
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const files = await loadProjectFolder(SHOP);
const app = await startTestApp({
  files: {
    ...files,
    'lenses/shop/certified/margin.yaml': `- id: margin-by-region
  question: What is our margin by region?
  sql: select region, sum(profit) as margin from main.orders group by region order by region
  approved_by: ops@example.com
  approved_at: 2026-01-31
`,
  },
});
const ask = async (q: string, choices: Record<string, string>): Promise<Envelope> =>
  (await app.post<Envelope>('/v1/lenses/shop/query', { q, choices })).body;
const noteAbout = (names: string) => expect.stringContaining(`svc did not use ${names} in choices`);

it.each([
  ['revenue in the West', { 'orders.region': 'East' }, '“orders.region: East”'],
  ['revenue by segment', { region: 'West', margin: 'ratio' }, '“region: West”, “margin: ratio”'],
  ['margin by segment', { region: 'West', margin: 'ratio' }, '“region: West”'],
  ['What is revenue by region?', { region: 'West' }, '“region: West”'],
])('says which choices it did not use for "%s" with %j', async (q, choices, names) => {
  expect(await ask(q, choices)).toMatchObject({ status: 'answered', warnings: [noteAbout(names)] });
});

it('says nothing about a choice that it used', async () => {
  for (const [q, choices] of [
    ['margin by segment', { margin: 'ratio' }],
    ['revenue in the Nort region', { 'orders.region': 'Nort' }],
    ['takings by region', { takings: 'revenue' }],
  ] as const)
    expect(JSON.stringify((await ask(q, choices)).warnings)).not.toContain('did not use');
});

it('says so over MCP too', async () => {
  const request = { lens: 'shop', q: 'revenue', choices: { 'orders.region': 'West' } };
  const { structuredContent } = await app.callTool<Envelope>('query', request);
  expect(structuredContent.warnings).toEqual([noteAbout('“orders.region: West”')]);
});

it('prefers the meaning that the caller chose to a certified entry', async () => {
  expect(await ask('What is our margin by region?', {})).toMatchObject({ certified_id: 'margin-by-region' });
  const chosen = await ask('What is our margin by region?', { margin: 'ratio' });
  expect(chosen).toMatchObject({ status: 'answered', certified_id: null, warnings: [] });
  expect(Object.keys(chosen.data![0]!)).toContain('profit_ratio');
});

it('says in a refusal why it did not use a choice, and which forms it accepts', async () => {
  const { status, answer } = await ask('revenue of wombats', { wombats: 'sold_at is missing', gnus: 'West' });
  expect(status).toBe('refused');
  expect(answer).toContain("svc did not use “wombats: sold_at is missing” in choices, because svc can't read");
  expect(answer).toContain('svc did not use “gnus: West” in choices, because svc asked for no such choice.');
  expect(answer).toMatch(/A choice can be a name of the lens, a stored value .*"region = West"/);
  expect((await ask('revenue of wombats', {})).answer).not.toContain('choices');
});

it('says in a clarification that a choice is none of the options', async () => {
  for (const [q, term] of [
    ['margin by segment', 'margin'],
    ['revenu by segment', 'revenu'],
  ] as const) {
    const { clarification } = await ask(q, { [term]: 'xyz' });
    expect(clarification?.message).toMatch(new RegExp(`^"xyz" is not one of the options for "${term}"\\. `));
    expect((await ask(q, {})).clarification?.message).not.toContain('not one of the options');
  }
});

it.each(['Corporate', 'segment = Corporate', 'orders.segment = "Corporate"'])(
  'accepts the stored value %s as the meaning of a word, for an answer that is partial',
  async (choice) => {
    const { data: expected } = await ask('How many orders with segment Corporate are there?', {});
    const envelope = await ask('How many suits are there?', { suits: choice });
    expect(envelope).toMatchObject({ status: 'answered', confidence: 'partial', data: expected });
    const check = envelope.checks.find(({ name }) => name === 'definitions_known');
    expect(check?.detail).toMatch(/Defined by the caller .*“suits”/);
  },
);
