// Words shared by everything that speaks of warehouses: datatypes of the lens model and the SQL dialects we speak.
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

/** The name of a dialect: that of an engine of svc, or one that a plugin brings. */
export type Dialect = string;

/** Lengths of time that values are grouped by. */
export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
/** The name of the day in English; the others are numbers, which come again except for that of the year. */
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
