// The only functions that SQL for Trino can call. They reveal nothing about users, sessions or catalogs, and call no
// models or servers. No aggregate is approximate or depends on the order of rows, and no function is random. No
// function returns arrays, maps or rows.
import { FunctionList } from '../../../dialects/function-list.ts';

export const TRINO_FUNCTIONS = new FunctionList([
  ['grammar', 'extract'],
  [
    'aggregate',
    `count count_if sum avg min max max_by min_by stddev stddev_pop stddev_samp variance var_pop var_samp covar_pop
     covar_samp corr regr_slope regr_intercept geometric_mean skewness kurtosis bool_and bool_or every bitwise_and_agg
     bitwise_or_agg bitwise_xor_agg listagg`,
  ],
  ['window', 'row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value lag lead'],
  [
    'scalar',
    `now current_date current_timestamp localtime localtimestamp date date_add date_diff date_trunc date_format date_parse
     format_datetime parse_datetime from_iso8601_date from_iso8601_timestamp to_iso8601 from_unixtime to_unixtime
     at_timezone with_timezone last_day_of_month year quarter month week week_of_year year_of_week yow day day_of_month
     day_of_week dow day_of_year doy hour minute second millisecond to_milliseconds timezone_hour timezone_minute`,
  ],
  [
    'scalar',
    `abs ceil ceiling floor round truncate sign sqrt cbrt exp ln log log2 log10 power pow pi e mod sin cos tan asin acos atan
     atan2 sinh cosh tanh degrees radians greatest least width_bucket is_nan is_finite is_infinite nan infinity bitwise_and
     bitwise_or bitwise_xor bitwise_not bit_count from_base to_base`,
  ],
  [
    'scalar',
    `concat concat_ws lower upper length substr substring replace reverse lpad rpad trim ltrim rtrim strpos starts_with split_part
     translate chr codepoint levenshtein_distance hamming_distance soundex word_stem luhn_check regexp_like regexp_extract
     regexp_replace regexp_count regexp_position url_extract_host url_extract_path url_extract_protocol
     url_extract_query url_extract_parameter url_extract_fragment`,
  ],
  ['scalar', 'coalesce nullif if typeof'],
  ['scalar', 'json_extract json_extract_scalar json_array_length json_size json_format json_parse is_json_scalar'],
]);
