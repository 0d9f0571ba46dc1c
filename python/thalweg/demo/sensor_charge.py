"""How much charge each sensor used, in short windows: from one Kafka topic to another.

A plain PyFlink program: it runs under Apache Flink too (with the Kafka connector's jar).
"""

import argparse

from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import EnvironmentSettings, StreamTableEnvironment
from pyflink.table.expressions import col, lit
from pyflink.table.window import Tumble

SOURCE = """
    CREATE TABLE sensor_readings (
        device_id VARCHAR,
        co DOUBLE,
        humidity DOUBLE,
        motion BOOLEAN,
        temp DOUBLE,
        ampere_hour DOUBLE,
        ts BIGINT,
        proctime AS PROCTIME()
    ) WITH (
        'connector' = 'kafka',
        'topic' = 'sensor.readings',
        'properties.bootstrap.servers' = '{bootstrap}',
        'properties.group.id' = 'sensor-charge',
        'scan.startup.mode' = 'earliest-offset',
        'format' = 'json'
    )
"""

SINK = """
    CREATE TABLE device_charge (
        device_id VARCHAR,
        window_start TIMESTAMP(3),
        window_end TIMESTAMP(3),
        charge_consumed DOUBLE,
        readings BIGINT
    ) WITH (
        'connector' = 'kafka',
        'topic' = 'device.charge',
        'properties.bootstrap.servers' = '{bootstrap}',
        'format' = 'json'
    )
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", default="localhost:9092")
    parser.add_argument("--window-seconds", type=int, default=30)
    options = parser.parse_args()

    environment = StreamExecutionEnvironment.get_execution_environment()
    tables = StreamTableEnvironment.create(environment, EnvironmentSettings.in_streaming_mode())
    tables.execute_sql(SOURCE.format(bootstrap=options.bootstrap))
    tables.execute_sql(SINK.format(bootstrap=options.bootstrap))

    readings = tables.from_path("sensor_readings")
    charge = (
        readings.window(Tumble.over(lit(options.window_seconds).seconds).on(readings.proctime).alias("w"))
        .group_by(col("w"), readings.device_id)
        .select(
            readings.device_id,
            col("w").start.alias("window_start"),
            col("w").end.alias("window_end"),
            readings.ampere_hour.sum.alias("charge_consumed"),
            readings.ampere_hour.count.alias("readings"),
        )
    )
    charge.execute_insert("device_charge").wait()


if __name__ == "__main__":
    main()
