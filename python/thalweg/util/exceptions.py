"""The errors programs see: Flink's class names over the engine's error codes.

Every engine error is a `Py4JJavaError`, since that is what PyFlink programs catch, and has a class named as Flink's own, so that a
traceback reads well. str(error) is the engine's rendered text: message, code, the SQL line with a caret, and what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thalweg._flink_names import use_flink_names


class Py4JError(Exception):
    """Base of py4j's exceptions."""


class Py4JNetworkError(Py4JError):
    """Never raised: there is no gateway."""


class _JavaClass:
    """Answers `exception.getClass().getName()`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def getName(self) -> str:
        return self._name

    def getSimpleName(self) -> str:
        return self._name.rpartition(".")[2]


class JavaThrowable:
    """What `error.java_exception` gives: enough of Throwable for programs that walk the causes."""

    def __init__(self, class_name: str, message: str, cause: JavaThrowable | None = None) -> None:
        self._class_name = class_name
        self._message = message
        self._cause = cause

    def getClass(self) -> _JavaClass:
        return _JavaClass(self._class_name)

    def getMessage(self) -> str:
        return self._message

    def getLocalizedMessage(self) -> str:
        return self._message

    def getCause(self) -> JavaThrowable | None:
        return self._cause

    def toString(self) -> str:
        return f"{self._class_name}: {self._message}"

    def __str__(self) -> str:
        return self.toString()


class Py4JJavaError(Py4JError):
    """An error of the engine. `code` and `code_name` identify it; `message` is the bare message."""

    java_class = "java.lang.RuntimeException"

    def __init__(self, text: str, code: int = 0, code_name: str = "", message: str = "", class_name: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.code_name = code_name
        self.message = message or text
        self.errmsg = text
        self._class_name = class_name or self.java_class

    @property
    def java_exception(self) -> JavaThrowable:
        return JavaThrowable(self._class_name, self.message)

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def illegal_argument(text: str) -> Py4JJavaError:
    """What Flink's Java side raises for an argument out of its bounds."""
    return Py4JJavaError(text, class_name="java.lang.IllegalArgumentException")


class JavaException(Py4JJavaError):
    """Base of the exceptions that PyFlink itself names."""

    def __init__(self, text: str = "", *details: object, **named: object) -> None:
        super().__init__(text, *details, **named)  # type: ignore[arg-type]
        self.cause = text
        self.stack_trace = text


class TableException(JavaException):
    """General exception for all errors during table handling."""

    java_class = "org.apache.flink.table.api.TableException"


class ValidationException(Py4JJavaError):
    """A statement, name, type or option is not valid."""

    java_class = "org.apache.flink.table.api.ValidationException"


class SqlParserException(Py4JJavaError):
    """SQL text could not be parsed."""

    java_class = "org.apache.flink.table.api.SqlParserException"


class TableRuntimeException(Py4JJavaError):
    """A value could not be computed."""

    java_class = "org.apache.flink.table.api.TableRuntimeException"


class ArithmeticException(Py4JJavaError):
    """Division by zero and the like."""

    java_class = "java.lang.ArithmeticException"


class JobExecutionException(Py4JJavaError):
    """A job failed."""

    java_class = "org.apache.flink.runtime.client.JobExecutionException"


class JobCancellationException(Py4JJavaError):
    """A job was cancelled."""

    java_class = "org.apache.flink.runtime.client.JobCancellationException"


class IllegalArgumentException(Py4JJavaError, ValueError):
    """A value of the configuration or an argument is not valid."""

    java_class = "java.lang.IllegalArgumentException"


class IllegalStateException(Py4JJavaError):
    """The call does not fit what was done before."""

    java_class = "java.lang.IllegalStateException"


class CatalogException(JavaException):
    """A catalog failed."""

    java_class = "org.apache.flink.table.catalog.exceptions.CatalogException"


class DatabaseAlreadyExistException(JavaException):
    """The database already exists."""


class DatabaseNotEmptyException(JavaException):
    """The database still has objects."""


class DatabaseNotExistException(JavaException):
    """The database does not exist."""


class FunctionAlreadyExistException(JavaException):
    """The function already exists."""


class FunctionNotExistException(JavaException):
    """The function does not exist."""


class PartitionAlreadyExistsException(JavaException):
    """The partition already exists."""


class PartitionNotExistException(JavaException):
    """The partition does not exist."""


class PartitionSpecInvalidException(JavaException):
    """The partition specification does not fit the table."""


class TableAlreadyExistException(JavaException):
    """The table or view already exists."""


class TableNotExistException(JavaException):
    """The table or view does not exist."""


class ModelAlreadyExistException(JavaException):
    """The model already exists."""


class ModelNotExistException(JavaException):
    """The model does not exist."""


class TableNotPartitionedException(JavaException):
    """The table is not partitioned."""


_BY_FLINK_CLASS: dict[str, type[Py4JJavaError]] = {
    c.__name__: c
    for c in (
        TableException,
        ValidationException,
        SqlParserException,
        TableRuntimeException,
        ArithmeticException,
        JobExecutionException,
        JobCancellationException,
        IllegalArgumentException,
        IllegalStateException,
        CatalogException,
    )
}

_JAVA_PACKAGES = {
    "PythonException": "org.apache.flink.python",
    "IOException": "java.io",
    "FileNotFoundException": "java.io",
    "TimeoutException": "org.apache.kafka.common.errors",
    "UnknownTopicOrPartitionException": "org.apache.kafka.common.errors",
    "KafkaException": "org.apache.kafka.common",
    "OutOfMemoryError": "java.lang",
    "CheckpointException": "org.apache.flink.runtime.checkpoint",
    "FlinkJobNotFoundException": "org.apache.flink.runtime.messages",
}


def exception_from_native(flink_class: str, code: int, code_name: str, message: str, rendered: str) -> Py4JJavaError:
    """The Python exception for an engine error; the binding calls this."""
    known = _BY_FLINK_CLASS.get(flink_class)
    if known is not None:
        return known(rendered, code, code_name, message)
    package = _JAVA_PACKAGES.get(flink_class, "org.apache.flink")
    return Py4JJavaError(rendered, code, code_name, message, f"{package}.{flink_class}")


def convert_py4j_exception(e: Exception) -> Exception:
    """The exception itself: the engine's errors have Flink's classes from the start."""
    return e


def capture_java_exception(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself: there is nothing to convert."""
    return f


def install_exception_handler() -> None:
    """Accepted: there is nothing to convert."""


def install_py4j_hooks() -> None:
    """Accepted: there is no py4j."""


use_flink_names(globals())
