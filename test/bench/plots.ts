// Selects the plots of a report. Parts that didn't run have no plot.
import { bars, lines } from './plot.ts';

type Row = Record<string, number | string>;
const numbers = (rows: Row[], name: string): number[] => rows.map((row) => Number(row[name]));
const labels = (rows: Row[], name: string): string[] => rows.map((row) => String(row[name]));
const series = (rows: Row[], columns: Record<string, string>) =>
  Object.entries(columns).map(([name, column]) => ({ name, values: numbers(rows, column) }));

// biome-ignore lint/suspicious/noExplicitAny: the report is whatever the parts of this run gave
export function plotsOf(report: Record<string, any>): Record<string, string> {
  const plots: Record<string, string> = {};
  const { a, b, c, d, g, p } = Object.fromEntries(Object.entries(report).filter(([, part]) => !part?.failed));
  if (a) {
    const rows: Row[] = [
      ...a.postgres.queries.map((row: Row) => ({ ...row, name: `PostgreSQL, ${row['query']}` })),
      ...a.duckdb.alternated.map((row: Row) => ({ ...row, name: row['kind'] })),
    ];
    const title = 'Median of an ask, compared with its SQL in a route without svc';
    plots['bench-beside-driver'] = bars(
      title,
      'ms',
      labels(rows, 'name'),
      series(rows, { svc: 'svc_p50', bare: 'bare_p50' }),
    );
  }
  if (b) {
    const rows: Row[] = b.results;
    const queries = [...new Set(labels(rows, 'query'))];
    const servers = [...new Set(labels(rows, 'server'))];
    const at = (server: string, query: string) =>
      rows.find((row) => row['server'] === server && row['query'] === query);
    const medians = servers.map((name) => ({ name, values: queries.map((query) => Number(at(name, query)?.['p50'])) }));
    plots['bench-over-mcp'] = bars('Median of the same SQL over MCP', 'ms', queries, medians);
  }
  if (c?.sides) {
    const sides = (c.sides as Row[]).map((row) => ({
      name: String(row['side']),
      values: [Number(row['compile_p50']), Number(row['run_p50']), Number(row['whole_p50'])],
    }));
    plots['bench-beside-malloy'] = bars(
      'Median of plan to SQL to rows',
      'ms',
      ['compile', 'run', 'whole request'],
      sides,
    );
  }
  if (d) {
    const medians = series(d.results, { search: 'search_p50', match: 'matched_p50', 'near-miss': 'missed_p50' });
    const title = 'Median milliseconds by size of the certified library';
    plots['bench-certified-library'] = lines(title, 'approved entries', labels(d.results, 'entries'), medians);
  }
  if (g) {
    const answers = series(g.levels, { svc: 'answered_per_s', bare: 'bare_per_s' });
    const title = 'Answers a second by concurrent connections';
    plots['bench-throughput'] = lines(title, 'connections', labels(g.levels, 'concurrency'), answers);
  }
  if (p) {
    const title = 'Median milliseconds of planning by size of the lens';
    plots['bench-planning'] = lines(
      title,
      'fields',
      labels(p.lenses, 'fields'),
      series(p.lenses, { p50: 'p50', p95: 'p95' }),
    );
  }
  return plots;
}
