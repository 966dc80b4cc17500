// Binds the parameters of a SELECT. svc sends parameter values separately from the SQL and casts each one to its type,
// because comparing a string with a number loses decimal places.

import { engineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { Faults } from '../../../dialects/faults.ts';
import type { ForeignToken } from '../../../dialects/foreign/grammar.ts';
import { isSymbol, isWord, tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { SNOWFLAKE_GRAMMAR } from '../dialect/grammar.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;
export type Bind = string | number | boolean;
export interface BoundStatement {
  sql: string;
  binds: Bind[];
}

export function bindSnowflake(sql: string, names: readonly string[], parameters: Parameters = []): BoundStatement {
  const tokens = requireSelectTokens(sql);
  const binds: Bind[] = [];
  let text = '';
  let copiedEnd = 0;
  let parameterCount = 0;
  const lastToken = tokens.at(-1);
  const end = isSymbol(lastToken, ';') ? lastToken!.start : sql.length;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'positional') continue;
    const parameter = parameters.find(({ name }) => name === names[parameterCount]);
    parameterCount++;
    const isRowLimit = isWord(tokens[index - 1], 'limit') || isWord(tokens[index - 1], 'offset');
    text +=
      sql.slice(copiedEnd, token.start) +
      (parameter && parameter.value !== null ? bindParameter(parameter, isRowLimit, binds) : 'null');
    copiedEnd = token.end;
  }
  return { sql: text + sql.slice(copiedEnd, end), binds };
}

/** Checks that the SQL is one SELECT without variables, stages, blocks or `->>`, even if svc wrote it. */
function requireSelectTokens(sql: string): ForeignToken[] {
  const faults = new Faults();
  const tokens = tokenizeForeign(SNOWFLAKE_GRAMMAR, sql, faults);
  const [fault] = faults.list;
  if (fault) throw engineRefusalProblem(fault.message, 'not plainly one SELECT', 'not_permitted');
  if (tokens.some((token, index) => isSymbol(token, ';') && index < tokens.length - 1))
    throw engineRefusalProblem('several statements', 'several statements', 'not_permitted');
  const firstToken = tokens.find(({ kind }) => kind !== 'open');
  if (!isWord(firstToken, 'select') && !isWord(firstToken, 'with'))
    throw engineRefusalProblem('not a SELECT', 'not a SELECT', 'not_permitted');
  return tokens;
}

function bindParameter({ datatype, value }: Parameters[number], isRowLimit: boolean, binds: Bind[]): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (isRowLimit) {
    binds.push(Number(text));
    return '?';
  }
  binds.push(parameterText(datatype, text));
  switch (datatype) {
    case 'integer':
      return 'cast(? as number(38, 0))';
    case 'decimal':
      return `cast(? as number(38, ${/\.(\d+)$/.exec(text)?.[1]?.length ?? 0}))`;
    case 'float':
      return 'cast(? as double)';
    case 'boolean':
      return 'cast(? as boolean)';
    case 'date':
      return 'cast(? as date)';
    case 'time':
      return 'cast(? as time)';
    case 'datetime':
      return 'cast(? as timestamp_ntz)';
    case 'datetimetz':
      return 'cast(? as timestamp_tz)';
    default:
      return '?';
  }
}

/**
 * Writes timestamps in a form that doesn't depend on Snowflake's format settings. Timestamps without an offset are in
 * UTC.
 */
function parameterText(datatype: Parameters[number]['datatype'], text: string): string {
  if (datatype === 'datetime') return text.replace('T', ' ');
  if (datatype !== 'datetimetz') return text;
  const [, moment = text, hours = '+00', minutes = '00'] =
    /^(.*\d)(?:[zZ]|([+-]\d\d)(?::?(\d\d))?)?$/.exec(/T/i.test(text) ? text : `${text}T00:00:00`) ?? [];
  return `${moment.replace('T', ' ')}${hours}:${minutes}`;
}
