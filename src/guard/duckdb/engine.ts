// DuckDB: its own serialised tree, made by a private instance that holds no data and can reach nothing. What runs is
// DuckDB's text of the rewritten tree, which must serialise back to that very tree.
import { LRUCache } from 'lru-cache';
import { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode, shapeOf } from '../ast.ts';
import type { Examined } from '../examined.ts';
import { Faults, unusableBody } from '../faults.ts';
import type { GuardScope } from '../guarded-sql.ts';
import { parseExact, stringifyExact } from './exact-json.ts';
import { DUCKDB_FUNCTIONS } from './functions.ts';
import { constantOf } from './nodes.ts';
import { DuckdbWalker } from './walker.ts';

const PLACES = new Set(['query_location']);
const bodies = new LRUCache<string, AstNode>({ max: 500 });

interface Parser {
  serialise(sql: string): Promise<string>;
  /** The text of a tree, and that text serialised again. */
  write(tree: string): Promise<{ sql: string; tree: string }>;
}

async function openParser(): Promise<Parser> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    max_memory: '256MB',
    enable_external_access: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run('SET lock_configuration=true');
  const reading = await connection.prepare('select json_serialize_sql($1::varchar)::varchar');
  const writing = await connection.prepare(
    'select text, json_serialize_sql(text)::varchar from (select json_deserialize_sql($1::json) as text)',
  );
  // One statement at a time: bindings belong to the prepared statement.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work, work);
    queue = turn.catch(() => undefined);
    return turn;
  };
  return {
    serialise: (sql) =>
      inTurn(async () => {
        reading.bindVarchar(1, sql);
        return String((await reading.runAndReadAll()).getRows()[0]?.[0]);
      }),
    write: (tree) =>
      inTurn(async () => {
        writing.bindVarchar(1, tree);
        const [sql, again] = (await writing.runAndReadAll()).getRows()[0] ?? [];
        return { sql: String(sql), tree: String(again) };
      }),
  };
}
let opened: Promise<Parser> | undefined;
const parser = (): Promise<Parser> => {
  opened ??= openParser();
  return opened;
};

/** The one SELECT that the text is; null with faults otherwise. */
export async function parseDuckdb(sql: string, faults: Faults): Promise<AstNode | null> {
  let tree: AstNode;
  try {
    tree = asNode(parseExact(await (await parser()).serialise(sql)));
  } catch (error) {
    // An engine that broke inside stays broken; the next statement gets a new one.
    if (/fatal|internal|invalidated/i.test((error as Error).message)) opened = undefined;
    faults.add('syntax', "The SQL can't be parsed: it nests too deeply or is not a statement.");
    return null;
  }
  if (tree['error'] !== false) {
    const message = asText(tree['error_message']);
    if (tree['error_type'] === 'not implemented') {
      faults.add('not_select', 'Only one SELECT is allowed: no other statement, no PIVOT, no mixed parameters.');
    } else {
      const offset = Number(tree['position'] ?? 0);
      faults.add('syntax', `The SQL can't be parsed: ${message}.`, { offset: Number.isFinite(offset) ? offset : 0 });
    }
    return null;
  }
  const statements = asList(tree['statements']);
  if (statements.length !== 1) {
    faults.add('one_statement', `One SELECT is expected; the text holds ${statements.length} statements.`);
    return null;
  }
  return asNode(statements[0]);
}

export async function examineDuckdb(
  sql: string,
  parameters: number,
  scope: GuardScope,
  faults: Faults,
): Promise<Examined | null> {
  const statement = await parseDuckdb(sql, faults);
  if (!statement) return null;
  const node = asNode(statement['node']);
  const analysis = new Analysis(scope, DUCKDB_FUNCTIONS, faults);
  const outputs = new DuckdbWalker(analysis, parameters).statement(node);
  const modifiers = asList(node['modifiers']).map(asNode);
  return {
    analysis,
    outputs,
    ordered: modifiers.some((modifier) => modifier['type'] === 'ORDER_MODIFIER'),
    rewrite: (maxRows) => rewrite(statement, analysis, maxRows, faults),
  };
}

async function rewrite(
  statement: AstNode,
  analysis: Analysis,
  maxRows: number | null,
  faults: Faults,
): Promise<string> {
  for (const { body, replace } of analysis.replacements()) replace(await parseBody(body, analysis, faults));
  if (maxRows !== null) setLimit(asNode(statement['node']), maxRows);
  if (faults.list.length > 0) return '';
  try {
    const wrapped = { error: false, statements: [statement] };
    const written = await (await parser()).write(stringifyExact(wrapped));
    if (comparable(parseExact(written.tree)) === comparable(wrapped)) return written.sql;
  } catch {
    // Falls through: a tree that can't be written is refused like one that reads differently.
  }
  faults.add(
    'rewrite',
    "The statement can't be rewritten faithfully with the row policies; write it in a plainer way.",
  );
  return '';
}

const comparable = (tree: unknown): string => shapeOf(unwrapValues(tree), PLACES);

/** DuckDB writes VALUES in FROM as `(VALUES …) AS valueslist` and reads that as `SELECT * FROM VALUES …` in brackets. */
function unwrapValues(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(unwrapValues);
  if (!isNode(tree)) return tree;
  const inner = Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, unwrapValues(value)]));
  const select = asNode(asNode(inner['subquery'])['node']);
  const values = asNode(select['from_table']);
  const wrapped =
    inner['type'] === 'SUBQUERY' &&
    inner['alias'] === 'valueslist' &&
    asList(inner['column_name_alias']).length === 0 &&
    values['type'] === 'EXPRESSION_LIST' &&
    isPlainStar(select);
  return wrapped ? values : inner;
}

/** `SELECT * FROM …` and nothing else. */
function isPlainStar(select: AstNode): boolean {
  const [star, ...others] = asList(select['select_list']).map(asNode);
  return (
    star?.['class'] === 'STAR' &&
    others.length === 0 &&
    [star['relation_name'], star['alias']].every((text) => text === '') &&
    star['columns'] === false &&
    [star['exclude_list'], star['replace_list'], star['rename_list'], star['qualified_exclude_list']].every(
      (list) => asList(list).length === 0,
    ) &&
    [select['where_clause'], select['having'], select['qualify'], select['sample'], star['expr']].every(
      (part) => !part,
    ) &&
    [select['modifiers'], select['group_expressions'], asNode(select['cte_map'])['map']].every(
      (list) => asList(list).length === 0,
    )
  );
}

/** A CTE named like a table inside a body would stand in for it (G11), so such a name is refused. */
async function parseBody(body: string, analysis: Analysis, faults: Faults): Promise<AstNode> {
  let parsed = bodies.get(body);
  if (!parsed) {
    const wrong = new Faults();
    const statement = await parseDuckdb(body, wrong);
    if (!statement) throw unusableBody(wrong);
    parsed = asNode(statement['node']);
    bodies.set(body, parsed);
  }
  for (const name of unqualifiedTables(parsed)) {
    if (analysis.cteNames.has(name.toLowerCase())) {
      faults.add('cte_name', `Rename ${name} in WITH: it hides a governed table.`);
    }
  }
  return parsed;
}

function* unqualifiedTables(tree: unknown): Generator<string> {
  if (Array.isArray(tree)) for (const one of tree) yield* unqualifiedTables(one);
  else if (isNode(tree)) {
    if (tree['type'] === 'BASE_TABLE' && tree['schema_name'] === '') yield asText(tree['table_name']);
    for (const value of Object.values(tree)) yield* unqualifiedTables(value);
  }
}

const integer = (value: number): AstNode => ({
  class: 'CONSTANT',
  type: 'VALUE_CONSTANT',
  alias: '',
  query_location: 0,
  value: { type: { id: 'INTEGER', type_info: null }, is_null: false, value },
});

/** One row more than the cap, so that a cut shows; the statement's own smaller LIMIT stays. */
function setLimit(node: AstNode, maxRows: number): void {
  const modifiers = asList(node['modifiers']).map(asNode);
  const own = modifiers.find((modifier) => modifier['type'] === 'LIMIT_MODIFIER');
  if (!own) {
    node['modifiers'] = [...modifiers, { type: 'LIMIT_MODIFIER', limit: integer(maxRows + 1), offset: null }];
    return;
  }
  const value = own['limit'] === null ? null : constantOf(own['limit']);
  if (typeof value === 'number' && value <= maxRows) return;
  const free = typeof value === 'number' || value === null;
  own['limit'] = free ? integer(maxRows + 1) : least(own['limit'], integer(maxRows + 1));
}

const least = (...children: unknown[]): AstNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: '',
  query_location: 0,
  function_name: 'least',
  schema: '',
  children,
  filter: null,
  order_bys: { type: 'ORDER_MODIFIER', orders: [] },
  distinct: false,
  is_operator: false,
  export_state: false,
  catalog: '',
});
