"""Smaller parts of the Table API: settings, types, views of data, what an environment lists and explains."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from pyflink.common import Configuration
from pyflink.table import (
    DataTypes,
    EnvironmentSettings,
    ExplainDetail,
    FormatDescriptor,
    ListView,
    MapView,
    OverWindowedTable,
    ResultKind,
    SqlDialect,
    StreamTableEnvironment,
    TableConfig,
    TableDescriptor,
    TableEnvironment,
    TableSchema,
    UserDefinedType,
)
from pyflink.table import Schema as TableColumns
from pyflink.table import expression as kinds
from pyflink.table import expressions as x
from pyflink.table.descriptors import Rowtime, Schema
from pyflink.table.expressions import col, lit
from pyflink.table.model_descriptor import ModelDescriptor
from pyflink.table.module import HiveModule
from pyflink.table.plan_reference import JsonContentPlanReference, PlanReference
from pyflink.table.udf import FunctionContext
from pyflink.table.window import Over, Tumble
from pyflink.util.exceptions import ValidationException


@pytest.fixture
def environment() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    made.get_config().set_local_timezone("UTC")
    return made


def rows(table: Any) -> list[tuple[Any, ...]]:
    with table.execute().collect() as found:
        return [tuple(row) for row in found]


def test_settings_of_tables() -> None:
    config = TableConfig.get_default()
    config.set_local_timezone("Asia/Tokyo")
    assert config.get_local_timezone() == "Asia/Tokyo"
    config.set_max_generated_code_length(5)
    assert config.get_max_generated_code_length() == 5
    config.set_idle_state_retention(datetime.timedelta(seconds=3))
    assert config.get_idle_state_retention() == datetime.timedelta(seconds=3)
    config.add_configuration(Configuration.from_dict({"a": "b"}))
    assert config.to_map()["a"] == "b"
    config.set_sql_dialect(SqlDialect.DEFAULT)
    assert config.get_sql_dialect() == SqlDialect.DEFAULT
    config.set_python_executable("/usr/bin/python3")
    assert config.get_python_executable() == "/usr/bin/python3"


def test_views_of_lists() -> None:
    view: ListView[int] = ListView()
    view.add(1)
    view.add_all([2, 3])
    other: ListView[int] = ListView()
    other.add_all([1, 2, 3])
    assert (list(view), list(view.get()), view == other) == ([1, 2, 3], [1, 2, 3], True)
    view.clear()
    assert list(view) == []


def test_views_of_maps() -> None:
    view: MapView[str, int] = MapView()
    view["a"] = 1
    view.put("b", 2)
    view.put_all({"c": 3})
    other: MapView[str, int] = MapView()
    other.put_all({"a": 1, "b": 2, "c": 3})
    assert view == other
    assert (view["a"], view.get("b"), view.contains("c"), "z" in view) == (1, 2, True, False)
    view.remove("a")
    del view["b"]
    assert (list(view.items()), list(view.keys()), list(view.values()), list(view)) == ([("c", 3)], ["c"], [3], ["c"])
    view.clear()
    assert view.is_empty()


def test_types_of_columns() -> None:
    made = [
        DataTypes.CHAR(3), DataTypes.BINARY(4), DataTypes.SMALLINT(), DataTypes.FLOAT(), DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3),
        DataTypes.MULTISET(DataTypes.INT()), DataTypes.INTERVAL(DataTypes.HOUR(), DataTypes.MINUTE()), DataTypes.TINYINT(False),
    ]  # fmt: skip
    assert [one.sql_text() for one in made] == [
        "CHAR(3)", "BINARY(4)", "SMALLINT", "FLOAT", "TIMESTAMP_LTZ(3)", "MULTISET<INT>", "INTERVAL HOUR TO MINUTE", "TINYINT",
    ]  # fmt: skip


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y


class PointType(UserDefinedType):
    @classmethod
    def sql_type(cls) -> Any:
        return DataTypes.ARRAY(DataTypes.INT())

    @classmethod
    def module(cls) -> str:
        return __name__

    def serialize(self, obj: Point) -> list[int]:
        return [obj.x, obj.y]

    def deserialize(self, datum: list[int]) -> Point:
        return Point(*datum)


def test_types_of_ones_own() -> None:
    kind = PointType()
    assert (kind, kind.type_name(), kind.java_udt(), kind.need_conversion()) == (PointType(), "pointtype", "", True)
    assert kind.module() == __name__
    assert kind.to_sql_type(Point(1, 2)) == [1, 2]
    assert kind.from_sql_type([3, 4]).y == 4
    assert (kind.to_sql_type(None), kind.from_sql_type(None)) == (None, None)
    assert kind.sql_type() == DataTypes.ARRAY(DataTypes.INT())


def test_descriptions_by_properties() -> None:
    rowtime = Rowtime().timestamps_from_field("t").watermarks_periodic_bounded(500)
    schema = Schema().field("a", DataTypes.INT()).from_origin_field("b").field("ts", DataTypes.TIMESTAMP(3)).rowtime(rowtime)
    properties = schema.to_properties()
    assert "a" in properties.values()
    assert any(value == "500" for value in properties.values())
    other = Schema(fields={"x": DataTypes.STRING()}).fields({"y": DataTypes.INT()}).field("p", DataTypes.TIMESTAMP(3)).proctime()
    assert other.to_properties() != {}
    assert Rowtime().timestamps_from_source().watermarks_from_source().to_properties() != {}
    assert Rowtime().timestamps_from_source().watermarks_periodic_ascending().to_properties() != {}
    assert Schema().schema(TableSchema(["a"], [DataTypes.INT()])).to_properties() != {}


def test_what_environments_list(environment: TableEnvironment) -> None:
    assert environment.list_databases() == ["default_database"]
    assert "upper" in [name.lower() for name in environment.list_functions()]
    assert (environment.list_models(), environment.list_temporary_models(), environment.list_materialized_tables()) == ([], [], [])
    descriptor = TableDescriptor.for_connector("datagen").schema(TableColumns.new_builder().column("a", DataTypes.INT()).build())
    descriptor = descriptor.option("number-of-rows", "3").build()
    assert len(rows(environment.from_descriptor(descriptor))) == 3
    environment.create_view("v", environment.from_elements([(1,)], ["a"]))
    assert "v" in environment.list_views()
    assert environment.drop_view("v")
    assert not environment.drop_view("v")
    environment.execute_sql("CREATE FUNCTION f AS 'os.path.join' LANGUAGE PYTHON")
    assert environment.drop_function("f")
    environment.add_python_file("/tmp")
    assert FormatDescriptor.for_format("json").option("a", "b").build().get_options() == {"a": "b"}


def test_explaining(environment: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Physical" in environment.explain_sql("SELECT 1 AS a", ExplainDetail.CHANGELOG_MODE)
    environment.sql_query("SELECT 1 AS a").print_explain()
    assert "Physical" in capsys.readouterr().out
    assert environment.execute_sql("CREATE TEMPORARY VIEW w AS SELECT 1 AS a").get_result_kind() is ResultKind.SUCCESS


def test_windows_by_time() -> None:
    batch = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    batch.execute_sql(
        "CREATE VIEW e AS SELECT * FROM (VALUES (1, 10, TIMESTAMP '2024-01-01 00:00:01'), "
        "(1, 20, TIMESTAMP '2024-01-01 00:00:02')) AS t(k, v, ts)"
    )
    over = batch.from_path("e").over_window(Over.partition_by(col("k")).order_by(col("ts")).alias("w"))
    assert isinstance(over, OverWindowedTable)
    tumbling = batch.from_path("e").window(Tumble.over(lit(1).minutes).on(col("ts")).alias("w"))
    assert rows(tumbling.group_by(col("w"), col("k")).select(col("k"), col("v").sum)) == [(1, 30)]


def test_streams_of_tables() -> None:
    from pyflink.common import Types
    from pyflink.datastream import StreamExecutionEnvironment

    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(1)
    tables = StreamTableEnvironment.create(env)
    table = tables.from_elements([(1, "a"), (2, "b")], ["i", "s"])
    stream = tables.to_append_stream(table, Types.ROW([Types.LONG(), Types.STRING()]))
    with stream.execute_and_collect() as records:
        assert [tuple(record) for record in records] == [(1, "a"), (2, "b")]


def test_descriptors_of_tables_and_formats() -> None:
    schema = TableColumns.new_builder().column("a", DataTypes.INT()).build()
    made = TableDescriptor.for_connector("x").schema(schema).partitioned_by("a").comment("words").option("o", "1").build()
    assert (made.get_partition_keys(), made.get_comment(), made.get_options()["o"]) == (["a"], "words", "1")
    assert str(made.get_schema()) == str(schema)
    assert made == TableDescriptor.for_connector("x").schema(schema).partitioned_by("a").comment("words").option("o", "1").build()
    json = FormatDescriptor.for_format("json").option("k", "v").build()
    assert (json.get_format(), json.get_options()) == ("json", {"k": "v"})
    assert json == FormatDescriptor.for_format("json").option("k", "v").build()


def test_older_schemas() -> None:
    made = TableSchema.builder().field("a", DataTypes.INT()).field("b", DataTypes.STRING()).build()
    assert (made.get_field_count(), made.get_field_name(1), made.get_field_name(9)) == (2, "b", None)
    assert [field.name for field in made.to_row_data_type().fields] == ["a", "b"]
    assert made.copy() == made


def test_descriptors_of_models() -> None:
    schema = TableColumns.new_builder().column("a", DataTypes.INT()).build()
    builder = ModelDescriptor.for_provider("openai").input_schema(schema).output_schema(schema).option("task", "t").comment("words")
    made = builder.build()
    assert (made.get_comment(), made.get_options()["task"]) == ("words", "t")
    assert str(made.get_input_schema()) == str(made.get_output_schema()) == str(schema)
    assert made == builder.build()


def test_plans_of_sets(environment: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    environment.execute_sql("CREATE TABLE sink (a INT) WITH ('connector' = 'blackhole')")
    statements = environment.create_statement_set()
    statements.add_insert_sql("INSERT INTO sink VALUES (1)")
    assert "sink" in statements.explain()
    statements.print_explain()
    assert "sink" in capsys.readouterr().out
    plan = statements.compile_plan()
    assert JsonContentPlanReference(plan.as_json_string()).get_content() == plan.as_json_string()
    assert PlanReference.from_json_string("{}") == PlanReference.from_json_string("{}")


def test_results_know_their_columns(environment: TableEnvironment) -> None:
    result = environment.execute_sql("SELECT 1 AS a")
    assert result.get_result_kind() is ResultKind.SUCCESS_WITH_CONTENT
    assert result.get_table_schema().get_field_names() == ["a"]
    assert result.get_resolved_schema().get_column_names() == ["a"]


def test_words_of_expressions() -> None:
    names = [
        kinds.TimeIntervalUnit.YEAR, kinds.TimePointUnit.DAY, kinds.JsonType.VALUE, kinds.JsonExistsOnError.TRUE,
        kinds.JsonValueOnEmptyOrError.NULL, kinds.JsonQueryWrapper.WITHOUT_ARRAY, kinds.JsonQueryOnEmptyOrError.NULL,
    ]  # fmt: skip
    assert [name.name for name in names] == ["YEAR", "DAY", "VALUE", "TRUE", "NULL", "WITHOUT_ARRAY", "NULL"]
    assert isinstance(col("a").sum.over(col("w")), kinds.Expression)
    assert "a" in str(x.descriptor("a", "b"))
    assert "b" in str(col("a").as_argument("b"))


@pytest.mark.parametrize("name", ["current_date", "current_time", "current_timestamp", "local_time", "local_timestamp", "uuid"])
def test_values_that_vary_are_there(environment: TableEnvironment, name: str) -> None:
    expression = getattr(x, name)()
    [(value,)] = rows(environment.from_elements([(1,)], ["a"]).select(expression.cast(DataTypes.STRING())))
    assert value


def test_modules_of_environments(environment: TableEnvironment) -> None:
    [core] = environment.list_full_modules()
    assert (core.name(), core.used()) == ("core", True)


def test_what_functions_are_told() -> None:
    context = FunctionContext(None, {"a": "b"}, "Task", "Task (1/2)", 2, 64, 1, 3)
    assert (context.get_task_name(), context.get_task_name_with_subtasks()) == ("Task", "Task (1/2)")
    assert (context.get_number_of_parallel_subtasks(), context.get_max_number_of_parallel_subtasks()) == (2, 64)
    assert (context.get_index_of_this_subtask(), context.get_attempt_number(), context.get_job_parameter("a", "")) == (1, 3, "b")


def test_built_in_names() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("c").with_built_in_database_name("d").build()
    assert (settings.get_built_in_catalog_name(), settings.get_built_in_database_name()) == ("c", "d")
    environment = TableEnvironment.create(settings)
    assert (environment.get_current_catalog(), environment.get_current_database()) == ("c", "d")
    assert (list(environment.list_catalogs()), list(environment.list_databases())) == (["c"], ["d"])
    environment.execute_sql("CREATE CATALOG other WITH ('type' = 'generic_in_memory')")
    environment.use_catalog("other")
    environment.use_catalog("c")
    assert environment.get_current_database() == "d"


def test_a_name_for_the_built_in_database_alone() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_database_name("it's").build()
    environment = TableEnvironment.create(settings)
    assert (environment.get_current_catalog(), environment.get_current_database()) == ("default_catalog", "it's")
    assert (list(environment.list_catalogs()), list(environment.list_databases())) == (["default_catalog"], ["it's"])


def test_schemas_are_equal_by_what_they_say() -> None:
    def schema(name: str) -> TableColumns:
        return TableColumns.new_builder().column(name, DataTypes.INT()).build()

    assert schema("a") == schema("a")
    assert schema("a") != schema("b")


def test_models_come_and_go(environment: TableEnvironment) -> None:
    columns = TableColumns.new_builder().column("a", DataTypes.STRING()).build()
    model = ModelDescriptor.for_provider("openai").input_schema(columns).output_schema(columns).build()
    environment.create_model("kept", model)
    environment.create_temporary_model("passing", model)
    assert environment.drop_model("kept")
    assert not environment.drop_model("kept")
    assert environment.drop_temporary_model("passing")
    assert not environment.drop_temporary_model("passing")


def test_a_temporary_model_hides_a_permanent_one_of_its_name(environment: TableEnvironment) -> None:
    columns = TableColumns.new_builder().column("a", DataTypes.STRING()).build()
    model = ModelDescriptor.for_provider("openai").input_schema(columns).output_schema(columns).build()
    environment.create_model("m", model)
    environment.create_temporary_model("m", model)
    assert (environment.list_models(), environment.list_temporary_models()) == (["m"], ["m"])
    with pytest.raises(ValidationException, match=r"Temporary model '.*`m`' already exists"):
        environment.create_temporary_model("m", model)
    with pytest.raises(ValidationException, match="Drop it first before removing the permanent model"):
        environment.drop_model("m")
    assert environment.drop_temporary_model("m")
    assert (environment.list_models(), environment.list_temporary_models()) == (["m"], [])
    assert environment.drop_model("m")
    with pytest.raises(ValidationException, match=r"Model with identifier '.*`m`' does not exist"):
        environment.drop_model("m", False)


def test_plans_are_printed(environment: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    environment.execute_sql("CREATE TABLE nowhere(a INT) WITH ('connector' = 'blackhole')")
    table = environment.from_elements([(1,)], DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]))
    pipeline = table.insert_into("nowhere")
    pipeline.print_explain()
    pipeline.compile_plan().print_explain()
    printed = capsys.readouterr().out
    assert printed.count("LogicalSink(table=[default_catalog.default_database.nowhere], fields=[a])") == 2
    environment.compile_plan_sql("INSERT INTO nowhere VALUES (1)").print_json_string()
    assert "thalweg" in json.loads(capsys.readouterr().out)


def test_sets_of_rows() -> None:
    made = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    left = made.from_elements([(1, "a"), (2, "b"), (2, "b")], ["i", "s"])
    right = made.from_elements([(2, "b"), (3, "c")], ["i", "s"])
    assert sorted(rows(left.union(right))) == [(1, "a"), (2, "b"), (3, "c")]
    assert rows(left.order_by(col("i")).offset(1)) == [(2, "b"), (2, "b")]


def test_watermarks_in_expressions(environment: TableEnvironment) -> None:
    environment.execute_sql(
        "CREATE TABLE timed(a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
    )
    assert rows(environment.from_path("timed").select(x.current_watermark(col("ts")))) == [(None,)]
    assert str(x.source_watermark()) == "sourceWatermark()"


def test_columns_as_arrow() -> None:
    import io

    import pandas as pd
    import pyarrow as pa
    import pytz
    from pyflink.table.serializers import ArrowSerializer

    kind = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.STRING())])
    schema = pa.schema([("a", pa.int32()), ("b", pa.string())])
    serializer = ArrowSerializer(schema, kind, pytz.utc)
    stream = io.BytesIO()
    serializer.serialize([[pd.Series([1, 2]), pd.Series(["x", None])]], stream)
    wanted = [[[1, 2], ["x", None]]]
    assert [[list(column) for column in batch] for batch in serializer.deserialize(io.BytesIO(stream.getvalue()))] == wanted
    assert [[list(column) for column in batch] for batch in serializer.load_from_iterator(iter([stream.getvalue()]))] == wanted


def test_small_tools_of_tables() -> None:
    import pickle

    import pandas as pd
    from pyflink.table import utils

    times = pd.Series([pd.Timestamp("2020-01-01 00:00:00")])
    local = DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3)
    assert list(utils.tz_convert_from_internal(times, local, "Asia/Tokyo")) == [pd.Timestamp("2020-01-01 09:00:00")]
    assert list(utils.tz_convert_to_internal(times, local, "Asia/Tokyo")) == [pd.Timestamp("2019-12-31 15:00:00")]
    assert list(utils.tz_convert_to_internal(times, DataTypes.TIMESTAMP(3), "Asia/Tokyo")) == list(times)
    assert [str(expression) for expression in utils.to_expression_jarray([col("a"), lit(1)])] == ["a", "1"]
    assert utils.pickled_bytes_to_python_converter(pickle.dumps(3), DataTypes.INT()) == 3


def test_what_tables_refuse() -> None:
    with pytest.raises(NotImplementedError, match="HiveModule"):
        HiveModule("3")
