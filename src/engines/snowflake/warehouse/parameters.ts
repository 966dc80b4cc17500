// Binds parameters. svc sends their values separately from the SQL and casts each value to its type, because comparing
// a string with a number loses decimal places.

import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import {
  type BoundParameters,
  countFractionDigits,
  findParameterText,
  type ParameterText,
  replaceParameterMarks,
} from '../../../adapters/warehouse/parameters.ts';
import { FaultCollector } from '../../../dialects/fault-collector.ts';
import type { ForeignToken } from '../../../dialects/foreign/grammar.ts';
import { isSymbol, isWord, tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import { SNOWFLAKE_GRAMMAR } from '../dialect/grammar.ts';

export type BoundParameter = string | number | boolean;
export interface BoundStatement {
  sql: string;
  binds: BoundParameter[];
}

export function bindSnowflake(sql: string, names: readonly string[], parameters: BoundParameters = []): BoundStatement {
  const tokens = requireSelectTokens(sql);
  const binds: BoundParameter[] = [];
  const lastToken = tokens.at(-1);
  const statement = isSymbol(lastToken, ';') ? sql.slice(0, lastToken!.start) : sql;
  const text = replaceParameterMarks(statement, tokens, (markIndex, tokenIndex) => {
    const parameter = findParameterText(parameters, names[markIndex]);
    if (!parameter) return 'null';
    const previousToken = tokens[tokenIndex - 1];
    const isRowLimit = isWord(previousToken, 'limit') || isWord(previousToken, 'offset');
    binds.push(isRowLimit ? Number(parameter.text) : toBoundText(parameter));
    return isRowLimit ? '?' : writeParameterMark(parameter);
  });
  return { sql: text, binds };
}

/** Checks that the SQL is one SELECT without variables, stages, blocks or `->>`. Also checks SQL that svc wrote. */
function requireSelectTokens(sql: string): ForeignToken[] {
  const faults = new FaultCollector();
  const tokens = tokenizeForeign(SNOWFLAKE_GRAMMAR, sql, faults);
  const [fault] = faults.list;
  if (fault) throw createEngineRefusalProblem(fault.message, 'not plainly one SELECT', 'not_permitted');
  if (tokens.some((token, index) => isSymbol(token, ';') && index < tokens.length - 1))
    throw createEngineRefusalProblem('several statements', 'several statements', 'not_permitted');
  const firstToken = tokens.find(({ kind }) => kind !== 'open');
  if (!isWord(firstToken, 'select') && !isWord(firstToken, 'with'))
    throw createEngineRefusalProblem('not a SELECT', 'not a SELECT', 'not_permitted');
  return tokens;
}

const CAST_TYPES: Readonly<Partial<Record<string, string>>> = {
  integer: 'number(38, 0)',
  float: 'double',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp_ntz',
  datetimetz: 'timestamp_tz',
};
function writeParameterMark({ datatype, text }: ParameterText): string {
  const type = datatype === 'decimal' ? `number(38, ${countFractionDigits(text)})` : CAST_TYPES[datatype];
  return type === undefined ? '?' : `cast(? as ${type})`;
}

/** Writes a parameter so that Snowflake's format settings don't affect it. Timestamps without an offset are in UTC. */
function toBoundText({ datatype, text }: ParameterText): string {
  if (datatype === 'datetime') return text.replace('T', ' ');
  if (datatype !== 'datetimetz') return text;
  const [, moment = text, hours = '+00', minutes = '00'] =
    /^(.*\d)(?:[zZ]|([+-]\d\d)(?::?(\d\d))?)?$/.exec(/T/i.test(text) ? text : `${text}T00:00:00`) ?? [];
  return `${moment.replace('T', ' ')}${hours}:${minutes}`;
}
