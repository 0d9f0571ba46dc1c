"""Avro on the wire, against fastavro, an independent implementation."""

from __future__ import annotations

import datetime
import decimal
import io
import struct

import fastavro
import pytest
from conftest import Registry, Topic
from pyflink.table import EnvironmentSettings, TableEnvironment

COLUMNS = """
  b BOOLEAN, i INT, l BIGINT NOT NULL, f FLOAT, d DOUBLE, s STRING, x BYTES,
  amount DECIMAL(20, 4), date_ DATE, ts TIMESTAMP(3), tags ARRAY<STRING>, counts MAP<STRING, INT>,
  place ROW<name STRING, spot ROW<x DOUBLE, y DOUBLE>>
"""


def environment(kafka: str, registry: str, topic: str, columns: str = COLUMNS, more: str = "") -> TableEnvironment:
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.execute_sql(
        f"""CREATE TABLE t ({columns}) WITH (
          'connector' = 'kafka', 'topic' = '{topic}', 'properties.bootstrap.servers' = '{kafka}',
          'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
          'value.format' = 'avro-confluent', 'value.avro-confluent.url' = '{registry}'{more})"""
    )
    return tables


def framed(schema_id: int, schema: object, record: dict) -> bytes:  # type: ignore[type-arg]
    body = io.BytesIO()
    fastavro.schemaless_writer(body, fastavro.parse_schema(schema), record)
    return b"\0" + struct.pack(">I", schema_id) + body.getvalue()


def rows(tables: TableEnvironment, query: str) -> list[list[object]]:
    with tables.execute_sql(query).collect() as results:
        return [list(row) for row in results]


def test_fastavro_reads_what_we_write(kafka: str, registry: str, topic: Topic, schemas: Registry) -> None:
    tables = environment(kafka, registry, topic.name)
    tables.execute_sql(
        """INSERT INTO t VALUES
        (TRUE, 1, 2, CAST(1.5 AS FLOAT), 2.5E0, 'héllo', x'00ff', 12.5, DATE '2024-02-29',
         TIMESTAMP '2024-01-02 03:04:05.678', ARRAY['a', 'b'], MAP['k', 7], ROW('here', ROW(1E0, 2E0))),
        (CAST(NULL AS BOOLEAN), CAST(NULL AS INT), 3, CAST(NULL AS FLOAT), CAST(NULL AS DOUBLE), CAST(NULL AS STRING),
         CAST(NULL AS BYTES), CAST(NULL AS DECIMAL(20, 4)), CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP(3)),
         CAST(NULL AS ARRAY<STRING>), CAST(NULL AS MAP<STRING, INT>),
         CAST(NULL AS ROW<name STRING, spot ROW<x DOUBLE, y DOUBLE>>))"""
    ).wait()
    records = []
    for _, _, value in topic.read(2):
        assert value is not None and value[0] == 0
        schema = schemas.schema(struct.unpack(">I", value[1:5])[0])
        records.append(fastavro.schemaless_reader(io.BytesIO(value[5:]), fastavro.parse_schema(schema)))
    assert records[0] == {
        "b": True,
        "i": 1,
        "l": 2,
        "f": 1.5,
        "d": 2.5,
        "s": "héllo",
        "x": b"\x00\xff",
        "amount": decimal.Decimal("12.5000"),
        "date_": datetime.date(2024, 2, 29),
        "ts": datetime.datetime(2024, 1, 2, 3, 4, 5, 678000, tzinfo=datetime.timezone.utc),
        "tags": ["a", "b"],
        "counts": {"k": 7},
        "place": {"name": "here", "spot": {"x": 1.0, "y": 2.0}},
    }
    assert records[1] == {name: 3 if name == "l" else None for name in records[0]}
    assert rows(tables, "SELECT l, s, amount, ts, place.spot.y FROM t WHERE b") == [
        [2, "héllo", decimal.Decimal("12.5000"), datetime.datetime(2024, 1, 2, 3, 4, 5, 678000), 2.0]
    ]


def test_we_read_what_fastavro_writes(kafka: str, registry: str, topic: Topic, schemas: Registry) -> None:
    """A writer with its own record name, order, types to promote, logical types and fields that the table lacks."""
    schema = {
        "type": "record",
        "name": "Reading",
        "namespace": "com.example",
        "fields": [
            {"name": "unused", "type": {"type": "map", "values": ["null", {"type": "array", "items": "string"}]}},
            {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "l", "type": "int"},
            {"name": "s", "type": ["string", "null"]},
            {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}},
            {"name": "d", "type": "float"},
            {"name": "next", "type": ["null", "com.example.Reading"], "default": None},
        ],
    }
    schema_id = schemas.register(f"{topic.name}-value", schema)
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    record = {"unused": {"a": ["x"], "b": None}, "ts": moment, "l": 7, "s": "x", "amount": decimal.Decimal("-3.25"), "d": 1.5, "next": None}
    inner = dict(record, next=dict(record, s=None))
    topic.send([(None, framed(schema_id, schema, record)), (None, None), (None, framed(schema_id, schema, inner))])
    tables = environment(kafka, registry, topic.name)
    want = [7, "x", decimal.Decimal("-3.2500"), 1.5, datetime.datetime(2024, 1, 2, 3, 4, 5, 678000), None]
    assert rows(tables, "SELECT l, s, amount, d, ts, tags FROM t") == [want, want]


def test_schemas_may_change_between_records(kafka: str, registry: str, topic: Topic, schemas: Registry) -> None:
    old = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}
    new = {
        "type": "record",
        "name": "R",
        "fields": [{"name": "b", "type": ["null", "string"], "default": None}, {"name": "a", "type": "long"}],
    }
    ids = [schemas.register(f"{topic.name}-value", schema) for schema in (old, new)]
    topic.send(
        [(None, framed(ids[0], old, {"a": 1})), (None, framed(ids[1], new, {"a": 2, "b": "two"})), (None, framed(ids[0], old, {"a": 3}))]
    )
    tables = environment(kafka, registry, topic.name, "a BIGINT, b STRING")
    assert rows(tables, "SELECT a, b FROM t") == [[1, None], [2, "two"], [3, None]]


def test_a_schema_that_the_registry_does_not_know_is_named(kafka: str, registry: str, topic: Topic) -> None:
    topic.send([(b"k", b"\0" + struct.pack(">I", 999_999) + b"\0")])
    tables = environment(kafka, registry, topic.name, "a BIGINT")
    with pytest.raises(Exception, match="no schema with id 999999"):
        rows(tables, "SELECT a FROM t")


def test_keys_have_a_subject_of_their_own(kafka: str, registry: str, topic: Topic, schemas: Registry) -> None:
    more = (
        f", 'key.format' = 'avro-confluent', 'key.avro-confluent.url' = '{registry}'"
        ", 'key.fields' = 'id', 'value.fields-include' = 'EXCEPT_KEY'"
    )
    tables = environment(kafka, registry, topic.name, "id INT, name STRING", more)
    tables.execute_sql("INSERT INTO t VALUES (5, 'five')").wait()
    key = topic.read(1)[0][1]
    assert key is not None
    assert schemas.ask(f"/subjects/{topic.name}-key/versions/latest")["id"] == struct.unpack(">I", key[1:5])[0]
    assert key[5:] == b"\x02\x0a"
    assert rows(tables, "SELECT id, name FROM t") == [[5, "five"]]
