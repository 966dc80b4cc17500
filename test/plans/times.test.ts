import { expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `name: calls
connection: calls
timezone: Europe/Berlin
datasets:
  calls: main.calls (call_id integer key, called datetimetz, noted datetime, due date)
`;
const { svc } = await startDuckdbLens(
  [LENS],
  'create table calls (call_id integer, called timestamptz, noted timestamp, due date)',
  `insert into calls values (1, '2025-10-26 00:30:00+00', '2025-10-26 02:30:00', '2025-10-26'),
     (2, '2025-10-26 01:30:00+00', '2025-10-26 02:30:00', '2025-10-26'),
     (3, '2025-06-30 21:59:59.25+00', '2025-06-30 23:59:59.25', '2025-06-30'),
     (4, '2025-06-30 21:59:59.600001+00', '2025-06-30 20:00:00', '2025-02-01')`,
);

it.each<[string, object, number[] | string]>(caseRows(import.meta.dirname, 'times.jsonl'))(
  'compares times in the time zone of the lens: %s',
  async (_about, plan, expected) => {
    const { body } = await svc.post('/v1/lenses/calls/metrics', { dimensions: ['calls.call_id'], ...plan });
    if (typeof expected === 'string') expect(body.error?.message).toContain(expected);
    else expect([body.confidence, body.data]).toEqual(['verified', expected.map((call_id) => ({ call_id }))]);
  },
);
