// A field of single rows said of a thing that has many of them: of what they come to, or of any one of them?
import type { LensField } from '../../lens/model/lens.ts';
import { addsUp } from '../words/adds-up.ts';
import type { Cursor } from './cursor.ts';
import type { Taken } from './draft.ts';
import { askWhich } from './resolve.ts';

/** Which of the ways the asker chose, else the question back. */
export const takenHow = (
  c: Cursor,
  term: string,
  rows: string,
  field: LensField,
  ways: Partial<Record<Taken, string>>,
): Taken => {
  const options = Object.entries(ways).map(([key, meaning]) => ({
    key: key as Taken,
    field: { name: key, description: meaning } as LensField,
  }));
  const said = field.name.replaceAll('_', ' ');
  const list = options.map(({ field: { description } }) => description).join(' or ');
  const many = rows.replaceAll('_', ' ');
  return askWhich(c, term, options, `"${term}" can mean ${list}, as ${said} is of single ${many}. Say which`).key;
};

/** The total where the field adds up, the average where it does not, both where nobody knows; and single rows. */
export const waysOf = (
  c: Cursor,
  dataset: string,
  field: LensField,
  single: string,
): Partial<Record<Taken, string>> => {
  const adds = addsUp(c.vocabulary.lens, dataset, field);
  const said = field.name.replaceAll('_', ' ');
  return {
    ...(adds === 'no' ? {} : { total: `the total ${said} of each` }),
    ...(adds === 'yes' ? {} : { average: `the average ${said} of each` }),
    single,
  };
};
