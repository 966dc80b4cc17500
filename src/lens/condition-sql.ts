// One condition on one field as SQL. A row whose field is null satisfies neither = nor != nor not_in, as in SQL itself;
// only is_null finds it.
import { DateTime } from 'luxon';
import type { Datatype } from '../contract/warehouse.ts';
import { Problem } from '../platform/problem.ts';
import type { Compilation } from './compilation.ts';
import { type Condition, isDayPart, type Operator, type Scalar } from './intent.ts';
import type { Grain } from './lens.ts';

const ARITY: Partial<Record<Operator, [number, number]>> = {
  between: [2, 2],
  is_null: [0, 0],
  is_not_null: [0, 0],
  in: [1, 1000],
  not_in: [1, 1000],
};
const TEXT_OPERATORS = ['contains', 'starts_with', 'ends_with'];
const TEMPORAL: Datatype[] = ['date', 'datetime', 'datetimetz'];

export function conditionSql(
  compilation: Compilation,
  sql: string,
  datatype: Datatype,
  condition: Condition,
): string | null {
  const { op, values, field } = condition;
  const written = `${field.path}.${field.field}`;
  const fault = (message: string): null => {
    compilation.fault(message, written);
    return null;
  };
  const [least, most] = ARITY[op] ?? [1, 1];
  if (values.length < least || values.length > most)
    return fault(
      `${op} on ${written} takes ${least === most ? `${least} value${least === 1 ? '' : 's'}` : 'at least one value'}; ${values.length} given.`,
    );
  if (op === 'is_null') return `${sql} is null`;
  if (op === 'is_not_null') return `${sql} is not null`;
  if (TEXT_OPERATORS.includes(op)) {
    if (datatype !== 'string') return fault(`${op} needs a text field; ${written} is ${datatype}.`);
    const text = String(values[0]);
    const pattern = text.replace(/[\\%_]/g, '\\$&');
    const wild = op === 'contains' ? `%${pattern}%` : op === 'starts_with' ? `${pattern}%` : `%${pattern}`;
    return compilation.sql.like(
      sql,
      compilation.literal(wild, 'string'),
      condition.caseInsensitive ?? true,
      pattern !== text,
    );
  }
  if (datatype === 'boolean' && !['=', '!=', 'in', 'not_in'].includes(op))
    return fault(`${op} makes no sense on ${written}, which is true or false.`);
  try {
    return TEMPORAL.includes(datatype)
      ? temporal(compilation, sql, datatype, condition)
      : plain(compilation, sql, datatype, condition);
  } catch (error) {
    if (error instanceof Problem) return fault(`A value for ${written} does not fit: ${error.message}`);
    throw error;
  }
}

function plain(compilation: Compilation, sql: string, datatype: Datatype, { op, values }: Condition): string {
  // 2.5 may be compared with an integer field; it is only never equal to one.
  const typed = (value: Scalar): string =>
    compilation.literal(value, datatype === 'integer' && /^[+-]?\d*\.\d+$/.test(String(value)) ? 'decimal' : datatype);
  const [first, second] = values.map(typed);
  switch (op) {
    case 'between':
      return `${sql} between ${first} and ${second}`;
    case 'in':
    case 'not_in':
      if (values.length === 1) return `${sql} ${op === 'in' ? '=' : '<>'} ${first}`;
      compilation.literals.splice(-values.length);
      return `${sql} ${op === 'in' ? 'in' : 'not in'} (${values.map(typed).join(', ')})`;
    default:
      return `${sql} ${op === '!=' ? '<>' : op} ${first}`;
  }
}

/** Values name periods: a day of a datetime field, a month of `.month`. Every comparison is with the period's ends. */
function temporal(compilation: Compilation, sql: string, datatype: Datatype, { op, values, field }: Condition): string {
  const spans = values.map((value) =>
    span(String(value), isDayPart(field.grain) ? null : (field.grain ?? null), datatype),
  );
  const at = (time: DateTime | string): string =>
    compilation.literal(...timeText(time, datatype, compilation.lens.timezone));
  const from = (index: number): string => at(spans[index]!.from);
  const to = (index: number): string => at(spans[index]!.to!);
  const instant = (index: number): boolean => spans[index]!.to === null;
  const within = (index: number): string =>
    instant(index) ? `${sql} = ${from(index)}` : `${sql} >= ${from(index)} and ${sql} < ${to(index)}`;
  const outside = (index: number): string =>
    instant(index) ? `${sql} <> ${from(index)}` : `(${sql} < ${from(index)} or ${sql} >= ${to(index)})`;
  switch (op) {
    case '=':
      return within(0);
    case '!=':
      return outside(0);
    case 'in':
      return spans.every((one) => one.to === null)
        ? listed(
            sql,
            'in',
            spans.map((_one, index) => from(index)),
          )
        : `(${spans.map((_one, index) => `(${within(index)})`).join(' or ')})`;
    case 'not_in':
      return spans.every((one) => one.to === null)
        ? listed(
            sql,
            'not in',
            spans.map((_one, index) => from(index)),
          )
        : spans.map((_one, index) => outside(index)).join(' and ');
    case 'between':
      return instant(1) ? `${sql} between ${from(0)} and ${from(1)}` : `${sql} >= ${from(0)} and ${sql} < ${to(1)}`;
    case '>':
      return instant(0) ? `${sql} > ${from(0)}` : `${sql} >= ${to(0)}`;
    case '<=':
      return instant(0) ? `${sql} <= ${from(0)}` : `${sql} < ${to(0)}`;
    default:
      return `${sql} ${op} ${from(0)}`;
  }
}
const listed = (sql: string, word: string, items: string[]): string => `${sql} ${word} (${items.join(', ')})`;

interface Span {
  from: DateTime | string;
  /** Exclusive; null: a single point of the field's own precision. */
  to: DateTime | null;
}
function span(text: string, grain: Grain | null, datatype: Datatype): Span {
  const wholeDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!grain && !wholeDay) {
    if (!DateTime.fromISO(text.replace(' ', 'T')).isValid || !/^\d{4}-\d{2}-\d{2}[T ]/.test(text))
      throw unreadable(text);
    return { from: text, to: null };
  }
  if (!grain && datatype === 'date') {
    if (!DateTime.fromISO(text).isValid) throw unreadable(text);
    return { from: text, to: null };
  }
  const unit = grain ?? 'day';
  const quarter = /^(\d{4})-?Q([1-4])$/i.exec(text);
  const start = quarter
    ? DateTime.utc(Number(quarter[1]), Number(quarter[2]) * 3 - 2)
    : DateTime.fromISO(text, { zone: 'utc' });
  if (!start.isValid) throw unreadable(text);
  const from = start.startOf(unit);
  return { from, to: from.plus({ [unit]: 1 }) };
}
const unreadable = (text: string): Problem =>
  new Problem('invalid', `"${text.slice(0, 40)}" is no date; write 2016-01-31 or 2016-01-31T12:30:00.`);

/** A moment as the field stores it: date, local time, or instant of the lens's timezone. */
export function timeText(time: DateTime | string, datatype: Datatype, zone: string): [string, Datatype] {
  const text = typeof time === 'string' ? time.replace(' ', 'T') : time.toFormat("yyyy-MM-dd'T'HH:mm:ss");
  const midnight = /^\d{4}-\d{2}-\d{2}(T00:00(:00(\.0+)?)?)?$/.test(text);
  const offset = /[T].*(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const local = offset
    ? DateTime.fromISO(text, { setZone: true }).setZone(zone).toFormat("yyyy-MM-dd'T'HH:mm:ss")
    : text;
  if (datatype === 'datetimetz') {
    const instant = DateTime.fromISO(local, { zone });
    if (!instant.isValid) throw unreadable(text);
    return [`${instant.toUTC().toFormat('yyyy-MM-dd HH:mm:ss')}+00`, 'datetimetz'];
  }
  if (datatype === 'date' && midnight) return [local.slice(0, 10), 'date'];
  return [`${local.length === 10 ? `${local} 00:00:00` : local.replace('T', ' ')}`, 'datetime'];
}
