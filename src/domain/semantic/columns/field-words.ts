// Finds synonyms and the unit of a column by its name. svc never guesses a currency.
import { isNumeric, isTemporal } from '../../../contract/warehouse.ts';

import { removeUnit, separateUnits } from '../../../lens/model/measure-words.ts';
import { expandAbbreviations, splitNameIntoWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import type { NamedColumn, NamedTable } from './schema-words.ts';

/** Synonyms for the last words of a column's name. A synonym must not be the name of another column of the table. */
const ENDING_SYNONYMS: [RegExp, string[]][] = [
  [/^((?:.+ )?(?:phone|telephone|mobile|fax))$/, ['$1 number']],
  [/^e ?mail$/, ['email address', 'e-mail']],
  [/^(postal code|postcode|zip|zip code)$/, ['postal code', 'zip code', 'zip', 'postcode']],
  [/^(milliseconds|seconds|minutes|hours)$/, ['duration', 'length', 'duration in $1', 'length in $1']],
  [/^duration (milliseconds|ms|seconds|minutes|hours)$/, ['duration', 'length']],
  [/^bytes$/, ['size', 'file size']],
  [/^(.+) bytes$/, ['$1 size']],
  [/^unit price$/, ['price']],
  [/^other (.+)$/, ['$1']],
  [/^birth ?date$/, ['birthday', 'date of birth']],
  [/^hire date$/, ['date hired', 'hiring date']],
  [/^(?:dob|date of birth)$/, ['birth date', 'birthday']],
  // "cost_of_treatment" has the synonyms "treatment cost" and "cost". "number_of_orders" has none, because it is a count.
  [/^(?!number |count |percent |date |as )(\S+) of (.+)$/, ['$2 $1', '$1']],
];
const CELL_PHONE_PATTERN = /^(?:cell|mobile|cell mobile|mobile cell|cellular)(?: (?:phone|number|phone number))?$/;
const CELL_PHONE_SYNONYMS = 'cell phone,cell phone number,mobile phone,mobile phone number,mobile number,mobile'.split(
  ',',
);
const PHONE_NAME_PATTERN = /^(?:\S+ )*(?:phone|telephone|mobile|cell)(?: \S+)?$/;
/** A name such as "state_province_county" lists the kinds of areas that different countries use. */
const AREA_WORD_PATTERN = /^(?:city|town|state|province|county|region|country|district|zip|postal|postcode|code)$/;
const UNIT_ENDINGS: [RegExp, string][] = [
  [/(^|_)(milliseconds|millis|ms)$/, 'ms'],
  [/(^|_)(seconds|secs)$/, 's'],
  [/(^|_)(minutes|mins)$/, 'min'],
  [/(^|_)hours$/, 'h'],
  [/(^|_)days$/, 'days'],
  [/(^|_)bytes$/, 'bytes'],
  [/(^|_)(kilobytes|kb)$/, 'kB'],
  [/(^|_)(megabytes|mb)$/, 'MB'],
  [/(^|_)(km|kilometers|kilometres)$/, 'km'],
  [/(^|_)miles$/, 'miles'],
  [/(^|_)(kg|kilograms)$/, 'kg'],
  [/(^|_)(percent|pct|percentage)$/, '%'],
];
/** The column `billing_country` has the synonym "country", unless the table has another country column. */
const ADDRESS_PART_PATTERN =
  /^(?:billing|shipping|ship|delivery|home|mailing) (city|state|country|region|province|postal code|zip)$/;

export function findColumnSynonyms({ name, datatype, words: spelledName }: NamedColumn, table: NamedTable): string[] {
  const columnWords = splitNameIntoWords(name);
  const otherNames = table.columns
    .filter((otherColumn) => otherColumn.name !== name)
    .flatMap((otherColumn) => [splitNameIntoWords(otherColumn.name), otherColumn.words]);
  const synonyms = new Set<string>(spelledName === columnWords ? [] : [spelledName]);
  // If the column's name abbreviates "name", adds a synonym such as "author name".
  if (!expandAbbreviations(name).endsWith(spelledName)) synonyms.add(`${table.rowNoun} ${spelledName}`);
  if (isNumeric(datatype)) synonyms.add(removeUnit(spelledName));
  for (const [pattern, endings] of ENDING_SYNONYMS)
    if (pattern.test(spelledName)) for (const form of endings) synonyms.add(spelledName.replace(pattern, form));
  if (isTemporal(datatype)) for (const form of listEventDateNames(spelledName)) synonyms.add(form);
  if (CELL_PHONE_PATTERN.test(spelledName)) for (const form of CELL_PHONE_SYNONYMS) synonyms.add(form);
  if (PHONE_NAME_PATTERN.test(spelledName) && !otherNames.some((otherName) => PHONE_NAME_PATTERN.test(otherName)))
    for (const form of ['phone number', 'phone']) synonyms.add(form);
  const areas = spelledName.split(' ');
  if (areas.length > 1 && areas.every((word) => AREA_WORD_PATTERN.test(word)))
    for (const word of areas.filter((area) => !/^(?:code|postal)$/.test(area))) {
      synonyms.add(word);
      if (word === 'zip') synonyms.add('zip code');
      if (word === 'postcode') synonyms.add('postal code');
    }
  const addressPart = ADDRESS_PART_PATTERN.exec(spelledName)?.[1];
  if (
    addressPart &&
    !otherNames.some((otherName) => otherName === addressPart || otherName.endsWith(` ${addressPart}`))
  )
    synonyms.add(addressPart);
  synonyms.delete(columnWords);
  return [...synonyms].filter(
    (form) => !otherNames.includes(form) && !otherNames.some((otherName) => otherName.endsWith(` ${form}`)),
  );
}

/** For example, date_arrived is the arrival date, and hired_on is the hire date. */
const EVENT_NOUNS: Readonly<Record<string, string>> = {
  adopted: 'adoption',
  approved: 'approval',
  arrived: 'arrival',
  cancelled: 'cancellation',
  closed: 'closing',
  completed: 'completion',
  created: 'creation',
  delivered: 'delivery',
  departed: 'departure',
  died: 'death',
  discharged: 'discharge',
  enrolled: 'enrollment',
  ended: 'end',
  expired: 'expiry',
  finished: 'finish',
  founded: 'founding',
  hired: 'hire',
  issued: 'issue',
  joined: 'joining',
  left: 'leaving',
  modified: 'modification',
  opened: 'opening',
  ordered: 'order',
  paid: 'payment',
  published: 'publication',
  purchased: 'purchase',
  received: 'receipt',
  registered: 'registration',
  released: 'release',
  returned: 'return',
  shipped: 'shipping',
  started: 'start',
  updated: 'update',
};

const EVENT_DATE_NAME_PATTERN = /^(?:date (?:of )?(.+)|(.+) (?:date|on|at))$/;

function listEventDateNames(name: string): string[] {
  const [, suffix, prefix] = EVENT_DATE_NAME_PATTERN.exec(name) ?? [];
  const event = suffix ?? prefix;
  if (!event) return [];
  const noun = Object.hasOwn(EVENT_NOUNS, event) ? EVENT_NOUNS[event] : undefined;
  const gerund = noun && /ed$/.test(event) ? event.replace(/(?:([^aeiou])\1)?ed$/, '$1ing') : null;
  return [
    `${event} date`,
    ...(noun ? [`${noun} date`, `date of ${noun}`] : []),
    ...(gerund && gerund !== noun ? [`${gerund} date`] : []),
  ].filter((form) => form !== name);
}

const CURRENCY_CODE_PATTERN = /^(?:eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf|jpy|cny|inr|aud|nzd|cad|brl|mxn|zar)$/;
const UNITS_BY_NAME = ['mph', 'hPa', 'mm', 'cm', 'kg', 'kWh', 'MWh', 'GWh', 'kW', 'ha', 'km', 'GB', 'TB'];
const UNITS_BY_SPELLING: Record<string, string> = {
  celsius: '°C',
  fahrenheit: '°F',
  kmh: 'km/h',
  kph: 'km/h',
  m2: 'm²',
  sqm: 'm²',
  m3: 'm³',
};
/** In "Revenue (k EUR)" or "in 1000 USD", the scale of the numbers differs from the unit. */
const SCALE_WORD_PATTERN = /\b(?:k|m|mn|mio|bn|tsd|\d{3,}|thousands?|millions?|billions?)$/;
const CURRENCY_SIGNS: Record<string, string> = { '€': 'EUR', '£': 'GBP' };

/**
 * Returns the unit at the end of a name or in parentheses, such as "Amount (EUR)". Two units mean a rate, such as
 * "price eur kwh". A name such as "price per m3" contains no unit of the price.
 */
export function findColumnUnit(column: string): string | null {
  if (/_per_[a-z0-9]+$/.test(toSnakeCase(column))) return null;
  const knownUnit = UNIT_ENDINGS.find(([pattern]) => pattern.test(toSnakeCase(column)))?.[1];
  if (knownUnit) return knownUnit;
  const sign = /[([]\s*(?:in )?([€£])\s*[)\]]/.exec(column)?.[1];
  if (sign) return CURRENCY_SIGNS[sign]!;
  const { name, units: allUnits } = separateUnits(expandAbbreviations(column));
  const units = allUnits.length > 1 && allUnits[0] === 'in' ? allUnits.slice(1) : allUnits;
  if (units.length === 0 || name === units.join(' ') || SCALE_WORD_PATTERN.test(name)) return null;
  const isTemperature = /\b(?:temp|temperature|dew point)\b/.test(name);
  const unitNames = units.map((unit) =>
    CURRENCY_CODE_PATTERN.test(unit)
      ? unit.toUpperCase()
      : isTemperature && /^[cf]$/.test(unit)
        ? `°${unit.toUpperCase()}`
        : (UNITS_BY_SPELLING[unit] ?? UNITS_BY_NAME.find((item) => item.toLowerCase() === unit)),
  );
  return unitNames.every((unit) => unit !== undefined) && unitNames.length <= 2 ? unitNames.join('/') : null;
}
