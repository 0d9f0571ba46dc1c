"""Texts through a general Python function. usage: string_udf.py ROWS"""

from pyflink.table import DataTypes
from pyflink.table.udf import udf
from table_programs import run_query


@udf(result_type=DataTypes.STRING())
def shout(name):
    return name.upper() + "!"


run_query({"f": shout}, "y STRING", "SELECT f(name) FROM numbers")
