// Stored values named without "is": "Rock tracks", "Prague city", "active customers".
import type { LensField } from '../../lens/model/lens.ts';
import { isParticiple } from '../english/inflection.ts';
import { isFiller } from '../words/filler-words.ts';
import { SUPERLATIVES, verbSenses } from '../words/lexicon.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor, ValueMatch } from './cursor.ts';
import type { ConditionDraft, ConditionOption, FieldCandidate } from './draft.ts';
import { saysWhen } from './event-dates.ts';
import { moreValues, plain, pushCondition } from './push-condition.ts';
import { attempt, candidatesOf, peekEntity, peekField } from './read-things.ts';
import { personAt } from './read-values.ts';
import { happenedTo } from './rules-happened.ts';
import { ofWhatItDescribes } from './state-words.ts';

/** "top 3 products by revenue growth": a computation behind a measure, though a life stage may be called growth. */
const COMPUTES =
  /^(?:growth|change|increase|decrease|decline|rise|drop|share|median|average|rate|percentage|total|ratio|difference)$/;
const INTRODUCES = /^(?:|in|of|from|for|the|a|an|is|are|was|were|not|with|without|and|or|excluding|except|at|to)$/;

/** Values at the head that may stand without a field: one word in lower case must come from a short dictionary, since long
 *  ones (titles, names) hold ordinary words. A word the grammar itself uses is a value only when it is quoted or unlike it. */
const trustedValues = (c: Cursor): ValueMatch[] => {
  const token = c.token(0);
  if (!token || token.kind === 'quoted') return c.values(0);
  const when = saysWhen(c);
  if (when === 'dated' || namesMonth(c)) return [];
  return c.values(0).flatMap(({ length, entries }) => {
    const words = c.tokens.slice(c.at, c.at + length);
    const capital = words.some((word, index) => (word.capital && (index > 0 || c.at > 0)) || /\d/.test(word.text));
    const ordinary = words.every(
      (word) =>
        isFiller(word.norm) ||
        verbSenses(word.norm) !== undefined ||
        SUPERLATIVES.has(word.norm) ||
        /^(?:of|to|in|on|by|for|from|at|with|and|or|not|no|all|any|each|every|more|less|than|most|top|total|average|number|count|sum|who|what|which|that|how|many|much|money|name|time|day|month|year|first|last)$/.test(
          word.norm,
        ),
    );
    const [word] = words;
    if (length === 1 && !capital && COMPUTES.test(word!.norm) && !INTRODUCES.test(c.norm(-1))) return [];
    const shouted =
      words.every((word) => (word.text.length > 1 || namesLetter(c)) && word.text === word.text.toUpperCase()) &&
      c.tokens.some((word) => word.text !== word.text.toUpperCase());
    const whole = length > 1 && words.some(({ norm }) => verbSenses(norm) !== undefined);
    const said = entries.filter(
      ({ dataset }) => !ordinary || (capital && length > 1) || shouted || whole || describes(c, length, dataset),
    );
    const kept = said.filter(
      (entry) =>
        !(when && c.vocabulary.display(entry.dataset).includes(entry.field)) &&
        (capital || (entry.field.dictionary?.values.length ?? 0) <= 200),
    );
    return kept.length > 0 ? [{ length, entries: kept }] : [];
  });
};

const DETERMINER = /^(?:|many|of|the|all|our|list|show|which|what|find|count)$/;
/** "how many paid invoices", where invoices have a status paid: what they are, and not what somebody did. */
const describes = (c: Cursor, length: number, dataset: string): boolean =>
  isParticiple(c.norm()) &&
  DETERMINER.test(c.norm(-1)) &&
  (c
    .phrase(length)
    ?.terms.some(
      (term) =>
        (term.kind === 'dataset' && !term.role && term.dataset === dataset) ||
        (term.kind === 'metric' && term.metric.home === dataset),
    ) ??
    false);

/** "who got an A": a letter by itself, and no article. */
export const namesLetter = (c: Cursor): boolean =>
  c.token()?.text === 'A' &&
  c.at > 0 &&
  !/^[.?!:]$/.test(c.norm(-1)) &&
  c.tokens.some(({ text }) => text !== text.toUpperCase());

/** "a birthday in May" is no birthday of May. */
const namesMonth = (c: Cursor): boolean =>
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/.test(c.norm()) &&
  /^(?:in|during|since|before|after|until|every|each|last|this|next|throughout)$/.test(c.norm(-1));

/** A stored value, with the field or dataset that may stand beside it. */
export const readValueCondition = (c: Cursor): ConditionDraft | null =>
  attempt(c, () => {
    const from = c.at;
    c.take(/either/, 'either');
    const both = c.take(/both(?: (?:the|of the))?/, 'both');
    const people = c.vocabulary.lens.datasets.flatMap((dataset) => {
      const display = c.vocabulary.display(dataset.name);
      const found = display.length === 2 ? personAt(c, dataset.name, [display[0]!, display[1]!]) : null;
      return found ? [found] : [];
    });
    const known = people.filter((person) => person.known);
    const matches = trustedValues(c);
    const length = Math.max(matches[0]?.length ?? 0, known[0]?.length ?? 0);
    let options: (ConditionOption & { length: number })[] = [];
    if (known.length > 0 && known[0]!.length >= length) options = known;
    else if (matches.length > 0 && !(people.length > 0 && people[0]!.length > matches[0]!.length)) {
      options = matches[0]!.entries.map((entry) => ({
        dataset: entry.dataset,
        field: entry.field,
        values: [entry.value],
        known: true,
        synonym: entry.synonym,
        loose: 0,
        length: matches[0]!.length,
      }));
      options.push(...valueAndNoun(c, matches));
    } else if (people.length > 0) options = people;
    const thing = c.phrase();
    if (options.length === 0 || (thing?.length ?? 0) > options[0]!.length) return null;
    // "a training" is one of the trainings, whatever else is called training.
    const written = c.tokens
      .slice(c.at, c.at + options[0]!.length)
      .some(({ capital, kind }) => capital || kind === 'quoted');
    if (!written && thing?.length === options[0]!.length && thing.terms.some(({ kind }) => kind === 'dataset'))
      return null;
    c.accept(options[0]!.length, 'value');
    let all = moreValues(c, options.map(plain));
    if (all.length === 0) return null;
    // "Rock genre", "Prague city", "Movies playlist": the noun behind says which column.
    // "a cat as a pet", "CD as their format"
    const as = c.match(/as(?: (?:an?|the|their|its|his|her))?/);
    if (as > 0 && !c.phrase(as)) return null;
    if (as > 0) c.accept(as, 'link');
    const noun = c.phrase();
    let named = false;
    let entity = null;
    const kinds = as > 0 || peekEntity(c) ? [] : all.filter(({ field }) => isKindOf(c, field));
    if (kinds.length > 0 && (c.clause.id > 0 || /^(?:an?|with|or)$/.test(c.tokens[from - 1]?.norm ?? ''))) {
      all = kinds;
      named = true;
      c.accept(1, 'field');
    } else if (noun) {
      const fields = candidatesOf(noun.terms);
      const dataset = noun.terms.flatMap((term) => (term.kind === 'dataset' ? [term.dataset] : []));
      const byField = all.filter((option) =>
        fields.some((one) => one.dataset === option.dataset && one.fields.includes(option.field)),
      );
      const byDataset = all.filter(
        (option) =>
          dataset.includes(option.dataset) &&
          (option.and || c.vocabulary.display(option.dataset).length === 1) &&
          c.vocabulary.display(option.dataset).includes(option.field),
      );
      const theirs = as > 0 ? all.filter((option) => dataset.includes(option.dataset)) : [];
      const narrowed = [byField, byDataset, theirs].find((list) => list.length > 0) ?? [];
      if (as > 0 && narrowed.length === 0) return null;
      if (narrowed.length > 0) {
        all = narrowed;
        named = true;
        if (byField.length === 0 || dataset.length > 0) entity = peekEntity(c);
        if (entity) {
          c.draft.entities.push({ at: c.at, text: noun.terms[0]!.kind, dataset: entity.dataset, clause: c.clause });
        }
        c.accept(noun.length, 'field');
      }
    }
    // "where English is the official language": the noun is that of the value before.
    if (noun && !named && againNamed(c, all, candidatesOf(noun.terms))) {
      c.accept(noun.length, 'field');
      named = true;
    }
    const described = named ? [] : all.filter(({ field }) => isOfThem(c, from, field));
    if (described.length > 0) {
      all = described;
      named = true;
      c.accept(1, 'field');
    }
    if (both) c.clause.both = true;
    if (!named) all = ofWhatItDescribes(c, from, all);
    if (all.length === 0) return null;
    return pushCondition(c, from, all, all[0]!.values.length > 1 ? 'in' : '=', { named });
  });

/** "Monterey County" may be a place of that name, or Monterey, which is a county. */
const valueAndNoun = (c: Cursor, [longest, ...shorter]: ValueMatch[]): (ConditionOption & { length: number })[] =>
  shorter.flatMap(({ length, entries }) => {
    const noun = c.phrase(length);
    if (!longest || length + (noun?.length ?? 0) !== longest.length) return [];
    const fields = candidatesOf(noun!.terms);
    return entries.flatMap(({ dataset, field, value, synonym }) =>
      fields.some((one) => one.loose === 0 && one.dataset === dataset && one.fields.includes(field)) &&
      !longest.entries.some((one) => one.dataset === dataset && one.field === field)
        ? [{ dataset, field, values: [value], known: true, synonym, loose: 0, length: longest.length }]
        : [],
    );
  });

/** "with a king bed", where the field is called bed type, whatever else is called bed. */
const isKindOf = (c: Cursor, field: LensField): boolean => {
  const noun = c.token()?.kind === 'word' ? c.token()!.stem : null;
  return [field.name, ...field.synonyms].some((name) => {
    const said = phraseKey(name);
    return said === `${noun} type` || said === `${noun} kind` || said === `type of ${noun}`;
  });
};

/** "revenue from Corporate customers", where the field is called customer segment and customers are no things of their own. */
const isOfThem = (c: Cursor, from: number, field: LensField): boolean => {
  const noun = c.token();
  if (noun?.kind !== 'word' || noun.norm === noun.stem || peekEntity(c)) return false;
  if (!/^(?:of|from|for|by|to|among)$/.test(c.tokens[from - 1]?.norm ?? '')) return false;
  if (!c.draft.shown.some((item) => item.measure)) return false;
  return [field.name, ...field.synonyms].some((name) => {
    const [first, head, more] = phraseKey(name).split(' ');
    return first === noun.stem && head !== undefined && more === undefined;
  });
};

const againNamed = (c: Cursor, options: ConditionOption[], nouns: FieldCandidate[]): boolean => {
  const before = c.draft.conditions.find(
    (one) =>
      one.clause === c.clause &&
      c.clause.id > 0 &&
      one.options.some(
        ({ dataset, field }) =>
          options.some((option) => option.dataset === dataset && option.field !== field) &&
          nouns.some((noun) => noun.dataset === dataset && noun.fields.includes(field)),
      ),
  );
  if (before) before.named = true;
  return before !== undefined;
};

/** A word in front of the thing it restricts: a stored value, or what a yes-or-no field asks ("active customers"). */
export const readAdjective = (c: Cursor): ConditionDraft | null =>
  attempt(c, () => {
    const settled = happenedTo(c);
    if (settled) return settled;
    const from = c.at;
    const negated = c.take(/(?:not|non|in -|in)(?= )/, 'negation');
    if (!negated) c.take(/-/, 'punctuation');
    const field = peekField(c);
    const flags =
      field?.candidates.filter(
        (one) => one.fields.length === 1 && one.fields[0]!.datatype === 'boolean' && !one.fields[0]!.masked,
      ) ?? [];
    if (field && flags.length > 0 && flags.length === field.candidates.length) {
      c.accept(field.length, 'value');
      const options = flags.map((one) => ({
        dataset: one.dataset,
        role: one.role,
        field: one.fields[0]!,
        values: [!negated],
        known: true,
        loose: one.loose,
      }));
      const kept = ofWhatItDescribes(c, c.at - field.length, options);
      return kept.length === 0 ? null : pushCondition(c, from, kept, '=', { named: true });
    }
    return negated ? null : readValueCondition(c);
  });
