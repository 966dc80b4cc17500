// "not approved", where some are neither: they are taken along, and the answer says it.
import { type Condition, emptyIntent, type Intent } from '../../../lens/model/intent.ts';
import { doubted, type ProvenBy, passed } from '../check.ts';
import { homeOfMeasure } from './home-of-measure.ts';

export const nullsStated: ProvenBy = {
  name: 'nulls_stated',
  critical: false,
  async ofPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { intent, granted } = plan;
    const home = intent.home ?? homeOfMeasure(granted.lens, intent.measures[0]);
    const open = home
      ? intent.filters.flatMap((filter) => {
          const condition = openToNone(filter);
          return condition ? [{ filter, condition }] : [];
        })
      : [];
    if (!home || open.length === 0) return null;
    const said = await Promise.all(
      open.map(async ({ filter, condition }) => {
        const missing: Condition = { kind: 'condition', field: condition.field, op: 'is_null', values: [] };
        const count = await probes.count({
          ...emptyIntent(),
          measures: [{ kind: 'aggregate', fn: 'count', path: home }],
          filters: [...intent.filters.filter((one) => one !== filter), missing],
          time: intent.time,
        });
        const name = `${condition.field.path}.${condition.field.field}`;
        const values = condition.values.length > 0 ? condition.values.join(' or ') : 'in the excluded period';
        return count > 0 ? [`${count} rows have no ${name}; svc treats them as not ${values}.`] : [];
      }),
    );
    return said.flat().length > 0
      ? doubted(said.flat().join(' '))
      : passed('Every row has a value in the excluded field.');
  },
};

/** A condition that rows without a value fulfil beside others: "not approved", "except in 2016". */
const openToNone = (filter: Intent['filters'][number]): Condition | null => {
  if (filter.kind === 'condition') return filter.orNull ? filter : null;
  const sides = filter.kind === 'any' ? filter.of.filter((one): one is Condition => one.kind === 'condition') : [];
  return sides.map(({ op }) => op).join(' ') === '< >= is_null' ? sides[2]! : null;
};
