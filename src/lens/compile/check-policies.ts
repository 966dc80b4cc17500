// Checks that row policies run in the governed subquery of their dataset, and that the SQL of data_as_of returns a
// single time.
import { findDialect } from '../../dialects/dialects.ts';
import { nullLiteral } from '../../dialects/make-nodes.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import { type Caller, findDataset, type Lens, type RowPolicy, SVC_CALLER } from '../model/lens.ts';
import { formatTableName } from '../model/sql-name.ts';
import { findAttributes } from '../model/sql-words.ts';
import { type AuthoredExpressionReader, getAuthoredReader } from '../policies/authored-reader.ts';
import { createGovernedRelations, guardStatementOverLens } from '../policies/governed-relations.ts';
import { inferAttributeTypes } from '../policies/policy-types.ts';
import { findConditionFault } from './check-conditions.ts';
import {
  CHECK_OPTIONS,
  catchErrorMessage,
  type LensCheck,
  MAX_CONCURRENT_CHECKS,
  READ_OPTIONS,
} from './checked-warehouse.ts';

const TEST_CALLER: Caller = { name: 'plan', groups: [], attributes: {}, superuser: false };

export async function checkPolicies(check: LensCheck): Promise<ProjectProblem[]> {
  const readAuthored = await getAuthoredReader(check.lens);
  const policies = [...check.lens.rowPolicies.entries()];
  const faults = await mapInParallel(policies, MAX_CONCURRENT_CHECKS, async ([index, policy]) => {
    const fault = await findPolicyFault(check, policy, readAuthored);
    return fault && check.problemAt(['row_policies', index, 'filter'], fault.code, fault.message);
  });
  return faults.filter((fault) => fault !== null);
}

async function findPolicyFault(
  { lens, warehouse }: LensCheck,
  policy: RowPolicy,
  readAuthored: AuthoredExpressionReader,
): Promise<{ code: string; message: string } | null> {
  const { name } = inferAttributeTypes(lens, policy, readAuthored).find(({ type }) => type === null) ?? {};
  if (name !== undefined) {
    const message = `The required type of {caller.${name}} is not known. Compare it with a field, or add a cast: cast({caller.${name}} as integer).`;
    return { code: 'attribute_type', message };
  }
  const conditionFault = await findConditionFault(lens, policy.filter, policy.columnTypes);
  if (conditionFault) return { code: 'datatype', message: conditionFault };
  const reason = await catchErrorMessage(async () =>
    warehouse.describe(await guardPolicy(lens, policy, readAuthored), CHECK_OPTIONS),
  );
  if (!reason) return null;
  return { code: 'expression', message: `The row policy "${policy.name}" fails in the warehouse: ${reason}` };
}

/**
 * Guards a test statement with the policy. The statement has null for every attribute, because null fits every type and
 * svc knows the values only during an ask.
 */
async function guardPolicy(lens: Lens, policy: RowPolicy, readAuthored: AuthoredExpressionReader) {
  const dataset = findDataset(lens, policy.dataset)!;
  const nulls = findAttributes(policy.filter).map(() => nullLiteral());
  const filter = findDialect(lens.dialect).writeExpression(readAuthored(policy.filter, nulls));
  const singlePolicyLens: Lens = { ...lens, rowPolicies: [{ ...policy, filter, groups: [] }] };
  const relations = await createGovernedRelations(singlePolicyLens, TEST_CALLER);
  return guardSql(`select count(*) as n from ${formatTableName(lens.dialect, dataset.source)}`, {
    dialect: lens.dialect,
    // Omits other datasets that read the same table.
    relations: relations.filter((relation) => relation.dataset === policy.dataset),
    mode: 'govern',
    maxRows: 1,
  });
}

export async function checkDataTimestamp({ lens, warehouse, problemAt }: LensCheck): Promise<ProjectProblem[]> {
  if (!lens.dataAsOf || !('sql' in lens.dataAsOf)) return [];
  const { sql } = lens.dataAsOf;
  let fault: string | null = null;
  const reason = await catchErrorMessage(async () => {
    const statement = await guardStatementOverLens(lens, SVC_CALLER, sql, {
      mode: 'govern',
      maxRows: 2,
      shown: 'approved',
    });
    const columns = await warehouse.describe(statement, CHECK_OPTIONS);
    if (columns.length !== 1) fault = `returns ${columns.length} columns`;
    else if (!['date', 'datetime', 'datetimetz', 'string'].includes(columns[0]!.datatype))
      fault = `returns values of the type ${columns[0]!.datatype}`;
    else {
      const rows = await warehouse.fetch(statement, READ_OPTIONS).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'timeout') return null; // a statement that reaches the time limit is valid
        throw error;
      });
      if (rows && rows.rows.length > 1) fault = 'returns several rows';
    }
  });
  if (!reason && !fault) return [];
  const message = reason
    ? `The SQL of data_as_of does not run: ${reason}`
    : `The SQL of data_as_of ${fault}. Write a SELECT that returns one time, like select max(order_date) from main.orders.`;
  return [problemAt(['data_as_of', 'sql'], 'expression', message)];
}
