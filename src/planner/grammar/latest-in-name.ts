// A date that is itself called the latest or the earliest: "date_of_latest_logon" is one of each row, not the latest of all.

import { isTemporal } from '../words/datatypes.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldSlot } from './draft.ts';
import { refuse } from './resolve.ts';

const EXTREME = /^(?:latest|earliest|newest|recent)$/;

/** "the latest logon date of each student", where the lens calls a date so. */
export const asksForDateCalledSo = (c: Cursor, superlative: RegExp): boolean => {
  const phrase = c.phrase();
  if (!phrase || phrase.length <= c.match(superlative)) return false;
  if (c.draft.shown.length + c.draft.entities.length > 0) return false;
  return phrase.terms.some(
    (term) => term.kind === 'field' && term.loose === 0 && !term.role && isTemporal(term.field.datatype),
  );
};

/** Another order of the words of such a name: the row's own date, or the latest of them? */
export const refuseDateOfLatest = (c: Cursor, at: number, { candidates }: FieldSlot): void => {
  const said = c.textOf(at, c.at - at);
  const extremes = words(said).filter((word) => EXTREME.test(word));
  const called = candidates
    .flatMap(({ fields }) => fields)
    .find(({ name, datatype }) => isTemporal(datatype) && words(name).some((word) => extremes.includes(word)));
  if (!called) return;
  const name = words(called.name).join(' ');
  refuse(said, `Each row has its own "${name}": ask for "${name}", or say of which row.`);
};
