// "…, newest first", "…, starting with the most recent", "…, highest credit limit first", "sorted from most to fewest": how
// what is listed or counted is ordered, said behind all else.

import { isTemporal } from '../words/datatypes.ts';
import type { Cursor } from './cursor.ts';
import { type FieldSlot, isSlot } from './draft.ts';
import { datesOf } from './event-dates.ts';
import { readBy } from './read-rank.ts';
import { attempt } from './read-things.ts';
import type { Rule } from './rule.ts';

const END = /(?:\.|\?|!)/;
const FIRST =
  /(?:, )?(?:with )?(?:the )?(?:newest|latest|oldest|earliest|most recent)(?: (?:ones?|date))? (?:coming |at the )?first/;
const STARTING =
  /(?:, )?(?:and )?(?:starting|beginning|start) (?:with|from) (?:the )?(?:newest|latest|oldest|earliest|most recent)(?: ones?)?/;
const COUNTED =
  /(?:, )?(?:(?:sorted|ordered|ranked) )?from (?:the )?(?:most|fewest|least) to (?:the )?(?:most|fewest|least)/;
const NAMED = /(?:, )?(?:with )?(?:the )?(?:highest|largest|biggest|lowest|smallest|fewest|most)/;

/** The date that what is listed is of: the one that is shown, the one its verb names, or its usual one. */
const dateListed = (c: Cursor): FieldSlot | null => {
  const { shown, entities, verbs } = c.draft;
  if (shown.some((item) => item.measure)) return null;
  const dated = shown.flatMap(({ slot }) =>
    slot?.candidates.every(({ fields }) => fields.length === 1 && isTemporal(fields[0]!.datatype)) ? [slot] : [],
  );
  if (dated.length > 0) return dated.length === 1 ? dated[0]! : null;
  const owners = [...new Set(shown.flatMap(({ slot }) => slot?.candidates.map(({ dataset }) => dataset) ?? []))];
  const dataset = entities[0]?.dataset ?? (owners.length === 1 ? owners[0] : undefined);
  if (!dataset || entities.some((one) => one.dataset !== dataset)) return null;
  const { fields, timeField } = c.vocabulary.dataset(dataset);
  const told = [...new Set(verbs.flatMap(({ text }) => datesOf(c, dataset, text)))];
  const dates = told.length > 0 ? told : fields.filter(({ name }) => name === timeField);
  if (dates.length !== 1) return null;
  return { at: c.at, text: dates[0]!.name, candidates: [{ dataset, fields: [dates[0]!], loose: 0 }], bound: dataset };
};

export const orderFirst: Rule = (c, state) => {
  const { shown, orders } = c.draft;
  const { at } = c;
  if (shown.length === 0 || orders.length > 0) return false;
  const ends = (length: number): boolean => length > 0 && (!c.token(length) || c.match(END, length) > 0);
  const dated = [FIRST, STARTING].map((pattern) => c.match(pattern)).find(ends);
  const by = dated ? dateListed(c) : null;
  if (dated && by) {
    const down = /newest|latest|recent/i.test(c.accept(dated, 'order'));
    orders.push({ by, direction: down ? 'desc' : 'asc', at });
    return true;
  }
  const measured = shown.find((item) => item.measure)?.measure;
  const counted = c.match(COUNTED);
  if (ends(counted) && measured) {
    orders.push({
      by: measured,
      direction: /from (?:the )?most/i.test(c.accept(counted, 'order')) ? 'desc' : 'asc',
      at,
    });
    return true;
  }
  return (
    attempt(c, () => {
      const length = c.match(NAMED);
      if (length === 0 || c.draft.ranks.length > 0) return null;
      const up = /lowest|smallest|fewest/i.test(c.accept(length, 'order'));
      // "highest number first": of what is counted.
      const alone = measured?.kind === 'count' && c.take(/(?:number|count)/, 'measure') ? measured : null;
      const key = alone ?? readBy(c);
      if (!key || 'clause' in key || !c.take(/first/, 'order') || (c.token() && c.match(END) === 0)) return null;
      if (isSlot(key) && measured) return null;
      orders.push({ by: key, direction: up ? 'asc' : 'desc', at });
      state.head = false;
      return true;
    }) ?? false
  );
};
