// English, as the grammar uses it.
import type { Language } from '../language/language.ts';
import { tokenise } from '../words/tokens.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { derives, isParticiple, stem, twinVerb, verbRoot } from './inflection.ts';
import * as words from './words.ts';

export const ENGLISH: Language = {
  id: 'english',
  inflection: {
    stem,
    number: (word) => (stem(word) === word ? 'one' : 'many'),
    isParticiple,
    verbRoot,
    derives,
    twin: twinVerb,
    endings: ['s'],
  },
  tokens: tokenise,
  constructions: CONSTRUCTIONS,
  classes: words.CLASSES,
  empty: words.EMPTY,
  polite: words.POLITE,
  leading: words.LEADING,
  pauses: words.PAUSES,
  yesOrNo: words.YES_OR_NO,
  perfect: words.PERFECT,
  of: 'of',
  from: 'from',
  who: 'who',
  rankedBy: words.RANKED_BY,
  gain: words.GAIN,
  relating: words.RELATING,
  doing: words.DOING,
  active: words.ACTIVE,
  coming: words.COMING,
  counting: words.COUNTING,
  countedAs: words.COUNTED_AS,
  light: words.LIGHT,
  namedBy: words.NAMED_BY,
  buying: words.BUYING,
  buyers: words.BUYERS,
  adjectival: words.ADJECTIVAL,
  sameEvent: words.SAME_EVENT,
  amounts: words.AMOUNTS,
  telling: words.TELLING,
  states: words.STATES,
  parts: words.PARTS,
  year: 'year',
  partsOfWhole: 'line item lineitem detail position entry row leg product',
};
