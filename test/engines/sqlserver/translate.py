"""T-SQL by sqlglot as DuckDB's, a line of JSON for a line of JSON. Of what SQL Server means by it, said here: whole numbers
divide to whole ones (a setting of the database), the mean of them is whole, a binary collation undoes the one of the column,
dates stay dates, and time zones have Windows' names."""
import json
import sys

import sqlglot
from sqlglot import exp
from tzlocal.windows_tz import win_tz

WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")


def said(node):
    if isinstance(node, exp.National):
        return exp.Literal.string(node.this)
    if isinstance(node, exp.Collate):
        return exp.func("svc_binary", node.this) if node.expression.name.upper().endswith("_BIN2") else node.this
    if isinstance(node, exp.DataType) and node.is_type("text", "varchar", "nvarchar"):
        return exp.DataType.build("text")
    if isinstance(node, exp.DataType) and node.is_type("float"):
        return exp.DataType.build("double")
    if isinstance(node, exp.CurrentSchema) and node.this:
        return exp.Anonymous(this="schema_name", expressions=[node.this])
    if isinstance(node, exp.AtTimeZone):
        return exp.AtTimeZone(this=node.this, zone=exp.Literal.string(win_tz[node.args["zone"].name]))
    if isinstance(node, (exp.DateAdd, exp.TsOrDsAdd)) and isinstance(node.this, exp.Cast) and node.this.to.is_type("date"):
        return exp.Cast(this=node.copy(), to=exp.DataType.build("date"))
    if isinstance(node, exp.Avg) and not isinstance(node.parent, exp.Window):
        kind = exp.func("typeof", exp.func("any_value", node.this.copy()))
        whole = exp.In(this=kind, expressions=[exp.Literal.string(one) for one in WHOLE])
        return exp.Case().when(whole, exp.func("trunc", node.copy())).else_(node.copy())
    return node


for line in sys.stdin:
    try:
        (tree,) = sqlglot.parse(json.loads(line), read="tsql")
        # From the inside out, each node once.
        for node in reversed(list(tree.walk())):
            other = said(node)
            if other is not node:
                if node is tree:
                    tree = other
                else:
                    node.replace(other)
        print(json.dumps({"sql": tree.sql(dialect="duckdb")}), flush=True)
    except Exception as fault:
        print(json.dumps({"error": f"{type(fault).__name__}: {fault}"}), flush=True)
