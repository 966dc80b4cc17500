// Each `?` becomes a typed parameter. svc sends its value separately from the SQL.
import {
  type BoundParameters,
  countFractionDigits,
  findParameterText,
  type ParameterText,
  readStatementTokens,
  replaceParameterMarks,
  toUtcText,
} from '../../../adapters/warehouse/parameters.ts';
import { CLICKHOUSE_GRAMMAR } from '../dialect/grammar.ts';

export function bindClickhouse(
  sql: string,
  names: readonly string[],
  parameters: BoundParameters = [],
): { sql: string; values: Record<string, string | null> } {
  const values: Record<string, string | null> = {};
  const text = replaceParameterMarks(sql, readStatementTokens(CLICKHOUSE_GRAMMAR, sql), (index) => {
    const parameter = findParameterText(parameters, names[index]);
    values[`p${index}`] = parameter && toBoundText(parameter);
    return `{p${index}:${parameter ? chooseParameterType(parameter) : 'Nullable(Nothing)'}}`;
  });
  return { sql: text, values };
}

const PARAMETER_TYPES: Readonly<Partial<Record<string, string>>> = {
  integer: 'Int256',
  float: 'Float64',
  boolean: 'Bool',
  date: 'Date32',
  datetime: 'DateTime64(6)',
  datetimetz: 'DateTime64(6)',
};
const chooseParameterType = ({ datatype, text }: ParameterText): string =>
  datatype === 'decimal' ? `Decimal(76, ${countFractionDigits(text)})` : (PARAMETER_TYPES[datatype] ?? 'String');

function toBoundText({ datatype, text }: ParameterText): string {
  if (datatype === 'datetime') return text.replace('T', ' ');
  return datatype === 'datetimetz' ? toUtcText(text) : text;
}
