"""Configuration of a TableEnvironment."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.table.sql_dialect import SqlDialect

__all__ = ["TableConfig"]

_ZONE = "table.local-time-zone"
_IDLE = "table.exec.state.ttl"
_CODE_LENGTH = "table.generated-code.max-length"


class TableConfig:
    """Keys and values of one environment; a change holds for statements that come after it."""

    def __init__(self, j_table_config: Configuration | None = None) -> None:
        self._configuration = j_table_config if j_table_config is not None else Configuration()

    def get(self, key: str, default_value: str) -> str:
        """A key's value."""
        return self._configuration.get_string(key, default_value) or default_value

    def set(self, key: str, value: str) -> TableConfig:
        """Sets a key, for example `set("parallelism.default", "4")`."""
        self._configuration.set_string(key, value)
        return self

    def get_local_timezone(self) -> str:
        """The session's zone: the configured one, or this machine's."""
        zone = self._configuration.get_string(_ZONE, None)
        if zone and zone != "default":
            return zone
        from thalweg.util.time_zone import machine_zone

        return machine_zone()

    def set_local_timezone(self, timezone_id: str) -> None:
        """The zone in which instants are shown: "Asia/Kolkata", "GMT+08:00", "UTC"."""
        self._configuration.set_string(_ZONE, timezone_id)

    def get_max_generated_code_length(self) -> int:
        return self._configuration.get_integer(_CODE_LENGTH, 4000) or 4000

    def set_max_generated_code_length(self, max_generated_code_length: int) -> None:
        """Kept; the engine generates no code."""
        self._configuration.set_integer(_CODE_LENGTH, max_generated_code_length)

    def set_idle_state_retention(self, duration: Any) -> None:
        """How long state of a key that gets no rows is kept; a timedelta. 0: for ever."""
        millis = duration.to_millis() if hasattr(duration, "to_millis") else round(duration.total_seconds() * 1000)
        self._configuration.set_string(_IDLE, f"{millis} ms")

    def get_idle_state_retention(self) -> Any:
        """The retention as a timedelta."""
        import datetime

        from thalweg.common.execution_config import milliseconds

        return datetime.timedelta(milliseconds=milliseconds(self._configuration.get_string(_IDLE, None), 0))

    def get_configuration(self) -> Configuration:
        """The configuration itself: changing it changes this."""
        return self._configuration

    def add_configuration(self, configuration: Configuration) -> None:
        """Adds keys."""
        self._configuration.add_all(configuration)

    def to_map(self) -> dict[str, str]:
        return self._configuration.to_dict()

    def get_sql_dialect(self) -> int:
        return SqlDialect.HIVE if self.get("table.sql-dialect", "default").lower() == "hive" else SqlDialect.DEFAULT

    def set_sql_dialect(self, sql_dialect: int) -> None:
        """Kept; an environment with another dialect than DEFAULT refuses its next statement."""
        self._configuration.set_string("table.sql-dialect", "hive" if sql_dialect == SqlDialect.HIVE else "default")

    def set_python_executable(self, python_exec: str) -> None:
        """Kept; functions run in this process."""
        self._configuration.set_string("python.executable", python_exec)

    def get_python_executable(self) -> str:
        import sys

        return self._configuration.get_string("python.executable", None) or sys.executable

    @staticmethod
    def get_default() -> TableConfig:
        """An empty configuration."""
        return TableConfig()


use_flink_names(globals())
