// (d) One lens with 100, 10,000 and 100,000 approved entries: ranked search, a question that an entry answers, and a
// near miss, over HTTP. The owner of the control database writes the entries.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Envelope } from '../../src/contract/ask.ts';
import { NAMED, namedSql } from '../support/ledger.ts';
import type { LedgerStage } from './ledger-stage.ts';
import { median, post, quantile, roundTo } from './measure.ts';

const SIZES = [100, 10_000, 100_000];
const ASKED = 20; // the number of measured entries, which the benchmark serves once before it measures
const MEASURES = ['revenue', 'number of lines', 'total amount', 'average amount'];
const PLACES = ['the first', 'the last', 'the newest', 'the oldest', 'the biggest'];

/** Questions that share many words and differ in their numbers, as in real libraries. */
const questionOf = (n: number): string =>
  `What is the ${MEASURES[n % 4]} by region of ${PLACES[Math.floor(n / 4) % 5]} ${100 + n} lines?`;

export async function measureCertifiedLibrary(stage: LedgerStage, rounds: number) {
  const owner = new pg.Client({ connectionString: stage.controlUrl });
  await owner.connect();
  const { callerKey } = stage.deployment;
  const lens = `${stage.svc.url}/v1/lenses/ledger`;
  const ask = (q: string) => post<Envelope>(`${lens}/query`, { q, format: 'structured' }, callerKey);
  const search = async (q: string) => {
    const startedAt = performance.now();
    const reply = await fetch(`${lens}/certified?q=${encodeURIComponent(q)}`, {
      headers: { authorization: `Bearer ${callerKey}` },
    });
    const body = (await reply.json()) as { items: unknown[] };
    if (reply.status !== 200) throw new Error(JSON.stringify(body));
    return { ms: performance.now() - startedAt, found: body.items.length };
  };
  const results = [];
  try {
    for (const size of SIZES) {
      await fill(owner, size);
      const loaded = performance.now();
      await ask(questionOf(0));
      const load = performance.now() - loaded;
      // The previous index answers until the new one is built.
      while ((await ask(questionOf(size - 1))).body.certification !== 'certified') await sleep(100);
      const indexed = performance.now() - loaded;
      const times = { search: [] as number[], matched: [] as number[], missed: [] as number[], plan: [] as number[] };
      for (let round = 0; round < rounds + ASKED; round++) {
        const at = Math.floor(((round % ASKED) * size) / ASKED);
        const known = questionOf(at);
        const searchTime = await search(known);
        const matched = await ask(known);
        const nearMissReply = await ask(questionOf(at + size * 4));
        if (
          searchTime.found === 0 ||
          matched.body.certification !== 'certified' ||
          nearMissReply.body.certification === 'certified'
        )
          throw new Error(`${known}: ${JSON.stringify([searchTime, matched.body, nearMissReply.body])}`);
        if (round < ASKED) continue;
        times.search.push(searchTime.ms);
        times.matched.push(matched.ms);
        times.missed.push(nearMissReply.ms);
        times.plan.push(matched.body.timings_ms.plan);
      }
      await owner.query(`update svc.certified_entries set notes = 'changed' where cert_id = 'bench-1'`);
      const changedReply = await ask(questionOf(size - 1));
      if (changedReply.body.certification !== 'certified') throw new Error(JSON.stringify(changedReply.body));
      results.push({
        entries: size,
        search_p50: roundTo(median(times.search)),
        search_p95: roundTo(quantile(times.search, 0.95)),
        matched_p50: roundTo(median(times.matched)),
        matching_p50: roundTo(median(times.plan)),
        missed_p50: roundTo(median(times.missed)),
        first_ask: roundTo(load),
        indexed: roundTo(indexed),
        ask_after_change: roundTo(changedReply.ms),
      });
    }
  } finally {
    await owner.query(`delete from svc.certified_entries where cert_id like 'bench-%'`);
    await owner.end();
  }
  const [smallest, largest] = [results[0]!, results.at(-1)!];
  return {
    results,
    ratio: {
      search: roundTo(largest.search_p50 / smallest.search_p50),
      matched: roundTo(largest.matched_p50 / smallest.matched_p50),
      missed: roundTo(largest.missed_p50 / smallest.missed_p50),
    },
  };
}

async function fill(owner: pg.Client, size: number): Promise<void> {
  const { rows } = await owner.query<Record<string, unknown>>(
    `select * from svc.certified_entries where cert_id = 'light'`,
  );
  const columnValues = new Map([
    ['id', 'gen_random_uuid()'],
    ['cert_id', 'n.cert_id'],
    ['question', 'n.question'],
    ['also_asked', `'{}'`],
    ['sql', '$3'],
    // svc hasn't checked the copy, so the columns with results of checks are null.
    ['dependencies', 'null'],
    ['last_check', 'null'],
  ]);
  const columns = Object.keys(rows[0]!);
  await owner.query(`delete from svc.certified_entries where cert_id like 'bench-%'`);
  const [ids, questions]: [string[], string[]] = [[], []];
  for (let n = 0; n < size; n++) {
    ids.push(`bench-${n}`);
    questions.push(questionOf(n));
  }
  await owner.query(
    `insert into svc.certified_entries (${columns.join(', ')})
     select ${columns.map((name) => columnValues.get(name) ?? `c.${name}`).join(', ')}
     from svc.certified_entries c, unnest($1::text[], $2::text[]) n(cert_id, question) where c.cert_id = 'light'`,
    [ids, questions, namedSql(NAMED.light)],
  );
}
