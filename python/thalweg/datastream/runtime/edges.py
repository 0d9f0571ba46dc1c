"""Hosts where tables become streams and streams become tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalweg.common.types import Row, RowKind
from thalweg.datastream.runtime.buckets import bucket_namer
from thalweg.datastream.runtime.conversion import batch_converter
from thalweg.datastream.runtime.host import Host, identity

if TYPE_CHECKING:
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["ColumnsHost", "RecordsHost", "RowsHost", "TableHost"]

_KINDS = tuple(RowKind)
_CODES = {kind: code for code, kind in enumerate(_KINDS)}


class ColumnsHost(Host):
    """Makes records of a connector's rows: the first column, a Row, or a dict."""

    def __init__(
        self,
        form: str,
        names: Sequence[str],
        kind: TypeInformation | None,
        wanted: tuple[int, int, frozenset[tuple[str, int]]] | None,
    ) -> None:
        self._form = form
        self._names = list(names)
        self._convert = batch_converter(kind) or identity
        self._wanted = wanted

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        rows: list[int] | None = None
        if self._wanted is not None:
            topic, partition, wanted = self._wanted
            rows = [i for i, values in enumerate(records) if (values[topic], values[partition]) in wanted]
            records = [records[i] for i in rows]
        names = self._names
        if self._form == "value":
            results = [values[0] for values in records]
        elif self._form == "dict":
            results = [dict(zip(names, values)) for values in records]
        else:
            results = [make_row(names, values[: len(names)]) for values in records]
        self.context.emit(self._convert(results), rows)


def make_row(names: list[str], values: Sequence[Any]) -> Row:
    """A Row with names."""
    row = Row(*values)
    row.set_field_names(names)
    return row


class RecordsHost(Host):
    """Makes the rows of a table of records: one value a column, and where there is a bucket's pattern the folder of the moment."""

    def __init__(self, columns: Sequence[Callable[[Any], Any] | None], bucket: tuple[str, str | None] | None = None) -> None:
        self._columns = list(columns)
        self._bucket_of = None if bucket is None else bucket_namer(*bucket)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        columns = self._columns
        bucket = [] if self._bucket_of is None else [self._bucket_of(self.context.now())]
        rows: list[Any] = []
        try:
            for record in records:
                rows.append([record if of is None else of(record) for of in columns] + bucket)
        finally:
            self.context.emit(rows)


class RowsHost(Host):
    """Makes Rows of the first columns of a table's rows, with their kinds (to_data_stream, to_changelog_stream)."""

    def __init__(self, names: Sequence[str], converters: Sequence[Callable[[Any], Any] | None]) -> None:
        self._names = list(names)
        self._converters = list(converters)
        self._converts = any(converter is not None for converter in converters)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        kinds = self.context.kinds()
        names, converters = self._names, self._converters
        rows: list[Row] = []
        for values in records:
            shown = [v if c is None else c(v) for c, v in zip(converters, values)] if self._converts else values
            rows.append(make_row(names, shown if len(shown) == len(names) else shown[: len(names)]))
        if kinds is not None:
            for row, kind in zip(rows, kinds):
                row.set_row_kind(_KINDS[kind])
        self.context.emit(rows)


class TableHost(Host):
    """Makes a table's rows of records: of a Row, tuple or list its fields, of another value one column.

    `places` says which field each column is, by index or name; an empty list stands for the record itself. `converters` make values as
    the engine takes them. With `has_kinds`, Rows bring their kinds (from_changelog_stream).
    """

    def __init__(
        self, places: Sequence[int | None] | None, converters: Sequence[Callable[[Any], Any] | None], has_kinds: bool = False
    ) -> None:
        self._places = None if places is None else [place for place in places if place is not None]
        self._converters = list(converters)
        self._has_kinds = has_kinds

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        places, converters = self._places, self._converters
        rows: list[list[Any]] = []
        try:
            for record in records:
                values = [record] if places is None else [record[place] for place in places]
                rows.append([v if c is None else c(v) for c, v in zip(converters, values)])
        finally:
            kinds = [_CODES[record.get_row_kind()] for record in records[: len(rows)]] if self._has_kinds else None
            self.context.emit(rows, None, kinds)
