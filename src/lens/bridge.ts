// Values on the many side of a bridge: each row of the home stands once beside each distinct value that rows of the bridge
// lead to, so that no value counts it twice.
import type { Compilation } from './compilation.ts';
import { filterSql, relatedSide } from './filter-sql.ts';
import type { Grouping } from './intent.ts';
import { datasetOfPath } from './join-paths.ts';
import type { RowScope } from './row-scope.ts';
import { indent } from './sql-name.ts';

export function bridgedSql(
  compilation: Compilation,
  scope: RowScope,
  { path, where }: Grouping['through'] & object,
  value: (inner: RowScope) => string,
): string {
  // Rows that are themselves of the bridge, or lead to one of its, have one value.
  const bridge = datasetOfPath(compilation.lens, path);
  if (bridge && scope.reaches(path)) {
    scope.require(where.flatMap((filter) => filterSql(compilation, scope, filter) ?? []));
    return value(scope);
  }
  const key = JSON.stringify([path, where]);
  const derived = scope.derived(key, (alias) => {
    const side = relatedSide(compilation, scope, path, undefined);
    if (!side) return null;
    const { inner, innerKeys, outerKeys, outer } = side;
    const conditions = where.flatMap((filter) => filterSql(compilation, inner, filter) ?? []);
    const values: string[] = [];
    compilation.notes.add(
      `A row of ${outer.dataset.name} with several values through ${path} is counted once under each of them; such groups overlap and do not add up to the total.`,
    );
    const body = (): string => {
      const items = [
        ...innerKeys.map((sql, index) => `${sql} as key_${index + 1}`),
        ...values.map((sql, index) => `${sql} as value_${index + 1}`),
      ];
      const filtered = conditions.length > 0 ? `\nwhere ${conditions.join('\n  and ')}` : '';
      return `select distinct\n${indent(items.join(',\n'))}\n${inner.from()}${filtered}`;
    };
    return {
      join: conditions.length > 0 ? 'join' : 'left join',
      body,
      on: outerKeys.map((sql, index) => `${alias}.key_${index + 1} = ${sql}`).join(' and '),
      value: (make) => {
        const sql = make(inner);
        const known = values.indexOf(sql);
        return `${alias}.value_${known < 0 ? values.push(sql) : known + 1}`;
      },
    };
  });
  return derived?.value(value) ?? 'null';
}
