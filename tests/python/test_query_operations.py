"""`Table._j_table`: how a table was made, as programs and tests that look at Flink's Java side ask for it."""

from __future__ import annotations

import pytest
from pyflink.table import DataTypes, Table, TableEnvironment
from pyflink.table.expressions import col, lit
from pyflink.table.udf import udf, udtf


@pytest.fixture
def table(streaming: TableEnvironment) -> Table:
    streaming.execute_sql("CREATE TABLE Source (a BIGINT, b STRING, c STRING) WITH ('connector' = 'datagen')")
    return streaming.from_path("Source")


def projections(made: Table) -> str:
    return str(made._j_table.getQueryOperation().getProjectList().toString())


def test_tables_of_catalogs(table: Table, streaming: TableEnvironment) -> None:
    expected = "CatalogTable: (identifier: [default_catalog.default_database.Source], fields: [a, b, c])"
    assert table._j_table.getQueryOperation().asSummaryString() == expected
    assert list(table._j_table.getResolvedSchema().getColumnNames()) == ["a", "b", "c"]
    assert streaming.sql_query("SELECT a FROM Source")._j_table.getQueryOperation().asSummaryString() == "PlannerNode:"


def test_projections(table: Table) -> None:
    assert projections(table.select(table.a + 1, table.b)) == "[plus(a, 1), b]"
    assert projections(table.select(table.a).add_columns((table.a + 1).alias("b"))) == "[a, plus(a, 1)]"
    replaced = table.select(table.a).add_or_replace_columns((table.a + 1).alias("b"), (table.a + 2).alias("a"))
    assert projections(replaced) == "[plus(a, 2), plus(a, 1)]"
    assert projections(table.drop_columns(table.a, table.c)) == "[b]"
    renamed = table.rename_columns(table.a.alias("d"), table.c.alias("f"), table.b.alias("e"))
    assert list(renamed._j_table.getQueryOperation().getResolvedSchema().getColumnNames()) == ["d", "e", "f"]
    assert list(table.alias("x", "y")._j_table.getResolvedSchema().getColumnNames()) == ["x", "y", "c"]


def test_groups(table: Table) -> None:
    operation = table.group_by(table.c).select(table.a.sum, table.c.alias("b"))._j_table.getQueryOperation()
    assert operation.getProjectList().toString() == "[EXPR$0, c]"
    below = operation.getChildren().get(0)
    assert below.getGroupingExpressions().toString() == "[c]"
    assert below.getAggregateExpressions().toString() == "[as(sum(a), 'EXPR$0')]"
    whole = table.select(table.a.max + 1)._j_table.getQueryOperation()
    assert whole.asSummaryString() == (
        "Project: (projections: [plus(EXPR$0, 1)])\n"
        "    Aggregate: (group: [], agg: [as(max(a), 'EXPR$0')])\n"
        "        CatalogTable: (identifier: [default_catalog.default_database.Source], fields: [a, b, c])"
    )


def test_orders_and_limits(table: Table) -> None:
    operation = table.order_by(table.a.desc).offset(2).fetch(3)._j_table.getQueryOperation()
    assert (operation.getOrder().toString(), operation.getOffset(), operation.getFetch()) == ("[desc(a)]", 2, 3)
    assert operation.getChildren().get(0).equals(table._j_table.getQueryOperation())
    alone = table.limit(1)._j_table.getQueryOperation()
    assert (alone.getOrder().toString(), alone.getOffset(), alone.getFetch()) == ("[]", 0, 1)


def test_filters_sets_and_functions(table: Table) -> None:
    kept = table.where((table.a > 1) & (table.b == "x"))._j_table.getQueryOperation()
    assert kept.getCondition().toString() == "and(greaterThan(a, 1), equals(b, 'x'))"
    assert table.distinct()._j_table.getQueryOperation().asSummaryString().startswith("Distinct:\n    CatalogTable:")
    union = table.union_all(table)._j_table.getQueryOperation()
    assert (union.getType().toString(), union.isAll(), union.getChildren().size()) == ("UNION", True, 2)
    split = udtf(lambda words: words.split(), result_types=[DataTypes.STRING()], name="split")
    for joined, kind in (
        (table.join_lateral(split(col("b")).alias("word")), "INNER"),
        (table.left_outer_join_lateral(split(col("b")).alias("word"), lit(True)), "LEFT_OUTER"),
    ):
        operation = joined._j_table.getQueryOperation()
        assert (operation.getJoinType().toString(), operation.isCorrelated()) == (kind, True)
        assert operation.getCondition().toString() == "true"
        assert operation.getChildren().get(1).asSummaryString() == "CalculatedTable: (function: [split], arguments: [b])"


def test_what_is_not_told(table: Table) -> None:
    with pytest.raises(AttributeError, match="the operation CatalogTable has no getFetch; it knows identifier, fields"):
        table._j_table.getQueryOperation().getFetch()
    mapped = table.map(udf(lambda row: row.a, result_type=DataTypes.BIGINT()))
    with pytest.raises(NotImplementedError, match="a table that windows, map"):
        mapped.select(col("f0"))._j_table.getQueryOperation()
