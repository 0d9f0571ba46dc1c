"""Columns between pandas and Arrow, times between zones."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import ArrayType, MapType, RowType
from thalweg.table.simple_types import DataType, LocalZonedTimestampType, TimestampType

__all__ = [
    "arrow_to_pandas", "pandas_to_arrow", "pickled_bytes_to_python_converter", "to_expression_jarray", "tz_convert_from_internal",
    "tz_convert_to_internal",
]  # fmt: skip


def pandas_to_arrow(schema: Any, timezone: Any, field_types: Sequence[DataType], series: Sequence[Any]) -> Any:
    """A pyarrow RecordBatch of pandas Series (of DataFrames for ROW columns)."""
    import pandas as pd
    import pyarrow as pa

    def column(data: Any, data_type: DataType, arrow_type: Any) -> Any:
        if isinstance(data_type, RowType):
            frame = data if isinstance(data, pd.DataFrame) else pd.DataFrame(data.tolist(), columns=data_type.names)
            parts = [column(frame[frame.columns[i]], field.data_type, arrow_type.field(i).type) for i, field in enumerate(data_type.fields)]
            return pa.StructArray.from_arrays(parts, data_type.names)
        return pa.Array.from_pandas(tz_convert_to_internal(data, data_type, timezone), type=arrow_type)

    columns = [column(data, data_type, schema.field(i).type) for i, (data, data_type) in enumerate(zip(series, field_types))]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def arrow_to_pandas(timezone: Any, field_types: Sequence[DataType], batches: Iterable[Any]) -> list[Any]:
    """The columns of RecordBatches as pandas Series; a ROW column as a DataFrame."""
    import pyarrow as pa

    def series(column: Any, data_type: DataType) -> Any:
        if isinstance(data_type, RowType):
            import pandas as pd

            parts = [series(part, field.data_type) for part, field in zip(column.flatten(), data_type.fields)]
            return pd.concat(parts, axis=1, keys=data_type.names)
        return tz_convert_from_internal(column.to_pandas(date_as_object=True), data_type, timezone)

    table = pa.Table.from_batches(list(batches))
    return [series(table.column(i).combine_chunks(), data_type) for i, data_type in enumerate(field_types)]


def tz_convert_from_internal(s: Any, t: DataType, local_tz: Any) -> Any:
    """A Series of instants (in UTC) as wall clock of a zone; other types as they are."""
    if isinstance(t, LocalZonedTimestampType) and not isinstance(t, TimestampType):
        zoned = s.dt.tz_localize("UTC") if s.dt.tz is None else s
        return zoned.dt.tz_convert(str(local_tz)).dt.tz_localize(None)
    return s


def tz_convert_to_internal(s: Any, t: DataType, local_tz: Any) -> Any:
    """A Series of wall-clock times of a zone as instants (in UTC, without a zone); other types as they are."""
    if isinstance(t, LocalZonedTimestampType) and not isinstance(t, TimestampType):
        zoned = s.dt.tz_localize(str(local_tz)) if s.dt.tz is None else s
        return zoned.dt.tz_convert("UTC").dt.tz_localize(None)
    return s


def to_expression_jarray(exprs: Sequence[Any]) -> list[Any]:
    """The expressions as a list: there is no Java array to make."""
    return list(exprs)


def pickled_bytes_to_python_converter(data: Any, field_type: DataType) -> Any:
    """A pickled value as Python's, by its type."""
    import pickle

    value = pickle.loads(data) if isinstance(data, (bytes, bytearray)) else data
    return _converted(value, field_type)


def _converted(value: Any, data_type: DataType) -> Any:
    if value is None:
        return None
    if isinstance(data_type, RowType):
        from thalweg.common.types import Row

        row = Row(*[_converted(v, field.data_type) for v, field in zip(value, data_type.fields)])
        row.set_field_names(data_type.names)
        return row
    if isinstance(data_type, ArrayType):
        return [_converted(v, data_type.element_type) for v in value]
    if isinstance(data_type, MapType):
        return {_converted(k, data_type.key_type): _converted(v, data_type.value_type) for k, v in value.items()}
    kind = type(data_type).__name__
    if kind == "DateType" and isinstance(value, int):
        return datetime.date(1970, 1, 1) + datetime.timedelta(days=value)
    if kind == "TimeType" and isinstance(value, int):
        seconds, millis = divmod(value, 1000)
        return datetime.time(seconds // 3600, seconds // 60 % 60, seconds % 60, millis * 1000)
    return value


use_flink_names(globals())
