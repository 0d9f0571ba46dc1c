"""Programs with bad functions: each ends with an error that says what was wrong, or goes on; none hangs."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.table import TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import AggregateFunction, FunctionContext, ScalarFunction, TableFunction, udaf, udf, udtf


def numbers(environment: TableEnvironment, count: int) -> Any:
    environment.get_config().set("parallelism.default", "1")
    return environment.from_elements([(n,) for n in range(count)], ["n"])


def collected(table: Any) -> list[Any]:
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]


class NeverOpens(ScalarFunction):
    def open(self, function_context: FunctionContext) -> None:
        raise OSError("no such model")

    def eval(self, *args: Any) -> Any:
        return args[0]


class NeverCloses(ScalarFunction):
    def close(self) -> None:
        raise OSError("already gone")

    def eval(self, *args: Any) -> Any:
        return args[0]


class RowsNeverOpen(TableFunction):
    def open(self, function_context: FunctionContext) -> None:
        raise OSError("no such model")

    def eval(self, *args: Any) -> Any:
        return args


class SumNeverOpens(AggregateFunction):
    def open(self, function_context: FunctionContext) -> None:
        raise OSError("no such model")

    def create_accumulator(self) -> Any:
        return [0]

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        accumulator[0] += args[0]

    def get_value(self, accumulator: Any) -> Any:
        return accumulator[0]


class Nothing(SumNeverOpens):
    def open(self, function_context: FunctionContext) -> None:
        pass

    def get_value(self, accumulator: Any) -> Any:
        return None


def test_functions_that_do_not_open(streaming: TableEnvironment) -> None:
    n, table = col("n"), numbers(streaming, 3)
    row_by_row = udf(NeverOpens(), result_type="BIGINT")
    many_rows = udtf(RowsNeverOpen(), result_types=["BIGINT"])
    summed = udaf(SumNeverOpens(), result_type="BIGINT", accumulator_type="ARRAY<BIGINT>")
    for bad in (table.select(row_by_row(n)), table.join_lateral(many_rows(n).alias("m")), table.select(summed(n))):
        with pytest.raises(Py4JJavaError, match=r"could not be opened:(.|\n)*OSError: no such model"):
            collected(bad)


def test_a_function_that_does_not_close_is_told(streaming: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    told: queue.SimpleQueue[tuple[str, object]] = queue.SimpleQueue()
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.put((str(what.exc_value), what.object)))
    kept = udf(NeverCloses(), result_type="BIGINT")
    assert collected(numbers(streaming, 2).select(kept(col("n")))) == [(0,), (1,)]
    assert told.get(timeout=60) == ("already gone", "closing a Python function")


@pytest.mark.parametrize("kind", ["scalar", "table", "aggregate"])
def test_no_value_for_not_null(streaming: TableEnvironment, kind: str) -> None:
    n, table = col("n"), numbers(streaming, 1)
    if kind == "scalar":
        bad = table.select(udf(lambda n: None, result_type="BIGINT NOT NULL", name="nothing")(n))
    elif kind == "table":
        nothing = udtf(lambda n: [(1, None)], result_types=["BIGINT", "BIGINT NOT NULL"], name="nothing")
        bad = table.join_lateral(nothing(n).alias("a", "b"))
    else:
        nothing = udaf(Nothing(), result_type="BIGINT NOT NULL", accumulator_type="ARRAY<BIGINT>", name="nothing")
        bad = table.group_by(n).select(n, nothing(n))
    with pytest.raises(Py4JJavaError, match="The Python function nothing gave a value that is not of its type"):
        collected(bad)


def test_a_generator_that_fails_midway(streaming: TableEnvironment, tmp_path: Path) -> None:
    def some(n: int) -> Iterator[int]:
        yield n
        yield n * 10
        if n == 1:
            raise LookupError("no more")

    streaming.create_temporary_view("t", numbers(streaming, 3))
    streaming.create_temporary_function("few", udtf(some, result_types=["BIGINT"], name="few"))
    streaming.execute_sql(
        f"CREATE TABLE done (n BIGINT, m BIGINT) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/d', 'format' = 'csv')"
    )
    with pytest.raises(Py4JJavaError, match=r"few\(1\) failed:(.|\n)*LookupError: no more"):
        streaming.execute_sql("INSERT INTO done SELECT n, m FROM t, LATERAL TABLE(few(n)) AS s(m)").wait()


def test_rows_of_the_wrong_width(streaming: TableEnvironment) -> None:
    for given in ((1,), (1, 2, 3), "xyz", 5):
        wide = udtf(lambda n, given=given: [given], result_types=["BIGINT", "BIGINT"], input_types=["BIGINT"], name="wide")
        with pytest.raises(Py4JJavaError, match="The Python function wide gave a value that is not of its type"):
            collected(numbers(streaming, 1).join_lateral(wide(col("n")).alias("a", "b")))


def test_arguments_that_the_function_does_not_take(streaming: TableEnvironment) -> None:
    def one(*args: Any) -> Any:
        (value,) = args
        return value

    loose = udf(one, result_type="BIGINT", name="loose")
    with pytest.raises(Py4JJavaError, match=r"loose\(0, 0\) failed:(.|\n)*too many values to unpack"):
        collected(numbers(streaming, 1).select(loose(col("n"), col("n"))))


def test_long_texts(streaming: TableEnvironment) -> None:
    long = udf(lambda n: "x" * (8 << 20), result_type="STRING", name="long")
    size = udf(len, result_type="BIGINT", name="size")
    assert collected(numbers(streaming, 8).select(size(long(col("n"))))) == [(8 << 20,)] * 8


def test_threads_in_a_function(streaming: TableEnvironment) -> None:
    def threaded(n: int) -> int:
        found: list[int] = []
        threads = [threading.Thread(target=found.append, args=(n,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(found)

    four = udf(threaded, result_type="BIGINT")
    assert collected(numbers(streaming, 3).select(four(col("n")))) == [(0,), (4,), (8,)]


def test_children_in_a_function(streaming: TableEnvironment) -> None:
    def forked(n: int) -> int:
        child = os.fork()
        if child == 0:
            os._exit(n)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def ran(n: int) -> int:
        return int(subprocess.run([sys.executable, "-c", f"print({n} + 1)"], capture_output=True, check=True).stdout)

    table = numbers(streaming, 2).select(udf(forked, result_type="INT")(col("n")), udf(ran, result_type="INT")(col("n")))
    assert collected(table) == [(0, 1), (1, 2)]


PROGRAM = """
import itertools, os, threading, time
from pyflink.common import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import udf
from pyflink.util.exceptions import JobCancellationException

began = threading.Event()

def sleeps(number):
    print("in the function", flush=True)
    time.sleep(3600)

def stuck(number):
    began.set()
    sleeps(number)

def keeps_the_lock(number):
    print("in the function", flush=True)
    return sum(itertools.repeat(1))

def goes_on(number):
    print("in the function", flush=True)
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass

def forks(number):
    if os.fork() > 0:
        os.wait()
    return number

environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
environment.get_config().set("parallelism.default", "1")
table = environment.from_elements([(1,), (2,)], ["n"])
call = lambda function: table.select(udf(function, result_type=DataTypes.BIGINT())(col("n")))
environment.execute_sql("CREATE TABLE gone (n BIGINT) WITH ('connector' = 'blackhole')")
"""

ENDINGS = {
    "ctrl-c in print": "call(stuck).execute().print()",
    "ctrl-c in wait": "call(stuck).execute_insert('gone').wait()",
    "ctrl-c in a stream": """
streams = StreamExecutionEnvironment.get_execution_environment()
streams.from_collection([1, 2]).map(stuck, output_type=Types.LONG()).print()
streams.execute()
""",
    "ctrl-c while Python's lock is kept": "call(keeps_the_lock).execute().print()",
    "ctrl-c that the function catches": "call(goes_on).execute().print()",
    "ctrl-c while a worker is stuck": """
environment.get_config().set("python.execution-mode", "process")
call(sleeps).execute().print()
""",
    "the end of the program": "result = call(stuck).execute_insert('gone'); began.wait()",
    "cancel": """
result = call(stuck).execute_insert('gone')
began.wait()
result.get_job_client().cancel()
try:
    result.wait()
except JobCancellationException as error:
    print(error)
""",
    "close": """
with call(stuck).execute().collect() as rows:
    began.wait()
print("closed")
""",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_function_that_does_not_come_back(tmp_path: Path, ending: str) -> None:
    if "worker" in ending:
        pytest.importorskip("cloudpickle")
    output, errors, code = run(tmp_path, ENDINGS[ending], interrupted=ending.startswith("ctrl-c"))
    assert output.startswith("in the function\n")
    if ending.startswith("ctrl-c"):
        assert ("keeps Python's lock" if "lock" in ending else "KeyboardInterrupt") in errors
        assert code in (1, -signal.SIGINT)
    else:
        assert code == 0
    if ending == "cancel":
        assert "a function that does not come back from native code was left behind" in output
    if ending == "close":
        assert output.endswith("closed\n")


def test_a_child_that_comes_back_from_a_function(tmp_path: Path) -> None:
    output, errors, code = run(tmp_path, "table = table.limit(1)\nprint([tuple(row) for row in call(forks).execute().collect()])")
    assert output == "[(1,)]\n"
    assert errors.count("A function forked, and its child came back into the job: the child is ended.") == 1
    assert code == 0


def run(folder: Path, program: str, interrupted: bool = False) -> tuple[str, str, int]:
    """Output, errors and exit code of a program; with `interrupted`, it hears Ctrl-C once it has written a line."""
    (folder / "program.py").write_text(PROGRAM + program)
    process = subprocess.Popen(
        [sys.executable, folder / "program.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background ignores SIGINT, which children inherit.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - one system call, no lock
    )
    try:
        line = ""
        if interrupted:
            assert process.stdout is not None
            line = process.stdout.readline()
            process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    return line + output, errors, process.returncode
