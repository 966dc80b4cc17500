// Recognizes statements that are safe to run in svc's own process. Other statements run in a separate process, because
// DuckDB's binder and functions don't stop at a timeout.
import { listChildren, listNodes, toConstant } from '../../../dialects/nodes.ts';
import type { Expression, Node, Select } from '../../../dialects/tree.ts';
import { toWordSet } from './native.ts';

/** Counts tables, table functions and VALUES lists. */
const MAX_TABLE_READS = 16;
const MAX_SET_OPERATIONS = 16;
const MAX_GROUPINGS = 32;
const MAX_QUERY_DEPTH = 5;
const MAX_EXPRESSION_DEPTH = 40;
/** DuckDB expands an alias at each use, so each alias that refers to another alias can double the work. */
const MAX_ALIAS_USES = 3;
/** BETWEEN and these macros copy an operand two or three times, so nested copies multiply. */
const MAX_COPIED_DEPTH = 3;
const COPYING_FUNCTIONS = toWordSet('nullif fmod round_even');
/** With more wildcards, LIKE can try a huge number of ways to split a string. */
const MAX_WILDCARDS = 2;

/** Functions that do a limited amount of work for each row. */
const BOUNDED_FUNCTIONS = toWordSet(`
  count count_star count_if countif sum sumkahan kahan_sum fsum product avg mean favg min max arg_min argmin min_by arg_max
  argmax max_by first last any_value arbitrary bool_and bool_or bit_and bit_or bit_xor stddev stddev_pop stddev_samp
  variance var_pop var_samp sem corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
  regr_sxx regr_sxy regr_syy quantile quantile_cont quantile_disc percentile_cont percentile_disc median mad mode entropy
  skewness kurtosis kurtosis_pop approx_count_distinct approx_quantile reservoir_quantile geomean geometric_mean
  row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value
  date_trunc datetrunc date_part datepart date_diff datediff date_sub datesub date_add age strftime make_date make_time
  make_timestamp make_timestamptz now today current_date current_localtime current_localtimestamp transaction_timestamp
  get_current_time get_current_timestamp year month day hour minute second millisecond microsecond quarter week weekofyear
  weekday dayofweek dayofmonth dayofyear isodow isoyear yearweek decade century epoch epoch_ms dayname monthname last_day
  time_bucket timezone to_timestamp to_years to_months to_quarters to_weeks to_days to_hours to_minutes to_seconds
  to_milliseconds to_microseconds
  abs ceil ceiling floor round round_even trunc mod fmod fdiv divide multiply add subtract power pow sqrt cbrt exp ln log
  log2 log10 sign pi degrees radians sin cos tan asin acos atan atan2 even isnan isinf isfinite random greatest least xor
  lower lcase upper ucase length len strlen trim ltrim rtrim left right substring substr strpos position contains
  starts_with prefix ends_with suffix concat nullif coalesce constant_or_null range generate_series unnest
  like_escape ilike_escape not_like_escape not_ilike_escape grouping current_time current_timestamp localtime
  localtimestamp`);
const BOUNDED_NODES =
  toWordSet(`between case cast collate column compare logic arithmetic in like is_null is_truth literal
  parameter star quantified exists scalar interval`);
/** Operators that do a limited amount of work. All other operators compare lists or look inside values. */
const BOUNDED_OPERATIONS = toWordSet('** ~ & | << >> || @');

interface NestingDepth {
  queries: number;
  expressions: number;
  copied: number;
}
interface WorkCount {
  tables: number;
  setOperations: number;
}

export const isBoundedWork = (query: Node): boolean =>
  isBoundedNode(query, { queries: 0, expressions: 0, copied: 0 }, { tables: 0, setOperations: 0 });

function isBoundedNode(node: Node, depth: NestingDepth, count: WorkCount): boolean {
  let { queries, expressions, copied } = depth;
  switch (node.kind) {
    case 'select':
    case 'values':
    case 'set':
      // The parts of a set operation don't count as nested queries.
      if (node.kind !== 'set' && ++queries > MAX_QUERY_DEPTH) return false;
      if (node.with?.recursive || !isBoundedQuery(node, count)) return false;
      expressions = 0;
      break;
    case 'table':
    case 'table_call':
      if (++count.tables > MAX_TABLE_READS) return false;
      break;
    case 'derived':
    case 'join':
    case 'grouping_set':
      break;
    case 'row':
      // A row with the keyword ROW is a value. Without the keyword, it is a grouping set.
      if (node.keyword) return false;
      break;
    default:
      if (++expressions > MAX_EXPRESSION_DEPTH || !isBoundedExpression(node)) return false;
      if (isCopying(node) && ++copied > MAX_COPIED_DEPTH) return false;
  }
  for (const child of listChildren(node))
    if (!isBoundedNode(child, { queries, expressions, copied }, count)) return false;
  return true;
}

const isCopying = (node: Expression): boolean =>
  node.kind === 'between' || (node.kind === 'call' && COPYING_FUNCTIONS.has(node.name));

function isBoundedQuery(node: Extract<Node, { kind: 'select' | 'values' | 'set' }>, count: WorkCount): boolean {
  switch (node.kind) {
    case 'select': {
      const [sets] = node.groupBy?.keys ?? [];
      const groupings = sets?.kind === 'grouping_set' ? sets.keys.length : 1;
      return groupings <= MAX_GROUPINGS && countAliasUses(node) <= MAX_ALIAS_USES;
    }
    case 'set':
      return ++count.setOperations <= MAX_SET_OPERATIONS;
    case 'values':
      return ++count.tables <= MAX_TABLE_READS;
  }
}

function countAliasUses({ items }: Select): number {
  const aliases = new Set(items.flatMap(({ alias }) => (alias === null ? [] : [alias.toLowerCase()])));
  if (aliases.size === 0) return 0;
  let usedCount = 0;
  for (const { value } of items) {
    if (value.kind === 'column') continue;
    for (const innerNode of listNodes(value))
      if (innerNode.kind === 'column' && innerNode.path.length === 1 && aliases.has(innerNode.path[0]!.toLowerCase()))
        usedCount++;
  }
  return usedCount;
}

function isBoundedExpression(node: Expression): boolean {
  switch (node.kind) {
    case 'call':
      return BOUNDED_FUNCTIONS.has(node.name) && !node.args.some(({ kind }) => kind === 'named_argument');
    case 'cast':
      return node.type.dimensions.length === 0 && node.type.fields.length === 0;
    case 'operation':
      return BOUNDED_OPERATIONS.has(node.operator);
    case 'like':
      return node.how !== 'glob' && isBoundedPattern(node.pattern);
    default:
      return BOUNDED_NODES.has(node.kind);
  }
}

function isBoundedPattern(pattern: Expression): boolean {
  const text = toConstant(pattern);
  return typeof text === 'string' && text.split('%').length - 1 <= MAX_WILDCARDS;
}
