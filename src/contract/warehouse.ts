export const DATATYPES = [
  'string',
  'integer',
  'decimal',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'datetimetz',
] as const;
export type Datatype = (typeof DATATYPES)[number];
export const isNumeric = (datatype: string | null): boolean => ['integer', 'decimal', 'float'].includes(datatype ?? '');
export const isTemporal = (datatype: string | null): boolean =>
  ['date', 'datetime', 'datetimetz'].includes(datatype ?? '');

/** The name of a built-in dialect or of a plugin's dialect. */
export type DialectName = string;

export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
/** Parts of a date that recur, except the year. `weekday` is an English name, and the other parts are numbers. */
export const DAY_PARTS = [
  'weekday',
  'hour',
  'day_of_month',
  'week_of_year',
  'month_of_year',
  'quarter_of_year',
  'year_number',
] as const;
export type DayPart = (typeof DAY_PARTS)[number];
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export interface Duration {
  amount: number;
  unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
}
