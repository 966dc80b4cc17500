// Binds each parameter with a type. Without a type, a number would arrive as a double. LIMIT refuses doubles, and a
// decimal sent as a double loses digits.
import mysql from 'mysql2';
import { type BoundParameters, findParameterText, toUtcText } from '../../../adapters/warehouse/parameters.ts';

export const bindMysql = (names: readonly string[], parameters: BoundParameters = []): unknown[] =>
  names.map((name) => {
    const parameter = findParameterText(parameters, name);
    if (!parameter) return null;
    const { datatype, text } = parameter;
    switch (datatype) {
      case 'integer':
        return /^[+-]?\d+$/.test(text) ? mysql.TypedParameter.LONGLONG(BigInt(text)) : text;
      case 'boolean':
        return text === 'true' ? 1 : 0;
      case 'float':
        return Number(text);
      case 'datetime':
        return text.replace('T', ' ');
      case 'datetimetz':
        return toUtcText(text);
      default:
        return text;
    }
  });
