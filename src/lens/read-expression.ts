import type { Dialect } from '../contract/warehouse.ts';

export interface ReadExpression {
  columns: string[][];
  metricCalls: string[];
  aggregates: { name: string; distinct: boolean; columns: string[][] }[];
  fault: string | null;
}
const KEYWORDS = new Set(
  'case when then else end and or not null is in between like ilike distinct filter where over order by partition as true false interval asc desc escape cast from for integer int bigint smallint decimal numeric double precision real float varchar text date time timestamp timestamptz boolean day month year hour minute second rows range preceding following unbounded current row within group all any some nulls first last at zone'.split(
    ' ',
  ),
);
const AGGREGATES = new Set('count sum avg min max median stddev variance'.split(' '));
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_]\w*|\d+(?:\.\d+)?|--|\/\*|;|\S/g;

export async function readExpression(_dialect: Dialect, sql: string): Promise<ReadExpression> {
  const tokens = sql.match(TOKEN) ?? [];
  const read: ReadExpression = { columns: [], metricCalls: [], aggregates: [], fault: null };
  const open: (ReadExpression['aggregates'][number] | null)[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token === '--' || token === '/*' || token === ';') return { ...read, fault: `"${token}" is not allowed.` };
    if (token === '(') open.push(null);
    else if (token === ')') {
      if (open.length === 0) return { ...read, fault: 'a bracket is closed that was never opened.' };
      open.pop();
    } else if (/^[A-Za-z_"]/.test(token)) {
      const chain = [token];
      while (tokens[i + 1] === '.' && /^[A-Za-z_"]/.test(tokens[i + 2] ?? '')) {
        chain.push(tokens[i + 2]!);
        i += 2;
      }
      const name = token.toLowerCase();
      if (tokens[i + 1] === '(' && chain.length === 1) {
        if (name === 'metric') {
          read.metricCalls.push(tokens[i + 2]!);
          i += 3;
        } else if (AGGREGATES.has(name)) {
          const aggregate = { name, distinct: tokens[i + 2]?.toLowerCase() === 'distinct', columns: [] };
          read.aggregates.push(aggregate);
          open.push(aggregate);
          i += 1;
        }
      } else if (chain.length > 1 || token.startsWith('"') || !KEYWORDS.has(name)) {
        const parts = chain.map((part) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part));
        read.columns.push(parts);
        open.findLast((one) => one !== null)?.columns.push(parts);
      }
    }
  }
  if (open.length > 0) read.fault = 'a bracket is never closed.';
  return read;
}
