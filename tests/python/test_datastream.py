"""DataStream programs end to end: collections, functions, printing, collecting."""

from __future__ import annotations

import shutil
import threading

import pytest
from pyflink.common import Row, Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.functions import FilterFunction, FlatMapFunction, MapFunction
from pyflink.datastream.tests.test_util import DataStreamTestSinkFunction
from thalweg.util.exceptions import Py4JJavaError


@pytest.fixture
def env():
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_parallelism(1)
    return environment


def collect(stream):
    with stream.execute_and_collect() as records:
        return list(records)


MIXED = [(1, "a", 1.5, True, None), [3, "list"], {"k": 1}, "str", 7, 2.0, None, Row(1, "x"), Row(a=1, b="y")]


def test_untyped_records_come_back_as_they_are(env):
    assert collect(env.from_collection(MIXED)) == MIXED


def test_untyped_records_print_as_python_shows_them(env, capsys):
    env.from_collection(MIXED).print()
    env.execute("print")
    assert capsys.readouterr().out.splitlines() == [
        "(1, 'a', 1.5, True, None)", "[3, 'list']", "{'k': 1}", "str", "7", "2.0", "None", "<Row(1, 'x')>", "Row(a=1, b='y')",
    ]  # fmt: skip


def test_typed_records_print_as_java_shows_them(env, capsys):
    kinds = Types.TUPLE([Types.INT(), Types.STRING(), Types.DOUBLE(), Types.BOOLEAN(), Types.MAP(Types.STRING(), Types.INT())])
    env.from_collection([(1, "a", 1e10, True, {"a": 1}), (2, None, -0.0, False, {})], type_info=kinds).print()
    env.from_collection([Row(1, "a", None)], type_info=Types.ROW([Types.INT(), Types.STRING(), Types.DOUBLE()])).print()
    env.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["(1,a,1.0E10,true,{a=1})", "(2,null,-0.0,false,{})", "+I[1,a,None]"]


def test_lines_of_several_subtasks_have_their_number(env, capsys):
    env.set_parallelism(2)
    env.from_collection(list(range(4))).print("name")
    env.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["name:1> 1", "name:1> 3", "name:2> 0", "name:2> 2"]


def test_map_filter_and_flat_map(env):
    class Add(MapFunction):
        def open(self, runtime_context):
            self.amount = 1 + runtime_context.get_index_of_this_subtask()

        def map(self, value):
            return value + self.amount

    class Odd(FilterFunction):
        def filter(self, value):
            return value % 2 == 1

    class Repeat(FlatMapFunction):
        def flat_map(self, value):
            for i in range(value):
                yield value, i

    stream = env.from_collection([0, 1, 2]).map(Add()).filter(Odd()).flat_map(Repeat())
    assert collect(stream) == [(1, 0), (3, 0), (3, 1), (3, 2)]


def test_callables_keep_the_variables_that_they_saw(env):
    stream = env.from_collection([0])
    for i in range(3):
        stream = stream.map(lambda x: x + i)  # noqa: B023 (what is tested)
    assert collect(stream) == [3]


def test_declared_types_shape_records(env):
    named = Types.ROW_NAMED(["id", "name"], [Types.LONG(), Types.STRING()])
    rows = collect(env.from_collection([1]).map(lambda x: (x, "a"), output_type=named))
    assert rows == [Row(id=1, name="a")] and rows[0].name == "a"
    assert collect(env.from_collection([1]).map(lambda x: [x, "a"], output_type=Types.TUPLE([Types.INT(), Types.STRING()]))) == [(1, "a")]
    assert collect(env.from_collection([1]).map(lambda x: x, output_type=Types.DOUBLE())) == [1.0]


def test_integers_of_a_collection_are_narrowed_as_java_does(env):
    assert collect(env.from_collection([(43878, 9147483648)], Types.TUPLE([Types.SHORT(), Types.INT()]))) == [(-21658, 557549056)]


def test_files_and_archives_that_functions_use(env, tmp_path):
    module = tmp_path / "thalweg_added_module.py"
    module.write_text("def add_two(a):\n    return a + 2\n")
    data = tmp_path / "files"
    data.mkdir()
    (data / "data.txt").write_text("3")
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", data)
    env.add_python_file(str(module))
    env.add_python_archive(archive, "unpacked")

    def use(value):
        from thalweg_added_module import add_two

        with open("unpacked/data.txt") as file:
            return add_two(value) + int(file.read())

    sink = DataStreamTestSinkFunction()
    env.from_collection([1]).map(use).add_sink(sink)
    env.execute()
    assert sink.get_results(True) == ["6"]


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [(Types.INT(), "a", "String|Integer"), (Types.INT(), 2**31, "out of the range"), (Types.STRING(), 1, "declared type String")],
)
def test_values_of_another_type_fail_the_job(env, kind, value, words):
    with pytest.raises(Exception, match=words):
        collect(env.from_collection([value]).map(lambda x: x, output_type=kind))


def test_an_error_shows_the_function_and_the_record_after_the_records_before_it(env, capsys):
    def fail_at_two(value):
        return 1 // (2 - value)

    env.from_collection([0, 1, 2, 3]).map(fail_at_two).print()
    with pytest.raises(Exception, match="ZeroDivisionError") as caught:
        env.execute()
    assert "fail_at_two" in str(caught.value) and "on 2" in str(caught.value) and "thalweg/datastream" not in str(caught.value)
    assert capsys.readouterr().out.splitlines() == ["0", "1"]


def test_a_union_has_the_records_of_all_streams(env):
    first, second = env.from_collection([1, 2]), env.from_collection([3])
    assert sorted(collect(first.union(second, first).map(lambda x: x * 10))) == [10, 10, 20, 20, 30]


def test_a_stream_with_two_readers_runs_once(env, capsys):
    calls = []
    stream = env.from_collection([1, 2]).map(lambda x: calls.append(x) or x)
    stream.map(lambda x: x + 1).print("a")
    stream.map(lambda x: x * 10).print("b")
    env.execute()
    assert calls == [1, 2]
    assert sorted(capsys.readouterr().out.splitlines()) == ["a> 2", "a> 3", "b> 10", "b> 20"]


def test_a_program_without_steps_is_refused(env):
    env.from_collection([1])
    with pytest.raises(Exception, match="No operators defined"):
        env.execute()


def test_many_records_pass_through(env):
    stream = env.from_collection(list(range(20_000))).flat_map(lambda x: [x] * 3).filter(lambda x: x % 2 == 0)
    assert collect(stream) == [x for x in range(0, 20_000, 2) for _ in range(3)]


def test_collecting_gives_the_records_of_its_own_stream_only(env, capsys):
    numbers = env.from_collection([1, 2])
    numbers.map(lambda x: x * 10)
    numbers.map(lambda x: -x).print()
    assert collect(numbers.map(lambda x: x + 1)) == [2, 3]
    assert capsys.readouterr().out.split() == ["-1", "-2"]


def test_execute_and_collect_with_a_limit(env):
    assert env.from_collection(list(range(10))).map(lambda x: x).execute_and_collect(limit=3) == [0, 1, 2]


def test_what_flink_says_of_types_names_and_bad_arguments(env):
    pairs = env.from_collection([("a", 1)], Types.TUPLE([Types.STRING(), Types.INT()]))
    keyed = pairs.key_by(lambda x: x[0], Types.STRING())
    assert str(keyed.get_type()) == "RowTypeInfo(f0: String, f1: TupleTypeInfo(String, Integer))"
    assert keyed.count_window(2).reduce(lambda a, b: a).get_name() == "CountTumblingWindowAssigner"
    with pytest.raises(TypeError, match="should be type of KeySelector"):
        pairs.key_by(1)
    for call in (
        lambda: pairs.union(env.from_collection(["x"], Types.STRING())),
        lambda: pairs.map(lambda x: x).set_parallelism(0),
        lambda: pairs.map(lambda x: x).set_max_parallelism(-3),
        lambda: pairs.map(lambda x: x).set_buffer_timeout(-5),
        lambda: env.set_parallelism(0),
        lambda: env.set_max_parallelism(0),
    ):
        with pytest.raises(Py4JJavaError) as caught:
            call()
        assert caught.value.java_exception.getClass().getName() == "java.lang.IllegalArgumentException"


def test_a_cancel_is_heard_between_slow_calls(env):
    seen: list[int] = []
    more = threading.Event()

    def wait_a_little(value: int) -> int:
        seen.append(value)
        more.wait(0.05)
        return value

    env.from_collection(list(range(2000)), Types.LONG()).map(wait_a_little, Types.LONG()).print()
    client = env.execute_async()
    while not seen:
        more.wait(0.01)
    client.cancel().result()
    with pytest.raises(Py4JJavaError):
        client.get_job_execution_result().result()
    assert len(seen) < 1000
