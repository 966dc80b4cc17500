// "unique customers and total sales by state": each is counted once by a metric that counts so. Where the metric counts
// rows of a dataset of their own, beside a sum of other rows, they may be all there are or those that the sum is of.

import type { LensField, LensMetric } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { MeasureDraft, Shown } from '../grammar/draft.ts';
import { askWhich, refuse } from '../grammar/resolve.ts';

const DISTINCT = /^(?:different|distinct|unique)$/;

const unlike = (thing: string): string =>
  `Say whether all ${thing} are counted ("number of ${thing}") or only those that the other numbers are about.`;

/** Asked: all that there are, or those that the rows beside them lead to. Before anything is placed. */
export const settleWhoCounts = (c: Cursor, shown: Shown[], measures: MeasureDraft[]): Set<MeasureDraft> => {
  const { lens } = c.vocabulary;
  const settled = new Set<MeasureDraft>();
  for (const [index, { entity, measure }] of shown.entries()) {
    const { at, text } = entity ?? measure ?? { at: 0, text: '' };
    const word = c.tokens[at - 1];
    const [metric, more] = measure?.metrics ?? [];
    const things = entity && !entity.role ? entity.dataset : metric && isPlainCount(metric) ? metric.home : null;
    if (!word || !DISTINCT.test(word.norm) || !things || more) continue;
    const beside = measures.flatMap(({ metrics }) => metrics?.map(({ home }) => home) ?? []);
    const [rows, other] = new Set(beside.filter((home) => home !== things));
    const links = lens.relationships.filter(({ from, to }) => from.dataset === rows && to.dataset === things);
    const key = rows && c.vocabulary.dataset(rows).fields.find(({ name }) => name === links[0]?.from.columns.join());
    if (!rows || other !== undefined || links.length !== 1 || !key) continue;
    const ways = { theirs: `those with ${rows.replaceAll('_', ' ')}`, all: `all ${text}` };
    const options = Object.entries(ways).map(([way, description]) => ({
      ...{ key: way, field: { name: way, description } as LensField },
    }));
    const asked = `Say whether ${ways.all} are counted, or ${ways.theirs}`;
    const { key: way } = askWhich(c, `${word.text} ${text}`, options, asked);
    const slot = { at, text, candidates: [{ dataset: rows, fields: [key], loose: 0 }] };
    const counted: MeasureDraft =
      way === 'theirs'
        ? { at, text, kind: 'aggregate', fn: 'count_distinct', slot }
        : (measure ?? { at, text, kind: 'count', dataset: things });
    settled.add(counted);
    shown[index] = { measure: counted };
    c.draft.entities = c.draft.entities.filter((one) => one !== entity);
  }
  if (settled.size > 0) measures.splice(0, measures.length, ...shown.flatMap((item) => item.measure ?? []));
  return settled;
};
const isPlainCount = ({ references }: LensMetric): boolean => /^count$/i.test(references.aggregates.join());

export const countedOnce = (c: Cursor, measures: readonly MeasureDraft[], settled: ReadonlySet<MeasureDraft>): void => {
  const words = c.tokens.flatMap(({ norm, text }, at) => (DISTINCT.test(norm) ? [{ at, text }] : []));
  for (const { at, text } of words) {
    const counted = measures.find((measure) => measure.at === at + 1);
    const metrics = counted?.metrics ?? [];
    const [only, more] = metrics;
    if (only && !more && /^\s*count\s*\(\s*distinct\b/i.test(only.expression)) continue;
    if (counted && settled.has(counted)) continue;
    if (only && !more && isPlainCount(only)) {
      const [home, other] = new Set(
        measures.flatMap((measure) => measure.metrics?.map((metric) => metric.home) ?? [measure.dataset ?? null]),
      );
      if (home !== undefined && other === undefined) continue;
      refuse(text, unlike(counted!.text));
    }
    const thing = counted?.text ?? c.tokens[at + 1]?.text ?? '';
    refuse(`${text} ${thing}`.trim(), unlike(thing));
  }
  if (words.length === 0) refuse('distinct');
};
