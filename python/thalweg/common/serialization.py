"""Schemas that turn records into bytes and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.utils import JavaObjectWrapper

if TYPE_CHECKING:
    from thalweg.datastream.formats.description import FormatDescription

__all__ = [
    "BulkWriterFactory", "ByteArraySchema", "DeserializationSchema", "Encoder", "RowFieldExtractorSchema", "SerializationSchema",
    "SimpleStringSchema",
]  # fmt: skip


class SerializationSchema:
    """How a sink turns a record into bytes."""

    def __init__(self, j_serialization_schema: Any = None) -> None:
        self._j_serialization_schema = j_serialization_schema

    def _format(self) -> FormatDescription:
        """The engine's format. Raises NotImplementedError, naming the schema, where it has none."""
        raise NotImplementedError(f"{type(self).__name__} describes no format that Thalweg can write")


class DeserializationSchema:
    """How a source turns bytes into a record."""

    def __init__(self, j_deserialization_schema: Any = None) -> None:
        self._j_deserialization_schema = j_deserialization_schema

    def _format(self) -> FormatDescription:
        """The engine's format. Raises NotImplementedError, naming the schema, where it has none."""
        raise NotImplementedError(f"{type(self).__name__} describes no format that Thalweg can read")


class _Codec:
    """What `_j_serialization_schema` and `_j_deserialization_schema` are of schemas that can be called directly."""

    def __init__(self, serialize: Callable[[Any], bytes], deserialize: Callable[[bytes], Any] | None = None, key: Any = None) -> None:
        self.serialize = serialize
        self.deserialize = deserialize
        self._key = key

    def getFieldIndex(self) -> Any:
        return self._key

    def equals(self, other: Any) -> bool:
        return isinstance(other, _Codec) and self._key == other._key

    def hashCode(self) -> int:
        return hash(self._key)


class SimpleStringSchema(SerializationSchema, DeserializationSchema):
    """Records are texts."""

    def __init__(self, charset: str = "UTF-8") -> None:
        codec = _Codec(lambda text: str(text).encode(charset), lambda data: bytes(data).decode(charset), charset)
        SerializationSchema.__init__(self, codec)
        DeserializationSchema.__init__(self, codec)
        self.charset = charset

    def _format(self) -> FormatDescription:
        from thalweg.common.typeinfo import Types
        from thalweg.datastream.connectors.description import Column
        from thalweg.datastream.formats.description import FormatDescription

        options = {} if self.charset.upper() == "UTF-8" else {"charset": self.charset}
        return FormatDescription("raw", options, (Column("value", "STRING"),), "value", Types.STRING())


class ByteArraySchema(SerializationSchema, DeserializationSchema):
    """Records are bytes."""

    def __init__(self) -> None:
        codec = _Codec(bytes, bytes)
        SerializationSchema.__init__(self, codec)
        DeserializationSchema.__init__(self, codec)

    def _format(self) -> FormatDescription:
        from thalweg.common.typeinfo import Types
        from thalweg.datastream.connectors.description import Column
        from thalweg.datastream.formats.description import FormatDescription

        kind = Types.PRIMITIVE_ARRAY(Types.BYTE())
        return FormatDescription("raw", {}, (Column("value", "BYTES"),), "value", kind)


class RowFieldExtractorSchema(SerializationSchema):
    """The bytes of one field of a row: how a Kafka sink takes its key from the record. Values that are not bytes are written as text,
    and None, or no row, as no bytes."""

    def __init__(self, field_index: int) -> None:
        if isinstance(field_index, bool) or not isinstance(field_index, int):
            raise TypeError("Field index must be an integer")
        if field_index < 0:
            raise ValueError("Field index must be non-negative")
        super().__init__(_Codec(_bytes_of_field(field_index), key=field_index))
        self.field_index = field_index

    def _format(self) -> FormatDescription:
        from thalweg.datastream.connectors.description import Column
        from thalweg.datastream.formats.description import FormatDescription

        return FormatDescription("raw", {}, (Column("value", "BYTES", of=_bytes_of_field(self.field_index)),), "value")


def _bytes_of_field(position: int) -> Callable[[Any], bytes]:
    def of(record: Any) -> bytes:
        value = None if record is None else record[position]
        if value is None:
            return b""
        return bytes(value) if isinstance(value, (bytes, bytearray)) else str(value).encode()

    return of


class Encoder:
    """How a file sink writes a record."""

    def __init__(self, j_encoder: str) -> None:
        self._charset = j_encoder

    @staticmethod
    def simple_string_encoder(charset_name: str = "UTF-8") -> Encoder:
        """str(record) and a line end."""
        return Encoder(charset_name)


class BulkWriterFactory(JavaObjectWrapper):
    """How a file sink writes a whole part file."""

    def __init__(self, j_bulk_writer_factory: Any) -> None:
        super().__init__(j_bulk_writer_factory)
        self._j_bulk_writer_factory = j_bulk_writer_factory

    def _format(self) -> FormatDescription:
        """The engine's format. Raises NotImplementedError, naming the writer, where it has none."""
        raise NotImplementedError(f"{type(self).__name__} describes no format that Thalweg can write")


use_flink_names(globals())
