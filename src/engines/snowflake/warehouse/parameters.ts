// Binds a SELECT. svc sends parameter values separately from the SQL and casts each one to its type, because comparing
// a string with a number loses decimal places.

import { refusedByEngine } from '../../../adapters/warehouse/faults.ts';
import { Faults } from '../../../dialects/faults.ts';
import type { ForeignToken } from '../../../dialects/foreign/grammar.ts';
import { foreignTokens, isSign, isWord } from '../../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { SNOWFLAKE_GRAMMAR } from '../dialect/grammar.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;
export type Bind = string | number | boolean;
export interface Bound {
  sql: string;
  binds: Bind[];
}

export function bindSnowflake(sql: string, names: readonly string[], parameters: Parameters = []): Bound {
  const tokens = readingTokens(sql);
  const binds: Bind[] = [];
  let text = '';
  let from = 0;
  let marks = 0;
  const last = tokens.at(-1);
  const end = isSign(last, ';') ? last!.start : sql.length;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'positional') continue;
    const parameter = parameters.find(({ name }) => name === names[marks]);
    marks++;
    const bound = isWord(tokens[index - 1], 'limit') || isWord(tokens[index - 1], 'offset');
    text +=
      sql.slice(from, token.start) +
      (parameter && parameter.value !== null ? bindParameter(parameter, bound, binds) : 'null');
    from = token.end;
  }
  return { sql: text + sql.slice(from, end), binds };
}

/** Checks SQL from any source: one SELECT without variables, stages, blocks and `->>`. */
function readingTokens(sql: string): ForeignToken[] {
  const faults = new Faults();
  const tokens = foreignTokens(SNOWFLAKE_GRAMMAR, sql, faults);
  const [fault] = faults.list;
  if (fault) throw refusedByEngine(fault.message, 'not plainly one SELECT', 'not_permitted');
  if (tokens.some((token, index) => isSign(token, ';') && index < tokens.length - 1))
    throw refusedByEngine('several statements', 'several statements', 'not_permitted');
  const first = tokens.find(({ kind }) => kind !== 'open');
  if (!isWord(first, 'select') && !isWord(first, 'with'))
    throw refusedByEngine('not a SELECT', 'not a SELECT', 'not_permitted');
  return tokens;
}

function bindParameter({ datatype, value }: Parameters[number], bound: boolean, binds: Bind[]): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (bound) {
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
 * Writes timestamps in a form that doesn't depend on Snowflake's format settings. Those without an offset are in UTC.
 */
function parameterText(datatype: Parameters[number]['datatype'], text: string): string {
  if (datatype === 'datetime') return text.replace('T', ' ');
  if (datatype !== 'datetimetz') return text;
  const [, moment = text, hours = '+00', minutes = '00'] =
    /^(.*\d)(?:[zZ]|([+-]\d\d)(?::?(\d\d))?)?$/.exec(/T/i.test(text) ? text : `${text}T00:00:00`) ?? [];
  return `${moment.replace('T', ' ')}${hours}:${minutes}`;
}
