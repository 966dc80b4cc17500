import { expect, test } from 'vitest';
import { readTimeMention } from './time-expressions.ts';
import { tokenizeQuestion } from './tokens.ts';

const context = { now: new Date('2017-12-31T12:00:00Z'), timezone: 'UTC' };
const readPeriod = (text: string) => {
  const mention = readTimeMention(tokenizeQuestion(text).tokens, 0, context);
  return mention && (mention.fault ?? `${mention.from ?? ''}..${mention.to ?? ''}`);
};

test.each([
  ['in 2016', '2016-01-01..2017-01-01'],
  ['March 2016', '2016-03-01..2016-04-01'],
  ['on March 15, 2016', '2016-03-15..2016-03-16'],
  ['on 2016-02-29', '2016-02-29..2016-03-01'],
  ['in Q4 2017', '2017-10-01..2018-01-01'],
  ['last quarter of 2017', '2017-10-01..2018-01-01'],
  ['between March and May 2016', '2016-03-01..2016-06-01'],
  ['from 2015 to 2016', '2015-01-01..2017-01-01'],
  ['since 2015', '2015-01-01..'],
  ['from 2015 on', '2015-01-01..'],
  ['from March 2015 on, by region', '2015-03-01..'],
  ['from 2015 forward', '2015-01-01..'],
  ['2015 and later', '2015-01-01..'],
  ['in 2015 and later cancelled', '2015-01-01..2016-01-01'],
  ['from 2015 to date of delivery', '2015-01-01..2016-01-01'],
  ['no earlier than 2015', '2015-01-01..'],
  ['not before 2015', '2015-01-01..'],
  ['no later than 2015', '..2016-01-01'],
  ['until the end of 2015', '..2016-01-01'],
  ['all through 2015', '2015-01-01..2016-01-01'],
  ['after 2015', '2016-01-01..'],
  ['before June 2016', '..2016-06-01'],
  ['last month', '2017-11-01..2017-12-01'],
  ['last week', '2017-12-18..2017-12-25'],
  ['last 3 months', '2017-09-01..2017-12-01'],
  ['yesterday', '2017-12-30..2017-12-31'],
  ['year to date', '2017-01-01..2018-01-01'],
])('reads “%s” as the half-open period %s', (text, expected) => expect(readPeriod(text)).toBe(expected));

test.each([
  ['February 30, 2016', 'there is no such date'],
  ['2016-02-30', 'there is no such date'],
  ['March', 'the year is missing'],
  ['from 2017 to 2015', 'the period ends before it starts'],
])('refuses the period “%s”: %s', (text, fault) => expect(readPeriod(text)).toBe(fault));

test.each(['over 2016', 'revenue', 'on Mondays', 'next month'])('finds no known time in “%s”', (text) => {
  expect(readPeriod(text)).toBeNull();
});
