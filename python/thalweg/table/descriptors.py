"""The older way to describe columns, as properties. `Schema` and `TableDescriptor` took its place."""

from __future__ import annotations

import abc
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import sql_type
from thalweg.table.simple_types import DataType
from thalweg.table.table_schema import TableSchema
from thalweg.util.notices import unsupported

__all__ = ["Descriptor", "Rowtime", "Schema"]


class Descriptor(abc.ABC):
    """Something that is described by properties."""

    def __init__(self, j_descriptor: dict[str, str] | None = None) -> None:
        self._properties: dict[str, str] = {} if j_descriptor is None else j_descriptor

    def to_properties(self) -> dict[str, str]:
        """What was said so far."""
        return dict(self._properties)


class Rowtime(Descriptor):
    """Where event time comes from, and its watermarks."""

    def __init__(self) -> None:
        super().__init__()

    def _set(self, **values: str) -> Rowtime:
        self._properties.update({f"rowtime.{key.replace('_', '.')}": value for key, value in values.items()})
        return self

    def timestamps_from_field(self, field_name: str) -> Rowtime:
        """Event time is a column."""
        return self._set(timestamps_type="from-field", timestamps_from=field_name)

    def timestamps_from_source(self) -> Rowtime:
        """Event time is the record's own."""
        return self._set(timestamps_type="from-source")

    def timestamps_from_extractor(self, extractor: str) -> Rowtime:
        """Refused: a Java class."""
        raise unsupported(f"the Java timestamp extractor {extractor}")

    def watermarks_periodic_ascending(self) -> Rowtime:
        """No record is late by more than the one before it."""
        return self._set(watermarks_type="periodic-ascending")

    def watermarks_periodic_bounded(self, delay: int) -> Rowtime:
        """Records are late by at most `delay` milliseconds."""
        return self._set(watermarks_type="periodic-bounded", watermarks_delay=str(delay))

    def watermarks_from_source(self) -> Rowtime:
        """The source's own watermarks."""
        return self._set(watermarks_type="from-source")

    def watermarks_from_strategy(self, strategy: str) -> Rowtime:
        """Refused: a Java class."""
        raise unsupported(f"the Java watermark strategy {strategy}")


class Schema(Descriptor):
    """Columns with their types and origins."""

    def __init__(self, schema: TableSchema | None = None, fields: dict[str, Any] | None = None, rowtime: Rowtime | None = None) -> None:
        super().__init__()
        self._count = 0
        if schema is not None:
            self.schema(schema)
        if fields is not None:
            self.fields(fields)
        if rowtime is not None:
            self.rowtime(rowtime)

    def _set(self, key: str, value: str) -> Schema:
        if self._count == 0:
            raise ValueError("No field previously defined. Use field() before.")
        self._properties[f"schema.{self._count - 1}.{key}"] = value
        return self

    def schema(self, table_schema: TableSchema) -> Schema:
        """Takes the columns of a schema."""
        for name, data_type in zip(table_schema.get_field_names(), table_schema.get_field_data_types()):
            self.field(name, data_type)
        return self

    def field(self, field_name: str, field_type: DataType | str) -> Schema:
        """Adds a column."""
        self._count += 1
        return self._set("name", field_name)._set("data-type", field_type if isinstance(field_type, str) else sql_type(field_type))

    def fields(self, fields: dict[str, Any]) -> Schema:
        """Adds columns."""
        for name, data_type in fields.items():
            self.field(name, data_type)
        return self

    def from_origin_field(self, origin_field_name: str) -> Schema:
        """The last column has another name in the source."""
        return self._set("from", origin_field_name)

    def proctime(self) -> Schema:
        """The last column is processing time."""
        return self._set("proctime", "true")

    def rowtime(self, rowtime: Rowtime) -> Schema:
        """The last column is event time."""
        for key, value in rowtime.to_properties().items():
            self._set(key, value)
        return self


use_flink_names(globals())
