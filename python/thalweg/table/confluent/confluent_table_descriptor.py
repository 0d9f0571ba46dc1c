"""Descriptors of managed tables."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.schema import Schema
from thalweg.table.table_descriptor import TableDescriptor

__all__ = ["ConfluentTableDescriptor"]

ROWTIME = "$rowtime"


class ConfluentTableDescriptor(TableDescriptor):
    """A table that the platform keeps: a topic of its own name on the embedded broker.

    The system column `$rowtime` (the record's time) may be used in a watermark without being declared.
    """

    @staticmethod
    def for_managed() -> ConfluentTableDescriptor.Builder:
        """A builder for a managed table; `for_connector("confluent")` is the same."""
        return ConfluentTableDescriptor.Builder()

    class Builder(TableDescriptor.Builder):
        """Collects a managed table's parts."""

        def __init__(self) -> None:
            super().__init__()
            self.option("connector", "confluent")

        def distributed_by_hash(self, number_of_buckets: int, *bucket_keys: str) -> ConfluentTableDescriptor.Builder:
            """The partitions of the topic, by a hash of columns."""
            super().distributed_by_hash(number_of_buckets, *bucket_keys)
            return self

        def distributed_by(self, *bucket_keys: str, number_of_buckets: int | None = None) -> ConfluentTableDescriptor.Builder:
            """The columns by which records are spread over partitions."""
            from thalweg.table.nested_types import quote

            into = "" if number_of_buckets is None else f" INTO {number_of_buckets} BUCKETS"
            self._table["distribution"] = f"DISTRIBUTED BY ({', '.join(quote(key) for key in bucket_keys)}){into}"
            return self

        def distributed_into(self, number_of_buckets: int) -> ConfluentTableDescriptor.Builder:
            """The number of partitions."""
            self._table["distribution"] = f"DISTRIBUTED INTO {number_of_buckets} BUCKETS"
            return self

        def key_format(self, format: Any) -> ConfluentTableDescriptor.Builder:  # noqa: A002 - Confluent's name
            """The format of the records' keys: "raw", "json", "avro-registry"."""
            self.format(format, "key.format")
            return self

        def value_format(self, format: Any) -> ConfluentTableDescriptor.Builder:  # noqa: A002
            """The format of the records' values: "json", "avro-registry", "raw"."""
            self.format(format, "value.format")
            return self

        def build(self) -> ConfluentTableDescriptor:
            """The descriptor."""
            parts = dict(self._table)
            if parts.get("schema") is not None:
                parts["schema"] = with_system_column(parts["schema"])
            return ConfluentTableDescriptor(parts)


def with_system_column(schema: Schema) -> Schema:
    """The schema with `$rowtime`, where something uses it that does not declare it."""
    uses = any(part[0] in ("watermark", "computed") and ROWTIME in " ".join(part[1:3]) for part in schema._parts)
    if not uses or ROWTIME in schema._column_names():
        return schema
    place = max((i + 1 for i, part in enumerate(schema._parts) if part[0] in ("column", "metadata")), default=0)
    column = ("metadata", ROWTIME, "TIMESTAMP_LTZ(3) NOT NULL", "timestamp", "VIRTUAL")
    return Schema([*schema._parts[:place], column, *schema._parts[place:]])


use_flink_names(globals())
