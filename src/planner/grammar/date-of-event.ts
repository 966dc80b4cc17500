// "the date the claim was made", "the date it was settled": a date that is named by what happened then.
import { derives, verbRoot } from '../english/inflection.ts';
import { phraseKey, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldCandidate } from './draft.ts';

const DATE =
  /(?:date|day|time)s?(?: (?:that|when|on which|at which))?(?: (?:the|an?|any|each|every))?(?: \S+)? (?:is|are|was|were|has been|have been|had been) \S+/;
const SILENT = new Set(['date', 'day', 'time', 'at', 'on', 'of', 'the', 'was', 'is']);

export const dateOfEvent = (c: Cursor, offset: number): { length: number; candidates: FieldCandidate[] } | null => {
  const length = c.match(DATE, offset);
  if (length === 0) return null;
  const said = c.token(offset + length - 1)!;
  const root = verbRoot(said.norm);
  if (!/(?:ed|en|wn|ade|ent|old|ought|aid)$/.test(said.norm) || root.length < 3) return null;
  const noun = thingBefore(c, offset, length);
  const candidates = c.vocabulary.lens.datasets.flatMap((dataset): FieldCandidate[] => {
    const titles = new Set([dataset.name, ...dataset.synonyms].map(phraseKey));
    return dataset.fields
      .filter((field) => {
        if (!/^date/.test(field.datatype) || field.masked) return false;
        const own = words(field.name).filter((word) => !SILENT.has(word));
        const told = own.filter((word) => word === said.norm || derives(word, root));
        const rest = phraseKey(own.filter((word) => !told.includes(word)).join(' '));
        if (told.length === 0) return false;
        return noun === null ? true : rest === noun || (rest === '' && titles.has(noun));
      })
      .map((field) => ({ dataset: dataset.name, fields: [field], loose: 0 }));
  });
  return candidates.length > 0 ? { length, candidates } : null;
};

/** What it happened to; null: a pronoun, which is what was spoken of. */
const thingBefore = (c: Cursor, offset: number, length: number): string | null => {
  let at = offset + length - 2;
  while (/^(?:is|are|was|were|been|has|have|had)$/.test(c.norm(at))) at--;
  const token = c.token(at);
  return !token || /^(?:it|they|he|she|that|when|which)$/.test(token.norm) ? null : token.stem;
};
