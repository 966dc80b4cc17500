// Measures: a metric, "number of tracks", "average unit price", "total amount of invoices".
import type { LensMetric } from '../../lens/lens.ts';
import { phraseKey, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldSlot, MeasureDraft } from './draft.ts';
import { readFlagNoun } from './flag-nouns.ts';
import {
  attempt,
  candidatesOf,
  hasSenses,
  isKey,
  isNumeric,
  isTemporal,
  peekEntity,
  peekField,
  readEntity,
  readField,
} from './read-things.ts';
import { refuseCodeSum } from './refuse-code-sum.ts';

const ARTICLES = /(?:the|a|an|all|of|our|total|different|distinct|unique|individual|corresponding|respective)/;
const AGGREGATES: [RegExp, MeasureDraft['fn']][] = [
  [/(?:the )?(?:total|sum|overall|combined|summed|aggregate)/, 'sum'],
  [/(?:the )?(?:average|avg|mean)/, 'avg'],
  [/(?:the )?median/, 'median'],
  [/(?:the )?(?:maximum|max)/, 'max'],
  [/(?:the )?(?:minimum|min)/, 'min'],
];
/** Of dates only: "the last order date". */
const ENDS: typeof AGGREGATES = [
  [/(?:the )?last/, 'max'],
  [/(?:the )?first/, 'min'],
];
/** "total amount of sales": no noun of its own, unless a field is called so: then "total amount" is the sum of that. */
const lightNoun = (c: Cursor, added: boolean): number => {
  const length = c.match(/(?:amount|sum|values?)/);
  const own = length > 0 && peekField(c)?.candidates.some((one) => one.loose < 2);
  const named = c.norm(1) === 'of' && (c.phrase(2) !== null || c.match(/(?:the|all|our|money)/, 2) > 0);
  // "the average amount of payments", which have a field of that name
  const things = !added && named ? peekEntity(c, 2 + c.match(/(?:all|the|our)(?: (?:the|our))?/, 2)) : null;
  const theirs = things && peekField(c)?.candidates.some((one) => one.dataset === things.dataset && one.loose < 2);
  return (own && !named) || theirs ? 0 : length;
};
const COUNT =
  /(?:how many|(?:the )?(?:total )?(?:number|count)(?: of)?|(?:no|nr)(?: \.)? of|count(?: of)?|(?:the )?total(?: of)?)/;
const STRICT_COUNT =
  /(?:how many|(?:the )?(?:total |overall )?(?:number|count) of|(?:please )?count (?:up )?(?:the )?(?:number of )?)/;

/** Numbers that grade or place a thing are not of many. */
export const GRADED =
  /(?:grade|level|year|age|rating|star|score|rank|class|mark|price|cost|rate|percent|temperature|number|code|line)s?$/;

/** A metric at the head. `forCount`: only one that counts. */
const peekMetric = (c: Cursor, offset = 0, counting = false) => {
  const phrase = c.phrase(offset);
  if (phrase?.terms.some(hasSenses)) return null;
  const metrics = phrase?.terms.flatMap((term) => (term.kind === 'metric' ? [term.metric] : [])) ?? [];
  const fit = counting ? metrics.filter((metric) => counts(c, metric)) : metrics;
  return phrase && fit.length > 0 ? { length: phrase.length, metrics: fit } : null;
};

/** "how many units": whole numbers of something, added up, count it as well as counting rows does. */
const counts = (c: Cursor, { references: { aggregates, fields }, unit }: LensMetric): boolean => {
  if (aggregates.some((name) => /count/i.test(name))) return true;
  const typeOf = (path: { dataset: string; field: string }) =>
    c.vocabulary.lens.datasets.find(({ name }) => name === path.dataset)?.fields.find(({ name }) => name === path.field)
      ?.datatype;
  return (
    unit === null &&
    fields.length === 1 &&
    typeOf(fields[0]!) === 'integer' &&
    aggregates.length > 0 &&
    aggregates.every((name) => /^sum$/i.test(name))
  );
};

const readCount = (c: Cursor): MeasureDraft | null =>
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
    // "how many managers": who plays a part is not everybody who could.
    if (entity?.role && !isTitle(c, entity.dataset, entity.role)) return null;
    const amount = entity && !distinct ? namedAmount(c, entity.dataset) : null;
    if (amount) return made(amount);
    // "how many different cities" are those of a field of that name; "different classes" are no class that pupils are in.
    if (entity && !(distinct && peekField(c)?.candidates.some(({ loose }) => loose === 0))) {
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
        if ([slot.text.toLowerCase(), ...amounts!.map((one) => one.fields[0]!.name)].some((name) => GRADED.test(name)))
          return null;
        if (amounts!.length < slot.candidates.length) return null;
        refuseCodeSum(c, slot);
        return made({ kind: 'aggregate', fn: 'sum', slot });
      }
      if (slot) return made({ kind: 'aggregate', fn: 'count_distinct', slot });
    }
    return null;
  });

/** "how many degrees", where a row of degrees says how many degrees there were: they are added up. */
export const namedAmount = (c: Cursor, dataset: string): Pick<MeasureDraft, 'kind' | 'fn' | 'slot'> | null => {
  const phrase = c.phrase();
  const fields = (phrase?.terms ?? []).flatMap((term) =>
    term.kind === 'field' &&
    term.dataset === dataset &&
    term.loose === 0 &&
    isNumeric(term.field.datatype) &&
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

/** The dataset that a filter of a definition looks at. */
const filterHome = (c: Cursor, filter: string): string | null => {
  const named = [
    ...new Set(
      [...filter.replace(/'[^']*'/g, '').matchAll(/([a-z_]\w*)\./gi)].map(
        (match) => c.vocabulary.graph.datasetOf(match[1]!) ?? '',
      ),
    ),
  ];
  return named.length === 1 && named[0] ? named[0] : null;
};

/** "total quantity", "average unit price", "the sum of sales". */
const readAggregate = (c: Cursor): MeasureDraft | null =>
  attempt(c, () => {
    const { at } = c;
    for (const [pattern, fn] of [...AGGREGATES, ...ENDS]) {
      const length = c.match(pattern);
      if (length === 0) continue;
      const ended = pattern === ENDS[0]![0] || pattern === ENDS[1]![0];
      const dates = peekField(c, length)?.candidates ?? [];
      if (ended && !(dates.length > 0 && dates.every(({ fields }) => isTemporal(fields[0]!.datatype)))) continue;
      // "jobs with a minimum salary above 9000", where jobs have a field of that name
      const whole = c.phrase();
      const without = peekField(c, length)?.candidates.some(({ loose }) => loose < 2);
      const own = whole?.terms.some(
        (term) =>
          term.kind === 'field' &&
          term.loose === 0 &&
          isNumeric(term.field.datatype) &&
          (!without || names(c, term.dataset)),
      );
      if (own && whole!.length > length && !whole!.terms.some(({ kind }) => kind === 'metric')) return null;
      c.accept(length, 'aggregate', fn);
      const light = lightNoun(c, fn === 'sum');
      const said = light > 0 ? c.accept(light, 'aggregate') : '';
      c.take(/of/, 'link');
      // "the maximum and minimum durations": the noun follows the second word.
      const more = [fn];
      for (;;) {
        const joiner = c.match(/(?:, and|,|and)/);
        const joined = joiner > 0 ? AGGREGATES.find(([next]) => c.match(next, joiner) > 0) : undefined;
        if (!joined || more.includes(joined[1])) break;
        c.accept(joiner + c.match(joined[0], joiner), 'aggregate', joined[1]);
        more.push(joined[1]);
      }
      if (more.length > 1 && lightNoun(c, false) > 0) c.accept(lightNoun(c, false), 'aggregate');
      c.take(/(?:the |all |of |our )*(?:the|all|of|our)/, 'article');
      const metric = peekMetric(c);
      const field = peekField(c);
      const numeric = field?.candidates.filter(
        (candidate) =>
          candidate.fields.length === 1 &&
          !(more.some((one) => /sum|avg|median/.test(one!)) && isKey(c, candidate.dataset, candidate.fields[0]!)) &&
          (isNumeric(candidate.fields[0]!.datatype) ||
            (isTemporal(candidate.fields[0]!.datatype) && more.every((one) => one === 'min' || one === 'max'))),
      );
      const fitting = metric?.metrics.filter((one) => fits(one.references.aggregates, fn));
      if (metric && fitting!.length > 0 && more.length === 1) {
        c.accept(metric.length, 'metric', fitting![0]!.name);
        return { at, text: c.textOf(at, c.at - at), kind: 'metric', metrics: fitting };
      }
      // "the total amount of loans" is that of the loans, where customers have a number of loans too.
      const thing = peekEntity(c);
      const loosely = thing?.length === field?.length && field?.candidates.every(({ loose }) => loose === 2);
      if (field && numeric!.length > 0 && !(thing && loosely)) {
        const read = readField(c)!;
        const { text } = read;
        const slot: FieldSlot = {
          ...read,
          at,
          candidates: numeric!.filter((one) => read.candidates.some((kept) => kept.fields[0] === one.fields[0])),
        };
        for (const earlier of more.slice(0, -1))
          c.draft.shown.push({ measure: { at, text, kind: 'aggregate', fn: earlier, slot } });
        return { at, text: c.textOf(at, c.at - at), kind: 'aggregate', fn: more.at(-1), slot };
      }
      const worth = fn === 'sum' ? c.match(/(?:(?:of )?money|spending|spend|spent)/) : 0;
      if (worth > 0) {
        c.accept(worth, 'money');
        return { at, text: c.textOf(at, c.at - at), kind: 'money' };
      }
      const entity = fn === 'sum' && (/amount|sum/i.test(said) || c.norm(-2) === 'sum') ? thing : null;
      if (entity) {
        const fields = amountFields(c, entity.dataset);
        if (fields.length !== 1) return null;
        const mention = readEntity(c)!;
        return {
          at,
          text: c.textOf(at, c.at - at),
          kind: 'aggregate',
          fn,
          slot: {
            at,
            text: mention.text,
            bound: entity.dataset,
            candidates: [{ dataset: entity.dataset, fields, loose: 0 }],
          },
        };
      }
      return null;
    }
    return null;
  });
/** The one field that is the amount of a row. */
const amountFields = (c: Cursor, dataset: string) =>
  c.vocabulary
    .dataset(dataset)
    .fields.filter(
      (field) =>
        isNumeric(field.datatype) &&
        !field.masked &&
        words(field.name).some((word) => ['total', 'amount'].includes(word)),
    );
const fits = (aggregates: string[], fn: MeasureDraft['fn']): boolean => {
  const used = aggregates.map((name) => name.toLowerCase());
  if (fn === 'sum') return used.length > 0 && used.every((name) => name === 'sum' || name === 'count');
  return used.length > 0 && used.every((name) => name === fn);
};

export const readMeasure = (c: Cursor): MeasureDraft | null => {
  const metric = peekMetric(c);
  const { at } = c;
  if (metric && !peekMetricIsRow(c, metric.length) && !ofEachRow(c, metric)) {
    const text = c.accept(metric.length, 'metric', metric.metrics.length === 1 ? metric.metrics[0]!.name : undefined);
    return { at, text, kind: 'metric', metrics: metric.metrics };
  }
  return (
    readCount(c) ??
    readAggregate(c) ??
    attempt(c, () => {
      if (c.take(/how much (?:money )?(?:did|has|have|do|does)/, 'measure'))
        return { at, text: 'spent', kind: 'money' as const };
      if (!c.take(/how much/, 'measure')) return null;
      const next = peekMetric(c);
      if (!next) return null;
      c.accept(next.length, 'metric', next.metrics[0]!.name);
      return { at, text: c.textOf(at, c.at - at), kind: 'metric' as const, metrics: next.metrics };
    })
  );
};
/** "the employee with the highest salary", where the governed measure is the total salary and salary is a field: of each
 *  employee, since employees are named. */
const ofEachRow = (c: Cursor, { length, metrics }: { length: number; metrics: LensMetric[] }): boolean => {
  const key = c.tokens
    .slice(c.at, c.at + length)
    .map((token) => token.stem)
    .join(' ');
  // "the format and size of all files", where the size of all files is their total: a row for each file, or one number?
  if (/ of all /.test(key) && c.draft.shown.at(-1)?.slot && c.norm(-1) === 'and') return true;
  if (metrics.some((one) => [one.name, ...one.synonyms].some((name) => phraseKey(name) === key))) return false;
  return (c.phrase()?.terms ?? []).some(
    (term) =>
      term.kind === 'field' &&
      term.loose === 0 &&
      metrics.some(({ home }) => home === term.dataset) &&
      (names(c, term.dataset) || listedFor(c, term.dataset)),
  );
};
/** "the file size and format for all songs", each of which has one file: of each song. */
const listedFor = (c: Cursor, dataset: string): boolean =>
  !c.tokens.some(({ norm }) => /^(?:by|per|each|every)$/.test(norm)) &&
  c.draft.shown.every(({ measure }) => !measure) &&
  c.tokens.some((token, at) => {
    const things = /^(?:of|for)$/.test(token.norm) ? c.match(/(?:of|for)(?: (?:all|the|those|these))*/, at - c.at) : 0;
    const found = things > 0 ? peekEntity(c, at - c.at + things) : null;
    return found !== null && !found.role && c.vocabulary.graph.paths(found.dataset, dataset).length === 1;
  });
/** A thing of that dataset stands anywhere in the question, other than counted. */
const names = (c: Cursor, dataset: string): boolean =>
  c.tokens.some((_token, at) => {
    const found = peekEntity(c, at - c.at);
    return (
      found?.dataset === dataset &&
      !/^(?:many|number)$/.test(c.tokens[at - 1]?.norm ?? '') &&
      c.tokens[at - 2]?.norm !== 'number'
    );
  });

/** "orders" may be a dataset and a metric: behind a counting word it is the metric, else the dataset. */
const peekMetricIsRow = (c: Cursor, length: number): boolean => {
  const phrase = c.phrase();
  const counts = phrase?.terms.some(
    (term) => term.kind === 'metric' && term.metric.references.aggregates.every((name) => /count/i.test(name)),
  );
  return Boolean(counts && phrase?.terms.some((term) => term.kind === 'dataset') && length > 0);
};
