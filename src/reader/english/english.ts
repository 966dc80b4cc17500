// English as the grammar uses it: its words, its constructions and its inflection.
import { tokenise } from '../words/tokens.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { derives, isParticiple, stem, verbRoot } from './inflection.ts';
import * as words from './words.ts';

export const ENGLISH = {
  ...words,
  inflection: {
    stem,
    number: (word: string): 'one' | 'many' => (stem(word) === word ? 'one' : 'many'),
    isParticiple,
    verbRoot,
    derives,
    /** Plural endings of values, in the question or in the data. */
    endings: ['s'],
  },
  tokens: tokenise,
  constructions: CONSTRUCTIONS,
};
export type Language = typeof ENGLISH;
