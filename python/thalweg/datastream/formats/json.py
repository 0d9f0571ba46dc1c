"""Rows as JSON objects."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import DeserializationSchema, SerializationSchema
from thalweg.common.typeinfo import TypeInformation
from thalweg.datastream.formats.description import FormatDescription, columns_of_row
from thalweg.datastream.formats.row_codecs import JsonCodec

__all__ = ["JsonRowDeserializationSchema", "JsonRowSerializationSchema"]


class _DeserializationBuilder:
    """Builds a JsonRowDeserializationSchema."""

    def __init__(self) -> None:
        self._type_info: TypeInformation | None = None
        self._options: dict[str, str] = {}

    def type_info(self, type_info: TypeInformation) -> _DeserializationBuilder:
        """The type of the rows: the fields' names are the keys of the objects."""
        self._type_info = type_info
        return self

    def json_schema(self, json_schema: str) -> _DeserializationBuilder:
        """The rows' type as a JSON schema (type, properties, items)."""
        if json_schema is None:
            raise TypeError("The json_schema must not be None.")
        from thalweg.datastream.formats.json_schema import row_type_of

        self._type_info = row_type_of(json_schema)
        return self

    def fail_on_missing_field(self) -> _DeserializationBuilder:
        """A record without one of the fields ends the job; otherwise the field is None."""
        self._options["fail-on-missing-field"] = "true"
        return self

    def ignore_parse_errors(self) -> _DeserializationBuilder:
        """Records that are not JSON are skipped; otherwise they end the job."""
        self._options["ignore-parse-errors"] = "true"
        return self

    def build(self) -> JsonRowDeserializationSchema:
        """The schema. Raises where no type was given, or both options that exclude each other."""
        if self._type_info is None:
            raise TypeError("Type information must be set.")
        if len(self._options) > 1:
            raise ValueError("JSON format doesn't support failOnMissingField and ignoreParseErrors are both enabled.")
        return JsonRowDeserializationSchema(self._type_info, self._options)


class JsonRowDeserializationSchema(DeserializationSchema):
    """Reads JSON objects as rows.

    ::

        JsonRowDeserializationSchema.builder().type_info(Types.ROW_NAMED(["id"], [Types.INT()])).build()
    """

    Builder = _DeserializationBuilder

    def __init__(self, j_deserialization_schema: Any, options: dict[str, str] | None = None) -> None:
        super().__init__(JsonCodec("JsonRowDeserializationSchema", j_deserialization_schema))
        self._type_info = j_deserialization_schema
        self._options = dict(options or {})

    @staticmethod
    def builder() -> _DeserializationBuilder:
        """Starts a schema."""
        return _DeserializationBuilder()

    def _format(self) -> FormatDescription:
        columns = columns_of_row("JsonRowDeserializationSchema", self._type_info)
        return FormatDescription("json", self._options, columns, "row", self._type_info)


class _SerializationBuilder:
    """Builds a JsonRowSerializationSchema."""

    def __init__(self) -> None:
        self._type_info: TypeInformation | None = None

    def with_type_info(self, type_info: TypeInformation) -> _SerializationBuilder:
        """The type of the rows: the fields' names become the keys of the objects."""
        self._type_info = type_info
        return self

    def build(self) -> JsonRowSerializationSchema:
        """The schema. Raises TypeError where no type was given."""
        if self._type_info is None:
            raise TypeError("Type information must be set.")
        return JsonRowSerializationSchema(self._type_info)


class JsonRowSerializationSchema(SerializationSchema):
    """Writes rows as JSON objects."""

    Builder = _SerializationBuilder

    def __init__(self, j_serialization_schema: Any) -> None:
        super().__init__(JsonCodec("JsonRowSerializationSchema", j_serialization_schema))
        self._type_info = j_serialization_schema

    @staticmethod
    def builder() -> _SerializationBuilder:
        """Starts a schema."""
        return _SerializationBuilder()

    def _format(self) -> FormatDescription:
        columns = columns_of_row("JsonRowSerializationSchema", self._type_info)
        return FormatDescription("json", {}, columns, "row", self._type_info)


use_flink_names(globals())
