"""The exactly-once Kafka sink, from a table program to the topic."""

from __future__ import annotations

from pyflink.table import EnvironmentSettings, TableEnvironment
from thalweg.cli.embedded_broker import EmbeddedBroker

from thalweg import _native

ROWS = 120_000


def test_an_epoch_larger_than_its_memory_arrives_whole(broker: EmbeddedBroker) -> None:
    tools = _native.KafkaTools({"bootstrap.servers": broker.address})
    tools.create_topic("large-epoch", 1, {})
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.get_config().set("execution.checkpointing.interval", "1 h")
    tables.execute_sql(
        f"""CREATE TABLE numbers (n BIGINT, filling STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '{ROWS}',
        'rows-per-second' = '1000000',
        'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '{ROWS}', 'fields.filling.length' = '100')"""
    )
    tables.execute_sql(
        f"""CREATE TABLE epoch (n BIGINT, filling STRING) WITH ('connector' = 'kafka', 'topic' = 'large-epoch', 'format' = 'json',
        'properties.bootstrap.servers' = '{broker.address}', 'properties.isolation.level' = 'read_committed',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
        'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'large-epoch')"""
    )
    tables.execute_sql("INSERT INTO epoch SELECT * FROM numbers").wait()
    batch = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    batch.execute_sql(
        f"""CREATE TABLE epoch (n BIGINT) WITH ('connector' = 'kafka', 'topic' = 'large-epoch', 'format' = 'json',
        'properties.bootstrap.servers' = '{broker.address}', 'properties.isolation.level' = 'read_committed',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset')"""
    )
    with batch.execute_sql("SELECT COUNT(*), COUNT(DISTINCT n), SUM(n) FROM epoch").collect() as rows:
        assert list(next(rows)) == [ROWS, ROWS, ROWS * (ROWS + 1) // 2]
