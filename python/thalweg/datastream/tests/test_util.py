"""A sink that keeps what it gets, for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import TypeInformation
from thalweg.common.watermark_strategy import TimestampAssigner
from thalweg.datastream.functions import SinkFunction

__all__ = ["DataStreamTestSinkFunction", "SecondColumnTimestampAssigner"]


class DataStreamTestSinkFunction(SinkFunction):
    """Keeps records until they are asked for.

    ::

        sink = DataStreamTestSinkFunction()
        stream.add_sink(sink)
        env.execute()
        assert sink.get_results() == ["+I[1, a]"]
    """

    def __init__(self) -> None:
        super().__init__(self)
        self._lock = threading.Lock()
        self._results: list[tuple[Any, TypeInformation]] = []

    def _collector(self, type_info: TypeInformation) -> Callable[[list[Any]], None]:
        def collect(records: list[Any]) -> None:
            with self._lock:
                self._results += [(record, type_info) for record in records]

        return collect

    def get_results(self, is_python_object: bool = False, stringify: bool = True) -> list[Any]:
        """The records since the last call: as Java shows them, or with `is_python_object` as Python does, or themselves."""
        from thalweg.datastream.runtime.display import java_text

        with self._lock:
            results, self._results = self._results, []
        if not is_python_object:
            return [java_text(kind)(record) for record, kind in results]
        return [str(record) if stringify else record for record, _ in results]

    def clear(self) -> None:
        """Forgets what was kept."""
        with self._lock:
            self._results.clear()


class SecondColumnTimestampAssigner(TimestampAssigner):
    """The second field of a record, in milliseconds, is its time."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


use_flink_names(globals())
