// Plans and equivalent statements. `ordered`: the order of the rows counts. In `sql`, date functions may depend on the
// engine.
import { caseRows } from '../support/case-rows.ts';
import type { Engine, Plan } from './stage.ts';

interface Dates {
  month(of: string): string;
  days(from: string, to: string): string;
  monthNumber(of: string): string;
}
const DATES: Record<string, Dates> = {
  postgres: {
    month: (of) => `cast(date_trunc('month', ${of}) as date)`,
    days: (from, to) => `(cast(${to} as date) - cast(${from} as date))`,
    monthNumber: (of) => `cast(extract(month from ${of}) as integer)`,
  },
  duckdb: {
    month: (of) => `cast(date_trunc('month', ${of}) as date)`,
    days: (from, to) => `date_diff('day', ${from}, ${to})`,
    monthNumber: (of) => `month(${of})`,
  },
  mysql: {
    month: (of) => `cast(date_format(${of}, '%Y-%m-01') as date)`,
    days: (from, to) => `datediff(${to}, ${from})`,
    monthNumber: (of) => `month(${of})`,
  },
};
export interface Case {
  name: string;
  plan: Plan;
  /** `goldOf` replaces `{months}`, `{month X}`, `{monthNumber X}` and `{days X ¦ Y}` with the syntax of the engine. */
  sql: string;
  ordered?: true;
  without?: Engine;
}
const MONTHS = ['2023-12', ...Array.from({ length: 8 }, (_one, index) => `2024-0${index + 1}`)]
  .map((month) => `select cast('${month}-01' as date) as first_day`)
  .join(' union all ');

export const CASES: readonly Case[] = caseRows(import.meta.dirname, 'cases.jsonl');
/** Only engines that can order by a subquery support these plans. */
export const LISTING_ORDERS: readonly Case[] = caseRows(import.meta.dirname, 'listing-orders.jsonl');

export function goldOf({ sql }: Pick<Case, 'sql'>, engine: string): string {
  const dates = DATES[engine]!;
  return sql
    .replaceAll('{months}', MONTHS)
    .replace(/\{month ([^{}]*)\}/g, (_, of) => dates.month(of))
    .replace(/\{monthNumber ([^{}]*)\}/g, (_, of) => dates.monthNumber(of))
    .replace(/\{days ([^{}]*) ¦ ([^{}]*)\}/g, (_, from, to) => dates.days(from, to));
}
