"""EXPLAIN, whole texts, as recorded on Apache Flink 2.3.0."""

from pathlib import Path

import pytest
from pyflink.table import EnvironmentSettings, TableEnvironment

PLANS = Path(__file__).with_name("plans")


def recorded(mode: str) -> list[tuple[str, str]]:
    """Statements with what they print."""
    blocks = (PLANS / f"{mode}.txt").read_text().removeprefix(">>> ").split("\n>>> ")
    return [(statement, plan) for statement, _, plan in (block.partition("\n== ") for block in blocks)]


@pytest.fixture(scope="module", params=["streaming", "batch"])
def environment(request: pytest.FixtureRequest) -> tuple[str, TableEnvironment]:
    settings = EnvironmentSettings.in_streaming_mode() if request.param == "streaming" else EnvironmentSettings.in_batch_mode()
    environment = TableEnvironment.create(settings)
    environment.get_config().set("parallelism.default", "1")
    for statement in (PLANS / "tables.sql").read_text().split(";\n"):
        if statement.strip():
            environment.execute_sql(statement)
    return request.param, environment


def test_plans_are_flinks(environment: tuple[str, TableEnvironment]) -> None:
    mode, tables = environment
    different = []
    for statement, plan in recorded(mode):
        (shown,) = next(iter(tables.execute_sql(statement).collect()))
        if shown.rstrip() != "== " + plan.rstrip():
            different.append(f"{statement}\n--- recorded\n== {plan}\n--- shown\n{shown}")
    assert not different, "\n\n".join(different)


def test_functions_without_parentheses_name_their_columns() -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    schema = environment.sql_query("SELECT CURRENT_DATE, LOCALTIME AS t, UPPER('a')").get_schema()
    assert schema.get_field_names() == ["CURRENT_DATE", "t", "EXPR$2"]
