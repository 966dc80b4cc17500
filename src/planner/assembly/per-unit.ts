// Units that a measure is divided by or averaged over.
import type { Aggregate, Averaged, MetricUse } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { Draft, MeasureDraft } from '../grammar/draft.ts';
import { countMetric } from '../grammar/read-count.ts';
import { pathsFrom, refuse } from '../grammar/resolve.ts';
import { refsOf } from './build-dimensions.ts';
import { periodField } from './place-times.ts';

/** The unit whose totals are averaged: a period, a value, a row. */
export const meanUnit = (
  c: Cursor,
  group: Draft['groups'][number],
  home: string,
  measures: (MetricUse | Aggregate)[],
): Averaged['over'][number] => {
  if ('candidates' in group) return refsOf(c, group, home)[0]!;
  if (!('dataset' in group)) return { ...periodField(c, home, measures, group.text), grain: group.grain };
  const paths = pathsFrom(c, home, group.dataset, group.role);
  return paths.length === 1 ? { path: paths[0]! } : refuse(group.text);
};

/** "revenue per ride": divided by the number of the rows it is measured over; an average is per row as it is. */
export const perRow = (c: Cursor, drafts: MeasureDraft[], measures: (MetricUse | Aggregate)[], home: string): void => {
  const group = c.draft.groups.find((one) => 'dataset' in one && one.per && one.dataset === home);
  const [draft] = drafts;
  if (!group || drafts.length !== 1 || !draft || draft.window || draft.growth || draft.combined) {
    if (drafts.some((one) => one.eachRow)) refuse(drafts.map((one) => one.text));
    return;
  }
  const [measure] = measures;
  const metric = measure?.kind === 'metric' ? draft.metrics?.find((one) => one.name === measure.name) : undefined;
  const fns = metric?.references.aggregates ?? (draft.fn === 'avg' ? ['avg'] : []);
  if (metric?.filter || fns.length !== 1 || metric?.expression.includes('/')) return;
  if (fns[0] === 'sum') {
    const { length } = group.text.split(' ');
    const counts = countMetric(c, length, group.at).filter((one) => one.home === home && !one.filter);
    const dates = new Set(
      [metric, ...counts].map((one) => one?.timeField && `${one.timeField.dataset}.${one.timeField.field}`),
    );
    if (counts.length > 0 && dates.size > 1 && dated(c))
      refuse(group.text, `"${draft.text}" and "${group.text}" go by different dates. Ask for each of them.`);
    const counted: MeasureDraft = { at: group.at, text: group.text, kind: 'count', dataset: home };
    draft.combined = {
      fn: 'ratio',
      with: counts.length > 0 ? { ...counted, kind: 'metric', metrics: counts } : counted,
    };
  } else if (fns[0] !== 'avg') return;
  // "average quantity per order" over the lines of orders is none of orders.
  else if (countMetric(c, group.text.split(' ').length, group.at).some((one) => /distinct/i.test(one.expression)))
    refuse(group.text, `A row is not one ${group.text} here. Say of what the mean is.`);
  c.draft.groups = c.draft.groups.filter((one) => one !== group);
};

const dated = ({ draft }: Cursor): boolean =>
  draft.times.length > 0 || draft.groups.some((group) => 'grain' in group && group.grain !== undefined);
