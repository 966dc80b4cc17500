// Converts between units: "over 1 hour" for minutes, "longer than 10 km" for meters.
const UNIT_SIZES: Readonly<Record<string, readonly [kind: string, size: number]>> = {
  ms: ['time', 0.001],
  s: ['time', 1],
  min: ['time', 60],
  h: ['time', 3600],
  day: ['time', 86_400],
  mm: ['length', 0.001],
  cm: ['length', 0.01],
  m: ['length', 1],
  km: ['length', 1000],
  mi: ['length', 1609.344],
  ft: ['length', 0.3048],
  g: ['weight', 0.001],
  kg: ['weight', 1],
  t: ['weight', 1000],
  lb: ['weight', 0.45359237],
};

/** `from` and `to` are the keys of the units in the lexicon. Returns null if the units measure different things. */
export const convertUnit = (value: number, from: string, to: string): number | null => {
  const [fromSize, toSize] = [from, to].map((unit) => (Object.hasOwn(UNIT_SIZES, unit) ? UNIT_SIZES[unit] : undefined));
  // Bytes are missing, because a kilobyte can be 1,000 or 1,024 bytes.
  if (!fromSize || !toSize || fromSize[0] !== toSize[0]) return null;
  return Number(((value * fromSize[1]) / toSize[1]).toPrecision(12));
};
