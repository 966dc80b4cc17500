// Finds columns with a few codes, such as small integers and flags. The draft lists the values of such a column with
// their meanings from the column's comment or from a code table.
import type { Datatype } from '../../../contract/warehouse.ts';
import type { CatalogColumn, ColumnProfile } from '../../ports.ts';
import { codesIn } from './comment-words.ts';

const CODE_NAME =
  /\b(?:code|type|kind|status|level|class|category|mode|method|reason|flag|priority|stage|tier|state|group|gender|sex|channel|segment|severity|phase|is|has|indicator|yn)\b/;
const MAX_CODES = 12;
const SHORT_CODE = /^[A-Z0-9]{1,4}$/;

export interface KnownCode {
  value: string;
  synonyms: string[];
}
interface Codes {
  values: (string | number | { value: string | number; synonyms: string[] })[];
  /** Whether the meanings of the codes are unknown. */
  lacksMeanings: boolean;
  areFromComment: boolean;
}

/**
 * The codes of a column with their meanings from its comment, or else from a code table. Null if the column has no
 * codes.
 */
export function codesOf(
  column: CatalogColumn,
  datatype: Datatype,
  words: string,
  profile: ColumnProfile | undefined,
  tableCodes: readonly KnownCode[] | null = null,
): Codes | null {
  const storedValues = profile?.sampled === false ? (profile.values ?? []) : [];
  const commentCodes = codesIn(column.comment);
  const isNumeric = datatype === 'integer';
  const hasFittingType = isNumeric ? commentCodes.every(({ value }) => /^-?\d+$/.test(value)) : datatype === 'string';
  const mayBeStored =
    isNumeric || !profile || storedValues.some((value) => commentCodes.some((item) => item.value === value));
  const castValue = (value: string): string | number => (isNumeric ? Number(value) : value);
  const areFromComment = commentCodes.length > 0 && hasFittingType && mayBeStored;
  const codes = areFromComment ? commentCodes : tableCodes;
  if (codes) {
    const otherValues = storedValues.filter((value) => !codes.some((item) => item.value === value));
    const names = [{ value: '', synonyms: otherValues }, ...codes].flatMap(({ value, synonyms }) => [
      ...new Set([value, ...synonyms].map((name) => name.toLowerCase())),
    ]);
    const isUnique = (name: string): boolean => names.filter((other) => other === name.toLowerCase()).length === 1;
    return {
      values: [
        ...codes.map(({ value, synonyms }) => ({ value: castValue(value), synonyms: synonyms.filter(isUnique) })),
        ...otherValues.map(castValue),
      ],
      ...{ lacksMeanings: false, areFromComment },
    };
  }
  const hasIntegerCodes =
    isNumeric && storedValues.length > 0 && storedValues.length <= MAX_CODES && CODE_NAME.test(words);
  return hasIntegerCodes
    ? { values: [...storedValues].map(Number).sort((a, b) => a - b), lacksMeanings: true, areFromComment }
    : null;
}

/** Whether the values of a column are codes without a clear meaning, such as A, I and X. */
export const areBareCodes = (profile: ColumnProfile | undefined, words: string): boolean =>
  profile?.values !== undefined &&
  profile.values !== null &&
  profile.values.length > 0 &&
  profile.values.length <= MAX_CODES &&
  / ?\b(?:code|status|type|flag|class|category|reason|method)$/.test(words) &&
  profile.values.every((value) => SHORT_CODE.test(value)) &&
  profile.values.some((value) => /[A-Z]/.test(value));
