// English as the grammar uses it: its words and its constructions.
import { CONSTRUCTIONS } from './constructions.ts';
import * as words from './words.ts';

export const ENGLISH = { ...words, constructions: CONSTRUCTIONS };
