// Words that svc ignores: articles, polite words and verbs of asking. None of these words can change a number. The
// description of a lens lists them. Question words and prepositions aren't filler words, because the grammar has rules
// for them.
export const FILLER_WORDS: readonly string[] =
  'a an the please kindly hi hello hey thanks thank me us i we our you can could would want like need know see let tell show give list display find get fetch return report provide present retrieve compute calculate determine identify is are was were be been do does did there out here also then exactly ever so ok okay'.split(
    ' ',
  );
const fillerWords = new Set(FILLER_WORDS);
export const isFillerWord = (norm: string): boolean => fillerWords.has(norm);
