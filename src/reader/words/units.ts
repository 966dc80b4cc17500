// Lists units as lenses write them, with their words, what they measure and their size. Converts amounts, such as "over
// 1 hour" for a field in minutes.
interface UnitDefinition {
  key: string;
  words: readonly string[];
  kind: string | undefined;
  size: number;
}

// Bytes have no size, because a kilobyte can be 1,000 or 1,024 bytes.
const UNITS: readonly UnitDefinition[] = `
usd: usd|$|dollar|us dollar|buck
eur: eur|€|euro
gbp: gbp|£|pound|pound sterling
jpy: jpy|¥|yen
ms: m|millisecond|msec: time: 0.001
s: second|sec: time: 1
min: minute|min: time: 60
h: hour|hr: time: 3600
day: day: time: 86400
byte: byte
kb: kb|kilobyte
mb: mb|megabyte
gb: gb|gigabyte
km: km|kilometer|kilometre: length: 1000
mi: mile|mi: length: 1609.344
m: meter|metre: length: 1
ft: foot|ft: length: 0.3048
cm: cm|centimeter|centimetre: length: 0.01
mm: mm|millimeter|millimetre: length: 0.001
g: g|gram: weight: 0.001
kg: kg|kilogram|kilo: weight: 1
t: tonne|ton: weight: 1000
lb: pound|lb: weight: 0.45359237
%: %|percent|per cent`
  .trim()
  .split('\n')
  .map((line) => {
    const [key = '', words = '', kind, size] = line.split(': ');
    return { key, words: words.split('|'), kind, size: Number(size) };
  });

export const UNIT_WORDS: ReadonlySet<string> = new Set(UNITS.flatMap(({ words }) => words));

/** Returns the key of a unit that is written in any spelling. */
export const toUnitKey = (unit: string): string | null => {
  const lowercase = unit.toLowerCase();
  const singular = lowercase.replace(/s$/, '');
  return UNITS.find(({ key, words }) => key === lowercase || key === singular || words.includes(singular))?.key ?? null;
};

/** Converts a number from one unit to another. Returns null if the units measure different things. */
export const convertUnit = (value: number, from: string, to: string): number | null => {
  const [one, other] = [from, to].map((key) => UNITS.find((unit) => unit.key === key));
  return one?.kind && one.kind === other?.kind ? Number(((value * one.size) / other.size).toPrecision(12)) : null;
};
