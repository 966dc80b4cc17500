// Finds the columns that identify a row for people, and the spellings of a column's name.
import type { LensDataset, LensField } from '../../lens/model/lens.ts';
import { toPhraseKey } from './phrase-key.ts';
import { toUnitKey } from './units.ts';

const DISPLAY_NAMES = ['name', 'title', 'label', 'full name', 'display name', 'company', 'description', 'descr'];

export const findDisplayFields = (dataset: LensDataset): LensField[] => {
  const datasetKey = toPhraseKey(dataset.name);
  const lastWord = datasetKey.split(' ').at(-1);
  const candidates = dataset.fields.filter((field) => field.datatype === 'string' || field.datatype === 'date');
  const findNamed = (phrase: string) =>
    candidates.find(({ name }) =>
      [phrase, `${datasetKey} ${phrase}`, `${lastWord} ${phrase}`].includes(toPhraseKey(name)),
    );
  const findSpelled = (phrase: string) =>
    candidates.find(({ name, synonyms }) =>
      [name, ...synonyms].some((item) =>
        listSpellings(toPhraseKey(item), null).some((form) => form === phrase || form === `${datasetKey} ${phrase}`),
      ),
    );
  const hasSynonym = ({ synonyms }: LensField, phrases: readonly string[]): boolean =>
    synonyms.some((synonym) => phrases.includes(toPhraseKey(synonym)));
  const fullName = findNamed('full name');
  if (fullName) return [fullName];
  const firstName = findNamed('first name') ?? findNamed('forename') ?? findNamed('given name');
  const lastName = findNamed('last name') ?? findNamed('surname') ?? findNamed('family name');
  if (firstName && lastName) return [firstName, lastName];
  const nameParts = [firstName ?? findSpelled('first name'), lastName ?? findSpelled('last name')];
  if (!candidates.some((field) => hasSynonym(field, ['name'])) && nameParts[0] && nameParts[1])
    return [nameParts[0], nameParts[1]];
  for (const phrase of DISPLAY_NAMES) {
    const field = findNamed(phrase);
    if (field) return [field];
  }
  const titles = [datasetKey, ...dataset.synonyms.map(toPhraseKey)];
  const rules: ((field: LensField) => boolean)[] = [
    ({ name }) => titles.includes(toPhraseKey(name)),
    (field) => hasSynonym(field, ['name', `${datasetKey} name`, `${lastWord} name`]),
    // A field identifies the row if a synonym is the name of the row, such as the turbine_code of a turbine. A field whose
    // values the lens file lists classifies the row, such as the cause of a delay.
    (field) => hasSynonym(field, titles) && (field.dictionary === null || field.dictionaryFromWarehouse),
  ];
  for (const matches of rules) {
    const fields = candidates.filter(matches);
    if (fields.length === 1) return fields;
  }
  const names = candidates.filter((field) => NAME_ENDING_PATTERN.test(toPhraseKey(field.name)));
  return names.length === 1 && isNameOfRow(names[0]!, dataset, titles) ? names : [];
};

const NAME_ENDING_PATTERN = /(?:^| )(?:name|title|nm|ttl)$/;
/**
 * Returns true if the words before "name" refer to a row of the dataset. They must begin the name of the dataset or of
 * the dataset's key. For example, in aircraft with the key ac_id, type_name isn't the name of an aircraft.
 */
function isNameOfRow({ name }: LensField, { primaryKey }: LensDataset, titles: readonly string[]): boolean {
  const prefix = toPhraseKey(name).replace(NAME_ENDING_PATTERN, '');
  return (
    prefix === '' ||
    (primaryKey.length === 1 && toPhraseKey(primaryKey[0]!).startsWith(prefix)) ||
    titles.some((title) =>
      title.split(' ').some((word) => word.startsWith(prefix) || (word.length > 2 && prefix.startsWith(word))),
    )
  );
}

/** Common words for the abbreviations in column names. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  fname: 'first name',
  lname: 'last name',
  dob: 'date of birth',
  qty: 'quantity',
  amt: 'amount',
  addr: 'address',
  dept: 'department',
  num: 'number',
  desc: 'description',
  pct: 'percent',
  tel: 'telephone',
  mgr: 'manager',
  emp: 'employee',
  cust: 'customer',
  prod: 'product',
  min: 'minimum',
  max: 'maximum',
  avg: 'average',
  dest: 'destination',
};
/**
 * Returns the name, the name with expanded abbreviations, "number of X" for number_x, and "email" for email_address.
 */
export const listSpellings = (name: string, unit: string | null): string[] => {
  const longName = name
    .split(' ')
    .map((word) => (Object.hasOwn(ABBREVIATIONS, word) ? ABBREVIATIONS[word] : word))
    .join(' ');
  const countedNoun = /^number (?!of )(.+)$/.exec(longName)?.[1];
  const variants = [name, longName];
  if (countedNoun) variants.push(`number of ${countedNoun}`);
  // The unit isn't part of the name. For example, "min" in "wait_min" means minutes.
  const unitMatch = /^(.+?)(?: in)? (\S+)$/.exec(name);
  if (unitMatch && unit && toUnitKey(unit) !== null && toUnitKey(unitMatch[2]!) === toUnitKey(unit))
    variants.push(unitMatch[1]!);
  const phrase = /^(.+) (?:is|are|was)$/.exec(longName)?.[1];
  if (phrase) variants.push(phrase);
  if (/(?:^| )e ?mail address$/.test(longName)) variants.push(longName.replace(/ address$/, ''));
  return variants;
};
