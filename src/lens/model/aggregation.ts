// Decides whether the numbers of a field can be summed, for drafts, questions, metrics and checks.
import type { Aggregation } from '../../contract/files/lens-file.ts';
import type { Datatype } from '../../contract/warehouse.ts';
import {
  type AdditivityKind,
  inferAdditivityFromComment,
  inferAdditivityFromUnits,
  inferAdditivityFromWords,
  isAmbiguousMeasureName,
  isOneTimePrice,
  isPluralCountName,
  isPriceOrQuantity,
  separateUnits,
} from './measure-words.ts';
import { expandAbbreviations, toSnakeCase } from './name-words.ts';

/** `unknown` means that svc has no evidence and therefore doesn't trust sums of the field. */
export interface Additivity {
  how: Aggregation | 'unknown';
  /** The field with the time of a snapshot. Null if it is unclear which field this is. */
  at: string | null;
}
interface MeasuredColumn {
  name: string;
  datatype: Datatype | null;
  synonyms: readonly string[];
  description: string | null;
  unit: string | null;
  /** Missing in lens versions that older versions of svc stored. */
  aggregation?: Aggregation | null;
}
interface MeasuredTable {
  name: string;
  primaryKey: readonly string[];
  timeField?: string | null;
  fields: readonly { name: string; datatype: Datatype | null }[];
}

/** Caches the additivity of each field. Entries never become outdated, because fields and tables don't change. */
const additivityCache = new WeakMap<MeasuredColumn, { table: MeasuredTable; additivity: Additivity }>();

export function inferAdditivity(field: MeasuredColumn, table: MeasuredTable): Additivity {
  const cachedEntry = additivityCache.get(field);
  if (cachedEntry?.table === table) return cachedEntry.additivity;
  const additivity = inferFromWordsAndTable(field, table);
  additivityCache.set(field, { table, additivity });
  return additivity;
}

function inferFromWordsAndTable(field: MeasuredColumn, table: MeasuredTable): Additivity {
  if (field.aggregation === 'latest') return { how: 'latest', at: findPeriodField(table) ?? table.timeField ?? null };
  if (field.aggregation) return { how: field.aggregation, at: null };
  const nameAdditivity = inferAdditivityFromName(field, table);
  // A snapshot is additive if each row is a different item, but not if rows are the same items at several times.
  if (nameAdditivity === 'latest') {
    const periodField = findPeriodField(table);
    if (isTimelessTable(table)) return { how: 'sum', at: null };
    return periodField !== null && isKeyField(table, periodField)
      ? { how: 'latest', at: periodField }
      : { how: 'unknown', at: null };
  }
  if (nameAdditivity) return { how: nameAdditivity, at: null };
  const name = separateUnits(expandAbbreviations(field.name)).name;
  // Subscribers per month are a snapshot, but sign-ups per month aren't. A plural name is therefore not enough evidence
  // if each row has a time.
  const isCount = field.datatype === 'integer' && isPluralCountName(name) && !isSnapshotTable(table);
  return { how: isCount ? 'sum' : 'unknown', at: null };
}

/** Determines additivity from the words of the field's name and the names of the table's other fields. */
export const inferAdditivityFromName = (
  field: MeasuredColumn,
  table: Pick<MeasuredTable, 'fields'>,
): AdditivityKind | null => (isSingleItemPrice(field, table) ? 'sum' : inferAdditivityFromFieldWords(field));

/**
 * Returns true if the field is the price of the only item in a row. If rows also have a quantity or other prices, the
 * field is a unit price.
 */
const isSingleItemPrice = (field: MeasuredColumn, table: Pick<MeasuredTable, 'fields'>): boolean =>
  isOneTimePrice(expandAbbreviations(field.name)) &&
  !table.fields.some(({ name }) => name !== field.name && isPriceOrQuantity(expandAbbreviations(name)));

function inferAdditivityFromFieldWords(field: MeasuredColumn): AdditivityKind | null {
  const nameParts = separateUnits(expandAbbreviations(field.name));
  const units = [nameParts.units, field.unit ? [field.unit] : []].map(inferAdditivityFromUnits);
  const kindByName = inferAdditivityFromWords(nameParts.name);
  if (kindByName === 'none') return kindByName;
  if (kindByName === 'average' || units.includes('average')) return 'average';
  const byDescription = field.description ? inferAdditivityFromComment(field.description) : null;
  if (kindByName)
    return kindByName === 'sum' && byDescription === 'average' && !isAmountName(nameParts.name)
      ? byDescription
      : kindByName;
  const synonymReadings = field.synonyms.map((synonym) =>
    inferAdditivityFromWords(separateUnits(expandAbbreviations(synonym)).name),
  );
  // Energy usage is additive, but a meter reading can be the total since the meter's installation.
  const isUsage = /\busage$/.test(nameParts.name) && nameParts.units.some((unit) => /^[kmg]?wh$/.test(unit));
  const isMeasured =
    units.includes('sum') &&
    (!isAmbiguousMeasureName(nameParts.name) || isUsage || /^[A-Z]{3}$/.test(field.unit ?? ''));
  return byDescription ?? synonymReadings.find((other) => other !== null) ?? (isMeasured ? 'sum' : null);
}
const isAmountName = (name: string): boolean => /\b(?:amount|total|quantity)\b/.test(name);

const PERIOD_NAME_PATTERN =
  /(?:^|_)(?:as_of|asof|snapshot|month_end|year_end|quarter_end|period|month|week|quarter|year|day|census|balance|report|reporting|reading|read|stat|stats|stock|inventory|valuation|position|effective|bill|measured|observed|recorded|logged)(?:_|$)/;
/** Matches names of dates in the life cycle of an item, but not the date of a record about the item. */
const LIFECYCLE_DATE_PATTERN =
  /open|creat|start|begin|join|regist|hire|birth|dob|found|establish|built|install|launch|intro|updat|modif|clos|cancel|termin|finish|complet|approv|convert|(?:^|_)end(?:ed|s)?(?:_|$)|expir|due|valid|sign|enrol|since|last_|first_|deliver|retir|manufactur|model|acqui|purchas|releas/;
const SNAPSHOT_PATTERN =
  /(?:^|_)(?:levels?|snapshots?|daily|monthly|weekly|yearly|days|months|weeks|years|history|census|stats|balances|readings)(?:_|$)/;
const normalizeName = (name: string): string => toSnakeCase(expandAbbreviations(name));
/** Removes "end" after a period: "month end" is a point in time, not the date when an item ended. */
export const removePeriodEnd = (name: string): string => name.replace(/(year|month|quarter|week|period)_end/, '$1');
const isLifecycleDate = ({ name }: { name: string }): boolean =>
  LIFECYCLE_DATE_PATTERN.test(removePeriodEnd(normalizeName(name)));
const isDateField = ({ datatype }: { datatype: Datatype | null }): boolean =>
  datatype === 'date' || datatype === 'datetime' || datatype === 'datetimetz';
const isPeriodField = (field: { name: string; datatype: Datatype | null }): boolean =>
  isDateField(field) ||
  (field.datatype !== 'boolean' && /^(?:\w+_)?(?:year|month|period|quarter|week)$/.test(normalizeName(field.name)));

/** Returns the only field that gives the period of a row, or null. */
function findPeriodField(table: MeasuredTable): string | null {
  const periods = findPeriodFields(table);
  const keyedPeriods = periods.filter((name) => table.primaryKey.includes(name));
  const namedPeriods = periods.filter((name) => PERIOD_NAME_PATTERN.test(normalizeName(name)));
  const candidatePeriods =
    keyedPeriods.length > 0
      ? keyedPeriods
      : namedPeriods.length > 0 || !SNAPSHOT_PATTERN.test(normalizeName(table.name))
        ? namedPeriods
        : periods;
  return candidatePeriods.length === 1 ? candidatePeriods[0]! : null;
}
const isKeyField = ({ primaryKey }: MeasuredTable, period: string): boolean => primaryKey.includes(period);
const isSnapshotTable = (table: MeasuredTable): boolean => {
  const periodField = findPeriodField(table);
  return (
    periodField !== null &&
    (SNAPSHOT_PATTERN.test(normalizeName(table.name)) || table.primaryKey.length > 1 || isKeyField(table, periodField))
  );
};
/** Returns true if the table has no date or time of a record. Each row is then a separate item. */
const isTimelessTable = (table: MeasuredTable): boolean => findPeriodFields(table).length === 0;
/** Returns the names of fields that can contain the time of a record, as opposed to the start or end of an item. */
export const findPeriodFields = (table: MeasuredTable): string[] =>
  table.fields.filter((field) => isPeriodField(field) && !isLifecycleDate(field)).map(({ name }) => name);

/**
 * Returns the declared unit. Without a declared unit, returns `year` if the integers are years, such as 2021, and not
 * numbers of years.
 */
export const findValueUnit = (field: { name: string; datatype: Datatype | null; unit: string | null }): string | null =>
  field.unit ??
  (field.datatype === 'integer' &&
  /\byear\b/.test(expandAbbreviations(field.name)) &&
  inferAdditivityFromWords(expandAbbreviations(field.name)) === 'none'
    ? 'year'
    : null);
