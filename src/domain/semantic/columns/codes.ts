// Finds columns with a few codes, such as small integers and flags. The draft lists their values with the meanings from
// comments.
import type { Datatype } from '../../../contract/warehouse.ts';
import type { CatalogColumn, ColumnProfile } from '../../ports.ts';
import { codesIn } from './comment-words.ts';

const CODE_NAME =
  /\b(?:code|type|kind|status|level|class|category|mode|method|reason|flag|priority|stage|tier|state|group|gender|sex|channel|segment|severity|phase|is|has|indicator|yn)\b/;
const MAX_CODES = 12;
const SHORT_CODE = /^[A-Z0-9]{1,4}$/;

export interface Codes {
  values: (string | number | { value: string | number; synonyms: string[] })[];
  /** Their meanings are unknown. */
  bare: boolean;
}

/** The codes of a column with their meanings from its comment. Null if it has no codes. */
export function codesOf(
  column: CatalogColumn,
  datatype: Datatype,
  words: string,
  profile: ColumnProfile | undefined,
): Codes | null {
  const stored = profile?.sampled === false ? (profile.values ?? []) : [];
  const listed = codesIn(column.comment);
  const numeric = datatype === 'integer';
  const fits = numeric ? listed.every(({ value }) => /^-?\d+$/.test(value)) : datatype === 'string';
  const isStored = numeric || !profile || stored.some((value) => listed.some((item) => item.value === value));
  const cast = (value: string): string | number => (numeric ? Number(value) : value);
  if (listed.length > 0 && fits && isStored) {
    const others = stored.filter((value) => !listed.some((item) => item.value === value));
    return {
      values: [...listed.map((item) => ({ ...item, value: cast(item.value) })), ...others.map(cast)],
      bare: false,
    };
  }
  const integers = numeric && stored.length > 0 && stored.length <= MAX_CODES && CODE_NAME.test(words);
  return integers ? { values: [...stored].map(Number).sort((a, b) => a - b), bare: true } : null;
}

/** Codes whose meaning isn't clear: A, I, X. */
export const areBareCodes = (profile: ColumnProfile | undefined, words: string): boolean =>
  profile?.values !== undefined &&
  profile.values !== null &&
  profile.values.length > 0 &&
  profile.values.length <= MAX_CODES &&
  / ?\b(?:code|status|type|flag|class|category|reason|method)$/.test(words) &&
  profile.values.every((value) => SHORT_CODE.test(value)) &&
  profile.values.some((value) => /[A-Z]/.test(value));
