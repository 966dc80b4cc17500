// Changes the plan of an answer. The server checks the changed plan like any other plan.

import { formatPeriod } from '../../../ui/format.ts';
import { matchesTypedText } from '../../../ui/SearchList.tsx';
import type { Envelope, Inquiry, MetricsBody } from '../api/ask.ts';
import type { LensDetail } from '../api/lenses.ts';

export interface PlanRefinement {
  label: string;
  title: string;
  body: MetricsBody;
}

type RefinablePlan = MetricsBody;
const DAY_MS = 86_400_000;
export const formatFieldName = (name: string): string => (name.split('.').at(-1) ?? name).replaceAll('_', ' ');

/** Omits the member that contains the question of the plan. */
export function getPlanWithoutQuestion({ plan, lens }: Envelope): RefinablePlan | null {
  if (!plan || typeof plan !== 'object' || !lens) return null;
  const { answers: _, ...rest } = plan;
  return rest;
}

export const createPlanInquiry = (lens: string, { title, body }: Pick<PlanRefinement, 'title' | 'body'>): Inquiry => ({
  kind: 'plan',
  title,
  lens,
  body,
  choices: {},
});

export const listFilterableFields = ({ schema }: LensDetail): string[] =>
  schema.datasets.flatMap(({ name, fields }) =>
    fields.filter(({ masked, datatype }) => !masked && datatype === 'string').map((field) => `${name}.${field.name}`),
  );
export const createFilterRefinement = (plan: RefinablePlan, field: string, value: string): PlanRefinement => ({
  label: value,
  title: `Only ${value}`,
  body: { ...plan, filters: [...(plan.filters ?? []), { field, op: '=', values: [value] }] },
});

const DATE_TYPE_PATTERN = /^(date|timestamp)/;

/** Returns a refinement for each possible breakdown: first fields with known values, then dates, then other fields. */
export function createBreakdownRefinements(plan: RefinablePlan, { schema }: LensDetail): PlanRefinement[] {
  const currentDimensions = new Set(
    (plan.dimensions ?? []).map((dimension) => (typeof dimension === 'string' ? dimension : '')),
  );
  const sortRank = ({ has_values, datatype }: { has_values: boolean; datatype: string }) =>
    has_values ? 0 : DATE_TYPE_PATTERN.test(datatype) ? 1 : 2;
  return schema.datasets
    .flatMap((dataset) => dataset.fields.map((field) => ({ ...field, dataset: dataset.name })))
    .filter(({ masked }) => !masked)
    .sort((a, b) => sortRank(a) - sortRank(b))
    .map(({ dataset, name, datatype }) => `${dataset}.${name}${DATE_TYPE_PATTERN.test(datatype) ? '.month' : ''}`)
    .filter((field) => !currentDimensions.has(field))
    .map((field) => {
      const label = field.split('.').slice(1).join(' by ').replaceAll('_', ' ');
      const body = { ...plan, dimensions: [...(plan.dimensions ?? []), field], order_by: undefined, limit: undefined };
      return { label, title: `Broken down by ${label}`, body };
    });
}

export const createMeasureRefinements = (plan: RefinablePlan, { schema }: LensDetail): PlanRefinement[] =>
  schema.metrics
    .filter(({ name }) => !plan.metrics?.includes(name))
    .map(({ name }) => ({
      label: formatFieldName(name),
      title: `Same question for ${formatFieldName(name)}`,
      body: { ...plan, metrics: [name], measures: undefined, having: undefined, order_by: undefined },
    }));

export function createOrderRefinements(plan: RefinablePlan): PlanRefinement[] {
  const [metric] = plan.metrics ?? [];
  if (!metric || !plan.dimensions?.length) return [];
  const orderPlan = (direction: 'asc' | 'desc', limit?: number): RefinablePlan => ({
    ...plan,
    order_by: [{ measure: metric, direction }],
    limit,
  });
  return [
    { label: 'Highest first', title: 'Highest first', body: orderPlan('desc') },
    { label: 'Lowest first', title: 'Lowest first', body: orderPlan('asc') },
    { label: 'Top 5', title: 'The top 5', body: orderPlan('desc', 5) },
    { label: 'Top 10', title: 'The top 10', body: orderPlan('desc', 10) },
    { label: 'Bottom 5', title: 'The bottom 5', body: orderPlan('asc', 5) },
  ];
}

export function createPeriodRefinement(plan: RefinablePlan, period: string, label = period): PlanRefinement {
  const [from, to] = period.split('/');
  const span = to ? { from, to } : { during: period };
  return {
    label,
    title: `Same question for ${label}`,
    body: { ...plan, time: { ...(plan.time?.field && { field: plan.time.field }), ...span } },
  };
}

export interface NamedPeriod {
  label: string;
  /** The name of a period, or its first day and the day after its last day, such as `2016-03-01/2016-06-01`. */
  value: string;
}
export const PERIOD_HINT = 'Try 2016, Q3 2016 or March 2016 to May 2016';
const COMMON_PERIODS: NamedPeriod[] = [
  ['This year', 'this year'],
  ['Last year', 'previous year'],
  ['This month', 'this month'],
  ['Last month', 'previous month'],
  ['Last 7 days', 'last 7 days'],
  ['Last 30 days', 'last 30 days'],
  ['Last 12 months', 'last 12 months'],
].map(([label, value]) => ({ label: label!, value: value! }));
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month)),
);

export const suggestPeriods = (typed: string, nearbyPeriods: NamedPeriod[] = []): NamedPeriod[] => {
  const matchingPeriods = [...nearbyPeriods, ...COMMON_PERIODS].filter(({ label }) => matchesTypedText(label, typed));
  return [
    ...matchingPeriods,
    ...parsePeriods(typed).filter(({ value }) => matchingPeriods.every((period) => period.value !== value)),
  ];
};

/** Creates a period that includes both days. Returns null if the last day comes before the first day. */
export function createPeriod(firstDay: string, lastDay: string): NamedPeriod | null {
  const [from, last] = [Date.parse(firstDay), Date.parse(lastDay)];
  if (!(from <= last)) return null;
  const span = { from: formatIsoDay(from), to: formatIsoDay(last + DAY_MS) };
  return { label: formatPeriod(span), value: `${span.from}/${span.to}` };
}
const formatIsoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Parses a day, month, quarter or year, such as "2016-03-15" or "mar 2016". */
function parseDayRange(typed: string): [string, string] | null {
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return [typed, typed];
  const { value } = parsePeriods(typed)[0] ?? {};
  const [, year, quarter, month] = /^(\d{4})(?:-Q(\d)|-(\d\d))?$/.exec(value ?? '') ?? [];
  if (!year) return null;
  const start = quarter ? 3 * Number(quarter) - 3 : month ? Number(month) - 1 : 0;
  const end = Date.UTC(Number(year), start + (quarter ? 3 : month ? 1 : 12), 1);
  return [formatIsoDay(Date.UTC(Number(year), start, 1)), formatIsoDay(end - DAY_MS)];
}

/** Returns the periods that a text such as "2016", "2016-Q", "Q3 2016" or "mar 2016 to may 2016" could mean. */
function parsePeriods(typed: string): NamedPeriod[] {
  const [first, last] = typed.trim().split(/\s+(?:to|until|[-–])\s+/);
  if (first && last) {
    const [firstDays, lastDays] = [parseDayRange(first), parseDayRange(last)];
    return [firstDays && lastDays ? createPeriod(firstDays[0], lastDays[1]) : null].filter((item) => item !== null);
  }
  const year = /(?<!\d)(?:1[89]|2\d)\d\d(?!\d)/.exec(typed)?.[0];
  if (!year) return /^(last|next) \d+ \w+$/i.test(typed.trim()) ? [{ label: typed.trim(), value: typed.trim() }] : [];
  const rest = typed
    .replace(year, '')
    .replace(/[\s,-]/g, '')
    .toLowerCase();
  const quarters = [1, 2, 3, 4].map((quarter) => ({ label: `Q${quarter} ${year}`, value: `${year}-Q${quarter}` }));
  const months = MONTHS.map((name, month) => ({
    label: `${name} ${year}`,
    value: `${year}-${String(month + 1).padStart(2, '0')}`,
  }));
  if (rest === '') return [{ label: year, value: year }, ...quarters];
  return [...quarters, ...months].filter(
    ({ label, value }) => label.toLowerCase().startsWith(rest) || value === `${year}-${rest.padStart(2, '0')}`,
  );
}

/** Returns no periods unless the given period is a whole year, quarter or month. */
export function listAdjacentPeriods({ from, to }: { from: string; to: string }): NamedPeriod[] {
  const [start, end] = [new Date(`${from.slice(0, 10)}T00:00:00Z`), new Date(`${to.slice(0, 10)}T00:00:00Z`)];
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const isWholePeriod = start.getUTCDate() === 1 && end.getUTCDate() === 1 && start.getUTCMonth() % months === 0;
  if (!isWholePeriod || ![1, 3, 12].includes(months)) return [];
  return [-months, months].map((step) => {
    const periodStart = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + step, 1));
    const [year, month] = [periodStart.getUTCFullYear(), periodStart.getUTCMonth()];
    const text = months === 12 ? `${year}` : months === 3 ? `Q${month / 3 + 1} ${year}` : `${MONTHS[month]} ${year}`;
    return parsePeriods(text)[0]!;
  });
}

/** Compares the plan's period with the preceding period of the same length. */
export function createComparisonRefinement(plan: RefinablePlan): PlanRefinement | null {
  const { time, metrics = [], measures: others = [] } = plan;
  const [metric] = metrics;
  if (!metric || metrics.length > 1 || others.length > 0 || !time?.field || !time.from || !time.to) return null;
  const to = { field: time.field, from: time.from.slice(0, 10), to: time.to.slice(0, 10) };
  const from = { field: time.field, from: findPreviousPeriodStart(to), to: to.from };
  const dimensions = findComparableGroups(plan, to);
  if (!dimensions) return null;
  const change = { fn: 'change' as const, of: metric, from, to };
  return {
    label: 'Compare with the previous period',
    title: `${formatFieldName(metric)} in ${formatPeriod(to)} compared with ${formatPeriod(from)}`,
    body: {
      ...plan,
      dimensions,
      metrics: undefined,
      time: undefined,
      order_by: dimensions.some((group) => !plan.dimensions?.includes(group))
        ? dimensions.map((field) => ({ field: String(field) }))
        : undefined,
      measures: [{ ...change, show: 'to' }, { ...change, show: 'from' }, change, { ...change, percent: true }],
    },
  };
}

/**
 * If the periods are years, a group by month becomes a group by month of the year. Returns null if the groups of both
 * periods can't match.
 */
function findComparableGroups(
  { dimensions = [] }: RefinablePlan,
  { field, from, to }: { field: string; from: string; to: string },
) {
  const isYear = Date.UTC(Number(from.slice(0, 4)) + 1, Number(from.slice(5, 7)) - 1, 1) === Date.parse(to);
  const groups = dimensions.map((dimension) => {
    const name = typeof dimension === 'string' ? dimension : 'field' in dimension ? dimension.field : '';
    if ((name !== field && !name.startsWith(`${field}.`)) || name.endsWith('_of_year')) return dimension;
    return isYear && /\.(?:month|quarter)$/.test(name) ? `${name}_of_year` : null;
  });
  return groups.every((group) => group !== null) ? groups : null;
}

function findPreviousPeriodStart({ from, to }: { from: string; to: string }): string {
  const [start, end] = [new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)];
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const previousStart = new Date(start);
  if (start.getUTCDate() === end.getUTCDate()) previousStart.setUTCMonth(previousStart.getUTCMonth() - months);
  else previousStart.setTime(start.getTime() - Math.round((end.getTime() - start.getTime()) / DAY_MS) * DAY_MS);
  return previousStart.toISOString().slice(0, 10);
}

export function createValueRefinement(plan: RefinablePlan, column: string, value: unknown): PlanRefinement | null {
  if (typeof value !== 'string' && typeof value !== 'boolean') return null;
  const field = plan.dimensions?.find(
    (dimension) => typeof dimension === 'string' && dimension.split('.').at(-1) === column,
  );
  if (typeof field !== 'string' || plan.rows) return null;
  const dimensions = plan.dimensions!.filter((dimension) => dimension !== field);
  const filters = [...(plan.filters ?? []), { field, op: '=' as const, values: [value] }];
  const body = {
    ...plan,
    dimensions,
    filters,
    ...(dimensions.length === 0 && { order_by: undefined, limit: undefined }),
  };
  return { label: 'Only this', title: `Only ${String(value)}`, body };
}

export function createRowRefinement(plan: RefinablePlan, row: Record<string, unknown>): PlanRefinement | null {
  let refinement: PlanRefinement | null = null;
  const values: string[] = [];
  for (const [column, value] of Object.entries(row)) {
    const next = createValueRefinement(refinement?.body ?? plan, column, value);
    if (next) values.push(String(value));
    refinement = next ?? refinement;
  }
  return refinement && { ...refinement, title: `Only ${values.join(' and ')}` };
}

const MAX_LISTED_COLUMNS = 12;

/** Returns null if the plan doesn't show which rows were measured. */
export function createRowsRefinement(plan: RefinablePlan, { schema }: LensDetail): PlanRefinement | null {
  const time = findMeasuredPeriod(plan);
  const name = time?.field?.split('.')[0];
  const dataset =
    schema.datasets.find((dataset) => dataset.name === name) ??
    (schema.datasets.length === 1 ? schema.datasets[0] : undefined);
  if (!dataset || plan.rows || time === null) return null;
  const used = new Set(JSON.stringify([plan.dimensions, plan.filters, time]).split(/\W+/));
  const rank = ({ name, unit }: { name: string; unit: string | null }) => (used.has(name) ? 0 : unit ? 1 : 2);
  const fields = dataset.fields.filter(({ masked }) => !masked);
  const shown = new Set(fields.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_LISTED_COLUMNS));
  const dimensions = fields.filter((field) => shown.has(field)).map((field) => `${dataset.name}.${field.name}`);
  const body = { rows: dataset.name, dimensions, filters: plan.filters, time, limit: 100 };
  return { label: 'Show rows', title: `Rows of ${formatFieldName(dataset.name)}`, body };
}

/** For a comparison, the result spans both periods. Returns null if a measure has its own conditions. */
function findMeasuredPeriod({ time, measures = [] }: RefinablePlan): RefinablePlan['time'] | null {
  const [change] = measures;
  if (typeof change === 'object' && change.fn === 'change' && change.from && change.to)
    return { field: change.to.field, from: change.from.from, to: change.to.to };
  return JSON.stringify(measures).includes('"where"') ? null : time;
}
