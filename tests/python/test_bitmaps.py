"""BITMAP in the Table API and as Python values: the bytes of a Roaring bitmap in the portable format."""

from __future__ import annotations

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.table import DataTypes, Table, TableEnvironment
from pyflink.table.expressions import array, col
from pyflink.table.udf import udf

ONE_AND_THREE = bytes.fromhex("3a30000001000000000001001000000001000300")
EMPTY = bytes.fromhex("3a30000000000000")


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.execute().collect()]


def test_scalar_functions(streaming: TableEnvironment) -> None:
    numbers = streaming.from_elements([(1, 3)], ["a", "b"])
    bitmaps = numbers.select(
        array(col("a").cast(DataTypes.INT()), col("b").cast(DataTypes.INT())).bitmap_build().alias("x"),
        array(col("b").cast(DataTypes.INT())).bitmap_build().alias("y"),
    )
    x, y = col("x"), col("y")
    assert rows_of(bitmaps.select(x.bitmap_to_bytes(), x.bitmap_to_array(), x.bitmap_to_string(), x.bitmap_cardinality())) == [
        (ONE_AND_THREE, [1, 3], "{1,3}", 2)
    ]
    assert rows_of(
        bitmaps.select(x.bitmap_and(y).bitmap_to_string(), x.bitmap_or(y), x.bitmap_xor(y), x.bitmap_andnot(y).cast(DataTypes.STRING()))
    ) == [("{3}", ONE_AND_THREE, bytes.fromhex("3a300000010000000000000010000000") + b"\1\0", "{1}")]
    assert rows_of(bitmaps.select(x.bitmap_to_bytes().bitmap_from_bytes())) == [(ONE_AND_THREE,)]


def test_aggregates(batch: TableEnvironment) -> None:
    numbers = batch.from_elements(
        [("a", 1), ("a", 3), ("a", None), ("b", None)],
        DataTypes.ROW([DataTypes.FIELD("k", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.INT())]),
    )
    built = numbers.group_by(col("k")).select(col("k"), col("v").bitmap_build_agg().alias("b"), col("v").bitmap_build_cardinality_agg())
    assert sorted(rows_of(built)) == [("a", ONE_AND_THREE, 2), ("b", None, None)]
    sets = numbers.select(col("k"), array(col("v"), 3).bitmap_build().alias("b"))
    b = col("b")
    combined = sets.group_by(col("k")).select(
        col("k"),
        b.bitmap_and_agg().bitmap_to_array(),
        b.bitmap_or_agg(),
        b.bitmap_xor_agg().bitmap_to_array(),
        b.bitmap_and_cardinality_agg(),
        b.bitmap_or_cardinality_agg(),
        b.bitmap_xor_cardinality_agg(),
    )
    assert sorted(rows_of(combined)) == [
        ("a", [3], ONE_AND_THREE, [1, 3], 1, 2, 2),
        ("b", [3], bytes.fromhex("3a300000010000000000000010000000") + b"\3\0", [3], 1, 1, 1),
    ]


def test_values_come_from_python_and_go_there(streaming: TableEnvironment) -> None:
    schema = DataTypes.ROW([DataTypes.FIELD("b", DataTypes.BITMAP())])
    table = streaming.from_elements([(ONE_AND_THREE,), (EMPTY,), (None,)], schema)
    assert table.get_schema().get_field_data_type("b") == DataTypes.BITMAP()
    assert rows_of(table) == [(ONE_AND_THREE,), (EMPTY,), (None,)]

    collected = table.select(col("b").collect)
    assert list(collected.execute().collect())[-1][0] == {ONE_AND_THREE: 1, EMPTY: 1}

    @udf(result_type=DataTypes.BITMAP())
    def same(bitmap: bytes | None) -> bytes | None:
        assert bitmap is None or isinstance(bitmap, bytes)
        return bitmap

    assert rows_of(table.select(same(col("b")).bitmap_to_string())) == [("{1,3}",), ("{}",), (None,)]


def test_bytes_that_are_no_bitmap(streaming: TableEnvironment) -> None:
    schema = DataTypes.ROW([DataTypes.FIELD("b", DataTypes.BITMAP())])
    with pytest.raises(Exception, match="BITMAP"):
        rows_of(streaming.from_elements([(b"no bitmap",)], schema))

    @udf(result_type=DataTypes.BITMAP())
    def broken() -> bytes:
        return b"no bitmap"

    with pytest.raises(Exception, match="BITMAP does not take b'no bitmap'"):
        rows_of(streaming.from_elements([(1,)], ["a"]).select(broken()))
    with pytest.raises(Py4JJavaError, match="Failed to deserialize bitmap from bytes"):
        rows_of(streaming.sql_query("SELECT BITMAP_FROM_BYTES(b) FROM (VALUES (x'00'), (x'3a30000000000000')) AS t (b)"))


def test_formats_have_no_form_of_it(streaming: TableEnvironment, tmp_path: Any) -> None:
    for format_name, told in (("json", "BITMAP_TO_BYTES"), ("csv", "BITMAP_TO_BYTES"), ("avro", "BITMAP"), ("raw", "BITMAP")):
        streaming.execute_sql(
            f"CREATE TABLE {format_name}_t (b BITMAP) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = '{format_name}')"
        )
        with pytest.raises(Exception, match=told):
            streaming.execute_sql(f"INSERT INTO {format_name}_t SELECT BITMAP_BUILD(ARRAY[1])")
