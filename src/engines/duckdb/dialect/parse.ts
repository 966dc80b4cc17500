// Parses statements in a separate DuckDB instance, which has no data and no access to files.
import { type AstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { hasTooManyCopies } from './copied-operands.ts';
import { parseExactJson } from './exact-json.ts';

class ParserTimeout extends Error {
  /** True if the statement itself took too long. False if it only waited for another statement. */
  readonly isCausedByStatement: boolean;
  constructor(isCausedByStatement: boolean) {
    super('svc abandoned the parser');
    this.isCausedByStatement = isCausedByStatement;
  }
}
const MAX_PARSING_MS = 3_000;

interface DuckdbParser {
  serialize(sql: string): Promise<string>;
}

async function openParser(): Promise<DuckdbParser> {
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
  const statement = await connection.prepare('select json_serialize_sql($1::varchar)::varchar');
  // svc parses one statement at a time, because bindings belong to the prepared statement. If the parser takes too
  // long, svc abandons it with its thread, and passes the waiting statements to a new parser.
  let queue: Promise<unknown> = Promise.resolve();
  let hasExited = false;
  const runInTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const queuedWork = queue.then(() => {
      if (hasExited) throw new ParserTimeout(false);
      return withTimeout(MAX_PARSING_MS, work(), () => {
        hasExited = true;
        openedParser = undefined;
        throw new ParserTimeout(true);
      });
    });
    queue = queuedWork.catch(() => undefined);
    return queuedWork;
  };
  return {
    serialize: (sql) =>
      runInTurn(async () => {
        statement.bindVarchar(1, sql);
        return String((await (await statement.stream()).fetchChunk())?.getColumnVector(0).getItem(0));
      }),
  };
}
let openedParser: Promise<DuckdbParser> | undefined;
async function withParser<T>(work: (parser: DuckdbParser) => Promise<T>): Promise<T> {
  for (;;) {
    openedParser ??= openParser();
    try {
      return await work(await openedParser);
    } catch (error) {
      if (!(error instanceof ParserTimeout) || error.isCausedByStatement) throw error;
    }
  }
}

/** Returns the syntax tree of a SELECT. Returns null and reports errors for any other SQL. */
export async function parseDuckdb(sql: string, faults: FaultCollector): Promise<AstNode | null> {
  if (hasTooManyCopies(sql, faults)) return null;
  let tree: AstNode;
  try {
    tree = toAstNode(parseExactJson(await withParser((parser) => parser.serialize(sql))));
  } catch (error) {
    if (error instanceof ParserTimeout) {
      faults.add('too_costly', `The SQL takes longer than ${MAX_PARSING_MS / 1000} s to parse. Shorten the statement.`);
      return null;
    }
    // After an internal error, the instance no longer works, so svc creates a new one for the next statement.
    if (/fatal|internal|invalidated/i.test((error as Error).message)) openedParser = undefined;
    faults.add('syntax', "The SQL can't be parsed: it is nested too deeply or is not a statement.");
    return null;
  }
  if (tree['error'] !== false) {
    const message = toTextOrEmpty(tree['error_message']);
    if (tree['error_type'] === 'not implemented') {
      faults.add(
        'not_select',
        'Only one SELECT is allowed. Other statements, PIVOT and mixed kinds of parameters are not allowed.',
      );
    } else {
      const offset = Number(tree['position'] ?? 0);
      faults.add('syntax', `The SQL can't be parsed: ${message}.`, { offset: Number.isFinite(offset) ? offset : 0 });
    }
    return null;
  }
  const statements = toList(tree['statements']);
  if (statements.length !== 1) {
    faults.add('one_statement', `Only one SELECT is allowed, but the SQL contains ${statements.length} statements.`);
    return null;
  }
  return toAstNode(statements[0]);
}
