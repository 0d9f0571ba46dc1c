"""Data types: their text, equality, inference from values, and checks of values."""

from __future__ import annotations

import array
import datetime
import decimal

import pytest
from pyflink.common import Row
from pyflink.table import DataTypes
from pyflink.table.types import RowType, _create_type_verifier, _infer_schema_from_data, _infer_type
from thalweg.table.type_text import parse_type, to_type_text


@pytest.mark.parametrize(
    "text",
    [
        "INT NOT NULL",
        "DECIMAL(10, 2)",
        "CHAR(3) NOT NULL",
        "STRING",
        "BYTES",
        "TIMESTAMP(3)",
        "TIMESTAMP_LTZ(9) NOT NULL",
        "TIME(0)",
        "ARRAY<ROW<`a` INT NOT NULL, `b``c` STRING 'what'>>",
        "MAP<STRING NOT NULL, ARRAY<DOUBLE>>",
        "MULTISET<BIGINT>",
        "INTERVAL DAY(2) TO SECOND(3)",
        "INTERVAL YEAR(2) TO MONTH",
        "INTERVAL SECOND(3) NOT NULL",
    ],
)
def test_text_of_a_type_is_read_and_written(text: str) -> None:
    assert to_type_text(parse_type(text)) == text


def test_other_spellings_are_read() -> None:
    assert parse_type("timestamp(3) with local time zone") == DataTypes.TIMESTAMP_LTZ(3)
    assert parse_type("INT ARRAY") == DataTypes.ARRAY(DataTypes.INT())
    assert parse_type("VARCHAR(2147483647)") == DataTypes.STRING()
    assert parse_type("TIMESTAMP(3) *ROWTIME* NOT NULL") == DataTypes.TIMESTAMP(3).not_null()
    with pytest.raises(ValueError, match="WIBBLE"):
        parse_type("WIBBLE")


def test_types_print_as_in_flink() -> None:
    assert repr(DataTypes.DECIMAL(10, 2)) == "DecimalType(10, 2, true)"
    assert repr(DataTypes.INT().not_null()) == "IntType(false)"
    assert repr(DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())])) == "RowType(RowField(a, IntType(true), ...))"
    assert [str(t) for t in (DataTypes.STRING(), DataTypes.TIMESTAMP_LTZ(3), DataTypes.BYTES())] == [
        "VARCHAR",
        "LOCALZONEDTIMESTAMP",
        "VARBINARY",
    ]
    assert RowType.__module__ == "pyflink.table.types"


def test_types_follow_from_values() -> None:
    assert _infer_type(1) == DataTypes.BIGINT()
    assert _infer_type(datetime.datetime(2024, 1, 1)) == DataTypes.TIMESTAMP_LTZ(6)
    assert _infer_type(decimal.Decimal("1.5")) == DataTypes.DECIMAL(38, 18)
    assert _infer_type({"k": 1}) == DataTypes.MAP(DataTypes.STRING().not_null(), DataTypes.BIGINT())
    assert _infer_type(array.array("d", [1.0])) == DataTypes.ARRAY(DataTypes.DOUBLE().not_null())
    schema = _infer_schema_from_data([Row(a=1, b=None), Row(a=2, b="x")])
    assert schema.field_types() == [DataTypes.BIGINT(), DataTypes.STRING()]
    with pytest.raises(TypeError, match=r"field a: Can not merge type .*BigIntType.*VarCharType"):
        _infer_schema_from_data([(1,), ("x",)], ["a"])
    with pytest.raises(TypeError, match="not supported type: <class 'bytes'>"):
        _infer_schema_from_data([(b"xy",)], ["a"])


def test_values_are_checked() -> None:
    check = _create_type_verifier(DataTypes.ROW([DataTypes.FIELD("a", DataTypes.TINYINT()), DataTypes.FIELD("b", DataTypes.STRING(False))]))
    check((1, "x"))
    check({"b": "x"})
    with pytest.raises(ValueError, match="field a: object of TinyIntType out of range"):
        check((128, "x"))
    with pytest.raises(TypeError, match="field b"):
        check((1, 2))
    with pytest.raises(ValueError, match="not nullable"):
        check((1, None))
