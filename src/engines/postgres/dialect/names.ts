// The keywords of PostgreSQL and Redshift.
const QUOTED_KEYWORDS: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
   current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc distinct
   do else end except false fetch for foreign from grant group having in initially intersect into lateral leading limit
   localtime localtimestamp not null offset on only or order placing primary references returning select session_user
   some symmetric system_user table then to trailing true union unique user using variadic when where window with
   authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join left like
   natural notnull outer overlaps right similar tablesample verbose
   between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int
   integer interval json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar
   json_serialize json_table json_value least merge_action national nchar none normalize nullif numeric out overlay
   position precision real row setof smallint substring time timestamp treat trim values varchar xmlattributes xmlconcat
   xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
   over filter within partition rows range groups
   aes128 aes256 allowoverwrite az64 backup blanksasnull bytedict bzip2 compress connect credentials current_user_id deflate
   defrag delta delta32k disable emptyasnull enable encode encrypt encryption explicit globaldict256 globaldict64k gzip
   identity ignore language lun luns lzo lzop minus mostly16 mostly32 mostly8 new next nulls off offline oid old open parallel
   percent permissions pivot prior qualify raw readratio recover rejectlog resort respect restore snapshot start sysdate
   system tag tdes text255 text32k top truncatecolumns unnest unpivot wallet without`.split(/\s+/),
);

export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !QUOTED_KEYWORDS.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
