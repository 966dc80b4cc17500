// Compiles dimensions to output columns: unique names, grains, bins, yes/no conditions, values of one-to-many
// relationships, and nulls for masked fields.
import { type Datatype, isNumeric, isTemporal } from '../../contract/warehouse.ts';
import { preserveFraction } from '../../dialects/compiling.ts';
import { allOf, callOf, caseOf, castOf, compare, compute, nullLiteral, numberOf } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { findValueUnit } from '../../lens/model/aggregation.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findField, type Grain, type Lens } from '../../lens/model/lens.ts';
import { shortenName } from '../../lens/model/short-name.ts';
import { takeFreeName } from '../../platform/take-free-name.ts';
import { formatField, type Grouping, isDayPart, listFields, type RowValue } from '../lens-plan.ts';
import { compileValueAcrossBridge } from './bridge.ts';
import type { Compilation } from './compilation.ts';
import { compileFieldValue, findGrainType } from './field-sql.ts';
import { compileFilter, findFilterPaths } from './filter-sql.ts';
import type { RowScope } from './row-scope.ts';
import { compileRowValue, describeValue, findValueType } from './row-value.ts';

export interface Dimension {
  ref: Grouping;
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  masked: boolean;
  /**
   * The grain of a dimension whose values are in time order, or `day` for a date without a grain. Null for other
   * dimensions.
   */
  timeGrain: Grain | null;
  value: (scope: RowScope) => Expression;
}

export const createDefaultColumnName = ({ field, grain, bin, as }: Grouping): string =>
  as ?? (grain ? `${field}_${grain}` : bin ? `${field}_bin` : field);
export const isSameGrouping = (a: Grouping, b: Grouping): boolean =>
  a.path === b.path &&
  a.field === b.field &&
  a.grain === b.grain &&
  a.bin === b.bin &&
  JSON.stringify([a.when, a.through, a.where, a.value]) === JSON.stringify([b.when, b.through, b.where, b.value]);

/** Returns true if the values of the dimension are in time order. Without another order, a result is sorted by them. */
export function isDateOrPeriod(lens: Lens, { path, field: name, grain }: Grouping): boolean {
  if (isDayPart(grain)) return false;
  const dataset = findDatasetOfPath(lens, path);
  const field = dataset && findField(dataset, name);
  return field !== undefined && isTemporal(field.datatype);
}

export const removeDuplicateGroupings = (refs: Grouping[]): Grouping[] =>
  refs.filter((ref, index) => refs.findIndex((other) => isSameGrouping(ref, other)) === index);

/** The paths that must be reachable from the main dataset's rows through many-to-one joins. */
export const listPaths = ({ path, when, through, value }: Grouping): string[] => {
  if (through) return [];
  if (when) return findFilterPaths(when);
  return value ? listFields(value).map((field) => field.path) : [path];
};

export function compileDimensions(compilation: Compilation, refs: Grouping[], usedNames: string[]): Dimension[] {
  const distinct = removeDuplicateGroupings(refs);
  const takenNames = new Set(usedNames);
  return distinct.flatMap((ref): Dimension[] => {
    const name = createDefaultColumnName(ref);
    const collides =
      usedNames.includes(name) || distinct.some((other) => other !== ref && createDefaultColumnName(other) === name);
    const outputName = takeFreeName(
      takenNames,
      collides ? shortenName(`${ref.path}.${name}`) : ref.as === undefined ? shortenName(name) : name,
    );
    if (ref.when) {
      const flagColumn = { name: outputName, datatype: 'string', unit: null, masked: false, timeGrain: null } as const;
      return [{ ...flagColumn, ref, source: name, value: (scope) => compileYesNoGroup(scope, ref.when!) }];
    }
    if (ref.value) return compileComputedDimensions(compilation, ref, ref.value, outputName);
    const { field } = compilation.requireField(ref);
    if (ref.bin !== undefined && !isNumeric(field.datatype))
      compilation.addFault(`${formatField(ref)} is ${field.datatype}. Only numbers have bins.`, formatField(ref));
    return [
      {
        ref,
        name: outputName,
        datatype: findGrainType(ref.grain) ?? field.datatype,
        unit: ref.grain ? null : findValueUnit(field),
        source: formatField(ref),
        masked: field.masked,
        timeGrain: isDayPart(ref.grain) ? null : (ref.grain ?? (isTemporal(field.datatype) ? 'day' : null)),
        value: (scope) =>
          ref.through
            ? compileValueAcrossBridge(scope, ref, (inner) => compileDimensionValue(inner, ref))
            : compileDimensionValue(scope, ref),
      },
    ];
  });
}

function compileComputedDimensions(
  compilation: Compilation,
  ref: Grouping,
  value: RowValue,
  name: string,
): Dimension[] {
  const datatype = findValueType(compilation, value);
  if (!datatype) return [];
  const unit = typeof value === 'object' && 'in' in value ? value.in : null;
  return [
    {
      ...{
        ref,
        name,
        datatype,
        unit,
        source: describeValue(value, ({ field }) => field),
        masked: false,
        timeGrain: null,
      },
      value: (scope) => compileBins(compilation, ref, compileRowValue(scope, value)),
    },
  ];
}

const compileDimensionValue = (scope: RowScope, ref: Grouping): Expression =>
  compileBins(scope.compilation, ref, compileFieldValue(scope, ref));

function compileBins({ dialect, literal }: Compilation, { bin }: Grouping, value: Expression): Expression {
  if (bin === undefined) return value;
  const { divisible, longQuotients, round, types, exactDecimal } = dialect.compiling;
  const isWhole = Number.isInteger(bin);
  const text = bin.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
  const width = literal(text, isWhole ? 'integer' : 'decimal');
  if ((longQuotients && divisible) || (isWhole && (longQuotients || divisible)))
    return compute(callOf('floor', [compute(preserveFraction(dialect, value), '/', width)]), '*', width);
  // Quotients can be rounded: 0.15 / 0.05 is less than 3 as a double, and 999999.99 / 1000000 can be 1 as a decimal. svc
  // therefore compares the value with the bound of the nearest bin.
  const exactWidth = isWhole || !exactDecimal ? width : exactDecimal(text);
  const nearest = castOf(round(compute(value, '/', width), 0), types.integer);
  const isBelow = compare(value, '<', compute(nearest, '*', exactWidth));
  return compute(compute(nearest, '-', caseOf(isBelow, numberOf(1), numberOf(0))), '*', exactWidth);
}

function compileYesNoGroup(scope: RowScope, when: Grouping['when'] & object): Expression {
  const conditions = when.flatMap((filter) => compileFilter(scope, filter) ?? []);
  const [yes, no] = ['yes', 'no'].map((word) => scope.compilation.literal(word, 'string'));
  return caseOf(allOf(conditions) ?? nullLiteral(), yes!, no!);
}

export function requireUnmasked(compilation: Compilation, dimensions: Dimension[]): void {
  for (const { masked, ref } of dimensions)
    if (masked)
      compilation.addFault(`${formatField(ref)} is masked, so you can't group by it.`, formatField(ref), 'masked');
}
