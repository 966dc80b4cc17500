// Groups measured rows by values in rows that a one-to-many relationship joins to them. Each measured row appears once
// for each distinct value, so that a group never counts a row twice.
import { allOf, columnOf, compare, itemOf, nullLiteral, selectOf } from '../../dialects/make-nodes.ts';
import { areTreesEqual } from '../../dialects/nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import type { Grouping } from '../lens-plan.ts';
import { compileFilter } from './filter-sql.ts';
import { correlateKeys } from './related-rows.ts';
import type { RowScope } from './row-scope.ts';

export function compileValueAcrossBridge(
  scope: RowScope,
  { through: path = '', where = [] }: Grouping,
  value: (innerScope: RowScope) => Expression,
): Expression {
  const { compilation } = scope;
  // If the linking dataset is reachable from the measured rows through many-to-one joins, each measured row has only
  // one value.
  const bridge = findDatasetOfPath(compilation.lens, path);
  if (bridge && scope.canReach(path)) {
    scope.addRequiredConditions(where.flatMap((filter) => compileFilter(scope, filter) ?? []));
    return value(scope);
  }
  const key = JSON.stringify([path, where]);
  const derived = scope.addSubquery(key, (alias) => {
    const side = correlateKeys(scope, path, undefined);
    if (!side) return null;
    const { inner, innerKeys, outerKeys, outer } = side;
    const conditions = where.flatMap((filter) => compileFilter(inner, filter) ?? []);
    const values: Expression[] = [];
    compilation.notes.add(
      `A row of ${outer.dataset.name} can have several values, because ${path} links it to several rows. The row is counted once in the group of each value, so the groups overlap and do not add up to the total.`,
    );
    const compileBody = () => {
      const items = [
        ...innerKeys.map((key, index) => itemOf(key, `key_${index + 1}`)),
        ...values.map((value, index) => itemOf(value, `value_${index + 1}`)),
      ];
      return selectOf(items, [inner.compileFromClause()], { distinct: { on: [] }, where: allOf(conditions) });
    };
    return {
      join: conditions.length > 0 ? 'inner' : 'left',
      body: compileBody,
      on: allOf(outerKeys.map((key, index) => compare(columnOf(alias, `key_${index + 1}`), '=', key))),
      value: (make) => {
        const value = make(inner);
        const existingIndex = values.findIndex((item) => areTreesEqual(item, value));
        return columnOf(alias, `value_${existingIndex < 0 ? values.push(value) : existingIndex + 1}`);
      },
    };
  });
  return derived?.value(value) ?? nullLiteral();
}
