// What is counted: rows, things apart, or what a counting metric counts.
import type { LensMetric } from '../../lens/model/lens.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { MeasureDraft } from './draft.ts';
import { readFlagNoun } from './flag-nouns.ts';
import { ARTICLES, filterHome, GRADED, peekMetric } from './metric-ahead.ts';
import { attempt, candidatesOf, isKey, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import { refuseCodeSum } from './refuse-code-sum.ts';
import { refuse } from './resolve.ts';

const COUNT =
  /(?:how many|(?:the )?(?:total )?(?:number|count)(?: of)?|(?:no|nr)(?: \.)? of|count(?: of)?|(?:the )?total(?: of)?)/;

const STRICT_COUNT =
  /(?:how many|(?:the )?(?:total |overall )?(?:number|count) of|(?:please )?count (?:up )?(?:the )?(?:number of )?)/;

/** What is asked for with how much: "how many fees" counts fees, and adds none up. */
const MONEY =
  /(?:fee|price|cost|salary|salaries|wage|payment|amount|balance|budget|bill|charge|revenue|income|profit|debt)s?$/;
export const readCount = (c: Cursor): MeasureDraft | null =>
  attempt(c, () => {
    const { at } = c;
    // "total count" where a field is called count.
    const called = c.match(/(?:the )?total/);
    if (called > 0 && peekField(c, called)?.candidates.some((one) => one.loose === 0)) return null;
    // "number of products" may be the name of a field.
    const whole = c.phrase();
    if (
      whole &&
      whole.length > 2 &&
      whole.terms.some((term) => term.kind === 'field') &&
      !whole.terms.some((term) => term.kind === 'metric')
    )
      return null;
    const opens = c.at === 0 || /^(?:[.?!]|please)$/.test(c.norm(-1));
    const strict =
      c.match(STRICT_COUNT) || (opens ? c.match(/count(?: up)?(?= (?:the|all|our|different|distinct|unique) )/) : 0);
    const length = strict || c.match(COUNT);
    if (length === 0) return null;
    c.accept(length, 'count');
    let distinct = false;
    for (let more = c.match(ARTICLES); more > 0; more = c.match(ARTICLES)) {
      distinct ||= /\b(different|distinct|unique)\b/.test(
        c.tokens
          .slice(c.at, c.at + more)
          .map((t) => t.norm)
          .join(' '),
      );
      c.accept(more, distinct ? 'distinct' : 'article');
    }
    const premodified = c.at;
    const metric = peekMetric(c, 0, true);
    const made = (draft: Omit<MeasureDraft, 'at' | 'text'>): MeasureDraft => ({
      at,
      text: c.textOf(at, c.at - at),
      ...draft,
    });
    if (metric && !(distinct && !metric.metrics.some((one) => /distinct/i.test(one.expression)))) {
      c.accept(metric.length, 'metric', metric.metrics[0]!.name);
      return made({ kind: 'metric', metrics: metric.metrics });
    }
    const entity = peekEntity(c);
    // "total tracks" counts; "total invoice" may be its amount.
    const plural = entity && c.token(entity.length - 1)!.norm !== c.token(entity.length - 1)!.stem;
    // "how many flights" is the metric that is called the number of flights.
    const counted = entity && !entity.role ? countMetric(c, entity.length) : [];
    if (entity && counted.length > 0) {
      const mention = readEntity(c, 'metric')!;
      mention.at = premodified;
      return made({ kind: 'metric', metrics: counted });
    }
    if (entity && !strict && !plural) return null;
    // "total payments": how many, or how much?
    if (
      entity &&
      !strict &&
      /total/.test(c.textOf(at, length).toLowerCase()) &&
      MONEY.test(c.textOf(c.at, entity.length))
    )
      return refuse(c.textOf(at, c.at - at + entity.length), 'Say "the number of" or "the total amount of" them.');
    // "how many managers": who plays a part is not everybody who could.
    if (entity?.role && !isTitle(c, entity.dataset, entity.role)) return null;
    const amount = entity && !distinct ? namedAmount(c, entity.dataset) : null;
    if (amount) return made(amount);
    // "how many different cities" are those of a field of that name; "different classes" are no class that pupils are in.
    if (entity && !(distinct && peekField(c)?.candidates.some(({ loose }) => loose === 0))) {
      countedElsewhere(c, entity.dataset);
      const mention = readEntity(c)!;
      mention.at = premodified;
      return made({ kind: 'count', dataset: entity.dataset });
    }
    const phrase = c.phrase();
    const governed = phrase?.terms.find((term) => term.kind === 'definition');
    if (phrase && governed?.kind === 'definition' && governed.definition.filter) {
      const dataset = filterHome(c, governed.definition.filter);
      if (dataset) {
        const here = c.at;
        const text = c.accept(phrase.length, 'definition', governed.definition.term);
        c.draft.definitions.push({
          definition: governed.definition,
          at: here,
          text,
          negated: c.clause.negated,
          clause: c.clause,
        });
        const noun = peekEntity(c);
        if (noun) {
          readEntity(c);
          return made({ kind: 'count', dataset: noun.dataset });
        }
        return made({ kind: 'count', dataset });
      }
    }
    if (c.match(/(?:records?|rows?|entries)/) && strict) {
      c.accept(1, 'rows');
      c.take(/(?:of|in|for) (?:the |all )*/, 'link');
      const of = readEntity(c);
      if (of) return made({ kind: 'count', dataset: of.dataset });
      return c.vocabulary.lens.datasets.length === 1
        ? made({ kind: 'count', dataset: c.vocabulary.lens.datasets[0]!.name })
        : null;
    }
    const dated = strict && !distinct ? thingBeforeVerb(c) : null;
    if (dated) return made(dated);
    const flagged = strict && !distinct ? readFlagNoun(c) : null;
    if (flagged) return made({ kind: 'count', dataset: flagged.dataset });
    if (strict) {
      const counted = candidatesOf(c.phrase()?.terms ?? [], true);
      const slot = readField(c);
      if (slot && counted.length > 0) slot.candidates = counted;
      if (slot?.candidates.every((one) => one.loose === 2)) return null;
      if (slot?.candidates.some(({ fields }) => fields[0]!.datatype === 'boolean')) return null;
      // "how many pages" adds pages up; how many different numbers of pages there are is another question.
      const amounts = slot?.candidates.filter(
        (one) =>
          one.fields.length === 1 && isNumeric(one.fields[0]!.datatype) && !isKey(c, one.dataset, one.fields[0]!),
      );
      if (slot && !distinct && amounts!.length > 0) {
        if (
          [slot.text.toLowerCase(), ...amounts!.map((one) => one.fields[0]!.name)].some(
            (name) => GRADED.test(name) || MONEY.test(name),
          )
        )
          return null;
        if (amounts!.length < slot.candidates.length) return null;
        refuseCodeSum(c, slot);
        return made({ kind: 'aggregate', fn: 'sum', slot });
      }
      if (slot) return made({ kind: 'aggregate', fn: 'count_distinct', slot });
    }
    return null;
  });

/** "how many students are in the colleges", where a college says how many students it has: those, or the rows? */
const countedElsewhere = (c: Cursor, dataset: string): void => {
  const phrase = c.phrase();
  if (!phrase) return;
  const others = phrase.terms.flatMap((term) =>
    term.kind === 'field' && term.loose === 0 && term.dataset !== dataset && isNumeric(term.field.datatype)
      ? [term.dataset]
      : [],
  );
  for (let at = phrase.length; others.length > 0 && c.token(at); at++)
    if (
      !/^(?:each|every|per|by)$/.test(c.norm(at - 1)) &&
      c.phrase(at)?.terms.some((term) => term.kind === 'dataset' && others.includes(term.dataset))
    )
      return void c.draft.faults.push(c.textOf(c.at, phrase.length));
};

/** "how many degrees", where a row of degrees says how many degrees there were: they are added up. */
export const namedAmount = (c: Cursor, dataset: string): Pick<MeasureDraft, 'kind' | 'fn' | 'slot'> | null => {
  const phrase = c.phrase();
  const fields = (phrase?.terms ?? []).flatMap((term) =>
    term.kind === 'field' &&
    term.dataset === dataset &&
    term.loose === 0 &&
    isNumeric(term.field.datatype) &&
    !MONEY.test(term.field.name) &&
    // A reading is a value; births are a number.
    /s$/.test(term.field.name) &&
    !isKey(c, dataset, term.field)
      ? [term.field]
      : [],
  );
  if (!phrase || fields.length !== 1) return null;
  const { at } = c;
  const text = c.accept(phrase.length, 'field', `${dataset}.${fields[0]!.name}`);
  c.draft.entities.push({ at, text, dataset, clause: c.clause });
  return {
    kind: 'aggregate',
    fn: 'sum',
    slot: { at, text, bound: dataset, candidates: [{ dataset, fields, loose: 0 }] },
  };
};

/** "how many sales sold in 2022", where "sales sold" is a name of a date: the sales are counted, not the days. */
const thingBeforeVerb = (c: Cursor): Omit<MeasureDraft, 'at' | 'text'> | null => {
  const phrase = c.phrase();
  const days = phrase?.terms.every((term) => term.kind === 'field' && isTemporal(term.field.datatype));
  if (!phrase || !days || phrase.length < 2) return null;
  const name = c.tokens.slice(c.at, c.at + phrase.length).map((token) => token.stem);
  for (let length = phrase.length - 1; length > 0; length--) {
    const terms = c.vocabulary.phrases.get(name.slice(0, length).join(' ')) ?? [];
    const datasets = [...new Set(terms.flatMap((term) => (term.kind === 'dataset' ? [term.dataset] : [])))];
    if (datasets.length !== 1) continue;
    const metrics = countMetric(c, length);
    c.draft.entities.push({ at: c.at, text: c.accept(length, 'count'), dataset: datasets[0]!, clause: c.clause });
    return metrics.length > 0 ? { kind: 'metric', metrics } : { kind: 'count', dataset: datasets[0]! };
  }
  return null;
};

export const isTitle = (c: Cursor, dataset: string, role: string): boolean => {
  const { name, synonyms } = c.vocabulary.dataset(dataset);
  return [name, ...synonyms].some((title) => phraseKey(title) === phraseKey(role));
};

/** The metrics called the number of the things at the head. */
export const countMetric = (c: Cursor, length: number, from = c.at): LensMetric[] => {
  const name = c.tokens
    .slice(from, from + length)
    .map((token) => token.stem)
    .join(' ');
  const terms = [...(c.vocabulary.phrases.get(`number of ${name}`) ?? []), ...(c.vocabulary.phrases.get(name) ?? [])];
  const counts = terms.flatMap((term) =>
    term.kind === 'metric' && term.metric.references.aggregates.some((fn) => /count/i.test(fn)) ? [term.metric] : [],
  );
  return [...new Set(counts)];
};

/** A metric that counts, named as the things it counts: "customers" for the number of distinct customer ids. */
export const countsPlainly = (c: Cursor): boolean => {
  const phrase = c.phrase();
  const metric = phrase?.terms.find((term) => term.kind === 'metric');
  if (!phrase || metric?.kind !== 'metric') return false;
  const { aggregates } = metric.metric.references;
  if (aggregates.length === 0 || !aggregates.every((name) => /count/i.test(name))) return false;
  const said = c.textOf(c.at, phrase.length).toLowerCase();
  return !/number|count|total|rate|share|ratio|percent|how many/.test(said);
};

/** The same word names a field too, so that it can stand for the things themselves. */
export const namedAsThings = (c: Cursor): boolean => countsPlainly(c) && peekField(c) !== null;

/** "share of visits", "average visits per patient": of their number. */
export const readCounted = (c: Cursor): MeasureDraft | null => {
  const entity = peekEntity(c);
  if (!entity) return null;
  const { at } = c;
  const metrics = countMetric(c, entity.length);
  const amount = metrics.length === 0 && !entity.role ? namedAmount(c, entity.dataset) : null;
  if (amount) return { at, text: c.textOf(at, c.at - at), ...amount };
  const { text, dataset } = readEntity(c)!;
  return metrics.length > 0 ? { at, text, kind: 'metric', metrics } : { at, text, kind: 'count', dataset };
};
