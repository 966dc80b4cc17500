// Certified answers on every surface: near misses never get one, and trivial rewordings do. swap-pairs.ts describes how
// both are generated.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSuiteLoadStatements } from '../../src/cli/suite-load.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import {
  type Approved,
  badDays,
  badFillings,
  badNumbers,
  CORPORA,
  type Corpus,
  fillParameters,
  missesOf,
  rewordingsOf,
} from './swap-pairs.ts';

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const entriesOf = ({ approved, table }: Corpus): string =>
  JSON.stringify(
    approved.map(({ question, where = {} }, at) => ({
      id: `c${at}`,
      question,
      sql: `select count(*) as n from ${table}${Object.values(where)
        .map(({ sql }, place) => ` ${place === 0 ? 'where' : 'and'} ${sql}`)
        .join('')}`,
      parameters: Object.fromEntries(Object.entries(where).map(([name, { datatype }]) => [name, { datatype }])),
      approved_by: 'ops@example.com',
      approved_at: '2026-01-31',
    })),
  );
const corpusOf = (lens: string) => CORPORA.find((item) => item.lens === lens)!;
const certifiedFile = (lens: string) => ({ [`lenses/${lens}/certified/core.yaml`]: entriesOf(corpusOf(lens)) });
const files = await loadProjectFolder(folder('.'));
const sample = await startTestApp({
  project: folder('.'),
  files: { ...files, ...certifiedFile('superstore'), ...certifiedFile('flights') },
});
const otherLenses: Record<string, string> = {};
const connections: Record<string, object> = {};
for (const lens of ['clinic', 'bikes']) {
  const url = await createDatabase(
    ...(await readSuiteLoadStatements(folder(`test/suites/${lens}`))).map(({ sql }) => sql),
  );
  connections[lens] = connectionTo(url);
  const text = await readFile(folder(`test/suites/${lens}/lenses/${lens}/lens.yaml`), 'utf8');
  otherLenses[`lenses/${lens}/lens.yaml`] = text.replace(/^connection: .*/m, `connection: ${lens}`);
  Object.assign(otherLenses, certifiedFile(lens));
}
const suites = await startTestApp({ files: { 'svc.config.yaml': JSON.stringify({ connections }), ...otherLenses } });

const appOf = (lens: string) => (lens === 'superstore' || lens === 'flights' ? sample : suites);
type Served = string | null;
const servedAs = (envelope: { certification?: string; certified_id?: string }): Served =>
  envelope?.certification === 'certified' ? envelope.certified_id! : null;

const surfaces: Record<string, (lens: string, question: string) => Promise<Served>> = {
  query: async (lens, question) =>
    servedAs((await appOf(lens).post(`/v1/lenses/${lens}/query`, { q: question, format: 'structured' })).body),
  'chat completions': async (lens, question) => {
    const messages = [{ role: 'user', content: question }];
    return servedAs((await appOf(lens).post('/v1/chat/completions', { model: `svc/${lens}`, messages })).body.svc);
  },
  run_certified: async (lens, question) =>
    servedAs((await appOf(lens).callTool('run_certified', { lens, q: question })).structuredContent),
};

/** Sends each pair to one of the surfaces, in turn. */
async function askOnSurfaces(pairs: { lens: string; question: string }[]): Promise<{ door: string; served: Served }[]> {
  const servedByPair: { door: string; served: Served }[] = [];
  const names = Object.keys(surfaces);
  for (const [at, { lens, question }] of pairs.entries()) {
    const surface = names[at % names.length]!;
    servedByPair.push({ door: surface, served: await surfaces[surface]!(lens, question) });
  }
  return servedByPair;
}

interface Pair {
  lens: string;
  approved: string;
  rule: string;
  question: string;
  certId: string;
}
const fillsOf = (entry: Approved) => entry.fills ?? [{}];
const pairsOf = (make: (corpus: Corpus, one: Approved) => [string, string][]): Pair[] =>
  CORPORA.flatMap((corpus) =>
    corpus.approved.flatMap((item, at) =>
      make(corpus, item).map(([rule, question]) => ({
        ...{ lens: corpus.lens, approved: item.question, rule, question, certId: `c${at}` },
      })),
    ),
  );

const fillWrongly = ({ question, where = {}, fills = [] }: Approved): [string, string][] =>
  fills.slice(0, 1).flatMap((fill) =>
    Object.entries(where).flatMap(([name, { datatype }]) => {
      const value = fill[name]!;
      const badValues =
        datatype === 'string'
          ? badFillings(String(value))
          : datatype === 'date'
            ? badDays(String(value))
            : badNumbers(Number(value));
      return badValues.map((item): [string, string] => [
        'parameter',
        fillParameters(question, { ...fill, [name]: item }),
      ]);
    }),
  );

describe('certified answers on every surface', () => {
  it('are not served for any of at least 500 near misses', async () => {
    // Tests a third of the pairs, spread over all rules and surfaces, because all pairs would take minutes.
    const pairs = pairsOf((corpus, entry) => [
      ...fillsOf(entry).flatMap((fill) => missesOf(corpus, fillParameters(entry.question, fill))),
      ...fillWrongly(entry),
    ]).filter((_pair, at) => at % 3 === 0);
    expect(pairs.length).toBeGreaterThanOrEqual(500);
    const betrayed = (await askOnSurfaces(pairs)).flatMap(({ door, served }, at) =>
      served ? [`${door}, ${pairs[at]!.rule}: ${pairs[at]!.approved} / ${pairs[at]!.question} -> ${served}`] : [],
    );
    expect(betrayed).toEqual([]);
  }, 600_000);

  it('are served for at least 95 % of 500 or more trivial rewordings, each with the right entry', async () => {
    const pairs = pairsOf((_corpus, entry) =>
      fillsOf(entry).flatMap((fill) => rewordingsOf(fillParameters(entry.question, fill))),
    ).filter((_pair, at) => at % 4 !== 3);
    expect(pairs.length).toBeGreaterThanOrEqual(500);
    const failures: string[] = [];
    for (const [at, { door, served }] of (await askOnSurfaces(pairs)).entries()) {
      const { certId, rule, question } = pairs[at]!;
      if (served) expect(served, question).toBe(certId);
      else failures.push(`${door}, ${rule}: ${question}`);
    }
    expect(failures.length / pairs.length, failures.slice(0, 30).join('\n')).toBeLessThanOrEqual(0.05);
  }, 600_000);
});
