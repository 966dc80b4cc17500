// Finds faulty aggregates in a statement: aggregates over rows that a join repeats, and sums of numbers that aren't
// additive.
import type { Call, Expression } from '../../../dialects/tree.ts';
import { inferAdditivity } from '../../../lens/model/aggregation.ts';
import { nameSource } from './joins.ts';
import { findAggregateCalls, findColumns } from './parts.ts';
import {
  findDeterminedSources,
  listMultiplyingSources,
  type ResolvedColumn,
  type SelectSource,
  type SelectView,
  type StatementReader,
} from './sources.ts';

/** Aggregates whose result doesn't change if rows are repeated. */
const DUPLICATE_INSENSITIVE_AGGREGATE_PATTERN =
  /^(?:min|max|any_value|arbitrary|first|last|bool_and|bool_or|every|bit_and|bit_or|mode|approx_count_distinct|arg_min|arg_max|min_by|max_by)$/;

const findCallsOfView = ({ dialect }: StatementReader, { select }: SelectView): Call[] =>
  findAggregateCalls(dialect, [select.items, select.having, select.orderBy]);

/** Returns a sentence for each aggregate that counts rows more than once. */
export function findRepetitionFaults(reader: StatementReader, view: SelectView): string[] {
  const sources = listMultiplyingSources(view);
  // Within a group, each group key has one value.
  const fixedColumns = [...view.fixedColumns, ...view.groupedColumns];
  const unrepeatedSources = sources.filter(
    (source) => findDeterminedSources(source, view, fixedColumns).size === sources.length,
  );
  return findCallsOfView(reader, view).flatMap((call) => {
    if (call.distinct || DUPLICATE_INSENSITIVE_AGGREGATE_PATTERN.test(call.name)) return [];
    const usedColumns = findResolvedColumns(call.args, reader, view);
    const repeatedColumn = usedColumns.find(({ output }) => output.repeated);
    if (repeatedColumn)
      return [
        `${call.name}(${repeatedColumn.output.name}) counts rows of ${repeatedColumn.output.repeated} that an inner join repeats.`,
      ];
    const usedSources = [...new Set(usedColumns.map(({ source }) => source))].filter((source) =>
      sources.includes(source),
    );
    if (
      sources.length < 2 ||
      (usedSources.length > 0 ? usedSources : sources).some((source) => unrepeatedSources.includes(source))
    )
      return [];
    const [readSource] = usedSources;
    if (!readSource)
      return [`${call.name}(*) counts combinations of rows of ${sources.map(nameSource).join(' and ')}.`];
    return [describeRepeatedRows(call, readSource, sources, findDeterminedSources(readSource, view, fixedColumns))];
  });
}

function describeRepeatedRows(
  call: Call,
  source: SelectSource,
  sources: SelectSource[],
  joinedSources: ReadonlySet<SelectSource>,
): string {
  const otherNames = sources.filter((other) => !joinedSources.has(other)).map(nameSource);
  const aggregateText = `${call.name} over ${nameSource(source)}`;
  return `The join to ${otherNames.join(' and ')} can repeat each row of ${nameSource(source)}, so ${aggregateText} counts it several times. First aggregate ${otherNames.join(' and ')} in a subquery to one row for each row of ${nameSource(source)}, or use EXISTS instead of the join.`;
}

/** Returns a sentence for each sum of values that aren't additive, and for each average of averages. */
export function findAdditivityFaults(
  reader: StatementReader,
  view: SelectView,
): { failures: string[]; unknown: string[] } {
  const failures: string[] = [];
  const unknowns: string[] = [];
  for (const call of findCallsOfView(reader, view)) {
    const [argument] = call.args;
    if (!argument || !/^(?:sum|avg|mean|fsum|favg|total)$/.test(call.name)) continue;
    const isSum = !/^(?:avg|mean|favg)$/.test(call.name);
    const parts = findAddends(argument).flatMap((column) => reader.resolve(column, view.sources) ?? []);
    const meanColumn = parts.find(({ output }) =>
      /^(?:avg|mean|favg|median|quantile\w*|percentile\w*)$/.test(output.aggregate ?? ''),
    );
    if (meanColumn) {
      failures.push(
        `${call.name}(${meanColumn.output.name}) is ${isSum ? 'a sum' : 'a mean'} of means, which gives groups of every size the same weight.`,
      );
      continue;
    }
    if (!isSum) continue;
    for (const { output } of parts) {
      if (!output.origin || output.aggregate) continue;
      const { field, dataset } = output.origin;
      const { how } = inferAdditivity(field, dataset);
      const name = `${dataset.name}.${field.name}`;
      if (how === 'unknown') unknowns.push(`svc can’t tell whether ${name} is additive.`);
      else if (how === 'latest')
        unknowns.push(
          `${name} is a level (like a balance), so a sum over several dates counts the same amount repeatedly.`,
        );
      else if (how !== 'sum') failures.push(`${name} is not additive.`);
    }
  }
  return { failures: failures, unknown: unknowns };
}

/** The columns that are added directly. Leaves out columns in a product, because the other factors weight them. */
function findAddends(expression: Expression): (Expression & { kind: 'column' })[] {
  switch (expression.kind) {
    case 'column':
      return [expression];
    case 'cast':
      return findAddends(expression.value);
    case 'case':
      return [
        ...expression.whens.map(({ result }) => result),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ].flatMap(findAddends);
    case 'arithmetic':
      return expression.operator === '+' || expression.operator === '-'
        ? [...(expression.left ? findAddends(expression.left) : []), ...findAddends(expression.right)]
        : [];
    case 'call':
      return /^(?:coalesce|ifnull|nullif|round|abs)$/.test(expression.name)
        ? expression.args.slice(0, 1).flatMap(findAddends)
        : [];
    default:
      return [];
  }
}

function findResolvedColumns(parts: Expression[], reader: StatementReader, view: SelectView): ResolvedColumn[] {
  return findColumns(parts).flatMap((column) => reader.resolve(column, view.sources) ?? []);
}
