// Computations over the grouped result, and units said behind a measure.

import { isNumeric } from '../words/datatypes.ts';
import { readCounted } from './read-count.ts';
import { readMeasure } from './read-measures.ts';
import { attempt, peekField } from './read-things.ts';
import { readAdjective } from './read-value-condition.ts';
import type { Rule } from './rule.ts';
import { show } from './rule.ts';
import { time } from './rules-time.ts';

const SHARE =
  /(?:(?:what|which) )?(?:is the |was the |the )?(?:share|percentage|percent|%|proportion|fraction)(?: (?:share|contribution))? of(?: (?:the|all|our))*(?: (?:total|overall))?/;
const RUNNING = /(?:the )?(?:running|cumulative)(?: (?:total|sum))?(?: of)?/;
/** "share of revenue by region", "running total of sales by month". */
export const computed: Rule = (c, state) =>
  attempt(c, () => {
    const { at } = c;
    const forms = [
      [SHARE, 'share_of_total'],
      [RUNNING, 'running_total'],
    ] as const;
    const form = forms.find(([pattern]) => c.match(pattern) > 0);
    if (!form || c.phrase()?.terms.some((term) => term.kind === 'metric')) return null;
    const said = c.accept(c.match(form[0]), 'computation', form[1]).toLowerCase();
    const sharing = form[1] === 'share_of_total';
    // "what percentage of 2016 furniture sales": of these only.
    if (sharing)
      for (let more = 3; more > 0 && !c.phraseIsName(0); more--) if (!(time(c, state) || readAdjective(c))) break;
    const measure = readMeasure(c) ?? (sharing ? readCounted(c) : null);
    if (!measure) return null;
    measure.window = form[1];
    measure.end = c.at;
    measure.percent = form[1] === 'share_of_total' && /percent|%/.test(said);
    measure.text = c.textOf(at, c.at - at);
    show(c, state, { measure });
    return true;
  }) ?? false;

/** "ratio of profit to revenue", "revenue minus profit", "difference between revenue and profit". */
export const combined: Rule = (c, state) =>
  attempt(c, () => {
    const { at } = c;
    const last = c.draft.shown.at(-1);
    const infix = c.match(/(?:divided by|over|minus|less)/);
    if (last?.measure && !last.measure.combined && infix > 0) {
      const fn = /minus|less/.test(c.norm()) ? 'difference' : 'ratio';
      c.accept(infix, 'computation', fn);
      const other = readMeasure(c);
      if (!other) return null;
      last.measure.combined = { fn, with: other };
      return true;
    }
    const ratio = c.match(/(?:the )?ratio of(?: the)?/);
    const difference = c.match(/(?:the )?difference between(?: the)?/);
    if (ratio + difference === 0) return null;
    const fn = ratio > 0 ? 'ratio' : 'difference';
    c.accept(ratio || difference, 'computation', fn);
    const left = readMeasure(c);
    if (!left || !c.take(ratio > 0 ? /(?:to|and|over)(?: the)?/ : /and(?: the)?/, 'conjunction')) return null;
    const right = readMeasure(c);
    if (!right) return null;
    left.combined = { fn, with: right };
    left.text = c.textOf(at, c.at - at);
    show(c, state, { measure: left });
    return true;
  }) ?? false;

/** "revenue share by region": the computation behind the measure. */
export const computedBehind: Rule = (c) => {
  const last = c.draft.shown.at(-1)?.measure;
  if (!last || last.window || last.at + last.text.split(' ').length !== c.at) return false;
  const share = c.match(/(?:share|percentage|(?:as |in )?(?:a )?(?:%|percent|percentage) of(?: the)? total)/);
  if (share > 0) {
    last.percent = /percent|%/.test(c.accept(share, 'computation').toLowerCase());
    last.end = c.at;
    last.window = 'share_of_total';
  } else if (c.take(/(?:running total|cumulative total)/, 'computation')) last.window = 'running_total';
  else return false;
  return true;
};

/** "in milliseconds", "in USD": accepted when it is the unit of what is shown, or the name of the field itself. */
export const unitNote: Rule = (c) => {
  const last = c.draft.shown.at(-1);
  const slot = last?.slot ?? last?.measure?.slot;
  const length = c.match(/(?:expressed |measured )?in/);
  const token = c.token(length);
  if (length === 0 || !token || token.kind !== 'word') return false;
  const named = peekField(c, length);
  if (
    slot &&
    named?.candidates.some(
      (one) =>
        one.loose === 0 &&
        isNumeric(one.fields[0]!.datatype) &&
        slot.candidates.some((own) => own.fields[0] === one.fields[0]),
    )
  ) {
    c.accept(length + named.length, 'unit');
    return true;
  }
  const units = [
    slot?.candidates.map((one) => one.fields[0]!.unit) ?? [],
    last?.measure?.metrics?.map((metric) => metric.unit) ?? [],
  ].flat();
  if (
    units.length === 0 ||
    units.some((unit) => unit === null || !unitSays(unit, token.stem, c.token(length + 1)?.stem))
  )
    return false;
  c.accept(length + (unitSays(units[0]!, token.stem, undefined) ? 1 : 2), 'unit');
  return true;
};
const unitSays = (unit: string, word: string, next: string | undefined): boolean =>
  unitIs(unit, word) || (next !== undefined && unitIs(unit, `${word} ${next}`));

import { unitIs } from './read-comparison.ts';
