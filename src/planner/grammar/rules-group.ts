// How the answer is laid out: by what it is grouped, and over which grain of time.

import type { LensField } from '../../lens/model/lens.ts';
import { isTemporal } from '../words/datatypes.ts';
import { unitOf } from '../words/time-expressions.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { type FieldCandidate, isSlot } from './draft.ts';
import { GRADED } from './metric-ahead.ts';
import { pushCondition } from './push-condition.ts';
import { readBy } from './read-rank.ts';
import { attempt, isKey, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import { refuse } from './resolve.ts';
import { bind, possessive, type Rule, type State, show } from './rule.ts';

export const ADVERBS: Record<string, 'day' | 'week' | 'month' | 'quarter' | 'year'> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};

const EACH =
  /(?:(?:for|in|of|from|at|on|to|within|with|across) )?(?:each and every|each|every|all of the different|all the different)(?: (?:of the|different|individual|distinct|single))?/;

const IN_EVERY = /\b(?:in|from|at|on|to|across|within) every$/i;

const BY =
  /(?:and )?(?:grouped by|group by|broken down by|break down by|breakdown by|split by|segmented by|summarized by|summarised by|by|per|for each|for every|across(?: all)?)(?: (?:each|every|the|different|their|its))*/;

/** Right behind a period, or behind another that it is part of, something is said to be the highest or the lowest. */
const ranksBehind = (c: Cursor, from: number): boolean => {
  const within = c.match(/(?:of|in)/, from);
  const time = within > 0 ? (c.time(from + within) ?? c.time(from)) : null;
  const end = from + (time ? time.length + (c.time(from) === time ? 0 : within) : 0);
  return (
    c.match(
      /(?:(?:that|which) )?(?:has|had|have|with|having|saw|was)(?: the)? (?:most|highest|largest|biggest|greatest|lowest|smallest|fewest|least)/,
      end,
    ) > 0
  );
};

/** "by year" over a field named year is that field; "per month" is no number of months that something lasts. */
const namesUnit = (c: Cursor, offset: number): boolean => {
  const { norm, stem } = c.token(offset)!;
  const lasts = ({ name }: LensField): boolean => norm === stem && words(name).at(-1) === `${stem}s`;
  return peekField(c, offset)?.candidates.some((one) => one.loose === 0 && !one.fields.some(lasts)) ?? false;
};

export const grain: Rule = (c, state) => {
  const { at } = c;
  // "which month of 2016 had the highest revenue": a rank of periods.
  const asked = c.match(/(?:which|what)(?: (?:is|was))?(?: the)?/);
  const period = asked > 0 && c.draft.groups.length === 0 ? unitOf(c.token(asked)?.stem) : null;
  if (period && state.head && c.draft.shown.length === 0 && c.phrase(asked) === null && ranksBehind(c, asked + 1)) {
    c.draft.groups.push({ grain: period, at, text: c.accept(asked + 1, 'grain', period), ranked: true });
    state.head = false;
    return true;
  }
  const known = c.phrase()?.terms.some((term) => term.kind === 'metric' || term.kind === 'field');
  if (known && !/^(?:by|per)$/.test(c.norm())) return false;
  const adverb = Object.hasOwn(ADVERBS, c.norm()) ? ADVERBS[c.norm()] : undefined;
  // "annual members" may be a kind of member: a stored value wins, and behind a preposition the word describes the thing.
  const describes = /^(?:of|for|from|by|with|among|to)$/.test(c.norm(-1)) && peekEntity(c, 1) !== null;
  const stored = adverb ? c.values(0) : [];
  // "annual revenue" where annual is also stored: by year, or only those? Two numbers, so it is not for us to choose.
  const thing = stored.length > 0 ? peekEntity(c, 1) : null;
  if (stored.length > 0 && !stored[0]!.entries.some(({ dataset }) => dataset === thing?.dataset))
    refuse(c.textOf(c.at, 1));
  if (adverb && !c.phrase() && stored.length === 0 && !describes) {
    c.draft.groups.push({ grain: adverb, at, text: c.accept(1, 'grain', adverb) });
    return true;
  }
  if (c.take(/(?:month by month|on a monthly basis)/, 'grain')) {
    c.draft.groups.push({ grain: 'month', at, text: 'month' });
    return true;
  }
  const length = c.match(/(?:by|per|for each|for every|in each|in every|each|every|and|,)(?: (?:calendar|the))?/);
  if (length === 0) return false;
  const continues = /^(?:and|,)$/.test(c.norm());
  if (continues && c.draft.groups.length === 0) return false;
  const unit = unitOf(c.token(length)?.stem);
  if (!unit || (continues && c.match(/\S+ (?:of )?#/, length) > 0)) return false;
  if (namesUnit(c, length)) return false;
  const per = c.norm() === 'per';
  if (per) c.draft.per = true;
  c.draft.groups.push({ grain: unit, at, text: c.accept(length + 1, 'grain', unit), per });
  return true;
};

export const by: Rule = (c, state) => {
  const length = c.match(BY) || c.match(/(?:in terms of|based on|according to|measured by|with respect to)/);
  if (length === 0) return false;
  if (c.draft.sorting && c.norm() === 'by') {
    return (
      attempt(c, () => {
        const { at } = c;
        c.accept(1, 'order');
        const key = readBy(c);
        if (!key || 'clause' in key) return null;
        c.draft.orders.push({ by: key, direction: 'asc', at });
        c.draft.sorting = false;
        return true;
      }) ?? false
    );
  }
  return (
    attempt(c, () => {
      let word = c.norm(length - 1);
      // "accounts by the customer with first name Ann" are those of one customer.
      const one = c.norm() === 'by' && word === 'the' && length === 2 ? peekEntity(c, length) : null;
      const head = one && c.token(length + one.length - 1)!;
      if (one && head?.norm === head?.stem && RESTRICTS.test(c.norm(length + one.length))) return null;
      const bare = c.norm() === 'by' && length === 1;
      const grouping = /per|each|every|group|broken|break|split|across|segment/.test(
        c.textOf(c.at, length).toLowerCase(),
      );
      if (/\bper\b/.test(c.textOf(c.at, length).toLowerCase())) c.draft.per = true;
      c.accept(length, 'by');
      const pending = grouping ? undefined : c.draft.ranks.find((one) => one.by === null);
      if (pending) {
        const key = readBy(c);
        if (!key || 'clause' in key) return null;
        // "highest balance by currency": a currency ranks nothing.
        if (isSlot(key) && !key.candidates.some((one) => RANKS.test(one.fields[0]!.datatype))) return null;
        pending.by = key;
        state.head = false;
        return true;
      }
      if (bare && doneBy(c)) return null;
      if (bare && c.values(0).length > 0 && !peekField(c)) return null;
      // "by the artist AC/DC" names one, it does not group.
      const noun = c.phrase();
      if (noun && namesOne(c, noun.length)) return null;
      // "song names by singers above 30": of those singers.
      const of = bare && noun ? peekEntity(c) : null;
      if (
        of &&
        c.draft.shown.length > 0 &&
        c.draft.shown.every(({ slot }) => slot?.candidates.some((one) => one.dataset === of.dataset)) &&
        (RESTRICTS.test(c.norm(of.length)) || /^(?:above|below|over|under|older|younger)$/.test(c.norm(of.length)))
      )
        return null;
      // "orders by customers from Germany": who ordered, or a row for each?
      if (bare && noun && counts(c) && peekEntity(c) && RESTRICTS.test(c.norm(noun.length)))
        c.draft.faults.push(c.textOf(c.at - 1, noun.length + 1));
      for (let first = true; ; first = false) {
        if (!first) {
          const joiner = c.match(/(?:, and|,|and(?: by| per)?|by|then by)(?: (?:the|each|their))?/);
          const unit = joiner > 0 ? unitOf(c.token(joiner)?.stem) : null;
          if (joiner === 0 || !(unit || peekField(c, joiner) || peekEntity(c, joiner))) break;
          if (c.match(/(?:the )?(?:number|count|total|average|sum)/, joiner) > 0) break;
          // "for each player and their first name": the name is how the player is shown.
          const theirs = /\btheir$/i.test(c.textOf(c.at, joiner)) ? c.draft.groups.at(-1) : undefined;
          word = /\b(?:by|per)\b/i.exec(c.accept(joiner, 'conjunction'))?.[0].toLowerCase() ?? word;
          if (theirs && 'dataset' in theirs && peekField(c)?.candidates.some((one) => one.dataset === theirs.dataset)) {
            c.draft.shown.push({ slot: { ...readField(c)!, bound: theirs.dataset, boundRole: theirs.role } });
            continue;
          }
        }
        if (!readGroup(c, word)) {
          if (first) return null;
          break;
        }
      }
      state.open = [];
      state.head = false;
      return true;
    }) ?? false
  );
};

/** "the amount loaned by banks" says who did it; "loaned by bank" has a row for each. */
const doneBy = (c: Cursor): boolean => {
  const entity = peekEntity(c);
  const last = entity && c.token(entity.length - 1)!;
  const verb = c.norm(-2);
  return (
    last !== null &&
    last.norm !== last.stem &&
    /^(?!group|order|sort|rank|split|list|arrang)\w{2,}(?:ed|ent|ade)$/.test(verb)
  );
};

const readGroup = (c: Cursor, word: string): boolean => {
  const unit = unitOf(c.token()?.stem);
  const field = peekField(c);
  const { at } = c;
  const per = word === 'per';
  if (unit && !namesUnit(c, 0)) {
    c.draft.groups.push({ grain: unit, at, text: c.accept(1, 'grain', unit), per });
    return true;
  }
  const entity = peekEntity(c);
  if (field && (!entity || field.length > entity.length)) {
    const slot = readField(c, 'group')!;
    // "cost per km" is a ratio, not a row for each distance.
    if (word === 'per' && slot.candidates.every((one) => one.fields.length === 1 && measures(c, one)))
      c.draft.faults.push(`per ${slot.text}`);
    slot.quantified = word === 'each' || word === 'every' || per;
    slot.per = per;
    if (unit && field.length === 1) slot.unit = unit;
    c.draft.groups.push(slot);
    // "order date by month", "order month": a date with a grain.
    if (slot.candidates.every((one) => isTemporal(one.fields[0]!.datatype))) {
      const of = c.norm() === 'by' ? 1 : 0;
      const named = unitOf(c.token(of)?.stem);
      if (named) {
        c.accept(of + 1, 'grain', named);
        slot.grain = named;
      }
    }
    return true;
  }
  if (entity) ofNoun(c, entity.dataset, entity.length);
  const mention = readEntity(c, 'group');
  if (!mention) return false;
  mention.each = true;
  mention.ordering = word === 'by';
  mention.per = per;
  c.draft.groups.push(mention);
  return true;
};

/** "by turbine model": by the models of turbines, and by nothing where turbines do not lead to one. */
const ofNoun = (c: Cursor, dataset: string, length: number): void => {
  const next = peekEntity(c, length);
  if (!next || next.dataset === dataset) return;
  if (c.vocabulary.graph.paths(dataset, next.dataset).length !== 1) refuse(c.textOf(c.at, length + next.length));
  c.accept(length, 'link');
};

const PLACES = /(?:floor|room|gate|day|week|month|quarter|hour|term|season|semester|size|capacity|position|zone)s?$/;

const measures = (c: Cursor, { dataset, fields, loose }: FieldCandidate): boolean => {
  const field = fields[0]!;
  const numeric = ['integer', 'decimal', 'float'].includes(field.datatype) && !isKey(c, dataset, field);
  return (
    numeric &&
    (field.datatype !== 'integer' ||
      field.unit !== null ||
      loose === 2 ||
      !(GRADED.test(field.name) || PLACES.test(field.name)))
  );
};

const RANKS = /^(?:integer|decimal|float|date|datetime|datetimetz)$/;

const RESTRICTS = /^(?:from|who|whose|that|with|without|in|named|called|living|aged)$/;

const counts = (c: Cursor): boolean => {
  const last = c.draft.shown.at(-1)?.measure;
  return (
    last?.kind === 'count' ||
    (last?.metrics?.every(({ references }) => references.aggregates.every((fn) => /count/i.test(fn))) ?? false)
  );
};

const namesOne = (c: Cursor, offset: number): boolean => {
  const token = c.token(offset);
  return token?.kind === 'quoted' || (token?.capital === true && (c.values(offset).length > 0 || !c.phrase(offset)));
};

/** "each reporter", where it is a stored kind of employee: each of those employees. */
const eachSuch = (c: Cursor, state: State): true | null => {
  const { at } = c;
  const token = c.token();
  const [match] = c.values(0);
  const [entry, other] = match?.entries ?? [];
  if (!match || !entry || other || token?.kind !== 'word' || token.capital || token.norm !== token.stem) return null;
  const { dataset, field, value, synonym } = entry;
  const display = c.vocabulary.display(dataset);
  if (display.length === 0 || display.includes(field)) return null;
  const text = c.accept(match.length, 'value', `${dataset}.${field.name}`);
  pushCondition(c, at, [{ dataset, field, values: [value], known: true, synonym, loose: 0 }], '=', { bound: dataset });
  const mention = { at, text, dataset, each: true, clause: c.clause };
  c.draft.groups.push(mention);
  c.draft.entities.push(mention);
  bind(c, state, dataset);
  return true;
};

export const each: Rule = (c, state) => {
  const length = c.match(EACH);
  if (length === 0) return false;
  return (
    attempt(c, () => {
      const said = c.accept(length, 'each');
      // "the first names of all the different drivers": different ones.
      const inEvery = IN_EVERY.test(`${c.norm(-length - 1)} ${said}`);
      if (/different/i.test(said) && !c.draft.shown.some((item) => item.measure)) c.draft.distinct = true;
      const entity = peekEntity(c);
      const field = peekField(c);
      if (!entity && !field) return eachSuch(c, state);
      if (field && (!entity || field.length > entity.length)) {
        const of = c.norm(-length) === 'of';
        const unit = field.length === 1 ? unitOf(c.token()?.stem) : null;
        const slot = readField(c, 'group')!;
        slot.quantified = true;
        slot.inEvery = inEvery;
        if (unit) slot.unit = unit;
        c.draft.groups.push(slot);
        // "the name of each industry": the name of a field is the field.
        const last = of ? c.draft.shown.at(-1)?.slot : undefined;
        if (last && /^names?$/i.test(last.text) && !last.bound && last.at === slot.at - length - 1) {
          c.draft.shown.pop();
          state.open.pop();
          show(c, state, { slot });
        }
        return true;
      }
      const mention = readEntity(c, 'group');
      if (!mention) return null;
      mention.each = true;
      mention.inEvery = inEvery;
      c.draft.groups.push(mention);
      bind(c, state, mention.dataset, mention.role);
      possessive(c, state, mention.dataset, mention.role);
      return true;
    }) ?? false
  );
};
