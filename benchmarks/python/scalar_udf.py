"""x * 2 + 1 by a general Python function. usage: scalar_udf.py ROWS"""

from pyflink.table import DataTypes
from pyflink.table.udf import udf
from table_programs import run_query


@udf(result_type=DataTypes.BIGINT())
def double_and_one(x):
    return x * 2 + 1


run_query({"f": double_and_one}, "y BIGINT", "SELECT f(x) FROM numbers")
