// Datatypes of the lens model, SQL dialects, and other words about warehouses.
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

/** The name of a built-in dialect, or of one from a plugin. */
export type Dialect = string;

/** Periods that values can be grouped by. */
export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
/** `day_name` is English. The others are numbers that repeat, except the year. */
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
/** A length of time. */
export interface Span {
  amount: number;
  unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
}
