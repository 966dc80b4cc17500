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

/** The dialects that svc brings. */
export const DIALECTS = ['duckdb', 'postgres', 'mysql'] as const;
/** The name of a dialect: one of these, or one that a plugin brings. */
export type Dialect = string;

/** Lengths of time that values are grouped by. */
export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
/** What comes again each week or day; the name of the day in English, the hour as a number. */
export type DayPart = 'weekday' | 'hour';
