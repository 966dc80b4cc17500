// The only functions that SQL for DuckDB can call. They compute a value from their arguments or return the date. They
// run no SQL from strings, read no files, settings, secrets or catalogs, and write nothing.
import { FunctionList } from '../../../dialects/function-list.ts';

export const DUCKDB_FUNCTIONS = new FunctionList([
  // The byte limit also applies to aggregates that collect values.
  [
    'aggregate',
    `count count_star count_if countif sum sumkahan kahan_sum fsum product avg mean favg min max arg_min argmin min_by
     arg_max argmax max_by arg_min_null arg_max_null first last any_value arbitrary bool_and bool_or bit_and bit_or bit_xor
     stddev stddev_pop stddev_samp variance var_pop var_samp sem corr covar_pop covar_samp
     regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
     quantile quantile_cont quantile_disc median mad mode entropy skewness kurtosis
     kurtosis_pop approx_count_distinct approx_quantile approx_top_k reservoir_quantile
     geomean geometric_mean wavg weighted_avg string_agg group_concat listagg array_agg list histogram json_group_array json_group_object`,
  ],
  [
    'window',
    `row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value fill`,
  ],
  [
    'scalar',
    `date_trunc datetrunc date_part datepart date_diff datediff date_sub datesub date_add age strftime strptime
     try_strptime make_date make_time make_timestamp make_timestamptz make_timestamp_ms make_timestamp_ns now
     get_current_time get_current_timestamp today current_date current_localtime
     current_localtimestamp transaction_timestamp year month
     day hour minute second millisecond microsecond nanosecond quarter week weekofyear weekday dayofweek dayofmonth
     dayofyear isodow isoyear yearweek decade century millennium era epoch epoch_ms epoch_us epoch_ns dayname monthname
     last_day days_in_month ago time_bucket timezone timezone_hour timezone_minute julian to_timestamp to_years to_months to_quarters
     to_weeks to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds to_decades to_centuries
     to_millennia datesub isfinite isinf isnan date_sub normalized_interval`,
  ],
  // random() is allowed, because it reads no data and writes nothing. setseed is excluded.
  [
    'scalar',
    `abs ceil ceiling floor round round_even roundbankers trunc mod fmod fdiv divide multiply add subtract power pow sqrt
     cbrt exp ln log log2 log10 sign signbit pi degrees radians sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh
     acosh atanh gcd greatest_common_divisor lcm least_common_multiple factorial gamma lgamma even nextafter bit_count
     xor random greatest least`,
  ],
  // The guard limits the length of strings from repeat, lpad and rpad.
  [
    'scalar',
    `lower lcase upper ucase length len strlen char_length character_length bit_length octet_length trim ltrim rtrim left
     right left_grapheme right_grapheme length_grapheme substr substring substring_grapheme position strpos instr
     contains starts_with prefix ends_with suffix replace translate reverse concat concat_ws format printf repeat lpad rpad
     ascii ord chr unicode strip_accents nfc_normalize md5 sha1 sha256 hash hex to_hex unhex from_hex bin to_base64 base64
     from_base64 encode decode url_encode url_decode
     levenshtein editdist3 damerau_levenshtein hamming mismatches jaccard jaro_similarity jaro_winkler_similarity
     format_bytes like_escape ilike_escape not_like_escape not_ilike_escape
     regexp_matches regexp_full_match regexp_replace regexp_extract regexp_extract_all regexp_escape regexp_split_to_array
     string_split str_split split string_to_array string_split_regex str_split_regex split_part parse_filename
     parse_dirname array_to_string bar`,
  ],
  // TRY is excluded, because TRY under GROUP BY causes an internal error in DuckDB.
  ['grammar', 'coalesce grouping'],
  ['bare', 'current_time current_timestamp localtime localtimestamp'],
  ['scalar', 'nullif typeof constant_or_null'],
  [
    'scalar',
    `list_value list_pack array_value array_length array_extract list_extract list_element array_slice list_slice
     list_contains array_contains array_has list_has array_has_any array_has_all list_has_any list_has_all
     list_position list_indexof array_position array_indexof list_concat list_cat array_concat array_cat array_append
     list_append array_prepend list_prepend list_distinct array_distinct list_unique array_unique list_sort array_sort
     list_reverse_sort array_reverse_sort list_reverse array_reverse list_sum list_avg list_min list_max list_count
     list_median list_mode list_stddev_pop list_stddev_samp list_var_pop list_var_samp list_product list_bool_and list_bool_or list_entropy list_histogram list_approx_count_distinct list_first list_last
     list_any_value list_string_agg list_intersect array_intersect list_where array_where list_select array_select
     list_zip array_zip list_transform array_transform list_apply array_apply apply list_filter array_filter filter
     list_reduce array_reduce reduce flatten list_grade_up list_aggregate list_aggr
     array_aggregate array_aggr aggregate list_cosine_similarity cardinality
     row struct_pack struct_extract struct_extract_at struct_insert struct_concat map map_extract map_extract_value
     map_keys map_values map_entries map_contains map_from_entries map_concat map_contains_value map_contains_entry element_at struct_keys struct_values struct_contains
     array_push_back array_push_front array_pop_back array_pop_front`,
  ],
  [
    'scalar',
    `json json_extract json_extract_path json_extract_string json_extract_path_text json_value json_exists json_array_length
     json_type json_valid json_keys json_contains json_structure json_object json_array to_json json_quote json_pretty
     json_merge_patch`,
  ],
  // The guard limits the rows of range and generate_series.
  ['table', 'range generate_series unnest json_each regexp_split_to_table generate_subscripts'],
]);

export const DUCKDB_TABLE_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    range: ['range'],
    generate_series: ['generate_series'],
    unnest: ['unnest'],
    json_each: ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path', 'json'],
  }),
);
