// Expressions of MySQL whose form is a text with holes: {field:least level} (an operand), {field} (anything), [flag:text].
// Levels are MySQL's precedences; an operand below its least level needs brackets, in what is read and in what is written.
// A kind or a field that is neither here nor has a rule in the walker and writer.ts is refused.

export const LEVEL = {
  or: 10,
  and: 20,
  not: 30,
  comparison: 40,
  add: 60,
  multiply: 70,
  unary: 80,
  collate: 90,
  primary: 100,
};

export interface MysqlShape {
  level: number;
  form: string;
  fields: readonly string[];
}

const shape = (level: number, form: string): MysqlShape => ({
  level,
  form,
  fields: [...form.matchAll(/[{[](\w+)/g)].map(([, field]) => field!),
});
const compare = (operator: string) => shape(LEVEL.comparison, `{left:50} ${operator} {right:50}`);

export const MYSQL_SHAPES: Readonly<Record<string, MysqlShape>> = {
  paren: shape(LEVEL.primary, '({this})'),
  or: shape(LEVEL.or, '{left:10} OR {right:11}'),
  and: shape(LEVEL.and, '{left:20} AND {right:21}'),
  not: shape(LEVEL.not, 'NOT {this:30}'),
  eq: compare('='),
  neq: compare('<>'),
  lt: compare('<'),
  lte: compare('<='),
  gt: compare('>'),
  gte: compare('>='),
  null_safe_eq: compare('<=>'),
  is_null: shape(LEVEL.comparison, '{this:50} IS[not: NOT] NULL'),
  is_true: shape(LEVEL.comparison, '{this:50} IS[not: NOT] TRUE'),
  is_false: shape(LEVEL.comparison, '{this:50} IS[not: NOT] FALSE'),
  between: shape(LEVEL.comparison, '{this:50}[not: NOT] BETWEEN {low:50} AND {high:50}'),
  regexp_like: shape(LEVEL.comparison, '{this:50} REGEXP {pattern:80}'),
  add: shape(LEVEL.add, '{left:60} + {right:61}'),
  sub: shape(LEVEL.add, '{left:60} - {right:61}'),
  mul: shape(LEVEL.multiply, '{left:70} * {right:71}'),
  div: shape(LEVEL.multiply, '{left:70} / {right:71}'),
  int_div: shape(LEVEL.multiply, '{this:70} DIV {expression:71}'),
  mod: shape(LEVEL.multiply, '{left:70} % {right:71}'),
  neg: shape(LEVEL.unary, '- {this:80}'),
  exists: shape(LEVEL.primary, 'EXISTS ({this})'),
};

/** What the parser notes besides the meaning: places, comments, spelling. */
export const UNMEANT: ReadonlySet<string> = new Set(
  `span trailing_comments leading_comments left_comments operator_comments pre_alias_comments alias_explicit_as alias_first
   use_inner_keyword use_outer_keyword nesting_group kind_text start_side_text end_side_text original_name inferred_type
   explicit_asc quoted alias_keyword`.split(/\s+/),
);

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

export const INTERVAL_UNITS: ReadonlySet<string> = new Set(
  'MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'.split(' '),
);

/** Functions whose first argument is a unit and no column. */
export const UNIT_FUNCTIONS: ReadonlySet<string> = new Set(['timestampdiff', 'timestampadd']);

const SIMPLE_TYPES = 'signed|unsigned|char|date|time|datetime|decimal|double|float';
const CAST = new RegExp(`^(?:${SIMPLE_TYPES})(?:\\(\\d{1,3}(?:,\\d{1,2})?\\))?$`);

/** The type of a cast as text; null when it is none of the known ones. */
export function castType(type: Record<string, unknown>): string | null {
  const kind = String(type['data_type'] ?? '');
  const more = ['length', 'precision', 'scale'].map((key) => type[key]).filter((value) => !isEmpty(value));
  const others = Object.entries(type).filter(([key, value]) => {
    return !['data_type', 'name', 'length', 'precision', 'scale'].includes(key) && !isEmpty(value);
  });
  if (others.length > 0 || (kind !== 'custom' && !isEmpty(type['name']))) return null;
  const name = (kind === 'custom' ? String(type['name']) : kind).toLowerCase().replaceAll(' ', '');
  const text = more.length > 0 ? `${name}(${more.join(',')})` : name;
  return CAST.test(text) ? text : null;
}
