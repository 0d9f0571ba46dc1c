"""What catalogs hold: databases, tables, partitions, functions, statistics, and the names of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.table.nested_types import quote

if TYPE_CHECKING:
    from thalweg.common.configuration import Configuration
    from thalweg.table.schema import Schema
    from thalweg.table.table_schema import TableSchema

__all__ = [
    "CatalogBaseTable", "CatalogColumnStatistics", "CatalogDatabase", "CatalogDescriptor", "CatalogFunction", "CatalogPartition",
    "CatalogPartitionSpec", "CatalogTableStatistics", "ObjectIdentifier", "ObjectPath", "Procedure",
]  # fmt: skip


class _Described:
    """An object with properties and a comment."""

    def __init__(self, parts: dict[str, Any]) -> None:
        self._parts = dict(parts)

    def get_comment(self) -> str | None:
        comment: str | None = self._parts.get("comment")
        return comment

    def get_description(self) -> str | None:
        """The comment."""
        return self.get_comment()

    def get_detailed_description(self) -> str | None:
        """The comment."""
        return self.get_comment()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._parts == getattr(other, "_parts", None)

    def __hash__(self) -> int:
        return hash(str(self._parts))


class CatalogDatabase(_Described):
    """A database: properties and a comment."""

    def __init__(self, j_catalog_database: dict[str, Any]) -> None:
        super().__init__(j_catalog_database)

    @staticmethod
    def create_instance(properties: dict[str, str], comment: str | None = None) -> CatalogDatabase:
        """A database of these properties."""
        return CatalogDatabase({"properties": dict(properties), "comment": comment})

    def get_properties(self) -> dict[str, str]:
        return dict(self._parts["properties"])

    def copy(self) -> CatalogDatabase:
        return CatalogDatabase(self._parts)


class CatalogBaseTable(_Described):
    """A table or a view."""

    def __init__(self, j_catalog_base_table: dict[str, Any]) -> None:
        super().__init__(j_catalog_base_table)

    @staticmethod
    def create_table(
        schema: TableSchema | Schema,
        partition_keys: list[str] = [],  # noqa: B006 - as in Flink; never changed
        properties: dict[str, str] = {},  # noqa: B006
        comment: str | None = None,
    ) -> CatalogBaseTable:
        """A table: columns, the keys by which it is parted, the connector's options."""
        return CatalogBaseTable(
            {"schema": _unresolved(schema), "partition_keys": list(partition_keys), "options": dict(properties), "comment": comment}
        )

    @staticmethod
    def create_view(
        original_query: str, expanded_query: str, schema: TableSchema | Schema, properties: dict[str, str], comment: str | None = None
    ) -> CatalogBaseTable:
        """A view: its query as typed and with all names written out."""
        return CatalogBaseTable(
            {
                "schema": _unresolved(schema),
                "query": original_query,
                "expanded_query": expanded_query,
                "options": dict(properties),
                "comment": comment,
            }
        )

    def get_options(self) -> dict[str, str]:
        """The connector's options."""
        return dict(self._parts.get("options", {}))

    def get_unresolved_schema(self) -> Schema:
        """Columns, watermark and key as declared."""
        schema: Schema = self._parts["schema"]
        return schema

    def copy(self) -> CatalogBaseTable:
        return CatalogBaseTable(self._parts)

    @property
    def _query(self) -> str | None:
        """A view's query; None for a table."""
        query: str | None = self._parts.get("expanded_query") or self._parts.get("query")
        return query

    def _create_statement(self, path: str, ignore_if_exists: bool) -> str:
        """The CREATE TABLE or CREATE VIEW that says the same."""
        query = self._query
        if query is not None:
            comment = self.get_comment()
            names = ", ".join(quote(name) for name in self.get_unresolved_schema()._column_names())
            words = f"CREATE VIEW {'IF NOT EXISTS ' if ignore_if_exists else ''}{path}" + (f" ({names})" if names else "")
            return words + (" COMMENT '" + comment.replace("'", "''") + "'" if comment else "") + f" AS {query}"
        from thalweg.table.table_descriptor import TableDescriptor

        return TableDescriptor(self._parts)._create_statement(path, False, ignore_if_exists)


def _unresolved(schema: TableSchema | Schema) -> Schema:
    from thalweg.table.schema import Schema

    if isinstance(schema, Schema):
        return schema
    return Schema.new_builder().from_fields(schema.get_field_names(), schema.get_field_data_types()).build()


class CatalogPartition(_Described):
    """A partition of a table."""

    def __init__(self, j_catalog_partition: dict[str, Any]) -> None:
        super().__init__(j_catalog_partition)

    @staticmethod
    def create_instance(properties: dict[str, str], comment: str | None = None) -> CatalogPartition:
        """A partition of these properties."""
        return CatalogPartition({"properties": dict(properties), "comment": comment})

    def get_properties(self) -> dict[str, str]:
        return dict(self._parts["properties"])

    def copy(self) -> CatalogPartition:
        return CatalogPartition(self._parts)


class CatalogFunction(_Described):
    """A function: a class or a Python name, and its language."""

    def __init__(self, j_catalog_function: dict[str, Any]) -> None:
        super().__init__(j_catalog_function)

    @staticmethod
    def create_instance(class_name: str, function_language: str = "Python") -> CatalogFunction:
        """A function by the name of its class, or `module.name` in Python."""
        return CatalogFunction({"class_name": class_name, "language": function_language})

    def get_class_name(self) -> str:
        return str(self._parts["class_name"])

    def get_function_language(self) -> str:
        return str(self._parts["language"]).upper()

    def get_options(self) -> dict[str, str]:
        return dict(self._parts.get("options", {}))

    def get_description(self) -> str | None:
        """What kind of function it is."""
        return f"This is a user-defined function in {self.get_function_language()}"

    def get_detailed_description(self) -> str | None:
        """What kind of function it is, and its name."""
        return f"{self.get_description()}: {self.get_class_name()}"

    def copy(self) -> CatalogFunction:
        return CatalogFunction(self._parts)


class CatalogModel(_Described):
    """A model: its input and output columns and its options."""

    def __init__(self, j_catalog_model: dict[str, Any]) -> None:
        super().__init__(j_catalog_model)

    @staticmethod
    def create_model(
        input_schema: Schema, output_schema: Schema, options: dict[str, str] | None = None, comment: str | None = None
    ) -> CatalogModel:
        """A model of these parts."""
        return CatalogModel({"input": input_schema, "output": output_schema, "options": dict(options or {}), "comment": comment})

    def get_options(self) -> dict[str, str]:
        return dict(self._parts["options"])

    def copy(self) -> CatalogModel:
        return CatalogModel(self._parts)


class Procedure:
    """A stored procedure. No catalog here holds any."""

    def __init__(self, j_procedure: Any) -> None:
        self._j_procedure = j_procedure


class ObjectPath:
    """A database and an object in it."""

    def __init__(
        self, database_name: str | None = None, object_name: str | None = None, j_object_path: tuple[str, str] | None = None
    ) -> None:
        self._database, self._object = j_object_path or (str(database_name), str(object_name))

    def get_database_name(self) -> str:
        return self._database

    def get_object_name(self) -> str:
        return self._object

    def get_full_name(self) -> str:
        """database.object"""
        return f"{self._database}.{self._object}"

    def compare_to(self, other: ObjectPath) -> bool:
        return self == other

    @staticmethod
    def from_string(full_name: str) -> ObjectPath:
        """Reads `database.object`."""
        database, dot, name = full_name.partition(".")
        if not dot:
            raise ValueError(f"Cannot split '{full_name}' to get databaseName and objectName")
        return ObjectPath(database, name)

    def __str__(self) -> str:
        return self.get_full_name()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectPath) and self.get_full_name() == other.get_full_name()

    def __hash__(self) -> int:
        return hash(self.get_full_name())


class ObjectIdentifier:
    """A catalog, a database and an object in it."""

    def __init__(self, j_object_identifier: tuple[str, str, str]) -> None:
        self._parts = tuple(j_object_identifier)

    @staticmethod
    def of(catalog_name: str, database_name: str, object_name: str) -> ObjectIdentifier:
        """The identifier of these three names."""
        assert catalog_name is not None, "Catalog name must not be null."
        assert database_name is not None, "Database name must not be null."
        assert object_name is not None, "Object name must not be null."
        return ObjectIdentifier((catalog_name, database_name, object_name))

    def get_catalog_name(self) -> str:
        return self._parts[0]

    def get_database_name(self) -> str:
        return self._parts[1]

    def get_object_name(self) -> str:
        return self._parts[2]

    def to_object_path(self) -> ObjectPath:
        """Without the catalog."""
        return ObjectPath(self._parts[1], self._parts[2])

    def to_list(self) -> list[str]:
        return list(self._parts)

    def as_serializable_string(self) -> str:
        """`catalog`.`database`.`object`"""
        return ".".join(quote(part) for part in self._parts)

    def as_summary_string(self) -> str:
        """catalog.database.object"""
        return ".".join(self._parts)

    def __str__(self) -> str:
        return self.as_serializable_string()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectIdentifier) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)


class CatalogPartitionSpec:
    """Values of the partition keys: {"day": "2024-01-01"}."""

    def __init__(self, partition_spec: dict[str, str]) -> None:
        self._spec = dict(partition_spec)

    def get_partition_spec(self) -> dict[str, str]:
        return dict(self._spec)

    def __str__(self) -> str:
        return f"CatalogPartitionSpec{{{self._spec}}}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CatalogPartitionSpec) and self._spec == other._spec

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._spec.items())))


class CatalogTableStatistics:
    """Sizes of a table."""

    def __init__(
        self,
        row_count: int | None = None,
        field_count: int | None = None,
        total_size: int | None = None,
        raw_data_size: int | None = None,
        properties: dict[str, str] | None = None,
        j_catalog_table_statistics: CatalogTableStatistics | None = None,
    ) -> None:
        given = j_catalog_table_statistics
        sizes = (row_count, field_count, total_size, raw_data_size)
        self._sizes: tuple[int | None, ...] = sizes if given is None else given._sizes
        self._properties: dict[str, str] = dict((properties or {}) if given is None else given.get_properties())

    def get_row_count(self) -> int | None:
        return self._sizes[0]

    def get_field_count(self) -> int | None:
        return self._sizes[1]

    def get_total_size(self) -> int | None:
        """Bytes on disk."""
        return self._sizes[2]

    def get_raw_data_size(self) -> int | None:
        """Bytes in memory."""
        return self._sizes[3]

    def get_properties(self) -> dict[str, str]:
        return dict(self._properties)

    def copy(self) -> CatalogTableStatistics:
        return CatalogTableStatistics(j_catalog_table_statistics=self)


class CatalogColumnStatistics:
    """Statistics of columns, by name."""

    def __init__(
        self,
        column_statistics_data: dict[str, Any] | None = None,
        properties: dict[str, str] | None = None,
        j_catalog_column_statistics: CatalogColumnStatistics | None = None,
    ) -> None:
        given = j_catalog_column_statistics
        self._data: dict[str, Any] = dict((column_statistics_data or {}) if given is None else given.get_column_statistics_data())
        self._properties: dict[str, str] = dict((properties or {}) if given is None else given.get_properties())

    def get_column_statistics_data(self) -> dict[str, Any]:
        return dict(self._data)

    def get_properties(self) -> dict[str, str]:
        return dict(self._properties)

    def copy(self) -> CatalogColumnStatistics:
        return CatalogColumnStatistics(j_catalog_column_statistics=self)


class CatalogDescriptor:
    """A catalog to be made: name, configuration, comment."""

    def __init__(self, j_catalog_descriptor: tuple[str, dict[str, str], str | None]) -> None:
        self._name, self._options, self._comment = j_catalog_descriptor

    @staticmethod
    def of(catalog_name: str, configuration: Configuration, comment: str | None = None) -> CatalogDescriptor:
        """A catalog of the type that `configuration` names: `{"type": "generic_in_memory"}`."""
        return CatalogDescriptor((catalog_name, configuration.to_dict(), comment))


for _class in (
    CatalogDatabase, CatalogBaseTable, CatalogPartition, CatalogFunction, Procedure, ObjectPath, ObjectIdentifier, CatalogPartitionSpec,
    CatalogTableStatistics, CatalogColumnStatistics, CatalogDescriptor,
):  # fmt: skip
    _class.__module__ = "pyflink.table.catalog"
