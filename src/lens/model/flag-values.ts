import type { LensField } from './lens.ts';

/** The values that warehouses store in string columns for "yes" and "no". */
export const FLAG_VALUE_PAIRS: readonly (readonly [yes: string, no: string])[] = [
  ['1', '0'],
  ['y', 'n'],
  ['yes', 'no'],
  ['t', 'f'],
  ['true', 'false'],
];

/** Returns the value that means "yes" if the field stores only "yes" and "no". */
export function findYesValue({ datatype, dictionary }: LensField): string | true | undefined {
  if (datatype === 'boolean') return true;
  const values = dictionary?.complete ? dictionary.values.map(({ value }) => value) : [];
  const pair = FLAG_VALUE_PAIRS.find((words) =>
    words.every((word) => values.some((item) => item.toLowerCase() === word)),
  );
  return datatype === 'string' && values.length === 2 && pair
    ? values.find((value) => value.toLowerCase() === pair[0])
    : undefined;
}
