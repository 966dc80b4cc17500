// What the rows are ordered by, and which way.

import { isTemporal } from '../words/datatypes.ts';
import { isSlot } from './draft.ts';
import { furtherOrders, readWay } from './further-orders.ts';
import { readBy } from './read-rank.ts';
import { attempt, peekField, readField } from './read-things.ts';
import type { Rule } from './rule.ts';

const DIRECTION =
  /(?:(?:from )?(?:in )?(?:ascending|descending|increasing|decreasing|reversed?)(?: order)?|(?:highest|largest|lowest|smallest|newest|oldest|latest|earliest|most|least) first|asc|desc)/;

const isDown = (text: string): boolean =>
  /desc|decreas|reverse|highest|largest|newest|latest|most first/.test(text.toLowerCase());

/** "List the prices in descending order." */
const ITSELF =
  /(?:, )?(?:(?:sorted|ordered|listed|arranged|ranked) )?(?:in )?(?:ascending|descending|increasing|decreasing)(?: order)?(?= (?:\.|\?|!)|$)/;

export const order: Rule = (c, state) => {
  const { at } = c;
  const alphabetical = c.match(
    /(?:and )?(?:sorted |sort |ordered |order |listed |arranged )?(?:them )?(?:alphabetically|(?:in |by )?(?:an )?(?:(?:reversed?|ascending|descending) )?(?:alphabetic|lexicographic)(?:al)? order)(?: (?:of|by))?(?: (?:the|their))?/,
  );
  if (alphabetical > 0) {
    const text = c.accept(alphabetical, 'order');
    const slot = c.done() || !peekField(c) ? null : readField(c, 'order');
    const after = c.match(DIRECTION);
    const direction = isDown(after > 0 ? c.accept(after, 'order') : text) ? 'desc' : 'asc';
    c.draft.orders.push({ by: slot, direction, at, alphabetical: true });
    return true;
  }
  const fromTo = c.match(
    /(?:(?:sorted|ordered|ranked) )?from (?:the )?(?:highest|largest|newest|most|latest|lowest|smallest|oldest|youngest|least|earliest|high|low|large|small|old|young)(?: \S+)? to (?:the )?(?:highest|largest|lowest|smallest|newest|oldest|youngest|most|least|latest|earliest|high|low|large|small|old|young)/,
  );
  if (fromTo > 0) {
    const said = c.textOf(c.at, fromTo).toLowerCase();
    const direction = /from (?:the )?(?:high|large|newest|most|latest)/.test(c.accept(fromTo, 'order').toLowerCase())
      ? 'desc'
      : 'asc';
    const last = c.draft.orders.at(-1);
    // By age the oldest are the highest; by date of birth the lowest.
    const young = /old.*young|young.*old/.exec(said);
    if (young && last?.by && isSlot(last.by)) {
      const aged = last.by.candidates.every((one) => !isTemporal(one.fields[0]!.datatype));
      last.direction = young[0].startsWith('old') === aged ? 'desc' : 'asc';
    } else if (last) last.direction = direction;
    else c.draft.orders.push({ by: null, direction, at });
    return true;
  }
  const ones = c.match(
    /(?:sorted|ordered|arranged|ranked|listed) (?:by|with) (?:the )?(?:(?:ones?|those) (?:with|having|that have|who have) )?(?:the )?(?:highest|largest|biggest|greatest|lowest|smallest|fewest)/,
  );
  if (ones > 0) {
    const read = attempt(c, () => {
      const direction = isDown(c.accept(ones, 'order')) ? 'desc' : 'asc';
      const key = readBy(c);
      if (!key || 'clause' in key || !c.take(/first/, 'order')) return null;
      c.draft.orders.push({ by: key, direction, at });
      state.head = false;
      return true;
    });
    if (read) return true;
  }
  const leading = c.match(
    /(?:and )?(?:(?:sorted|sort|ordered|order|arranged|ranked|listed|rank) (?:(?:them|the results?|results?) )?)?in (?:(?:the|an) )?(?:(?:ascending|descending|increasing|decreasing) )?order(?: (?:of|by)(?: (?:the|their|its|corresponding|respective))*)/,
  );
  const plain = c.match(
    /(?:and )?(?:sorted|sort|ordered|order|arranged|arrange|ranked|rank)(?: (?:them|the results?|results?|the list))?(?: first)?(?: (?:in )?(?:ascending|descending|increasing|decreasing)(?: order)?)? (?:by|on|according to)(?: (?:the|their|its))*/,
  );
  if (leading === 0 && plain === 0) {
    const [only, more] = c.draft.shown;
    const alone = only?.slot && !more && c.draft.ranks.length === 0 ? c.match(ITSELF) : 0;
    if (alone > 0 && !c.draft.orders.at(-1) && !c.draft.groups.at(-1)) {
      c.draft.orders.push({ by: null, direction: isDown(c.accept(alone, 'order')) ? 'desc' : 'asc', at });
      return true;
    }
    // "denominations and their number of schools in descending order": the largest number first.
    const measured = c.draft.shown.at(-1)?.measure;
    const down = measured && c.draft.ranks.length === 0 && !c.draft.orders.at(-1) ? c.match(ITSELF) : 0;
    if (down > 0 && c.draft.shown.filter((item) => item.measure).length === 1 && isDown(c.textOf(c.at, down))) {
      c.accept(down, 'order');
      c.draft.orders.push({ by: measured!, direction: 'desc', at });
      return true;
    }
    const trailing = c.match(DIRECTION);
    if (trailing === 0 || !(c.draft.orders.at(-1) ?? c.draft.groups.at(-1))) return false;
    const said = c.accept(trailing, 'order');
    const direction = isDown(said) ? 'desc' : 'asc';
    const ranked = /highest|largest|lowest|smallest|most|least/i.test(said)
      ? c.draft.shown.find((item) => item.measure)?.measure
      : undefined;
    const last = c.draft.orders.at(-1);
    if (last) last.direction = direction;
    else c.draft.orders.push({ by: ranked ?? null, direction, at });
    return true;
  }
  return (
    attempt(c, () => {
      const text = c.accept(leading || plain, 'order');
      let direction: 'asc' | 'desc' = isDown(text) ? 'desc' : 'asc';
      // "ordered by ascending age"
      const way = c.match(/(?:ascending|descending|increasing|decreasing)/);
      if (way > 0) direction = isDown(c.accept(way, 'order')) ? 'desc' : 'asc';
      const by = readBy(c);
      // "the prices, ordered descending by value"
      const itself = !by && c.draft.shown.length === 1 && c.draft.shown[0]!.slot && c.take(/value/, 'order');
      if (!by && !itself) return null;
      if (by && 'clause' in by) return null;
      const told = readWay(c);
      const after = told ? 0 : c.match(DIRECTION);
      if (told) direction = told;
      else if (after > 0) direction = isDown(c.accept(after, 'order')) ? 'desc' : 'asc';
      c.draft.orders.push({ by, direction, at });
      furtherOrders(c, told !== null, direction);
      state.head = false;
      return true;
    }) ?? false
  );
};
