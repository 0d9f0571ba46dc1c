"""Rows to rows: Table.map with a Python function. usage: row_map.py ROWS"""

from pyflink.common import Row
from pyflink.table import DataTypes
from pyflink.table.udf import udf
from table_programs import blackhole, numbers


@udf(result_type=DataTypes.ROW([DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("x", DataTypes.BIGINT())]))
def swap(row: Row) -> Row:
    return Row(row[1], row[0] + 1)


table_env = numbers()
blackhole(table_env, "name STRING, x BIGINT")
table_env.sql_query("SELECT x, name FROM numbers").map(swap).execute_insert("target").wait()
