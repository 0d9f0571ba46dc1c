"""Table.to_changelog and Table.from_changelog: changes as rows, and rows as changes."""

from __future__ import annotations

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.table import DataTypes, Table, TableEnvironment
from pyflink.table.expressions import col, descriptor, lit, map_

Changes = list[tuple[Any, ...]]


def changes(table: Table) -> Changes:
    """Each row with its kind before it."""
    with table.execute().collect() as rows:
        return [(str(row.get_row_kind()), *row) for row in rows]


@pytest.fixture
def totals(streaming: TableEnvironment) -> Table:
    streaming.get_config().set("parallelism.default", "1")
    values = streaming.from_elements([("a", 1), ("b", 5), ("a", 2)], ["k", "v"])
    return values.group_by(col("k")).select(col("k"), col("v").sum.alias("s"))


@pytest.fixture
def records(streaming: TableEnvironment) -> Table:
    """Codes, keys and values."""
    streaming.get_config().set("parallelism.default", "1")
    rows = [("c", 1, 10), ("b", 1, 10), ("a", 1, 11), ("r", 2, 20), ("d", 2, 20)]
    return streaming.from_elements(rows, ["code", "id", "v"])


def test_changes_become_rows(totals: Table) -> None:
    shown = totals.to_changelog()
    assert shown.get_schema().get_field_names() == ["op", "k", "s"]
    assert changes(shown) == [
        ("+I", "INSERT", "a", 1),
        ("+I", "INSERT", "b", 5),
        ("+I", "UPDATE_BEFORE", "a", 1),
        ("+I", "UPDATE_AFTER", "a", 3),
    ]


def test_the_code_is_named_and_kinds_without_a_code_are_left_out(totals: Table) -> None:
    codes = map_("INSERT, UPDATE_AFTER", "u", "DELETE", "d").as_argument("op_mapping")
    expected = [("+I", "u", "a", 1), ("+I", "u", "b", 5), ("+I", "u", "a", 3)]
    named = totals.to_changelog(descriptor("code").as_argument("op"), codes)
    assert named.get_schema().get_field_names() == ["code", "k", "s"]
    assert changes(named) == expected
    assert changes(totals.to_changelog(codes, descriptor("code").as_argument("op"))) == expected


def test_rows_become_changes(records: Table) -> None:
    codes = map_("c, r", "INSERT", "b", "UPDATE_BEFORE", "a", "UPDATE_AFTER", "d", "DELETE").as_argument("op_mapping")
    table = records.from_changelog(descriptor("code").as_argument("op"), codes)
    assert table.get_schema().get_field_names() == ["id", "v"]
    assert changes(table) == [("+I", 1, 10), ("-U", 1, 10), ("+U", 1, 11), ("+I", 2, 20), ("-D", 2, 20)]
    assert changes(table.select(col("v").sum.alias("s")))[-1] == ("+U", 11)


def test_there_and_back(totals: Table) -> None:
    assert changes(totals.to_changelog().from_changelog()) == changes(totals)


def test_it_is_the_plan_of_sql(totals: Table, streaming: TableEnvironment) -> None:
    streaming.create_temporary_view("totals", totals)
    by_sql = streaming.sql_query("SELECT * FROM TO_CHANGELOG(input => TABLE totals)")
    plans = [made.explain().partition("== Optimized Execution Plan ==")[2] for made in (totals.to_changelog(), by_sql)]
    assert "TO_CHANGELOG" in plans[0]
    assert plans[0] == plans[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([lit(1).as_argument("op")], r"Invalid arguments of TO_CHANGELOG\. It is called as TO_CHANGELOG\(input => TABLE t"),
        ([descriptor("a", "b").as_argument("op")], "Invalid arguments of TO_CHANGELOG"),
        ([descriptor("a").as_argument("input")], "Invalid arguments of TO_CHANGELOG"),
        ([descriptor("a").as_argument("op"), descriptor("b").as_argument("op")], "Invalid arguments of TO_CHANGELOG"),
        ([descriptor("a").as_argument("bogus")], "Invalid arguments of TO_CHANGELOG"),
        ([map_("UPSERT", "u").as_argument("op_mapping")], "Unknown change operation 'UPSERT'"),
    ],
)
def test_bad_arguments(totals: Table, arguments: list[Any], message: str) -> None:
    with pytest.raises(Py4JJavaError, match=message):
        totals.to_changelog(*arguments)


def test_rows_that_make_no_table(records: Table, totals: Table, streaming: TableEnvironment) -> None:
    with pytest.raises(Py4JJavaError, match="op column 'op' does not exist in the input table"):
        records.from_changelog()
    numbers = streaming.from_elements(
        [(1, 2)], DataTypes.ROW([DataTypes.FIELD("op", DataTypes.INT()), DataTypes.FIELD("v", DataTypes.INT())])
    )
    with pytest.raises(Py4JJavaError, match="op column 'op' must be of STRING type"):
        numbers.from_changelog()
    with pytest.raises(Py4JJavaError, match="FROM_CHANGELOG takes rows that are only inserted"):
        totals.from_changelog(descriptor("k").as_argument("op")).execute().wait()
    with pytest.raises(Py4JJavaError, match="FROM_CHANGELOG has no mapping for the operation code 'c'"):
        changes(records.from_changelog(descriptor("code").as_argument("op")))
