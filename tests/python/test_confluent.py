"""pyflink.table.confluent, the half that runs in this process."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import RowKind
from pyflink.table import DataTypes, Row, Schema, TableDescriptor, TableEnvironment
from pyflink.table.confluent import ConfluentSettings, ConfluentTableDescriptor, ConfluentTools
from pyflink.table.expressions import col, lit, row
from pyflink.table.window import Tumble

VARIABLES = (
    "CLOUD_PROVIDER", "CLOUD_REGION", "FLINK_API_KEY", "FLINK_API_SECRET", "ORG_ID", "ENV_ID", "COMPUTE_POOL_ID", "PRINCIPAL_ID",
    "REST_ENDPOINT", "FLINK_PROPERTIES",
)  # fmt: skip
COMPLETE = """# the cloud
client.cloud=aws
client.region = us-east-1
! access
client.flink-api-key: key
client.flink-api-secret=secret
client.organization-id=b0b21724
client.environment-id=env-z3y2x1
client.compute-pool-id=lfcp-8m03rm
"""


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def env() -> TableEnvironment:
    return TableEnvironment.create(ConfluentSettings.new_builder().set_rest_endpoint("local").build())


def option(settings: ConfluentSettings, key: str) -> str | None:
    value: str | None = settings.get_configuration().get_string(key, None)
    return value


def test_a_missing_parameter_is_named(tmp_path: Path) -> None:
    with pytest.raises(Py4JJavaError) as caught:
        TableEnvironment.create(ConfluentSettings.from_global_variables())
    assert str(caught.value) == "Parameter 'client.organization-id' not found."
    assert caught.value.java_exception.toString() == (
        "io.confluent.flink.plugin.ConfluentFlinkException: Parameter 'client.organization-id' not found."
    )
    (tmp_path / "cloud.properties").write_text(COMPLETE.replace("client.compute-pool-id", "#"))
    with pytest.raises(Py4JJavaError, match=r"^Parameter 'client.compute-pool-id' not found\.$"):
        TableEnvironment.create(ConfluentSettings.from_file(str(tmp_path / "cloud.properties")))
    (tmp_path / "cloud.properties").write_text(COMPLETE)
    with pytest.raises(Py4JJavaError, match=r"client\.rest-endpoint = local"):
        TableEnvironment.create(ConfluentSettings.from_file(str(tmp_path / "cloud.properties")))
    with pytest.raises(Py4JJavaError, match=r"'/no/such.properties' cannot be read"):
        ConfluentSettings.from_file("/no/such.properties")


def test_the_file_wins_over_code_and_code_over_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cloud.properties"
    path.write_text("client.cloud=gcp\nclient.organization=from-file\n")
    monkeypatch.setenv("CLOUD_PROVIDER", "azure")
    monkeypatch.setenv("CLOUD_REGION", "westeurope")
    monkeypatch.setenv("ORG_ID", "from-environment")
    monkeypatch.setenv("FLINK_API_KEY", "key-of-environment")
    settings = (
        ConfluentSettings.new_builder_from_file(str(path))
        .set_cloud("aws")
        .set_region("us-east-1")
        .set_organization_id("from-code")
        .set_context_name("MyTableProgram")
        .set_option("sql.local-time-zone", "Asia/Tokyo")
        .build()
    )
    found = {key: option(settings, f"client.{key}") for key in ("cloud", "region", "organization-id", "flink-api-key", "context")}
    assert found == {
        "cloud": "gcp",
        "region": "us-east-1",
        "organization-id": "from-file",
        "flink-api-key": "key-of-environment",
        "context": "MyTableProgram",
    }
    assert option(settings, "table.local-time-zone") == "Asia/Tokyo"
    monkeypatch.setenv("FLINK_PROPERTIES", str(path))
    assert option(ConfluentSettings.from_global_variables(), "client.cloud") == "gcp"
    assert option(ConfluentSettings.new_builder().set_cloud("aws").build(), "client.cloud") == "gcp"


def test_every_setter_and_both_spellings() -> None:
    settings = (
        ConfluentSettings.new_builder()
        .set_cloud("aws").set_region("r").set_flink_api_key("k").set_flink_api_secret("s").set_organization_id("o")
        .set_environment_id("e").set_compute_pool_id("p").set_principal_id("sa").set_statement_name("n").set_catalog_cache("0")
        .build()
    )  # fmt: skip
    keys = ("cloud", "region", "flink-api-key", "flink-api-secret", "organization-id", "environment-id", "compute-pool-id", "principal-id")
    assert [option(settings, f"client.{key}") for key in keys] == ["aws", "r", "k", "s", "o", "e", "p", "sa"]
    other = ConfluentSettings.new_builder()
    for key in ("client.organization", "client.environment", "client.compute-pool", "client.principal"):
        other.set_option(key, key)
    assert option(other.build(), "client.organization-id") == "client.organization"
    assert option(other.build(), "client.compute-pool-id") == "client.compute-pool"


def test_the_motivating_example(env: TableEnvironment, printed: Callable[[Callable[[], object]], str]) -> None:
    assert "Hello world!" in printed(env.from_elements([row("Hello world!")]).execute().print)
    table = env.from_path("examples.marketplace.clicks").filter(col("user_agent").like("Mozilla%")).select(col("click_id"), col("user_id"))
    assert printed(table.print_schema) == "(\n  `click_id` STRING,\n  `user_id` INT\n)\n"
    assert "LIKE" in table.explain()
    rows = ConfluentTools.collect_materialized_limit(table, 50)
    assert len(rows) == 50
    assert rows == ConfluentTools.collect_materialized_limit(table, 50), "the same each time"
    assert rows != [Row(42, 500)]


def test_the_marketplace(env: TableEnvironment) -> None:
    env.use_catalog("examples")
    assert env.get_current_database() == "marketplace"
    assert env.list_tables() == ["clicks", "customers", "orders", "products"]
    kinds = {str(change.get_row_kind()) for change in ConfluentTools.collect_changelog_limit(env.from_path("customers"), 300)}
    assert kinds == {"+I", "-U", "+U"}, "customers are updated by key"
    customers = ConfluentTools.collect_materialized_limit(env.from_path("customers"), 300)
    assert len({found[0] for found in customers}) == len(customers)
    orders = env.from_path("orders")
    windows = (
        orders.window(Tumble.over(lit(1).minutes).on(col("$rowtime")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start, orders.price.count)
    )
    assert [found[1] for found in ConfluentTools.collect_materialized_limit(windows, 2)] == [240, 240]


def test_changes_and_the_table_that_they_make(env: TableEnvironment, printed: Callable[[Callable[[], object]], str]) -> None:
    table = env.from_elements([row("a"), row("b"), row("a")]).alias("k")
    counts = table.group_by(col("k")).select(col("k"), col("k").count.alias("n"))
    changes = ConfluentTools.collect_changelog(counts)
    assert [(found.get_row_kind(), *found) for found in changes] == [
        (RowKind.INSERT, "a", 1),
        (RowKind.INSERT, "b", 1),
        (RowKind.UPDATE_BEFORE, "a", 1),
        (RowKind.UPDATE_AFTER, "a", 2),
    ]
    assert ConfluentTools.collect_changelog_limit(counts.execute(), 2) == [Row("a", 1), Row("b", 1)]
    assert ConfluentTools.collect_materialized(counts.execute()) == [Row("a", 2), Row("b", 1)]
    assert ConfluentTools.collect_materialized_limit(counts, 1) == [Row("a", 1)]
    lines = ["| op | k | n |", "| +I | a | 1 |", "| +I | b | 1 |", "| -U | a | 1 |", "| +U | a | 2 |"]
    border = "+----+---+---+"
    assert printed(lambda: ConfluentTools.print_changelog(counts)).split("\n")[:-1] == [
        border, lines[0], border, *lines[1:], border, "4 rows in set",
    ]  # fmt: skip
    assert "1 row in set" in printed(lambda: ConfluentTools.print_changelog_limit(counts, 1))
    assert printed(lambda: ConfluentTools.print_materialized(counts)).count("\n") == 7
    assert printed(lambda: ConfluentTools.print_materialized_limit(counts, 0)) == "Empty set\n"


def test_statements_by_name(env: TableEnvironment) -> None:
    result = env.execute_sql("SELECT * FROM examples.marketplace.customers")
    name = ConfluentTools.get_statement_name(result)
    assert re.fullmatch(r"table-api-\d{4}-\d\d-\d\d-\d{6}-[0-9a-f]{12}-sql", name)
    assert ConfluentTools.get_statement_name(result) == name
    ConfluentTools.stop_statement_by_name(env, name)
    client = result.get_job_client()
    assert client is not None
    assert client.get_job_status().result().name == "CANCELED"
    ConfluentTools.stop_statement(result)
    with pytest.raises(Py4JJavaError, match="Statement 'none' not found"):
        ConfluentTools.stop_statement_by_name(env, "none")


def test_managed_tables(env: TableEnvironment) -> None:
    descriptor = (
        ConfluentTableDescriptor.for_managed()
        .schema(
            Schema.new_builder()
            .column("i", DataTypes.INT())
            .column("s", DataTypes.INT())
            .watermark("$rowtime", col("$rowtime").minus(lit(5).seconds))
            .build()
        )
        .build()
    )
    assert descriptor.get_options()["connector"] == TableDescriptor.for_connector("confluent").build().get_options()["connector"]
    env.createTable("t1", descriptor)
    env.from_elements([(1, 10), (2, 20)], ["i", "s"]).select(col("i").cast(DataTypes.INT()), col("s").cast(DataTypes.INT())).execute_insert(
        "t1"
    ).wait()
    table = env.from_path("t1")
    assert table.get_schema().get_field_names() == ["i", "s"], "the system column is not shown"
    assert sorted(ConfluentTools.collect_changelog_limit(table, 2), key=str) == [Row(1, 10), Row(2, 20)]
    timed = ConfluentTools.collect_changelog_limit(table.select(col("i"), col("$rowtime").is_not_null), 2)
    assert sorted(timed, key=str) == [Row(1, True), Row(2, True)]
    assert len(ConfluentTools.collect_changelog_limit(env.execute_sql("SELECT * FROM t1"), 1)[0]) == 2
    assert env.drop_table("t1")


def test_managed_tables_with_keys_and_formats(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE totals (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) DISTRIBUTED INTO 2 BUCKETS")
    words = env.from_elements([("a",), ("b",), ("a",)], ["k"])
    words.group_by(col("k")).select(col("k"), col("k").count).execute_insert("totals").wait()
    found = ConfluentTools.collect_materialized_limit(env.from_path("totals"), 4)
    assert {tuple(r) for r in found} <= {("a", 1), ("a", 2), ("b", 1)}
    env.create_table(
        "avro",
        ConfluentTableDescriptor.for_managed()
        .schema(Schema.new_builder().column("k", DataTypes.STRING()).column("n", DataTypes.INT()).build())
        .distributed_by_hash(3, "k")
        .key_format("raw")
        .option("key.fields", "k")
        .value_format("avro-registry")
        .build(),
    )
    env.execute_sql("INSERT INTO avro VALUES ('x', 7)").wait()
    assert ConfluentTools.collect_changelog_limit(env.from_path("avro"), 1) == [Row("x", 7)]
    env.execute_sql("CREATE TABLE copied AS SELECT k, n FROM (VALUES ('y', 8)) AS t(k, n)").wait()
    assert ConfluentTools.collect_changelog_limit(env.from_path("copied"), 1) == [Row("y", 8)]


def test_python_with_an_environment_at_hand() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "thalweg", "python"],
        check=False, capture_output=True, text=True, timeout=60,
        input='env.execute_sql("SELECT \'Hello world!\'").print()\nprint(env.list_catalogs(), col, ConfluentTools)\n',
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Hello world!" in done.stdout
    assert "'examples'" in done.stdout
