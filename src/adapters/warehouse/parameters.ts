import { FaultCollector } from '../../dialects/fault-collector.ts';
import type { ForeignGrammar, ForeignToken } from '../../dialects/foreign/grammar.ts';
import { isSymbol, tokenizeForeign } from '../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../domain/ports.ts';
import { createEngineRefusalProblem } from './faults.ts';
import { parseMicroseconds, toIsoDateTime } from './iso-time.ts';

export type BoundParameters = NonNullable<FetchOptions['parameters']>;
export interface ParameterText {
  datatype: BoundParameters[number]['datatype'];
  text: string;
}

/** Returns null if the parameter is missing or its value is null. */
export function findParameterText(parameters: BoundParameters, name: string | undefined): ParameterText | null {
  const { datatype, value = null } = parameters.find((parameter) => parameter.name === name) ?? {};
  if (datatype === undefined || value === null) return null;
  return { datatype, text: typeof value === 'object' ? JSON.stringify(value) : String(value) };
}

/** Writes a timestamp in UTC without `T`, followed by `zone`. Other strings don't change. */
export function toUtcText(text: string, zone = ''): string {
  const micros = parseMicroseconds(text);
  return micros === undefined ? text : toIsoDateTime(micros, 1_000_000n, '').replace('T', ' ') + zone;
}

/** Throws if the SQL contains several statements. */
export function readStatementTokens(grammar: ForeignGrammar, sql: string): ForeignToken[] {
  const tokens = tokenizeForeign(grammar, sql, new FaultCollector());
  if (tokens.some((token, index) => isSymbol(token, ';') && index < tokens.length - 1))
    throw createEngineRefusalProblem('several statements');
  return tokens;
}

export function replaceParameterMarks(
  sql: string,
  tokens: readonly ForeignToken[],
  write: (markIndex: number, tokenIndex: number) => string,
): string {
  let text = '';
  let copiedEnd = 0;
  let markCount = 0;
  for (const [index, { kind, start, end }] of tokens.entries()) {
    if (kind !== 'positional') continue;
    text += sql.slice(copiedEnd, start) + write(markCount++, index);
    copiedEnd = end;
  }
  return text + sql.slice(copiedEnd);
}

export const countFractionDigits = (text: string): number => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
