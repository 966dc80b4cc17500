// Splits names into words, and makes the keys of a vocabulary.
import { findStem } from '../english/inflection.ts';
import { foldText } from './tokens.ts';

export const splitWords = (name: string): string[] =>
  foldText(name.replace(/([a-z])([A-Z])/g, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
export const toPhraseKey = (text: string): string => splitWords(text).map(findStem).join(' ');
