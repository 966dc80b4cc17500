// Means over groups: "average revenue per customer", "average monthly revenue", "orders per day on average". Each group's
// total comes first, then their mean; groups without rows have no total, which the reading says.

import { isNumeric } from '../words/datatypes.ts';
import { unitOf } from '../words/time-expressions.ts';
import type { Cursor } from './cursor.ts';
import type { Draft, MeasureDraft } from './draft.ts';
import { readCounted } from './read-count.ts';
import { readMeasure } from './read-measures.ts';
import { attempt, candidatesOf, peekEntity, peekField, readEntity } from './read-things.ts';
import { refuse } from './resolve.ts';
import { type Rule, show } from './rule.ts';
import { ADVERBS } from './rules-group.ts';

const counts = (measure: MeasureDraft): boolean =>
  measure.kind === 'count' ||
  Boolean(measure.metrics?.every((metric) => metric.references.aggregates.every((name) => /^count/i.test(name))));
const adds = (measure: MeasureDraft): boolean =>
  counts(measure) ||
  Boolean(
    measure.metrics?.every(
      ({ references, expression }) =>
        references.aggregates.length > 0 &&
        references.aggregates.every((name) => name === 'sum') &&
        !expression.includes('/'),
    ),
  );

export const average: Rule = (c, state) =>
  attempt(c, () => {
    const { at } = c;
    if (c.phrase()?.terms.some((term) => term.kind === 'metric' || term.kind === 'definition')) return null;
    const length = c.match(/(?:the )?(?:average|avg|mean)/);
    if (length === 0) return null;
    c.accept(length, 'computation', 'mean');
    const adverb = Object.hasOwn(ADVERBS, c.norm()) ? ADVERBS[c.norm()]! : null;
    if (adverb) {
      if (c.values(0).length > 0) return null;
      c.accept(1, 'grain', adverb);
    }
    const row = peekField(c)?.candidates.some((one) => one.loose < 2 && isNumeric(one.fields[0]!.datatype));
    const measure = readMeasure(c) ?? readCounted(c);
    if (!measure || measure.kind === 'money' || !adds(measure)) return null;
    const text = c.textOf(at, c.at - at);
    const over = adverb ? { grain: adverb, at, text: adverb } : readUnit(c, measure);
    if (!over) return null;
    // "average sales per customer": of the customers' totals, or of each customer's sales?
    if (row && !adverb)
      refuse(text, `Say whether the mean of the totals or the mean of single rows is meant by "${text}".`);
    if (over === 'row') measure.eachRow = true;
    else {
      c.draft.groups.push(over);
      c.draft.meanOver = over;
    }
    measure.text = text;
    show(c, state, { measure });
    return true;
  }) ?? false;

/** What each of the averaged totals is of; 'row': a row of what is measured. */
const readUnit = (c: Cursor, measure: MeasureDraft): Draft['groups'][number] | 'row' | null => {
  const per = c.match(/per(?: (?:single|individual))?/);
  const connector = per || (counts(measure) ? c.match(/(?:for|in|on|of|from|at|to|with)? ?(?:each|every)/) : 0);
  if (connector === 0) return null;
  const { at } = c;
  const unit = unitOf(c.token(connector)?.stem);
  if (unit) {
    c.accept(connector + 1, 'grain', unit);
    return { grain: unit, at, text: unit };
  }
  const phrase = c.phrase(connector);
  if (!phrase) return null;
  const entity = peekEntity(c, connector);
  const home = measure.kind === 'count' ? measure.dataset : measure.metrics?.[0]?.home;
  if (entity && entity.dataset === home) return counts(measure) ? null : 'row';
  const identified = phrase.terms.some((term) => term.kind === 'field' && term.identity);
  if (entity) {
    c.accept(connector, 'by');
    return readEntity(c, 'group');
  }
  // "average revenue per region" may be the mean of the regions or a mean for each.
  if (!identified && !counts(measure)) return null;
  const candidates = candidatesOf(phrase.terms, true).filter((one) => one.fields.length === 1);
  if (candidates.length === 0) return null;
  c.accept(connector, 'by');
  return { at: c.at, text: c.accept(phrase.length, 'group'), candidates };
};

/** "orders per customer on average" */
export const onAverage: Rule = (c) => {
  const { at } = c;
  if (!c.take(/on average/, 'computation')) return false;
  c.draft.onAverage = at;
  return true;
};

/** Which of the groups is averaged over; it groups no longer. */
export const takeMeanGroup = (c: Cursor, measures: MeasureDraft[]): Draft['groups'][number] | null => {
  const { draft } = c;
  if (draft.onAverage !== undefined) {
    const per = draft.groups.filter((group) => group.per);
    if (draft.meanOver || per.length !== 1 || !measures.every(adds)) refuse('on average');
    draft.meanOver = per[0]!;
  }
  const { meanOver } = draft;
  if (!meanOver) return null;
  const [only] = measures;
  if (measures.length !== 1 || !only || only.window || only.growth || only.combined || draft.havings.length > 0)
    refuse(meanOver.text, 'Ask for one average at a time.');
  draft.groups = draft.groups.filter((group) => group !== meanOver);
  if (draft.groups.some((group) => group.per))
    refuse(meanOver.text, 'Say of what the average is, and by what it is grouped.');
  return meanOver;
};
