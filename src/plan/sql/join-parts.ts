// Joins the CTEs of separately grouped parts on the dimensions, either to one of the parts or to a list of all groups.
import {
  allOf,
  callOf,
  columnOf,
  EMPTY_TAIL,
  itemOf,
  joinOf,
  numberOf,
  selectOf,
  tableOf,
} from '../../dialects/make-nodes.ts';
import type { CommonTable, Expression, FromItem, Query, QueryTail, Select } from '../../dialects/tree.ts';
import { isSameField, type LensPlan, type Period } from '../lens-plan.ts';
import { listPeriodStarts } from '../periods.ts';
import type { Compilation } from './compilation.ts';
import { type Dimension, isSameGrouping } from './dimension.ts';
import type { GroupCondition } from './measure-order.ts';
import type { MeasuredPart } from './measured-rows.ts';
import type { AggregateReader, BaseAggregate, GroupValues, MeasureOutput } from './output.ts';

export type RowLimit = Pick<QueryTail, 'limit' | 'offset'>;

export interface MeasuresInput {
  compilation: Compilation;
  plan: LensPlan;
  dimensions: Dimension[];
  outputs: MeasureOutput[];
  having: GroupCondition[];
  hiddenOutputs: MeasureOutput[];
  rowLimit: RowLimit | null;
}

/** The query of a part, and the number of hidden keys that group its rows. */
export interface MeasuredPartQuery {
  body: Query;
  keyCount: number;
}
export const createKeyAlias = (index: number): string => `group_key_${index + 1}`;

export interface JoinedParts {
  ctes: CommonTable[];
  keyNames: string[];
  from: FromItem;
  readAggregate: AggregateReader;
  columnAt: (index: number) => Expression;
  groupValues: GroupValues;
}

export const createCommonTable = (name: string, query: Query): CommonTable => ({
  name,
  columns: [],
  materialized: null,
  query,
  at: null,
});

function createGroupUnion(parts: MeasuredPart[], names: string[]): Query {
  const queries = parts.map(
    ({ name }): Query =>
      selectOf(
        names.map((name) => itemOf(columnOf(name))),
        [tableOf(name)],
        { distinct: parts.length === 1 ? { on: [] } : null },
      ),
  );
  const setOperation = { kind: 'set', operator: 'union', all: false, byName: false, ...EMPTY_TAIL } as const;
  return queries.reduce((left, right) => ({ ...setOperation, left, right }));
}

function createPeriodGroups(
  shape: MeasuresInput,
  parts: MeasuredPart[],
  names: string[],
  period: Period,
): CommonTable[] {
  const { compilation, plan, dimensions } = shape;
  const periodIndex = dimensions.findIndex(({ ref }) => isSameField(ref, period) && ref.grain === period.grain);
  const name = names[periodIndex]!;
  const otherNames = names.filter((other) => other !== name);
  const allPeriods = createPeriodsQuery(compilation, plan, period, name);
  if (otherNames.length === 0) return [createCommonTable('all_groups', allPeriods)];
  const outputItems = names.map((name) => itemOf(columnOf(name)));
  return [
    createCommonTable('all_periods', allPeriods),
    createCommonTable('known_groups', createGroupUnion(parts, otherNames)),
    createCommonTable(
      'all_groups',
      selectOf(outputItems, [joinOf('cross', tableOf('all_periods'), tableOf('known_groups'))]),
    ),
  ];
}

/** A query that lists the first day of each period in one column with this name. */
function createPeriodsQuery(compilation: Compilation, plan: LensPlan, period: Period, name: string): Query {
  const rows = listPeriodStarts(plan, period, compilation.lens.timezone).map(
    (day): Query => selectOf([itemOf(compilation.literal(day, 'date'), name)], []),
  );
  return createBalancedUnion(rows);
}

/** Nests the unions in a balanced tree, which limits the depth. */
function createBalancedUnion(rows: Query[]): Query {
  if (rows.length === 1) return rows[0]!;
  const half = Math.ceil(rows.length / 2);
  return {
    ...{ kind: 'set', operator: 'union', all: true, byName: false, ...EMPTY_TAIL },
    ...{ left: createBalancedUnion(rows.slice(0, half)), right: createBalancedUnion(rows.slice(half)) },
  };
}

export function joinPartQueries(shape: MeasuresInput, parts: MeasuredPart[], bodies: MeasuredPartQuery[]): JoinedParts {
  const { compilation, plan, dimensions } = shape;
  const ctes = bodies.map(({ body }, index) => createCommonTable(parts[index]!.name, body));
  const keyNames = Array.from({ length: bodies[0]!.keyCount }, (_one, index) => createKeyAlias(index));
  const names = [...dimensions.map(({ name }) => name), ...keyNames];
  const allGroupsPart = parts.find((part) => part.listsEveryGroup);
  const periods = typeof plan.every === 'object' ? plan.every : null;
  const isSimple = parts.length === 1 || names.length === 0;
  const spine = allGroupsPart?.name ?? (isSimple && !periods ? parts[0]!.name : 'all_groups');
  if (spine === 'all_groups')
    ctes.push(
      ...(periods
        ? createPeriodGroups(shape, parts, names, periods)
        : [createCommonTable(spine, createGroupUnion(parts, names))]),
    );
  const { sameOrBothNull } = compilation.dialect.compiling;
  const from = parts
    .filter(({ name }) => name !== spine)
    .reduce<FromItem>((left, { name }) => {
      const on = names.map((item) => sameOrBothNull(columnOf(name, item), columnOf(spine, item)));
      return joinOf(names.length > 0 ? 'left' : 'cross', left, tableOf(name), { on: allOf(on) });
    }, tableOf(spine));
  const readAggregate = (baseAggregate: BaseAggregate): Expression => {
    const part = parts.find(({ columns }) => columns.has(baseAggregate.key))!;
    const column = columnOf(part.name, part.columns.get(baseAggregate.key)!);
    const isZeroWithoutRows = baseAggregate.isZeroWhenNull || (allGroupsPart && baseAggregate.additive);
    return isZeroWithoutRows && part.name !== spine && names.length > 0
      ? callOf('coalesce', [column, numberOf(0)])
      : column;
  };
  const columnAt = (index: number): Expression => columnOf(spine, names[index]!);
  return {
    ctes,
    keyNames,
    from,
    readAggregate: readAggregate,
    columnAt: columnAt,
    groupValues: createGroupValues(dimensions, names, columnAt),
  };
}

export const createWithClause = (ctes: CommonTable[]): Pick<Select, 'with'> => ({
  with: { recursive: false, entries: ctes },
});

function createGroupValues(
  dimensions: Dimension[],
  groupNames: string[],
  columnAt: (index: number) => Expression,
): GroupValues {
  const timeIndex = dimensions.findIndex(({ timeGrain }) => timeGrain);
  const otherIndexes = groupNames.map((_one, index) => index).filter((index) => index !== timeIndex);
  return {
    time: timeIndex < 0 ? null : { value: columnAt(timeIndex), grain: dimensions[timeIndex]!.timeGrain! },
    otherValues: otherIndexes.map(columnAt),
    at: (refs) => refs.map((ref) => columnAt(dimensions.findIndex((dimension) => isSameGrouping(dimension.ref, ref)))),
  };
}
