import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CINEMA = fileURLToPath(new URL('../fixtures/cinema', import.meta.url));
const project = await temporaryFolder();
await cp(CINEMA, project, { recursive: true });
const file = join(project, 'lenses/cinema/lens.yaml');
const lens = await readFile(file, 'utf8');
await cp(join(project, 'lenses/cinema'), join(project, 'lenses/booked'), { recursive: true });
await writeFile(
  join(project, 'lenses/booked/lens.yaml'),
  lens
    .replace('name: cinema', 'name: booked')
    .replace('max_rows_to_return: 4', 'max_rows_to_compose: 2\nmax_rows_to_return: 4')
    .replace('{datatype: datetime}', '{datatype: datetime, expression: "date_trunc(\'day\', first_shown)"}')
    .replace('unit: share, description: Share', 'description: Part'),
);
const svc = await startTestApp({ project });

const ask = async (q: string, lens = 'cinema', format = 'both') =>
  (await svc.post(`/v1/lenses/${lens}/query`, { q, format })).body;

it.each([
  ['gross by release year', 'cinema', '2020: 189,980.68 USD; 2021: 92,500.71 USD; 2022: 60,000 USD.'],
  ['list title and release year', 'booked', 'Amber: 2020; Blue Dawn: 2020.'],
  ['latest first shown', 'cinema', ' was 2022-10-09 19:45:30.'],
  ['latest first shown', 'booked', ' was 2022-10-09.'],
  ['list title and returned share', 'cinema', 'Amber: 3 %; Blue Dawn: 25 %; Coral: 12.5 %; No Return: 50 %'],
  ['list title and returned share', 'booked', 'Amber: 3 %; Blue Dawn: 25 %.'],
  ['return rate by studio', 'cinema', 'Alder: 26.5 %; Birch: 15.625 %; Cedar: 12.5 %.'],
  ['share of gross by studio', 'cinema', 'Alder: 55.47181 %; Cedar: 26.27887 %; Birch: 18.24931 %.'],
  ['top 2 titles by worldwide gross', 'cinema', 'Amber: 187,480.18 USD; Coral: 90,000.25 USD.'],
  ['top 2 studios by gross', 'cinema', 'Alder: 189,980.64 USD; Cedar: 90,000.25 USD.'],
])('answers %s, over %s, with numbers as people write them', async (q, lens, told) => {
  const { status, answer } = await ask(q, lens);
  expect(status).toBe('answered');
  expect(answer).toContain(told);
});

const years = {
  from: { field: 'films.first_shown', during: '2021' },
  to: { field: 'films.first_shown', during: '2022' },
};
const change = { fn: 'change', of: 'gross', ...years };
const comparison = [{ ...change, show: 'to' }, { ...change, show: 'from' }, change, { ...change, percent: true }];
it.each([
  [[], 'Gross was 60,000 USD in 2022, 92,500.71 USD in 2021: -32,500.71 USD, -35.1 %.'],
  [['films.studio'], 'Gross in 2022 compared with 2021 by studio: '],
  [['films.studio'], 'Cedar: 0 USD, from 90,000.25 USD (-90,000.25 USD, -100 %)'],
])('compares two periods, by %j, with both values and the change', async (dimensions, told) => {
  const { body } = await svc.post('/v1/lenses/cinema/metrics', { measures: comparison, dimensions, format: 'both' });
  expect(body.answer).toContain(told);
  expect(Object.keys(body.data[0]).slice(dimensions.length)).toEqual([
    'gross_2022',
    'gross_2021',
    'gross_change',
    'gross_percent_change',
  ]);
  expect(body.scope.filters).toHaveLength(2);
});

it('refuses a comparison that shows a value of no period, or a value in percent', async () => {
  const refusalOf = async (measure: object) =>
    (await svc.post('/v1/lenses/cinema/metrics', { measures: [measure] })).body.error.message;
  expect(await refusalOf({ fn: 'change', of: 'gross', show: 'to' })).toContain('`change` needs both `from` and `to`');
  expect(await refusalOf({ ...change, show: 'to', percent: true })).toContain('either `percent` or `show`');
});

it('writes a share as a percentage in the sentence and keeps its value in the rows', async () => {
  const { data, columns } = await ask('return rate by studio');
  expect(data[0]).toEqual({ studio: 'Alder', return_rate: 0.265 });
  expect(columns[1]).toMatchObject({ name: 'return_rate', unit: null });
});

it('states how many rows the text shows if the answer has no data', async () => {
  const proseAndRows = await ask('gross by studio and kind');
  expect(proseAndRows.answer).toContain('Truncated: only 4 of 5 rows are returned.');
  const prose = await ask('gross by studio and kind', 'cinema', 'prose');
  expect(prose).toMatchObject({ data: null, truncated: { returned: 4, total: 5 } });
  expect(prose.answer).not.toMatch(/returned|Truncated/);
  expect(prose.answer.split(';')).toHaveLength(5);
  const shortProse = await ask('gross by studio and kind', 'booked', 'prose');
  expect(shortProse.answer).toContain('Truncated: the text shows only 2 of 5 rows.');
});
