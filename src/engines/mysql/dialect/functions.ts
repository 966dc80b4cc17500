// The only functions that SQL for MySQL and MariaDB can call. They are built into both systems, where a stored function
// can't replace them. They read no files or settings, don't sleep or lock, and return the same value for the same row.
import { FunctionList } from '../../../dialects/function-list.ts';

export const MYSQL_FUNCTIONS = new FunctionList([
  // Functions in which a time unit takes the place of an argument.
  ['grammar', 'extract'],
  // svc sets group_concat_max_len, so that the server truncates the result of group_concat before it reaches the byte
  // limit.
  [
    'aggregate',
    `count sum avg min max std stddev stddev_pop stddev_samp variance var_pop var_samp bit_and bit_or bit_xor
     group_concat json_arrayagg json_objectagg`,
  ],
  ['window', 'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value'],
  // sysdate and unix_timestamp() are excluded, because they change while a statement runs.
  [
    'scalar',
    `now curdate curtime current_date current_time current_timestamp localtime localtimestamp utc_date utc_time
     utc_timestamp date time timestamp year quarter month week weekofyear yearweek day dayofmonth dayofweek dayofyear
     weekday hour minute second microsecond dayname monthname last_day makedate maketime adddate subdate date_add date_sub
     addtime subtime datediff timediff timestampdiff timestampadd date_format time_format str_to_date convert_tz
     from_days to_days to_seconds from_unixtime sec_to_time time_to_sec period_add period_diff`,
  ],
  [
    'scalar',
    `abs ceil ceiling floor round truncate mod pow power sqrt exp ln log log2 log10 sign pi degrees radians sin cos tan
     cot asin acos atan atan2 crc32 conv bin oct hex greatest least bit_count`,
  ],
  // The guard limits the length of strings from repeat, lpad and rpad.
  [
    'scalar',
    `concat concat_ws lower lcase upper ucase length char_length character_length octet_length bit_length left right
     substr substring mid substring_index trim ltrim rtrim replace reverse repeat lpad rpad locate instr
     ascii ord char strcmp field find_in_set elt format insert quote soundex regexp_replace regexp_substr regexp_instr
     md5 sha1 sha2 to_base64 from_base64 unhex`,
  ],
  ['scalar', 'coalesce ifnull nullif isnull if'],
  [
    'scalar',
    `json_extract json_unquote json_value json_length json_type json_valid json_keys json_contains json_contains_path
     json_array json_object json_quote json_depth json_search`,
  ],
]);
