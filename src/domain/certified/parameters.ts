// Parameters of certified entries: declared, typed, bound.
import { DateTime } from 'luxon';
import type { JsonValue } from '../../contract/ask.ts';
import type { ProblemDetail } from '../../contract/problem.ts';
import type { Datatype } from '../../contract/warehouse.ts';
import type { CertifiedEntry } from '../../lens/lens.ts';
import { Problem } from '../../platform/problem.ts';

/** Throws Problem `invalid` naming every missing, unknown and mistyped parameter. */
export function bindParameters(
  entry: CertifiedEntry,
  given: Record<string, JsonValue> = {},
): Record<string, JsonValue> {
  const faults: ProblemDetail[] = [];
  const bound: Record<string, JsonValue> = {};
  for (const [name, { datatype }] of Object.entries(entry.parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      faults.push({ path: `parameters.${name}`, code: 'missing', message: `Give ${name} (${datatype}).` });
    } else if (!fits(value, datatype)) {
      faults.push({
        path: `parameters.${name}`,
        code: 'datatype',
        message: `${name} must be ${article(datatype)} ${datatype}.`,
      });
    } else {
      bound[name] = value;
    }
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(entry.parameters, name)) continue;
    const known = Object.keys(entry.parameters);
    const hint = known.length > 0 ? `Its parameters are ${known.join(', ')}.` : 'It takes none.';
    faults.push({
      path: `parameters.${name}`,
      code: 'unknown',
      message: `${entry.certId} has no parameter ${name}. ${hint}`,
    });
  }
  if (faults.length > 0) {
    throw new Problem(
      'invalid',
      `The parameters do not fit certified entry ${entry.certId}: ${faults.map(({ message }) => message).join(' ')}`,
      {
        details: faults,
        param: 'parameters',
      },
    );
  }
  return bound;
}

function fits(value: JsonValue, datatype: Datatype): boolean {
  switch (datatype) {
    case 'integer':
      return typeof value === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && /^-?\d{1,38}$/.test(value);
    case 'decimal':
    case 'float':
      return typeof value === 'number'
        ? Number.isFinite(value)
        : typeof value === 'string' && /^-?\d{1,38}(\.\d+)?$/.test(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && DateTime.fromISO(value).isValid;
    case 'datetime':
    case 'datetimetz':
    case 'time':
      return typeof value === 'string' && DateTime.fromISO(value).isValid;
    case 'string':
      return typeof value === 'string' && !value.includes('\u0000');
  }
}

const article = (datatype: string): string => (datatype === 'integer' ? 'an' : 'a');
