// Checks that row policies run in the governed subquery of their dataset. In this check, every attribute is null.
import { dialectOf } from '../../dialects/dialects.ts';
import { nullLiteral } from '../../dialects/make-nodes.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { CreateProblem } from '../files/yaml-file.ts';
import { type Caller, findDataset, type Lens, type RowPolicy } from '../model/lens.ts';
import { tableName } from '../model/sql-name.ts';
import { attributesIn } from '../model/sql-words.ts';
import { getAuthoredReader, type ReadAuthored } from '../policies/authored.ts';
import { governedRelations } from '../policies/governed-relations.ts';
import { attributeTypes } from '../policies/policy-types.ts';
import { findConditionFault } from './check-conditions.ts';
import { CHECK_OPTIONS, CHECKS_AT_ONCE, type CheckedWarehouse, captureFailure } from './checked-warehouse.ts';

const CHECK_CALLER: Caller = { name: 'plan', groups: [], attributes: {}, superuser: false };

export async function checkPolicies(
  lens: Lens,
  warehouse: CheckedWarehouse,
  complain: CreateProblem,
): Promise<ProjectProblem[]> {
  const readAuthored = await getAuthoredReader(lens);
  const foundProblems = await mapInParallel(
    [...lens.rowPolicies.entries()],
    CHECKS_AT_ONCE,
    async ([index, policy]) => {
      const untypedAttribute = attributeTypes(lens, policy, readAuthored).find(({ type }) => type === null);
      if (untypedAttribute) {
        const message = `The required type of {caller.${untypedAttribute.name}} is not known. Compare it with a field, or add a cast: cast({caller.${untypedAttribute.name}} as integer).`;
        return [complain(['row_policies', index, 'filter'], 'attribute_type', message)];
      }
      const conditionFault = await findConditionFault(lens, policy.filter, policy.columnTypes);
      if (conditionFault) return [complain(['row_policies', index, 'filter'], 'datatype', conditionFault)];
      const reason = await captureFailure(() => describePolicy(lens, policy, readAuthored, warehouse));
      if (!reason) return [];
      const message = `The row policy "${policy.name}" fails in the warehouse: ${reason}`;
      return [complain(['row_policies', index, 'filter'], 'expression', message)];
    },
  );
  return foundProblems.flat();
}

async function describePolicy(
  lens: Lens,
  policy: RowPolicy,
  readAuthored: ReadAuthored,
  warehouse: CheckedWarehouse,
): Promise<void> {
  const dataset = findDataset(lens, policy.dataset)!;
  // Null fits every type, and svc knows the values of attributes only during an ask.
  const nulls = attributesIn(policy.filter).map(() => nullLiteral());
  const filter = dialectOf(lens.dialect).writeExpression(readAuthored(policy.filter, nulls));
  const singlePolicyLens: Lens = { ...lens, rowPolicies: [{ ...policy, filter, groups: [] }] };
  const relations = await governedRelations(singlePolicyLens, CHECK_CALLER);
  const statement = await guardSql(`select count(*) as n from ${tableName(lens.dialect, dataset.source)}`, {
    dialect: lens.dialect,
    // Other datasets can read the same table.
    relations: relations.filter((relation) => relation.dataset === policy.dataset),
    mode: 'govern',
    maxRows: 1,
  });
  await warehouse.describe(statement, CHECK_OPTIONS);
}
