// Measures: a metric, "average unit price", "total amount of invoices".
import type { LensMetric } from '../../lens/model/lens.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { phraseKey, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldSlot, MeasureDraft } from './draft.ts';
import { peekMetric } from './metric-ahead.ts';
import { readCount } from './read-count.ts';
import { attempt, isKey, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import { refuse } from './resolve.ts';

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
      const called = (whole?.terms ?? []).filter(
        (term) => term.kind === 'field' && term.loose === 0 && isNumeric(term.field.datatype),
      );
      const own = called.some((term) => term.kind === 'field' && (!without || names(c, term.dataset)));
      // "max points": those that an exam has, or the highest that somebody got?
      if (called.length > 0 && !own && whole!.length > length)
        refuse(
          c.textOf(at, whole!.length),
          `"${c.textOf(at, whole!.length)}" is a field, and can also be computed of another. Say which rows it is of, or say "the highest", "the lowest", "the sum of …".`,
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
export const names = (c: Cursor, dataset: string): boolean =>
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
