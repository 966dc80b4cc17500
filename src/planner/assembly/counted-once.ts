// "unique customers and total sales by state": each is counted once by a metric that counts so. Where the metric counts
// rows of a dataset of their own, beside a sum of other rows, they may be all there are or those that the sum is of.
import type { Cursor } from '../grammar/cursor.ts';
import type { MeasureDraft } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

const DISTINCT = /^(?:different|distinct|unique)$/;

const unlike = (thing: string): string =>
  `Say whether all ${thing} are counted ("number of ${thing}") or only those that the other numbers are about.`;

export const countedOnce = (c: Cursor, measures: readonly MeasureDraft[]): void => {
  const words = c.tokens.flatMap(({ norm, text }, at) => (DISTINCT.test(norm) ? [{ at, text }] : []));
  for (const { at, text } of words) {
    const counted = measures.find((measure) => measure.at === at + 1);
    const metrics = counted?.metrics ?? [];
    const [only, more] = metrics;
    if (only && !more && /^\s*count\s*\(\s*distinct\b/i.test(only.expression)) continue;
    if (only && !more && /^count$/i.test(only.references.aggregates.join())) {
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
