// "and by segment?", "only the West", "what about 2015?": a follow-up changes the question before it, part by part.
import type { Cursor } from './grammar/cursor.ts';
import type { ConditionDraft, Draft } from './grammar/draft.ts';

const OPENING =
  /^(?:(?:and|but|ok|okay|now|then|so|also|what about|how about|same|the same|instead|only|just|break (?:it|that|this) down|split (?:it|that|this)|show (?:it|that|this)|sort (?:it|that|them))\b[ ,]*)+/i;

/** The follow-up without its opening words; null when nothing opens it. */
export const opened = (question: string): string | null => {
  const rest = question
    .trim()
    .replace(OPENING, '')
    .replace(/\b(?:instead|too|as well)\b(?=\W*$)/i, '')
    .trim();
  return rest !== question.trim() && rest.length > 0 ? rest : null;
};

export const fieldsOf = (condition: ConditionDraft): Set<string> =>
  new Set(condition.options.map((option) => `${option.dataset}.${option.field.name}`));

/** The earlier draft with what the later one says; and what was carried over. Positions of the later one come after. */
export const merge = (earlier: Draft, later: Draft, offset: number, adds: boolean): Draft => {
  for (const list of [
    later.entities,
    later.conditions,
    later.times,
    later.verbs,
    later.definitions,
    later.ranks,
    later.orders,
  ])
    for (const item of list) item.at += offset;
  for (const item of later.shown) {
    if (item.slot) item.slot.at += offset;
    if (item.measure) item.measure.at += offset;
  }
  const replaced = later.conditions.map(fieldsOf);
  const kept = earlier.conditions.filter(
    (one) => !replaced.some((fields) => [...fieldsOf(one)].some((name) => fields.has(name))),
  );
  const measures = later.shown.filter((item) => item.measure);
  const carried = measures.length > 0 ? earlier.shown.filter((item) => !item.measure) : earlier.shown;
  return {
    ...earlier,
    shown: measures.length > 0 ? [...carried, ...measures] : earlier.shown,
    groups: later.groups.length === 0 ? earlier.groups : adds ? [...earlier.groups, ...later.groups] : later.groups,
    entities: [...earlier.entities, ...later.entities],
    conditions: [...kept, ...later.conditions],
    havings: [...earlier.havings, ...later.havings],
    clauses: [...earlier.clauses, ...later.clauses],
    ranks: later.ranks.length > 0 ? later.ranks : earlier.ranks,
    orders: later.orders.length > 0 ? later.orders : earlier.orders,
    times: later.times.length > 0 ? later.times : earlier.times,
    definitions: [...earlier.definitions, ...later.definitions],
    verbs: [...earlier.verbs, ...later.verbs],
    distinct: earlier.distinct || later.distinct,
    compared: earlier.compared || later.compared,
    faults: [...earlier.faults, ...later.faults],
    plainCounts: [...earlier.plainCounts, ...later.plainCounts],
    notes: [...earlier.notes, ...later.notes],
  };
};

/** What a follow-up may change without a risk of meaning something else: no fields or things of its own to show. */
export const changesOnly = ({ draft, unread }: Cursor): boolean =>
  unread.length === 0 &&
  draft.shown.every((item) => item.measure !== undefined) &&
  draft.sentences.length === 0 &&
  (draft.groups.length > 0 ||
    draft.conditions.length > 0 ||
    draft.times.length > 0 ||
    draft.ranks.length > 0 ||
    draft.orders.length > 0 ||
    draft.definitions.length > 0 ||
    draft.shown.length > 0);
