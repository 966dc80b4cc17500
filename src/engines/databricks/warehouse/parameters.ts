// Converts parameter values to typed parameters, which svc sends separately from the SQL.
import type { FetchOptions } from '../../../domain/ports.ts';
import type { DatabricksConnection } from './client.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;

export const bindDatabricks = (
  { parameter }: Pick<DatabricksConnection, 'parameter'>,
  names: readonly string[],
  parameters: Parameters = [],
): object[] =>
  names.map((name) => {
    const match = parameters.find((value) => value.name === name);
    if (!match || match.value === null) return parameter('VOID', null);
    const text = typeof match.value === 'object' ? JSON.stringify(match.value) : String(match.value);
    return parameter(
      PARAMETER_TYPES[match.datatype] ?? 'STRING',
      match.datatype.startsWith('datetime') ? toUtc(text) : text,
    );
  });

const PARAMETER_TYPES: Readonly<Record<string, string>> = {
  integer: 'DECIMAL',
  decimal: 'DECIMAL',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP_NTZ',
  datetimetz: 'TIMESTAMP',
};

function toUtc(text: string): string {
  if (!/[zZ]|[+-]\d\d:?\d\d$/.test(text)) return text.replace('T', ' ');
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('T', ' ').replace('Z', '');
}
