"""Records in Avro."""

from __future__ import annotations

import json
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.io import InputFormat
from thalweg.common.serialization import BulkWriterFactory, DeserializationSchema, SerializationSchema
from thalweg.common.typeinfo import TypeInformation
from thalweg.datastream.connectors.description import SourceDescription, refused
from thalweg.datastream.formats.avro_schema import columns_of_avro, row_type_of_avro
from thalweg.datastream.formats.description import FormatDescription
from thalweg.datastream.utils import ResultTypeQueryable

__all__ = [
    "AvroBulkWriters", "AvroInputFormat", "AvroRowDeserializationSchema", "AvroRowSerializationSchema", "AvroSchema",
    "GenericRecordAvroTypeInfo",
]  # fmt: skip

_INSTEAD = "Write the records as JSON or CSV, or send them to a topic with AvroRowSerializationSchema."


class AvroSchema:
    """An Avro schema."""

    def __init__(self, j_schema: Any) -> None:
        self._j_schema = j_schema
        self._text = j_schema if isinstance(j_schema, str) else json.dumps(j_schema)

    @staticmethod
    def parse_string(json_schema: str) -> AvroSchema:
        """The schema that a text says. Raises ValueError where it is not JSON."""
        try:
            json.loads(json_schema)
        except json.JSONDecodeError as error:
            raise ValueError(f"Invalid Avro schema: {error}") from None
        return AvroSchema(json_schema)

    @staticmethod
    def parse_file(file_path: str) -> AvroSchema:
        """The schema that a file says."""
        with open(file_path, encoding="utf-8") as file:
            return AvroSchema.parse_string(file.read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AvroSchema) and json.loads(self._text) == json.loads(other._text)

    def __hash__(self) -> int:
        return hash(json.dumps(json.loads(self._text), sort_keys=True))

    def __str__(self) -> str:
        return self._text


class GenericRecordAvroTypeInfo(TypeInformation):
    """Records of an Avro schema: dicts in Python."""

    def __init__(self, schema: AvroSchema) -> None:
        super().__init__()
        self._schema = schema
        self._parts = (schema,)

    def get_java_type_info(self) -> TypeInformation:
        """The type itself: there is no Java side."""
        return self

    def __str__(self) -> str:
        return f"GenericRecordAvroTypeInfo({self._schema})"


class AvroInputFormat(InputFormat, ResultTypeQueryable):
    """Reads Avro files; refused when it is used, since there are no Avro files here yet."""

    def __init__(self, path: str, schema: AvroSchema) -> None:
        super().__init__((path, schema))
        self._schema = schema

    def get_produced_type(self) -> GenericRecordAvroTypeInfo:
        """The type of the records."""
        return GenericRecordAvroTypeInfo(self._schema)

    def _description(self) -> SourceDescription:
        raise refused("AvroInputFormat", "reader of Avro files", "Read records from a topic with AvroRowDeserializationSchema.")


class _AvroWriterFactory(BulkWriterFactory):
    """Refused when it is used."""

    def _format(self) -> FormatDescription:
        raise refused("AvroBulkWriters", "writer of Avro files", _INSTEAD)


class AvroBulkWriters:
    """Writes Avro files; refused when it is used, since there are no Avro files here yet."""

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> BulkWriterFactory:
        """What FileSink.for_bulk_format takes."""
        return _AvroWriterFactory(schema)


def _schema_text(owner: str, record_class: Any, avro_schema_string: str | None) -> str:
    if avro_schema_string is not None:
        return avro_schema_string
    if record_class is not None:
        raise refused(f"{owner}(record_class={record_class!r})", "class of Java", "Give avro_schema_string, the schema as JSON.")
    raise TypeError(f"{owner}: avro_schema_string is needed")


class AvroRowDeserializationSchema(DeserializationSchema):
    """Reads Avro records as rows. `avro_schema_string` is the schema they were written with."""

    def __init__(self, record_class: str | None = None, avro_schema_string: str | None = None) -> None:
        super().__init__(avro_schema_string)
        self._schema = _schema_text("AvroRowDeserializationSchema", record_class, avro_schema_string)

    def _format(self) -> FormatDescription:
        return FormatDescription("avro", {}, columns_of_avro(self._schema), "row", row_type_of_avro(self._schema))


class AvroRowSerializationSchema(SerializationSchema):
    """Writes rows as Avro records of the schema `avro_schema_string`."""

    def __init__(self, record_class: str | None = None, avro_schema_string: str | None = None) -> None:
        super().__init__(avro_schema_string)
        self._schema = _schema_text("AvroRowSerializationSchema", record_class, avro_schema_string)

    def _format(self) -> FormatDescription:
        return FormatDescription("avro", {}, columns_of_avro(self._schema), "row", row_type_of_avro(self._schema))


use_flink_names(globals())
