"""The idioms of Flink's own Python tests, on `pyflink.testing`."""

from __future__ import annotations

import unittest

import pytest
from pyflink.common import Row, RowKind
from pyflink.datastream.tests.test_util import DataStreamTestSinkFunction
from pyflink.table import DataTypes
from pyflink.table.expressions import col
from pyflink.testing import source_sink_utils
from pyflink.testing.test_case_utils import (
    PyFlinkBatchTableTestCase,
    PyFlinkBatchTestCase,
    PyFlinkStreamingTestCase,
    PyFlinkStreamTableTestCase,
    PyFlinkUTTestCase,
    PythonAPICompletenessTestCase,
    TestEnv,
    Tuple2,
    exec_insert_table,
    replace_uuid,
    run_with_config,
    to_java_data_structure,
)


class StreamTests(PyFlinkStreamTableTestCase):
    """Sinks and results in streaming mode."""

    def test_a_sink_gets_rows(self) -> None:
        self.t_env.execute_sql("CREATE TABLE Results(a BIGINT, b STRING, c STRING) WITH ('connector' = 'test-sink')")
        table = self.t_env.from_elements([(1, "Hi", "Hello"), (2, "Hello", None)], ["a", "b", "c"])
        exec_insert_table(table.where(col("a") > 0), "Results")
        self.assert_equals(source_sink_utils.results(), ["+I[1, Hi, Hello]", "+I[2, Hello, null]"])

    def test_a_sink_gets_changes(self) -> None:
        self.t_env.execute_sql("CREATE TABLE Changes(a STRING, n BIGINT) WITH ('connector' = 'test-sink')")
        table = self.t_env.from_elements([("a",), ("b",), ("a",)], ["a"])
        counts = table.group_by(col("a")).select(col("a"), col("a").count)
        counts.execute_insert("Changes").wait()
        self.assert_equals(source_sink_utils.results(), ["+I[a, 1]", "+I[b, 1]", "-U[a, 1]", "+U[a, 2]"])
        counts.execute_insert("Changes").wait()
        self.assert_equals(source_sink_utils.retract_results(), ["+I[a, 2]", "+I[b, 1]"])
        counts.execute_insert("Changes").wait()
        self.assert_equals(source_sink_utils.upsert_results([0]), ["+I[a, 2]", "+I[b, 1]"])


class BatchTests(PyFlinkBatchTableTestCase):
    """Batch mode."""

    def test_rows_come_once(self) -> None:
        table = self.t_env.from_elements([(1,), (1,)], DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]))
        with table.group_by(col("a")).select(col("a"), col("a").count).execute().collect() as rows:
            found = list(rows)
        self.assert_equals(found, ["<Row(1, 2)>"])
        assert found[0].get_row_kind() == RowKind.INSERT


class UnitTests(PyFlinkUTTestCase):
    """What needs no job."""

    def test_the_environment(self) -> None:
        assert self.env.get_parallelism() == 2
        assert self.t_env.get_config().get("parallelism.default", "") == "2"

    def test_small_tools(self) -> None:
        assert replace_uuid("x-0f8fad5b-d9cb-469f-a165-70867728950e") == "x-{uuid}"
        files = TestEnv()
        files.registerCachedFile("/tmp/a", "k")
        assert files.to_dict() == {"k": "/tmp/a"}
        assert [(pair.f0, pair.f1) for pair in files.getCachedFiles()] == [("k", "/tmp/a")]
        assert Tuple2(1, 2).getField(1) == 2
        assert to_java_data_structure((1, "a")) == Row(1, "a")

    @run_with_config({"parallelism.default": "3"})
    def test_a_configuration_for_one_test(self) -> None:
        assert self.env.get_parallelism() == 3


class StreamingTests(PyFlinkStreamingTestCase):
    """The DataStream API in streaming mode."""

    def test_records_come_to_a_sink(self) -> None:
        sink = DataStreamTestSinkFunction()
        self.env.from_collection([1, 2]).map(lambda number: number + 1).add_sink(sink)
        self.env.execute("streaming")
        self.assert_equals(sink.get_results(True), ["2", "3"])


class BoundedTests(PyFlinkBatchTestCase):
    """The DataStream API in batch mode."""

    def test_a_key_has_one_result(self) -> None:
        sink = DataStreamTestSinkFunction()
        self.env.from_collection([("a", 1), ("a", 2)]).key_by(lambda pair: pair[0]).sum(1).add_sink(sink)
        self.env.execute("batch")
        self.assert_equals(sink.get_results(True), ["('a', 3)"])


class Names(PythonAPICompletenessTestCase):
    """Some class that Flink's tests compare with Java's."""

    @classmethod
    def python_class(cls) -> type:
        return Tuple2

    @classmethod
    def java_class(cls) -> str:
        return "org.apache.flink.api.java.tuple.Tuple2"


def test_comparing_with_java_is_skipped() -> None:
    names = Names()
    assert names.get_python_class_methods(names.python_class()) == {"getField"}
    assert names.snake_to_camel("get_the_field") == "getTheField"
    assert names.java_method_name("get") == "get"
    assert (names.excluded_methods(), names.get_python_stability_decorators(Tuple2), names.ignore_decorators()) == (set(), {}, True)
    for compares in (names.test_completeness, names.check_methods, names.check_stability_decorators):
        with pytest.raises(unittest.SkipTest, match="no Java classes"):
            compares()
    with pytest.raises(unittest.SkipTest, match=r"java\.tuple\.Tuple2"):
        names.get_java_class_methods(names.java_class())
