// Compiles a measure to one output column, computed from base aggregates, over inner groups, or over the grouped rows.
// Measures can nest, because the output of an inner measure is an input of the outer measure.
import { isNumeric } from '../../contract/warehouse.ts';
import { createExactAggregate, createNullSafeDivision, preserveFraction } from '../../dialects/compiling.ts';
import { callOf, compute as computed, numberOf } from '../../dialects/make-nodes.ts';
import { inferAdditivity } from '../../lens/model/aggregation.ts';
import { findCommonDataset, findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { shortenName } from '../../lens/model/short-name.ts';
import {
  type BaseMeasure,
  type GroupAggregate,
  type GroupCount,
  type Grouping,
  getOuterFunction,
  isAggregate,
  isBaseMeasure,
  type ListMeasure,
  listFields,
  type Measure,
  type ValueAggregate,
} from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { isSameGrouping } from './dimension.ts';
import { createConditionalValue } from './filter-sql.ts';
import { compileBaseMeasure, toPercent as percentage } from './measure.ts';
import { compileChange, compileRestrictedOutput, compileShare } from './measure-parts.ts';
import { compileWindow } from './measure-windows.ts';
import { type BaseAggregate, createAggregateOutput, type GroupedRows, type MeasureOutput } from './output.ts';
import { compileRowValue, describeValue, findValueType } from './row-value.ts';

export function compileOutput(compilation: Compilation, measure: Measure, groups: GroupedRows): MeasureOutput | null {
  const output = buildOutput(compilation, measure, groups);
  return output && { ...output, name: measure.as ?? shortenName(output.name) };
}

function buildOutput(compilation: Compilation, measure: Measure, groups: GroupedRows): MeasureOutput | null {
  const compileInner = (innerMeasure: Measure): MeasureOutput | null =>
    compileOutput(compilation, innerMeasure, groups);
  if (isBaseMeasure(measure)) {
    const output = compileBaseOutput(compilation, measure);
    return measure.where?.length ? compileRestrictedOutput(compilation, output, measure.where, groups) : output;
  }
  switch (measure.fn) {
    case 'ratio':
    case 'difference':
    case 'total': {
      const [left, right] = measure.of.map(compileInner);
      return compileCombinedOutput(compilation, measure, left!, right!);
    }
    case 'product':
    case 'quotient':
      return compileScaledOutput(compilation, measure, compileInner(measure.of));
    case 'round':
      return compileRoundedOutput(compilation, measure, compileInner(measure.of));
    case 'or_zero': {
      const innerOutput = compileInner(measure.of);
      if (!innerOutput || !requireNumber(compilation, innerOutput)) return null;
      const { name, source, value } = innerOutput;
      return {
        ...{ ...innerOutput, name: `${name}_or_zero`, source: `${source} or 0` },
        value: (readAggregate, frame) => callOf('coalesce', [value(readAggregate, frame), numberOf(0)]),
      };
    }
    case 'share':
      return compileShare(compilation, measure, compileInner(measure.of));
    case 'over_groups':
    case 'count_groups':
      return compileGroupsOutput(compilation, measure, groups);
    default:
      return measure.fn === 'change' && measure.from
        ? compileChange(compilation, measure, compileInner(measure.of))
        : compileWindow(compilation, measure, compileInner(measure.of), groups);
  }
}

function compileBaseOutput(compilation: Compilation, measure: BaseMeasure): MeasureOutput | null {
  if (measure.fn === 'list') return compileListOutput(compilation, measure);
  return isAggregate(measure) || measure.fn === 'metric'
    ? compileBaseMeasure(compilation, measure)
    : compileAmountOutput(compilation, measure);
}

/** A factor of 10 or more, or of 0.1 or less, can convert the unit: kilograms divided by 1,000 are tonnes. */
const convertsUnit = (factor: number): boolean => Math.abs(factor) >= 10 || Math.abs(factor) <= 0.1;

function compileScaledOutput(
  compilation: Compilation,
  { fn, by }: Extract<Measure, { fn: 'product' | 'quotient' }>,
  innerOutput: MeasureOutput | null,
): MeasureOutput | null {
  if (!innerOutput || !requireNumber(compilation, innerOutput)) return null;
  const { name, datatype, source } = innerOutput;
  const divides = fn === 'quotient';
  const factor = compilation.literal(by, Number.isInteger(by) ? 'integer' : 'decimal');
  return {
    ...innerOutput,
    unit: convertsUnit(by) ? null : innerOutput.unit,
    name: `${name}_${divides ? 'per' : 'times'}_${String(by).replace(/\W/g, '_')}`,
    datatype: datatype === 'integer' && (divides || !Number.isInteger(by)) ? 'decimal' : datatype,
    source: `${source} ${divides ? '/' : '*'} ${by}`,
    value: (readAggregate, frame) => {
      const value = innerOutput.value(readAggregate, frame);
      return divides
        ? computed(preserveFraction(compilation.dialect, value), '/', factor)
        : computed(value, '*', factor);
    },
  };
}

function requireNumber(compilation: Compilation, { name, datatype }: MeasureOutput): boolean {
  if (!isNumeric(datatype)) compilation.addFault(`${name} is ${datatype}. You can calculate only with numbers.`, name);
  return isNumeric(datatype);
}
const isDateOrDatetime = ({ datatype }: MeasureOutput): boolean => datatype === 'date' || datatype === 'datetime';

const createAggregateKey = (measure: BaseMeasure): string => JSON.stringify({ ...measure, as: null, where: null });

function compileAmountOutput(compilation: Compilation, measure: ValueAggregate): MeasureOutput | null {
  const { fn, value } = measure;
  const datatype = findValueType(compilation, value);
  const path = findCommonDataset(compilation.lens, [...new Set(listFields(value).map((field) => field.path))]);
  const mainDataset = path && findDatasetOfPath(compilation.lens, path)?.name;
  if (!datatype || !path || !mainDataset) return null;
  const words = describeValue(value, ({ field }) => field);
  const baseAggregate: BaseAggregate = {
    ...{
      key: createAggregateKey(measure),
      name: `${fn}_${words.replace(/\W+/g, '_')}`,
      home: mainDataset,
      filter: null,
    },
    ...{ repeatable: fn === 'min' || fn === 'max', isZeroWhenNull: false },
    ...{ additive: fn === 'sum', acceptsCondition: true },
    value: (scope, condition) => {
      const rowAmount = createConditionalValue(condition, compileRowValue(scope, value));
      return fn === 'median'
        ? scope.compileMedian(rowAmount, datatype, path)
        : createExactAggregate(compilation.dialect, fn, rowAmount, datatype);
    },
  };
  return createAggregateOutput(baseAggregate, {
    datatype: fn === 'median' ? 'float' : fn === 'avg' && datatype === 'integer' ? 'decimal' : datatype,
    unit: typeof value === 'object' && 'in' in value ? value.in : null,
    source: `${fn}(${words})`,
  });
}

function compileListOutput(compilation: Compilation, measure: ListMeasure): MeasureOutput {
  const { separator, distinct = false } = measure;
  const { path, field } = measure.field;
  const mainDataset = compilation.requireDataset(path).name;
  const baseAggregate: BaseAggregate = {
    ...{ key: createAggregateKey(measure), name: `list_of_${field}`, home: mainDataset, filter: null },
    ...{ repeatable: distinct, isZeroWhenNull: false, additive: false, acceptsCondition: true },
    value: (scope, condition) => {
      const scopedField = scope.resolveField({
        path: scope.home.dataset.name === mainDataset ? mainDataset : path,
        field,
      });
      return (
        scopedField && scope.compileList(createConditionalValue(condition, scopedField.value), separator, distinct)
      );
    },
  };
  return createAggregateOutput(baseAggregate, { datatype: 'string', unit: null, source: `list of ${path}.${field}` });
}

function compileRoundedOutput(
  compilation: Compilation,
  { digits }: Extract<Measure, { fn: 'round' }>,
  innerOutput: MeasureOutput | null,
): MeasureOutput | null {
  if (!innerOutput || !requireNumber(compilation, innerOutput)) return null;
  const { round } = compilation.dialect.compiling;
  return {
    ...innerOutput,
    name: `${innerOutput.name}_rounded`,
    source: `${innerOutput.source} to ${digits} places`,
    additive: false,
    value: (readAggregate, frame) => round(innerOutput.value(readAggregate, frame), digits),
  };
}

const OPERATOR_SIGNS = { ratio: '/', difference: '-', total: '+' } as const;
const OPERATOR_WORDS = { ratio: 'per', difference: 'minus', total: 'plus' } as const;
function compileCombinedOutput(
  compilation: Compilation,
  { fn, percent }: Extract<Measure, { fn: keyof typeof OPERATOR_SIGNS }>,
  left: MeasureOutput | null,
  right: MeasureOutput | null,
): MeasureOutput | null {
  if (!left || !right) return null;
  const isDateDifference = fn === 'difference' && isDateOrDatetime(left) && isDateOrDatetime(right);
  if (!isDateDifference && (!requireNumber(compilation, left) || !requireNumber(compilation, right))) return null;
  const unit = left.unit === right.unit ? left.unit : null;
  return {
    name: `${left.name}_${OPERATOR_WORDS[fn]}_${right.name}`,
    datatype: fn === 'ratio' ? 'decimal' : isDateDifference ? 'integer' : chooseWiderDatatype(left, right),
    unit: isDateDifference
      ? 'days'
      : fn === 'ratio'
        ? percent
          ? '%'
          : chooseQuotientUnit(left.unit, right.unit)
        : unit,
    source: `${left.source} ${OPERATOR_SIGNS[fn]} ${right.source}`,
    additive: fn !== 'ratio' && !isDateDifference && left.additive && right.additive,
    leaves: [...left.leaves, ...right.leaves],
    windowed: left.windowed || right.windowed,
    value: (readAggregate, frame) => {
      const [l, r] = [left.value(readAggregate, frame), right.value(readAggregate, frame)];
      if (isDateDifference) return compilation.dialect.compiling.daysBetween(r, l);
      if (fn !== 'ratio') return computed(l, OPERATOR_SIGNS[fn], r);
      const quotient = createNullSafeDivision(compilation.dialect, l, r);
      return percent ? percentage(quotient) : quotient;
    },
  };
}
const chooseWiderDatatype = (...outputs: MeasureOutput[]): MeasureOutput['datatype'] =>
  (['float', 'decimal', 'integer'] as const).find((type) => outputs.some(({ datatype }) => datatype === type))!;

/** Aggregates inner groups, which a separate SELECT forms and measures. */
function compileGroupsOutput(
  compilation: Compilation,
  measure: GroupAggregate | GroupCount,
  outerGroups: GroupedRows,
): MeasureOutput | null {
  const fn = getOuterFunction(measure);
  const units: Grouping[] = [...(measure.by ?? []), ...(measure.per ?? []).map((path) => ({ path, field: '' }))];
  const innerOutput = compileOutput(compilation, measure.of, { dimensions: units, time: false });
  if (!innerOutput) return null;
  if (innerOutput.windowed)
    return compilation.addFault(
      `${innerOutput.name} is computed over all groups, so it can't be aggregated over groups again.`,
      innerOutput.name,
    );
  const isOuter = (unit: Grouping): boolean => outerGroups.dimensions.some((outer) => isSameGrouping(outer, unit));
  if (fn === 'sum' && units.some((unit) => unit.through && !isOuter(unit)))
    return compilation.addFault(
      `The sum of ${innerOutput.name} would add overlapping groups, because a row can be in several of them. Use avg, min, max or median over the groups.`,
      innerOutput.name,
    );
  if (fn === 'sum' && !innerOutput.additive && !isAdditiveExtreme(compilation, measure.of))
    return compilation.addFault(
      isExtreme(measure.of)
        ? `${innerOutput.name} is not additive, so its sum over groups is not valid. Use avg, min, max or median over the groups.`
        : `${innerOutput.name} is an average, a ratio or a distinct count, so its sum over groups is not valid. Use avg, min, max or median over the groups.`,
      innerOutput.name,
    );
  if (fn !== 'count' && !requireNumber(compilation, innerOutput)) return null;
  if (fn === 'median' && !compilation.dialect.compiling.median)
    return compilation.addFault('This warehouse has no median. Use avg, min or max.', innerOutput.name);
  const [unit] = units;
  const groupName = unit?.as ?? unit?.grain ?? (unit?.field || unit?.path.replaceAll('.', '_')) ?? 'group';
  const word = fn === 'avg' ? 'average' : fn;
  const name = fn === 'count' ? `number_of_${groupName}` : `${word}_${innerOutput.name}_per_${groupName}`;
  const homes = new Set(innerOutput.leaves.map((leaf) => leaf.home));
  const baseAggregate: BaseAggregate = {
    ...{ key: JSON.stringify(measure), name, home: homes.size === 1 ? [...homes][0]! : '', filter: null },
    ...{ repeatable: false, isZeroWhenNull: fn === 'count', additive: false, acceptsCondition: false },
    over: measure,
    value: () => null,
  };
  return createAggregateOutput(baseAggregate, {
    datatype: fn === 'count' ? 'integer' : fn === 'avg' || fn === 'median' ? 'decimal' : innerOutput.datatype,
    unit: fn === 'count' ? null : innerOutput.unit,
    source: fn === 'count' ? `number of groups` : `${word} of ${innerOutput.source}`,
  });
}

const isExtreme = ({ fn }: Measure): boolean => fn === 'max' || fn === 'min';
/**
 * Whether the groups can sum their highest or lowest values: an additive value then counts once even if several rows of
 * a group have it. Other parts of svc restrict a level to one time, and ask about fields that may not be additive.
 */
function isAdditiveExtreme(compilation: Compilation, measure: Measure): boolean {
  if (!isExtreme(measure) || !('field' in measure)) return isExtreme(measure);
  const { path, field: name } = measure.field;
  const field = compilation.requireField({ path, field: name })?.field;
  if (!field) return false;
  const { how } = inferAdditivity(field, compilation.requireDataset(path));
  return how !== 'average' && how !== 'none';
}

const chooseQuotientUnit = (left: string | null, right: string | null): string | null =>
  left === right ? null : left !== null && right !== null ? `${left}/${right}` : left;
