// Checks that the SQL of data_as_of runs and returns one time.
import { guardSql } from '../../guard/guard-sql.ts';
import { Problem } from '../../platform/problem.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { CreateProblem } from '../files/yaml-file.ts';
import { type Lens, SVC_CALLER } from '../model/lens.ts';
import { governedRelations } from '../policies/governed-relations.ts';
import { CHECK_OPTIONS, type CheckedWarehouse, captureFailure } from './checked-warehouse.ts';

export async function checkDataAsOf(
  lens: Lens,
  warehouse: CheckedWarehouse,
  complain: CreateProblem,
): Promise<ProjectProblem[]> {
  if (!lens.dataAsOf || !('sql' in lens.dataAsOf)) return [];
  const { sql } = lens.dataAsOf;
  let fault: string | null = null;
  const reason = await captureFailure(async () => {
    const statement = await guardSql(sql, {
      dialect: lens.dialect,
      relations: await governedRelations(lens, SVC_CALLER),
      mode: 'govern',
      maxRows: 2,
      shown: 'approved',
    });
    const columns = await warehouse.describe(statement, CHECK_OPTIONS);
    if (columns.length !== 1) fault = `returns ${columns.length} columns`;
    else if (!['date', 'datetime', 'datetimetz', 'string'].includes(columns[0]!.datatype))
      fault = `returns values of the type ${columns[0]!.datatype}`;
    else if (await returnsSeveralRows()) fault = 'returns several rows';

    async function returnsSeveralRows(): Promise<boolean> {
      try {
        return (await warehouse.fetch(statement, { maxRows: 2, maxBytes: 10_000, ...CHECK_OPTIONS })).rows.length > 1;
      } catch (error) {
        if (error instanceof Problem && error.code === 'timeout') return false; // the statement is valid, but slow
        throw error;
      }
    }
  });
  if (reason) return [complain(['data_as_of', 'sql'], 'expression', `The SQL of data_as_of does not run: ${reason}`)];
  if (!fault) return [];
  const message = `The SQL of data_as_of ${fault}. Write a SELECT that returns one time, like select max(order_date) from main.orders.`;
  return [complain(['data_as_of', 'sql'], 'expression', message)];
}
