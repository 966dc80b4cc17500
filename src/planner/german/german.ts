// German, as the grammar takes it.
import type { Language } from '../language/language.ts';
import { CALENDAR_WORDS } from './calendar.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { INFLECTION } from './inflection.ts';
import { tokensOf } from './tokens.ts';
import * as words from './words.ts';

export const GERMAN: Language = {
  id: 'german',
  inflection: INFLECTION,
  tokens: tokensOf,
  calendar: CALENDAR_WORDS,
  units: new Map([
    ['tag', 'day'],
    ['stund', 'hour'],
    ['minut', 'minute'],
    ['sekund', 'second'],
    ['prozent', 'percent'],
    ['pfund', 'pound'],
    ['met', 'meter'],
    ['kilomet', 'kilometer'],
    ['gramm', 'gram'],
    ['tonn', 'tonne'],
  ]),
  compounds: { heads: words.HEADS, tails: words.TAILS },
  constructions: CONSTRUCTIONS,
  classes: words.CLASSES,
  empty: words.EMPTY,
  polite: words.POLITE,
  pauses: words.PAUSES,
  yesOrNo: words.YES_OR_NO,
  perfect: words.PERFECT,
  of: 'von',
  who: 'wer',
  rankedBy: words.RANKED_BY,
  gain: words.GAIN,
  relating: words.RELATING,
  doing: words.DOING,
  active: words.ACTIVE,
  coming: words.COMING,
  numbered: words.NUMBERED,
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
  rate: 'quote',
  year: 'jahr year',
};
