import { DateTime } from 'luxon';
import type { JsonScalar } from '../../contract/ask.ts';
import type { ProblemDetail } from '../../contract/problem.ts';
import type { Datatype } from '../../contract/warehouse.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { createDidYouMeanHint } from '../../platform/closest-names.ts';
import { Problem } from '../../platform/problem.ts';

/** Throws Problem `invalid` that names every missing, unknown and mistyped parameter. */
export function validateParameterValues(
  entry: CertifiedEntry,
  suppliedValues: Record<string, JsonScalar> = {},
): Record<string, JsonScalar> {
  const faults: ProblemDetail[] = [];
  const boundValues: Record<string, JsonScalar> = {};
  for (const [name, { datatype }] of Object.entries(entry.parameters)) {
    const value = Object.hasOwn(suppliedValues, name) ? suppliedValues[name] : undefined;
    const path = `parameters.${name}`;
    if (value === undefined) faults.push({ path, code: 'missing', message: `Give ${name} (${datatype}).` });
    else if (hasDatatype(value, datatype)) boundValues[name] = value;
    else {
      const article = datatype === 'integer' ? 'an' : 'a';
      faults.push({ path, code: 'datatype', message: `${name} must be ${article} ${datatype}.` });
    }
  }
  const names = Object.keys(entry.parameters);
  const hint = names.length > 0 ? `Its parameters are ${names.join(', ')}.` : 'It has no parameters.';
  for (const name of Object.keys(suppliedValues)) {
    const message = `${entry.certId} has no parameter ${name}. ${hint}`;
    if (!names.includes(name)) faults.push({ path: `parameters.${name}`, code: 'unknown', message });
  }
  const messages = faults.map(({ message }) => message).join(' ');
  if (faults.length > 0)
    throw new Problem('invalid', `The parameters are not valid for certified entry ${entry.certId}: ${messages}`, {
      ...{ details: faults, param: 'parameters' },
    });
  return boundValues;
}

function hasDatatype(value: JsonScalar, datatype: Datatype): boolean {
  switch (datatype) {
    case 'integer':
      return typeof value === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && /^-?\d{1,38}$/.test(value);
    case 'decimal':
      return typeof value !== 'boolean' && isDecimal(String(value));
    case 'float':
      return typeof value === 'number'
        ? Number.isFinite(value)
        : typeof value === 'string' && /^-?\d{1,38}(\.\d+)?$/.test(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && DATE_PATTERN.test(value) && isValidIsoTime(value);
    case 'datetime':
    case 'datetimetz':
      return typeof value === 'string' && DATETIME_PATTERN.test(value) && isValidIsoTime(value.replace(' ', 'T'));
    case 'time':
      return typeof value === 'string' && TIME_PATTERN.test(value) && isValidIsoTime(`1970-01-01T${value}`);
    case 'string':
      return typeof value === 'string' && !value.includes('\u0000');
  }
}

// The date formats that every warehouse can bind. ISO 8601 also allows weeks, bare years and years beyond 9999, which
// no warehouse accepts.
const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const TIME_PATTERN = /^\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;
const DATETIME_PATTERN = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const isValidIsoTime = (iso: string): boolean => DateTime.fromISO(iso).isValid;
const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= 38;

/** The capture group contains the name of the parameter. */
export const PLACEHOLDER_PATTERN = /\{([a-z_][a-z0-9_]*)\}/gi;

export const fillQuestion = (question: string, parameters: Record<string, JsonScalar>): string =>
  question.replaceAll(PLACEHOLDER_PATTERN, (placeholder, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : placeholder,
  );

/** Reports placeholders without a declared parameter, and parameters that the SQL doesn't use. */
export function findParameterFaults({
  question,
  alsoAsked,
  sql,
  parameters,
}: Pick<CertifiedEntry, 'question' | 'alsoAsked' | 'sql' | 'parameters'>): {
  at: (string | number)[];
  code: string;
  message: string;
}[] {
  const names = Object.keys(parameters);
  return [
    ...[question, ...alsoAsked].flatMap((phrase, index) =>
      [...phrase.matchAll(PLACEHOLDER_PATTERN)]
        .filter(([, name]) => !Object.hasOwn(parameters, name!))
        .map(([, name]) => ({
          at: index === 0 ? ['question'] : ['also_asked', index - 1],
          code: 'unknown_parameter',
          message: `{${name}} is not a parameter of this entry.${createDidYouMeanHint(name!, names) || ' Declare it in parameters.'}`,
        })),
    ),
    ...names
      .filter((name) => !new RegExp(`(?<!:):${name}\\b`).test(sql))
      .map((name) => ({
        at: ['parameters', name],
        code: 'unknown_parameter',
        message: `The SQL does not use the parameter "${name}". Write :${name} in the SQL, or remove the parameter.`,
      })),
  ];
}

/**
 * The cause is a parameter value, such as a string that isn't a number. The approved SQL still runs with other values.
 */
export function createUnusableParametersProblem(
  parameters: Record<string, JsonScalar>,
  { detail, cause }: Problem,
): Problem {
  const details = Object.keys(parameters).map((name) => ({
    path: `parameters.${name}`,
    code: 'unusable_value',
    message: 'The approved SQL might not accept this value.',
  }));
  const message = 'The approved SQL can’t run with these parameter values. Give other values.';
  return new Problem('invalid', message, { param: 'parameters', details, detail, cause });
}
