"""Base classes and small tools of Flink's own Python tests."""

from __future__ import annotations

import functools
import os
import re
import tempfile
import unittest
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common import Row
from thalweg.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from thalweg.find_flink_home import _find_flink_home
from thalweg.table import StreamTableEnvironment, TableEnvironment
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg.table import Table

__all__ = [
    "PyFlinkBatchTableTestCase", "PyFlinkBatchTestCase", "PyFlinkITTestCase", "PyFlinkStreamTableTestCase", "PyFlinkStreamingTestCase",
    "PyFlinkTestCase", "PyFlinkUTTestCase", "PythonAPICompletenessTestCase", "TestEnv", "Tuple2", "exec_insert_table",
    "invoke_java_object_method", "replace_uuid", "run_with_config", "to_java_data_structure",
]  # fmt: skip

_Test = TypeVar("_Test", bound=Callable[..., Any])
_PARALLELISM = 2
_BUNDLE = ("python.fn-execution.bundle.size", "1")


def exec_insert_table(table: Table, table_path: str) -> Any:
    """Writes a table into another and waits; the result of the job."""
    client = table.execute_insert(table_path).get_job_client()
    assert client is not None
    return client.get_job_execution_result().result()


def _load_specific_flink_module_jars(jars_relative_path: str) -> None:
    """Accepted: connectors and formats are built in."""
    del jars_relative_path


def invoke_java_object_method(obj: Any, method_name: str) -> Any:
    """Refused: there are no Java objects."""
    raise unsupported(f"invoke_java_object_method({method_name!r}): there are no Java objects; it")


def replace_uuid(input_obj: str) -> str:
    """The text with ids replaced by {uuid}."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "{uuid}", str(input_obj))


class PyFlinkTestCase(unittest.TestCase):
    """Base of all: a folder for files, and comparing without order."""

    tempdir: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.tempdir = tempfile.mkdtemp()
        os.environ["FLINK_TESTING"] = "1"
        os.environ["_python_worker_execution_mode"] = "process"  # noqa: SIM112 (Flink's name)
        _find_flink_home()

    @classmethod
    def tearDownClass(cls) -> None:
        import shutil

        shutil.rmtree(cls.tempdir, ignore_errors=True)
        os.environ.pop("_python_worker_execution_mode", None)

    @classmethod
    def assert_equals(cls, actual: Any, expected: Any) -> None:
        """Both as lists of texts, in any order."""
        actual_texts, expected_texts = sorted(map(str, cls.to_py_list(actual))), sorted(map(str, expected))
        assert actual_texts == expected_texts, f"Expected: {expected_texts}, actual: {actual_texts}"

    @classmethod
    def to_py_list(cls, actual: Any) -> list[Any]:
        """A list of whatever can be iterated."""
        return list(actual)


class PyFlinkITTestCase(PyFlinkTestCase):
    """Tests that run jobs."""

    env: StreamExecutionEnvironment
    t_env: TableEnvironment

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.env = StreamExecutionEnvironment.get_execution_environment()

    @classmethod
    def tearDownClass(cls) -> None:
        super().tearDownClass()


class PyFlinkUTTestCase(PyFlinkTestCase):
    """Tests that need no job."""

    def setUp(self) -> None:
        self.env = StreamExecutionEnvironment.get_execution_environment()
        self.env.set_parallelism(_PARALLELISM)
        self.env.set_runtime_mode(RuntimeExecutionMode.STREAMING)
        self.t_env = StreamTableEnvironment.create(self.env)
        self.t_env.get_config().set(*_BUNDLE)


class PyFlinkStreamTableTestCase(PyFlinkITTestCase):
    """Tests of the Table API in streaming mode."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.env.set_parallelism(_PARALLELISM)
        cls.env.set_runtime_mode(RuntimeExecutionMode.STREAMING)
        cls.t_env = StreamTableEnvironment.create(cls.env)
        cls.t_env.get_config().set(*_BUNDLE)


class PyFlinkBatchTableTestCase(PyFlinkITTestCase):
    """Tests of the Table API in batch mode."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.env.set_runtime_mode(RuntimeExecutionMode.BATCH)
        cls.env.set_parallelism(_PARALLELISM)
        cls.t_env = StreamTableEnvironment.create(cls.env)
        cls.t_env.get_config().set(*_BUNDLE)


class PyFlinkStreamingTestCase(PyFlinkITTestCase):
    """Tests of the DataStream API in streaming mode."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.env.set_parallelism(_PARALLELISM)
        cls.env.set_runtime_mode(RuntimeExecutionMode.STREAMING)


class PyFlinkBatchTestCase(PyFlinkITTestCase):
    """Tests of the DataStream API in batch mode."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.env.set_parallelism(_PARALLELISM)
        cls.env.set_runtime_mode(RuntimeExecutionMode.BATCH)


class PythonAPICompletenessTestCase:
    """Compares Python classes with Java's; here there are none, so its test is skipped."""

    @classmethod
    def get_python_class_methods(cls, python_class: type) -> set[str]:
        """The public methods of a class."""
        return {name for name, value in vars(python_class).items() if callable(value) and not name.startswith("_")}

    @staticmethod
    def snake_to_camel(method_name: str) -> str:
        """`some_name` as `someName`."""
        first, *rest = method_name.split("_")
        return first + "".join(part.title() for part in rest)

    @classmethod
    def get_python_stability_decorators(cls, python_class: type) -> dict[str, Any]:
        """None: there are no such decorators."""
        del python_class
        return {}

    @staticmethod
    def get_java_class_methods(java_class: str) -> set[str]:
        """Refused: there are no Java classes."""
        raise unittest.SkipTest(f"there is no Java class {java_class}")

    @staticmethod
    def get_java_class_annotations(java_class: str) -> Any:
        """Refused: there are no Java classes."""
        raise unittest.SkipTest(f"there is no Java class {java_class}")

    @classmethod
    def check_methods(cls) -> None:
        """Skipped."""
        raise unittest.SkipTest("there are no Java classes to compare with")

    @classmethod
    def check_stability_decorators(cls) -> None:
        """Skipped."""
        raise unittest.SkipTest("there are no Java classes to compare with")

    @classmethod
    def java_method_name(cls, python_method_name: str) -> str:
        """Java's name of a method."""
        return python_method_name

    @classmethod
    def python_class(cls) -> type:
        """The class that is compared."""
        raise NotImplementedError

    @classmethod
    def java_class(cls) -> str:
        """Java's class."""
        raise NotImplementedError

    @classmethod
    def excluded_methods(cls) -> set[str]:
        """Methods that are not compared."""
        return set()

    @classmethod
    def ignore_decorators(cls) -> bool:
        """Whether decorators are compared."""
        return True

    def test_completeness(self) -> None:
        """Skipped."""
        self.check_methods()


class Tuple2:
    """A pair with Java's names."""

    def __init__(self, f0: Any, f1: Any) -> None:
        self.f0 = f0
        self.f1 = f1

    def getField(self, index: int) -> Any:
        return (self.f0, self.f1)[index]


class TestEnv:
    """Notes the files that a program registers."""

    __test__ = False  # no tests for pytest to collect

    def __init__(self) -> None:
        self.result: list[Tuple2] = []

    def registerCachedFile(self, file_path: str, key: str) -> None:
        self.result.append(Tuple2(key, file_path))

    def getCachedFiles(self) -> list[Tuple2]:
        return self.result

    def to_dict(self) -> dict[str, str]:
        return {item.f0: item.f1 for item in self.result}


def to_java_data_structure(value: Any) -> Any:
    """The value itself: there is no Java to hand it to. Tuples are Rows, as there."""
    return Row(*value) if isinstance(value, tuple) else value


def run_with_config(config_dict: dict[str, str]) -> Callable[[_Test], _Test]:
    """A decorator of tests that run with these keys in the configuration of the environment `env`."""

    def decorate(test: _Test) -> _Test:
        @functools.wraps(test)
        def run(self: Any, *args: Any, **kwargs: Any) -> Any:
            configuration = self.env._configuration
            before = {key: configuration.get_string(key, None) for key in config_dict}
            for key, value in config_dict.items():
                configuration.set_string(key, value)
            try:
                return test(self, *args, **kwargs)
            finally:
                for key, old in before.items():
                    if old is None:
                        configuration.remove_config(key)
                    else:
                        configuration.set_string(key, old)

        return run  # type: ignore[return-value]

    return decorate


use_flink_names(globals())
