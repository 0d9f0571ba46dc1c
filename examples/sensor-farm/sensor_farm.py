"""Sums the charge that each device drew, over short windows of the clock.

usage: sensor_farm.py [BROKER] [WINDOW_SECONDS]
"""

import sys

from pyflink.table import EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col, lit
from pyflink.table.window import Tumble

broker = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 5

t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
t_env.execute_sql(f"""
    CREATE TABLE readings (
        device_id STRING,
        ampere_hour DOUBLE,
        arrived AS PROCTIME()
    ) WITH (
        'connector' = 'kafka',
        'topic' = 'sensor.readings',
        'properties.bootstrap.servers' = '{broker}',
        'properties.group.id' = 'sensor-farm',
        'scan.startup.mode' = 'earliest-offset',
        'format' = 'json'
    )
""")
t_env.execute_sql(f"""
    CREATE TABLE charges (
        device_id STRING,
        window_start TIMESTAMP(3),
        window_end TIMESTAMP(3),
        charge DOUBLE
    ) WITH (
        'connector' = 'kafka',
        'topic' = 'device.charge',
        'properties.bootstrap.servers' = '{broker}',
        'format' = 'json'
    )
""")
charges = (
    t_env.from_path("readings")
    .window(Tumble.over(lit(seconds).seconds).on(col("arrived")).alias("w"))
    .group_by(col("w"), col("device_id"))
    .select(
        col("device_id"),
        col("w").start.alias("window_start"),
        col("w").end.alias("window_end"),
        col("ampere_hour").sum.alias("charge"),
    )
)
charges.execute_insert("charges").wait()
