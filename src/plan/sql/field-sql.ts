// Compiles a field or its period to an output value.
import type { Datatype } from '../../contract/warehouse.ts';
import { createTypedNull } from '../../dialects/compiling.ts';
import { nullLiteral } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { type DayPart, type FieldRef, isDayPart } from '../lens-plan.ts';
import type { RowScope } from './row-scope.ts';

export function compileFieldValue(scope: RowScope, ref: FieldRef): Expression {
  const { compilation } = scope;
  const { dataset, field } = compilation.requireField(ref);
  if (field.masked) {
    compilation.masks.add(`${dataset.name}.${field.name}`);
    return createTypedNull(compilation.dialect, field.datatype);
  }
  const scopedField = scope.resolveField(ref);
  if (!scopedField) return nullLiteral();
  if (!ref.grain) return scopedField.value;
  const { timezone } = compilation.lens;
  const { compiling } = compilation.dialect;
  const isShifted = scopedField.datatype === 'datetimetz' && !(compiling.readsUtc && timezone === 'UTC');
  const zone = isShifted ? compilation.literal(timezone, 'string') : null;
  return isDayPart(ref.grain)
    ? compiling.part(ref.grain, scopedField.value, scopedField.datatype, zone)
    : compiling.truncate(ref.grain, scopedField.value, scopedField.datatype, zone);
}

export const findPartType = (part: DayPart): Datatype => (part === 'weekday' ? 'string' : 'integer');
export const findGrainType = (grain: FieldRef['grain']): Datatype | null =>
  !grain ? null : isDayPart(grain) ? findPartType(grain) : 'date';
