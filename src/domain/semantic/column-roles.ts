// What a column probably is, from its name, type and statistics: the judgement behind a drafted lens.
import type { Datatype } from '../../contract/warehouse.ts';
import type { CatalogColumn, ColumnProfile } from '../ports.ts';

export type ColumnRole =
  | 'secret'
  | 'personal'
  | 'contact'
  | 'key'
  | 'name'
  | 'category'
  | 'time'
  | 'additive'
  | 'averaged'
  | 'plain';

const SECRET = /(^|_)(password|passwd|pwd|secret|token|hash|salt|api_?key|private_?key|pin_?code|cvv|cvc)(_|$)/;
/** Numbers by which a person is identified or pays: nobody asks about them, so they are masked. */
const PERSONAL =
  /(^|_)(ssn|social_security|social_security_(no|number)|national_id|tax_id|passport|passport_(no|number)|iban|bank_account|card_?number|credit_?card|ip_?address)(_|$)/;
/** Shown, since people do ask "what is X's email", but never listed as a dictionary. */
const CONTACT = /(^|_)(e?_?mail|phone|telephone|mobile|fax|street|address|birth|birth_?date|date_of_birth|dob)(_|$)/;
const NAME = /(^|_)(name|fname|lname|title|label|surname|forename)$/;
const CATEGORY =
  /(^|_)(status|state|type|kind|category|sub_?category|segment|region|country|city|gender|channel|mode|class|level|currency|priority|source|stage|tier|brand|color|colour|department|genre|language|carrier|method|reason)(_|$)/;
const FREE_TEXT = /(^|_)(description|comment|comments|note|notes|body|text|message|url|uri|path|json|payload)(_|$)/;
const ADDITIVE =
  /(^|_)(amount|amt|total|subtotal|sales|revenue|profit|cost|costs|quantity|qty|count|units|value|paid|payment|fee|tax|freight|spend|budget|balance|duration|minutes|seconds|milliseconds|hours|distance|bytes|clicks|views|volume)(_|$)/;
const NOT_SUMMED =
  /(^|_)(price|rate|ratio|percent|pct|percentage|discount|age|score|rating|weight|height|latitude|longitude|lat|lon|lng|temperature|margin|share|speed)(_|$)/;
const NOT_MEASURED =
  /(^|_)(year|month|day|week|quarter|zip|postal|postcode|code|number|no|nr|rank|position|index|version|sequence|seq|order|line|flag|is|has)(_|$)/;
const FEW_VALUES = 200;
const MANY_VALUES = 2_000;
const MANY_NAMES = 5_000;

export const isNumber = (datatype: Datatype | null): boolean =>
  datatype === 'integer' || datatype === 'decimal' || datatype === 'float';
export const isTime = (datatype: Datatype | null): boolean =>
  datatype === 'date' || datatype === 'datetime' || datatype === 'datetimetz';

export function roleOf(column: CatalogColumn, isKey: boolean, profile: ColumnProfile | undefined): ColumnRole {
  const name = snake(column.name);
  if (SECRET.test(name) && !(isNumber(column.datatype) && /_(count|total|used|length)$/.test(name))) return 'secret';
  if (PERSONAL.test(name)) return 'personal';
  if (CONTACT.test(name)) return 'contact';
  if (isKey || /(^|_)(id|uuid|guid|key)$/.test(name)) return 'key';
  if (isTime(column.datatype)) return 'time';
  if (column.datatype === 'string') return NAME.test(name) ? 'name' : isCategory(name, profile) ? 'category' : 'plain';
  if (isNumber(column.datatype) && !NOT_MEASURED.test(name)) {
    if (NOT_SUMMED.test(name)) return 'averaged';
    return column.datatype !== 'integer' || ADDITIVE.test(name) ? 'additive' : 'plain';
  }
  return 'plain';
}

/** Whether a dictionary of its values is of use: names that are not too many, categories. */
export function hasDictionary(role: ColumnRole, profile: ColumnProfile | undefined): boolean {
  if (role !== 'name') return role === 'category';
  if (!profile) return false;
  return profile.distinct === null ? profile.values !== null : profile.distinct <= MANY_NAMES;
}

/** Statistics decide where there are some: few values, or values that repeat. */
function isCategory(name: string, profile: ColumnProfile | undefined): boolean {
  if (FREE_TEXT.test(name)) return false;
  if (!profile || profile.rows === 0) return CATEGORY.test(name);
  const { distinct, rows } = profile;
  if (distinct === null) return profile.values !== null;
  if (CATEGORY.test(name)) return distinct <= MANY_VALUES;
  if (distinct <= FEW_VALUES && rows <= 50) return true;
  return distinct <= MANY_VALUES && distinct * 2 <= rows;
}

const SPELLED: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' };
/** Größe reads grosse, not gr_e. */
const unaccented = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþ]/gi, (letter) => SPELLED[letter.toLowerCase()] ?? letter);

/** OrderDate, order-date and "Order Date" become order_date. */
export function snake(name: string): string {
  const words = unaccented(name)
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
  if (/\d$/.test(one)) return one;
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`;
};
