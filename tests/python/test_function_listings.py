"""SHOW FUNCTIONS and DESCRIBE FUNCTION."""

from __future__ import annotations

import pytest
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.udf import udf

from thalweg import _native


@pytest.fixture
def environment() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.in_streaming_mode())


def listed(environment: TableEnvironment, statement: str) -> list[tuple[str, ...]]:
    with environment.execute_sql(statement).collect() as rows:
        return [tuple(row) for row in rows]


def test_show_functions_lists_the_names_of_flink(environment: TableEnvironment) -> None:
    names = [name for (name,) in listed(environment, "SHOW FUNCTIONS")]
    assert names == [name for name, _, _ in _native.reference()["flink_functions"]]
    # The names are in small letters mostly, and LIKE looks at case.
    assert listed(environment, "SHOW FUNCTIONS LIKE 'json%'") == []
    assert ("JSON_VALUE",) in listed(environment, "SHOW FUNCTIONS ILIKE 'json%'")
    assert listed(environment, "SHOW USER FUNCTIONS") == []
    environment.execute_sql("CREATE FUNCTION joined AS 'os.path.join' LANGUAGE PYTHON")
    assert listed(environment, "SHOW USER FUNCTIONS") == [("joined",)]
    assert ("joined",) in listed(environment, "SHOW FUNCTIONS")


def described(environment: TableEnvironment, function: str) -> dict[str, str]:
    return {row[0]: row[1] for row in listed(environment, f"DESCRIBE FUNCTION EXTENDED {function}")}


def test_describe_function(environment: TableEnvironment) -> None:
    assert listed(environment, "DESCRIBE FUNCTION array_sort") == [("is system function", "true"), ("is temporary", "false")]
    facts = described(environment, "bitmap_build_agg")
    assert (facts["kind"], facts["requirements"], facts["is deterministic"]) == ("AGGREGATE", "[]", "true")
    assert facts["signature"] == "BITMAP_BUILD_AGG(<INT>)"
    assert described(environment, "`upper`")["kind"] == "SCALAR"
    assert described(environment, "rand")["is deterministic"] == "false"
    environment.create_temporary_system_function("twice", udf(lambda i: 2 * i, result_type=DataTypes.INT()))
    assert listed(environment, "DESCRIBE FUNCTION twice") == [("is system function", "true"), ("is temporary", "true")]


def test_describe_function_that_is_not_there(environment: TableEnvironment) -> None:
    with pytest.raises(Exception, match="Function with the identifier 'nosuch' doesn't exist"):
        environment.execute_sql("DESCRIBE FUNCTION nosuch")
