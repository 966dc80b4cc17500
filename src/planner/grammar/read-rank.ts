// Superlatives and ranks: "top 5 states by profit", "the 10 least expensive invoices", "which artist has the most albums",
// "longest track", "most recently". Each names a direction, a size, and what is compared.

import { verbRoot } from '../english/inflection.ts';
import { ordinal } from '../english/number-words.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { type Compared, SUPERLATIVES } from '../words/lexicon.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { type EntityMention, type FieldSlot, isSlot, type MeasureDraft, type RankDraft } from './draft.ts';
import { commonness } from './how-often.ts';
import { asksForDateCalledSo, refuseDateOfLatest } from './latest-in-name.ts';
import { measureAgain } from './measure-again.ts';
import { namedAsThings, readCounted } from './read-count.ts';
import { readMeasure } from './read-measures.ts';
import { attempt, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import { readAdjective } from './read-value-condition.ts';
import { refuse } from './resolve.ts';
import { singleRow } from './single-row.ts';

const GRADED: [RegExp, 'asc' | 'desc', Compared][] = [
  [/(?:most recent(?:ly)?|latest|newest)/, 'desc', 'date'],
  [/(?:least recent(?:ly)?|earliest)/, 'asc', 'date'],
  [/(?:most expensive|highest priced|highest - priced|priciest|costliest)/, 'desc', 'money'],
  [/(?:least expensive|lowest priced|lowest - priced|cheapest)/, 'asc', 'money'],
  [
    /(?:longest serving|longest - serving|longest tenured|(?:who )?(?:have )?(?:work|works|worked|working|served|serving) (?:the )?longest)/,
    'asc',
    'tenure',
  ],
  [
    /(?:most common(?:ly used)?|most popular|most commonly|most frequent|most frequently(?: used)?|most often)/,
    'desc',
    'count',
  ],
  [
    /(?:least common(?:ly used)?|least popular|least commonly|least frequent(?:ly)?(?: used)?|rarest|least often)/,
    'asc',
    'count',
  ],
  [/(?:most|greatest|largest|highest)(?: number of)? times/, 'desc', 'count'],
  [/(?:fewest|least|smallest|lowest)(?: number of)? times/, 'asc', 'count'],
];

export const readRank = (c: Cursor): boolean =>
  attempt(c, () => {
    const { at } = c;
    c.take(
      /(?:the|a list of the|with the|(?:have|has|having|had)(?: the)?|by|in terms of|that has the|that have the)/,
      'article',
    );
    // "the citizenships and the maximum age": another column.
    if (/^(?:maximum|max|minimum|min)$/.test(c.norm()) && /^(?:and|,)$/.test(c.tokens[at - 1]?.norm ?? '')) return null;
    const extreme = fieldOfExtreme(c, at);
    if (extreme) {
      c.draft.ranks.push(extreme);
      return true;
    }
    // "longest delay", where a metric is called so.
    const named = c.phrase();
    if (named && named.length > 1 && graded(c, 0) && named.terms.some(({ kind }) => kind === 'metric')) return null;
    let limit: number | null = null;
    let direction: 'asc' | 'desc' | null = null;
    let about: Compared | null = null;
    let counting = false;
    // "second highest": the next row after the highest.
    const nth = ordinal(c.norm());
    const offset = nth !== null && nth > 1 && graded(c, 1) ? nth - 1 : 0;
    if (offset > 0) c.accept(1, 'place');
    if (c.take(/top/, 'top')) direction = 'desc';
    else if (c.take(/bottom/, 'bottom')) direction = 'asc';
    const bare = direction !== null && c.token()?.kind !== 'number';
    if (bare) {
      limit = 1;
    } else if (
      c.token()?.kind === 'number' &&
      Number.isInteger(c.token()!.value) &&
      !c.token()!.unit &&
      c.token()!.value! > 0
    ) {
      if (offset > 0 || !(graded(c, 1) || direction)) return null;
      // "2016 top customers", "top 2016 customers": of that year, or so many?
      if (/^(?:19|20)\d\d$/.test(c.token()!.text)) return null;
      limit = c.token()!.value!;
      c.accept(1, 'limit');
    }
    const most = mostOf(c);
    if (most) {
      if (direction || offset > 0) return null;
      const made: RankDraft = { at, text: c.textOf(at, c.at - at), limit: limit ?? 1, ...most };
      made.of = readEntity(c)!;
      c.draft.ranks.push(made);
      return true;
    }
    const phrase = GRADED.find(([pattern]) => c.match(pattern) > 0);
    if (phrase) {
      if (phrase[2] === 'date' && asksForDateCalledSo(c, phrase[0])) return null;
      if (direction && phrase[1] !== direction && !(phrase[2] === 'tenure')) return null;
      c.accept(c.match(phrase[0]), 'superlative');
      direction = phrase[1];
      about = phrase[2];
    } else if (SUPERLATIVES.has(c.norm()) && !beginsField(c)) {
      const word = c.norm();
      const sense = SUPERLATIVES.get(word)!;
      if (direction && direction !== sense.direction) return null;
      // "the longest and the shortest": both ends of one field.
      const pair = c.match(/\S+ and (?:the )?\S+/);
      const other = pair > 0 ? SUPERLATIVES.get(c.norm(pair - 1)) : undefined;
      if (other && other.direction !== sense.direction && other.about === sense.about && limit === null) {
        c.accept(pair, 'superlative');
        for (let more = 3; more > 0 && !peekEntity(c) && readAdjective(c); more--);
        const entity = readEntity(c) ?? null;
        const slot = entity ? null : readField(c);
        if (!entity && !slot) return null;
        c.draft.extremes = true;
        if (slot) c.draft.shown.push({ slot });
        if (sense.direction === 'asc') c.draft.notes.push('minimum first');
        return true;
      }
      c.accept(1, 'superlative');
      // The first rank is the highest one to some, and the lowest number.
      const placing = peekField(c)?.candidates.some(({ fields }) => PLACING.test(fields[0]!.name));
      if (placing && /^(?:highest|lowest)$/.test(word))
        refuse(c.textOf(at, c.at - at), `Say "first" or "last", or whether the ${word} number is meant.`);
      direction = sense.direction;
      about = sense.about;
      counting = ['most', 'least', 'fewest'].includes(word);
    }
    if (!direction) return null;
    const rank: RankDraft = { at, text: '', limit, direction, by: about ? { about } : null };
    if (offset > 0) Object.assign(rank, { offset, limit: 1 });
    c.take(/(?:of )?the|of/, 'article');
    // "the largest amount of tonnage"
    const amount = c.phrase() ? 0 : c.match(/(?:amount|level|value) of(?: the)?/);
    if (amount > 0 && peekField(c, amount)?.candidates.some(({ fields }) => isNumeric(fields[0]!.datatype)))
      c.accept(amount, 'article');
    const finish = (): true | null => {
      // "top 10 customers with the highest sales": one rank, said in two places.
      const open = c.draft.ranks.find((one) => one.by === null && one.limit !== null);
      if (open && rank.by !== null && !rank.of && !offset && rank.limit === 1) {
        if (open.direction !== rank.direction && about !== 'tenure') return null;
        Object.assign(open, {
          by: rank.by,
          direction: rank.direction,
          text: `${open.text} ${c.textOf(at, c.at - at)}`,
        });
        return true;
      }
      rank.text = c.textOf(at, c.at - at);
      const last = c.token(-1);
      if (bare && rank.of && last?.kind === 'word' && last.norm !== last.stem) rank.unnumbered = true;
      c.draft.ranks.push(rank);
      return true;
    };
    const atLimit = () => {
      rank.limit ??= 1;
    };
    if (about === 'count') {
      atLimit();
      const by = commonness(c, rank);
      if (!by) return null;
      rank.by = by;
      return finish();
    }
    if (about) {
      atLimit();
      // "the longest average delay"
      const measured = /^(?:duration|distance|money)$/.test(about) ? attempt(c, () => readMeasure(c)) : null;
      if (measured) {
        if (c.draft.shown.length + c.draft.entities.length === 0) return null;
        rank.by = measured;
        return finish();
      }
      const own = MEASURED.has(about) && c.draft.shown.length + c.draft.entities.length > 0 ? numericSlot(c) : null;
      if (own) {
        rank.by = own;
        return finish();
      }
      const entity = readEntity(c);
      if (entity) rank.of = entity;
      else {
        const slot = peekField(c);
        if (slot && c.draft.shown.length === 0) rank.of = readField(c)!;
      }
      if (about === 'date' && rank.of && isSlot(rank.of)) refuseDateOfLatest(c, at, rank.of);
      return finish();
    }
    // "most albums", "fewest tracks"
    if (counting) {
      c.take(/(?:number of|numbers of)/, 'count');
      const wasMeasure = c.norm(-1) === 'of';
      const entity = peekEntity(c);
      const metric = attempt(c, () => readMeasure(c));
      // "the least amount settled", where a field is called so.
      const longer = !metric && (c.phrase()?.length ?? 0) > 1 && !entity ? numericSlot(c) : null;
      if (metric) rank.by = ownAmount(c, metric) ?? metric;
      else if (longer) rank.by = longer;
      else if (entity) {
        // "most orders", where rows are lines of orders: what the lens calls their number.
        rank.by = readCounted(c)!;
        c.draft.entities.pop();
      } else if (c.take(/(?:money|amount)/, 'money')) rank.by = { at, text: 'money', kind: 'money' };
      else if (wasMeasure) return null;
      else if (c.take(/(?:different|distinct|diverse|unique)/, 'distinct')) {
        const slot = readField(c);
        if (!slot) return null;
        rank.by = { at, text: slot.text, kind: 'aggregate', fn: 'count_distinct', slot };
      } else {
        const slot = numericSlot(c);
        if (slot) rank.by = slot;
        else if (c.draft.verbs.some(({ text }) => /^(?:spen[dt]s?|paid|pays?|earn(?:ed|s)?|costs?)$/.test(text)))
          rank.by = { at, text: 'money', kind: 'money' };
        else return null;
      }
      atLimit();
      return finish();
    }
    const measure = attempt(c, () => {
      if (namedAsThings(c)) return null;
      const read = readMeasure(c);
      return read && (limit === null || c.norm(-1) !== '') ? read : null;
    });
    const one = measure ? singleRow(c, measure, c.textOf(at, c.at - at)) : null;
    if (one) {
      rank.of = one;
      rank.by = { about: 'amount' };
      atLimit();
      return finish();
    }
    const own = measure && limit === null ? ownAmount(c, measure) : null;
    if (own) {
      rank.by = own;
      atLimit();
      return finish();
    }
    // "who have the top 3 number of orders"
    const whose = c.tokens
      .slice(Math.max(0, at - 2), at + 1)
      .some(({ norm }) => /^(?:with|have|has|having|had)$/.test(norm));
    if (measure && limit !== null && measure.kind !== 'metric' && !(whose && c.draft.shown.length > 0)) return null;
    if (measure && offset > 0 && c.draft.shown.length + c.draft.entities.length === 0) return null;
    if (measure) {
      // "top revenue": a ranking of whatever is shown; alone it is no ranking.
      const periods = c.draft.groups.some((group) => 'ranked' in group && group.ranked);
      if (c.draft.shown.length + c.draft.entities.length === 0 && !periods && measure.kind === 'metric') return null;
      rank.by = measure;
      atLimit();
      return finish();
    }
    const entity = readEntity(c);
    if (entity) {
      rank.of = entity;
      if (limit === null) {
        atLimit();
        if (c.norm(-2) !== 'top') rank.by = null;
      }
      const field = c.norm() === "'" || c.norm() === "'s" ? null : null;
      if (field) return null;
      return finish();
    }
    // "the highest paid employee": a verb in front of its noun is no date.
    const dates = peekField(c);
    if (
      dates?.length === 1 &&
      dates.candidates.every(({ fields }) => isTemporal(fields[0]!.datatype)) &&
      peekEntity(c, 1)
    )
      return null;
    const slot = readField(c);
    if (!slot) return null;
    const numeric = slot.candidates.filter(
      (one) => one.fields.length === 1 && (isNumeric(one.fields[0]!.datatype) || isTemporal(one.fields[0]!.datatype)),
    );
    // "the countries with the 3 largest populations"
    const things = c.draft.entities.at(-1)?.dataset;
    const having =
      /^(?:with|have|has|having|had)$/.test(c.tokens[at]?.norm ?? '') &&
      numeric.some(({ dataset }) => dataset === things) &&
      c.tokens.slice(at, slot.at).some(({ norm }) => norm !== 'top' && norm !== 'bottom' && SUPERLATIVES.has(norm));
    if ((limit !== null && !having) || numeric.length === 0) {
      rank.of = slot;
      atLimit();
      return finish();
    }
    slot.candidates = numeric;
    if (c.draft.shown.length > 0 || c.draft.entities.length > 0) {
      rank.by = slot;
      atLimit();
      return finish();
    }
    // "the second highest salary": the salary of the second row.
    if (offset > 0) {
      c.draft.shown.push({ slot });
      rank.by = slot;
      return finish();
    }
    c.draft.shown.push({
      measure: { at, text: c.textOf(at, c.at - at), kind: 'aggregate', fn: direction === 'desc' ? 'max' : 'min', slot },
    });
    return true;
  }) ?? false;

const PLACING = /(?:^|_)(?:rank|ranking|position|place|placing|standing)$/i;

/** What the longest or the heaviest has most of: the field said behind it. */
const MEASURED: ReadonlySet<Compared> = new Set(['duration', 'weight', 'height', 'distance', 'speed', 'money']);

/** "the match with the greatest number of minutes": each match has its own number, which is not added up. */
const ownAmount = (c: Cursor, measure: MeasureDraft): FieldSlot | null => {
  const { kind, fn, slot, at } = measure;
  if (kind !== 'aggregate' || fn !== 'sum' || !slot || !/number/i.test(measure.text)) return null;
  const row = c.draft.entities.filter((entity) => entity.at < at).at(-1)?.dataset;
  return slot.candidates.some(({ dataset }) => dataset === row) ? { ...slot, bound: row } : null;
};

/** "the most populated countries": by their one number that is called so. */
const mostOf = (c: Cursor): Pick<RankDraft, 'direction' | 'by'> | null => {
  if (!/^(?:most|least)$/.test(c.norm()) || !/^\w{5,}ed$/.test(c.norm(1))) return null;
  const entity = peekEntity(c, 2);
  const root = verbRoot(c.norm(1));
  if (!entity || entity.role || root.length < 4) return null;
  const fields = c.vocabulary
    .dataset(entity.dataset)
    .fields.filter(({ name, datatype, masked }) => !masked && isNumeric(datatype) && phraseKey(name).startsWith(root));
  if (fields.length !== 1) return null;
  const direction = c.norm() === 'most' ? 'desc' : 'asc';
  const { at } = c;
  const text = c.accept(2, 'superlative');
  return {
    direction,
    by: { at, text, candidates: [{ dataset: entity.dataset, fields, loose: 0 }], bound: entity.dataset },
  };
};

/** "minimum pay", where a field is called so. */
const beginsField = (c: Cursor): boolean =>
  /^(?:min|max)(?:imum)?$/.test(c.norm()) &&
  (c.phrase()?.length ?? 0) > 1 &&
  c.phrase()!.terms.some((term) => term.kind === 'field' && term.loose === 0);

/** "the room with the maximum occupancy", where a field is called so: the room in which it is highest. */
const fieldOfExtreme = (c: Cursor, at: number): RankDraft | null => {
  const phrase = c.phrase();
  if (!phrase || !beginsField(c) || !/^(?:with|has|have|having|had)$/.test(c.tokens[at]?.norm ?? '') || c.at < at + 2)
    return null;
  if (!/^(?:|[.?,;]|and|in|for|of|among)$/.test(c.norm(phrase.length)) || c.clause.negated) return null;
  const shown = new Set(c.draft.shown.flatMap((one) => one.slot?.candidates.map(({ dataset }) => dataset) ?? []));
  const things = c.draft.entities.at(-1)?.dataset ?? (shown.size === 1 ? [...shown][0] : undefined);
  const direction = c.norm().startsWith('min') ? 'asc' : 'desc';
  const slot = attempt(c, () => numericSlot(c));
  if (!slot) return null;
  const own = slot.candidates.filter(({ dataset, loose }) => dataset === things && loose === 0);
  if (own.length !== 1) return null;
  return { at, text: c.textOf(at, c.at - at), limit: 1, direction, by: { ...slot, candidates: own, bound: things } };
};

const graded = (c: Cursor, offset: number): boolean =>
  (/^(?:most|least)$/.test(c.norm(offset)) && /^\w{5,}ed$/.test(c.norm(offset + 1))) ||
  GRADED.some(([pattern]) => c.match(pattern, offset) > 0) ||
  SUPERLATIVES.has(c.norm(offset));

const numericSlot = (c: Cursor): FieldSlot | null =>
  attempt(c, () => {
    const slot = readField(c);
    if (!slot) return null;
    slot.candidates = slot.candidates.filter((one) => one.fields.length === 1 && isNumeric(one.fields[0]!.datatype));
    return slot.candidates.length > 0 ? slot : null;
  });

/** "by profit", "in terms of revenue", "based on the number of orders" behind a rank or an order. */
export const readBy = (c: Cursor): MeasureDraft | FieldSlot | EntityMention | null => {
  c.take(/(?:the )?(?:their|its|his|her|our)/, 'pronoun');
  c.take(/the/, 'article');
  const again = measureAgain(c);
  if (again) {
    c.accept(1, 'measure');
    return again;
  }
  return readMeasure(c) ?? theirField(c) ?? readField(c) ?? readEntity(c);
};

/** "by the employee's salary" */
const theirField = (c: Cursor): FieldSlot | null => {
  const owner = peekEntity(c);
  if (!owner || !/^(?:'s|')$/.test(c.norm(owner.length))) return null;
  if (!peekField(c, owner.length + 1)?.candidates.some(({ dataset }) => dataset === owner.dataset)) return null;
  c.accept(owner.length + 1, 'possessive');
  return { ...readField(c)!, bound: owner.dataset, boundRole: owner.role };
};
