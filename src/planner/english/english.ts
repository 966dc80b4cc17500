// English, as the grammar takes it.
import type { Language } from '../language/language.ts';
import { tokenise } from '../words/tokens.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { derives, isParticiple, stem, verbRoot } from './inflection.ts';
import * as words from './words.ts';

export const ENGLISH: Language = {
  id: 'english',
  inflection: {
    stem,
    number: (word) => (stem(word) === word ? 'one' : 'many'),
    isParticiple,
    verbRoot,
    derives,
    endings: ['s'],
    allForms: false,
  },
  tokens: tokenise,
  calendar: new Map(),
  units: new Map(),
  compounds: { heads: [], tails: [] },
  constructions: CONSTRUCTIONS,
  classes: words.CLASSES,
  empty: words.EMPTY,
  polite: words.POLITE,
  pauses: words.PAUSES,
  yesOrNo: words.YES_OR_NO,
  perfect: words.PERFECT,
  of: 'of',
  who: 'who',
  rankedBy: words.RANKED_BY,
  gain: words.GAIN,
  relating: words.RELATING,
  doing: words.DOING,
  active: words.ACTIVE,
  coming: words.COMING,
  numbered: [],
  counting: words.COUNTING,
  countedAs: words.COUNTED_AS,
  light: words.LIGHT,
  namedBy: words.NAMED_BY,
  unended: words.UNENDED,
  ending: words.ENDING,
  overdue: words.OVERDUE,
  due: words.DUE,
  doneBy: words.DONE_BY,
  buying: words.BUYING,
  buyers: words.BUYERS,
  rate: words.RATE,
  year: 'year',
};
