"""Every kind of function gives the same in the engine's process and in workers; a crash or a hang ends the job alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import udf_samples as samples
from py4j.protocol import Py4JJavaError
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import udaf, udf, udtaf, udtf


@pytest.fixture(params=["thread", "process"])
def rows(request: pytest.FixtureRequest) -> TableEnvironment:
    return with_rows(request.param)


def with_rows(mode: str) -> TableEnvironment:
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    environment.get_config().set("parallelism.default", "1").set("python.execution-mode", mode)
    environment.get_config().set("pipeline.global-job-parameters", "factor:3")
    schema = DataTypes.ROW([DataTypes.FIELD("k", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.BIGINT())])
    environment.create_temporary_view("t", environment.from_elements([("a", 1), ("b", 3), ("a", 2), ("b", None)], schema))
    return environment


def collected(table: Any) -> list[tuple[Any, ...]]:
    with table.execute().collect() as found:
        return [tuple(row) for row in found]


def test_scalar_functions(rows: TableEnvironment) -> None:
    scale = udf(samples.Scale(), result_type=DataTypes.BIGINT())
    assert collected(rows.from_path("t").select(scale(col("v")))) == [(3,), (9,), (6,), (None,)]
    pytest.importorskip("pandas")
    half = udf(samples.halved, result_type=DataTypes.DOUBLE(), func_type="pandas")
    assert collected(rows.from_path("t").select(half(col("v")))) == [(0.5,), (1.5,), (1.0,), (None,)]


def test_where_functions_run() -> None:
    where = udf(samples.process_id, result_type=DataTypes.BIGINT())
    for mode in ("thread", "process"):
        ids = {row[0] for row in collected(with_rows(mode).from_path("t").select(where(col("v"))))}
        assert len(ids) == 1
        assert (ids == {os.getpid()}) == (mode == "thread")


def test_table_functions(rows: TableEnvironment) -> None:
    repeat = udtf(samples.Repeat(), result_types=[DataTypes.INT(), DataTypes.STRING()])
    table = rows.from_path("t").join_lateral(repeat(col("v")).alias("n", "s")).select(col("k"), col("n"), col("s"))
    assert collected(table) == [("a", 0, ""), ("b", 0, ""), ("b", 1, "x"), ("b", 2, "xx"), ("a", 0, ""), ("a", 1, "x")]


def test_aggregate_functions(rows: TableEnvironment) -> None:
    total = udaf(samples.Total())
    assert collected(rows.from_path("t").group_by(col("k")).select(col("k"), total(col("v")))) == [("a", 3), ("b", 3)]
    ends = udtaf(samples.Ends())
    table = rows.from_path("t").group_by(col("k")).flat_aggregate(ends(col("v"))).select(col("k"), col("what"), col("v"))
    assert collected(table) == [("a", "least", 1), ("a", "most", 2), ("b", "least", 3), ("b", "most", 3)]


def test_failures(rows: TableEnvironment) -> None:
    failing = udf(samples.fails, result_type=DataTypes.BIGINT())
    with pytest.raises(Py4JJavaError) as caught:
        collected(rows.from_path("t").select(failing(col("v"))))
    text = str(caught.value)
    assert "fails(1) failed" in text
    assert "ValueError: not 1" in text
    assert "udf_samples.py" in text
    assert "function_runtime" not in text


def test_a_crash_ends_its_job_alone() -> None:
    environment = with_rows("process")
    crash = udf(samples.crash, result_type=DataTypes.BIGINT())
    with pytest.raises(Py4JJavaError, match="worker process of crash ended: killed by SIGSEGV"):
        collected(environment.from_path("t").select(crash(col("v"))))
    scale = udf(samples.Scale(), result_type=DataTypes.BIGINT())
    assert collected(environment.from_path("t").select(scale(col("v"))))[0] == (3,)


def test_a_hang_ends_its_job() -> None:
    environment = with_rows("process")
    environment.get_config().set("python.fn-execution.call-timeout", "300 ms")
    hang = udf(samples.hang, result_type=DataTypes.BIGINT())
    with pytest.raises(Py4JJavaError, match="hang did not come back within"):
        collected(environment.from_path("t").select(hang(col("v"))))


def test_functions_of_the_program_need_cloudpickle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    environment = with_rows("process")
    local = udf(lambda v: v, result_type=DataTypes.BIGINT(), name="local")
    with pytest.raises(Py4JJavaError, match="install cloudpickle"):
        collected(environment.from_path("t").select(local(col("v"))))


LOCAL = """
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import AggregateFunction, ScalarFunction, udaf, udf, udtf

FACTOR = 3

class Times(ScalarFunction):
    def open(self, function_context):
        self.factor = FACTOR

    def eval(self, *args):
        return args[0] * self.factor

class Total(AggregateFunction):
    def create_accumulator(self):
        return [0]

    def accumulate(self, accumulator, *args):
        accumulator[0] += args[0]

    def get_value(self, accumulator):
        return accumulator[0]

def collected(table):
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]

environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
environment.get_config().set("python.execution-mode", "process")
table = environment.from_elements([(1,), (2,)], ["n"])
offset = 10
n = col("n")
longer = udf(lambda n: n + offset, result_type="BIGINT")
times = udf(Times(), result_type="BIGINT")
many = udtf(lambda n: range(n), result_types=["BIGINT"])
total = udaf(Total(), result_type="BIGINT", accumulator_type="ARRAY<BIGINT>")
print(collected(table.select(longer(n), times(n))))
print(collected(table.join_lateral(many(n).alias("m")).select(n, col("m"))))
print(collected(table.select(total(n))))
"""


def test_functions_of_the_program_are_sent_by_cloudpickle(tmp_path: Path) -> None:
    pytest.importorskip("cloudpickle")
    (tmp_path / "local.py").write_text(LOCAL)
    done = subprocess.run([sys.executable, tmp_path / "local.py"], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "[(11, 3), (12, 6)]\n[(1, 0), (2, 0), (2, 1)]\n[(3,)]\n", done.stderr


STUCK = """
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import udf

def stuck(number):
    print("in the function", flush=True)
    while True:
        pass

environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
table = environment.from_elements([(1,)], ["n"])
table.select(udf(stuck, result_type=DataTypes.BIGINT())(col("n"))).execute().print()
"""


def test_ctrl_c_is_heard_in_a_function(tmp_path: Path) -> None:
    program = tmp_path / "stuck.py"
    program.write_text(STUCK)
    process = subprocess.Popen(
        [sys.executable, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background ignores SIGINT, which children inherit.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - one system call, no lock
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line == "in the function\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors
