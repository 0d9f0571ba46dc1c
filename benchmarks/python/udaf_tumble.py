"""A Python aggregate in tumbling windows of event time, a hundred keys. usage: udaf_tumble.py ROWS"""

from pyflink.table import AggregateFunction, DataTypes
from pyflink.table.udf import udaf
from table_programs import TIMED, run_query


class Spread(AggregateFunction):
    """The largest less the smallest."""

    def create_accumulator(self):
        return [None, None]

    def accumulate(self, accumulator, value):
        if accumulator[0] is None or value < accumulator[0]:
            accumulator[0] = value
        if accumulator[1] is None or value > accumulator[1]:
            accumulator[1] = value

    def get_value(self, accumulator):
        return None if accumulator[0] is None else accumulator[1] - accumulator[0]

    def get_result_type(self):
        return DataTypes.BIGINT()

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())


run_query(
    {"spread": udaf(Spread())},
    "k BIGINT, window_start TIMESTAMP(3), y BIGINT",
    "SELECT k, TUMBLE_START(ts, INTERVAL '10' SECOND), spread(x) FROM numbers GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND)",
    TIMED,
)
