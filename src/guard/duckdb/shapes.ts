// Expression classes of DuckDB's serialised trees that need no rule of their own, with every field they may have.
// plain: a scalar; node: expression(s). Everything else is refused: deny by default.
const expression = { class: 'plain', type: 'plain', alias: 'plain', query_location: 'plain' } as const;

export const DUCKDB_SHAPES: Readonly<Record<string, Readonly<Record<string, 'plain' | 'node'>>>> = {
  BETWEEN: { ...expression, input: 'node', lower: 'node', upper: 'node' },
  CASE: { ...expression, case_checks: 'node', else_expr: 'node' },
  COLLATE: { ...expression, child: 'node', collation: 'plain' },
  COMPARISON: { ...expression, left: 'node', right: 'node' },
  CONJUNCTION: { ...expression, children: 'node' },
  OPERATOR: { ...expression, children: 'node' },
};

/** Operators of class OPERATOR that read nothing but their operands. */
export const DUCKDB_OPERATOR_TYPES: ReadonlySet<string> = new Set(
  `OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL OPERATOR_COALESCE OPERATOR_NULLIF OPERATOR_TRY COMPARE_IN COMPARE_NOT_IN
   ARRAY_EXTRACT ARRAY_SLICE STRUCT_EXTRACT ARRAY_CONSTRUCTOR ARROW GROUPING_FUNCTION`.split(/\s+/),
);

export const DUCKDB_OPERATORS: ReadonlySet<string> = new Set(
  `+ - * / // % ** ^ ~ & | << >> || ~~ !~~ ~~~ ~~* !~~* ! @ ^@ -> ->> && <@ @> <-> <=>`.split(/\s+/),
);

/** Types a cast may name; others are looked up in the catalog. */
export const DUCKDB_TYPES: ReadonlySet<string> = new Set([
  ...`BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL
   VARCHAR CHAR BLOB BIT UUID DATE TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL LIST ARRAY STRUCT MAP
   NULL BIGNUM INTEGER_LITERAL STRING_LITERAL`.split(/\s+/),
  'TIMESTAMP WITH TIME ZONE',
  'TIME WITH TIME ZONE',
]);

/** Names that the binder reads as values when no column has them. */
export const DUCKDB_VALUE_NAMES: ReadonlySet<string> = new Set(
  'current_date current_time current_timestamp localtime localtimestamp'.split(' '),
);

/** Functions whose arguments may hold lambdas with their own parameter names. */
export const DUCKDB_LAMBDA_FUNCTIONS: ReadonlySet<string> = new Set(
  `list_transform array_transform list_apply array_apply apply list_filter array_filter filter list_reduce array_reduce
   reduce`.split(/\s+/),
);
