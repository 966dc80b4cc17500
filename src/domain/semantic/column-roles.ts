// What a column probably is, from its name, type and statistics: the judgement behind a drafted lens.
import type { Datatype } from '../../contract/warehouse.ts';
import type { CatalogColumn, ColumnProfile } from '../ports.ts';

export type ColumnRole = 'secret' | 'personal' | 'key' | 'category' | 'time' | 'additive' | 'averaged' | 'plain';

const SECRET = /(^|_)(password|passwd|pwd|secret|token|hash|salt|api_?key|private_?key)(_|$)/;
const PERSONAL =
  /(^|_)(e?_?mail|phone|mobile|fax|ssn|social_security|birth|birth_?date|dob|iban|card_?number|ip_?address|street|address)(_|$)/;
const CATEGORY =
  /(^|_)(status|state|type|kind|category|sub_?category|segment|region|country|city|gender|channel|mode|class|level|currency|priority|source|stage|tier|brand|color|colour|department|genre|language|carrier|method|reason)(_|$)/;
const FREE_TEXT =
  /(^|_)(description|comment|comments|note|notes|body|text|message|url|uri|path|title|json|payload)(_|$)/;
const ADDITIVE =
  /(^|_)(amount|amt|total|subtotal|sales|revenue|profit|cost|costs|quantity|qty|count|units|value|paid|payment|fee|tax|freight|spend|budget|balance|duration|minutes|seconds|milliseconds|hours|distance|bytes|clicks|views|volume)(_|$)/;
const NOT_SUMMED =
  /(^|_)(price|rate|ratio|percent|pct|percentage|discount|age|score|rating|weight|height|latitude|longitude|lat|lon|lng|temperature|margin|share|speed)(_|$)/;
const NOT_MEASURED =
  /(^|_)(year|month|day|week|quarter|zip|postal|postcode|code|number|no|nr|rank|position|index|version|sequence|seq|order|line|flag|is|has)(_|$)/;
const MANY_VALUES = 200;

export const isNumber = (datatype: Datatype | null): boolean =>
  datatype === 'integer' || datatype === 'decimal' || datatype === 'float';
export const isTime = (datatype: Datatype | null): boolean =>
  datatype === 'date' || datatype === 'datetime' || datatype === 'datetimetz';

export function roleOf(column: CatalogColumn, isKey: boolean, profile: ColumnProfile | undefined): ColumnRole {
  const name = snake(column.name);
  if (SECRET.test(name)) return 'secret';
  if (column.datatype === 'string' && PERSONAL.test(name)) return 'personal';
  if (isKey || /(^|_)(id|uuid|guid|key)$/.test(name)) return 'key';
  if (isTime(column.datatype)) return 'time';
  if (column.datatype === 'string') return isCategory(name, profile) ? 'category' : 'plain';
  if (isNumber(column.datatype) && !NOT_MEASURED.test(name)) {
    if (NOT_SUMMED.test(name)) return 'averaged';
    return column.datatype !== 'integer' || ADDITIVE.test(name) ? 'additive' : 'plain';
  }
  return 'plain';
}

/** Statistics decide where there are some: few values that repeat. */
function isCategory(name: string, profile: ColumnProfile | undefined): boolean {
  if (FREE_TEXT.test(name)) return false;
  if (!profile || profile.distinct === null || profile.rows === 0) return CATEGORY.test(name);
  if (profile.distinct > MANY_VALUES) return CATEGORY.test(name) && profile.distinct <= MANY_VALUES * 10;
  return CATEGORY.test(name) || profile.distinct * 2 <= profile.rows || profile.rows <= 50;
}

/** OrderDate, order-date and "Order Date" become order_date. */
export function snake(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[a-z_]/.test(words) ? words : `_${words}`;
}

const SHORT: Record<string, string> = {
  qty: 'quantity',
  amt: 'amount',
  cust: 'customer',
  prod: 'product',
  desc: 'description',
  dt: 'date',
  num: 'number',
  nr: 'number',
  no: 'number',
  addr: 'address',
  pct: 'percent',
  cat: 'category',
  dept: 'department',
  emp: 'employee',
  mgr: 'manager',
  acct: 'account',
  avg: 'average',
  inv: 'invoice',
  ord: 'order',
  tot: 'total',
  curr: 'currency',
  ctry: 'country',
};
export const words = (name: string): string => snake(name).split('_').filter(Boolean).join(' ');
/** With its abbreviations written out; the same text when it has none. */
export const spelledOut = (name: string): string =>
  words(name)
    .split(' ')
    .map((word) => SHORT[word] ?? word)
    .join(' ');
export const singular = (text: string): string =>
  text
    .replace(/ies$/, 'y')
    .replace(
      /(ss|us|is)$|(x|ch|sh|ss)es$|s$/,
      (whole, keep: string | undefined, stem: string | undefined) => keep ?? stem ?? whole.slice(0, -1),
    );
export const plural = (text: string): string => {
  const one = singular(text);
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`;
};
