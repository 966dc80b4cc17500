import { isNumeric, isTemporal } from '../../../contract/warehouse.ts';
import type { Additivity } from '../../../lens/model/aggregation.ts';
import { toSnakeCase } from '../../../lens/model/name-words.ts';
import type { ColumnProfile } from '../../ports.ts';
import type { NamedColumn } from './schema-words.ts';

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
  | 'level'
  | 'plain';

const SECRET_NAME_PATTERN =
  /(^|_)(password|passwd|pwd|secret|token|hash|salt|api_?key|private_?key|pin_?code|cvv|cvc)(_|$)/;
/** The draft masks numbers that identify a person or a payment. */
const PERSONAL_NAME_PATTERN =
  /(^|_)(ssn|social_security|social_security_(no|number)|national_id|tax_id|passport|passport_(no|number)|national_insurance_number|identity_(card|number)|iban|bank_account|card_?number|credit_?card|ip_?address)(_|$)/;
/** Contact columns are visible, because people ask "what is X's email", but they have no dictionary. */
const CONTACT_NAME_PATTERN =
  /(^|_)(e?_?mail|phone|telephone|mobile|fax|street|address|birth|birth_?date|date_of_birth|dob)(_|$)/;
const NAME_COLUMN_PATTERN = /(^|_)(name|fname|lname|title|label|surname|forename)$/;
const CATEGORY_NAME_PATTERN =
  /(^|_)(status|state|type|kind|category|sub_?category|segment|region|country|city|gender|channel|mode|class|level|currency|priority|source|stage|tier|brand|color|colour|department|genre|language|carrier|method|reason)(_|$)/;
const FREE_TEXT_NAME_PATTERN =
  /(^|_)(description|comment|comments|note|notes|body|text|message|url|uri|path|json|payload)(_|$)/;
const MAX_SMALL_TABLE_VALUES = 200;
const MAX_CATEGORY_VALUES = 2_000;
const MAX_LISTED_NAMES = 5_000;

/** `aggregation` is how the numbers of the column can be aggregated. */
export function decideColumnRole(
  { datatype, words, profile }: NamedColumn,
  isKey: boolean,
  aggregation: Additivity['how'],
): ColumnRole {
  const name = toSnakeCase(words);
  if (SECRET_NAME_PATTERN.test(name) && !(isNumeric(datatype) && /_(count|total|used|length)$/.test(name)))
    return 'secret';
  if (PERSONAL_NAME_PATTERN.test(name)) return 'personal';
  if (CONTACT_NAME_PATTERN.test(name)) return 'contact';
  if (isKey || /(^|_)(id|uuid|guid|key|identifier)$/.test(name)) return 'key';
  if (isTemporal(datatype)) return 'time';
  if (datatype === 'string')
    return NAME_COLUMN_PATTERN.test(name) ? 'name' : isCategory(name, profile) ? 'category' : 'plain';
  if (!isNumeric(datatype)) return 'plain';
  return aggregation === 'unknown' ? (datatype === 'integer' ? 'plain' : 'averaged') : ROLE_BY_AGGREGATION[aggregation];
}
const ROLE_BY_AGGREGATION = { sum: 'additive', latest: 'level', average: 'averaged', none: 'plain' } as const;

/** Names have a dictionary only if there aren't too many. */
export function hasDictionary(role: ColumnRole, profile: ColumnProfile | undefined): boolean {
  if (role !== 'name') return role === 'category';
  if (!profile) return false;
  return profile.distinct === null ? profile.values !== null : profile.distinct <= MAX_LISTED_NAMES;
}

/** Uses the column's statistics if there are any. A category has few values, or values that repeat. */
function isCategory(name: string, profile: ColumnProfile | undefined): boolean {
  if (FREE_TEXT_NAME_PATTERN.test(name)) return false;
  if (!profile || profile.rows === 0) return CATEGORY_NAME_PATTERN.test(name);
  const { distinct, rows } = profile;
  if (distinct === null) return profile.values !== null;
  if (CATEGORY_NAME_PATTERN.test(name)) return distinct <= MAX_CATEGORY_VALUES;
  if (distinct <= MAX_SMALL_TABLE_VALUES && rows <= 50) return true;
  return distinct <= MAX_CATEGORY_VALUES && distinct * 2 <= rows;
}
