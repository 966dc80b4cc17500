// Each `?` becomes a typed parameter. svc sends its value separately from the SQL.
import {
  type BoundParameters,
  findParameterText,
  readStatementTokens,
  toUtcText,
} from '../../../adapters/warehouse/parameters.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import { BIGQUERY_GRAMMAR } from '../dialect/grammar.ts';

interface BoundStatement {
  query: string;
  parameterMode?: 'POSITIONAL';
  queryParameters?: { parameterType: { type: string }; parameterValue: { value: string | null } }[];
}

/** If `parameters` is missing, as for a dry run, BigQuery infers the types. */
export function bindBigquery(sql: string, names: readonly string[], parameters?: BoundParameters): BoundStatement {
  readStatementTokens(BIGQUERY_GRAMMAR, sql);
  if (names.length === 0) return { query: sql };
  if (!parameters) return { query: sql, parameterMode: 'POSITIONAL' };
  return {
    query: sql,
    parameterMode: 'POSITIONAL',
    queryParameters: names.map((name) => {
      const datatype = parameters.find((parameter) => parameter.name === name)?.datatype ?? 'string';
      const text = findParameterText(parameters, name)?.text ?? null;
      const isLarge = datatype === 'integer' && text !== null && !SMALL_INTEGER_PATTERN.test(text);
      const type = isLarge ? 'BIGNUMERIC' : PARAMETER_TYPES[datatype];
      return { parameterType: { type }, parameterValue: { value: text === null ? null : toBoundText(datatype, text) } };
    }),
  };
}

const SMALL_INTEGER_PATTERN = /^[+-]?\d{1,18}$/;
const PARAMETER_TYPES: Readonly<Record<Datatype, string>> = {
  string: 'STRING',
  integer: 'INT64',
  decimal: 'BIGNUMERIC',
  float: 'FLOAT64',
  boolean: 'BOOL',
  date: 'DATE',
  time: 'TIME',
  datetime: 'DATETIME',
  datetimetz: 'TIMESTAMP',
};

function toBoundText(datatype: Datatype, text: string): string {
  if (datatype === 'datetime') return text.replace('T', ' ');
  return datatype === 'datetimetz' ? toUtcText(text, '+00') : text;
}
