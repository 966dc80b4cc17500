// A warehouse may have functions of its own named like allowed ones, and one that takes the very types of a call is
// chosen before the built-in, wherever the schemas stand in the search path. With its schema the name means one thing.

import { Faults } from '../../dialects/faults.ts';
import { POSTGRES_EXTENSION_FUNCTIONS, POSTGRES_FUNCTIONS } from '../../dialects/postgres/functions.ts';
import { asList, asNode, asText, isNode } from '../ast.ts';
import { stringsOf } from './nodes.ts';
import { parsePostgres } from './parse.ts';

const SCHEMA = 'pg_catalog.';

/** The text with each bare call of an allowed built-in named in full. */
export async function qualifyCalls(text: string): Promise<string> {
  const select = await parsePostgres(text, new Faults());
  const bytes = Buffer.from(text);
  const places = [...bareCalls(select)].sort((a, b) => a - b);
  if (places.length === 0) return text;
  const pieces = [0, ...places].map((place, index) => bytes.subarray(place, places[index]).toString());
  return pieces.join(SCHEMA);
}

/** Where they stand, in bytes. */
function* bareCalls(node: unknown): Generator<number> {
  if (Array.isArray(node)) for (const one of node) yield* bareCalls(one);
  else if (isNode(node)) {
    const call = asNode(node['FuncCall']);
    const path = stringsOf(asList(call['funcname']));
    const name = path.length === 1 ? asText(path[0]) : '';
    if (POSTGRES_FUNCTIONS.has(name) && !POSTGRES_EXTENSION_FUNCTIONS.has(name)) yield Number(call['location'] ?? 0);
    for (const child of Object.values(node)) yield* bareCalls(child);
  }
}
