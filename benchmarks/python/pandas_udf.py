"""x * 2 + 1 by a vectorized Python function. usage: pandas_udf.py ROWS"""

from pyflink.table import DataTypes
from pyflink.table.udf import udf
from table_programs import run_query


@udf(result_type=DataTypes.BIGINT(), func_type="pandas")
def double_and_one(x):
    return x * 2 + 1


run_query({"f": double_and_one}, "y BIGINT", "SELECT f(x) FROM numbers")
