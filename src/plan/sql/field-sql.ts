// Compiles a field or its period to an output value.
import { type Datatype, type Duration, isTemporal } from '../../contract/warehouse.ts';
import { createTypedNull } from '../../dialects/compiling.ts';
import { nullLiteral } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findField, type Lens } from '../../lens/model/lens.ts';
import { type Condition, type DayPart, type FieldRef, isDayPart } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
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
  const { compiling } = compilation.dialect;
  const zone = createZoneArgument(compilation, scopedField.datatype);
  return isDayPart(ref.grain)
    ? compiling.part(ref.grain, scopedField.value, scopedField.datatype, zone)
    : compiling.truncate(ref.grain, scopedField.value, scopedField.datatype, zone);
}

/** The day of a date or time in the lens's time zone. */
export const compileDay = (compilation: Compilation, value: Expression, datatype: Datatype): Expression =>
  datatype === 'date'
    ? value
    : compilation.dialect.compiling.truncate('day', value, datatype, createZoneArgument(compilation, datatype));

function createZoneArgument({ lens, dialect, literal }: Compilation, datatype: Datatype): Expression | null {
  const isShifted = datatype === 'datetimetz' && !(dialect.compiling.readsUtc && lens.timezone === 'UTC');
  return isShifted ? literal(lens.timezone, 'string') : null;
}

/** Returns true if exactly one of two dates has no time of day. svc then compares their days. */
export const areComparedByDay = (...types: [Datatype, Datatype]): boolean =>
  types.every(isTemporal) && (types[0] === 'date') !== (types[1] === 'date');

export const findPartType = (part: DayPart): Datatype => (part === 'weekday' ? 'string' : 'integer');
export const findGrainType = (grain: FieldRef['grain']): Datatype | null =>
  !grain ? null : isDayPart(grain) ? findPartType(grain) : 'date';

/** The datatypes of a field and of the field that it is compared with. Next to a time, a date plus hours is a time. */
export function findComparedTypes(
  lens: Lens,
  field: FieldRef,
  { field: otherField, plus }: NonNullable<Condition['other']>,
): [Datatype, Datatype] {
  const [type, otherType] = [field, otherField].map(
    (ref) => findGrainType(ref.grain) ?? findField(findDatasetOfPath(lens, ref.path)!, ref.field)!.datatype,
  ) as [Datatype, Datatype];
  const hasTime = otherType === 'date' && type !== 'date' && plus && isTimeUnit(plus.unit);
  return [type, hasTime ? 'datetime' : otherType];
}
export const isTimeUnit = (unit: Duration['unit']): boolean =>
  unit === 'second' || unit === 'minute' || unit === 'hour';
