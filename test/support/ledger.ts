// A PostgreSQL warehouse with three approved queries of increasing cost, and a project over it, for load tests, faults
// and benchmarks.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { lensText } from './lens-text.ts';

export interface Ledger {
  /** The URL with a read-only login. */
  url: string;
  files: Record<string, string>;
}

/** The number of rows that each approved query reads. They took about 1, 5 and 20 ms on the author's machine. */
export const NAMED = { light: 4_000, middle: 25_000, heavy: 110_000 } as const;
export const namedSql = (rows: number): string =>
  `select region, sum(amount) as revenue, count(*) as line_count from public.lines where line_id <= ${rows} group by region order by region`;

const LENS = lensText(`name: ledger
title: Ledger
description: Order lines of a shop.
connection: ledger
datasets:
  lines: public.lines (line_id integer key, region string auto, segment string auto, ordered_on date time, amount decimal {unit: USD}) {description: One row per order line.}
metrics:
  revenue: {expression: sum(lines.amount), description: Sum of amounts., unit: USD}
  line_count: {expression: count(lines.line_id), description: Order lines.}
`);
const certified = Object.entries(NAMED)
  .map(
    ([name, rows]) => `- id: ${name}
  question: What is the revenue by region of the first ${rows} lines?
  sql: ${namedSql(rows)}
  approved_by: bench@example.com
  approved_at: 2026-01-31
`,
  )
  .join('');

/** Fills the empty database at this URL, as its owner. `through` is another port of the same server. */
export async function makeLedger(ownerUrl: string, through?: number): Promise<Ledger> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const at = new URL(ownerUrl);
  const database = at.pathname.slice(1);
  const reader = `reader_of_${database}`;
  const password = randomBytes(12).toString('hex');
  try {
    await owner.query(`
      create table lines as select n as line_id, (array['North','East','South','West'])[1 + n % 4] as region,
        (array['Consumer','Corporate','Home Office'])[1 + n % 3] as segment, date '2024-01-01' + n % 730 as ordered_on,
        (n % 1000 + 0.25)::numeric(12, 2) as amount from generate_series(1, 120000) n;
      alter table lines add primary key (line_id);
      create role ${reader} login password '${password}';
      grant select on lines to ${reader}`);
    await owner.query('vacuum analyze lines');
  } finally {
    await owner.end();
  }
  at.username = reader;
  at.password = password;
  if (through) at.port = String(through);
  const connection = `{kind: postgres, host: ${at.hostname}, port: ${at.port}, database: ${database}, user: ${reader}, password: ${password}, ssl: false}`;
  return {
    url: at.href,
    files: {
      'svc.config.yaml': `connections:\n  ledger: ${connection}\n`,
      'lenses/ledger/lens.yaml': LENS,
      'lenses/ledger/certified/core.yaml': certified,
    },
  };
}
