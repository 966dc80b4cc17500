// Some columns need an explanation: codes, yes or no stored as text, and dates or numbers in an unusual format.
import { FLAG_VALUE_PAIRS } from '../../../lens/model/flag-values.ts';
import { splitNameIntoWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import type { ColumnProfile } from '../../ports.ts';
import { findCodesInComment } from './comment-words.ts';
import type { NamedColumn } from './schema-words.ts';

const CODE_NAME_PATTERN =
  /\b(?:code|type|kind|status|level|class|category|mode|method|reason|flag|priority|stage|tier|state|group|gender|sex|channel|segment|severity|phase|is|has|indicator|yn)\b/;
const MAX_CODES = 12;
const SHORT_CODE_PATTERN = /^[A-Z0-9]{1,4}$/;

export interface ColumnCodes {
  values: (string | number | { value: string | number; synonyms: string[] })[];
  lacksMeanings: boolean;
}

/** Null if the column has no codes. */
export function findCodes({ datatype, comment, words, profile }: NamedColumn): ColumnCodes | null {
  const storedValues = profile?.sampled === false ? (profile.values ?? []) : [];
  const codes = findCodesInComment(comment);
  const isNumeric = datatype === 'integer';
  const hasFittingType = isNumeric ? codes.every(({ value }) => /^-?\d+$/.test(value)) : datatype === 'string';
  const mayBeStored = isNumeric || !profile || storedValues.some((value) => codes.some((item) => item.value === value));
  const castValue = (value: string): string | number => (isNumeric ? Number(value) : value);
  if (codes.length > 0 && hasFittingType && mayBeStored) {
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
      lacksMeanings: false,
    };
  }
  const hasIntegerCodes =
    isNumeric && storedValues.length > 0 && storedValues.length <= MAX_CODES && CODE_NAME_PATTERN.test(words);
  return hasIntegerCodes ? { values: storedValues.map(Number).sort((a, b) => a - b), lacksMeanings: true } : null;
}

/** Codes such as A, I and X have no clear meaning. */
export function areUnexplainedCodes({ profile, words }: NamedColumn): boolean {
  const values = profile?.values ?? [];
  return (
    values.length > 0 &&
    values.length <= MAX_CODES &&
    / ?\b(?:code|status|type|flag|class|category|reason|method)$/.test(words) &&
    values.every((value) => SHORT_CODE_PATTERN.test(value)) &&
    values.some((value) => /[A-Z]/.test(value))
  );
}

const FLAG_NAME_PATTERN = /^(?:is|has|was)_(.+)$|^(.+)_(?:yn|y_n|yes_no|flag|indicator)$/;

/** For a column `abandoned_yn` with the values '1' and '0', returns '1' and the condition "abandoned". */
export function findFlag({ name, datatype, profile }: NamedColumn): { trueValue: string; condition: string } | null {
  const [, suffix, prefix] = FLAG_NAME_PATTERN.exec(toSnakeCase(name)) ?? [];
  const conditionWord = suffix ?? prefix;
  const storedValues = profile?.sampled === false ? profile.values : null;
  if (datatype !== 'string' || !conditionWord || !storedValues || storedValues.length === 0) return null;
  const pair = FLAG_VALUE_PAIRS.find((item) => storedValues.every((value) => item.includes(value.toLowerCase())));
  const positives = pair && storedValues.filter((value) => value.toLowerCase() === pair[0]);
  if (!pair || positives!.length > 1 || storedValues.length > 2) return null;
  const isUpperCase = storedValues.every((value) => value === value.toUpperCase());
  return {
    trueValue: positives![0] ?? (isUpperCase ? pair[0]!.toUpperCase() : pair[0]!),
    condition: splitNameIntoWords(conditionWord),
  };
}

const FORMATTED_DATE_PATTERN =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}|[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}|\d{1,2}[. -]{1,2}[A-Z][a-z]{2,8}[ -]\d{2,4})(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/;
const FORMATTED_NUMBER_PATTERN = /^[+-]?\d{1,3}(?:[.,]\d{3})*[.,]\d+$/;

/** Checks all known values, or only the minimum and maximum if there are too many values. */
export function isFormattedText(profile: ColumnProfile | undefined): boolean {
  const sampleTexts = (profile?.values ?? [profile?.min, profile?.max]).filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return (
    sampleTexts.length > 0 &&
    [FORMATTED_DATE_PATTERN, FORMATTED_NUMBER_PATTERN].some((pattern) =>
      sampleTexts.every((item) => pattern.test(item!.trim())),
    )
  );
}
