// Comparisons, numbers and units.

import type { LensField } from '../../lens/model/lens.ts';
import { convertUnit } from '../words/convert-unit.ts';
import { isNumeric } from '../words/datatypes.ts';
import { AMOUNT_WORDS, COMPARED, UNIT_WORDS, unitKey } from '../words/lexicon.ts';
import { isPercent, percentOf } from '../words/percent.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionOption, FieldCandidate } from './draft.ts';
import { peekEntity, peekField } from './read-things.ts';

export type Comparison = { op: '=' | '>' | '>=' | '<' | '<=' };
const COMPARISONS: [RegExp, Comparison['op']][] = [
  [/(?:is |are |was |were |of )?(?:greater|more|larger|higher|bigger|longer) than or equal to/, '>='],
  [/(?:is |are |was |were |of )?(?:less|lower|smaller|fewer|shorter) than or equal to/, '<='],
  [
    /(?:is |are |was |were |of )?(?:at least|no less than|no fewer than|not less than|not fewer than|a minimum of|minimum of)/,
    '>=',
  ],
  [
    /(?:is |are |was |were |of )?(?:at most|no more than|not more than|no greater than|up to|a maximum of|maximum of|not exceeding)/,
    '<=',
  ],
  [/> =|≥/, '>='],
  [/< =|≤/, '<='],
  [
    /(?:is |are |was |were |of |that )?(?:more than|greater than|larger than|higher than|bigger than|longer than|over|above|exceeding|exceeds?|exceeded|beyond|>)/,
    '>',
  ],
  [
    /(?:is |are |was |were |of |that )?(?:less than|fewer than|lower than|smaller than|shorter than|under|below|<)/,
    '<',
  ],
  [/(?:exactly|equal to|equals|=)/, '='],
];
export const readComparison = (c: Cursor): Comparison['op'] | null => {
  for (const [pattern, op] of COMPARISONS) if (c.take(pattern, 'comparison')) return op;
  return null;
};

export const unitIs = (unit: string | null, said: string): boolean => {
  if (!unit) return false;
  const key = unit.toLowerCase();
  const known = UNIT_WORDS[key] ?? UNIT_WORDS[key.replace(/s$/, '')];
  return key === said || key.replace(/s$/, '') === said || Boolean(known?.includes(said));
};
/** A quantity in the unit of a field; null where the field measures something else. */
export const inUnitOf = (field: LensField, value: number, said: string): number | null => {
  if (isPercent(said)) return percentOf(field, value);
  const own = field.unit ?? words(field.name).find((word) => ALL_UNITS.has(word.replace(/s$/, ''))) ?? null;
  if (own === null) return null;
  if (unitIs(own, said) || own.replace(/s$/, '') === said) return value;
  const [from, to] = [unitKey(said), unitKey(own)];
  return from && to ? convertUnit(value, from, to) : null;
};
const ALL_UNITS = new Set(Object.values(UNIT_WORDS).flat());

/** The unit behind a number, read only when it is one. */
export const readUnit = (c: Cursor): string | null => {
  const token = c.token(0);
  if (
    token &&
    token.kind !== 'quoted' &&
    (ALL_UNITS.has(token.stem) || ALL_UNITS.has(token.norm)) &&
    !peekField(c)?.candidates.some((one) => one.loose === 0 || !isUnitWord(one.fields[0]!, token.stem)) &&
    !peekEntity(c)
  ) {
    c.accept(1, 'unit');
    return token.stem;
  }
  return null;
};

export const numericFields = (candidates: FieldCandidate[]): FieldCandidate[] =>
  candidates.filter((one) => one.fields.length === 1 && isNumeric(one.fields[0]!.datatype) && !one.fields[0]!.masked);

export const asOptions = (candidates: FieldCandidate[], values: (number | string)[]): ConditionOption[] =>
  candidates.map((one) => ({
    dataset: one.dataset,
    role: one.role,
    field: one.fields[0]!,
    values,
    known: true,
    loose: one.loose,
  }));

/** A number with its unit; null when there is none. A unit the field does not have is a fault. */
export const readNumber = (c: Cursor): { value: number; unit: string | null } | null => {
  const token = c.token(0);
  if (token?.kind !== 'number') return null;
  c.accept(1, 'number');
  return { value: token.value!, unit: token.unit ?? readUnit(c) };
};

/** "distance_km" is no other field than the distance when kilometres are named. */
const isUnitWord = (field: LensField, said: string): boolean =>
  unitIs(field.unit, said) || words(field.name).at(-1)!.replace(/s$/, '') === said;

/** "a price over $100" in a lens that names no other currency: the amount as it is kept. */
export const isAsKept = (c: Cursor, field: LensField, said: string): boolean => {
  const currency = (unit: string): string | null =>
    /^(?:usd|eur|gbp|jpy)$/.test(unitKey(unit) ?? '') ? unitKey(unit) : null;
  const own = currency(said);
  return (
    own !== null &&
    field.unit === null &&
    words(field.name).some((word) => AMOUNT_WORDS.has(word.replace(/s$/, '')) || COMPARED.money.has(word)) &&
    c.vocabulary.lens.datasets.every(({ fields }) =>
      fields.every(({ unit }) => unit === null || currency(unit) === null || currency(unit) === own),
    )
  );
};

/** Options for numbers said in a unit, each in the unit of its field; none fits: a fault. */
export const inUnits = (
  c: Cursor,
  candidates: FieldCandidate[],
  values: number[],
  unit: string | null,
): ConditionOption[] => {
  if (!unit) return asOptions(candidates, values);
  const options = candidates.flatMap((one): ConditionOption[] => {
    const field = one.fields[0]!;
    const asKept = isAsKept(c, field, unit);
    if (asKept) c.draft.notes.push(`${field.name} is compared as it is kept: the lens names no currency.`);
    const converted = values.map((value) => (asKept ? value : inUnitOf(field, value, unit)));
    return converted.includes(null) ? [] : asOptions([one], converted as number[]);
  });
  if (options.length === 0) c.draft.faults.push(unit);
  for (const { field, values: own } of options)
    if (own.some((value, index) => value !== values[index]))
      c.draft.notes.push(
        isPercent(unit)
          ? `${values.join(' and ')} % is ${own.join(' and ')}, as ${field.name} is kept as a share of 1.`
          : `${values.join(' and ')} ${unit} is ${own.join(' and ')} in the unit of ${field.name} (${field.unit ?? field.name}).`,
      );
  return options;
};
