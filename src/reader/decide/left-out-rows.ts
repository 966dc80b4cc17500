// Finds questions about rows that an approved metric leaves out. For example, the metric for invoices may not count
// canceled invoices.

import { findPath, formatPath } from '../../lens/model/join-paths.ts';
import type { Lens, LensMetric } from '../../lens/model/lens.ts';
import { expandAbbreviations } from '../../lens/model/name-words.ts';
import { parsePlainFilter, readStoredValue } from '../../lens/model/plain-filter.ts';
import { findMetric, listSimpleBases } from '../../plan/base-measures.ts';
import { findMeasuredBases } from '../../plan/doubtful-measures.ts';
import type { FieldRef, Filter, LensPlan } from '../../plan/lens-plan.ts';
import { isCountMetric } from '../words/distinct-count.ts';

/** The filter of a metric that includes or excludes values of a field. */
interface MetricRestriction {
  metric: LensMetric;
  path: string;
  field: string;
  values: readonly string[];
  isExcluded: boolean;
  where: readonly Filter[];
  groups: readonly FieldRef[];
}
const findMetricRestrictions = (lens: Lens, { measures, filters, dimensions }: LensPlan): MetricRestriction[] =>
  measures
    .flatMap((measure) => findMeasuredBases(measure, filters, dimensions))
    .flatMap(({ base, where, separatingFields: groups }) =>
      listSimpleBases(lens, base).flatMap((simpleBase) => {
        const metric = findMetric(lens, simpleBase);
        const conditions = (metric?.filter && parsePlainFilter(metric.filter)) || [];
        return conditions.flatMap(({ path, field, op, values }): MetricRestriction[] =>
          metric && (op === '=' || op === 'in' || op === '!=')
            ? [
                {
                  metric,
                  path,
                  field,
                  values: values.map((value) => String(readStoredValue(value))),
                  isExcluded: op === '!=',
                  where,
                  groups,
                },
              ]
            : [],
        );
      }),
    );
/**
 * Compares paths as well as datasets. For example, the origin and destination of a shipment are different, although
 * both are ports.
 */
const isRestrictedField = (lens: Lens, { metric, path, field }: MetricRestriction, ref: FieldRef): boolean => {
  const [keptPath, usedPath] = [path, ref.path].map((item) => findPath(lens, metric.home!, item));
  return (
    ref.field === field &&
    keptPath!.kind === 'path' &&
    usedPath!.kind === 'path' &&
    formatPath(keptPath!.path.steps) === formatPath(usedPath!.path.steps)
  );
};
const formatFieldName = (name: string): string => expandAbbreviations(name).replaceAll('_', ' ');

/** Returns a message if a metric counts none of the rows that the question asks for. */
export const describeLeftOutRows = (lens: Lens, plan: LensPlan): string | null => {
  for (const kept of findMetricRestrictions(lens, plan)) {
    const condition = kept.where.find(
      (filter) =>
        'field' in filter &&
        (filter.op === '=' || filter.op === 'in') &&
        !filter.other &&
        !filter.than &&
        isRestrictedField(lens, kept, filter.field) &&
        filter.values.every((value) => kept.values.includes(String(value)) === kept.isExcluded),
    );
    if (condition && 'field' in condition)
      return `The metric ${kept.metric.name} leaves out rows whose ${formatFieldName(kept.field)} is ${condition.values.join(' or ')}. Ask for a list of these rows, or for another metric.`;
  }
  return null;
};

/**
 * Writes a note if the groups don't include all values. For example, "invoices by status" has no group for states that
 * the metric for invoices leaves out.
 */
export const findLeftOutGroupNotes = (lens: Lens, plan: LensPlan): string[] => {
  const notes = findMetricRestrictions(lens, plan).flatMap((kept) =>
    isCountMetric(kept.metric) && kept.groups.some((ref) => isRestrictedField(lens, kept, ref))
      ? [`The metric ${kept.metric.name} leaves out some rows, depending on their ${formatFieldName(kept.field)}.`]
      : [],
  );
  return [...new Set(notes)];
};
