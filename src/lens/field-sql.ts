// A field or its period, as a shown value.
import type { Datatype } from '../contract/warehouse.ts';
import type { Compilation } from './compilation.ts';
import { type DayPart, type FieldRef, isDayPart } from './intent.ts';
import type { RowScope } from './row-scope.ts';

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

export const typeOfPart = (part: DayPart): Datatype => (part === 'weekday' ? 'string' : 'integer');
export const typeOfGrain = (grain: FieldRef['grain']): Datatype | null =>
  !grain ? null : isDayPart(grain) ? typeOfPart(grain) : 'date';
