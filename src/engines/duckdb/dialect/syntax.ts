import { toWordSet } from './native.ts';

export const DUCKDB_LAMBDA_FUNCTIONS: ReadonlySet<string> = toWordSet(
  `list_transform array_transform list_apply array_apply apply list_filter array_filter filter list_reduce array_reduce
   reduce`,
);

/** Names that belong to the grammar or the binder and are never functions. */
export const DUCKDB_NON_FUNCTIONS: ReadonlySet<string> = toWordSet(
  'coalesce grouping try current_time current_timestamp localtime localtimestamp',
);

/** Names that the binder reads as values unless a column has the same name. */
export const DUCKDB_VALUE_NAMES: ReadonlySet<string> = toWordSet(
  'current_date current_time current_timestamp localtime localtimestamp',
);

/** Names that need quotes, because a version of the grammar may reserve them. */
export const DUCKDB_KEYWORDS: ReadonlySet<string> = toWordSet(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
   deferrable desc describe distinct do else end except false fetch for foreign from group having in initially intersect
   into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider placing primary qualify
   references returning select show some summarize symmetric table then to trailing true union unique unpivot using
   variadic when where window with
   anti asof at authorization binary by collation columns concurrently cross freeze full generated glob ilike inner is
   isnull join left like map natural notnull outer overlaps positional right semi similar struct tablesample try_cast
   unpack verbose
   between bigint bit boolean char character coalesce dec decimal exists extract float grouping grouping_id inout int
   integer interval national nchar none nullif numeric out overlay position precision real row setof smallint substring
   time timestamp treat trim try varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces
   xmlparse xmlpi xmlroot xmlserialize xmltable
   current exclude filter ordinality over recursive rename replace sample unbounded values within`,
);

/** The operator `.` reads a field of a struct, and `array` precedes a list. */
export const DUCKDB_OPERATORS: ReadonlySet<string> = toWordSet(
  '= <> < <= > >= ** ~ & | << >> || ! @ ^@ -> ->> && <@ @> <-> <=> . array',
);

/** The only allowed types, because DuckDB searches the catalog for any other type. */
export const DUCKDB_TYPES: ReadonlySet<string> = new Set([
  ...toWordSet(`boolean tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint float double
    decimal varchar blob bit uuid date time timestamp timestamp_s timestamp_ms timestamp_ns interval struct map null
    bignum`),
  'timestamp with time zone',
  'time with time zone',
]);
