"""Columns as a stream of Arrow's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import RowType
from thalweg.table.utils import arrow_to_pandas, pandas_to_arrow

__all__ = ["ArrowSerializer"]


class ArrowSerializer:
    """Lists of pandas Series to and from Arrow's IPC stream format."""

    def __init__(self, schema: Any, row_type: RowType, timezone: Any) -> None:
        self._schema = schema
        self._field_types = [field.data_type for field in row_type.fields]
        self._timezone = timezone

    def serialize(self, iterable: Iterable[list[Any]], stream: Any) -> None:
        """Writes lists of Series, a record batch each."""
        import pyarrow as pa

        with pa.RecordBatchStreamWriter(stream, self._schema) as writer:
            for columns in iterable:
                writer.write_batch(pandas_to_arrow(self._schema, self._timezone, self._field_types, columns))

    def deserialize(self, stream: Any) -> Iterator[list[Any]]:
        """Reads what `serialize` wrote."""
        import pyarrow as pa

        for batch in pa.ipc.open_stream(stream):
            yield arrow_to_pandas(self._timezone, self._field_types, [batch])

    def load_from_iterator(self, iter: Iterator[bytes]) -> Iterator[list[Any]]:  # noqa: A002 - Flink's name
        """Reads streams that come in pieces, one complete stream a piece."""
        import io

        for piece in iter:
            yield from self.deserialize(io.BytesIO(piece))


use_flink_names(globals())
