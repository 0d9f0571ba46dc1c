"""Rows in Parquet files: names only, refused when they are used."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import BulkWriterFactory
from thalweg.datastream.connectors.description import refused
from thalweg.datastream.connectors.file_system import BulkFormat, StreamFormat
from thalweg.datastream.formats.description import FormatDescription

__all__ = ["AvroParquetReaders", "AvroParquetWriters", "ParquetBulkWriters", "ParquetColumnarRowInputFormat"]

_READ = "Read the file with pyarrow or pandas and hand its rows to from_collection(), or keep the data as CSV or JSON."
_WRITE = "Write JSON or CSV: CsvBulkWriters.for_schema(...)."


class _ParquetFormat(StreamFormat):
    """Refused when it is used."""

    def _format(self) -> FormatDescription:
        raise refused("AvroParquetReaders", "Parquet format", _READ)


class _ParquetWriterFactory(BulkWriterFactory):
    """Refused when it is used."""

    def _format(self) -> FormatDescription:
        raise refused("ParquetBulkWriters", "Parquet format", _WRITE)


class AvroParquetReaders:
    """Reads Parquet files as Avro records; refused when it is used."""

    @staticmethod
    def for_generic_record(schema: Any) -> StreamFormat:
        """What FileSource.for_record_stream_format takes."""
        return _ParquetFormat(schema)


class AvroParquetWriters:
    """Writes Avro records as Parquet files; refused when it is used."""

    @staticmethod
    def for_generic_record(schema: Any) -> BulkWriterFactory:
        """What FileSink.for_bulk_format takes."""
        return _ParquetWriterFactory(schema)


class ParquetColumnarRowInputFormat(BulkFormat):
    """Reads Parquet files as rows; refused when it is used."""

    def __init__(
        self,
        row_type: Any,
        hadoop_config: Any = None,
        batch_size: int = 2048,
        is_utc_timestamp: bool = False,
        is_case_sensitive: bool = True,
    ) -> None:
        del hadoop_config, batch_size, is_utc_timestamp, is_case_sensitive
        super().__init__(row_type)

    def _format(self) -> FormatDescription:
        raise refused("ParquetColumnarRowInputFormat", "Parquet format", _READ)


class ParquetBulkWriters:
    """Writes rows as Parquet files; refused when it is used."""

    @staticmethod
    def for_row_type(row_type: Any, hadoop_config: Any = None, utc_timestamp: bool = False) -> BulkWriterFactory:
        """What FileSink.for_bulk_format takes."""
        del hadoop_config, utc_timestamp
        return _ParquetWriterFactory(row_type)


use_flink_names(globals())
