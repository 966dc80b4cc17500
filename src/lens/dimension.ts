// Dimensions as output columns: names without collisions, grains, bins, conditions as yes and no, values on the many side,
// and masked fields as nulls.
import type { Datatype } from '../contract/warehouse.ts';
import { unitOfValues } from './aggregation.ts';
import { bridgedSql } from './bridge.ts';
import type { Compilation } from './compilation.ts';
import { fieldSql, typeOfGrain } from './field-sql.ts';
import { filterPaths, filterSql } from './filter-sql.ts';
import { type FieldRef, type Grouping, isDayPart } from './intent.ts';
import type { Grain } from './lens.ts';
import type { RowScope } from './row-scope.ts';

export interface Dimension {
  ref: Grouping;
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  masked: boolean;
  /** Set when it can order time: its grain, or day for a bare date. */
  timeGrain: Grain | null;
  sql: (scope: RowScope) => string;
}

const bare = ({ field, grain, bin, as }: Grouping): string =>
  as ?? (grain ? `${field}_${grain}` : bin ? `${field}_bin` : field);
export const sameRef = (a: Grouping, b: Grouping): boolean =>
  a.path === b.path &&
  a.field === b.field &&
  a.grain === b.grain &&
  a.bin === b.bin &&
  JSON.stringify([a.when, a.through]) === JSON.stringify([b.when, b.through]);

/** What the rows must lead to for it. */
export const pathsOf = ({ path, when, through }: Grouping): string[] =>
  through ? [] : when ? filterPaths(when) : [path];

export function dimensionsOf(compilation: Compilation, refs: Grouping[], taken: string[]): Dimension[] {
  const distinct = refs.filter((ref, index) => refs.findIndex((other) => sameRef(ref, other)) === index);
  return distinct.flatMap((ref): Dimension[] => {
    const name = bare(ref);
    const collides = taken.includes(name) || distinct.some((other) => other !== ref && bare(other) === name);
    const shown = collides ? `${ref.path}.${name}` : name;
    if (ref.when) {
      const judged = { name: shown, datatype: 'string', unit: null, masked: false, timeGrain: null } as const;
      return [{ ...judged, ref, source: name, sql: (scope) => yesOrNo(compilation, scope, ref.when!) }];
    }
    const known = compilation.field(ref);
    if (!known) return [];
    const { field } = known;
    const temporal = ['date', 'datetime', 'datetimetz'].includes(field.datatype);
    if (ref.bin !== undefined && !['integer', 'decimal', 'float'].includes(field.datatype))
      compilation.fault(`${ref.path}.${ref.field} is ${field.datatype}; only numbers have bins.`, written(ref));
    return [
      {
        ref,
        name: shown,
        datatype: typeOfGrain(ref.grain) ?? field.datatype,
        unit: ref.grain ? null : unitOfValues(field),
        source: written(ref),
        masked: field.masked,
        timeGrain: isDayPart(ref.grain) ? null : (ref.grain ?? (temporal ? 'day' : null)),
        sql: (scope) =>
          ref.through
            ? bridgedSql(compilation, scope, ref.through, (inner) => valueSql(compilation, inner, ref))
            : valueSql(compilation, scope, ref),
      },
    ];
  });
}
const written = ({ path, field }: FieldRef): string => `${path}.${field}`;

function valueSql(compilation: Compilation, scope: RowScope, ref: Grouping): string {
  const sql = fieldSql(compilation, scope, ref);
  if (ref.bin === undefined) return sql;
  const width = compilation.literal(ref.bin, Number.isInteger(ref.bin) ? 'integer' : 'decimal');
  const again = compilation.literal(ref.bin, Number.isInteger(ref.bin) ? 'integer' : 'decimal');
  return `floor(${compilation.sql.exact(sql)} / ${width}) * ${again}`;
}

function yesOrNo(compilation: Compilation, scope: RowScope, when: Grouping['when'] & object): string {
  const holds = when.flatMap((filter) => filterSql(compilation, scope, filter) ?? []);
  const [yes, no] = ['yes', 'no'].map((word) => compilation.literal(word, 'string'));
  return `case when ${holds.join(' and ')} then ${yes} else ${no} end`;
}

export function noneMasked(compilation: Compilation, dimensions: Dimension[]): void {
  for (const { masked, ref } of dimensions)
    if (masked) compilation.fault(`${written(ref)} is masked: nothing can be grouped by it.`, written(ref), 'masked');
}
