// What is asked for: measures, fields, things, governed terms, and what ranks them.

import { isNumeric } from '../words/datatypes.ts';
import { unitKey, verbSenses } from '../words/lexicon.ts';
import type { Cursor } from './cursor.ts';
import { type EntityMention, type FieldSlot, isSlot, type MeasureDraft } from './draft.ts';
import { behindDid, namesEvent } from './event-dates.ts';
import { namedOne } from './named-one.ts';
import { countMetric, countsPlainly, namedAsThings } from './read-count.ts';
import { readMeasure } from './read-measures.ts';
import { readRank } from './read-rank.ts';
import { attempt, isKey, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import { readAdjective } from './read-value-condition.ts';
import { refuseRowsOrAmount } from './rows-or-amount.ts';
import { bind, possessive, type Rule, type State, show } from './rule.ts';

export const rank: Rule = (c, state) => {
  const known = c.draft.shown.length;
  const ranks = c.draft.ranks.length;
  if (!readRank(c)) return false;
  if (ranks > 0 && c.draft.ranks.length === ranks) {
    state.head = false;
    return true;
  }
  const made = c.draft.ranks.at(-1);
  const of = made?.of;
  // "customers whose latest order was in 2023": a row of each, not the latest of all.
  if (of && !isSlot(of) && c.draft.entities[0] && c.draft.entities[0].dataset !== of.dataset)
    if (c.tokens[made.at - 1]?.norm === 'whose') c.draft.faults.push(made.text);
  const last = c.draft.shown.at(-1)?.slot;
  // "the names of the top 8 countries"
  const named =
    of && isSlot(of) && last && !last.bound && /^names?$/i.test(last.text) && c.tokens[made.at - 1]?.norm === 'of';
  // "the names of the customers with the 10 cheapest invoices": the rank says whose, not what.
  const whose =
    made !== undefined &&
    (last?.bound || c.draft.shown.at(-1)?.entity) &&
    /^(?:with|have|has|having|had)$/.test(c.tokens[made.at]?.norm ?? '');
  // "the countries of the top 3 customers" are theirs.
  const before = made ? c.tokens[made.at - 1]?.norm : undefined;
  const leads = /^(?:its|their|his|her|the)$/.test(before ?? '') ? c.tokens[made!.at - 2]?.norm : before;
  const theirs = of && !isSlot(of) && state.open.length > 0 && leads === 'of';
  if ((state.head || named || theirs) && of && !whose && c.draft.shown.length === known) {
    if (isSlot(of)) show(c, state, { slot: of });
    else if (state.open.length > 0) bind(c, state, of.dataset, of.role);
    else show(c, state, { entity: of });
  }
  if (of && !isSlot(of)) {
    const shown = c.draft.shown.length;
    possessive(c, state, of.dataset, of.role);
    if (c.draft.shown.length > shown) c.draft.shown = c.draft.shown.filter((item) => item.entity !== of);
  }
  if (made?.by && c.draft.shown.length > 0) state.head = state.head && of !== undefined;
  return true;
};

export const COUNTING =
  /(?:how many|(?:the )?(?:total |overall )?(?:number|count) of|(?:please )?count (?:up )?(?:the )?(?:number of )?)(?: (?:the|all|of|our|different|distinct))*/;
/** "how many pending orders", "number of Rock tracks", "how many female students". */
export const premodifiedCount: Rule = (c, state) =>
  attempt(c, () => {
    const { at } = c;
    const opens = at === 0 || /^(?:[.?!]|please)$/.test(c.norm(-1));
    const length = c.match(COUNTING) || (opens ? c.match(/count(?: up)?(?: (?:the|all|our))*/) : 0);
    if (length === 0 || /different|distinct/.test(c.textOf(c.at, length))) return null;
    c.accept(length, 'count');
    let read = 0;
    while (read < 4 && readAdjective(c)) read++;
    if (read === 0) return null;
    const ahead = peekEntity(c);
    const metrics = ahead ? countMetric(c, ahead.length) : [];
    const entity = readEntity(c);
    if (entity && metrics.length > 0) {
      show(c, state, { measure: { at, text: c.textOf(at, c.at - at), kind: 'metric', metrics } });
      return true;
    }
    if (entity) {
      show(c, state, { measure: { at, text: c.textOf(at, c.at - at), kind: 'count', dataset: entity.dataset } });
      return true;
    }
    const values = described(c);
    if (values) {
      show(c, state, {
        measure: { at, text: c.textOf(at, c.at - at), kind: 'aggregate', fn: 'count_distinct', slot: values },
      });
      return true;
    }
    const found = readMeasure(c);
    const counts =
      found?.kind === 'metric' &&
      found.metrics?.every((metric) => metric.references.aggregates.some((name) => /count/i.test(name)));
    if (!found || !counts) return null;
    show(c, state, { measure: { ...found, at } });
    return true;
  }) ?? false;

/** "which customers", "the 10 customers who …", "list customers": the things, not their number. */
const WHICH = /^(?:which|what|list|who are)(?: (?:the|all|our|of))*$/;
const THEIR = /^(?:with|without|who|that|which|whose|having|containing)$/; // "customers with more than 3 orders"
const asksForThings = (c: Cursor, state: State): boolean => {
  if (!state.head || c.draft.shown.length > 0 || !namedAsThings(c)) return false;
  if (c.draft.limit !== undefined || THEIR.test(c.norm(c.phrase()!.length))) return true;
  const before = c.tokens.slice(0, c.at).map(({ norm }) => norm);
  return [1, 2, 3].some((length) => WHICH.test(before.slice(-length).join(' ')));
};

/** "how many official languages": different values of a column, in the rows that the word before it describes. */
const described = (c: Cursor): FieldSlot | null => {
  const rows = c.draft.conditions.at(-1)?.options.map(({ dataset }) => dataset) ?? [];
  const candidates = (peekField(c)?.candidates ?? []).filter(
    ({ dataset, fields, loose }) =>
      rows.includes(dataset) && loose < 2 && fields.length === 1 && fields[0]!.datatype === 'string',
  );
  const slot = candidates.length === 1 ? readField(c) : null;
  return slot ? { ...slot, candidates } : null;
};

export const measure: Rule = (c, state) => {
  const plainCount = countsPlainly(c);
  if (asksForThings(c, state)) return false;
  const found = attempt(c, () => readMeasure(c));
  if (!found) return false;
  // "customers in Texas" may be a list or a count; "customers by region" and "how many customers" count.
  if (plainCount) c.draft.plainCounts.push(found.text);
  show(c, state, { measure: found });
  return true;
};

export const definition: Rule = (c, state) => {
  if (asksForThings(c, state)) return false;
  const phrase = c.phrase();
  const term = phrase?.terms.find((one) => one.kind === 'definition');
  if (!phrase || term?.kind !== 'definition') return false;
  const { at } = c;
  const text = c.accept(phrase.length, 'definition', term.definition.term);
  c.draft.definitions.push({ definition: term.definition, at, text, negated: c.clause.negated, clause: c.clause });
  // "open incidents", where the term names its noun.
  const noun = c.vocabulary.phrases.get(c.tokens[c.at - 1]!.stem)?.find((one) => one.kind === 'dataset' && !one.role);
  const about = term.definition.filter && phrase.length > 1 && noun?.kind === 'dataset' ? noun.dataset : null;
  if (about && state.head && c.draft.shown.length === 0 && !c.phrase() && c.values(0).length === 0) {
    const entity = { at: c.at - 1, text: c.tokens[c.at - 1]!.text, dataset: about, clause: c.clause };
    c.draft.entities.push(entity);
    show(c, state, { entity });
  }
  return true;
};

const INFORMATION_OF =
  /(?:information|info|details|data) (?:of|about|on|for|from|regarding|concerning)(?: (?:all|the|our|every|each|of))*/;
/** "all the customer information", "all information about the customers" shows every field. */
export const information: Rule = (c, state) => {
  if (!state.head || !c.match(/(?:information|info|details|data|records?)/)) return false;
  const of = c.draft.shown.length === 0 ? c.match(INFORMATION_OF) : 0;
  if (
    of > 0 &&
    peekEntity(c, of) &&
    !c.phrase()?.terms.some((term) => term.kind === 'field' && term.dataset === peekEntity(c, of)!.dataset)
  ) {
    c.accept(of, 'all fields');
    show(c, state, { entity: readEntity(c)!, all: true });
    return true;
  }
  const last = c.draft.shown.at(-1);
  if (last?.entity && c.draft.shown.length === 1) {
    // "student details" where a field is called so: that one, or all of them?
    if (peekField(c)?.candidates.some(({ dataset }) => dataset === last.entity!.dataset)) return false;
    last.all = true;
    c.accept(1, 'all fields');
    return true;
  }
  return false;
};

/** "which 3 states had the highest profit": the number is the limit of a rank that follows. */
export const countedThing: Rule = (c, state) => {
  const token = c.token()!;
  if (token.kind !== 'number' || token.unit || !Number.isInteger(token.value) || token.value! < 2) return false;
  // "the names of the 5 customers who …"
  const of = c.norm(-1) === 'of' || (c.norm(-1) === 'the' && c.norm(-2) === 'of');
  if (!state.head && !of) return false;
  const shown = of ? c.draft.shown.some((item) => !item.slot) : c.draft.shown.length > 0;
  if (shown || c.draft.limit !== undefined || c.time() || !(peekEntity(c, 1) || peekField(c, 1))) return false;
  c.draft.limit = token.value!;
  c.accept(1, 'limit');
  return true;
};

/** "…, together with the names of the dogs": behind a condition, something more that is asked for. */
const furtherField = (c: Parameters<Rule>[0], length: number): boolean => {
  const joined = /^(?:and|with|as)$/.test(c.norm(-1) === 'the' || c.norm(-1) === 'their' ? c.norm(-2) : c.norm(-1));
  const of = c.match(/of(?: (?:the|their|its|all|those|these))?/, length);
  return joined && of > 0 && peekEntity(c, length + of) !== null && c.draft.shown.length > 0;
};

/** "the number of different makers and models": both are counted. */
const secondCount = (c: Cursor): MeasureDraft | null => {
  const last = c.draft.shown.at(-1)?.measure;
  const found = peekField(c);
  const plural = found && c.token(found.length - 1)!.norm !== c.token(found.length - 1)!.stem;
  if (last?.fn !== 'count_distinct' || !plural || c.norm(-1) !== 'and') return null;
  if (!/\b(?:different|distinct|unique)\b/i.test(last.text) || last.at + last.text.split(' ').length !== c.at - 1)
    return null;
  const slot = readField(c)!;
  return { at: slot.at, text: slot.text, kind: 'aggregate', fn: 'count_distinct', slot };
};

/** "employees with their manager's name": shown beside them, and nobody is left out for having none. */
const shownWith = (c: Cursor, at: number): boolean =>
  /^(?:'s|')$/.test(c.norm()) &&
  /^(?:with|including)(?: (?:the|their|its))?$/.test(
    c.tokens
      .slice(Math.max(0, at - 2), at)
      .map(({ norm }) => norm)
      .join(' ')
      .replace(/^(?!with|including)\S+ /, ''),
  );

/** "the average width and height": the average of both. */
const secondAggregate = (c: Cursor): MeasureDraft | null => {
  const last = c.draft.shown.at(-1)?.measure;
  const [of, other] = last?.slot?.candidates ?? [];
  if (last?.kind !== 'aggregate' || last.fn === 'count_distinct' || !last.fn || !of || other || c.norm(-1) !== 'and')
    return null;
  if (last.at + last.text.split(' ').length !== c.at - 1) return null;
  const fits = (peekField(c)?.candidates ?? []).filter(
    ({ dataset, fields, loose }) =>
      dataset === of.dataset &&
      loose < 2 &&
      fields.length === 1 &&
      isNumeric(fields[0]!.datatype) &&
      !isKey(c, dataset, fields[0]!),
  );
  if (fits.length !== 1) return null;
  const slot = { ...readField(c)!, candidates: fits };
  return { at: slot.at, text: slot.text, kind: 'aggregate', fn: last.fn, slot };
};

/** "the building its office is located in": a clause about the thing before, which names what relates the two. */
const withoutPronoun = (c: Cursor, { at }: EntityMention): boolean =>
  /^(?:its|their|his|her)$/.test(c.tokens[at - 1]?.norm ?? '') &&
  c.draft.entities.some((entity) => entity.at + entity.text.split(' ').length === at - 1) &&
  c.match(/(?:is|are|was|were) \S+/) > 0 &&
  (verbSenses(c.norm(1)) !== undefined || /^(?:in|at|on)$/.test(c.norm(1)));

/** "What is the average wind speed at Moor?", where each row holds an average wind speed: theirs together, not a list. */
const storedAverage = (c: Cursor, { candidates }: { candidates: FieldSlot['candidates'] }): MeasureDraft | null => {
  const asked = /^what (?:is|was) the (?:average|mean)$/.test([-3, -2, -1, 0].map((ahead) => c.norm(ahead)).join(' '));
  const numeric = candidates.every(({ fields }) => fields.length === 1 && isNumeric(fields[0]!.datatype));
  if (!asked || !numeric || c.draft.shown.length > 0) return null;
  const slot = readField(c)!;
  return { at: slot.at, text: slot.text, kind: 'aggregate', fn: 'avg', slot };
};

/** "the emails of customers and employees": of both, which are not the same rows. */
const sharedField = (c: Cursor, { at, dataset }: EntityMention): boolean => {
  const [first] = c.draft.entities.slice(-2);
  const slot = c.draft.shown.at(-1)?.slot;
  return (
    first !== undefined &&
    first.dataset !== dataset &&
    slot?.bound === first.dataset &&
    slot.at < first.at &&
    /^and(?: the| all)*$/.test(
      c.textOf(first.at + first.text.split(' ').length, at - first.at - first.text.split(' ').length),
    ) &&
    slot.candidates.some((one) => one.dataset === dataset) &&
    !/^(?:they|he|she|it|that|which|who)$/.test(c.norm())
  );
};

/** "which employees are managers": of whom somebody else's row says so, which no part of their own does. */
const equated = (c: Cursor, { at, role, dataset }: EntityMention): boolean =>
  role !== undefined &&
  /^(?:is|are|was|were) (?:(?:a|an|the|also) )?$/.test(
    `${c.tokens[at - 2]?.norm} ${c.tokens[at - 1]?.norm} `.replace(/^(?!is |are |was |were )\S+ /, ''),
  ) &&
  c.draft.shown.some(({ entity, slot }) => (entity?.dataset ?? slot?.bound) === dataset);

/** "which country", "the names", "list all media types". */
/** "the campus fee in 1996", where a row of campus fees has one: the amount, not the row. */
const ownAmountOf = (
  c: Cursor,
  field: NonNullable<ReturnType<typeof peekField>>,
  entity: NonNullable<ReturnType<typeof peekEntity>>,
): boolean => {
  const last = c.token(entity.length - 1)!;
  return (
    field.length === entity.length &&
    entity.role === undefined &&
    last.norm === last.stem &&
    c.norm(-1) === 'the' &&
    field.candidates.every(
      ({ dataset, fields, loose }) =>
        dataset === entity.dataset && loose === 0 && fields.length === 1 && isNumeric(fields[0]!.datatype),
    ) &&
    !c.vocabulary.display(entity.dataset).includes(field.candidates[0]!.fields[0]!)
  );
};

export const thing: Rule = (c, state) => {
  const asked = c.match(
    /(?:in |at |from |on |for |to |of )?(?:which|what|who(?= (?:is|are|was|were)))(?: (?:is|are|was|were))?(?: (?:the|its|their|his|her))?/,
  );
  if (asked > 0 && (peekField(c, asked) || peekEntity(c, asked) || c.token(asked)?.kind === 'number')) {
    // "the highest peak, and at which site": one row's site, or a row for each?
    if (/^(?:and|,)$/.test(c.norm(-1)) && c.norm() !== 'what' && c.draft.shown.some((item) => item.measure))
      c.draft.faults.push(c.textOf(c.at, asked + 1));
    c.accept(asked, 'question');
    state.head = true;
    return true;
  }
  // "where is the head office of …", "which kind of payment method …": what is asked for is the field behind.
  const said =
    c.at === 0 ? c.match(/where (?:is|are|was|were)(?: the)?/) || c.match(/(?:which|what) (?:kind|sort)s? of/) : 0;
  const texts = said > 0 ? (peekField(c, said)?.candidates ?? []) : [];
  if (texts.length > 0 && texts.every(({ fields }) => fields.length === 1 && fields[0]!.datatype === 'string')) {
    c.accept(said, 'question');
    return true;
  }
  const entity = peekEntity(c);
  const field = peekField(c);
  if (!entity && !field) return false;
  if (behindDid(c)) return false;
  if (entity && state.head && c.draft.shown.length === 0) refuseRowsOrAmount(c, entity);
  if (namesEvent(c) && (c.draft.shown.length + c.draft.entities.length > 0 || peekEntity(c, 1) || c.time(1)))
    return false;
  // "number of suites" counts, where a room number is the only number that the lens knows.
  if (/^(?:number|count)$/.test(c.norm()) && c.norm(1) === 'of' && field?.candidates.every(({ loose }) => loose > 0))
    return false;
  if (field && (!entity || field.length > entity.length || ownAmountOf(c, field, entity))) {
    if (!state.head && !furtherField(c, field.length)) return false;
    if (!state.head) {
      c.newClause(false);
      state.head = true;
    }
    // "approved sick leave": a yes-or-no word in front of what it describes is no column.
    if (field.candidates.every((one) => one.fields[0]!.datatype === 'boolean') && c.values(field.length).length > 0)
      return false;
    const second = secondCount(c) ?? secondAggregate(c) ?? storedAverage(c, field);
    if (second) show(c, state, { measure: second });
    else show(c, state, { slot: readField(c)! });
    return true;
  }
  const mention = readEntity(c)!;
  if (equated(c, mention)) c.draft.faults.push(mention.text);
  // "in the products table"
  if (/^(?:in|from|of)$/.test(c.tokens[mention.at - 2]?.norm ?? '') && !c.phrase()) c.take(/table/, 'dataset');
  const joins = (at: number): boolean => /^(?:and|,)$/.test(c.tokens[at]?.norm ?? '');
  if (withoutPronoun(c, mention)) {
    c.newClause(false);
    state.head = false;
    return true;
  }
  if (c.clause.id > 0 && !state.head) {
    if (!c.clause.relation && !shownWith(c, mention.at)) c.clause.relation = mention;
  } else if (
    state.open.length > 0 &&
    !joins(mention.at - 1) &&
    !(joins(mention.at - 2) && /^(?:the|their)$/.test(c.tokens[mention.at - 1]!.norm))
  ) {
    bind(c, state, mention.dataset, mention.role);
  } else if (
    state.head &&
    (!c.draft.shown.some((item) => item.measure) || joins(mention.at - 1) || joins(mention.at - 2))
  ) {
    if (sharedField(c, mention)) c.draft.faults.push(mention.text);
    show(c, state, { entity: mention });
  }
  namedOne(c, mention.dataset, mention.at, mention.text, mention.role);
  possessive(c, state, mention.dataset, mention.role);
  return true;
};

/** "how long is the track …", "how much does … cost": the one field of that kind. */
export const howMuch: Rule = (c, state) => {
  const { at } = c;
  const asked =
    c.match(/how many \S+ long (?:is|are|was|were)/) || c.match(/how long(?: (?:is|are|was|were|does|do))?/);
  const unit = asked > 0 && c.norm(1) === 'many' ? c.token(2)!.stem : null;
  if (unit && asked > 0 && !unitKey(unit)) return false;
  const when = at === 0 ? c.match(/when (?:is|are|was|were|did|does|do)/) : 0;
  if (when > 0) {
    c.draft.about = { kind: 'date', at, text: c.accept(when, 'question'), unit: null };
    state.head = false;
    return true;
  }
  const about = asked > 0 ? 'duration' : c.match(/how much (?:is|are|was|were|does|do|did)/) > 0 ? 'money' : null;
  const rest = c.tokens.slice(at).map((token) => token.norm);
  const spends = rest.some((word) => /^(?:spen[dt]s?|earn(?:s|ed)?|pa(?:y|ys|id))$/.test(word));
  if (!about || at > 1 || spends || (rest[2] === 'did' && !rest.includes('cost'))) return false;
  const text = c.accept(about === 'duration' ? asked : 3, 'question');
  state.head = false;
  c.draft.about = { kind: about, at, text, unit };
  return true;
};
