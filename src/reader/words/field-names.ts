// Finds the columns that show a row, and the spellings of a column's name.
import type { LensDataset, LensField } from '../../lens/model/lens.ts';
import { unitKey } from './lexicon.ts';
import { phraseKey } from './phrase-key.ts';

const DISPLAY = ['name', 'title', 'label', 'full name', 'display name', 'company', 'description', 'descr'];

export const displayFields = (dataset: LensDataset): LensField[] => {
  const datasetKey = phraseKey(dataset.name);
  const open = dataset.fields.filter((field) => field.datatype === 'string' || field.datatype === 'date');
  const called = (phrase: string) =>
    open.find((field) => {
      const key = phraseKey(field.name);
      return key === phrase || key === `${datasetKey} ${phrase}` || key === `${datasetKey.split(' ').at(-1)} ${phrase}`;
    });
  const isNamed = (phrase: string) =>
    open.find(({ name, synonyms }) =>
      [name, ...synonyms].some((item) =>
        spellings(phraseKey(item), null).some((form) => form === phrase || form === `${datasetKey} ${phrase}`),
      ),
    );
  const first = called('first name') ?? called('forename') ?? called('given name');
  const last = called('last name') ?? called('surname') ?? called('family name');
  if (called('full name')) return [called('full name')!];
  if (first && last) return [first, last];
  const declared = open.filter(({ synonyms }) => synonyms.some((synonym) => phraseKey(synonym) === 'name'));
  const parts = [first ?? isNamed('first name'), last ?? isNamed('last name')];
  if (declared.length === 0 && parts[0] && parts[1]) return [parts[0], parts[1]];
  for (const phrase of DISPLAY) {
    const field = called(phrase);
    if (field) return [field];
  }
  const titles = [datasetKey, ...dataset.synonyms.map(phraseKey)];
  const same = open.filter((field) => titles.includes(phraseKey(field.name)));
  if (same.length === 1) return same;
  const title = open.filter((field) =>
    field.synonyms.some((synonym) =>
      [`name`, `${datasetKey} name`, `${datasetKey.split(' ').at(-1)} name`].includes(phraseKey(synonym)),
    ),
  );
  if (title.length === 1) return title;
  // A field whose synonym is the thing's name shows the thing, such as the turbine_code of a turbine.
  const titled = open.filter((field) => field.synonyms.some((synonym) => titles.includes(phraseKey(synonym))));
  if (titled.length === 1) return titled;
  const names = open.filter((field) => /(^| )(name|title|nm|ttl)$/.test(phraseKey(field.name)));
  return names.length === 1 ? names : [];
};

/** Common words for the abbreviations in column names. */
const SHORT: Readonly<Record<string, string>> = {
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
/** The name, its expanded abbreviations, "number of X" for number_x, "email" for email_address. */
export const spellings = (name: string, unit: string | null): string[] => {
  const long = name
    .split(' ')
    .map((word) => (Object.hasOwn(SHORT, word) ? SHORT[word] : word))
    .join(' ');
  const counted = /^number (?!of )(.+)$/.exec(long)?.[1];
  const all = [name, long];
  if (counted) all.push(`number of ${counted}`);
  // The unit isn't part of the name, as in "wait_min" in minutes.
  const measured = /^(.+?)(?: in)? (\S+)$/.exec(name);
  if (measured && unit && unitKey(unit) !== null && unitKey(measured[2]!) === unitKey(unit)) all.push(measured[1]!);
  const phrase = /^(.+) (?:is|are|was)$/.exec(long)?.[1];
  if (phrase) all.push(phrase);
  if (/(?:^| )e ?mail address$/.test(long)) all.push(long.replace(/ address$/, ''));
  return all;
};
