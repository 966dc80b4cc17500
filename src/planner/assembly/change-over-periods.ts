// Between which periods a change is: two that are named, the ends of a range, a year and the one before, or each period
// of a sequence and the one before it.
import type { Aggregate, FieldRef, Measure, MetricUse, TimeWindow } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { MeasureDraft } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

interface Period {
  from: string;
  to: string;
}
const SAY = 'Say between which two periods, or for each of which periods.';

export const changeMeasures = (
  c: Cursor,
  draft: MeasureDraft,
  of: MetricUse | Aggregate,
  field: (text: string) => FieldRef,
): Measure[] => {
  const { forms, unit } = draft.growth!;
  const grains = c.draft.groups.filter(
    (group) => 'grain' in group && !('candidates' in group) && !('dataset' in group),
  );
  const dated = c.draft.groups.some((group) => 'candidates' in group && group.grain);
  const pair = grains.length > 0 || dated ? null : periodsOf(c, unit);
  if (pair) {
    for (const time of c.draft.times) time.taken = true;
    const text = c.draft.times.map((time) => time.text).join(' and ');
    const [earlier, later] = pair.map((period): TimeWindow => ({ field: field(text), ...period }));
    return forms.map((fn): Measure => ({ kind: 'change', fn, of, earlier: earlier!, later: later! }));
  }
  if (c.draft.times.length > 1) refuse(draft.text, SAY);
  if (grains.length === 0 && !dated) {
    if (!unit) return refuse(draft.text, SAY);
    c.draft.groups.unshift({ grain: unit, at: draft.at, text: unit });
  } else if (
    grains.length + Number(dated) !== 1 ||
    (unit && !grains.some((group) => 'grain' in group && group.grain === unit))
  )
    refuse(draft.text, SAY);
  if (c.draft.times.length > 0)
    c.draft.notes.push('The first period has none before it within the time asked about, so its change is empty.');
  return forms.map((fn): Measure => ({ kind: 'windowed', fn: fn === 'percent' ? 'percent_change' : 'change', of }));
};

const periodsOf = (c: Cursor, unit: string | null): [Period, Period] | null => {
  const { times } = c.draft;
  if (times.length === 0) return null;
  const texts = times.map((time) => time.text);
  if (
    times.some(
      (time) => time.negated || (time.clause.id > 0 && c.draft.conditions.some((one) => one.clause === time.clause)),
    )
  )
    refuse(texts);
  const [first, second] = times.map((time) => time.mention);
  const whole = ({ from, to }: { from: string | null; to: string | null }): Period =>
    from && to ? { from, to } : refuse(texts, SAY);
  if (times.length === 2) {
    if (!first!.unit || first!.unit !== second!.unit) return refuse(texts, 'Compare two periods of the same length.');
    return inOrder(texts, whole(first!), whole(second!));
  }
  if (times.length > 2) return refuse(texts, SAY);
  if (first!.ends) {
    if (unit && first!.ends[0].to !== first!.ends[1].from) return refuse(texts, SAY);
    return inOrder(texts, ...first!.ends);
  }
  // "growth in 2017" is against 2016; of a month it could be against the month or the year before.
  if (first!.unit === 'year' && (unit === null || unit === 'year')) {
    const { from, to } = whole(first!);
    return [
      { from: `${Number(from.slice(0, 4)) - 1}${from.slice(4)}`, to: from },
      { from, to },
    ];
  }
  return unit ? null : refuse(texts, SAY);
};

const inOrder = (texts: string[], one: Period, other: Period): [Period, Period] => {
  const [earlier, later] = one.from < other.from ? [one, other] : [other, one];
  return earlier.to <= later.from ? [earlier, later] : refuse(texts, 'The two periods overlap. Name two that do not.');
};
