// Which plots a report gives; parts that were left out give none.
import { bars, lines } from './plot.ts';

type Row = Record<string, number | string>;
const numbers = (rows: Row[], name: string): number[] => rows.map((row) => Number(row[name]));
const labels = (rows: Row[], name: string): string[] => rows.map((row) => String(row[name]));

// biome-ignore lint/suspicious/noExplicitAny: the report is whatever the parts of this run gave
export function plotsOf(report: Record<string, any>): Record<string, string> {
  const plots: Record<string, string> = {};
  const { a, b, c, d, g, p } = Object.fromEntries(Object.entries(report).filter(([, part]) => !part?.failed));
  if (a) {
    const rows: Row[] = [
      ...a.postgres.queries.map((row: Row) => ({ ...row, name: `PostgreSQL, ${row['query']}` })),
      ...a.duckdb.alternated.map((row: Row) => ({ ...row, name: row['kind'] })),
    ];
    plots['bench-beside-driver'] = bars('Median of an ask beside its SQL in a bare route', 'ms', labels(rows, 'name'), [
      { name: 'svc', values: numbers(rows, 'svc_p50') },
      { name: 'bare', values: numbers(rows, 'bare_p50') },
    ]);
  }
  if (b) {
    const rows: Row[] = b.results;
    const queries = [...new Set(labels(rows, 'query'))];
    const servers = [...new Set(labels(rows, 'server'))];
    const at = (server: string, query: string) =>
      rows.find((row) => row['server'] === server && row['query'] === query);
    const series = servers.map((name) => ({ name, values: queries.map((query) => Number(at(name, query)?.['p50'])) }));
    plots['bench-over-mcp'] = bars('Median of the same SQL over MCP', 'ms', queries, series);
  }
  if (c?.sides) {
    const series = (c.sides as Row[]).map((row) => ({
      name: String(row['side']),
      values: [Number(row['compile_p50']), Number(row['run_p50']), Number(row['whole_p50'])],
    }));
    plots['bench-beside-malloy'] = bars(
      'Median of intent to SQL to rows',
      'ms',
      ['compile', 'run', 'whole request'],
      series,
    );
  }
  if (d)
    plots['bench-certified-library'] = lines(
      'Median milliseconds by size of the certified library',
      'approved entries',
      labels(d.results, 'entries'),
      [
        { name: 'search', values: numbers(d.results, 'search_p50') },
        { name: 'match', values: numbers(d.results, 'matched_p50') },
        { name: 'near-miss', values: numbers(d.results, 'missed_p50') },
      ],
    );
  if (g)
    plots['bench-throughput'] = lines(
      'Answers a second by concurrent connections',
      'connections',
      labels(g.levels, 'concurrency'),
      [
        { name: 'svc', values: numbers(g.levels, 'answered_per_s') },
        { name: 'bare', values: numbers(g.levels, 'bare_per_s') },
      ],
    );
  if (p)
    plots['bench-planning'] = lines(
      'Median milliseconds of planning by size of the lens',
      'fields',
      labels(p.lenses, 'fields'),
      [
        { name: 'p50', values: numbers(p.lenses, 'p50') },
        { name: 'p95', values: numbers(p.lenses, 'p95') },
      ],
    );
  return plots;
}
