// Combines the words and the constructions of English.
import { CONSTRUCTIONS } from './constructions.ts';
import * as words from './words.ts';

export const ENGLISH = { ...words, constructions: CONSTRUCTIONS };
