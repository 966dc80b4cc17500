// "When was the last order placed?": the latest of the dates by which the rows are told apart. Where the verb has another
// date ("the last order shipped"), it is not said by which of the two the last one is found.

import { isTemporal } from '../words/datatypes.ts';
import type { Cursor } from './cursor.ts';
import { datesOf } from './event-dates.ts';
import { attempt, readEntity } from './read-things.ts';
import { type Rule, show } from './rule.ts';

const ASKED =
  /when (?:was|is|did|were)(?: (?:the|our|their|his|her))? (?:(?:very )?(?:first|last)|latest|earliest|most recent)/;
const HAPPENED = /(?:(?:take|taken|took) place|placed|made|recorded|happen(?:ed)?|occur(?:red)?)/;

export const whenLast: Rule = (c, state) => {
  const length = c.draft.shown.length === 0 ? c.match(ASKED) : 0;
  if (length === 0) return false;
  return (
    attempt(c, () => {
      const { at } = c;
      const fn = /first|earliest/.test(c.accept(length, 'question').toLowerCase()) ? 'min' : 'max';
      const thing = readEntity(c);
      if (!thing || thing.role) return null;
      c.draft.entities.pop();
      const { fields, timeField } = c.vocabulary.dataset(thing.dataset);
      const dates = fields.filter(({ datatype, masked }) => isTemporal(datatype) && !masked);
      const [field, other] = timeField ? dates.filter(({ name }) => name === timeField) : dates;
      if (!field || other || !happenedOn(c, thing.dataset, field.name, timeField !== null)) return null;
      const text = c.textOf(at, c.at - at);
      const slot = {
        at,
        text,
        candidates: [{ dataset: thing.dataset, fields: [field], loose: 0 }],
        bound: thing.dataset,
      };
      show(c, state, { measure: { at, text, kind: 'aggregate', fn, slot } });
      state.head = false;
      return true;
    }) ?? false
  );
};

/** The verb behind it, if any, says no more than that it took place, or names this very date; without one it is the usual date. */
const happenedOn = (c: Cursor, dataset: string, date: string, usual: boolean): boolean => {
  if (usual && c.take(HAPPENED, 'verb')) return true;
  if (!/^\w{3,}ed$/.test(c.norm()) || c.values(0).length > 0) return usual;
  const own = datesOf(c, dataset, c.norm());
  if (own.length !== 1 || own[0]!.name !== date) return false;
  c.accept(1, 'verb');
  return true;
};
