// "apartment numbers" name apartments as well as "apartments" does: what a row is called by, with the thing itself in front.

import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldSlot } from './draft.ts';

const CALLED = /^(?:name|number|no|nr|id|title|label)$/;

/** "dates of transactions" where a field is called so names transactions too. */
export const ofThing = (c: Cursor, { text, candidates }: FieldSlot): string | null => {
  const [, thing] = / of (?:the |all )?(\S+s)$/i.exec(text) ?? [];
  const titled = [...new Set(candidates.map(({ dataset }) => dataset))].filter((name) =>
    [name, ...c.vocabulary.dataset(name).synonyms].some((title) => thing && phraseKey(title) === phraseKey(thing)),
  );
  return titled.length === 1 ? titled[0]! : null;
};

export const namesRow = (c: Cursor, slot: FieldSlot, home: string): boolean => {
  const { name, synonyms } = c.vocabulary.dataset(home);
  const said = phraseKey(slot.text).split(' ');
  const thing = said.slice(0, -1).join(' ');
  return (
    CALLED.test(said.at(-1)!) &&
    [name, ...synonyms].some((title) => phraseKey(title) === thing) &&
    slot.candidates.some(({ dataset }) => dataset === home)
  );
};
