import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CSV = `Trip Id,Sold On,Amount (EUR),Model Year,Paid,Status Cd
1,29.07.2025,"34,62",2021,01/02/2025,1
2,01.08.2025,"1.205,00",2022,03/04/2025,2
3,02.08.2025,"0,38",2021,05/06/2025,1
`;
const JSON_ROWS = [
  { title: 'Home', released: 'Jun 12 1998', gross: 10 },
  { title: 'Away', released: 'Mar 03 1999', gross: 20 },
  { title: 'Back', released: 'Nov 30 1999', gross: 30 },
];
const folder = await temporaryFolder();
await cp(SHOP, folder, { recursive: true });
await writeFile(join(folder, 'data/trips.csv'), CSV);
await writeFile(join(folder, 'data/movies.json'), JSON.stringify(JSON_ROWS));
const app = await startTestApp({ project: folder, files: await loadProjectFolder(SHOP) });
const connection = {
  name: 'trips',
  kind: 'duckdb',
  files: { trips: { path: './data/trips.csv' }, movies: { path: './data/movies.json' } },
};
expect((await app.admin('POST', '/connections', connection)).status).toBe(201);
const { text } = await app.draftLens('trips');
await app.publishLens('trips', text);
const ask = async (q: string) => (await app.post('/v1/lenses/trips/query', { q }, app.adminToken)).body;

it('sums and filters decimals and dates written as text in a file, with their unit', async () => {
  expect(await ask('total amount')).toMatchObject({ status: 'answered', confidence: 'partial' });
  expect(text).toMatch(
    /kind: reading, of: trips.sold_on, says: .* evidence: every value is a date written as DD.MM.YYYY/,
  );
  expect((await ask('total amount')).answer).toContain('1,240 EUR');
  const { data, confidence, answer } = await ask('total amount in august 2025');
  expect(data, answer).not.toBeNull();
  expect([Object.values(data[0]), confidence]).toEqual([[1205.38], 'partial']);
});

it('prints years as years, and doesn’t add them up', async () => {
  const { answer, columns } = await ask('total amount by model year');
  expect(answer).toMatch(/\b2021\b.*35/);
  expect(answer).not.toContain('2,02');
  expect(columns[0]).toMatchObject({ unit: 'year' });
  expect((await ask('total model year')).status).not.toBe('answered');
});

it('declares no fact about a file, because its columns have no comments', () => {
  expect(text).toMatch(/kind: aggregation, of: trips.status_cd, says: none, origin: inferred/i);
  expect(text).not.toContain('column comment');
});

it('keeps dates with an ambiguous order of day and month as text, and the draft suggests an expression', () => {
  expect(text).toMatch(/^# Text columns that look like dates or numbers.*trips\.paid.*strptime/im);
  expect(text).toMatch(/Paid: \{datatype: string/i);
});

it('reads dates in a JSON file as dates, like those of a CSV file', async () => {
  expect(text).toMatch(
    /kind: reading, of: movies.released, says: .* evidence: every value is a date written as Mon DD YYYY/,
  );
  expect(await ask('how many movies were released in 1999?')).toMatchObject({ status: 'answered' });
  expect(Object.values((await ask('how many movies were released in 1999?')).data[0])).toEqual([2]);
});
