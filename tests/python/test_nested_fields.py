"""Queries that read single fields of ROW columns: the source is asked for those only."""

from __future__ import annotations

import json

import pytest
from pyflink.table import EnvironmentSettings, TableEnvironment
from thalweg.cli.embedded_broker import EmbeddedBroker

from thalweg import _native

#: The last one has a zip that is no number.
ORDERS = [
    {"item": {"id": 1, "price": {"amount": 5, "currency": "EUR"}}, "place": {"city": "Ulm", "zip": 89073}},
    {"item": {"price": {"amount": 7}, "id": 2}, "place": None},
    {"item": {"id": 3, "price": None, "more": [{}]}, "place": {"city": "Rom", "zip": "-"}},
]


@pytest.fixture
def orders(broker: EmbeddedBroker) -> TableEnvironment:
    tools = _native.KafkaTools({"bootstrap.servers": broker.address})
    if "nested-orders" in dict(tools.topics()):
        tools.delete_topic("nested-orders")
    tools.create_topic("nested-orders", 1, {})
    for order in ORDERS:
        tools.produce("nested-orders", b"", json.dumps(order).encode())
    assert tools.flush(10_000) == 0
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.execute_sql(
        f"""CREATE TABLE orders (item ROW<id INT, price ROW<amount INT, currency STRING>>, place ROW<city STRING, zip INT>)
        WITH ('connector' = 'kafka', 'topic' = 'nested-orders', 'properties.bootstrap.servers' = '{broker.address}',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json')"""
    )
    return tables


def rows(tables: TableEnvironment, query: str) -> list[list[object]]:
    with tables.execute_sql(query).collect() as results:
        return [list(row) for row in results]


def test_fields_of_kafka_records(orders: TableEnvironment) -> None:
    assert rows(orders, "SELECT item.price.amount, place.city, item.id FROM orders") == [[5, "Ulm", 1], [7, None, 2], [None, "Rom", 3]]
    assert rows(orders, "SELECT place.city FROM orders WHERE item.price.currency = 'EUR'") == [["Ulm"]]


def test_a_field_that_is_read_must_fit(orders: TableEnvironment) -> None:
    with pytest.raises(Exception, match="Failed to deserialize JSON"):
        rows(orders, "SELECT place.zip FROM orders")


def test_a_view_and_the_table_api_read_the_same(orders: TableEnvironment) -> None:
    orders.execute_sql("CREATE VIEW prices AS SELECT item.price AS price, item.id AS id FROM orders")
    assert rows(orders, "SELECT id, price.amount FROM prices WHERE id < 3") == [[1, 5], [2, 7]]
    table = orders.from_path("orders")
    with table.select(table.item.get("id"), table.item.get("price").get("amount")).execute().collect() as results:
        assert [list(row) for row in results] == [[1, 5], [2, 7], [3, None]]
