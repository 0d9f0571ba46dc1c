"""Tables described in Python instead of a CREATE TABLE."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import quote
from thalweg.table.schema import Schema

__all__ = ["FormatDescriptor", "TableDescriptor"]


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _key(option: Any) -> str:
    """An option given by its key or as a ConfigOption."""
    return option if isinstance(option, str) else str(option.key())


class TableDescriptor:
    """A table: schema, options, partition keys, comment."""

    def __init__(self, j_table_descriptor: dict[str, Any]) -> None:
        self._schema: Schema | None = j_table_descriptor.get("schema")
        self._options: dict[str, str] = dict(j_table_descriptor.get("options", {}))
        self._partition_keys: list[str] = list(j_table_descriptor.get("partition_keys", []))
        self._comment: str | None = j_table_descriptor.get("comment")
        self._distribution: str | None = j_table_descriptor.get("distribution")

    @staticmethod
    def for_connector(connector: str) -> TableDescriptor.Builder:
        """A builder for a table of this connector."""
        return TableDescriptor.Builder().option("connector", connector)

    @staticmethod
    def for_managed() -> TableDescriptor.Builder:
        """A builder for a table without a connector."""
        return TableDescriptor.Builder()

    def get_schema(self) -> Schema | None:
        return self._schema

    def get_options(self) -> dict[str, str]:
        return dict(self._options)

    def get_partition_keys(self) -> list[str]:
        return list(self._partition_keys)

    def get_comment(self) -> str | None:
        return self._comment

    def _parts(self) -> dict[str, Any]:
        return {
            "schema": self._schema,
            "options": self._options,
            "partition_keys": self._partition_keys,
            "comment": self._comment,
            "distribution": self._distribution,
        }

    def _create_statement(self, path: str, temporary: bool, ignore_if_exists: bool) -> str:
        """The CREATE TABLE that says the same."""
        lines = self._schema._ddl_lines() if self._schema is not None else []
        words = "CREATE TEMPORARY TABLE" if temporary else "CREATE TABLE"
        columns = " (\n" + ",\n".join("  " + line for line in lines) + "\n)" if lines else ""
        statement = f"{words} {'IF NOT EXISTS ' if ignore_if_exists else ''}{path}{columns}"
        if self._comment is not None:
            statement += f"\nCOMMENT {_text(self._comment)}"
        if self._distribution:
            statement += "\n" + self._distribution
        if self._partition_keys:
            statement += f"\nPARTITIONED BY ({', '.join(quote(k) for k in self._partition_keys)})"
        if self._options:
            options = ",\n".join(f"  {_text(k)} = {_text(v)}" for k, v in self._options.items())
            statement += f"\nWITH (\n{options}\n)"
        return statement

    def __str__(self) -> str:
        return self._create_statement("", False, False).removeprefix("CREATE TABLE ").strip()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableDescriptor) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(str(self))

    class Builder:
        """Collects a table's parts."""

        def __init__(self) -> None:
            self._table: dict[str, Any] = {"options": {}, "partition_keys": []}

        def schema(self, schema: Schema) -> TableDescriptor.Builder:
            """The columns; without it the sink takes the query's."""
            self._table["schema"] = schema
            return self

        def option(self, key: Any, value: Any) -> TableDescriptor.Builder:
            """An option of the connector."""
            self._table["options"][_key(key)] = str(value).lower() if isinstance(value, bool) else str(value)
            return self

        def format(self, format: str | FormatDescriptor, format_option: Any = None) -> TableDescriptor.Builder:  # noqa: A002
            """The format, for the option `format` or `format_option`."""
            key = "format" if format_option is None else _key(format_option)
            if isinstance(format, str):
                return self.option(key, format)
            self.option(key, format.get_format())
            prefix = format.get_format() if key == "format" else key.removesuffix("format") + format.get_format()
            for name, value in format.get_options().items():
                self.option(f"{prefix}.{name}", value)
            return self

        def partitioned_by(self, *partition_keys: str) -> TableDescriptor.Builder:
            """The columns by which files are kept apart."""
            self._table["partition_keys"] += partition_keys
            return self

        def distributed_by_hash(self, number_of_buckets: int, *bucket_keys: str) -> TableDescriptor.Builder:
            """Buckets by a hash of keys."""
            keys = ", ".join(quote(k) for k in bucket_keys)
            self._table["distribution"] = f"DISTRIBUTED BY HASH({keys}) INTO {number_of_buckets} BUCKETS"
            return self

        def comment(self, comment: str) -> TableDescriptor.Builder:
            """The table's comment."""
            self._table["comment"] = comment
            return self

        def build(self) -> TableDescriptor:
            return TableDescriptor(self._table)


class FormatDescriptor:
    """A format and its options."""

    def __init__(self, j_format_descriptor: tuple[str, dict[str, str]]) -> None:
        self._format, self._options = j_format_descriptor

    @staticmethod
    def for_format(format: str) -> FormatDescriptor.Builder:  # noqa: A002
        """A builder for this format."""
        return FormatDescriptor.Builder(format)

    def get_format(self) -> str:
        return self._format

    def get_options(self) -> dict[str, str]:
        return dict(self._options)

    def __str__(self) -> str:
        return f"{self._format}[{{{', '.join(f'{k}={v}' for k, v in self._options.items())}}}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FormatDescriptor) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    class Builder:
        """Collects options."""

        def __init__(self, j_builder: str) -> None:
            self._format = j_builder
            self._options: dict[str, str] = {}

        def option(self, key: Any, value: Any) -> FormatDescriptor.Builder:
            """An option, without the format's name in front."""
            self._options[_key(key)] = str(value).lower() if isinstance(value, bool) else str(value)
            return self

        def build(self) -> FormatDescriptor:
            return FormatDescriptor((self._format, dict(self._options)))


use_flink_names(globals())
