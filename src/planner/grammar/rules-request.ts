// How a request begins, and begins again: polite words, verbs of showing and sorting.
import type { Cursor } from './cursor.ts';
import { peekEntity, peekField } from './read-things.ts';
import type { Rule } from './rule.ts';

export const opensRequest = (c: Cursor): boolean => c.at === 0 || /^[.?!]$/.test(c.norm(-1)) || c.norm(-1) === 'please';

const sorting = (c: Cursor): boolean => {
  // "Order all stations by …", which is no order of anybody.
  const verb = c.phrase() ? /order (?:all|the|these|them)(?= )/ : /order(?! (?:by|in|of))/;
  const ordered = c.match(verb) > 0 && c.tokens.slice(c.at).some(({ norm }) => norm === 'by' || norm === 'order');
  if (ordered) {
    c.accept(1, 'order');
    c.draft.sorting = true;
    return true;
  }
  if (!c.take(/(?:sort|arrange|rank)(?! (?:by|in))/, 'order')) return false;
  c.draft.sorting = true;
  return true;
};

/** "For each owner, return the name": what is asked for comes behind what it is asked of. */
const behindGroup: Rule = (c, state) => {
  const { shown, groups, conditions } = c.draft;
  const leads = c.norm(-1) === ',' && /^(?:for|in|of)$/.test(c.tokens[0]?.norm ?? '');
  if (!leads || groups.length !== 1 || shown.length + conditions.length > 0) return false;
  if (
    !c.take(
      /(?:return|show|give|list|find|display|tell|report|get|what (?:is|are))(?: (?:me|us))?(?= (?:the|its|their|all|both|an?|how)? ?)/,
      'filler',
    )
  )
    return false;
  state.head = true;
  return true;
};

/** "Show sponsors of …", where plays are called shows as well: nobody lists a "show". */
const shows = (c: Cursor): boolean =>
  c.phrase()?.length === 1 &&
  c.phrase()!.terms.every(({ kind }) => kind === 'dataset') &&
  c.phrase(1) !== null &&
  c.take(/(?:show|list|display|report)(?= )/, 'filler');

/** "…, showing the name of each company", "…, and list each company's name": how what it is grouped by is called. */
const shownAs: Rule = (c, state) => {
  const { shown, groups, entities } = c.draft;
  const length = c.match(
    /(?:, )?(?:showing|listing|displaying|returning|giving|and (?:list|show|display|return|give))(?: (?:me|us))?(?: only)?(?: the)?/,
  );
  if (length === 0 || groups.length !== 1 || !shown.at(-1)?.measure || shown.length > 1) return false;
  const [group] = groups;
  const of = group && 'dataset' in group ? group.dataset : null;
  const each = c.match(/(?:each|every)/, length);
  const named = peekField(c, length);
  const owner = peekEntity(c, length + each);
  const theirs =
    of !== null &&
    ((named && each === 0 && named.candidates.some(({ dataset }) => dataset === of)) ||
      (owner?.dataset === of && /^(?:'s|')$/.test(c.norm(length + each + owner.length))));
  if (!theirs || entities.length === 0) return false;
  c.accept(length, 'filler');
  c.newClause(false);
  c.draft.sentences.push(shown.length);
  state.head = true;
  return true;
};

/** "Which claims …? For each, tell me the date": what is shown of the things before. */
const ofEachBefore: Rule = (c, state) => {
  const { sentences, shown } = c.draft;
  if (sentences.length === 0 || !/^[.?!]$/.test(c.norm(-1)) || shown.some(({ measure }) => measure)) return false;
  const length = c.match(
    /for each(?: one)?(?: of (?:them|these|those))?(?: ,)? (?:return|show|give|list|find|display|tell|report|get)(?: (?:me|us))?/,
  );
  if (length === 0) return false;
  c.accept(length, 'filler');
  state.head = true;
  return true;
};

export const request: Rule = (c, state) =>
  behindGroup(c, state) ||
  shownAs(c, state) ||
  ofEachBefore(c, state) ||
  (opensRequest(c) &&
    (sorting(c) ||
      c.take(/(?:name|report|show|give|tell|find)(?: (?:me|us|out))?(?= (?:the|all|every|each|a|me|us) )/, 'filler') ||
      // What follows counts by itself; "count the orders" is read where things are counted.
      c.take(/count(?: up)?(?= (?:the )?(?:total |overall |exact )?(?:number of|how many) )/, 'filler') ||
      c.take(/(?:find|figure|work) out/, 'filler') ||
      shows(c) ||
      (!c.phrase() && c.take(/(?:select|extract|output|print|enumerate|look up|pull up)(?= )/, 'filler')) ||
      c.take(
        /(?:(?:i|we) (?:want|need|wish|would like|would love)|(?:i|we)'d (?:like|love))(?: to (?:see|know|get|have|view|check|find(?: out)?|look at))?/,
        'filler',
      ) ||
      c.take(/(?:break|breakdown)(?= down)/, 'filler')));
