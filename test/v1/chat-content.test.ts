import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHOP, startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOSTILE = [
  'a|b',
  '<img src=x onerror=alert(1)>',
  '[click](https://evil.example/x)',
  'https://evil.example/leak',
  '**bold** `code`',
  'two\nlines',
  '&lt;b&gt;',
];
const EVENTS = lensText(`
datasets:
  events: main.events (event_id integer, happened_at datetime, model_year integer, delay integer) {description: One row per event.}
metrics:
  total_delay: {expression: sum(events.delay), description: Minutes of delay.}
  events_counted: {expression: count(*), description: Number of events.}
`);
const project = await temporaryFolder();
await cp(SHOP, project, { recursive: true });
const items = [...HOSTILE, ...Array.from({ length: 18 }, (_, i) => `item ${i + 1}`)];
const quoteCsv = (text: string) => `"${text.replaceAll('"', '""')}"`;
const stock = items.map((item, i) => `${quoteCsv(item)},North,${100 - i}`);
await writeFile(join(project, 'data/stock.csv'), `item,warehouse,on_hand\n${stock.join('\n')}\n`);
const events = ['1,2001-01-01 00:01:00,2021,2176', '2,2001-01-02 13:45:30,1999,33', '3,2001-01-02 13:45:30,2021,4'];
await writeFile(join(project, 'data/events.csv'), `event_id,happened_at,model_year,delay\n${events.join('\n')}\n`);
const config = join(project, 'svc.config.yaml');
const text = await readFile(config, 'utf8');
await writeFile(config, text.replace('      stock: {', '      events: {path: ./data/events.csv}\n      stock: {'));
const lens = join(project, 'lenses/stock/lens.yaml');
await writeFile(lens, `${await readFile(lens, 'utf8')}\nmax_rows_to_compose: 3\n`);
await cp(join(project, 'lenses/stock'), join(project, 'lenses/log'), { recursive: true });
await writeFile(join(project, 'lenses/log/lens.yaml'), `name: log\nconnection: shop${EVENTS}`);
// A lens with the same words as the shop.
const copiedLens = (await readFile(join(project, 'lenses/shop/lens.yaml'), 'utf8')).replace('name: shop', 'name: twin');
await cp(join(project, 'lenses/log'), join(project, 'lenses/twin'), { recursive: true });
await writeFile(
  join(project, 'lenses/twin/lens.yaml'),
  copiedLens.replace('synonyms: [sales]', 'synonyms: [sales, loot]').replace('own-region', 'own-region-too'),
);
const service = await startTestApp({ project });

const postChat = async (model: string, turns: string[], extraMembers: object = {}) => {
  const messages = turns.map((content) => ({ role: 'user', content }));
  return (await service.post('/v1/chat/completions', { model, messages, ...extraMembers })).body;
};
const chatText = async (q: string, model = 'svc/shop', extraMembers: object = {}): Promise<string> =>
  (await postChat(model, [q], extraMembers)).choices[0].message.content;
const rowsOf = (content: string): string[][] =>
  content
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );

describe('a chat', () => {
  it('shows several rows as a table, with the grade and the date of the data', async () => {
    const content = await chatText('What was revenue by region in 2016?');
    expect(rowsOf(content)).toEqual([
      ['region', 'revenue (USD)'],
      ['---', '---'],
      ['West', '350.5'],
      ['East', '75.25'],
    ]);
    expect(content).toMatch(/^Confidence: verified\. Certification: assisted\. Data as of \d{4}-\d\d-\d\d\.$/m);
    expect(rowsOf(await chatText('What was revenue in 2016?'))).toEqual([]);
    expect(
      rowsOf(await chatText('What was revenue by region in 2016?', 'svc/shop', { format: 'structured' })),
    ).toHaveLength(4);
  });

  it('shows at most 20 rows with the number of all rows, and escapes stored text', async () => {
    const content = await chatText('units on hand by item', 'svc/stock');
    const [, , ...rows] = rowsOf(content);
    expect(rows).toHaveLength(20);
    expect(content).toContain('The table shows 20 of 25 rows.');
    expect(rows.every((cells) => cells.length === 2)).toBe(true);
    const shownItems = rows.map(([item]) => item);
    expect(shownItems[0]).toBe('a\\|b');
    expect(content).not.toMatch(/(?<!\\)<\w|\]\(|(?<!\\)`code|(?<!\\)\*\*bold|(?<!\\)&lt;/);
    expect(shownItems.join('\n')).not.toContain('https://');
    expect(shownItems).toContain('two lines');
  });

  it('shows the suggestions of a refusal and the options of a clarification', async () => {
    const refusalText = await chatText('Which supplier of the region is cheapest?');
    expect(refusalText).toMatch(/You could ask:\n- .*revenue.* by region/i);
    const uncovered = await chatText('Which supplier is cheapest?', 'svc/auto');
    expect(uncovered).toMatch(/You could ask:\n- log: [\s\S]*- shop: Order lines of a corner shop\.\n {2}- What was/);
    expect(await chatText('What is our margin?')).toMatch(/- profit: Profit in USD\n- ratio: Profit divided by sales/);
  });

  it('shows the warnings of an answer as notes', async () => {
    const { choices, svc } = await postChat('svc/shop', ['What was revenue in the West in 2016?', 'What was profit?']);
    expect(svc.warnings).toHaveLength(1);
    expect(choices[0].message.content).toContain('Note: ');
  });

  it('lists svc/auto and the lenses as models, with the time when each lens was made', async () => {
    const { data } = (await service.get('/v1/models')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      'svc/auto',
      'svc/log',
      'svc/shop',
      'svc/stock',
      'svc/twin',
    ]);
    const [createdLens] = await service.sql<{ at: number }>(
      "select floor(extract(epoch from created_at))::int as at from svc.lenses where name = 'shop'",
    );
    expect(data[2].created).toBe(createdLens!.at);
    expect(data.every(({ created }: { created: number }) => Math.abs(created - Date.now() / 1000) < 600)).toBe(true);
    expect((await service.get('/v1/models/svc%2Fshop')).body).toEqual(data[2]);
  });

  it('with svc/auto, stays with the lens of the conversation until a question means another lens', async () => {
    const auto = async (...turns: string[]) => (await postChat('svc/auto', turns)).svc;
    const tied = await auto('What was revenue by region in 2017?');
    expect(tied).toMatchObject({ status: 'uncovered' });
    const [model] = /svc\/[a-z]+/.exec(tied.answer) ?? [];
    expect((await postChat(model!, ['What was revenue by region in 2017?'])).svc.status).toBe('answered');
    expect(await auto('What was loot in the West in 2016?')).toMatchObject({ lens: 'twin' });
    const stays = await auto('What was loot in the West in 2016?', 'What was revenue by region in 2017?');
    expect(stays).toMatchObject({
      status: 'answered',
      lens: 'twin',
      routing: { why: 'The conversation is about this lens.' },
    });
    const later = [
      'What was loot in the West in 2016?',
      'What was revenue by region in 2017?',
      'and profit by segment?',
    ];
    expect(await auto(...later)).toMatchObject({ status: 'answered', lens: 'twin' });
    expect(await auto('What was loot in the West in 2016?', 'and in the East?')).toMatchObject({
      ...{ status: 'answered', lens: 'twin', data: [{ revenue: 75.25 }] },
    });
    expect(await auto('What was loot in the West in 2016?', 'units on hand by item')).toMatchObject({ lens: 'stock' });
  });
});

describe('answers without a model', () => {
  const answer = async (q: string, lens: string, format = 'both') =>
    (await service.post(`/v1/lenses/${lens}/query`, { q, format })).body;

  it('apply max_rows_to_compose, and state how many rows the text shows, in every format', async () => {
    for (const format of ['both', 'prose']) {
      const { answer: text, data } = await answer('units on hand by item', 'stock', format);
      expect(text.split(';')).toHaveLength(3);
      expect(text).toContain('Written out: 3 of 25 rows.');
      expect(text).not.toContain('in the data');
      expect(data === null).toBe(format === 'prose');
    }
  });

  it('write years as years, times without empty parts, and several numbers with their names', async () => {
    const byYear = await answer('total delay by model year', 'log');
    expect(byYear.answer).toMatch(/: 1999: 33; 2021: 2,180\./);
    expect((await answer('earliest happened at', 'log')).answer).toContain(' was 2001-01-01 00:01.');
    expect((await answer('latest happened at', 'log')).answer).toContain(' was 2001-01-02 13:45:30.');
    const several = await answer('total delay and events counted by model year', 'log');
    expect(several.answer).toContain('2021: total_delay 2,180, events_counted 2');
    const byGrain = await answer('revenue by year', 'shop');
    expect(byGrain.answer).toMatch(/2016: 425\.75 USD; 2017: 535\.75 USD/);
  });
});
