// A small English thesaurus. svc accepts a word from the thesaurus only if the lens contains what the word refers to,
// so that no word changes a number.
const toSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const SUPERLATIVES = toSet(
  'highest largest biggest greatest maximum max most top lowest smallest minimum min least fewest bottom longest shortest latest newest earliest oldest heaviest lightest tallest farthest furthest fastest slowest youngest cheapest priciest costliest dearest',
);
export const COMPARATIVES = toSet('older younger cheaper costlier heavier lighter taller longer shorter faster slower');

/**
 * Words that ask for something that no lens has: reasons, forecasts, opinions, advice, or statistics such as
 * percentiles.
 */
export const UNANSWERABLE_WORDS = new Set(
  'why predict predicts predicted prediction predictions forecast forecasts forecasted forecasting expect expected expects should best worst better worse recommend recommends recommendation recommendations suggest suggestion opinion think believe feel likely probably probability future will tomorrow next upcoming going guess estimate estimates optimal ideal good bad great improve increase decrease reduce optimize because reason reasons cause causes caused explain how_come favorite favourite popular unpopular famous trend trends correlation correlate correlated impact effect influence mode percentile quartile deviation variance stddev outlier outliers anomaly anomalies seasonal seasonality typical typically normal usually roughly approximately about_to almost nearly'.split(
    ' ',
  ),
);
