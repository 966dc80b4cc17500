// Reads a question from left to right into a draft. Every word is consumed by a rule that gives it a meaning, or ends up
// among the unread, and then there is no answer.
import type { Cursor } from './cursor.ts';
import { type Clause, type FieldSlot, isMeasure, isSlot, type Shown } from './draft.ts';
import { isFiller } from './filler-words.ts';
import { verbRoot } from './inflection.ts';
import { MONEY_VERBS, UNANSWERABLE, verbSenses } from './lexicon.ts';
import { conditionOnField, readBareComparison, readComparison, readValueCondition } from './read-conditions.ts';
import { readBy, readRank } from './read-rank.ts';
import {
  attempt,
  isNumeric,
  isTemporal,
  peekEntity,
  peekField,
  readEntity,
  readField,
  readMeasure,
} from './read-things.ts';
import { unitOf } from './time-expressions.ts';

interface State {
  /** Still naming what is to be shown. */
  head: boolean;
  /** Shown fields that a following "of customers" binds. */
  open: FieldSlot[];
  pendingOr: boolean;
  sentence: number;
}

const GRAIN_ADVERBS: Record<string, 'day' | 'week' | 'month' | 'quarter' | 'year'> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};
const EACH =
  /(?:(?:for|in|of|from|at|on|to|within|with|across) )?(?:each|every|all of the different|all the different)(?: (?:of the|different|individual|distinct|single))?/;
const BY =
  /(?:and )?(?:grouped by|group by|broken down by|break down by|breakdown by|split by|segmented by|divided by|summarized by|summarised by|by|per|for each|for every|across(?: all)?)(?: (?:each|every|the|different|their|its))*/;

export const parseQuestion = (c: Cursor): void => {
  const state: State = { head: true, open: [], pendingOr: false, sentence: 0 };
  while (!c.done()) {
    if (!rules.some((rule) => rule(c, state))) {
      const token = c.token()!;
      c.unread.push(token.text);
      c.at++;
    }
  }
};

type Rule = (c: Cursor, state: State) => boolean;

const show = (c: Cursor, state: State, item: Shown): void => {
  c.draft.shown.push({ ...item });
  if (item.slot) state.open.push(item.slot);
};

const punctuation: Rule = (c, state) => {
  const token = c.token()!;
  if (token.kind !== 'punct') return false;
  if (/^[.?!]$/.test(token.norm)) {
    c.accept(1, 'punctuation');
    if (!c.done()) {
      c.newClause(false);
      state.head = true;
      state.open = [];
      state.sentence = c.draft.shown.length;
      c.draft.notes.push(`sentence:${c.draft.shown.length}`);
    }
    return true;
  }
  if (/^[,;:"()]$/.test(token.norm)) {
    c.accept(1, 'punctuation');
    return true;
  }
  const before = c.token(-1);
  const after = c.token(1);
  if (token.norm === '-' && before?.end === token.start && after?.start === token.end) {
    c.accept(1, 'punctuation');
    return true;
  }
  return false;
};

const refusedWords: Rule = (c) => {
  const token = c.token()!;
  if (token.kind !== 'word' || !UNANSWERABLE.has(token.norm) || c.phrase() || c.time()) return false;
  c.unread.push(token.text);
  c.at++;
  return true;
};

const grain: Rule = (c) => {
  const { at } = c;
  if (
    c.phrase()?.terms.some((term) => term.kind === 'metric' || term.kind === 'field') &&
    !/^(?:by|per)$/.test(c.norm())
  )
    return false;
  const adverb = GRAIN_ADVERBS[c.norm()];
  if (adverb && !c.phrase()) {
    const text = c.accept(1, 'grain', adverb);
    c.draft.groups.push({ grain: adverb, at, text });
    return true;
  }
  if (c.take(/(?:over time|month by month|month over month)/, 'grain')) {
    c.draft.groups.push({ grain: 'month', at, text: 'over time' });
    return true;
  }
  const length = c.match(/(?:by|per|for each|for every|in each|each|every|and|,)(?: (?:calendar|the))?/);
  if (length === 0) return false;
  if (/^(?:and|,)$/.test(c.norm()) && c.draft.groups.length === 0) return false;
  const unit = unitOf(c.token(length)?.stem);
  if (!unit || (c.match(/\S+ (?:of )?#/, length) > 0 && /^(?:and|,)$/.test(c.norm()))) return false;
  // "by year" over an integer field named year is that field.
  const named = peekField(c, length);
  if (named?.candidates.some((one) => one.loose === 0) && named.length >= 1) return false;
  const text = c.accept(length + 1, 'grain', unit);
  c.draft.groups.push({ grain: unit, at, text });
  return true;
};

const time: Rule = (c, state) => {
  if (c.token()!.kind === 'number' && c.values(0).length > 0 && !c.time()?.unit) return false;
  const mention = c.time();
  if (!mention) return false;
  const longer = c.values(0)[0];
  if (longer && longer.length > mention.length) return false;
  const { at } = c;
  const negated =
    c.clause.id > 0 &&
    c.clause.negated &&
    !c.clause.relation &&
    !c.draft.conditions.some((one) => one.clause === c.clause);
  const text = c.accept(mention.length, 'time', [mention.from, mention.to].map((edge) => edge ?? '').join('..'));
  if (mention.fault) c.draft.faults.push(`${text} (${mention.fault})`);
  c.draft.times.push({ mention, at, text, negated, clause: c.clause });
  state.head = false;
  return true;
};

const order: Rule = (c, state) => {
  const { at } = c;
  const sorted = /(?:and )?(?:(?:sorted|sort|ordered|order|arranged|ranked|listed|rank) (?:them )?)?(?:in )?/;
  const alphabetical = c.match(
    /(?:and )?(?:sorted |sort |ordered |order |listed |arranged )?(?:them )?(?:alphabetically|(?:in |by )?(?:an )?alphabetic(?:al)? order)(?: (?:of|by))?(?: (?:the|their))?/,
  );
  if (alphabetical > 0) {
    c.accept(alphabetical, 'order');
    const slot = c.done() || !peekField(c) ? null : readField(c, 'order');
    let direction: 'asc' | 'desc' = 'asc';
    if (c.take(/(?:in )?descending(?: order)?|reversed?/, 'order')) direction = 'desc';
    else c.take(/(?:in )?ascending(?: order)?/, 'order');
    c.draft.orders.push({ by: slot, direction, at });
    return true;
  }
  const leading = c.match(
    /(?:and )?(?:(?:sorted|sort|ordered|order|arranged|ranked|listed|rank) (?:(?:them|the results?|results?) )?)?in (ascending|descending) order(?: (?:of|by)(?: (?:the|their|its))?)?/,
  );
  const plain = c.match(
    /(?:and )?(?:sorted|sort|ordered|order|arranged|ranked|rank)(?: (?:them|the results?|results?))? (?:by|on|according to)(?: (?:the|their|its))*/,
  );
  const fromTo = c.match(
    /(?:(?:sorted|ordered|ranked) )?from (?:the )?(highest|largest|lowest|smallest|newest|oldest|most|least|latest|earliest)(?: \S+)? to (?:the )?(?:highest|largest|lowest|smallest|newest|oldest|most|least|latest|earliest)(?: \S+)?/,
  );
  if (fromTo > 0) {
    const word = /(highest|largest|newest|most|latest)/.exec(c.textOf(c.at, Math.min(4, fromTo)));
    c.accept(fromTo, 'order');
    const last = c.draft.orders.at(-1);
    if (last) last.direction = word ? 'desc' : 'asc';
    else c.draft.orders.push({ by: null, direction: word ? 'desc' : 'asc', at });
    return true;
  }
  const trailing = c.match(
    /,? ?(?:and )?(?:in )?(?:ascending|descending|increasing|decreasing)(?: order)?|highest first|largest first|lowest first|smallest first|newest first|oldest first|asc|desc/,
  );
  if (leading === 0 && plain === 0) {
    const last = c.draft.orders.at(-1);
    if (trailing === 0 || !last) return false;
    const text = c.accept(trailing, 'order');
    last.direction = /desc|decreas|highest|largest|newest/.test(text) ? 'desc' : 'asc';
    return true;
  }
  const text = c.accept(leading || plain, 'order');
  let direction: 'asc' | 'desc' = /descending/.test(text) ? 'desc' : 'asc';
  const by = c.done() ? null : attempt(c, () => readBy(c));
  if (by && 'clause' in by) return false;
  const after = c.match(
    /(?:(?:from )?(?:in )?(?:ascending|descending|increasing|decreasing)(?: order)?|asc|desc|highest first|largest first|lowest first|smallest first|newest first|oldest first)/,
  );
  if (after > 0) direction = /desc|decreas|highest|largest|newest/.test(c.accept(after, 'order')) ? 'desc' : 'asc';
  c.draft.orders.push({ by, direction, at });
  state.head = false;
  return sorted !== null;
};

const rank: Rule = (c, state) => {
  const before = c.draft.shown.length;
  if (!readRank(c)) return false;
  const made = c.draft.ranks.at(-1);
  if (state.head && made?.of && c.draft.shown.length === before) {
    const of = made.of;
    if (isSlot(of)) show(c, state, { slot: of });
    else if (state.open.length > 0) bind(state, of.dataset, of.role);
    else show(c, state, { entity: of });
  }
  if (made?.of && !isSlot(made.of)) {
    const shownBefore = c.draft.shown.length;
    possessive(c, state, made.of.dataset);
    if (c.draft.shown.length > shownBefore) c.draft.shown = c.draft.shown.filter((item) => item.entity !== made.of);
  }
  if (made?.by && c.draft.shown.length > 0) state.head = state.head && made.of !== undefined;
  return true;
};

const bind = (state: State, dataset: string, role?: string): void => {
  for (const slot of state.open) {
    if (slot.bound || !slot.candidates.some((one) => one.dataset === dataset)) continue;
    slot.bound = dataset;
    slot.boundRole = role;
  }
};

const by: Rule = (c, state) => {
  const length = c.match(BY) || c.match(/(?:in terms of|based on|according to|measured by|with respect to)/);
  if (length === 0) return false;
  return (
    attempt(c, () => {
      const word = c.norm(length - 1);
      const listing = c.norm() === 'by' && length === 1;
      c.accept(length, 'by');
      const pending = c.draft.ranks.find((one) => one.by === null);
      if (pending) {
        const key = readBy(c);
        if (!key || 'clause' in key) return null;
        pending.by = key;
        state.head = false;
        return true;
      }
      if (listing && c.values(0).length > 0 && !peekField(c)) return null;
      // "by the artist AC/DC" names one, it does not group.
      const noun = c.phrase();
      if (noun && listingValue(c, noun.length)) return null;
      for (let first = true; ; first = false) {
        if (!first) {
          const joiner = c.match(/(?:, and|,|and(?: by| per)?|by|then by)(?: (?:the|each|their))?/);
          const unit = joiner > 0 ? unitOf(c.token(joiner)?.stem) : null;
          if (joiner === 0 || !(unit || peekField(c, joiner) || peekEntity(c, joiner))) break;
          c.accept(joiner, 'conjunction');
        }
        const unit = unitOf(c.token()?.stem);
        const field = peekField(c);
        if (unit && !field?.candidates.some((one) => one.loose === 0)) {
          const { at } = c;
          c.draft.groups.push({ grain: unit, at, text: c.accept(1, 'grain', unit) });
          continue;
        }
        const entity = peekEntity(c);
        const tight =
          field && (!entity || field.length > entity.length || field.candidates.some((one) => one.loose === 0));
        if (tight) {
          const slot = readField(c, 'group')!;
          slot.quantified = word === 'each';
          c.draft.groups.push(slot);
          state.open = [slot];
        } else if (entity) {
          const mention = readEntity(c, 'group')!;
          mention.each = true;
          c.draft.groups.push(mention);
        } else if (first) return null;
        else break;
        grainOf(c);
      }
      state.head = false;
      return true;
    }) ?? false
  );
};
const listingValue = (c: Cursor, offset: number): boolean => {
  const token = c.token(offset);
  return token?.kind === 'quoted' || (token?.capital === true && (c.values(offset).length > 0 || !c.phrase(offset)));
};
/** "order date by month", "order month": a date field with a grain. */
const grainOf = (c: Cursor): void => {
  const slot = c.draft.groups.at(-1);
  if (!slot || !isSlot(slot) || !slot.candidates.every((one) => isTemporal(one.fields[0]!.datatype))) return;
  const unit =
    c.match(/(?:by )?(?:day|week|month|quarter|year)/) > 0 ? unitOf(c.token(c.norm() === 'by' ? 1 : 0)?.stem) : null;
  if (!unit) return;
  c.accept(c.norm() === 'by' ? 2 : 1, 'grain', unit);
  slot.grain = unit;
};

const each: Rule = (c, state) => {
  const length = c.match(EACH);
  if (length === 0) return false;
  return (
    attempt(c, () => {
      c.accept(length, 'each');
      const entity = peekEntity(c);
      const field = peekField(c);
      if (field && (!entity || field.length > entity.length)) {
        const slot = readField(c, 'group')!;
        slot.quantified = true;
        c.draft.groups.push(slot);
        state.open.push(slot);
        return true;
      }
      const mention = readEntity(c, 'group');
      if (!mention) return null;
      mention.each = true;
      c.draft.groups.push(mention);
      bind(state, mention.dataset, mention.role);
      possessive(c, state, mention.dataset);
      return true;
    }) ?? false
  );
};

/** "customers' first and last name": the fields behind belong to it. */
const possessive = (c: Cursor, state: State, dataset?: string): void => {
  if (!c.take(/(?:'s|')/, 'possessive')) return;
  for (let first = true; ; first = false) {
    const joiner = first ? 0 : c.match(/(?:, and|,|and|as well as)(?: (?:the|their))?/);
    if (!first && (joiner === 0 || !peekField(c, joiner))) return;
    if (joiner > 0) {
      if (c.match(/\S+ \S+/) && readMeasureAhead(c, joiner)) return;
      c.accept(joiner, 'conjunction');
    }
    const slot = readField(c);
    if (!slot) return;
    if (dataset && slot.candidates.some((one) => one.dataset === dataset)) slot.bound = dataset;
    show(c, state, { slot });
  }
};
const readMeasureAhead = (c: Cursor, joiner: number): boolean =>
  c.match(/(?:the )?(?:number|count|total|average|avg|sum|maximum|minimum)/, joiner) > 0;

const clauseStart: Rule = (c, state) => {
  const fresh = (negated: boolean): Clause => {
    state.head = false;
    return c.newClause(negated);
  };
  const negative = c.match(
    /(?:(?:, )?(?:and |but )?(?:who|that|which|they)? ?(?:do|does|did|have|has|had|is|are|was|were) (?:not|never)|(?:who|that|which) never|(?:but|and) not|(?:but )?(?:excluding|except(?: for)?|without|other than|apart from|not including)|(?:with|have|has|having) no|who don't|don't|doesn't|didn't|haven't|hasn't|isn't|aren't|wasn't|weren't)(?: (?:have|has|had|any|a|an|in|from|at|on|of|the|been|yet))*/,
  );
  if (negative > 0) {
    if (c.clause.negated && !/^(?:and|but|,)$/.test(c.norm())) c.draft.faults.push(c.textOf(c.at, negative));
    c.accept(negative, 'negation');
    fresh(true);
    return true;
  }
  const relative = c.match(
    /(?:and |but |, )?(?:who|that|which|whom|whose|where|with|having)(?: (?:have|has|had|is|are|was|were|also|the|do|does|did|been|a|an|any|some))*/,
  );
  if (relative > 0) {
    const first = c.norm();
    if (/^(?:who|which|whose|where)$/.test(first) && c.at === 0) return false;
    if ((first === 'which' || first === 'that') && c.draft.shown.length === 0 && c.draft.entities.length === 0)
      return false;
    const nested = c.clause.relation && !/^(?:and|but|,)$/.test(first) && !/^(?:who|whom)$/.test(first);
    c.accept(relative, 'relative');
    if (nested) state.head = false;
    else fresh(false);
    return true;
  }
  const joined = c.match(/(?:and|or)(?: (?:also|have|has|had|having))+/);
  if (joined > 0 && c.clause.id > 0) {
    if (c.clause.negated) c.draft.faults.push(c.textOf(c.at, joined));
    if (c.norm() === 'or') state.pendingOr = true;
    c.accept(joined, 'conjunction');
    fresh(false);
    return true;
  }
  return false;
};

/** "more than 3 albums", "at least one invoice", "an invoice", "any albums". */
const relation: Rule = (c) => {
  if (c.clause.id === 0 || c.clause.relation) return false;
  return (
    attempt(c, () => {
      const { at } = c;
      const op = readComparison(c) ?? (c.token()?.kind === 'number' ? '=' : null);
      if (!op) return null;
      const number = c.token();
      const value = number?.norm === 'one' ? 1 : number?.kind === 'number' && !number.unit ? number.value! : null;
      if (value === null) return null;
      c.accept(1, 'number');
      c.take(/(?:different|distinct)/, 'distinct');
      const entity = readEntity(c);
      if (!entity) return null;
      c.draft.entities.pop();
      c.clause.relation = { dataset: entity.dataset, at, text: entity.text, count: { op, value } };
      return true;
    }) ?? false
  );
};

const having: Rule = (c) =>
  attempt(c, () => {
    c.take(/(?:a|an|the)/, 'article');
    const { at } = c;
    const measure = readMeasure(c);
    if (!measure) return null;
    c.take(/(?:that|which)?(?: )?(?:is|are|was|were|of)(?= )/, 'copula');
    const between = c.match(/between # and #/);
    if (between > 0) {
      const values = [c.token(1)!.value!, c.token(3)!.value!];
      c.accept(between, 'comparison');
      c.draft.havings.push({ measure, op: 'between', values, negated: c.clause.negated });
      return true;
    }
    const op = readComparison(c);
    const number = c.token();
    if (!op || number?.kind !== 'number') return null;
    if (number.unit && number.unit !== '$' && number.unit !== '€') return null;
    c.accept(1, 'number');
    unitOfMeasure(c, measure.metrics?.[0]?.unit ?? null);
    c.draft.havings.push({ measure, op, values: [number.value!], negated: c.clause.negated });
    return at >= 0;
  }) ?? false;
const unitOfMeasure = (c: Cursor, unit: string | null): void => {
  if (unit && c.norm().replace(/s$/, '') === (unit.toLowerCase() === 'usd' ? 'dollar' : unit.toLowerCase()))
    c.accept(1, 'unit');
};

const condition: Rule = (c, state) => {
  const or = c.match(/or(?: (?:whose|where|the|with|in|of|from|have|has))*/);
  return (
    attempt(c, () => {
      let joinedByOr = state.pendingOr;
      if (or > 0) {
        c.accept(or, 'or');
        joinedByOr = true;
      }
      const from = c.at;
      const found = peekField(c);
      const before = c.draft.conditions.length;
      if (found && !(state.head && c.at === 0)) {
        const weak = state.head;
        const done = attempt(c, () => {
          const slot = readField(c, 'condition')!;
          slot.bound = undefined;
          return conditionOnField(c, slot, from, weak);
        });
        if (done) return finish(c, state, before, joinedByOr);
      }
      const bare = c.draft.entities.at(-1)?.dataset ?? c.draft.shown.find((item) => item.entity)?.entity?.dataset;
      if (readBareComparison(c, bare)) return finish(c, state, before, joinedByOr);
      if (
        found &&
        c.phrase()!.length >= (c.values(0)[0]?.length ?? 0) &&
        c.phrase()!.terms.some((term) => term.kind === 'field' && term.loose < 2) &&
        c.values(0)[0]?.entries[0] === undefined
      )
        return null;
      if (readValueCondition(c)) return finish(c, state, before, joinedByOr);
      return null;
    }) ?? false
  );
};
const finish = (c: Cursor, state: State, before: number, or: boolean): true => {
  const made = c.draft.conditions[before]!;
  made.or = or && before > 0;
  state.pendingOr = false;
  possessive(c, state, made.options.length === 1 ? made.options[0]!.dataset : undefined);
  return true;
};

const measure: Rule = (c, state) => {
  const found = readMeasure(c);
  if (!found) return false;
  show(c, state, { measure: found });
  return true;
};

const definition: Rule = (c, state) => {
  const phrase = c.phrase();
  const term = phrase?.terms.find((one) => one.kind === 'definition');
  if (!phrase || term?.kind !== 'definition') return false;
  const { at } = c;
  const text = c.accept(phrase.length, 'definition', term.definition.term);
  c.draft.definitions.push({ definition: term.definition, at, text, negated: false });
  state.head &&= true;
  return true;
};

/** What is asked for: "which country", "the names", "list all media types". */
const thing: Rule = (c, state) => {
  const asked = c.match(/(?:in |at |from |on |for |to |of )?(?:which|what)(?: (?:is|are|was|were))?(?: the)?/);
  if (asked > 0 && (peekField(c, asked) || peekEntity(c, asked))) {
    c.accept(asked, 'question');
    state.head = true;
  }
  const entity = peekEntity(c);
  const field = peekField(c);
  if (!entity && !field) return false;
  const useField = field && (!entity || field.length > entity.length);
  if (useField) {
    if (!state.head) return false;
    const slot = readField(c)!;
    show(c, state, { slot });
    return true;
  }
  const mention = readEntity(c)!;
  if (c.clause.id > 0 && !state.head) {
    if (!c.clause.relation) c.clause.relation = { dataset: mention.dataset, at: mention.at, text: mention.text };
  } else if (state.open.length > 0) {
    const fits = state.open.some(
      (slot) => !slot.bound && slot.candidates.some((one) => one.dataset === mention.dataset),
    );
    if (fits) bind(state, mention.dataset, mention.role);
  } else if (
    state.head &&
    (!c.draft.shown.some((item) => item.measure) ||
      /^(?:and|,)$/.test(c.tokens[mention.at - 1]?.norm ?? '') ||
      /^(?:and|,)$/.test(c.tokens[mention.at - 2]?.norm ?? ''))
  ) {
    show(c, state, { entity: mention });
  }
  // "track Fast As a Shark", "customer Daan Peeters"
  const display = c.vocabulary.display(mention.dataset);
  const text = c.match(/(?:named|called|titled|with (?:the )?(?:name|title)|")?/);
  if (display.length > 0 && (c.token()?.capital || c.token()?.kind === 'quoted' || text > 0)) {
    const slot: FieldSlot = {
      at: mention.at,
      text: mention.text,
      candidates: [{ dataset: mention.dataset, role: mention.role, fields: display, loose: 0 }],
    };
    slot.bound = mention.dataset;
    if (c.token()?.kind !== 'punct' || text > 0) {
      const before = c.draft.conditions.length;
      if (conditionOnField(c, slot, c.at, !(text > 0))) possessive(c, state, mention.dataset);
      void before;
    }
  }
  possessive(c, state, mention.dataset);
  return true;
};

const verb: Rule = (c, state) => {
  const token = c.token()!;
  if (token.kind !== 'word' || c.phrase()) return false;
  const imperative = c.at === 0 || /^[.?!]$/.test(c.norm(-1)) || c.norm(-1) === 'please';
  if (imperative && isFiller(token.norm)) return false;
  const senses = verbSenses(token.norm);
  const root = verbRoot(token.norm);
  const schema =
    root.length >= 3 &&
    [...c.vocabulary.knownWords].some(
      (word) =>
        word.length >= 3 && (word.startsWith(root) || root.startsWith(word)) && /(?:ed|ing|s|en)$/.test(token.norm),
    );
  if (!senses && !schema && !MONEY_VERBS.has(token.norm)) return false;
  c.draft.verbs.push({ text: token.norm, at: c.at });
  c.accept(1, 'verb');
  state.head = false;
  c.take(/(?:to|in|at|from|by|on|with|up|of|as)(?= )/, 'link');
  return true;
};

/** Words that stand for everything there is. */
const everything: Rule = (c) =>
  c.take(
    /(?:in|of|from|within|across) (?:the|our|this) (?:whole |entire )?(?:company|organi[sz]ation|database|dataset|data set|system|business)(?= (?:\.|\?|,)|$)/,
    'everything',
  ) || c.take(/(?:in total|overall|altogether|in all)(?= (?:\.|\?)|$)/, 'everything');

/** "what does X …": what is asked for has been named, the rest says of what. */
const auxiliary: Rule = (c, state) => {
  if (c.draft.shown.length === 0 || c.draft.shown.some((item) => item.measure)) return false;
  if (!c.take(/(?:does|do|did)(?! not)/, 'filler')) return false;
  state.head = false;
  return true;
};

/** "all the customer information" shows every field. */
const information: Rule = (c, state) => {
  if (!state.head || !c.match(/(?:information|info|details|data|records?)/)) return false;
  const last = c.draft.shown.at(-1);
  if (last?.entity && c.draft.shown.length === 1) {
    last.all = true;
    c.accept(1, 'all fields');
    return true;
  }
  return false;
};

/** "and how many do they have": what was ranked by is shown too. */
const reference: Rule = (c) => {
  const measured = c.draft.ranks.find((one) => one.by !== null && isMeasure(one.by));
  if (!measured?.by || !isMeasure(measured.by)) return false;
  const length = c.match(
    /(?:, )?(?:and )?(?:also )?(?:how many|how much|what)(?: (?:do|does|did|are|is|were|was))* (?:they|it|those|these)(?: (?:have|has|had|make|made|spend|spent))?(?= (?:\.|\?)|$)/,
  );
  if (length > 0) {
    c.accept(length, 'measure');
    c.draft.shown.push({ measure: measured.by });
    return true;
  }
  const pronoun = c.match(
    /(?:did|do|does|have|has) (?:they|he|she|it)(?: (?:have|has|make|made|place|placed|spend|spent))?/,
  );
  if (pronoun > 0 && c.draft.shown.at(-1)?.measure) {
    c.accept(pronoun, 'pronoun');
    return true;
  }
  return false;
};

const quantifier: Rule = (c) => {
  if (c.take(/(?:different|distinct|unique)/, 'distinct')) {
    c.draft.distinct = true;
    return true;
  }
  return c.take(/(?:all(?: of)?|any)/, 'quantifier');
};

const link: Rule = (c, state) => {
  const length = c.match(
    /(?:of|for|from|in|to|at|on|with|by|and|as well as|also|along with|their|his|her|its|they|them|he|she|it|who|what|which|where|when|how|that|or|made|using|within|among)(?= )/,
  );
  if (length === 0) return false;
  const word = c.norm();
  if (word === 'or') return false;
  const next = c.token(1);
  if (!next) return false;
  if (/^(?:of|for|from|in|at|on|to|by|with|within|among)$/.test(word)) {
    c.accept(1, 'link');
    if (c.draft.shown.length > 0) {
      const named = peekEntity(c) ?? (c.norm() === 'the' || c.norm() === 'all' ? peekEntity(c, 1) : null);
      if (named) state.open.length = state.open.length; // a following dataset binds what is open
      state.head = state.head && Boolean(named) && state.open.length > 0;
    }
    return true;
  }
  if (
    /^(?:what|who|which|where|when|how)$/.test(word) &&
    c.at > 0 &&
    c.norm(-1) !== '.' &&
    !/^(?:and|,|in|\?|please|me|list)$/.test(c.norm(-1))
  )
    return false;
  if (/^(?:where|when|how)$/.test(word)) return false;
  c.accept(length, /^(?:and|as|also|along)$/.test(word) ? 'conjunction' : 'question');
  return true;
};

const filler: Rule = (c) => {
  if (!isFiller(c.norm()) || c.token()!.kind !== 'word') return false;
  c.accept(1, 'filler');
  return true;
};

const rules: Rule[] = [
  punctuation,
  (c) =>
    c.take(
      /(?:please )?(?:name|list|show|give me|tell me|find|find out|count)(?= (?:the|all|every|each|a) )/,
      'filler',
    ) && c.at > 0,
  everything,
  reference,
  auxiliary,
  information,
  having,
  order,
  grain,
  rank,
  refusedWords,
  time,
  by,
  each,
  clauseStart,
  relation,
  condition,
  measure,
  definition,
  thing,
  quantifier,
  verb,
  filler,
  link,
];

export { isMeasure, isNumeric };
