"""Names of Flink's Java bridge: they can be imported, do what Python can do, and refuse the rest by name."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pyflink import gen_protos, java_gateway, pyflink_gateway_server
from pyflink.common import Configuration, Duration, Row, Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pyflink.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pyflink.serializers import BatchedSerializer, PickleSerializer, SpecialLengths, VarLengthDataSerializer, read_int, write_int
from pyflink.table import EnvironmentSettings, TableEnvironment
from pyflink.util import exceptions, java_utils
from pyflink.util.api_stability_decorators import Deprecated, Experimental, Internal, Public, PublicEvolving


def test_names_of_java_lead_on_and_cannot_be_called() -> None:
    gateway = java_gateway.get_gateway()
    assert java_gateway.launch_gateway() is gateway
    assert java_gateway.is_launch_gateway_disabled()
    with pytest.raises(NotImplementedError, match=r"java\.util\.ArrayList: Thalweg has no JVM"):
        gateway.jvm.java.util.ArrayList()
    assert gateway.new_array(None, 2) == [None, None]
    java_gateway.import_flink_view(gateway)
    assert java_gateway.PythonFunctionFactory().getPythonFunction("os.path", "join") is not None
    assert java_gateway.Watchdog().ping()
    gen_protos.generate_proto_files()
    from py4j.java_gateway import JavaClass, JavaGateway, JavaObject, get_java_class, java_import

    assert isinstance(gateway, JavaGateway)
    assert not isinstance(gateway, (JavaObject, JavaClass))
    java_import(gateway.jvm, "java.util.List")
    assert get_java_class(5) == 5


def test_an_environment_under_javas_names() -> None:
    from py4j.java_gateway import get_method

    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())._j_tenv
    environment.executeSql("CREATE TABLE source (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '2')")
    environment.executeSql("CREATE TABLE sink (a INT) WITH ('connector' = 'blackhole')")
    assert environment.listTables() == ["sink", "source"]
    assert get_method(environment.compilePlanSql("INSERT INTO sink SELECT a FROM source").execute(), "await")() is None
    environment.getConfig().getConfiguration().setString("parallelism.default", "3")
    assert environment.getConfig().get("parallelism.default", "") == "3"
    environment.createTemporaryView("v", environment.sqlQuery("SELECT 1 AS a"))
    assert get_method(environment, "from")("v").getSchema().toString() == "root\n |-- a: INT NOT NULL\n"
    with pytest.raises(NotImplementedError, match=r"TableEnvironment\.getCatalogManager: Thalweg has no JVM"):
        environment.getCatalogManager()


def test_what_python_can_do_of_javas() -> None:
    assert java_utils.to_jarray(None, [1, 2]) == [1, 2]
    assert java_utils.to_j_duration(timedelta(seconds=1.5)) == java_utils.to_j_duration(1500) == Duration.of_millis(1500)
    assert java_utils.from_j_duration(Duration.of_seconds(2)) == timedelta(seconds=2)
    assert java_utils.is_instance_of(5, int)
    assert java_utils.is_instance_of(5, "java.lang.int")
    assert java_utils.is_instance_of(5, java_utils.load_java_class("java.lang.int"))
    assert not java_utils.is_instance_of(5, java_utils.load_java_class("java.lang.String"))
    assert java_utils.is_local_deployment(Configuration())
    assert not java_utils.is_local_deployment(Configuration.from_dict({"execution.target": "remote"}))
    assert java_utils.to_j_explain_detail_arr(None) == []
    java_utils.add_jars_to_context_class_loader(["file:///x.jar"])
    with pytest.raises(TypeError, match="java_class"):
        java_utils.is_instance_of(5, 6)


def test_the_configuration_of_an_environment_under_javas_names() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    config = java_utils.get_j_env_configuration(env)
    config.setString("s", "x")
    config.setInteger("parallelism.default", 3)
    config.setLong("l", 4)
    config.setBoolean("b", True)
    config.setFloat("f", 1.5)
    config.setDouble("d", 2.5)
    assert env.get_parallelism() == 3
    assert (config.getString("s"), config.getInteger("none", 7), config.getLong("l"), config.getBoolean("b")) == ("x", 7, 4, True)
    assert (config.getDouble("d"), config.containsKey("f"), "l" in config.keySet(), config.toMap()["f"]) == (2.5, True, True, "1.5")
    assert java_utils.get_j_env_configuration(Configuration()).toMap() == {}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_field_value", [None, "f"]),
        ("get_field", [None, "f"]),
        ("invoke_method", [None, "a.B", "m"]),
        ("create_url_class_loader", [[], None]),
    ],
)
def test_the_rest_of_javas_is_refused(name: str, arguments: list[object]) -> None:
    with pytest.raises(NotImplementedError, match=name):
        getattr(java_utils, name)(*arguments)


def test_sequences_of_objects_as_bytes() -> None:
    for serializer in (PickleSerializer(), BatchedSerializer(PickleSerializer(), 2), BatchedSerializer(PickleSerializer())):
        stream = io.BytesIO()
        serializer.serialize([1, "two", None], stream)
        stream.seek(0)
        assert list(serializer.deserialize(stream)) == [1, "two", None]
    stream = io.BytesIO()
    write_int(-7, stream)
    write_int(SpecialLengths.END_OF_DATA_SECTION, stream)
    stream.seek(0)
    assert (read_int(stream), read_int(stream)) == (-7, -1)
    with pytest.raises(EOFError):
        read_int(stream)
    assert PickleSerializer().loads(PickleSerializer().dumps({"a": 1})) == {"a": 1}


class Texts(VarLengthDataSerializer[str]):
    def dumps(self, obj: str) -> bytes | None:
        return obj.encode() if obj else None

    def loads(self, obj: bytes) -> str:
        return obj.decode()


def test_serializers_of_ones_own() -> None:
    stream = io.BytesIO()
    Texts().serialize(["a", "", "bc"], stream)
    assert stream.getvalue() == b"\x00\x00\x00\x01a\xff\xff\xff\xfe\x00\x00\x00\x02bc"
    stream.seek(0)
    assert list(Texts().deserialize(stream)) == ["a", None, "bc"]
    assert list(Texts().deserialize(io.BytesIO(b"\x00\x00\x00\x05ab"))) == []


def test_configuration_files_of_flink(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("# comment\nenv:\n  java:\n    home: /jdk # where\nparallelism: 2\n")
    assert pyflink_gateway_server.read_from_config("env.java.home", "x", str(tmp_path)) == "/jdk"
    assert pyflink_gateway_server.read_from_config("parallelism", "x", str(tmp_path)) == "2"
    assert pyflink_gateway_server.read_from_config("none", "x", str(tmp_path)) == "x"
    assert pyflink_gateway_server.read_from_config("none", "x", "/nowhere") == "x"
    assert pyflink_gateway_server.flatten_config({"a": {"b": 1}, "c": 2}) == {"a.b": 1, "c": 2}
    assert not pyflink_gateway_server.on_windows()
    assert pyflink_gateway_server.get_log_dir({"FLINK_HOME": "/f"}) == "/f/log"
    pyflink_gateway_server.prepare_environment_variables({})
    assert pyflink_gateway_server.construct_log_settings({}) == pyflink_gateway_server.get_jvm_opts({}) == []


def test_marks_of_stability_are_in_the_documentation() -> None:
    for mark, word in (
        (Deprecated(since="1.2", detail="Use other."), "1.2"),
        (Experimental(), "xperimental"),
        (Internal(), "nternal"),
        (PublicEvolving(), "volving"),
        (Public(), "ublic"),
    ):

        @mark
        def documented() -> None:
            """What it does."""

        assert word in (documented.__doc__ or "")
        assert word in mark.get_directive(documented)


def test_exceptions_have_flinks_names() -> None:
    names = [
        "TableException", "CatalogException", "DatabaseAlreadyExistException", "DatabaseNotEmptyException", "DatabaseNotExistException",
        "FunctionAlreadyExistException", "FunctionNotExistException", "PartitionAlreadyExistsException", "PartitionNotExistException",
        "PartitionSpecInvalidException", "TableAlreadyExistException", "TableNotExistException", "ModelAlreadyExistException",
        "ModelNotExistException", "TableNotPartitionedException",
    ]  # fmt: skip
    for name in names:
        error = getattr(exceptions, name)("what happened")
        assert isinstance(error, exceptions.JavaException)
        assert (str(error), error.java_exception.getMessage()) == ("what happened", "what happened")
    assert (str(exceptions.TableException("a")), str(exceptions.CatalogException("b"))) == ("a", "b")
    assert exceptions.JavaException("why").stack_trace == "why"
    error = ValueError()
    assert exceptions.convert_py4j_exception(error) is error
    assert exceptions.capture_java_exception(len) is len
    exceptions.install_exception_handler()
    exceptions.install_py4j_hooks()


def _context() -> Any:
    return java_gateway.get_gateway().jvm.org.apache.flink.connector.testutils.formats.DummyInitializationContext()


def _java_row(*values: Any) -> Any:
    row = java_gateway.get_gateway().jvm.org.apache.flink.types.Row(len(values))
    for position, value in enumerate(values):
        row.setField(position, value)
    return row


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Types.STRING(), "'123''4**'", "123'4*"),
        (Types.STRING(), "'a;b''c'", "a;b'c"),
        (Types.STRING(), "plain", "plain"),
        (Types.STRING(), "''", ""),
        (Types.INT(), "12", 12),
        (Types.INT(), "none", None),
        (Types.BOOLEAN(), "true", True),
        (Types.ROW([Types.STRING(), Types.STRING()]), "'1:hello'", _java_row("1", "hello")),
        (Types.OBJECT_ARRAY(Types.INT()), "'1:2'", [1, 2]),
    ],
)
def test_rows_of_csv_outside_of_jobs(kind: Any, text: str, value: Any) -> None:
    def set_up(builder: Any) -> Any:
        builder.set_escape_character("*").set_quote_character("'").set_array_element_delimiter(":")
        return builder.set_field_delimiter(";").set_null_literal("none").build()

    row_type = Types.ROW([Types.STRING(), kind, Types.STRING()])
    row, line = _java_row("BEGIN", value, "END"), f"BEGIN;{text};END\n"
    writing = set_up(CsvRowSerializationSchema.Builder(row_type))._j_serialization_schema
    writing.open(_context())
    if text != "''":
        assert writing.serialize(row).decode() == line
    reading = set_up(CsvRowDeserializationSchema.Builder(row_type))._j_deserialization_schema
    reading.open(_context())
    assert row.equals(reading.deserialize(line.encode()))
    with pytest.raises(ValueError, match="3 fields expected but was 2"):
        reading.deserialize(b"BEGIN;END")


def test_rows_of_json_outside_of_jobs() -> None:
    inner = Types.ROW_NAMED(["id"], [Types.STRING()])
    row_type = Types.ROW_NAMED(["svt", "ops", "ids"], [Types.STRING(), inner, Types.PRIMITIVE_ARRAY(Types.INT())])
    writing = JsonRowSerializationSchema.builder().with_type_info(row_type).build()._j_serialization_schema
    reading = JsonRowDeserializationSchema.builder().type_info(row_type).build()._j_deserialization_schema
    reading.open(_context())
    writing.open(_context())
    for given, wanted in (
        ('{"svt":"2020"}', '{"svt":"2020","ops":null,"ids":null}'),
        ('{"svt": "2020", "ops":{"id":"2817"}, "ids":[1, 2, 3]}', '{"svt":"2020","ops":{"id":"2817"},"ids":[1,2,3]}'),
    ):
        assert writing.serialize(reading.deserialize(given.encode())).decode() == wanted
    dates = Types.ROW([Types.SQL_DATE()])
    for refusing in (
        lambda: JsonRowSerializationSchema.builder().with_type_info(dates).build()._j_serialization_schema.serialize(Row(1)),
        lambda: CsvRowSerializationSchema.Builder(dates).build()._j_serialization_schema.serialize(Row(1)),
    ):
        with pytest.raises(NotImplementedError, match="outside of a job"):
            refusing()
