"""Every kind of Python function on the readings of two electricity meters."""

import pathlib
from collections.abc import Iterator

from pyflink.common import Row
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col, lit
from pyflink.table.udf import AggregateFunction, ScalarFunction, TableAggregateFunction, udaf, udf, udtaf, udtf
from pyflink.table.window import Tumble

HERE = pathlib.Path(__file__).resolve().parent


# One value for one row, called once a row: for logic that SQL has no words for.
@udf(result_type=DataTypes.DOUBLE())
def kilowatts(amperes):
    return None if amperes is None else amperes * 0.23


# A function with something to set up: `open` is called once a task, before the first row.
class Tariff(ScalarFunction):
    def open(self, function_context):
        self.price = float(function_context.get_job_parameter("price", "0.30"))
        self.readings = function_context.get_metric_group().counter("readings")

    def eval(self, power):
        self.readings.inc()
        return None if power is None else round(power * self.price, 4)


# A row for a row, fields by name: for Table.map.
@udf(result_type=DataTypes.ROW([DataTypes.FIELD("meter", DataTypes.STRING()), DataTypes.FIELD("said", DataTypes.STRING())]))
def report(row: Row) -> Row:
    return Row(row.meter.upper(), f"{row.amperes} A" if row.amperes is not None else "nothing")


# Any number of rows for one row.
@udtf(result_types=[DataTypes.STRING()])
def flags(text: str) -> Iterator[str]:
    for flag in text.split(";"):
        if flag != "ok":
            yield flag


# One value for many rows: the accumulator is a Python object that lives in the engine's state.
class Spread(AggregateFunction):
    def create_accumulator(self):
        return [None, None]

    def accumulate(self, accumulator, value):
        if value is not None:
            accumulator[0] = value if accumulator[0] is None else min(accumulator[0], value)
            accumulator[1] = value if accumulator[1] is None else max(accumulator[1], value)

    def get_value(self, accumulator):
        return None if accumulator[0] is None else accumulator[1] - accumulator[0]

    def get_result_type(self):
        return DataTypes.DOUBLE()

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.DOUBLE())


# Many rows for many rows: the two highest readings of each meter.
class Highest(TableAggregateFunction):
    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, value):
        if value is not None:
            accumulator[:] = sorted([*accumulator, value], reverse=True)[:2]

    def emit_value(self, accumulator):
        for place, value in enumerate(accumulator, 1):
            yield Row(place, value)

    def get_result_type(self):
        return DataTypes.ROW([DataTypes.FIELD("place", DataTypes.INT()), DataTypes.FIELD("amperes", DataTypes.DOUBLE())])

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.DOUBLE())


def main() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    t_env.get_config().set("parallelism.default", "1")
    t_env.get_config().set("pipeline.global-job-parameters", "price:0.25")
    t_env.execute_sql(f"""
        CREATE TABLE meters (
          meter STRING, ts TIMESTAMP(3), amperes DOUBLE, flags STRING,
          WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
        ) WITH ('connector' = 'filesystem', 'path' = '{HERE}/meters.csv', 'format' = 'csv', 'csv.null-literal' = '')""")
    meters = t_env.from_path("meters")

    print("-- scalar functions, in SQL")
    t_env.create_temporary_system_function("kilowatts", kilowatts)
    t_env.create_temporary_system_function("tariff", udf(Tariff(), result_type="DOUBLE"))
    t_env.execute_sql("SELECT meter, kilowatts(amperes) AS kw, tariff(kilowatts(amperes)) AS cost FROM meters").print()

    print("-- a map over rows")
    meters.map(report).execute().print()

    print("-- a table function")
    t_env.create_temporary_system_function("flags_of", flags)
    t_env.execute_sql("SELECT meter, flag FROM meters, LATERAL TABLE(flags_of(flags)) AS f(flag)").print()

    print("-- an aggregate function in a window")
    spread = udaf(Spread())
    minutes = meters.window(Tumble.over(lit(1).minutes).on(col("ts")).alias("w")).group_by(col("w"), col("meter"))
    minutes.select(col("meter"), col("w").start.alias("minute"), spread(col("amperes")).alias("spread")).execute().print()

    print("-- a table aggregate function")
    highest = udtaf(Highest())
    best = meters.group_by(col("meter")).flat_aggregate(highest(col("amperes")).alias("place", "amperes"))
    best.select(col("meter"), col("place"), col("amperes")).execute().print()


if __name__ == "__main__":
    main()
