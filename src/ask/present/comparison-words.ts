// Writes a comparison of two periods: "733,215.26 USD in 2017, 609,205.60 USD in 2016: +124,009.66 USD, +20.4 %". The
// sentence rounds percentages, and the rows have all digits.
import type { Column, JsonScalar } from '../../contract/ask.ts';
import { type ChangeMeasure, findPeriodComparison } from '../../plan/lens-plan.ts';
import { describePeriod } from '../../plan/sentence/period-words.ts';
import type { FetchedRows } from '../outcome.ts';
import { formatCell } from '../read/values/format-cell.ts';

type ComparedRow = { columns: Column[]; row: Record<string, JsonScalar> };

export const findPlanComparison = ({ plan }: Pick<FetchedRows, 'plan'>): ChangeMeasure | null =>
  plan.plan === 'compiled' ? findPeriodComparison(plan.lensPlan.measures) : null;

/** The values of the only row, with their periods. */
export function writePeriodComparison({ from, to }: ChangeMeasure, cells: ComparedRow): string {
  const [later, earlier, changes] = writeComparedCells(cells);
  return `${later} ${describePeriod(to)}, ${earlier} ${describePeriod(from)}${changes && `: ${changes}`}`;
}

/** The values of one group. The sentence before the groups names the periods. */
export function writeGroupComparison(cells: ComparedRow): string {
  const [later, earlier, changes] = writeComparedCells(cells);
  return `${later}, from ${earlier}${changes && ` (${changes})`}`;
}

function writeComparedCells({ columns: [later, earlier, ...changes], row }: ComparedRow): [string, string, string] {
  const changeTexts = changes
    .filter(({ name }) => row[name] !== null)
    .map((column) => writeChange(row[column.name]!, column));
  return [formatCell(row[later!.name]!, later!), formatCell(row[earlier!.name]!, earlier!), changeTexts.join(', ')];
}

function writeChange(value: JsonScalar, column: Column): string {
  const amount = column.unit === '%' ? roundPercent(Number(value)) : value;
  return `${Number(value) > 0 ? '+' : ''}${formatCell(amount, column)}`;
}
const roundPercent = (percent: number): number =>
  Math.abs(percent) >= 100 ? Number(percent.toFixed(1)) : Number(percent.toPrecision(3));
