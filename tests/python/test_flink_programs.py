"""Idioms of PyFlink programs beyond queries: files for functions, the shell's names, catalogs without an environment, dialects."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pyflink.common import Configuration, Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.java_gateway import get_gateway
from pyflink.table import DataTypes, EnvironmentSettings, ExplainDetail, Schema, SqlDialect, TableEnvironment
from pyflink.table.catalog import Catalog, CatalogBaseTable, CatalogDatabase, CatalogModel, ObjectPath
from pyflink.table.expressions import call, col, source_watermark
from pyflink.table.udf import udf
from pyflink.util.exceptions import Py4JJavaError
from pyflink.util.java_utils import get_j_env_configuration
from thalweg.table import function_files


@pytest.fixture(params=["thread", "process"])
def table_env(request: pytest.FixtureRequest) -> TableEnvironment:
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    environment.get_config().set("python.execution-mode", request.param)
    return environment


def first_values(environment: TableEnvironment, name: str) -> list[int]:
    table = environment.from_elements([(1,), (2,)], ["a"]).select(call(name, col("a")))
    with table.execute().collect() as rows:
        return sorted(row[0] for row in rows)


def test_archives_lie_in_the_working_folder_of_functions(table_env: TableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "data.txt").write_text("2")
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "content")
    table_env.add_python_archive(archive, "data")

    def add_from_file(i: int) -> int:
        with open("data/data.txt", encoding="utf-8") as file:
            return i + int(file.read())

    before = os.getcwd()
    table_env.create_temporary_system_function("add_from_file", udf(add_from_file, result_type=DataTypes.BIGINT()))
    assert first_values(table_env, "add_from_file") == [3, 4]
    assert os.getcwd() == before


def test_modules_added_last_are_found_first(tmp_path: Path) -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "given_to_functions.py").write_text(f"NUMBER = {number}")
        environment.add_python_file(str(tmp_path / str(number) / "given_to_functions.py"))

    def number_of(i: int) -> int:
        from given_to_functions import NUMBER  # type: ignore[import-not-found]

        return i * int(NUMBER)

    environment.create_temporary_system_function("number_of", udf(number_of, result_type=DataTypes.BIGINT()))
    assert first_values(environment, "number_of") == [2, 4]


def test_requirements_that_are_there_are_not_installed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function_files, "_pip", lambda *arguments: pytest.fail(f"pip {arguments}"))
    monkeypatch.delenv(function_files.INSTALL_FOLDER, raising=False)
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("# what runs this test\npytest\n")
    function_files.install_requirements({function_files.REQUIREMENTS: str(requirements)})
    assert os.path.isdir(os.environ[function_files.INSTALL_FOLDER])


def test_requirements_are_installed_before_functions_are_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def pip(file: str, cache: str, folder: str) -> None:
        asked.append((file, cache))
        Path(folder, "installed_for_functions.py").write_text("ANSWER = 42")

    monkeypatch.setattr(function_files, "_pip", pip)
    monkeypatch.setattr(sys, "path", list(sys.path))
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("installed-for-functions==1.0\n")
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_python_requirements(str(requirements), str(tmp_path))

    def answer(value: int) -> int:
        from installed_for_functions import ANSWER  # type: ignore[import-not-found]

        return value + int(ANSWER)

    environment.from_collection([1], Types.INT()).map(answer, Types.INT()).print()
    environment.execute()
    assert asked == [(str(requirements), str(tmp_path))]


def test_requirements_that_cannot_be_installed(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("no-such-package-of-ours==1.0\n")
    with pytest.raises(RuntimeError, match="could not be installed"):
        function_files.install_requirements({function_files.REQUIREMENTS: f"{requirements}#{tmp_path}"})


def test_the_names_of_the_shell() -> None:
    import pyflink.shell as shell

    table = shell.st_env.from_elements([(1, "hi")], ["a", "b"])
    assert isinstance(shell.s_env, StreamExecutionEnvironment)
    assert isinstance(shell.DataTypes.INT(), type(DataTypes.INT()))
    with table.execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(1, "hi")]


def test_a_catalog_without_an_environment() -> None:
    catalog = Catalog(get_gateway().jvm.GenericInMemoryCatalog("mine"))
    catalog.create_database("db", CatalogDatabase.create_instance({"k": "v"}, "words"), False)
    schema = Schema.new_builder().column("a", DataTypes.INT()).build()
    path = ObjectPath("db", "t")
    options = {"connector": "datagen", "number-of-rows": "3"}
    catalog.create_table(path, CatalogBaseTable.create_table(schema, [], options, "no comment"), False)
    model = CatalogModel.create_model(schema, schema, {"provider": "none"}, "a model")
    catalog.create_model(path, model, False)
    found = catalog.get_model(path)
    assert (found.get_comment(), found.get_options(), model.copy().get_options()) == ("a model", {"provider": "none"}, {"provider": "none"})
    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    environment.register_catalog("mine", catalog)
    with environment.sql_query("SELECT COUNT(*) FROM mine.db.t").execute().collect() as rows:
        assert [row[0] for row in rows] == [3]


def test_a_configuration_is_a_view_of_an_environments() -> None:
    environment = StreamExecutionEnvironment.get_execution_environment()
    Configuration(j_configuration=get_j_env_configuration(environment)).set_integer("parallelism.default", 3)
    assert environment.get_parallelism() == 3


def test_older_keys_of_a_configuration() -> None:
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.configure(Configuration.from_dict({"pipeline.operator-chaining": "false", "execution.buffer-timeout": "1 min"}))
    assert not environment.is_chaining_enabled()
    assert environment.get_buffer_timeout() == 60_000
    environment.set_default_local_parallelism(8)
    assert environment.get_default_local_parallelism() == 8


def test_the_hive_dialect_is_refused_when_it_is_used() -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    environment.get_config().set_sql_dialect(SqlDialect.HIVE)
    assert environment.get_config().get_sql_dialect() == SqlDialect.HIVE
    with pytest.raises(NotImplementedError, match="the Hive dialect"):
        environment.execute_sql("SHOW TABLES")
    environment.get_config().set_sql_dialect(SqlDialect.DEFAULT)
    environment.execute_sql("SHOW TABLES").print()


def test_collected_floats_have_the_digits_that_they_are_written_with() -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    schema = DataTypes.ROW([DataTypes.FIELD("f", DataTypes.FLOAT()), DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.FLOAT()))])
    with environment.from_elements([(1.23, [0.1, None]), (float("nan"), [1e20])], schema).execute().collect() as rows:
        found = [tuple(row) for row in rows]
    assert found[0] == (1.23, [0.1, None])
    assert (str(found[1][0]), found[1][1]) == ("nan", [1e20])


def test_not_is_not_true_for_null() -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    schema = DataTypes.ROW([DataTypes.FIELD("b", DataTypes.BOOLEAN())])
    with environment.from_elements([(True,), (False,), (None,)], schema).select(~col("b")).execute().collect() as rows:
        assert [row[0] for row in rows] == [False, True, True]


def test_expressions_as_text_are_columns_of_a_schema() -> None:
    schema = Schema.new_builder().column("f", DataTypes.STRING()).column_by_expression("u", str(col("f").upper_case))
    assert "upper(f)" in str(schema.build())
    assert "sourceWatermark()" in str(source_watermark())


def test_built_in_aggregates_by_their_names() -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    table = environment.from_elements([(1,), (2,)], ["a"]).select(call("sum0", col("a")), call("max", col("a")))
    with table.execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(3, 2)]


def test_awaited_functions_take_no_series_and_have_one_time_limit() -> None:
    async def slow(text: str) -> str:
        await asyncio.sleep(60)
        return text

    with pytest.raises(ValueError, match="Async scalar functions do not support pandas func_type"):
        udf(slow, result_type=DataTypes.STRING(), func_type="pandas")
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    environment.get_config().set("table.exec.async-scalar.timeout", "10 ms")
    table = environment.from_elements([("test",)], ["a"]).select(udf(slow, result_type=DataTypes.STRING())(col("a")))
    with pytest.raises(Py4JJavaError, match=r"Async function call has timed out for input: \['test'\]"):
        table.execute().print()


def test_the_advice_of_a_plan() -> None:
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    table = environment.from_elements([(1, "a")], ["a", "b"])
    counts = table.group_by(col("b")).select(col("a").sum, col("b"))
    plan = counts.explain(ExplainDetail.PLAN_ADVICE)
    assert "\n\n== Optimized Physical Plan With Advice ==\n" in plan
    assert "GroupAggregate(advice=[1], groupBy=[b], select=[b, SUM(a) AS EXPR$0])" in plan
    assert "\n\nadvice[1]: [ADVICE] You might want to enable local-global two-phase optimization by configuring (" in plan
    assert "\n\nNo available advice...\n\n== Optimized Execution Plan ==\n" in table.explain(ExplainDetail.PLAN_ADVICE)
    for key, value in (("enabled", "true"), ("allow-latency", "1 s"), ("size", "100")):
        environment.get_config().set(f"table.exec.mini-batch.{key}", value)
    assert "No available advice..." in counts.explain(ExplainDetail.PLAN_ADVICE)
    batch = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    with pytest.raises(Exception, match="EXPLAIN PLAN_ADVICE is not supported under batch mode"):
        batch.from_elements([(1,)], ["a"]).explain(ExplainDetail.PLAN_ADVICE)


SECOND_HOMES = """
import sys
from pyflink.common import CsvRowSerializationSchema, JsonRowDeserializationSchema, Row
from pyflink.datastream import window
from pyflink.datastream.connectors import FileSourceBuilder
from pyflink.datastream.connectors.kafka import DeliveryGuarantee, Types, get_gateway
from pyflink.datastream.data_stream import FlatMapFunction, MapFunction, StateDescriptor, TimestampAssigner
from pyflink.datastream.functions import AggregateFunction as StreamAggregate
from pyflink.datastream.stream_execution_environment import DataStream, WatermarkStrategy
from pyflink.datastream.window import ReduceFunction, Time
from pyflink.table.table import TableResult
from pyflink.table.table_environment import AggregateFunction, DataTypes, Row as SameRow, StreamExecutionEnvironment

assert "pyflink.table.catalog" not in sys.modules
assert MapFunction.__module__ == "pyflink.datastream.functions"
assert (AggregateFunction.__module__, StreamAggregate.__module__) == ("pyflink.table.udf", "pyflink.datastream.functions")
assert SameRow is Row
assert window.Time is Time
"""


def test_a_module_gives_the_names_that_flinks_imports(tmp_path: Path) -> None:
    (tmp_path / "second_homes.py").write_text(SECOND_HOMES)
    done = subprocess.run([sys.executable, tmp_path / "second_homes.py"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    import pyflink.table

    assert not hasattr(pyflink.table, "no_such_name")
    with pytest.raises(ImportError, match="cannot import name 'NoSuchName'"):
        exec("from pyflink.datastream.data_stream import NoSuchName")
