// The only functions that SQL for Snowflake can call. They reveal nothing about users, roles or statements, and call no
// models or servers. No aggregate is approximate or depends on the order of rows, and no function is random. No
// function returns arrays, objects or variants.
import { FunctionList } from '../../../dialects/function-list.ts';

export const SNOWFLAKE_FUNCTIONS = new FunctionList([
  ['grammar', 'extract'],
  [
    'aggregate',
    `count count_if sum avg min max median max_by min_by stddev stddev_pop stddev_samp variance var_pop var_samp covar_pop
     covar_samp corr regr_slope regr_intercept skew kurtosis boolor_agg booland_agg boolxor_agg bitand_agg bitor_agg bitxor_agg
     listagg`,
  ],
  ['window', 'row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value lag lead'],
  [
    'scalar',
    `current_date current_timestamp current_time localtime localtimestamp sysdate getdate date time to_date to_time
     to_timestamp to_timestamp_ntz to_timestamp_ltz to_timestamp_tz try_to_date try_to_time try_to_timestamp
     try_to_timestamp_ntz dateadd datediff timestampadd timestampdiff date_trunc date_part add_months months_between last_day
     next_day previous_day dayname monthname year yearofweek yearofweekiso quarter month week weekofyear weekiso day dayofmonth
     dayofweek dayofweekiso dayofyear hour minute second convert_timezone date_from_parts time_from_parts
     timestamp_ntz_from_parts time_slice`,
  ],
  [
    'scalar',
    `abs ceil floor round trunc truncate sign sqrt cbrt square exp ln log power pow pi mod div0 div0null sin cos tan asin acos
     atan atan2 sinh cosh tanh degrees radians greatest least greatest_ignore_nulls least_ignore_nulls width_bucket bitand
     bitor bitxor bitnot haversine`,
  ],
  [
    'scalar',
    `concat concat_ws lower upper initcap length len char_length octet_length substr substring left right replace translate
     reverse repeat space lpad rpad trim ltrim rtrim position charindex contains startswith endswith split_part strtok insert
     chr char ascii unicode editdistance jarowinkler_similarity soundex regexp_like regexp_substr regexp_replace regexp_count
     regexp_instr md5 sha1 sha2`,
  ],
  [
    'scalar',
    `to_char to_varchar to_number to_decimal to_numeric to_double to_boolean try_to_number try_to_decimal try_to_numeric
     try_to_double try_to_boolean`,
  ],
  ['scalar', 'coalesce nvl nvl2 ifnull nullif nullifzero zeroifnull iff decode equal_null'],
]);
