// The only functions that SQL for Databricks can call. They reveal nothing about users, secrets or files, and call no
// models, servers or Java. No aggregate is approximate or depends on the order of rows, and no function is random. No
// function returns arrays, maps, structs or variants.
import { FunctionList } from '../../../dialects/function-list.ts';

export const DATABRICKS_FUNCTIONS = new FunctionList([
  ['grammar', 'extract'],
  [
    'aggregate',
    `count count_if sum avg mean min max max_by min_by median percentile stddev stddev_pop stddev_samp std variance var_pop
     var_samp covar_pop covar_samp corr skewness kurtosis bool_and bool_or every some bit_and bit_or bit_xor regr_slope
     regr_intercept regr_r2 try_sum try_avg`,
  ],
  ['window', 'row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value lag lead'],
  [
    'scalar',
    `current_date current_timestamp now date date_add date_sub dateadd datediff date_diff date_trunc trunc date_format date_part
     to_date to_timestamp try_to_timestamp make_date make_timestamp add_months months_between last_day next_day year quarter
     month weekofyear week day dayofmonth dayofweek dayofyear weekday hour minute second from_utc_timestamp to_utc_timestamp
     unix_timestamp from_unixtime unix_date timestamp_seconds timestamp_millis`,
  ],
  [
    'scalar',
    `abs ceil ceiling floor round bround sign signum mod pmod sqrt cbrt exp expm1 ln log log2 log10 log1p power pow pi e
     degrees radians sin cos tan cot asin acos atan atan2 sinh cosh tanh greatest least width_bucket try_add try_subtract
     try_multiply try_divide hex conv bin bit_count isnan`,
  ],
  // Names of types, which work as casts when they are called.
  ['scalar', 'bigint int smallint tinyint double float decimal boolean string timestamp'],
  // The guard limits the length of strings from repeat, space, lpad and rpad.
  [
    'scalar',
    `concat concat_ws lower lcase upper ucase initcap length len char_length character_length octet_length bit_length left
     right substring substr mid replace translate overlay reverse trim ltrim rtrim btrim lpad rpad repeat space instr locate
     position charindex split_part startswith endswith contains ascii chr char levenshtein soundex regexp_replace
     regexp_extract regexp_substr regexp_count regexp_instr regexp_like rlike md5 sha sha1 sha2 crc32 base64 url_encode
     url_decode`,
  ],
  ['scalar', 'coalesce ifnull nvl nvl2 nullif nullifzero zeroifnull nanvl if iff isnull isnotnull decode'],
  ['scalar', 'get_json_object json_array_length'],
]);
