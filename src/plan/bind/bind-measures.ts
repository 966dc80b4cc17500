// Resolves the names in a plan's measures and dimensions.
import type { PlanDimension, PlanHaving, PlanMeasure, PlanTimeWindow, PlanValue } from '../../contract/plan-types.ts';
import { isNumeric } from '../../contract/warehouse.ts';
import { inferAdditivity } from '../../lens/model/aggregation.ts';
import { findCommonDataset, findDatasetOfPath, isDatasetOrRole } from '../../lens/model/join-paths.ts';
import { findField, GRAINS, type Lens } from '../../lens/model/lens.ts';
import { findBaseDataset } from '../base-measures.ts';
import {
  type FieldRef,
  formatField,
  type Grouping,
  getRowsPath,
  type Having,
  isAggregate,
  isDayPart,
  isGroupMeasure,
  isSameField,
  listBaseMeasures,
  listFields,
  type Measure,
  type Period,
  type RowValue,
} from '../lens-plan.ts';
import { isSameGrouping } from '../sql/dimension.ts';
import { findFilterPaths } from '../sql/filter-sql.ts';
import { bindFilters } from './bind-filters.ts';
import { bindWindow } from './bind-window.ts';
import {
  type BindingContext,
  requireName,
  requirePlainField,
  resolveDataset,
  resolveField,
  resolveMetric,
  resolvePath,
} from './names.ts';

/** Measures of the plan, by name. Other measures can refer to them in the same way as to metrics. */
export type MeasuresByName = ReadonlyMap<string, Measure>;

type PlanMeasureObject = Exclude<PlanMeasure, string>;
type MeasureOverGroups = Extract<Measure, { fn: 'over_groups' | 'count_groups' }>;

export function bindMeasure(
  names: BindingContext,
  measure: PlanMeasure,
  measuresByName: MeasuresByName,
  path: string,
): Measure | null {
  if (typeof measure === 'string') {
    const namedMeasure = measuresByName.get(measure);
    if (namedMeasure) return namedMeasure;
    const validNames = [...names.lens.metrics.map(({ name }) => name), ...measuresByName.keys()];
    const metric = requireName(names, 'metric or measure', measure, validNames, path);
    return metric === null ? null : { fn: 'metric', metric };
  }
  const boundMeasure = bindMeasureMembers(names, measure, measuresByName, path);
  if (!boundMeasure || reportMeasureFaults(names, boundMeasure, path)) return null;
  const nearestPath = findNearestPath(names.lens, boundMeasure) ?? names.nearPath;
  const where =
    'where' in measure ? bindFilters({ ...names, nearPath: nearestPath }, measure.where, `${path}.where`) : [];
  return where.length > 0 ? ({ ...boundMeasure, where } as Measure) : boundMeasure;
}

/** Resolves the names in all members except `where`. These members decide where svc looks up the names in `where`. */
function bindMeasureMembers(
  names: BindingContext,
  measure: PlanMeasureObject,
  measuresByName: MeasuresByName,
  path: string,
): Measure | null {
  const bindInner = (innerMeasure: PlanMeasure, memberPath: string): Measure | null =>
    bindMeasure(names, innerMeasure, measuresByName, memberPath);
  const binders: Record<string, (value: never, memberPath: string) => unknown> = {
    metric: (name: string, memberPath) => resolveMetric(names, name, memberPath),
    rows: (name: string, memberPath) => resolvePath(names, name, memberPath),
    field: (name: string, memberPath) => resolveField(names, name, memberPath),
    value: (value: PlanValue, memberPath) => bindComputedValue(names, value, memberPath)?.value ?? null,
    of: (innerMeasures: PlanMeasure | PlanMeasure[], memberPath) =>
      Array.isArray(innerMeasures)
        ? innerMeasures.map((item, index) => bindInner(item, `${memberPath}[${index}]`))
        : bindInner(innerMeasures, memberPath),
    by: (by: number | PlanDimension[], memberPath) =>
      typeof by === 'number' ? by : bindDimensions(names, by, memberPath),
    within: (dimensions: PlanDimension[], memberPath) => bindDimensions(names, dimensions, memberPath),
    per: (per: string[], memberPath) =>
      per.flatMap((item, index) => resolvePath(names, item, `${memberPath}[${index}]`) ?? []),
    having: (having: PlanHaving[], memberPath) => bindHaving(names, having, measuresByName, memberPath),
  };
  const {
    where: _where,
    every,
    from,
    to,
    ...given
  } = measure as PlanMeasureObject & {
    every?: string;
    from?: PlanTimeWindow;
    to?: PlanTimeWindow;
    where?: unknown;
  };
  const members = Object.entries(given)
    .map(
      ([key, member]) =>
        [
          key,
          member === undefined || !binders[key] ? member : binders[key](member as never, `${path}.${key}`),
        ] as const,
    )
    .filter(
      ([, member]) => member !== undefined && member !== false && !(Array.isArray(member) && member.length === 0),
    );
  if (members.some(([, member]) => member === null || (Array.isArray(member) && member.includes(null)))) return null;
  const boundMeasure = Object.fromEntries(members) as unknown as Measure;
  if (boundMeasure.fn === 'change') return bindChange(names, boundMeasure, { from, to }, path);
  if (!isGroupMeasure(boundMeasure)) return boundMeasure;
  if (!('by' in measure && measure.by) && !('per' in measure && measure.per))
    return names.reportProblem(path, 'Add the groups: `by` (dimensions) or `per` (datasets).', 'missing');
  return withGroupMeasure(names, boundMeasure, every, path);
}

/** The dataset or role where svc first looks up the names in a measure's conditions. */
function findNearestPath(lens: Lens, measure: Measure): string | null {
  if ('rows' in measure) return measure.rows;
  if ('field' in measure) return measure.field.path;
  if ('value' in measure)
    return findCommonDataset(lens, [...new Set(listFields(measure.value).map(({ path }) => path))]);
  return findMainDataset(lens, measure);
}

/** Returns the dataset whose rows the first aggregate of a measure reads. */
export const findMainDataset = (lens: Lens, measure: Measure | undefined): string | null => {
  const [base] = measure ? listBaseMeasures(measure) : [];
  return base ? findBaseDataset(lens, base) : null;
};

/** Removes the column name, because a measure inside another measure isn't a column. */
const withoutName = (measure: Measure | null): Measure | null => {
  if (!measure) return null;
  const { as: _as, ...rest } = measure;
  return rest as Measure;
};

const COUNT_FUNCTIONS = ['count', 'count_distinct'];

/** Reports members that contradict each other, and fields that the measure's function can't use. */
function reportMeasureFaults(names: BindingContext, measure: Measure, path: string): boolean {
  const { lens, reportProblem } = names;
  const reportFault = (key: string, message: string, code?: string): true => {
    reportProblem(`${path}${key}`, message, code);
    return true;
  };
  const { fn } = measure;
  if ((fn === 'difference' || fn === 'total') && measure.percent)
    return reportFault('.percent', `\`percent\` is only for a ratio. A ${fn} has the unit of its measures.`);
  if (fn === 'quotient' && measure.by === 0)
    return reportFault('.by', 'Division by 0 is not possible. Give another number.');
  if (fn === 'list') return reportTextFieldFault(names, measure.field, `${path}.field`, 'A list');
  if (!AGGREGATE_FUNCTIONS.includes(fn)) return false;
  const { rows, field: ref, value } = measure as { rows?: string; field?: FieldRef; value?: RowValue };
  if (fn === 'count' && (rows === undefined) === (ref === undefined))
    return reportFault('', '`count` needs either `rows` (a dataset) or `field`.');
  if (fn !== 'count' && (ref === undefined) === (value === undefined))
    return reportFault('', `${fn} needs either \`field\` or \`value\`.`, 'missing');
  if (fn === 'count_distinct' && value !== undefined)
    return reportFault(
      '.fn',
      '`count_distinct` needs a field. For a value, use `sum`, `avg`, `min`, `max` or `median`.',
    );
  if (!ref) return false;
  const writtenName = formatField(ref);
  if (!requirePlainField(names, ref, 'An aggregate', `${path}.field`)) return true;
  const dataset = findDatasetOfPath(lens, ref.path)!;
  const { datatype, masked } = findField(dataset, ref.field)!;
  if (['sum', 'avg', 'median'].includes(fn) && !isNumeric(datatype)) {
    const numbers = dataset.fields.filter(
      (field) => isNumeric(field.datatype) && !field.masked && inferAdditivity(field, dataset).how !== 'none',
    );
    const suggestion =
      numbers.length > 0 ? `Numbers in ${ref.path}: ${joinFieldNames(numbers)}.` : 'Use count or count_distinct.';
    return reportFault('.field', `${fn} needs a number; ${writtenName} is ${datatype}. ${suggestion}`);
  }
  if (masked && fn !== 'count_distinct')
    return reportFault(
      '.field',
      `${writtenName} is masked. You can only list it, as null, or use count_distinct.`,
      'masked',
    );
  if (!COUNT_FUNCTIONS.includes(fn) && datatype === 'boolean')
    return reportFault(
      '.field',
      `${writtenName} is a boolean. To count the rows in which it is true, use \`where\` instead.`,
    );
  return false;
}
const AGGREGATE_FUNCTIONS: readonly string[] = [...COUNT_FUNCTIONS, 'sum', 'avg', 'min', 'max', 'median'];
const joinFieldNames = (fields: readonly { name: string }[]): string => fields.map(({ name }) => name).join(', ');

function reportTextFieldFault(
  { lens, reportProblem }: Pick<BindingContext, 'lens' | 'reportProblem'>,
  ref: FieldRef,
  path: string,
  subject: string,
): boolean {
  const writtenName = formatField(ref);
  const { datatype, masked } = findField(findDatasetOfPath(lens, ref.path)!, ref.field)!;
  if (masked)
    reportProblem(
      path,
      `${writtenName} is masked. You can only list it as a dimension, as null, or use count_distinct.`,
      'masked',
    );
  else if (datatype !== 'string')
    reportProblem(
      path,
      `${subject} needs a string; ${writtenName} is ${datatype}. Add a field to the lens: {datatype: string, expression: cast(${ref.field} as varchar)}.`,
    );
  return masked || datatype !== 'string';
}

function bindComputedValue(
  names: BindingContext,
  planValue: PlanValue,
  path: string,
): { value: RowValue; home: string } | null {
  const value = bindRowValue(names, planValue, path);
  if (value === null) return null;
  const paths = [...new Set(listFields(value).map((field) => field.path))];
  const mainDataset = paths.length === 0 ? null : findCommonDataset(names.lens, paths);
  if (paths.length === 0) return names.reportProblem(path, 'Add a field. A number alone is the same for each row.');
  return mainDataset
    ? { value, home: mainDataset }
    : names.reportProblem(
        path,
        `One value can't combine fields of ${paths.join(', ')}, because no dataset has joins to all of them. Use fields of one dataset, or a separate measure for each.`,
        'fan_out',
      );
}

function bindRowValue(names: BindingContext, planValue: PlanValue, path: string): RowValue | null {
  if (typeof planValue === 'number') return planValue;
  if (typeof planValue === 'string') return bindPlainField(names, planValue, path);
  if ('or' in planValue) {
    const field = bindPlainField(names, planValue.field, `${path}.field`);
    return field && { field, or: planValue.or };
  }
  if ('items' in planValue) {
    const field = resolveField(names, planValue.items, `${path}.items`);
    const hasFieldFault = !field || reportTextFieldFault(names, field, `${path}.items`, 'A number of items');
    return hasFieldFault ? null : { items: field, separator: planValue.separator };
  }
  if ('from' in planValue) {
    const [from, to] = [
      bindPlainField(names, planValue.from, `${path}.from`),
      bindPlainField(names, planValue.to, `${path}.to`),
    ];
    return from && to && { from, to, in: planValue.in };
  }
  const values = planValue.of.map((item, index) => bindRowValue(names, item, `${path}.of[${index}]`));
  return values.reduce((leftMeasure, rightMeasure) =>
    leftMeasure === null || rightMeasure === null ? null : { op: planValue.op, of: [leftMeasure, rightMeasure] },
  );
}

function bindPlainField(names: BindingContext, name: string, path: string): FieldRef | null {
  return requirePlainField(names, resolveField(names, name, path), 'A value', path);
}

function bindChange(
  names: BindingContext,
  change: Extract<Measure, { fn: 'change' }>,
  { from, to }: { from?: PlanTimeWindow | undefined; to?: PlanTimeWindow | undefined },
  path: string,
): Measure | null {
  if (!from && !to && !change.show) return change;
  if (!from || !to)
    return names.reportProblem(
      path,
      '`change` needs both `from` and `to`. To compare with the previous period, leave out `from`, `to` and `show`.',
    );
  if (change.show && change.percent)
    return names.reportProblem(
      path,
      '`change` takes either `percent` or `show`. To get both values, use two measures.',
    );
  const dates = listBaseMeasures(change).flatMap((base) => listTimeFields(names.lens, base));
  const [earlier, later] = [bindWindow(names, from, dates, `${path}.from`), bindWindow(names, to, dates, `${path}.to`)];
  return earlier && later && { ...change, from: earlier, to: later };
}

/** Adds the measure that forms the groups: the first condition's measure, otherwise a count of each group's rows. */
function withGroupMeasure(
  names: BindingContext,
  measure: MeasureOverGroups,
  every: string | undefined,
  path: string,
): Measure | null {
  const { by = [], per = [], having = [] } = measure;
  const boundEvery = every === undefined ? undefined : bindGroupDomain(names, every, by, `${path}.every`);
  const groups = { ...measure, ...(boundEvery && { every: boundEvery }) };
  if (boundEvery === null) return null;
  if (measure.fn === 'over_groups' || by.length + per.length === 0) return groups;
  if (!boundEvery && per.length === 0 && having.length === 1 && requiresNoRows(having[0]!))
    return names.reportProblem(
      `${path}.having[0]`,
      'Each group has at least one row, so no group has a count of 0. To include the periods or rows without any, add `every`.',
    );
  const groupMeasure = having[0]?.measure ?? bindCountedRows(names, by, per, path);
  return groupMeasure && ({ ...groups, of: groupMeasure } as Measure);
}

const requiresNoRows = ({ measure, op, values: [value] }: Having): boolean =>
  measure.fn === 'count' &&
  !measure.where?.length &&
  ((value === 0 && (op === '=' || op === '<=')) || (value === 1 && op === '<'));

/** Resolves the dataset whose rows form the groups, or the date whose periods form the groups. */
export function bindGroupDomain(
  names: BindingContext,
  reference: string,
  dimensions: readonly Grouping[],
  path: string,
): string | Period | null {
  const { lens, reportProblem } = names;
  const words = reference.split('.');
  if (words.length === 1 || !words.some((word) => !isDatasetOrRole(lens, word))) {
    return resolvePath(names, reference, path);
  }
  const ref = resolveField(names, reference, path);
  if (!ref) return null;
  const { grain } = ref;
  if (!grain || isDayPart(grain))
    return reportProblem(
      path,
      `\`every\` must be a dataset, or a date with one of these periods: .${GRAINS.join(' .')}.`,
    );
  if (!dimensions.some((dimension) => isSameField(dimension, ref) && dimension.grain === grain))
    return reportProblem(path, `${reference} is not among the dimensions; add it to show its periods.`);
  return { path: ref.path, field: ref.field, grain };
}
/** The default measure of a group: a count of the rows from which all its dimensions are reachable. */
function bindCountedRows(
  { lens, reportProblem }: BindingContext,
  by: Grouping[],
  per: string[],
  path: string,
): Measure | null {
  const paths = [
    ...by.flatMap((item) => (item.when ? findFilterPaths(item.when) : item.through ? [] : item.path)),
    ...per,
  ];
  const mainDataset = findCommonDataset(lens, [...new Set(paths)]);
  return mainDataset
    ? { fn: 'count', rows: mainDataset }
    : reportProblem(
        path,
        'No dataset refers to all of these groups. Add a condition in `having`, with a measure over these groups.',
        'fan_out',
      );
}

export const bindHaving = (
  names: BindingContext,
  having: PlanHaving[] | undefined,
  measuresByName: MeasuresByName,
  path: string,
): Having[] =>
  (having ?? []).flatMap(({ measure, op, values, than }, index): Having[] => {
    const itemPath = `${path}[${index}]`;
    const leftMeasure = withoutName(bindMeasure(names, measure, measuresByName, `${itemPath}.measure`));
    const rightMeasure =
      than === undefined ? undefined : withoutName(bindMeasure(names, than, measuresByName, `${itemPath}.than`));
    const valueCount = than === undefined ? (op === 'between' ? 2 : 1) : 0;
    if (values.length !== valueCount)
      names.reportProblem(
        `${itemPath}.values`,
        than === undefined
          ? `${op} takes ${valueCount} value${valueCount === 1 ? '' : 's'}, but has ${values.length}.`
          : 'Give either `values` or `than`, not both.',
      );
    if (than !== undefined && op === 'between')
      names.reportProblem(`${itemPath}.op`, '`between` needs two values. With `than`, use =, !=, >, >=, < or <=.');
    return leftMeasure && rightMeasure !== null
      ? [{ measure: leftMeasure, op, values, ...(rightMeasure && { than: rightMeasure }) }]
      : [];
  });

export const bindDimensions = (
  names: BindingContext,
  dimensions: readonly PlanDimension[] | undefined,
  path: string,
): Grouping[] => {
  const groupings: Grouping[] = [];
  for (const [index, dimension] of (dimensions ?? []).entries()) {
    const grouping = bindDimension(names, dimension, `${path}[${index}]`);
    if (!grouping) continue;
    if (groupings.some((other) => isSameGrouping(other, grouping) && other.as !== grouping.as))
      names.reportProblem(
        `${path}[${index}]`,
        'This dimension repeats an earlier one under another name. Leave one out.',
      );
    groupings.push(grouping);
  }
  return groupings;
};

function bindDimension(names: BindingContext, dimension: PlanDimension, path: string): Grouping | null {
  if (typeof dimension === 'string') return resolveField(names, dimension, path);
  if ('when' in dimension) {
    const when = bindFilters(names, dimension.when, `${path}.when`);
    const firstPath = findFilterPaths(when)[0] ?? names.home;
    return when.length > 0 ? { path: firstPath ?? '', field: dimension.as, as: dimension.as, when } : null;
  }
  if ('value' in dimension) {
    const { as, bin } = dimension;
    const computedValue = bindComputedValue(names, dimension.value, `${path}.value`);
    return (
      computedValue && {
        path: computedValue.home,
        field: `(${as})`,
        value: computedValue.value,
        ...(bin !== undefined && { bin }),
        as,
      }
    );
  }
  const { bin, through, where, as } = dimension;
  const ref = resolveField(names, dimension.field, `${path}.field`);
  const throughDataset = through === undefined ? undefined : resolveDataset(names, through, `${path}.through`);
  if (where && through === undefined)
    return names.reportProblem(
      `${path}.where`,
      '`where` restricts the rows of the dataset in `through`, but `through` is missing. To restrict other rows, use `filters`.',
    );
  if (!ref || throughDataset === null) return null;
  const field = findField(findDatasetOfPath(names.lens, ref.path)!, ref.field)!;
  if (bin !== undefined && (ref.grain || !isNumeric(field.datatype))) {
    const numbers = findDatasetOfPath(names.lens, ref.path)!.fields.filter((field) => isNumeric(field.datatype));
    return names.reportProblem(
      `${path}.bin`,
      `Only numeric fields have bins; ${formatField(ref)} is ${field.datatype}. Numbers in ${ref.path}: ${joinFieldNames(numbers) || 'none'}.`,
    );
  }
  return {
    ...ref,
    ...(bin !== undefined && { bin }),
    ...(throughDataset && { through: throughDataset }),
    ...(throughDataset &&
      where && { where: bindFilters({ ...names, nearPath: throughDataset }, where, `${path}.where`) }),
    ...(as !== undefined && { as }),
  };
}
export const listTimeFields = (lens: Lens, base: Measure): { path: string; field: string }[] => {
  if (base.fn === 'metric') {
    const time = lens.metrics.find(({ name }) => name === base.metric)?.timeField;
    return time ? [{ path: time.dataset, field: time.field }] : [];
  }
  const path = isAggregate(base) ? getRowsPath(base) : '';
  const dataset = findDatasetOfPath(lens, path);
  return dataset?.timeField ? [{ path, field: dataset.timeField }] : [];
};
