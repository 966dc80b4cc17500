// Replaces the messages of zod, because they mention internal types and comparison operators.
import type { z } from 'zod';

export function createIssueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_type' && EXPECTED_PREFIX_PATTERN.test(issue.message)) {
    const receivedType = /received (\w+)$/.exec(issue.message)?.[1];
    if (receivedType === 'undefined') return MISSING_MESSAGE;
    if (receivedType === 'NaN') return 'must be a number';
    return `must be ${getTypeName(issue.expected)}${receivedType ? `, not ${getTypeName(receivedType)}` : ''}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    if (issue.origin === 'number')
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    return Number(issue.minimum) === 1
      ? 'must not be empty'
      : `must have at least ${issue.minimum} ${getUnitName(issue.origin)}`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    if (issue.origin === 'number')
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    return `must have at most ${issue.maximum} ${getUnitName(issue.origin)}`;
  }
  if (issue.code === 'invalid_union' && issue.message.startsWith('Invalid discriminator value. Expected '))
    return `must be one of ${issue.message.slice(38).replaceAll("'", '').replaceAll(' | ', ', ')}`;
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
    const alternatives = [...new Set(issue.errors.flat().map(createIssueMessage))];
    if (alternatives.includes(MISSING_MESSAGE)) return MISSING_MESSAGE;
    return alternatives.every((text) => text.startsWith('must be '))
      ? `must be ${alternatives.map((text) => text.slice('must be '.length)).join(' or ')}`
      : `matches none of the alternatives: ${alternatives.join('; ')}`;
  }
  if (issue.code === 'invalid_format' && issue.message.startsWith('Invalid ') && FORMAT_NAMES[issue.format])
    return `must be ${FORMAT_NAMES[issue.format]}`;
  if (issue.code === 'invalid_format' && issue.format === 'regex' && issue.message.startsWith('Invalid string'))
    return `must match ${issue.pattern}`;
  return issue.message;
}

const FORMAT_NAMES: Record<string, string> = {
  date: 'a date like 2026-01-31',
  datetime: 'a time like 2026-01-31T10:00:00Z',
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
};
const MISSING_MESSAGE = 'is missing';
const EXPECTED_PREFIX_PATTERN = /^Invalid input: expected /;
const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const getTypeName = (type: string): string => TYPE_NAMES[type] ?? type;
const getUnitName = (origin: string): string =>
  origin === 'string' ? 'characters' : origin === 'array' ? 'items' : 'entries';
