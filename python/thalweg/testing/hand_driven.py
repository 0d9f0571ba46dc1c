"""An environment whose time and input are in the test's hands."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalweg._session import new_session
from thalweg.common.configuration import Configuration
from thalweg.common.types import Row
from thalweg.table.nested_types import quote
from thalweg.table.paths import qualify, quote_path
from thalweg.table.table_environment import StreamTableEnvironment

if TYPE_CHECKING:
    from thalweg._native import Session
    from thalweg.table.schema import Schema

_ENDED = ("FINISHED", "FAILED", "CANCELED")
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class HandDrivenEnvironment(StreamTableEnvironment):
    """A streaming environment in UTC. Nothing in it happens by itself: `feed` gives rows, `clock` moves time."""

    def __init__(self) -> None:
        configuration = Configuration()
        configuration.set_string("execution.runtime-mode", "STREAMING")
        configuration.set_string("table.local-time-zone", "UTC")
        super().__init__(configuration)
        self.clock = Clock(self)
        self.feed = Feed(self)

    @staticmethod
    def _new_session(config: dict[str, str]) -> Session:
        return new_session(config, hand_driven=True)

    def create_fed_table(self, path: str, schema: str | Schema) -> None:
        """A table that `feed` feeds: its columns as in a CREATE TABLE, or as a Schema."""
        columns = schema if isinstance(schema, str) else ", ".join(schema._ddl_lines())
        self.execute_sql(f"CREATE TEMPORARY TABLE {quote_path(path)} ({columns}) WITH ('connector' = 'test-stream')")

    def feed_instead(self, path: str) -> None:
        """Lets `feed` feed a table that was made with a connector: its columns, watermark and key stay."""
        full = ".".join(quote(part) for part in qualify(path, self._session.current()))
        self.execute_sql(f"CREATE TEMPORARY TABLE {full} WITH ('connector' = 'test-stream') LIKE {full} (EXCLUDING OPTIONS)")


class Clock:
    """Processing time of a HandDrivenEnvironment. It never goes back."""

    def __init__(self, environment: HandDrivenEnvironment) -> None:
        self._environment = environment

    def now(self) -> datetime.datetime:
        """The time, in UTC."""
        return _EPOCH + datetime.timedelta(milliseconds=self._environment._session.clock_ms())

    def advance(self, seconds: float = 0, **duration: float) -> None:
        """Moves on by seconds, or by `minutes=`, `hours=`, ... as of a timedelta. What is due then happens."""
        self.set(self.now() + datetime.timedelta(seconds=seconds, **duration))

    def set(self, time: datetime.datetime | str) -> None:
        """Moves on to a time: a datetime or "2024-01-01 12:00:00", in UTC unless it says otherwise."""
        at = datetime.datetime.fromisoformat(time) if isinstance(time, str) else time
        if at.tzinfo is None:
            at = at.replace(tzinfo=datetime.timezone.utc)
        self._environment.feed.settle()
        self._environment._session.advance_clock(round((at - _EPOCH) / datetime.timedelta(milliseconds=1)))


class Feed:
    """Gives rows to tables. Rows that come before a job reads the table wait for it."""

    def __init__(self, environment: HandDrivenEnvironment) -> None:
        self._environment = environment
        self._waiting: dict[str, list[tuple[int, tuple[Any, ...]]]] = {}
        self._ended: set[str] = set()
        self._jobs: list[Any] = []

    def __call__(self, table: str, *rows: Any) -> None:
        """Rows are tuples, dicts or Rows (with their kinds), with the table's stored columns; times may be texts: "12:00:01"."""
        path = self._path(table)
        columns = self._columns(path)
        if path in self._ended:
            raise ValueError(f"{table} has ended: no more rows can be given")
        self._waiting.setdefault(path, []).extend(_change(row, columns) for row in rows)
        self.deliver()

    def end(self, table: str) -> None:
        """No more rows will come: windows fire as at the end of an input."""
        path = self._path(table)
        self._ended.add(path)
        self.deliver()

    def deliver(self) -> None:
        """Hands over what waits for tables that are read by now."""
        session = self._environment._session
        for path, rows in list(self._waiting.items()):
            if rows and session.is_read(path):
                session.feed(path, rows)
                self._waiting[path] = []
        for path in self._ended:
            if not self._waiting.get(path):
                session.end_feed(path)

    def watch(self, job: Any) -> None:
        """A job that reads fed tables: `settle` waits for it too."""
        self._jobs.append(job)
        self.deliver()

    def settle(self) -> None:
        """Waits until all jobs have worked on all rows and all timers that are due."""
        self.deliver()
        for job in self._jobs:
            if job.status() not in _ENDED:
                job.settle()

    def _path(self, table: str) -> str:
        return ".".join(qualify(table, self._environment._session.current()))

    def _columns(self, path: str) -> list[tuple[str, str]]:
        """The stored columns: (name, type)."""
        quoted = ".".join(quote(part) for part in path.split("."))
        rows = self._environment._session.execute(f"DESCRIBE {quoted}").next_rows(1000) or []
        return [(values[0], values[1]) for _, values in rows if not values[4]]


def _change(row: Any, columns: Sequence[tuple[str, str]]) -> tuple[int, tuple[Any, ...]]:
    kind = row.get_row_kind().value if isinstance(row, Row) else 0
    if isinstance(row, dict):
        unknown = row.keys() - {name for name, _ in columns}
        if unknown:
            raise ValueError(f"no column {', '.join(sorted(unknown))}; there are {', '.join(name for name, _ in columns)}")
        values: list[Any] = [row.get(name) for name, _ in columns]
    else:
        values = list(row) if isinstance(row, (tuple, list, Row)) else [row]
    if len(values) != len(columns):
        raise ValueError(f"{len(values)} values for the columns {', '.join(name for name, _ in columns)}: {row!r}")
    return kind, tuple(_value(value, data_type) for value, (_, data_type) in zip(values, columns))


def _value(value: Any, data_type: str) -> Any:
    """A value as the engine takes it; times as texts are read, a time of day alone is one of 1970-01-01."""
    if not isinstance(value, str):
        return value
    if data_type.startswith("TIMESTAMP"):
        text = value if "-" in value else f"1970-01-01 {value}"
        time = datetime.datetime.fromisoformat(text)
        if "LTZ" in data_type or "LOCAL TIME ZONE" in data_type:
            return time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)
        return time
    if data_type.startswith("DATE"):
        return datetime.date.fromisoformat(value)
    if data_type.startswith("TIME"):
        return datetime.time.fromisoformat(value)
    return value
