// "both a museum opened before 2009 and a museum opened after 2011": two related rows, so two clauses.

import { isNumeric } from '../words/datatypes.ts';
import type { Cursor } from './cursor.ts';
import { attempt, peekEntity, peekField, readEntity } from './read-things.ts';
import type { Rule } from './rule.ts';

const ARTICLE = /(?:(?:an?|the|some|any) )*(?:an?|the|some|any)/;

/** Where the second thing of the same kind is named. */
const secondOf = (c: Cursor, dataset: string): number | null => {
  for (let ahead = 1; c.token(ahead); ahead++) {
    if (/^[.?!]$/.test(c.norm(ahead))) return null;
    if (c.norm(ahead) !== 'and') continue;
    const from = ahead + 1 + c.match(ARTICLE, ahead + 1);
    if (c.norm(from) === 'those' || peekEntity(c, from)?.dataset === dataset) return c.at + ahead;
  }
  return null;
};

/** "with both a width above 3 and a height above 4": two conditions on the one row. */
const bothFields = (c: Cursor): boolean => {
  const rows = c.draft.entities.at(-1)?.dataset;
  const article = c.match(/both(?: (?:an?|the|their|its))*/);
  const own = (ahead: number): boolean =>
    peekField(c, ahead)?.candidates.some(
      ({ dataset, fields }) => dataset === rows && fields.length === 1 && isNumeric(fields[0]!.datatype),
    ) ?? false;
  if (article === 0 || !rows || !own(article)) return false;
  for (let ahead = article + 2; c.token(ahead) && !/^[.?!]$/.test(c.norm(ahead)); ahead++) {
    const joined = c.match(/and(?: (?:an?|the|their|its))*/, ahead);
    if (joined > 0 && own(ahead + joined)) return c.accept(article, 'both') !== '';
  }
  return false;
};

export const bothThings: Rule = (c, state) =>
  attempt(c, () => {
    if (bothFields(c)) return true;
    const second = state.twin?.at === c.at ? state.twin.dataset : null;
    const named = c.draft.shown.length + c.draft.entities.length > 0;
    if (!named || (second === null && !c.take(/both/, 'both'))) return null;
    if (second !== null) c.accept(1, 'conjunction');
    const article = c.match(ARTICLE);
    if (article > 0) c.accept(article, 'article');
    const clause = c.newClause(false);
    clause.twin = true;
    const { at } = c;
    if (second !== null && c.take(/those/, 'pronoun')) {
      clause.relation = { dataset: second, at, text: 'those' };
      c.draft.entities.push({ at, text: 'those', dataset: second, clause });
      state.twin = undefined;
      return true;
    }
    const entity = readEntity(c);
    if (!entity || entity.role || (second !== null && entity.dataset !== second)) return null;
    clause.relation = entity;
    if (second === null) {
      const twin = secondOf(c, entity.dataset);
      if (twin === null) return null;
      state.twin = { at: twin, dataset: entity.dataset };
    } else state.twin = undefined;
    state.head = false;
    return true;
  }) ?? false;
