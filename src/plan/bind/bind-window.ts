// Resolves the date and the period of a plan's time windows.
import type { PlanTimeWindow } from '../../contract/plan-types.ts';
import { isTemporal } from '../../contract/warehouse.ts';
import { findDatasetOfPath, findPath } from '../../lens/model/join-paths.ts';
import { findField } from '../../lens/model/lens.ts';
import { isMoment, parseNamedDay } from '../../lens/model/named-period.ts';
import { formatField, isSameField, type TimeWindow } from '../lens-plan.ts';
import { isEarlier } from '../sql/stored-time.ts';
import { bindPeriod } from './bind-filters.ts';
import { type BindingContext, listDates, requirePlainField, resolveField } from './names.ts';

/** A period of the named date, or of the date that all measures share. */
export function bindWindow(
  names: BindingContext,
  { field: fieldName, from, to, during }: PlanTimeWindow,
  defaultDates: { path: string; field: string }[],
  path: string,
): TimeWindow | null {
  const { reportProblem } = names;
  const span = bindDateRange(names, { from, to, during }, path);
  if (fieldName !== undefined) {
    const fieldPath = `${path}.field`;
    const namedField = resolveField(names, fieldName, fieldPath);
    const field = requirePlainField(names, namedField, 'A time window', fieldPath, ' and set from and to');
    const dataset = field && findDatasetOfPath(names.lens, field.path);
    if (dataset && !isTemporal(findField(dataset, field.field)!.datatype))
      return reportProblem(
        `${path}.field`,
        `${formatField(field)} is not a date. A time window needs a date.${formatDatesHint(names)}`,
      );
    return field && span && { field: { path: field.path, field: field.field }, ...span };
  }
  const distinctDates = defaultDates.filter(
    (item, index) => defaultDates.findIndex((other) => isSameField(other, item)) === index,
  );
  if (distinctDates.length !== 1)
    return reportProblem(`${path}.field`, `Name the date of the time window: ${path}.field.${formatDatesHint(names)}`);
  return span && { field: distinctDates[0]!, ...span };
}

function formatDatesHint({ lens, home }: BindingContext): string {
  const dates = lens.datasets
    .flatMap((dataset) => listDates(dataset).map((name) => `${dataset.name}.${name}`))
    .filter((name) => !home || findPath(lens, home, name.split('.')[0]!).kind === 'path');
  return dates.length > 0
    ? ` The dates are: ${dates.join(', ')}.`
    : ' These rows have no date. Remove the time window.';
}

function bindDateRange(
  names: BindingContext,
  { from: fromText, to: toText, during }: Omit<PlanTimeWindow, 'field'>,
  path: string,
): Omit<TimeWindow, 'field'> | null {
  const { lens, now, reportProblem } = names;
  const [from, to] = [fromText, toText].map((text) => text && (parseNamedDay(text, now, lens.timezone) ?? text));
  if (during !== undefined) {
    if (from !== undefined || to !== undefined)
      return reportProblem(`${path}.during`, 'Give either `during`, or both `from` and `to`.');
    return bindPeriod(names, during, `${path}.during`);
  }
  if (from === undefined || to === undefined) {
    const key = from === undefined ? 'from' : 'to';
    return reportProblem(`${path}.${key}`, `Give ${path}.${key}, or during: "last 7 days".`, 'missing');
  }
  for (const [key, text] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (!isMoment(text))
      reportProblem(
        `${path}.${key}`,
        `${path}.${key} must be a date like 2016-01-31, a date and time like 2016-01-31T12:30:00, today or yesterday.`,
      );
  if (isMoment(from) && isMoment(to) && !isEarlier(from, to, lens.timezone))
    reportProblem(`${path}.to`, `${path}.to is exclusive and must come after ${path}.from.`);
  return { from, to };
}
