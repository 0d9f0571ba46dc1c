"""Results of statements and queries."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.job_client import JobClient
from thalweg.common.types import Row, RowKind
from thalweg.table.result_kind import ResultKind

if TYPE_CHECKING:
    from thalweg._native import Result
    from thalweg.table.catalog import ResolvedSchema
    from thalweg.table.table_schema import TableSchema

__all__ = ["CloseableIterator", "TableResult"]

_KINDS = tuple(RowKind)
_FETCH = 1024


class TableResult:
    """What a statement gave: a job, rows, or only that it worked."""

    def __init__(self, j_table_result: Result) -> None:
        self._result = j_table_result
        job = j_table_result.job
        if job is not None:
            from thalweg.control.registry import publish, publish_query

            (publish if j_table_result.is_insert else publish_query)(job)

    def get_job_client(self) -> JobClient | None:
        """A handle on the job; None where the statement started none."""
        job = self._result.job
        return None if job is None else JobClient(job)

    def wait(self, timeout_ms: int | None = None) -> None:
        """Waits until the job ends, or for a query until the first row is there. TimeoutError when `timeout_ms` pass first."""
        try:
            done = self._wait(-1 if timeout_ms is None else timeout_ms)
        except KeyboardInterrupt:
            self._interrupted()
            raise
        if not done:
            raise TimeoutError(f"the result was not there after {timeout_ms} ms")

    def _wait(self, timeout_ms: int) -> bool:
        job = self._result.job
        if job is None or not self._result.is_insert:
            return self._result.wait(timeout_ms)
        from thalweg.util.silence import wait_for_job

        return wait_for_job(job, timeout_ms)

    def get_table_schema(self) -> TableSchema:
        """Names and types of the result's columns."""
        from thalweg.table.table_schema import schema_of

        return schema_of(self._result.columns())

    def get_resolved_schema(self) -> ResolvedSchema:
        """Names and types of the result's columns."""
        from thalweg.table.catalog import resolved_schema_of

        return resolved_schema_of(self._result.columns())

    def get_result_kind(self) -> int:
        """A value of `ResultKind`."""
        return ResultKind.SUCCESS_WITH_CONTENT if self._result.has_rows else ResultKind.SUCCESS

    def collect(self) -> CloseableIterator:
        """The rows, as they come. Close it, or use it in a `with`, to end a job that does not end by itself."""
        return CloseableIterator(self._result, self._result.columns())

    def print(self) -> None:
        """Prints the rows as they come, as a table. For an INSERT this waits for its end, as Flink's InsertResultProvider does."""
        from thalweg.util.silence import SilenceWatch

        if self._result.is_insert:
            self.wait()
        watch = SilenceWatch(self._result.explain_silence)
        silent = True
        try:
            while (text := self._result.next_text("print", 1000)) is not None:
                if text:
                    print(text, end="", flush=True)
                    silent = silent and text.startswith("Empty set")
                elif silent and self._result.is_query:
                    watch.second_passed()
        except KeyboardInterrupt:
            self._interrupted()
            raise
        if silent and self._result.is_query:
            watch.ended()

    def _interrupted(self) -> None:
        """Ctrl-C stops the job cleanly and says what it did."""
        job = self._result.job
        self._result.close()
        if job is not None:
            print(end="", flush=True)
            print(job.summary(), file=sys.stderr)


class CloseableIterator:
    """Iterates over the rows of a result; each is a `Row` with its kind."""

    def __init__(self, j_closeable_iterator: Result, field_data_types: Sequence[tuple[str, str]]) -> None:
        self._result = j_closeable_iterator
        self._convert = _row_converter([text for _, text in field_data_types])
        self._rows: Iterator[tuple[int, tuple[Any, ...]]] = iter(())
        self._ended = False

    def __iter__(self) -> CloseableIterator:
        return self

    def __next__(self) -> Row:
        return self.next()

    def next(self) -> Row:
        """The next row; waits for it. StopIteration after the last."""
        while True:
            for kind, values in self._rows:
                row = self._convert(values)
                if kind:
                    row.set_row_kind(_KINDS[kind])
                return row
            if self._ended:
                raise StopIteration
            if self._result.is_insert and (job := self._result.job) is not None:
                job.wait(-1)
            fetched = self._result.next_rows(_FETCH)
            self._ended = fetched is None
            self._rows = iter(fetched or ())

    def close(self) -> None:
        """Ends the job, where it still runs."""
        self._ended = True
        self._rows = iter(())
        self._result.close()

    def __enter__(self) -> CloseableIterator:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _row_converter(types: Sequence[str]) -> Callable[[tuple[Any, ...]], Row]:
    """Makes Rows of the engine's tuples, also of tuples inside the values."""
    if not any("ROW<" in text or "STRUCTURED<" in text for text in types):
        return lambda values: Row(*values)
    return lambda values: Row(*[_nested(value) for value in values])


def _nested(value: Any) -> Any:
    if isinstance(value, tuple):
        return Row(*[_nested(v) for v in value])
    if isinstance(value, list):
        return [_nested(v) for v in value]
    if isinstance(value, dict):
        return {_nested(k): _nested(v) for k, v in value.items()}
    return value


use_flink_names(globals())
