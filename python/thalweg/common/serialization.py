"""Schemas that turn records into bytes and back."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["ByteArraySchema", "DeserializationSchema", "Encoder", "SerializationSchema", "SimpleStringSchema"]


class SerializationSchema:
    """How a sink turns a record into bytes."""

    def __init__(self, j_serialization_schema: Any = None) -> None:
        self._j_serialization_schema = j_serialization_schema


class DeserializationSchema:
    """How a source turns bytes into a record."""

    def __init__(self, j_deserialization_schema: Any = None) -> None:
        self._j_deserialization_schema = j_deserialization_schema


class SimpleStringSchema(SerializationSchema, DeserializationSchema):
    """Records are texts."""

    def __init__(self, charset: str = "UTF-8") -> None:
        SerializationSchema.__init__(self)
        DeserializationSchema.__init__(self)
        self.charset = charset


class ByteArraySchema(SerializationSchema, DeserializationSchema):
    """Records are bytes."""

    def __init__(self) -> None:
        SerializationSchema.__init__(self)
        DeserializationSchema.__init__(self)


class Encoder:
    """How a file sink writes a record."""

    def __init__(self, j_encoder: str) -> None:
        self._charset = j_encoder

    @staticmethod
    def simple_string_encoder(charset_name: str = "UTF-8") -> Encoder:
        """str(record) and a line end."""
        return Encoder(charset_name)


class BulkWriterFactory:
    """How a file sink writes a whole part file."""

    def __init__(self, j_bulk_writer_factory: Any) -> None:
        self._j_bulk_writer_factory = j_bulk_writer_factory


class RowFieldExtractorSchema(SerializationSchema):
    """The bytes of one field of a row."""

    def __init__(self, field_index: int) -> None:
        super().__init__()
        self.field_index = field_index


use_flink_names(globals())
