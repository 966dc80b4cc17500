// Binds a statement. Each `?` becomes a typed parameter, which svc sends separately from the SQL.

import { engineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { Faults } from '../../../dialects/faults.ts';
import { isSymbol, tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { CLICKHOUSE_GRAMMAR } from '../dialect/grammar.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;

export function bindClickhouse(
  sql: string,
  names: readonly string[],
  parameters: Parameters = [],
): { sql: string; values: Record<string, string | null> } {
  const tokens = tokenizeForeign(CLICKHOUSE_GRAMMAR, sql, new Faults());
  if (tokens.some((token, index) => isSymbol(token, ';') && index < tokens.length - 1))
    throw engineRefusalProblem('several statements');
  const values: Record<string, string | null> = {};
  let text = '';
  let copiedEnd = 0;
  const placeholders = tokens.filter(({ kind }) => kind === 'positional').slice(0, names.length);
  for (const [index, mark] of placeholders.entries()) {
    const parameter = parameters.find(({ name }) => name === names[index]);
    const value = parameter && parameter.value !== null ? parameterText(parameter) : null;
    const key = `p${index}`;
    values[key] = value;
    text += `${sql.slice(copiedEnd, mark.start)}{${key}:${value === null ? 'Nullable(Nothing)' : typeFor(parameter!, value)}}`;
    copiedEnd = mark.end;
  }
  return { sql: text + sql.slice(copiedEnd), values };
}

function typeFor({ datatype }: Parameters[number], value: string): string {
  switch (datatype) {
    case 'integer':
      return 'Int256';
    case 'decimal':
      return `Decimal(76, ${/\.(\d+)$/.exec(value)?.[1]?.length ?? 0})`;
    case 'float':
      return 'Float64';
    case 'boolean':
      return 'Bool';
    case 'date':
      return 'Date32';
    case 'datetime':
    case 'datetimetz':
      return 'DateTime64(6)';
    default:
      return 'String';
  }
}

function parameterText({ datatype, value }: Parameters[number]): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (datatype === 'datetime') return text.replace('T', ' ');
  if (datatype !== 'datetimetz') return text;
  const time = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('T', ' ').replace('Z', '');
}
