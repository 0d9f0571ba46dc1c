"""Databases as sinks: names only, refused when they are used."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import TypeInformation
from thalweg.datastream.connectors.description import SinkDescription, refused
from thalweg.datastream.functions import SinkFunction

__all__ = ["JdbcConnectionOptions", "JdbcExecutionOptions", "JdbcSink"]


class JdbcSink(SinkFunction):
    """Writes rows to a database; refused when it is used."""

    def __init__(self, j_jdbc_sink: Any) -> None:
        super().__init__(j_jdbc_sink)

    @staticmethod
    def sink(
        sql: str,
        type_info: TypeInformation,
        jdbc_connection_options: JdbcConnectionOptions,
        jdbc_execution_options: JdbcExecutionOptions | None = None,
    ) -> JdbcSink:
        """Runs `sql` with the fields of each row as its parameters."""
        return JdbcSink((sql, type_info, jdbc_connection_options, jdbc_execution_options or JdbcExecutionOptions.defaults()))

    def _description(self) -> SinkDescription:
        instead = "Write from a map() with your database's Python driver, or to Kafka and on from there."
        raise refused("JdbcSink", "JDBC connector", instead)


class _ConnectionBuilder:
    """Builds JdbcConnectionOptions."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def with_url(self, url: str) -> _ConnectionBuilder:
        """The database's URL; needed."""
        self._settings["url"] = url
        return self

    def with_driver_name(self, driver_name: str) -> _ConnectionBuilder:
        """The driver's class."""
        self._settings["driver"] = driver_name
        return self

    def with_user_name(self, user_name: str) -> _ConnectionBuilder:
        """Who connects."""
        self._settings["user"] = user_name
        return self

    def with_password(self, password: str) -> _ConnectionBuilder:
        """The password."""
        self._settings["password"] = password
        return self

    def with_connection_check_timeout_seconds(self, connection_check_timeout_seconds: int) -> _ConnectionBuilder:
        """How long a check of the connection may take, in seconds."""
        self._settings["check_seconds"] = connection_check_timeout_seconds
        return self

    def build(self) -> JdbcConnectionOptions:
        """The options. Raises ValueError without a URL."""
        if not self._settings.get("url"):
            raise ValueError("JdbcConnectionOptions: the url is needed; call with_url()")
        return JdbcConnectionOptions(dict(self._settings))


class JdbcConnectionOptions:
    """How to reach a database."""

    JdbcConnectionOptionsBuilder = _ConnectionBuilder

    def __init__(self, j_jdbc_connection_options: Any) -> None:
        self._settings: dict[str, Any] = dict(j_jdbc_connection_options)

    def get_db_url(self) -> str:
        """What was set."""
        return str(self._settings["url"])

    def get_driver_name(self) -> str | None:
        """What was set, or None."""
        return self._settings.get("driver")

    def get_user_name(self) -> str | None:
        """What was set, or None."""
        return self._settings.get("user")

    def get_password(self) -> str | None:
        """What was set, or None."""
        return self._settings.get("password")


class _ExecutionBuilder:
    """Builds JdbcExecutionOptions."""

    def __init__(self) -> None:
        self._settings = {"batch_interval_ms": 0, "batch_size": 5000, "max_retries": 3}

    def with_batch_size(self, size: int) -> _ExecutionBuilder:
        """How many rows at a time."""
        self._settings["batch_size"] = size
        return self

    def with_batch_interval_ms(self, interval_ms: int) -> _ExecutionBuilder:
        """How long rows may wait, in milliseconds; 0: until the batch is full."""
        self._settings["batch_interval_ms"] = interval_ms
        return self

    def with_max_retries(self, max_retries: int) -> _ExecutionBuilder:
        """How often a failed batch is tried again."""
        self._settings["max_retries"] = max_retries
        return self

    def build(self) -> JdbcExecutionOptions:
        """The options."""
        return JdbcExecutionOptions(dict(self._settings))


class JdbcExecutionOptions:
    """How rows are gathered and tried again."""

    Builder = _ExecutionBuilder

    def __init__(self, j_jdbc_execution_options: Any) -> None:
        self._settings: dict[str, int] = dict(j_jdbc_execution_options)

    def get_batch_interval_ms(self) -> int:
        """Milliseconds."""
        return self._settings["batch_interval_ms"]

    def get_batch_size(self) -> int:
        """Records."""
        return self._settings["batch_size"]

    def get_max_retries(self) -> int:
        """How often a batch is tried again."""
        return self._settings["max_retries"]

    @staticmethod
    def defaults() -> JdbcExecutionOptions:
        """5000 rows at a time, 3 retries."""
        return _ExecutionBuilder().build()

    @staticmethod
    def builder() -> _ExecutionBuilder:
        """Starts options."""
        return _ExecutionBuilder()


use_flink_names(globals())
