"""Expressions as trees, and the names that a select gives them."""

from __future__ import annotations

import datetime
import decimal

import pytest
from pyflink.table import DataTypes, Expression
from pyflink.table.expressions import (
    UNBOUNDED_ROW,
    and_,
    col,
    concat,
    lit,
    local_time,
    null_of,
    or_,
    range_,
    row_interval,
    temporal_overlaps,
    to_timestamp_ltz,
    with_columns,
    without_columns,
)
from pyflink.table.window import Over, Slide, Tumble
from thalweg.table.projection import expand, name_expressions, name_of
from thalweg.util.exceptions import ValidationException


def test_operators_make_trees() -> None:
    tree = ((col("a") + 1 > 3) & ~col("b").is_null)._tree
    assert tree == (
        "call",
        "AND",
        (
            ("call", ">", (("call", "+", (("col", "a"), ("lit", 1, "INT NOT NULL"))), ("lit", 3, "INT NOT NULL"))),
            ("call", "IS NOT TRUE", (("call", "IS NULL", (("col", "b"),)),)),
        ),
    )
    assert str(col("a") + 1 > 3) == "greaterThan(plus(a, 1), 3)"
    assert (2 - col("a"))._tree == ("call", "-", (("lit", 2, "INT NOT NULL"), ("col", "a")))
    with pytest.raises(ValueError, match="use '&'"):
        bool(col("a") == 1)


def test_literals_have_flinks_types() -> None:
    types = [
        (1, "INT NOT NULL"),
        (1 << 40, "BIGINT NOT NULL"),
        (1.5, "DOUBLE NOT NULL"),
        ("abc", "CHAR(3) NOT NULL"),
        (decimal.Decimal("1.50"), "DECIMAL(3, 2) NOT NULL"),
        (datetime.date(2024, 2, 29), "DATE NOT NULL"),
        (datetime.datetime(2024, 1, 1, 0, 0, 0, 5000), "TIMESTAMP(3) NOT NULL"),
    ]
    assert [lit(value)._tree[2] for value, _ in types] == [text for _, text in types]
    assert lit(True)._tree == ("lit", True, "BOOLEAN NOT NULL")
    assert lit(1, DataTypes.BIGINT())._tree == ("lit", 1, "BIGINT")


def test_intervals() -> None:
    assert lit(30).seconds._tree == ("interval", "30", "SECOND", None)
    assert lit(2).weeks._tree == ("interval", "14", "DAY", None)
    assert lit(1500).millis._tree == ("interval", "1.500", "SECOND", None)
    assert lit(datetime.timedelta(hours=1))._tree == ("interval", "3600", "SECOND", None)
    assert col("n").days._tree == ("call", "*", (("col", "n"), ("interval", "1", "DAY", None)))


def test_group_windows_are_sqls() -> None:
    window = Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")
    assert window._key() == ("call", "HOP", (("col", "ts"), ("interval", "5", "MINUTE", None), ("interval", "10", "MINUTE", None)))
    tumble = Tumble.over(lit(30).seconds).on(col("ts")).alias("w")
    assert tumble._bound("START") == ("call", "TUMBLE_START", (("col", "ts"), ("interval", "30", "SECOND", None)))


def test_over_windows() -> None:
    window = Over.partition_by(col("a")).order_by(col("ts")).preceding(row_interval(2)).alias("w")
    assert window._tree(("col", "x"))[4:] == ("ROWS", ("lit", 2, "INT NOT NULL"), "CURRENT")
    assert Over.order_by(col("ts")).alias("w")._tree(("col", "x"))[4:] == ("RANGE", "UNBOUNDED", "CURRENT")


def test_names_of_a_select() -> None:
    trees = [
        e._tree
        for e in (col("a"), col("a") + 1, col("b").cast(DataTypes.INT()), concat(col("b"), "!").alias("c"), col("x").sum, col("x").max + 1)
    ]
    assert [name_of(t) for t in name_expressions(trees)] == ["a", "_c1", "b", "c", "EXPR$0", "_c5"]


def test_ranges_of_columns() -> None:
    columns = ["a", "b", "c", "d"]
    names = lambda *expressions: [t[1] for t in expand([e._tree for e in expressions], columns)]  # noqa: E731
    assert names(range_("b", "c")) == ["b", "c"]
    assert names(with_columns(range_(1, 2), col("d"))) == ["a", "b", "d"]
    assert names(without_columns(col("b")), col("b")) == ["a", "c", "d", "b"]
    assert expand([concat(with_columns(range_(1, 2)), "!")._tree], columns)[0][2][:2] == (("col", "a"), ("col", "b"))
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[z\]"):
        names(with_columns(col("z")))


def test_several_predicates() -> None:
    assert and_(col("a"), col("b"), col("c"))._tree[1:] == ("AND", (("col", "a"), ("col", "b"), ("col", "c")))
    assert str(or_(col("a"), col("b"), col("c"))) == "or(a, b, c)"


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (2 % col("b"), "mod(2, b)"),
        (abs(col("a")), "abs(a)"),
        (temporal_overlaps(col("a"), lit(1).hours, col("b"), lit(2).hours), "temporalOverlaps(a, 3600000, b, 7200000)"),
        (to_timestamp_ltz(123, 0), "TO_TIMESTAMP_LTZ(123, 0)"),
        (-col("a"), "minusPrefix(a)"),
        (~(col("a") & col("b")), "isNotTrue(and(a, b))"),
        (col("a").if_null(col("b")), "ifNull(a, b)"),
        (col("a").alias("x", "y"), "as(a, 'x', 'y')"),
        (col("a").cast(DataTypes.INT()), "cast(a, INT)"),
        (col("a").trim_leading(), "trim(true, false, ' ', a)"),
        (col("a").char_length, "charLength(a)"),
        (col("a").array_contains(col("b")), "ARRAY_CONTAINS(a, b)"),
        (col("a").stddev_pop, "stddevPop(a)"),
        (lit(10).years, "120"),
        (lit(2).weeks, "1209600000"),
        (range_(1, 10), "rangeTo(1, 10)"),
        (UNBOUNDED_ROW, "UNBOUNDED_ROW"),
        (local_time(), "localTime()"),
        (null_of(DataTypes.INT()), "null"),
    ],
)
def test_expressions_show_themselves_as_in_flink(expression: Expression, text: str) -> None:
    assert str(expression) == text
