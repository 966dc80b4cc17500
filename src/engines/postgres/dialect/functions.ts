// The only functions that SQL for PostgreSQL can call. They compute a value from their arguments or return the date.
// They run no SQL from strings, read no files or settings, and don't write, sleep or lock.
import type { UncancelableWork } from '../../../dialects/dialect.ts';
import { FunctionList } from '../../../dialects/function-list.ts';

export const POSTGRES_FUNCTIONS = new FunctionList([
  // The byte limit also applies to aggregates that collect values.
  [
    'aggregate',
    `count sum avg min max bool_and bool_or every any_value bit_and bit_or bit_xor
     stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
     regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
     percentile_cont percentile_disc mode string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg
     range_agg range_intersect_agg`,
  ],
  ['window', 'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value'],
  // now() returns the start of the transaction. clock_timestamp and pg_sleep are excluded.
  [
    'scalar',
    `date_trunc date_part extract age to_char to_date to_timestamp to_number make_date make_time make_timestamp
     make_timestamptz make_interval date_bin now transaction_timestamp statement_timestamp justify_days justify_hours
     justify_interval isfinite timezone overlaps date_add date_subtract`,
  ],
  // Names of types, which work as casts when they are called.
  ['scalar', 'date timestamp timestamptz time text varchar bpchar int2 int4 int8 float4 float8 numeric bool interval'],
  // random() is allowed, because it reads no data and writes nothing. setseed is excluded.
  [
    'scalar',
    `abs ceil ceiling floor round trunc mod power pow sqrt cbrt exp ln log log10 sign div gcd lcm factorial pi degrees
     radians sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh width_bucket scale min_scale
     trim_scale random to_hex to_bin to_oct erf erfc gamma lgamma`,
  ],
  // The guard limits the length of strings from repeat, lpad and rpad.
  [
    'scalar',
    `lower upper initcap length char_length character_length octet_length bit_length btrim ltrim rtrim trim left right
     substr substring position strpos replace translate reverse split_part concat concat_ws format overlay starts_with
     repeat lpad rpad ascii chr casefold unaccent normalize is_normalized similar_to_escape like_escape quote_literal
     quote_nullable quote_ident regexp_replace regexp_match regexp_matches regexp_like regexp_count regexp_instr
     regexp_substr regexp_split_to_array string_to_array array_to_string encode decode md5 sha224 sha256 sha384 sha512
     levenshtein soundex difference metaphone similarity word_similarity strict_word_similarity`,
  ],
  ['scalar', 'num_nulls num_nonnulls'],
  [
    'scalar',
    `array_length array_upper array_lower array_ndims array_dims cardinality array_position array_positions array_remove
     array_replace array_append array_prepend array_cat trim_array array_sort array_reverse`,
  ],
  // json_populate_* is excluded, because it needs row types.
  [
    'scalar',
    `json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text json_array_length
     jsonb_array_length json_typeof jsonb_typeof json_build_object jsonb_build_object json_build_array
     jsonb_build_array json_object jsonb_object json_strip_nulls jsonb_strip_nulls jsonb_path_exists jsonb_path_match
     jsonb_path_query_array jsonb_path_query_first jsonb_set jsonb_insert jsonb_pretty to_json to_jsonb`,
  ],
  [
    'scalar',
    `int4range int8range numrange tsrange tstzrange daterange isempty lower_inc upper_inc lower_inf upper_inf
     range_merge`,
  ],
  // ts_stat and ts_rewrite are excluded, because they run SQL from a string.
  [
    'scalar',
    `to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline
     numnode querytree strip setweight tsvector_to_array`,
  ],
  // Syntax that looks like a call. A schema can't qualify such names.
  ['grammar', 'coalesce nullif greatest least grouping'],
  ['bare', 'current_date current_time current_timestamp localtime localtimestamp'],
  // The guard limits the rows of generate_series.
  [
    'table',
    `generate_series generate_subscripts unnest string_to_table regexp_split_to_table json_array_elements
     json_array_elements_text jsonb_array_elements jsonb_array_elements_text json_each json_each_text jsonb_each
     jsonb_each_text json_object_keys jsonb_object_keys jsonb_path_query`,
  ],
]);

const toNameSet = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));
export const POSTGRES_UNCANCELABLE_WORK: UncancelableWork = {
  pairwise:
    toNameSet(`position strpos replace split_part string_to_array string_to_table translate btrim ltrim rtrim trim
    like ilike ~~ !~~ ~~* !~~* @> <@ && ?| ?&`),
  pairwiseOfDocuments: toNameSet('-'),
  documents: toNameSet('jsonb to_jsonb jsonb_agg jsonb_object_agg jsonb_build_array jsonb_build_object jsonb_object'),
  collects: toNameSet('string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg range_agg'),
  spreads: toNameSet('replace regexp_replace format array_to_string concat_ws'),
  joins: toNameSet(`|| concat array_cat array_append array_prepend overlay json_build_array json_build_object
    jsonb_build_array jsonb_build_object jsonb_set jsonb_insert`),
};

/** Functions of extensions, which can be in any schema. All other functions are built in. */
export const POSTGRES_EXTENSION_FUNCTIONS: ReadonlySet<string> = new Set(
  'unaccent levenshtein soundex difference metaphone similarity word_similarity strict_word_similarity'.split(' '),
);

/** Table functions whose columns have fixed names, even if the call has an alias, with these names. */
export const POSTGRES_TABLE_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    json_each: ['key', 'value'],
    json_each_text: ['key', 'value'],
    jsonb_each: ['key', 'value'],
    jsonb_each_text: ['key', 'value'],
    json_array_elements: ['value'],
    json_array_elements_text: ['value'],
    jsonb_array_elements: ['value'],
    jsonb_array_elements_text: ['value'],
  }),
);

/** The only types that casts can use. Row types are excluded, and so are the reg* types, which look up names. */
export const POSTGRES_TYPES: ReadonlySet<string> = new Set(
  `bool int2 int4 int8 float4 float8 numeric money text varchar bpchar char date time timetz timestamp timestamptz interval
   uuid bytea bit varbit json jsonb jsonpath inet cidr macaddr point line lseg box path polygon circle tsvector tsquery
   int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange nummultirange tsmultirange
   tstzmultirange datemultirange boolean integer bigint smallint real decimal character`.split(/\s+/),
);

export const POSTGRES_OPERATORS: ReadonlySet<string> = new Set(
  `= <> < > <= >= + - * / % ^ |/ ||/ @ & | # ~ << >> || ~~ !~~ ~~* !~~* ~* !~ !~* -> ->> #> #>> @> <@ ? ?| ?& && -|- @@ @?
   &< &> <-> <<| |>> &<| |&> ^@ %> <% %>> <<% ~>=~ ~<=~ ~>~ ~<~ #-`.split(/\s+/),
);
