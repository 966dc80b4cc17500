// Writes identifiers and literals so that the dialect's parser reads exactly the same value.
import type { Datatype, DialectName } from '../contract/warehouse.ts';
import { findDialect } from '../dialects/dialects.ts';
import { swapCase } from '../dialects/fold-name.ts';
import { castOf, literalOf, numberOf, textOf } from '../dialects/make-nodes.ts';
import type { Expression } from '../dialects/tree.ts';
import { Problem } from '../platform/problem.ts';

const refuseValue = (message: string): never => {
  throw new Problem('invalid', message);
};

function requireStorableText(text: string): string {
  if (text.includes('\u0000')) refuseValue('A value can’t contain a NUL character.');
  if (/\p{Surrogate}/u.test(text)) refuseValue('A value must be valid Unicode text.');
  return text;
}

export function quoteIdentifier(dialect: DialectName, name: string): string {
  if (name === '') refuseValue('A name can’t be empty.');
  requireStorableText(name);
  const { quotes, folding } = findDialect(dialect);
  if (quotes.escapes && /[\\`\r\n]/.test(name))
    refuseValue('A name can’t contain a quote, a backslash or a line break.');
  const storedName = folding.names === 'read from capitals' ? swapCase(name) : name;
  return quotes.name + storedName.replaceAll(quotes.name, quotes.name + quotes.name) + quotes.name;
}

function writeNumber(value: string | number | boolean, datatype: Datatype): string {
  if (typeof value === 'boolean') refuseValue(`A ${datatype} can't be true or false.`);
  if (typeof value === 'number' && !Number.isFinite(value)) refuseValue('A number must be finite.');
  const text = String(value).trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text))
    refuseValue(`The value is not a number, so it can't be a ${datatype}.`);
  if (datatype === 'integer' && !/^[+-]?\d+$/.test(text)) refuseValue('An integer has no decimals.');
  return text
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '');
}

const DATE_PATTERN = /^\d{4,}-\d{2}-\d{2}$/;
const TIME_PATTERN = /^\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/;
const DATETIME_PATTERN = /^\d{4,}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?$/;
const DATETIMETZ_PATTERN = /^\d{4,}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

function writeTemporal(keyword: string, pattern: RegExp, value: string | number | boolean): string {
  const text = String(value).trim();
  if (!pattern.test(text)) refuseValue(`Write a ${keyword} like 2016-01-31 or 2016-01-31T12:30:00.`);
  return text.replace(/[Tt]/, ' ');
}

/** Writes an instant in UTC without an offset, for engines whose sessions run in UTC and whose literals have no offset. */
function toUtcInstant(value: string | number | boolean): string {
  const text = writeTemporal('timestamp', DATETIMETZ_PATTERN, value);
  const [, day, clock, fraction = '', zone] =
    /^(\S+) (\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(Z|[+-]\d{2}(?::?\d{2})?)$/i.exec(text) ?? [];
  if (zone === undefined) return text;
  const offset = /^z$/i.test(zone)
    ? 'Z'
    : zone.replace(/^(.\d{2}):?(\d{2})?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const instant = new Date(`${day}T${clock}${offset}`);
  if (Number.isNaN(instant.getTime())) refuseValue('Write a datetimetz like 2016-01-31T12:30:00Z.');
  return `${instant.toISOString().slice(0, 19).replace('T', ' ')}${fraction}`;
}

/** A literal of `datatype` in `dialect`. Throws `invalid` if the value doesn't fit the type. */
export function createConstant(dialect: DialectName, value: string | number | boolean, datatype: Datatype): Expression {
  switch (datatype) {
    case 'string':
      return textOf(
        requireStorableText(
          typeof value === 'number' && !Number.isFinite(value)
            ? refuseValue('A number must be finite.')
            : String(value),
        ),
      );
    case 'integer':
    case 'decimal':
    case 'float':
      return numberOf(writeNumber(value, datatype));
    case 'boolean': {
      const text = String(value).toLowerCase();
      if (text !== 'true' && text !== 'false') refuseValue('A boolean is true or false.');
      return literalOf('boolean', text);
    }
    case 'date':
      return literalOf('date', writeTemporal('date', DATE_PATTERN, value));
    case 'time':
      return literalOf('time', writeTemporal('time', TIME_PATTERN, value));
    case 'datetime': {
      const isSeparate = findDialect(dialect).quotes.instants === 'apart';
      return literalOf(isSeparate ? 'datetime' : 'timestamp', writeTemporal('timestamp', DATETIME_PATTERN, value));
    }
    case 'datetimetz': {
      const { quotes, compiling } = findDialect(dialect);
      if (quotes.instants === 'apart') return literalOf('timestamp', `${toUtcInstant(value)}+00`);
      const { datetime, datetimetz } = compiling.types;
      if (quotes.instants === 'with offset')
        return castOf(textOf(writeTemporal('timestamptz', DATETIMETZ_PATTERN, value)), datetimetz);
      const moment = literalOf('timestamp', toUtcInstant(value));
      return datetime === datetimetz ? moment : castOf(moment, datetimetz);
    }
  }
}

export const formatLiteral = (dialect: DialectName, value: string | number | boolean, datatype: Datatype): string =>
  findDialect(dialect).writeExpression(createConstant(dialect, value, datatype));
