// Parameters of certified questions: which values match and which never do. front-door.test.ts sends near misses and
// rewordings to every surface.
import { describe, expect, it } from 'vitest';
import { matchCertified } from '../../src/ask/read/match-certified.ts';
import type { LiveLens } from '../../src/domain/lenses/lens-repository.ts';
import type { CertifiedEntry } from '../../src/lens/model/lens.ts';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp({ project: '.' });

const entryOf = (question: string, certId: string, parameters: CertifiedEntry['parameters'] = {}): CertifiedEntry => ({
  ...{ certId, question, alsoAsked: [], sql: 'select 1', parameters },
  ...{ approvedBy: null, approvedAt: null, status: 'approved', notes: null },
});

/** The lens of the sample project, with these entries as its certified questions. */
async function createLiveLens(lens: string, entries: CertifiedEntry[]): Promise<LiveLens> {
  const liveLens = (await svc.deps.lenses.find(svc.orgId, lens))!;
  return { ...liveLens, certified: new Map(entries.map((entry) => [entry.certId, entry])) };
}
const match = async (liveLens: LiveLens, question: string) =>
  matchCertified(svc.deps.library, svc.deps.exactBand, liveLens, question);

describe('certified matching', () => {
  it.each([
    ['What was revenue by region in 2016?', 2016],
    ['what was REVENUE by regions in 2015', 2015],
    ['Please show me what was revenue by region in 2017.', 2017],
    ['In 2016, what was revenue by region?', 2016],
  ])('binds the parameter of an entry: %s', async (question, year) => {
    const pattern = entryOf('What was revenue by region in {year}?', 'p', { year: { datatype: 'integer' } });
    const liveLens = await createLiveLens('superstore', [pattern]);
    expect(await match(liveLens, question)).toMatchObject({ entry: { certId: 'p' }, parameters: { year } });
  });

  it.each([
    'What was revenue by region before 2016?',
    'What was revenue by region in 2016 in Texas?',
    'What was profit by region in 2016?',
    'What was revenue by region not in 2016?',
    'What was revenue by region in 2015 or 2016?',
    'What was revenue by region in January 2016?',
    'What was revenue by region in total?',
    'What will revenue by region be in 2027?',
  ])('doesn’t match a parameterized entry to a different question: %s', async (question) => {
    const pattern = entryOf('What was revenue by region in {year}?', 'p', { year: { datatype: 'integer' } });
    expect(await match(await createLiveLens('superstore', [pattern]), question)).toBeNull();
  });

  it.each([
    ['What was revenue in region East?', 'East'],
    ['what was revenue in region east', 'East'],
    ['What was revenue in region Nort?', null],
    ['What was revenue in region no?', null],
    ['What was revenue in every region?', null],
    ['What was revenue in region East or West?', null],
    ['What was revenue in region East and West?', null],
    ['What was revenue in region it?', null],
  ])('fills a text parameter only with a stored value: %s', async (question, region) => {
    const pattern = {
      ...entryOf('What was revenue in region {region}?', 'p', { region: { datatype: 'string' } }),
      sql: 'select sum(sales) from main.orders where region = :region',
    };
    const matchedEntry = await match(await createLiveLens('superstore', [pattern]), question);
    // If a value isn't proven, the entry runs only if the column contains the value.
    const filled = matchedEntry?.unproven === false ? matchedEntry.parameters : null;
    expect(filled).toEqual(region === null ? null : { region });
  });

  it('doesn’t mistake 12 or 20166 for a year', async () => {
    const pattern = entryOf('What was revenue by region in {year}?', 'p', { year: { datatype: 'integer' } });
    const liveLens = await createLiveLens('superstore', [pattern]);
    expect(await match(liveLens, 'What was revenue by region in 12?')).toBeNull();
    expect(await match(liveLens, 'What was revenue by region in 20166?')).toBeNull();
  });

  it('finds a reworded entry among 20,000', async () => {
    const liveLens = await createLiveLens(
      'superstore',
      Array.from({ length: 20_000 }, (_, at) =>
        entryOf(`What was revenue of product line ${word(at)} ${word(at * 7 + 3)} in ${2014 + (at % 4)}?`, `c${at}`),
      ),
    );
    const exact = [...liveLens.certified.values()][17_777]!;
    // Reading this many new entries takes time.
    await expect.poll(() => match(liveLens, exact.question), { timeout: 30_000 }).not.toBeNull();
    expect((await match(liveLens, `Please show me ${exact.question.toLowerCase()}`))?.entry.certId).toBe(exact.certId);
    expect(await match(liveLens, exact.question.replace(/201\d/, '2020'))).toBeNull();
  }, 60_000);
});

const word = (seed: number): string => (((seed * 7919) % 60_013) + 1000).toString(36).replaceAll(/\d/g, 'q');
