// DuckDB runs among our own threads, and neither its binder nor its functions hear that their time is up: each nested
// subquery or lambda may double the binder's work, and a function of long texts or lists may take hours for one row.
// What is plain does neither; everything else runs in a process of its own. Deny by default, over the tree that runs.
import { type AstNode, asList, asNode, asText, isNode, nodesIn } from '../ast.ts';
import { words } from '../walk.ts';
import { constantOf } from './nodes.ts';
import { DUCKDB_OPERATORS } from './shapes.ts';

const MOST_READ = 16;
const MOST_ARMS = 16;
const MOST_GROUPINGS = 32;
const DEEPEST_QUERY = 5;
const DEEPEST_EXPRESSION = 40;
/** An alias that is used beside its place is written out there, whole, and so doubles with each. */
const MOST_ALIASES_USED = 3;
/** Signs for any text in a pattern: beyond that LIKE tries every way to divide a text. */
const MOST_WILDCARDS = 2;

/** Of fixed work for each row, whatever it holds. */
const PLAIN = words(`
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
  ~~ !~~ ~~* !~~* like_escape ilike_escape not_like_escape not_ilike_escape`);
/** `||` joins texts and lists, the others compare lists. */
const NOT_PLAIN = words('&& <@ @> <-> <=> ->  ->> ~~~ ^@ !');
const EXPRESSIONS = words(
  'BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION OPERATOR PARAMETER STAR SUBQUERY WINDOW',
);

interface Count {
  reads: number;
  arms: number;
}

export const isPlainWork = (query: AstNode): boolean => plain(query, 0, 0, { reads: 0, arms: 0 });

function plain(value: unknown, queries: number, expressions: number, count: Count): boolean {
  if (Array.isArray(value)) return value.every((one) => plain(one, queries, expressions, count));
  if (!isNode(value)) return true;
  let [inQueries, inExpressions] = [queries, expressions];
  const type = asText(value['type']);
  if (value['class'] !== undefined) {
    if (++inExpressions > DEEPEST_EXPRESSION || !isPlainExpression(value)) return false;
    if (value['class'] === 'CONSTANT' || value['class'] === 'COLUMN_REF') return true;
  } else if (type.endsWith('_NODE')) {
    if (++inQueries > DEEPEST_QUERY || !isPlainQuery(value, type, count)) return false;
    inExpressions = 0;
  } else if (FROM_READS.has(type) && ++count.reads > MOST_READ) return false;
  return Object.values(value).every((part) => plain(part, inQueries, inExpressions, count));
}

const FROM_READS = words('BASE_TABLE TABLE_FUNCTION EXPRESSION_LIST');

function isPlainQuery(node: AstNode, type: string, count: Count): boolean {
  if (type === 'SELECT_NODE') {
    return asList(node['group_sets']).length <= MOST_GROUPINGS && aliasesUsed(node) <= MOST_ALIASES_USED;
  }
  return type === 'SET_OPERATION_NODE' && ++count.arms <= MOST_ARMS;
}

function aliasesUsed(node: AstNode): number {
  const items = asList(node['select_list']).map(asNode);
  const aliases = new Set(items.map((item) => asText(item['alias']).toLowerCase()));
  aliases.delete('');
  if (aliases.size === 0) return 0;
  let used = 0;
  for (const item of items) {
    if (item['class'] === 'COLUMN_REF') continue;
    for (const inner of nodesIn(item)) {
      const [name, ...more] = asList(inner['column_names']).map(asText);
      if (name !== undefined && more.length === 0 && aliases.has(name.toLowerCase())) used++;
    }
  }
  return used;
}

function isPlainPattern(node: AstNode): boolean {
  const [, pattern] = asList(node['children']);
  const text = constantOf(pattern);
  return typeof text === 'string' && text.split('%').length - 1 <= MOST_WILDCARDS;
}

function isPlainExpression(node: AstNode): boolean {
  const kind = asText(node['class']);
  if (!EXPRESSIONS.has(kind)) return false;
  if (kind === 'CAST') return !('child_type' in asNode(asNode(node['cast_type'])['type_info']));
  if (kind !== 'FUNCTION' && kind !== 'WINDOW') return !/^(?:ARRAY|STRUCT|ARROW)/.test(asText(node['type']));
  const name = asText(node['function_name']).toLowerCase();
  if (/~~|like/.test(name) && !isPlainPattern(node)) return false;
  if (node['is_operator'] === true || /^[^a-z]+$/.test(name)) {
    return DUCKDB_OPERATORS.has(name) && !NOT_PLAIN.has(name);
  }
  return PLAIN.has(name);
}
