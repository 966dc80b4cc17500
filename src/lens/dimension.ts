// Dimensions as output columns: names without collisions, grains, and masked fields as nulls.

import type { Datatype } from '../contract/warehouse.ts';
import { unitOfValues } from './aggregation.ts';
import type { Compilation } from './compilation.ts';
import { type FieldRef, isDayPart } from './intent.ts';
import type { Grain } from './lens.ts';
import type { RowScope } from './row-scope.ts';

export interface Dimension {
  ref: FieldRef;
  name: string;
  datatype: Datatype;
  unit: string | null;
  masked: boolean;
  /** Set when it can order time: its grain, or day for a bare date. */
  timeGrain: Grain | null;
  sql: (scope: RowScope) => string;
}

const bare = ({ field, grain }: FieldRef): string => (grain ? `${field}_${grain}` : field);
export const sameRef = (a: FieldRef, b: FieldRef): boolean =>
  a.path === b.path && a.field === b.field && a.grain === b.grain;

const typeOf = (grain: FieldRef['grain']): Datatype | null =>
  !grain ? null : grain === 'weekday' ? 'string' : grain === 'hour' ? 'integer' : 'date';

export function dimensionsOf(compilation: Compilation, refs: FieldRef[], taken: string[]): Dimension[] {
  const distinct = refs.filter((ref, index) => refs.findIndex((other) => sameRef(ref, other)) === index);
  return distinct.flatMap((ref) => {
    const known = compilation.field(ref);
    if (!known) return [];
    const { field } = known;
    const name = bare(ref);
    const collides = taken.includes(name) || distinct.some((other) => other !== ref && bare(other) === name);
    const temporal = ['date', 'datetime', 'datetimetz'].includes(field.datatype);
    return [
      {
        ref,
        name: collides ? `${ref.path}.${name}` : name,
        datatype: typeOf(ref.grain) ?? field.datatype,
        unit: ref.grain ? null : unitOfValues(field),
        masked: field.masked,
        timeGrain: isDayPart(ref.grain) ? null : (ref.grain ?? (temporal ? 'day' : null)),
        sql: (scope) => fieldSql(compilation, scope, ref),
      },
    ];
  });
}

export function noneMasked(compilation: Compilation, dimensions: Dimension[]): void {
  for (const { masked, ref } of dimensions)
    if (masked)
      compilation.fault(
        `${ref.path}.${ref.field} is masked: nothing can be grouped by it.`,
        `${ref.path}.${ref.field}`,
        'masked',
      );
}

/** A field or its period, as a shown value. */
export function fieldSql(compilation: Compilation, scope: RowScope, ref: FieldRef): string {
  const known = compilation.field(ref);
  if (known?.field.masked) {
    compilation.masks.add(`${known.dataset.name}.${known.field.name}`);
    return compilation.sql.typedNull(known.field.datatype);
  }
  const found = scope.field(ref);
  if (!found) return 'null';
  if (!ref.grain) return found.sql;
  const { timezone } = compilation.lens;
  const shifted = found.datatype === 'datetimetz' && !(compilation.sql.readsUtc && timezone === 'UTC');
  const zone = shifted ? compilation.literal(timezone, 'string') : '';
  return isDayPart(ref.grain)
    ? compilation.sql.part(ref.grain, found.sql, found.datatype, zone)
    : compilation.sql.truncate(ref.grain, found.sql, found.datatype, zone);
}
