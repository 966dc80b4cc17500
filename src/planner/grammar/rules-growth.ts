// How a measure changed: "revenue growth from 2016 to 2017", "by how much did sales rise", "month over month change".
// The words say which of two figures is meant, the difference or the percentage; where they do not, both are given.
import type { Grain } from '../../lens/model/lens.ts';
import type { Cursor } from './cursor.ts';
import type { MeasureDraft } from './draft.ts';
import { readMeasure } from './read-measures.ts';
import { attempt } from './read-things.ts';
import { refuse } from './resolve.ts';
import { type Rule, type State, show } from './rule.ts';
import { time } from './rules-time.ts';

const NOUN =
  /(?:the )?(?:total |overall |net )?(?:(?:percent(?:age)?|relative|absolute|%) )?(?:growth|change|increase|decrease|decline|rise|drop|difference)(?: rate)?(?: (?:percent(?:age)?|in percent))?/;
const PERIODIC =
  /(?:the )?(?:(?:month|quarter|year|week|day) (?:over|on|by) (?:month|quarter|year|week|day)|mom|qoq|yoy|wow)/;
const VERB =
  /(?:grow|grown|change|changed|increase|increased|rise|risen|fall|fallen|drop|dropped|decrease|decreased|decline|declined|differ)/;
const ASKED =
  /(?:by )?(?:how much|how many|what (?:percent|percentage)) (?:did|has|have|does|do)(?: (?:the|our|total))*|how (?:did|has|have)(?: (?:the|our|total))*/;

/** The unit of "month over month"; null when the two words differ. */
const unitOfPeriodic = (text: string): Grain | null | undefined => {
  const short = { mom: 'month', qoq: 'quarter', yoy: 'year', wow: 'week' } as const;
  const last = text.replace(/^the /, '');
  if (Object.hasOwn(short, last)) return short[last as keyof typeof short];
  const [one, , other] = last.split(' ');
  return one === other ? (one as Grain) : null;
};

const readPeriodic = (c: Cursor): Grain | null | undefined => {
  const length = c.match(PERIODIC);
  return length === 0 ? undefined : unitOfPeriodic(c.accept(length, 'grain').toLowerCase());
};
const formsOf = (text: string): NonNullable<MeasureDraft['growth']>['forms'] =>
  /percent|%|rate|relative/.test(text)
    ? ['percent']
    : /absolute|difference/.test(text)
      ? ['absolute']
      : ['absolute', 'percent'];

const measureBehind = (c: Cursor, state: State): MeasureDraft | null => {
  c.take(/(?:of|in|for)(?: (?:the|our|total))*/, 'link');
  const direct = readMeasure(c);
  if (direct) return direct;
  // "the difference between 2016 and 2017 in revenue"
  if (!c.time() || !time(c, state)) return null;
  c.take(/(?:of|in|for)(?: (?:the|our|total))*/, 'link');
  return readMeasure(c);
};

/** "between revenue in 2016 and revenue in 2017": of one measure at two times. */
const betweenTimes = (c: Cursor, state: State): MeasureDraft | null => {
  c.take(/between(?: (?:the|our|total))*/, 'link');
  const measure = readMeasure(c);
  if (!measure || !c.time() || !time(c, state) || !c.take(/and(?: (?:the|our|total|that))*/, 'conjunction'))
    return null;
  const again = c.time() ? null : readMeasure(c);
  const same = !again || (again.kind === 'metric' && again.metrics?.[0] === measure.metrics?.[0]);
  return same && c.time() && time(c, state) ? measure : null;
};

export const growth: Rule = (c, state) =>
  attempt(c, () => {
    if (
      c.phrase()?.terms.some((term) => term.kind === 'metric' || term.kind === 'definition') &&
      c.phrase()!.length > 1
    )
      return null;
    const { at } = c;
    const before = readPeriodic(c);
    if (before === null) return null;
    const last = c.draft.shown.at(-1)?.measure;
    const behind = before === undefined && last !== undefined && last.at + last.text.split(' ').length === c.at;
    const asked = before === undefined ? c.match(ASKED) : 0;
    let measure: MeasureDraft | null = null;
    let said = '';
    if (behind && !last.window && !last.growth && !last.combined) {
      // "revenue growth", "revenue change in percent", "revenue year over year"
      const periodic = readPeriodic(c);
      const noun = c.match(NOUN);
      if (periodic === null || (periodic === undefined && noun === 0)) return null;
      said = noun > 0 ? c.accept(noun, 'computation') : 'growth';
      last.growth = { forms: formsOf(said.toLowerCase()), unit: periodic ?? readPeriodic(c) ?? null };
      return true;
    }
    if (asked > 0) {
      said = c.accept(asked, 'question').toLowerCase();
      measure = readMeasure(c);
      if (!measure || !c.take(VERB, 'computation')) return null;
    } else {
      const noun = c.match(NOUN);
      if (noun > 0) {
        // "growth revenue" where growth is stored too: how it grew, or what those made?
        const stored = noun === 1 && c.values(0).length > 0;
        said = c.accept(noun, 'computation').toLowerCase();
        const linked = /^(?:of|in|for)$/.test(c.norm());
        measure = c.norm() === 'between' && !c.time() ? betweenTimes(c, state) : measureBehind(c, state);
        if (stored && measure && !linked)
          refuse(said, `Say whether a change is meant by "${said}", or the stored value.`);
      } else if (before) {
        measure = readMeasure(c);
        const after = measure ? c.match(NOUN) : 0;
        if (after === 0) return null;
        said = c.accept(after, 'computation').toLowerCase();
      }
    }
    if (!measure) return null;
    const after = readPeriodic(c);
    if (after === null || (after && before)) return null;
    measure.growth = { forms: formsOf(said), unit: before ?? after ?? null };
    measure.text = c.textOf(at, c.at - at);
    show(c, state, { measure });
    return true;
  }) ?? false;

/** "in percent", "in absolute terms", behind a change. */
export const growthForm: Rule = (c) => {
  const growing = c.draft.shown.find((item) => item.measure?.growth)?.measure?.growth;
  if (!growing) return false;
  if (c.take(/(?:in|as a|as) (?:percent(?:age)?(?: terms)?|%|relative terms)/, 'computation'))
    growing.forms = ['percent'];
  else if (c.take(/in absolute (?:terms|numbers|figures)/, 'computation')) growing.forms = ['absolute'];
  else return false;
  return true;
};
