"""Rows in ORC files: names only, refused when they are used."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import BulkWriterFactory
from thalweg.datastream.connectors.description import refused
from thalweg.datastream.formats.description import FormatDescription

__all__ = ["OrcBulkWriters"]


class _OrcWriterFactory(BulkWriterFactory):
    """Refused when it is used."""

    def _format(self) -> FormatDescription:
        raise refused("OrcBulkWriters", "ORC format", "Write JSON or CSV: CsvBulkWriters.for_schema(...).")


class OrcBulkWriters:
    """Writes ORC files; refused when it is used."""

    @staticmethod
    def for_row_type(row_type: Any, writer_properties: Any = None, hadoop_config: Any = None) -> BulkWriterFactory:
        """What FileSink.for_bulk_format takes."""
        del writer_properties, hadoop_config
        return _OrcWriterFactory(row_type)


use_flink_names(globals())
