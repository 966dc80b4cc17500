// svc sends the values of parameters separately from the SQL.
import { type BoundParameters, findParameterText, toUtcText } from '../../../adapters/warehouse/parameters.ts';
import type { DatabricksConnection } from './client.ts';

export const bindDatabricks = (
  { parameter }: Pick<DatabricksConnection, 'parameter'>,
  names: readonly string[],
  parameters: BoundParameters = [],
): object[] =>
  names.map((name) => {
    const found = findParameterText(parameters, name);
    if (!found) return parameter('VOID', null);
    const { datatype, text } = found;
    return parameter(PARAMETER_TYPES[datatype] ?? 'STRING', datatype.startsWith('datetime') ? toUtcText(text) : text);
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
