// Binds a statement. Each `?` becomes a typed parameter, which svc sends separately from the SQL.

import { engineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { Faults } from '../../../dialects/faults.ts';
import { isSymbol, tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { BIGQUERY_GRAMMAR } from '../dialect/grammar.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;

interface BoundStatement {
  query: string;
  parameterMode?: 'POSITIONAL';
  queryParameters?: { parameterType: { type: string }; parameterValue: { value: string | null } }[];
}

/** For a dry run, svc omits `parameters`, and BigQuery infers the types. */
export function bindBigquery(sql: string, names: readonly string[], parameters?: Parameters): BoundStatement {
  const tokens = tokenizeForeign(BIGQUERY_GRAMMAR, sql, new Faults());
  if (tokens.some((token, index) => isSymbol(token, ';') && index < tokens.length - 1))
    throw engineRefusalProblem('several statements');
  if (names.length === 0) return { query: sql };
  if (!parameters) return { query: sql, parameterMode: 'POSITIONAL' };
  return {
    query: sql,
    parameterMode: 'POSITIONAL',
    queryParameters: names.map((name) => {
      const parameter = parameters.find((value) => value.name === name);
      const value = parameter && parameter.value !== null ? parameterText(parameter) : null;
      return { parameterType: { type: parameter ? typeFor(parameter, value) : 'STRING' }, parameterValue: { value } };
    }),
  };
}

const SMALL_INTEGER = /^[+-]?\d{1,18}$/;

function typeFor({ datatype }: Parameters[number], value: string | null): string {
  switch (datatype) {
    case 'integer':
      return value === null || SMALL_INTEGER.test(value) ? 'INT64' : 'BIGNUMERIC';
    case 'decimal':
      return 'BIGNUMERIC';
    case 'float':
      return 'FLOAT64';
    case 'boolean':
      return 'BOOL';
    case 'date':
      return 'DATE';
    case 'time':
      return 'TIME';
    case 'datetime':
      return 'DATETIME';
    case 'datetimetz':
      return 'TIMESTAMP';
    default:
      return 'STRING';
  }
}

function parameterText({ datatype, value }: Parameters[number]): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (datatype === 'datetime') return text.replace('T', ' ');
  if (datatype !== 'datetimetz') return text;
  const time = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('T', ' ').replace('Z', '+00');
}
