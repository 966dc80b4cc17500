// Checks that a caller's attributes fit the values that row policies compare them with.
import { DateTime } from 'luxon';
import { type Datatype, type DialectName, isNumeric } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { formatLiteral } from '../../guard/literals.ts';
import { Problem } from '../../platform/problem.ts';
import type { Caller, Lens, RowPolicy } from '../model/lens.ts';
import type { AuthoredExpressionReader } from './authored-reader.ts';
import { type AttributeType, inferAttributeTypes } from './policy-types.ts';

type AttributeValue = string | number | boolean;

/** Returns undefined if the caller has no such attribute. The policy then hides all rows of the dataset. */
export function findAttributeValue(
  caller: Pick<Caller, 'name' | 'attributes'>,
  name: string,
): AttributeValue | undefined {
  if (Object.hasOwn(caller.attributes, name)) {
    const value = caller.attributes[name];
    return value === '' || (typeof value === 'number' && !Number.isFinite(value)) ? undefined : value;
  }
  return name === 'name' ? caller.name : undefined;
}

const DATATYPE_OF_VALUE = { string: 'string', number: 'decimal', boolean: 'boolean' } as const;

/** Returns the datatype of the constant for a value. Returns null if the value doesn't have the required type. */
export function determineConstantType(
  dialect: DialectName,
  value: AttributeValue,
  type: AttributeType,
): Datatype | null {
  const valueType = DATATYPE_OF_VALUE[typeof value as keyof typeof DATATYPE_OF_VALUE];
  if (type === 'any') return valueType;
  // If the required type is unknown, no value is safe on an engine that converts operands implicitly.
  if (type === null) return findDialect(dialect).comparesByCasting ? null : valueType;
  const requiredType = type === 'string' || type === 'boolean' ? type : isNumeric(type) ? 'decimal' : 'string';
  if (valueType !== requiredType) return null;
  // JSON parsing rounds larger integers, so the rounded value could match another row.
  if (type === 'integer' && !Number.isSafeInteger(value)) return null;
  try {
    formatLiteral(dialect, value, type);
  } catch {
    return null;
  }
  return isNumeric(type) || type === 'string' || type === 'boolean' || isValidDateTime(String(value)) ? type : null;
}

const MOMENT_PATTERN =
  /^(?!0000)(?:\d{4}-\d{2}-\d{2})?(?:(?:^|[T ])(?!24)\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;
/**
 * Returns false if the date or time doesn't exist, such as February 31 or hour 25. Engines refuse such values or read
 * them as null.
 */
const isValidDateTime = (text: string): boolean =>
  MOMENT_PATTERN.test(text) && DateTime.fromISO(text.toUpperCase().replace(' ', 'T')).isValid;
/** Adds midnight to a date that is compared with a timestamp, because some engines don't convert dates. */
export const addMidnight = (value: AttributeValue, type: Datatype): AttributeValue =>
  type === 'datetime' && typeof value === 'string' && !/[T ]/i.test(value) ? `${value}T00:00:00` : value;

export const describeAttributeType = (type: AttributeType): string =>
  type === 'string'
    ? 'text'
    : type === 'boolean'
      ? 'true or false'
      : type !== null && isNumeric(type)
        ? type === 'integer'
          ? 'a whole number'
          : 'a number'
        : `a ${type}`;

export interface MismatchedAttribute {
  policy: string;
  attribute: string;
  needs: AttributeType;
}

export const findMismatchedAttributes = (
  lens: Lens,
  policies: RowPolicy[],
  caller: Pick<Caller, 'name' | 'attributes'>,
  readAuthored: AuthoredExpressionReader,
): MismatchedAttribute[] =>
  policies.flatMap((policy) =>
    inferAttributeTypes(lens, policy, readAuthored).flatMap(({ name, type }) => {
      const value = findAttributeValue(caller, name);
      return value === undefined || determineConstantType(lens.dialect, value, type) !== null
        ? []
        : [{ policy: policy.name, attribute: name, needs: type }];
    }),
  );

export function refuseMismatchedAttributes(
  lens: Lens,
  policy: RowPolicy,
  caller: Caller,
  readAuthored: AuthoredExpressionReader,
): void {
  const [firstMismatch] = findMismatchedAttributes(lens, [policy], caller, readAuthored);
  if (!firstMismatch) return;
  const { policy: policyName, attribute, needs } = firstMismatch;
  const reason =
    needs === null
      ? `svc doesn't know which type your attribute "${attribute}" must have`
      : `your attribute "${attribute}" is not ${describeAttributeType(needs)}`;
  throw new Problem(
    'forbidden',
    `The row policy "${policyName}" can't be applied to you: ${reason}. Ask an admin to correct the attribute or the policy.`,
  );
}
