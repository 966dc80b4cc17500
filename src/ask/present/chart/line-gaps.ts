// Breaks a line at periods without rows, because a continuous line would suggest values that the answer doesn't have.
import type { JsonScalar } from '../../../contract/ask.ts';
import type { ChartSpec } from './channels.ts';
import type { ChartShape } from './chart-shape.ts';

const DAY_MS = 86_400_000;
const LONGEST_STEP_MS: Readonly<Record<string, number>> = {
  day: DAY_MS * 1.5,
  week: DAY_MS * 8,
  month: DAY_MS * 32,
  quarter: DAY_MS * 93,
  year: DAY_MS * 367,
};

export interface LineGaps {
  transform: ChartSpec[];
  /** A channel that draws each part of the line on its own. */
  detail: ChartSpec;
  note: string;
}

/** Returns null if no period is missing, or if the length of the periods isn't known. */
export function findLineGaps(
  { name, grain }: ChartShape['times'][number],
  category: string | undefined,
  rows: readonly Record<string, JsonScalar>[],
): LineGaps | null {
  // Values that are all whole days can be days or weeks, so only the column's name shows the period.
  const period = /_(day|week|month|quarter|year)$/.exec(name)?.[1] ?? (grain === 'day' ? 'moment' : grain);
  const longestStep = LONGEST_STEP_MS[period];
  if (longestStep === undefined || !hasGap(rows, name, category, longestStep)) return null;
  const groupby = category === undefined ? [] : [category];
  const sort = [{ field: 'at' }];
  return {
    transform: [
      { calculate: `time(toDate(datum[${JSON.stringify(name)}]))`, as: 'at' },
      { window: [{ op: 'lag', field: 'at', as: 'before' }], groupby, sort },
      { calculate: `isValid(datum.before) && datum.at - datum.before > ${longestStep} ? 1 : 0`, as: 'gap' },
      { window: [{ op: 'sum', field: 'gap', as: 'part' }], groupby, sort, frame: [null, 0] },
    ],
    detail: { field: 'part', type: 'nominal' },
    note: `The line has gaps, because the answer has no rows for some ${period}s.`,
  };
}

function hasGap(
  rows: readonly Record<string, JsonScalar>[],
  name: string,
  category: string | undefined,
  longestStep: number,
): boolean {
  const lastTimes = new Map<JsonScalar, number>();
  const times = rows
    .map((row) => ({
      time: Date.parse(String(row[name])),
      group: category === undefined ? null : (row[category] ?? null),
    }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((one, other) => one.time - other.time);
  for (const { time, group } of times) {
    if (time - (lastTimes.get(group) ?? time) > longestStep) return true;
    lastTimes.set(group, time);
  }
  return false;
}
