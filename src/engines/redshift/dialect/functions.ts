// The only functions that SQL for Redshift can call. They reveal nothing about users or the cluster. No aggregate is
// approximate, and no function is random. Functions of the leader node (now, generate_series), SUPER values and arrays
// are excluded.
import { FunctionList } from '../../../dialects/function-list.ts';

export const REDSHIFT_FUNCTIONS = new FunctionList([
  [
    'aggregate',
    `count sum avg min max median bool_and bool_or bit_and bit_or stddev stddev_pop stddev_samp variance var_pop var_samp
     percentile_cont percentile_disc listagg`,
  ],
  [
    'window',
    `row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
     ratio_to_report`,
  ],
  [
    'scalar',
    `date_trunc date_part datepart dateadd datediff date_cmp to_char to_date to_timestamp to_number getdate add_months
     months_between last_day next_day convert_timezone timezone trunc`,
  ],
  [
    'scalar',
    `abs ceil ceiling floor round mod power pow sqrt cbrt exp ln log dlog10 sign pi degrees radians sin cos tan cot asin
     acos atan atan2 to_hex strtol`,
  ],
  // The guard limits the length of strings from repeat, lpad and rpad.
  [
    'scalar',
    `lower upper initcap length len char_length character_length octet_length btrim ltrim rtrim trim left right substring
     substr position strpos charindex replace translate reverse split_part concat repeat lpad rpad ascii chr quote_literal
     quote_ident regexp_replace regexp_count regexp_instr regexp_substr md5 sha1 sha2 crc32 soundex difference`,
  ],
  ['scalar', 'nvl nvl2 decode isnull'],
  [
    'scalar',
    `json_extract_path_text json_extract_array_element_text json_array_length is_valid_json is_valid_json_array`,
  ],
  ['grammar', 'coalesce nullif greatest least grouping'],
  ['bare', 'current_date'],
]);

/** Functions whose first argument is a time unit, not a column. */
export const UNIT_FUNCTIONS: ReadonlySet<string> = new Set('dateadd datediff date_part datepart'.split(' '));
export const TIME_UNITS: ReadonlySet<string> = new Set(
  `millennium century decade year quarter month week day dayofyear doy dayofweek dow hour minute second millisecond
   microsecond epoch`.split(/\s+/),
);

/**
 * The only types that casts can use, by the names that the reader gives them. SUPER, arrays and intervals are excluded.
 */
export const REDSHIFT_TYPES: ReadonlySet<string> = new Set(
  `bool int2 int4 int8 float4 float8 numeric text varchar bpchar char date time timetz timestamp timestamptz boolean integer
   bigint smallint real decimal character`.split(/\s+/),
);

export const REDSHIFT_OPERATORS: ReadonlySet<string> = new Set('= <> < > <= >= || ~ !~ |/ ||/ @ & |'.split(' '));
