// Whether the attributes of a caller are what the row policies compare them with.
import type { Datatype, Dialect } from '../../contract/warehouse.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import { literal } from '../../guard/literals.ts';
import { Problem } from '../../platform/problem.ts';
import type { Asker, Lens, RowPolicy } from '../model/lens.ts';
import { type AttributeType, attributeTypes } from './policy-types.ts';

type Value = string | number | boolean;

/** Undefined: the caller has none, which closes the dataset. */
export function attributeOf(asker: Pick<Asker, 'name' | 'attributes'>, name: string): Value | undefined {
  if (Object.hasOwn(asker.attributes, name)) {
    const value = asker.attributes[name];
    return value === '' || (typeof value === 'number' && !Number.isFinite(value)) ? undefined : value;
  }
  return name === 'name' ? asker.name : undefined;
}

const OWN_TYPE = { string: 'string', number: 'decimal', boolean: 'boolean' } as const;

/** What the constant is written as; null when the value is of another type than its place. */
export function writtenAs(dialect: Dialect, value: Value, type: AttributeType): Datatype | null {
  const own = OWN_TYPE[typeof value as keyof typeof OWN_TYPE];
  if (type === 'any') return own;
  // What would be cast whatever it is, an unknown place does not take.
  if (type === null) return dialectOf(dialect).comparesByCasting ? null : own;
  const kind = type === 'string' || type === 'boolean' ? type : NUMBERS.has(type) ? 'decimal' : 'string';
  if (own !== kind) return null;
  // A larger one was rounded when it was read: it would be another row's.
  if (type === 'integer' && !Number.isSafeInteger(value)) return null;
  try {
    literal(dialect, value, type);
  } catch {
    return null;
  }
  return NUMBERS.has(type) || type === 'string' || type === 'boolean' || isInCalendar(String(value)) ? type : null;
}

const NUMBERS = new Set<AttributeType>(['integer', 'decimal', 'float']);

const MOMENT =
  /^(?:(?<day>\d{4}-\d{2}-\d{2}))?(?:(?:^|[T ])(?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** No 31st of February, no 25th hour: an engine would fail on it, or take it for null. */
function isInCalendar(text: string): boolean {
  const { day = '2000-01-01', clock = '00:00', zone = 'Z' } = MOMENT.exec(text)?.groups ?? { day: 'none' };
  const offset = zone.replace(/^(.\d{2}):?(\d{2})?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const date = new Date(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(date.getTime()) &&
    date.getUTCFullYear() > 0 &&
    date.toISOString().startsWith(day) &&
    !clock.startsWith('24') &&
    !Number.isNaN(new Date(`2000-01-01T${clock}${offset.toUpperCase()}`).getTime())
  );
}

/** A day is the moment that it begins: not every engine reads it so. */
export const inFull = (value: Value, type: Datatype): Value =>
  type === 'datetime' && typeof value === 'string' && !/[T ]/i.test(value) ? `${value}T00:00:00` : value;

export const asWords = (type: AttributeType): string =>
  type === 'string'
    ? 'text'
    : type === 'boolean'
      ? 'true or false'
      : type !== null && NUMBERS.has(type)
        ? type === 'integer'
          ? 'a whole number'
          : 'a number'
        : `a ${type}`;

export interface Misfit {
  policy: string;
  attribute: string;
  /** What it must be. */
  needs: AttributeType;
}

/** Attributes that the caller has and that are no value of their place in these policies. */
export const misfits = (lens: Lens, policies: RowPolicy[], asker: Pick<Asker, 'name' | 'attributes'>): Misfit[] =>
  policies.flatMap((policy) =>
    attributeTypes(lens, policy).flatMap(({ name, type }) => {
      const value = attributeOf(asker, name);
      return value === undefined || writtenAs(lens.dialect, value, type) !== null
        ? []
        : [{ policy: policy.name, attribute: name, needs: type }];
    }),
  );

export function refuseMisfits(lens: Lens, policies: RowPolicy[], asker: Asker): void {
  const [first] = misfits(lens, policies, asker);
  if (!first) return;
  const needs = first.needs === null ? 'of a type that this policy determines' : asWords(first.needs);
  throw new Problem(
    'forbidden',
    `The row policy "${first.policy}" can't be applied to you: your attribute "${first.attribute}" is not ${needs}. Ask an administrator to correct it.`,
  );
}
