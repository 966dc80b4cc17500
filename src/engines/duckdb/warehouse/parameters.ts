// Binds the parameters of a statement. svc binds certified parameters with their declared types, because DuckDB would
// otherwise compare strings with times.
import type * as DuckDB from '@duckdb/node-api';
import { parseMicroseconds } from '../../../adapters/warehouse/iso-time.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { Problem } from '../../../platform/problem.ts';

type Parameter = NonNullable<FetchOptions['parameters']>[number];

export function bindParameters(
  duckdb: typeof DuckDB,
  preparedStatement: DuckDB.DuckDBPreparedStatement,
  names: readonly string[],
  parameters: FetchOptions['parameters'] = [],
): void {
  names.forEach((name, index) => {
    const parameter = parameters.find((item) => item.name === name);
    if (!parameter) throw new Problem('invalid', `Give a value for parameter "${name}".`, { param: name });
    if (preparedStatement.parameterCount <= index) return;
    try {
      bindValue(duckdb, preparedStatement, index + 1, parameter);
    } catch (cause) {
      throw new Problem(
        'invalid',
        `The value of parameter "${name}" does not have the datatype ${parameter.datatype}.`,
        {
          param: name,
          cause,
        },
      );
    }
  });
}

function bindValue(
  duckdb: typeof DuckDB,
  target: DuckDB.DuckDBPreparedStatement,
  index: number,
  { datatype, value }: Parameter,
): void {
  if (value === null) {
    target.bindNull(index);
    return;
  }
  if (typeof value === 'object') throw new TypeError('not a scalar');
  const text = String(value);
  switch (datatype) {
    case 'integer': {
      const integer = BigInt(text);
      if (BigInt.asIntN(64, integer) === integer) target.bindBigInt(index, integer);
      else target.bindHugeInt(index, integer);
      break;
    }
    case 'decimal': {
      const [, sign, integer, fraction = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text) ?? throwDatatypeMismatch();
      const digits = `${integer}${fraction}`;
      if (digits.length > 38) throwDatatypeMismatch();
      const unscaled = BigInt(`${sign === '-' ? '-' : ''}${digits}`);
      target.bindDecimal(index, new duckdb.DuckDBDecimalValue(unscaled, digits.length, fraction.length));
      break;
    }
    case 'float':
      if (text.trim() === '' || Number.isNaN(Number(text))) throwDatatypeMismatch();
      target.bindDouble(index, Number(text));
      break;
    case 'boolean':
      if (text !== 'true' && text !== 'false') throwDatatypeMismatch();
      target.bindBoolean(index, text === 'true');
      break;
    case 'date':
      target.bindDate(
        index,
        new duckdb.DuckDBDateValue(Number((parseMicroseconds(text) ?? throwDatatypeMismatch()) / 86_400_000_000n)),
      );
      break;
    case 'datetime':
      target.bindTimestamp(index, new duckdb.DuckDBTimestampValue(parseMicroseconds(text) ?? throwDatatypeMismatch()));
      break;
    case 'datetimetz':
      target.bindTimestampTZ(
        index,
        new duckdb.DuckDBTimestampTZValue(parseMicroseconds(text) ?? throwDatatypeMismatch()),
      );
      break;
    case 'time':
      target.bindTime(
        index,
        new duckdb.DuckDBTimeValue(parseMicroseconds(`1970-01-01T${text}`) ?? throwDatatypeMismatch()),
      );
      break;
    case 'string':
      target.bindVarchar(index, text);
      break;
  }
}

function throwDatatypeMismatch(): never {
  throw new TypeError('not of its datatype');
}
