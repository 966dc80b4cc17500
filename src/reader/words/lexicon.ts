// A small English thesaurus. svc accepts a word from the thesaurus only if the lens has what the word implies, so no
// word changes a number.
const toSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const SUPERLATIVES = toSet(
  'highest largest biggest greatest maximum max most top lowest smallest minimum min least fewest bottom longest shortest latest newest earliest oldest heaviest lightest tallest farthest furthest fastest slowest youngest cheapest priciest costliest dearest',
);
export const COMPARATIVES = toSet('older younger cheaper costlier heavier lighter taller longer shorter faster slower');

/** Words for each unit. The keys are the units as lenses write them. */
export const UNIT_WORDS: Readonly<Record<string, readonly string[]>> = {
  usd: ['usd', '$', 'dollar', 'us dollar', 'buck'],
  eur: ['eur', '€', 'euro'],
  gbp: ['gbp', '£', 'pound', 'pound sterling'],
  jpy: ['jpy', '¥', 'yen'],
  ms: ['m', 'millisecond', 'msec'],
  s: ['second', 'sec'],
  min: ['minute', 'min'],
  h: ['hour', 'hr'],
  day: ['day'],
  byte: ['byte'],
  kb: ['kb', 'kilobyte'],
  mb: ['mb', 'megabyte'],
  gb: ['gb', 'gigabyte'],
  km: ['km', 'kilometer', 'kilometre'],
  mi: ['mile', 'mi'],
  m: ['meter', 'metre'],
  ft: ['foot', 'ft'],
  cm: ['cm', 'centimeter', 'centimetre'],
  mm: ['mm', 'millimeter', 'millimetre'],
  g: ['g', 'gram'],
  kg: ['kg', 'kilogram', 'kilo'],
  t: ['tonne', 'ton'],
  lb: ['pound', 'lb'],
  '%': ['%', 'percent', 'per cent'],
};

/** The key of a unit in any spelling. */
export const toUnitKey = (unit: string): string | null => {
  const singularUnit = unit.toLowerCase().replace(/s$/, '');
  const unitEntry = Object.entries(UNIT_WORDS).find(
    ([key, names]) => key === unit.toLowerCase() || key === singularUnit || names.includes(singularUnit),
  );
  return unitEntry?.[0] ?? null;
};

/**
 * Words that ask for something that no lens has: reasons, forecasts, opinions, advice, or statistics such as
 * percentiles.
 */
export const UNANSWERABLE_WORDS = new Set(
  'why predict predicts predicted prediction predictions forecast forecasts forecasted forecasting expect expected expects should best worst better worse recommend recommends recommendation recommendations suggest suggestion opinion think believe feel likely probably probability future will tomorrow next upcoming going guess estimate estimates optimal ideal good bad great improve increase decrease reduce optimize because reason reasons cause causes caused explain how_come favorite favourite popular unpopular famous trend trends correlation correlate correlated impact effect influence mode percentile quartile deviation variance stddev outlier outliers anomaly anomalies seasonal seasonality typical typically normal usually roughly approximately about_to almost nearly'.split(
    ' ',
  ),
);
