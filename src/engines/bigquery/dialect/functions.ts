// The only functions that SQL for BigQuery can call. They reveal nothing about users or jobs, and call no models,
// servers or routines. No aggregate is approximate or depends on the order of rows, and no function is random. No
// function returns arrays, structs, bytes or whole rows.
import { FunctionList } from '../../../dialects/function-list.ts';

export const BIGQUERY_FUNCTIONS = new FunctionList([
  ['grammar', 'extract'],
  [
    'aggregate',
    `count countif sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp covar_pop covar_samp corr
     logical_and logical_or bit_and bit_or bit_xor`,
  ],
  [
    'window',
    `row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value lag lead percentile_cont
     percentile_disc`,
  ],
  [
    'scalar',
    `current_date current_datetime current_time current_timestamp date datetime time timestamp date_add date_sub date_diff
     date_trunc datetime_add datetime_sub datetime_diff datetime_trunc timestamp_add timestamp_sub timestamp_diff
     timestamp_trunc time_add time_sub time_diff time_trunc last_day format_date format_datetime format_timestamp format_time
     parse_date parse_datetime parse_timestamp parse_time unix_date unix_seconds unix_millis unix_micros
     date_from_unix_date timestamp_seconds timestamp_millis timestamp_micros`,
  ],
  [
    'scalar',
    `abs sign ceil ceiling floor round trunc sqrt cbrt exp ln log log10 pow power mod div greatest least is_nan is_inf
     ieee_divide safe_divide safe_multiply safe_add safe_subtract safe_negate sin cos tan asin acos atan atan2 sinh cosh tanh
     cot csc sec bit_count`,
  ],
  [
    'scalar',
    `concat lower upper initcap length char_length character_length byte_length octet_length substr substring left right
     replace translate reverse repeat lpad rpad trim ltrim rtrim strpos instr starts_with ends_with ascii chr unicode soundex
     edit_distance regexp_contains regexp_extract regexp_substr regexp_replace regexp_instr`,
  ],
  ['scalar', 'coalesce ifnull nullif if nullifzero zeroifnull'],
  ['scalar', 'json_value json_query json_extract json_extract_scalar'],
]);
