// Values computed from one row before aggregation: fields and numbers with + - * /, the time between dates,
// and the number of items in a text.
import type { Datatype } from '../../contract/warehouse.ts';
import { countItems, keepFraction, ratio } from '../../dialects/compiling.ts';
import { callOf, compute, nullLiteral, numberOf } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { additivityOf } from '../model/aggregation.ts';
import { type Amount, type FieldRef, fieldsOf, type RowValue } from '../model/intent.ts';
import type { Compilation } from './compilation.ts';
import { fieldValue } from './field-sql.ts';
import type { RowScope } from './row-scope.ts';

export const SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
const NUMERIC = ['integer', 'decimal', 'float'];
const MOMENTS = ['date', 'datetime', 'datetimetz'];

/** The datatype of a value. Adds a fault and returns null if a part doesn't fit. */
export function typeOfValue(compilation: Compilation, value: RowValue): Datatype | null {
  switch (value.kind) {
    case 'number':
      return typeOfNumber(value.value);
    case 'field': {
      const type = typeOfField(compilation, value.field, NUMERIC, 'a number');
      return type === 'integer' && value.or !== undefined ? typeOfNumber(value.or) : type;
    }
    case 'items':
      return typeOfField(compilation, value.field, ['string'], 'a text') && 'integer';
    case 'elapsed': {
      const [from, to] = [value.from, value.to].map((one) => typeOfField(compilation, one, MOMENTS, 'a date'));
      if (!from || !to) return null;
      if (value.unit === 'months' || (from === 'datetimetz') === (to === 'datetimetz')) return 'decimal';
      const [a, b] = [value.from, value.to].map(({ path, field }) => `${path}.${field}`);
      compilation.fault(`${a} is ${from} and ${b} is ${to}, so they have no difference in time.`, a);
      return null;
    }
    case 'computed': {
      const types = [value.left, value.right].map((one) => typeOfValue(compilation, one));
      if (types.includes(null)) return null;
      if (types.includes('float')) return 'float';
      return value.operator === '/' || types.includes('decimal') ? 'decimal' : 'integer';
    }
  }
}

const typeOfNumber = (value: number): Datatype => (Number.isInteger(value) ? 'integer' : 'decimal');

function typeOfField(compilation: Compilation, ref: FieldRef, wanted: string[], called: string): Datatype | null {
  const field = compilation.field(ref)?.field;
  if (!field) return null;
  const written = `${ref.path}.${ref.field}`;
  if (field.masked) compilation.fault(`${written} is masked, so you can't compute with it.`, written, 'masked');
  else if (!wanted.includes(field.datatype))
    compilation.fault(`${written} is ${field.datatype}; this needs ${called}.`, written);
  else return field.datatype;
  return null;
}

export function rowValue(compilation: Compilation, scope: RowScope, value: RowValue): Expression {
  const { dialect } = compilation;
  const of = (ref: FieldRef): Expression => scope.field(ref)?.value ?? nullLiteral();
  switch (value.kind) {
    case 'number':
      return compilation.literal(value.value, typeOfNumber(value.value));
    case 'field':
      return value.or === undefined
        ? of(value.field)
        : callOf('coalesce', [of(value.field), compilation.literal(value.or, typeOfNumber(value.or))]);
    case 'items':
      return countItems(dialect, of(value.field), compilation.literal(value.separator, 'string'));
    case 'elapsed': {
      if (value.unit === 'months') return monthsBetween(compilation, scope, value);
      const types = [value.from, value.to].map((one) => compilation.field(one)!.field.datatype) as [Datatype, Datatype];
      const seconds = dialect.compiling.secondsBetween(of(value.from), of(value.to), types);
      const size = SECONDS[value.unit];
      return size === 1 ? seconds : compute(keepFraction(dialect, seconds), '/', numberOf(size));
    }
    case 'computed': {
      const [left, right] = [rowValue(compilation, scope, value.left), rowValue(compilation, scope, value.right)];
      return value.operator === '/' ? ratio(dialect, left, right) : compute(left, value.operator, right);
    }
  }
}

/** The average length of a calendar month, for converting days to months. */
const DAYS_OF_MONTH = '30.436875';
/** The number of months from one date's month to the other's. */
function monthsBetween(
  compilation: Compilation,
  scope: RowScope,
  { from, to }: Extract<RowValue, { kind: 'elapsed' }>,
): Expression {
  const { dialect } = compilation;
  const [a, b] = [from, to].map((ref) => fieldValue(compilation, scope, { ...ref, grain: 'month' }));
  const days = keepFraction(dialect, dialect.compiling.daysBetween(a!, b!));
  return dialect.compiling.round(compute(days, '/', numberOf(DAYS_OF_MONTH)), 0);
}

/** Each term of a sum needs an additive factor, such as an amount or a duration; a price alone isn't additive. */
export function checkAdds(compilation: Compilation, { fn, value }: Amount): void {
  if (fn !== 'sum') return;
  for (const term of termsOf(value)) {
    const adds = term.some((one) => {
      if (one.kind === 'elapsed' || one.kind === 'items') return true;
      const known = one.kind === 'field' ? compilation.field(one.field) : null;
      return known !== null && additivityOf(known.field, known.dataset).how === 'sum';
    });
    const named = term.flatMap(fieldsOf).map(({ path, field }) => `${path}.${field}`);
    if (!adds && named.length > 0)
      compilation.fault(
        `It is not known whether ${named.join(' and ')} add up. Use avg, or set "aggregation: sum" on the field that does.`,
        named[0],
      );
  }
}

/** The terms of an addition or subtraction, each as its factors; a divisor isn't additive. */
function termsOf(value: RowValue): RowValue[][] {
  if (value.kind !== 'computed') return [[value]];
  if (value.operator === '+' || value.operator === '-') return [...termsOf(value.left), ...termsOf(value.right)];
  if (value.operator === '/') return termsOf(value.left);
  return termsOf(value.left).flatMap((left) => termsOf(value.right).map((right) => [...left, ...right]));
}

const SIGN = { '+': 'plus', '-': 'minus', '*': 'times', '/': 'divided by' } as const;
export function valueWords(value: RowValue, field: (ref: FieldRef) => string): string {
  switch (value.kind) {
    case 'number':
      return String(value.value);
    case 'field':
      return value.or === undefined ? field(value.field) : `${field(value.field)} or ${value.or}`;
    case 'items':
      return `number of items in ${field(value.field)}${value.separator === ',' ? '' : ` between "${value.separator}"`}`;
    case 'elapsed':
      return `${value.unit} from ${field(value.from)} to ${field(value.to)}`;
    case 'computed':
      return [value.left, value.right]
        .map((one) =>
          one.kind === 'computed' || (one.kind === 'field' && one.or !== undefined)
            ? `(${valueWords(one, field)})`
            : valueWords(one, field),
        )
        .join(` ${SIGN[value.operator]} `);
  }
}
