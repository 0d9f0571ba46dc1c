"""What Flink's programs do with Java objects. Where Python has the same thing it is that; where only Java has it, it is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.common.time import Duration
from thalweg.util.notices import notice

__all__ = ["get_j_env_configuration", "is_instance_of", "to_jarray"]


def _no_java(what: str) -> NotImplementedError:
    return NotImplementedError(f"{what}: Thalweg has no JVM, so there are no Java classes or fields to reach")


def to_jarray(j_type: Any, arr: list[Any]) -> list[Any]:
    """A copy of the list."""
    del j_type
    return list(arr)


def to_j_duration(time_delta: timedelta | int) -> Duration:
    """A length of time; numbers are milliseconds."""
    if isinstance(time_delta, timedelta):
        return Duration.of_nanos(round(time_delta / timedelta(microseconds=1)) * 1000)
    return Duration.of_millis(time_delta)


def from_j_duration(j_duration: Duration) -> timedelta:
    """A length of time, to the microsecond."""
    return timedelta(microseconds=j_duration._nanos // 1000)


def load_java_class(class_name: str) -> Any:
    """The name of a class, for `is_instance_of`; there are no Java classes to call."""
    from thalweg.java_gateway import get_gateway

    name: Any = get_gateway().jvm
    for part in class_name.split("."):
        name = getattr(name, part)
    return name


def is_instance_of(java_object: Any, java_class: Any) -> bool:
    """Whether an object is of a class of Python, or of one whose name ends like that of a class of Java."""
    if isinstance(java_class, type):
        return isinstance(java_object, java_class)
    if type(java_class).__name__ == "_JavaName":
        java_class = java_class._path
    if isinstance(java_class, str):
        return java_class.rpartition(".")[2] in {kind.__name__ for kind in type(java_object).__mro__}
    raise TypeError("java_class must be a class or the name of one")


class EnvironmentConfiguration:
    """A configuration under the names that Java's has; changing it changes the environment."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration

    def _set(self, key: str, value: Any) -> None:
        self._configuration._put(key, value)

    def setString(self, key: str, value: str) -> None:
        self._set(key, value)

    def setInteger(self, key: str, value: int) -> None:
        self._set(key, value)

    def setLong(self, key: str, value: int) -> None:
        self._set(key, value)

    def setBoolean(self, key: str, value: bool) -> None:
        self._set(key, value)

    def setFloat(self, key: str, value: float) -> None:
        self._set(key, value)

    def setDouble(self, key: str, value: float) -> None:
        self._set(key, value)

    def getString(self, key: str, default_value: str | None = None) -> str | None:
        return self._configuration.get_string(key, default_value)

    def getInteger(self, key: str, default_value: int | None = None) -> int | None:
        return self._configuration.get_integer(key, default_value)

    def getLong(self, key: str, default_value: int | None = None) -> int | None:
        return self._configuration.get_integer(key, default_value)

    def getBoolean(self, key: str, default_value: bool | None = None) -> bool | None:
        return self._configuration.get_boolean(key, default_value)

    def getDouble(self, key: str, default_value: float | None = None) -> float | None:
        return self._configuration.get_float(key, default_value)

    def containsKey(self, key: str) -> bool:
        return self._configuration.contains_key(key)

    def keySet(self) -> set[str]:
        return self._configuration.key_set()

    def toMap(self) -> dict[str, str]:
        return self._configuration.to_dict()


def get_j_env_configuration(j_env: Any) -> EnvironmentConfiguration:
    """The configuration of a StreamExecutionEnvironment, under Java's names."""
    if isinstance(j_env, Configuration):
        return EnvironmentConfiguration(j_env)
    return EnvironmentConfiguration(j_env._configuration)


def get_field_value(java_obj: Any, field_name: str) -> Any:
    """Refused: there are no Java objects."""
    raise _no_java(f"get_field_value(..., {field_name!r})")


def get_field(cls: Any, field_name: str) -> Any:
    """Refused: there are no Java classes."""
    raise _no_java(f"get_field(..., {field_name!r})")


def invoke_method(obj: Any, object_type: str, method_name: str, args: list[Any] | None = None, arg_types: list[str] | None = None) -> Any:
    """Refused: there are no Java objects."""
    raise _no_java(f"invoke_method(..., {object_type!r}, {method_name!r})")


def is_local_deployment(j_configuration: Any) -> bool:
    """True unless the configuration names another place to run."""
    configuration = j_configuration._configuration if isinstance(j_configuration, EnvironmentConfiguration) else j_configuration
    return configuration.get_string("execution.target", "local") in ("local", "minicluster")


def add_jars_to_context_class_loader(jar_urls: list[str]) -> None:
    """Accepted: connectors and formats are built in."""
    notice(f"add_jars_to_context_class_loader: connectors and formats are built in; {len(jar_urls)} jar(s) not needed")


def to_j_explain_detail_arr(p_extra_details: Any) -> list[Any]:
    """The details as a list."""
    return list(p_extra_details or ())


def create_url_class_loader(urls: list[str], parent_class_loader: Any) -> Any:
    """Refused: there are no class loaders."""
    raise _no_java("create_url_class_loader")


use_flink_names(globals())
