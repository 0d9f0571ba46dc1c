"""The idioms of Flink's own Python tests, on `pyflink.testing`."""

from __future__ import annotations

from pyflink.common import RowKind
from pyflink.table import DataTypes
from pyflink.table.expressions import col
from pyflink.testing import source_sink_utils
from pyflink.testing.test_case_utils import (
    PyFlinkBatchTableTestCase,
    PyFlinkStreamTableTestCase,
    PyFlinkUTTestCase,
    TestEnv,
    Tuple2,
    exec_insert_table,
    replace_uuid,
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
        assert Tuple2(1, 2).getField(1) == 2
