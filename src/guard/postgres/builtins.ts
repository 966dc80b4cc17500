// Types and operators of core Postgres that SQL may name. reg* types look names up and are out (G09), as are row types.
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

/** Values of SQL itself without parentheses; those that tell users, schemas or databases are out. */
export const POSTGRES_VALUE_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['SVFOP_CURRENT_DATE', 'current_date'],
  ['SVFOP_CURRENT_TIME', 'current_time'],
  ['SVFOP_CURRENT_TIME_N', 'current_time'],
  ['SVFOP_CURRENT_TIMESTAMP', 'current_timestamp'],
  ['SVFOP_CURRENT_TIMESTAMP_N', 'current_timestamp'],
  ['SVFOP_LOCALTIME', 'localtime'],
  ['SVFOP_LOCALTIME_N', 'localtime'],
  ['SVFOP_LOCALTIMESTAMP', 'localtimestamp'],
  ['SVFOP_LOCALTIMESTAMP_N', 'localtimestamp'],
]);
