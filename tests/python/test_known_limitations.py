"""What Confluent's Table API plugin lists as not supported, and as issues of open-source Flink: each works here."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row
from pyflink.table import DataTypes, EnvironmentSettings, Module, ModuleEntry, PlanReference, Schema, TableDescriptor, TableEnvironment
from pyflink.table.catalog import Catalog, CatalogBaseTable, CatalogDatabase, CatalogDescriptor, CatalogFunction, ObjectPath
from pyflink.table.confluent import ConfluentSettings
from pyflink.table.expressions import call, col, concat, lit, row
from pyflink.table.resolved_expression import ResolvedExpression
from pyflink.table.udf import udf, udtf
from pyflink.table.window import Tumble
from pyflink.util.exceptions import DatabaseNotExistException, TableNotExistException


@pytest.fixture
def env() -> TableEnvironment:
    """The plugin's environment, in this process."""
    return TableEnvironment.create(ConfluentSettings.new_builder().set_rest_endpoint("local").build())


def values(table: Any) -> list[tuple[Any, ...]]:
    with table.execute().collect() as rows:
        return [tuple(found) for found in rows]


# --- Unsupported by the plugin
def test_temporary_tables_views_and_functions(env: TableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("1,a\n2,b\n")
    descriptor = (
        TableDescriptor.for_connector("filesystem")
        .schema(Schema.new_builder().column("i", DataTypes.INT()).column("s", DataTypes.STRING()).build())
        .option("path", str(tmp_path / "in.csv"))
        .format("csv")
        .build()
    )
    env.create_temporary_table("t", descriptor)
    env.create_temporary_view("v", env.from_path("t").filter(col("i") > 1))
    env.create_temporary_system_function("shout", udf(lambda s: s.upper() + "!", result_type=DataTypes.STRING()))
    env.create_temporary_function("whisper", udf(lambda s: s.lower(), result_type=DataTypes.STRING()))
    assert values(env.sql_query("SELECT shout(s), whisper(s) FROM v")) == [("B!", "b")]
    assert (env.list_temporary_tables(), env.list_temporary_views()) == (["t", "v"], ["v"])
    assert env.drop_temporary_function("whisper")
    assert env.drop_temporary_system_function("shout")
    assert env.drop_temporary_view("v")
    assert env.drop_temporary_table("t")
    assert env.list_tables() == []


class Greetings(Module):
    """Two functions; one has the name of a built-in one."""

    def functions(self) -> dict[str, Any]:
        return {
            "greet": udf(lambda name: f"Hello {name}", result_type=DataTypes.STRING()),
            "upper": udf(lambda s: "mine", result_type=DataTypes.STRING()),
        }


def test_custom_modules(env: TableEnvironment) -> None:
    env.load_module("greetings", Greetings())
    assert env.list_modules() == ["core", "greetings"]
    assert values(env.sql_query("SELECT greet('Ada'), UPPER('x')")) == [("Hello Ada", "X")]
    env.use_modules("greetings", "core")
    assert values(env.sql_query("SELECT UPPER('x')")) == [("mine",)]
    env.use_modules("core")
    assert env.list_full_modules() == [ModuleEntry("core", True), ModuleEntry("greetings", False)]
    assert values(env.sql_query("SELECT UPPER('x')")) == [("X",)]
    with pytest.raises(Py4JJavaError, match="greet"):
        env.sql_query("SELECT greet('Ada')")
    with pytest.raises(Py4JJavaError, match="already exists"):
        env.load_module("greetings", Greetings())
    env.unload_module("greetings")
    assert env.list_full_modules() == [ModuleEntry("core", True)]


class Files(Catalog):
    """A catalog whose tables are the CSV files of a folder; views and databases are not kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def list_databases(self) -> list[str]:
        return ["files"]

    def get_default_database(self) -> str:
        return "files"

    def get_database(self, database_name: str) -> CatalogDatabase:
        if database_name != "files":
            raise DatabaseNotExistException(database_name)
        return CatalogDatabase.create_instance({}, "CSV files")

    def list_tables(self, database_name: str) -> list[str]:
        return sorted(path.stem for path in self._folder.glob("*.csv"))

    def get_table(self, table_path: ObjectPath) -> CatalogBaseTable:
        path = self._folder / f"{table_path.get_object_name()}.csv"
        if not path.exists():
            raise TableNotExistException(str(table_path))
        schema = Schema.new_builder().column("i", DataTypes.INT()).column("s", DataTypes.STRING()).build()
        return CatalogBaseTable.create_table(schema, [], {"connector": "filesystem", "path": str(path), "format": "csv"})

    def create_table(self, table_path: ObjectPath, table: CatalogBaseTable, ignore_if_exists: bool) -> None:
        (self._folder / f"{table_path.get_object_name()}.csv").write_text("")

    def drop_table(self, table_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        (self._folder / f"{table_path.get_object_name()}.csv").unlink()


def test_custom_catalogs(env: TableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "first.csv").write_text("1,a\n")
    env.register_catalog("folder", Files(tmp_path))
    assert "folder" in env.list_catalogs()
    assert values(env.from_path("folder.files.first")) == [(1, "a")]
    env.use_catalog("folder")
    assert (env.get_current_database(), env.list_tables()) == ("files", ["first"])
    (tmp_path / "second.csv").write_text("2,b\n")
    assert values(env.sql_query("SELECT s FROM `second`")) == [("b",)], "the catalog is asked each time"
    env.execute_sql("CREATE TABLE third (i INT) WITH ('connector' = 'blackhole')")
    assert (tmp_path / "third.csv").exists()
    env.execute_sql("DROP TABLE third")
    assert not (tmp_path / "third.csv").exists()
    with pytest.raises(Py4JJavaError, match="none"):
        env.from_path("none")
    with pytest.raises(NotImplementedError, match=r"Files\.alter_table"):
        env.get_catalog("folder").alter_table(ObjectPath("files", "first"), None, False)  # type: ignore[union-attr,arg-type]


def test_catalogs_in_memory_and_their_objects(env: TableEnvironment) -> None:
    from pyflink.common import Configuration

    configuration = Configuration()
    configuration.set_string("type", "generic_in_memory")
    env.create_catalog("mine", CatalogDescriptor.of("mine", configuration))
    catalog = env.get_catalog("mine")
    assert catalog is not None
    catalog.create_database("db", CatalogDatabase.create_instance({"k": "v"}, "a comment"), False)
    assert catalog.get_database("db").get_comment() == "a comment"
    schema = Schema.new_builder().column("i", DataTypes.INT().not_null()).column("s", DataTypes.STRING()).primary_key("i").build()
    table = CatalogBaseTable.create_table(schema, ["s"], {"connector": "blackhole"}, "kept nowhere")
    path = ObjectPath("db", "t")
    catalog.create_table(path, table, False)
    found = catalog.get_table(path)
    assert (found.get_options(), found.get_comment()) == ({"connector": "blackhole"}, "kept nowhere")
    assert found.get_unresolved_schema()._column_names() == ["i", "s"]
    assert env.execute_sql("SHOW TABLES FROM mine.db").collect().next()[0] == "t"
    catalog.rename_table(path, "u", False)
    assert catalog.list_tables("db") == ["u"]
    catalog.create_function(ObjectPath("db", "f"), CatalogFunction.create_instance("m.f"), False)
    assert catalog.get_function(ObjectPath("db", "f")).get_function_language() == "PYTHON"
    with pytest.raises(TableNotExistException):
        catalog.get_table(path)
    with pytest.raises(DatabaseNotExistException):
        catalog.list_tables("none")


def test_user_defined_functions_and_inline_objects(env: TableEnvironment) -> None:
    table = env.from_elements([row("a,b", 2)]).alias("s", "n")
    double = udf(lambda n: n * 2, result_type=DataTypes.INT())
    assert values(table.select(double(col("n")))) == [(4,)]
    assert values(table.select(call(double, col("n")).cast(DataTypes.BIGINT()) + 1)) == [(5,)]
    split = udtf(lambda s: s.split(","), result_types=DataTypes.STRING())
    assert values(table.join_lateral(split(col("s")).alias("w")).select(col("w"), col("n"))) == [("a", 2), ("b", 2)]


def test_compiled_plans(env: TableEnvironment, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    env.execute_sql(f"CREATE TABLE sink (n INT) WITH ('connector' = 'filesystem', 'path' = '{folder}', 'format' = 'csv')")
    env.execute_sql("CREATE VIEW numbers AS SELECT n + 1 AS n FROM (VALUES (1), (2)) AS t(n)")
    plan = env.compile_plan_sql("INSERT INTO sink SELECT n FROM numbers")
    plan.write_to_file(str(tmp_path / "plan.json"))
    with pytest.raises(Py4JJavaError, match="Cannot overwrite the plan file"):
        plan.write_to_file(str(tmp_path / "plan.json"))
    # Another environment knows neither the table nor the view: the plan brings them along.
    other = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    other.execute_plan(PlanReference.from_file(str(tmp_path / "plan.json"))).wait()
    assert sorted("".join(part.read_text() for part in folder.glob("part-*")).split()) == ["2", "3"]
    loaded = other.load_plan(PlanReference.from_json_string(plan.as_json_string()))
    assert loaded.get_flink_version() == "2.3"
    assert "Sink(table=" in loaded.explain()
    assert other.load_plan(PlanReference.from_smile_bytes(plan.as_smile_bytes())).as_json_string() == plan.as_json_string()
    with pytest.raises(Py4JJavaError, match="was not made by this engine"):
        other.load_plan(PlanReference.from_json_string('{"flinkVersion": "2.3"}'))


def test_batch_mode(tmp_path: Path) -> None:
    env = TableEnvironment.create(
        ConfluentSettings.new_builder().set_rest_endpoint("local").set_option("execution.runtime-mode", "BATCH").build()
    )
    counts = env.from_elements([("a",), ("a",)], ["k"]).group_by(col("k")).select(col("k"), col("k").count)
    assert values(counts) == [("a", 2)]


def test_from_elements_with_python_objects(env: TableEnvironment) -> None:
    assert values(env.from_elements([(1, "a", [1.5], {"k": datetime.date(2024, 1, 2)}), Row(2, "b", [], {})])) == [
        (1, "a", [1.5], {"k": datetime.date(2024, 1, 2)}),
        (2, "b", [], {}),
    ]


def test_pandas_both_ways(env: TableEnvironment) -> None:
    pandas = pytest.importorskip("pandas")
    frame = env.from_pandas(pandas.DataFrame({"i": [1, 2], "s": ["x", "y"]})).select(col("i") * 2, col("s")).to_pandas()
    assert frame.values.tolist() == [[2, "x"], [4, "y"]]


def test_processing_time(env: TableEnvironment) -> None:
    env.execute_sql(
        "CREATE TABLE g (n INT, p AS PROCTIME()) WITH ('connector' = 'datagen', 'rows-per-second' = '100', 'number-of-rows' = '5')"
    )
    table = env.from_path("g")
    assert [name for name, _ in table._relation.columns()] == ["n", "p"]
    assert "PROCTIME" in str(table.get_resolved_schema())
    window = table.window(Tumble.over(lit(1).days).on(col("p")).alias("w")).group_by(col("w")).select(col("n").count)
    assert "GroupWindowAggregate" in window.explain()
    assert len(values(table.select(col("n"), col("p").cast(DataTypes.STRING())))) == 5


def test_structured_data_types(env: TableEnvironment) -> None:
    person = DataTypes.ROW([DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("age", DataTypes.INT())])
    table = env.from_elements([(Row("Ada", 36),)], DataTypes.ROW([DataTypes.FIELD("p", person)]))
    assert values(table.select(col("p").get("name"), col("p").get("age") + 1)) == [("Ada", 37)]


# --- Issues of open-source Flink
def test_a_current_catalog_and_names_of_two_parts(env: TableEnvironment) -> None:
    env.use_catalog("examples")
    assert env.from_path("marketplace.clicks").get_schema().get_field_names()[0] == "click_id"
    assert "click_id" in str(env.sql_query("SELECT click_id FROM marketplace.clicks").get_schema())
    env.use_database("marketplace")
    assert env.from_path("marketplace.clicks").get_schema() == env.from_path("clicks").get_schema()
    env.execute_sql("CREATE TEMPORARY VIEW marketplace.few AS SELECT click_id FROM marketplace.clicks")
    assert env.from_path("examples.marketplace.few").get_schema().get_field_names() == ["click_id"]


def test_plus_on_strings(env: TableEnvironment) -> None:
    table = env.from_elements([("a", 1)], ["s", "n"])
    found = values(table.select(col("s").plus("!"), col("s") + col("n"), "<" + col("s"), col("n").plus(1), concat(col("s"), "?")))
    assert found == [("a!", "a1", "<a", 2, "a?")]
    assert values(table.filter(col("s").upper_case.plus("z") == "Az")) == [("a", 1)]


def test_rowtime_of_windows(env: TableEnvironment) -> None:
    orders = env.from_path("examples.marketplace.orders")
    windows = (
        orders.window(Tumble.over(lit(1).minutes).on(col("$rowtime")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("s"), col("w").rowtime.alias("r"), col("price").count.alias("n"))
    )
    assert "*ROWTIME*" in str(windows.get_resolved_schema())
    # A window's rowtime is event time again: a second window stands on it.
    again = windows.window(Tumble.over(lit(2).minutes).on(col("r")).alias("w")).group_by(col("w")).select(col("w").start, col("n").sum)
    with again.execute().collect() as rows:
        assert next(rows)[1] == 480


def test_limit(env: TableEnvironment) -> None:
    with env.from_path("examples.marketplace.clicks").limit(3).execute().collect() as rows:
        assert len([next(rows) for _ in range(3)]) == 3
    assert values(env.from_elements([(1,), (2,), (3,)], ["a"]).limit(1, 1)) == [(2,)]


def test_table_pipelines(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE sink (a BIGINT) WITH ('connector' = 'blackhole')")
    pipeline = env.from_elements([(1,)], ["a"]).insert_into("sink")
    sink = pipeline.get_sink_identifier()
    assert sink is not None
    assert sink.as_summary_string() == "default_catalog.default_database.sink"
    assert "Sink(table=[default_catalog.default_database.sink]" in pipeline.explain()
    pipeline.execute().wait()
    both = env.create_statement_set().add(pipeline).add(pipeline)
    both.execute().wait()


def test_resolved_schemas(env: TableEnvironment) -> None:
    schema = env.from_elements([(1, "a")], ["i", "s"]).get_resolved_schema()
    assert schema.get_column_names() == ["i", "s"]
    assert schema.get_column_data_types() == [DataTypes.BIGINT(), DataTypes.STRING()]
    column = schema.get_column("s")
    assert column is not None
    assert (column.is_physical(), column.as_summary_string()) == (True, "`s` STRING")
    assert ResolvedExpression((lit(1)._tree, DataTypes.INT())).as_serializable_string() == "1"
