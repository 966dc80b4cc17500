// Which columns hold shares of one, so that 0.03 is said as 3 %: by the unit, by the lens's own description, else by the
// column's name where no row speaks against it. Of what is called a rate or a percentage nobody knows.
import type { Column } from '../../contract/ask.ts';
import { keptAs } from '../../planner/grammar/percent.ts';
import type { FetchedRows } from '../outcome.ts';

const CALLED = /(?:^|_)(?:share|fraction|proportion)(?:_of_\w+)?$/i;

export function keptOfOne(column: Column, { plan, rows }: FetchedRows): boolean {
  if (column.datatype === 'integer') return false;
  const { lens } = plan.granted;
  const said = lens.metrics.find(({ name }) => name === column.name)?.description ?? null;
  const field = lens.datasets.flatMap(({ fields }) => fields).filter(({ name }) => name === column.name);
  const kept = keptAs(column.unit, said ?? (field.length === 1 ? field[0]!.description : null));
  if (kept !== null) return kept === 100;
  return (
    column.unit === null &&
    CALLED.test(column.name) &&
    rows.every((row) => Math.abs(Number(row[column.name] ?? 0)) <= 1)
  );
}
