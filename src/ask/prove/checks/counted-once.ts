// "orders without Furniture", where an order has lines of it and others: different things are counted over rows, and some
// have rows on both sides.
import { type Condition, emptyIntent, type Intent, type Measure } from '../../../lens/intent.ts';
import type { Lens } from '../../../lens/lens.ts';
import { doubted, type ProvenBy, passed } from '../check.ts';
import { homeOfMeasure } from './home-of-measure.ts';

const REVERSED = { '!=': '=', not_in: 'in' } as const;
type Negated = Condition & { op: keyof typeof REVERSED };

export const countedOnce: ProvenBy = {
  name: 'counted_once',
  critical: false,
  async ofPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { intent, granted } = plan;
    const [measure] = intent.measures;
    const without = measure ? negatedAlone(granted.lens, intent) : null;
    if (!measure || !without) return null;
    const others = intent.filters.filter((filter) => filter !== without);
    const sides = [[without], [{ ...without, op: REVERSED[without.op], orNull: undefined }], []];
    const [left, reversed, all] = await Promise.all(
      sides.map((own) =>
        probes.count({ ...emptyIntent(), measures: [measure], filters: [...others, ...own], time: intent.time }),
      ),
    );
    const both = left! + reversed! - all!;
    const values = without.values.join(' or ');
    return both > 0
      ? doubted(`${both} of those counted also have rows with ${values}; they are counted for their other rows.`)
      : passed(`None of those counted has rows with ${values}.`);
  },
};

/** The one condition that leaves rows out of a count of different things. */
function negatedAlone(lens: Lens, { measures, filters }: Intent): Negated | null {
  const [measure, more] = measures;
  if (!measure || more || !countsDifferent(lens, measure)) return null;
  const home = homeOfMeasure(lens, measure);
  const [only, other] = filters.filter(
    (filter): filter is Negated =>
      filter.kind === 'condition' && filter.field.path === home && filter.op in REVERSED && !filter.than,
  );
  return only && !other ? only : null;
}

/** A number of different things over rows that are not those things themselves. */
const countsDifferent = (lens: Lens, measure: Measure): boolean =>
  measure.kind === 'aggregate'
    ? measure.fn === 'count_distinct'
    : measure.kind === 'metric' &&
      lens.metrics.some(
        ({ name, expression }) => name === measure.name && /^\s*count\s*\(\s*distinct\b/i.test(expression),
      );
