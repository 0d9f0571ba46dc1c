"""How a program ends that fails: the lines of its own that led there, what went wrong, and nothing of what lies below."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import reduce
from operator import or_
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Types
from pyflink.datastream import ProcessFunction, ProcessWindowFunction, StreamExecutionEnvironment
from pyflink.datastream.window import CountWindow
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import udf
from pyflink.util.exceptions import TableException, ValidationException

CHAINED = """
from pyflink.table import EnvironmentSettings, TableEnvironment

def look():
    try:
        TableEnvironment.create(EnvironmentSettings.in_streaming_mode()).sql_query("SELECT * FROM nowhere")
    except Exception as error:
        raise RuntimeError("looked in vain") from error

look()
"""


def ended(*command: str, program: str, folder: Path) -> str:
    """What a failing program says on standard error."""
    (folder / "app.py").write_text(program)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDEVMODE"}
    done = subprocess.run(
        [sys.executable, *command, "app.py"], check=False, capture_output=True, text=True, timeout=60, cwd=folder, env=environment
    )
    assert done.returncode == 1
    return done.stderr


@pytest.mark.parametrize("command", [(), ("-m", "thalweg", "run")])
def test_only_lines_of_the_program_are_told_of_causes_too(command: tuple[str, ...], tmp_path: Path) -> None:
    told = ended(*command, program=CHAINED, folder=tmp_path)
    assert "Object 'nowhere' not found" in told
    assert "direct cause" in told
    assert told.rstrip().endswith("RuntimeError: looked in vain")
    files = {line.split('"')[1] for line in told.splitlines() if line.startswith("  File ")}
    assert {os.path.basename(file) for file in files} == {"app.py"}


def test_developers_see_every_frame(tmp_path: Path) -> None:
    assert "table_environment.py" in ended("-X", "dev", program=CHAINED, folder=tmp_path)


def test_a_hook_of_the_program_stays(tmp_path: Path) -> None:
    program = "import sys\nsys.excepthook = lambda *seen: print('mine', file=sys.stderr)\nimport pyflink.table\n1 / 0\n"
    assert ended(program=program, folder=tmp_path) == "mine\n"


class ReturnsANumber(ProcessFunction, ProcessWindowFunction[int, int, int, CountWindow]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> int:  # type: ignore[override]
        return value

    def process(self, *arguments: object) -> int:  # type: ignore[override]
        return 7

    def clear(self, context: object) -> None: ...


@pytest.mark.parametrize("kind", ["flat_map", "process", "window"])
def test_results_that_are_no_series(kind: str) -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    stream = env.from_collection([7])
    if kind == "flat_map":
        stream.flat_map(lambda value: value).print()
    elif kind == "process":
        stream.process(ReturnsANumber()).print()
    else:
        stream.key_by(lambda value: value).count_window(1).process(ReturnsANumber()).print()
    with pytest.raises(Py4JJavaError, match=r"returned 7 of int, which is no series of results: yield them, or return a list") as failed:
        env.execute()
    assert kind == "window" or f'File "{__file__}", line ' in str(failed.value)


def test_a_failure_in_no_line_of_the_function_tells_where_it_is_defined() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    env.from_collection([1]).map(lambda value: f"{value}", Types.INT()).print()
    with pytest.raises(Py4JJavaError, match=rf'File "{__file__}", line \d+, defines .*<lambda>'):
        env.execute()


def test_a_misspelt_type_gets_the_one_that_was_meant() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    with pytest.raises(TableException, match=r"Type is not supported: BIGNT(?s:.*)Did you mean BIGINT\?"):
        t_env.execute_sql("CREATE TABLE t (a BIGNT)")


def test_a_file_of_requirements_that_is_not_there(tmp_path: Path) -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    t_env.set_python_requirements(str(tmp_path / "none.txt"))
    same = udf(lambda n: n, result_type=DataTypes.BIGINT())
    with pytest.raises(Py4JJavaError, match=r"the file of set_python_requirements\(\) does not exist: .*none\.txt"):
        t_env.from_elements([(1,)], ["n"]).select(same(col("n"))).execute().print()


def refusal(statement: str) -> str:
    """What is told of a statement that is wrong."""
    with pytest.raises(Py4JJavaError) as failed:
        TableEnvironment.create(EnvironmentSettings.in_streaming_mode()).execute_sql(statement)
    return str(failed.value)


def test_of_a_long_line_the_part_around_the_fault_is_shown() -> None:
    columns = ", ".join(f"'é{number}'" for number in range(300))
    lines = refusal(f"SELECT {columns}, nothing, {columns} FROM (VALUES (1)) AS t(a)").splitlines()
    shown, marked = (next(line for line in lines if part in line) for part in ("nothing, ", "^"))
    assert len(shown) < 220
    assert "..." in shown[:12] and shown.endswith("...")
    assert marked.strip() == "^" * len("nothing")


@pytest.mark.parametrize("operator", ["+", "*", "AND", "OR"])
def test_expressions_too_long_for_the_stack_are_refused(operator: str) -> None:
    part = "1" if operator in "+*" else "a = 1"
    assert "More than 4000 operators in a row" in refusal("SELECT " + f" {operator} ".join([part] * 20000) + " FROM (VALUES (1)) AS t(a)")


def test_a_name_without_a_common_letter_is_not_suggested() -> None:
    assert "Did you mean" not in refusal("SELECT c FROM (VALUES (1)) AS t(a)")
    assert "Did you mean 'a'?" in refusal("SELECT A FROM (VALUES (1)) AS t(a)")


def test_statements_that_are_no_text() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for use in (t_env.execute_sql, t_env.sql_query):
        with pytest.raises(TypeError, match=r"^a SQL statement is a str, not None of NoneType$"):
            use(None)  # type: ignore[arg-type]


def test_settings_out_of_range() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    t_env.get_config().set("parallelism.default", "1000")
    table = t_env.from_elements([(1,)], ["n"]).group_by(col("n")).select(col("n"))
    with pytest.raises(Py4JJavaError, match=r"A parallelism must be between 1 and 128, not 1000 \[TW-9002\]"):
        table.execute().print()
    with pytest.raises(ValueError, match=r"Checkpoint interval must be larger than or equal to 10 ms, but is 5 ms"):
        StreamExecutionEnvironment.get_execution_environment().enable_checkpointing(5)


def test_expressions_too_deep_for_python_are_told() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    table = t_env.from_elements([(1,)], ["n"])
    condition = reduce(or_, [col("n") == number for number in range(2000)])
    with pytest.raises(ValidationException, match=r"too deep for Python's recursion limit: .* as in_\(\.\.\.\)"):
        table.where(condition)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        assert [row[0] for row in table.where(condition).execute().collect()] == [1]
    finally:
        sys.setrecursionlimit(limit)


def test_an_over_window_that_is_not_there() -> None:
    table = TableEnvironment.create(EnvironmentSettings.in_streaming_mode()).from_elements([(1,)], ["n"])
    with pytest.raises(ValidationException, match=r"No over window is named 'w': call over_window"):
        table.select(col("n").sum.over(col("w")))
