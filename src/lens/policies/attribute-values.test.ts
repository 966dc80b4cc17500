// Tests which attributes have the type of the values that a policy compares them with. svc rejects attributes that an
// engine would refuse, round or read as null.
import { expect, it } from 'vitest';
import { addMidnight, determineConstantType } from './attribute-values.ts';

const DAYS = [
  '2016-02-30',
  '2016-1-31',
  '2016-01-31\n',
  ' 2016-01-31',
  '0000-01-01',
  '10000-01-01',
  '2016-01-31T00:00:00Z',
];
const WORDS = ['now', 'today', 'infinity', 'epoch', '2016-W04-7', '20160131', '٢٠١٦-01-31', '', 20160131, true];
const MOMENTS = [
  '2016-01-31T25:00:00',
  '2016-01-31T24:00:00',
  '2016-01-31T23:59:60',
  '2016-01-31T10:60',
  '2016-01-31T',
];

it.each(['postgres', 'duckdb', 'mysql'] as const)(
  'accepts only existing days and moments, and exact numbers, on %s',
  (dialect) => {
    const acceptedValues = (
      type: 'date' | 'datetime' | 'time' | 'datetimetz' | 'integer',
      values: (string | number | boolean)[],
    ) => values.filter((value) => determineConstantType(dialect, value, type) !== null);
    expect(acceptedValues('date', [...DAYS, ...WORDS])).toEqual([]);
    expect(acceptedValues('datetime', [...DAYS, ...WORDS, ...MOMENTS])).toEqual([]);
    expect(acceptedValues('datetimetz', [...MOMENTS, '2016-01-31T10:00:00+99:00', '2016-01-31T10:00:00 UTC'])).toEqual(
      [],
    );
    expect(acceptedValues('time', ['25:00', '10:60', '1:00', 'now'])).toEqual([]);
    expect(acceptedValues('integer', [2 ** 53, 1e21, 1.5, '1', '0x1', '1e0', '１', true, Number.NaN])).toEqual([]);
    const days = ['2016-01-31', '2016-02-29', '9999-12-31'];
    expect(acceptedValues('date', days)).toEqual(days);
    const moments = ['2016-01-31', '2016-01-31 10:00:00', '2016-01-31T10:00', '2016-01-31T10:00:00.5'];
    expect(acceptedValues('datetime', moments)).toEqual(moments);
    const instants = ['2016-01-31T10:00:00Z', '2016-01-31T10:00:00+02', '2016-01-31T10:00:00-05:30'];
    expect(acceptedValues('datetimetz', instants)).toEqual(instants);
    expect(acceptedValues('time', ['10:00', '23:59:59'])).toEqual(['10:00', '23:59:59']);
    expect(addMidnight('2016-01-31', 'datetime')).toBe('2016-01-31T00:00:00');
  },
);
