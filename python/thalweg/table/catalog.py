"""Catalogs: where tables, views and functions are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.table.catalog_objects import (
    CatalogBaseTable,
    CatalogColumnStatistics,
    CatalogDatabase,
    CatalogDescriptor,
    CatalogFunction,
    CatalogModel,
    CatalogPartition,
    CatalogPartitionSpec,
    CatalogTableStatistics,
    ObjectIdentifier,
    ObjectPath,
    Procedure,
)
from thalweg.table.catalog_schema import (
    Column,
    ComputedColumn,
    Constraint,
    MetadataColumn,
    PhysicalColumn,
    ResolvedSchema,
    UniqueConstraint,
    WatermarkSpec,
    resolved_schema_of,
)
from thalweg.table.nested_types import quote
from thalweg.util import exceptions
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Session
    from thalweg.table.model_descriptor import ModelDescriptor

__all__ = [
    "Catalog", "CatalogBaseTable", "CatalogColumnStatistics", "CatalogDatabase", "CatalogDescriptor", "CatalogFunction",
    "CatalogModel", "CatalogPartition", "CatalogPartitionSpec", "CatalogTableStatistics", "Column", "ComputedColumn", "Constraint",
    "HiveCatalog", "MetadataColumn", "ObjectIdentifier", "ObjectPath", "PhysicalColumn", "Procedure", "ResolvedSchema", "UniqueConstraint",
    "WatermarkSpec", "resolved_schema_of",
]  # fmt: skip

_Value = TypeVar("_Value")


class CatalogHandle:
    """A catalog of an environment, by name. Partitions, statistics and models are noted here: the engine does not use them."""

    def __init__(self, session: Session, name: str, default_database: str = "default_database") -> None:
        self.session = session
        self.name = name
        self.default_database = default_database
        self.partitions: dict[ObjectPath, dict[CatalogPartitionSpec, CatalogPartition]] = {}
        self.statistics: dict[Any, Any] = {}
        self.models: dict[ObjectPath, ModelDescriptor] = {}

    def path(self, path: ObjectPath) -> str:
        """The full name, quoted."""
        return f"{quote(self.name)}.{quote(path.get_database_name())}.{quote(path.get_object_name())}"

    def database(self, name: str) -> str:
        """The database's full name, quoted."""
        return f"{quote(self.name)}.{quote(name)}"


class Catalog:
    """A place where databases, tables, views and functions are kept.

    `TableEnvironment.get_catalog` gives one. A catalog of one's own is a class derived from this one, with at least `list_databases`,
    `get_database`, `list_tables` and `get_table`; `TableEnvironment.register_catalog` makes its tables known to SQL.
    """

    def __init__(self, j_catalog: CatalogHandle | None = None) -> None:
        self._j_catalog = j_catalog

    def _handle(self, method: str) -> CatalogHandle:
        # A derived class may not call __init__ of this one.
        handle: CatalogHandle | None = getattr(self, "_j_catalog", None)
        if handle is None:
            raise unsupported(f"{type(self).__name__}.{method}: the class does not define it; it")
        return handle

    # --- databases
    def get_default_database(self) -> str:
        """The database that names without one belong to."""
        handle: CatalogHandle | None = getattr(self, "_j_catalog", None)
        return "default" if handle is None else handle.default_database

    def list_databases(self) -> list[str]:
        handle = self._handle("list_databases")
        return handle.session.catalog_databases(handle.name)

    def get_database(self, database_name: str) -> CatalogDatabase:
        """DatabaseNotExistException where there is none."""
        handle = self._handle("get_database")
        found = handle.session.catalog_database(handle.name, database_name)
        if found is None:
            raise exceptions.DatabaseNotExistException(f"Database {database_name} does not exist in Catalog {handle.name}.")
        return CatalogDatabase.create_instance(found[1], found[0])

    def database_exists(self, database_name: str) -> bool:
        return database_name in self.list_databases()

    def create_database(self, name: str, database: CatalogDatabase, ignore_if_exists: bool) -> None:
        """DatabaseAlreadyExistException where there is one."""
        handle = self._handle("create_database")
        if self.database_exists(name):
            if ignore_if_exists:
                return
            raise exceptions.DatabaseAlreadyExistException(f"Database {name} already exists in Catalog {handle.name}.")
        comment = database.get_comment()
        statement = f"CREATE DATABASE {handle.database(name)}"
        statement += f" COMMENT {_text(comment)}" if comment else ""
        handle.session.execute(statement + _options(" WITH", database.get_properties()))

    def drop_database(self, name: str, ignore_if_exists: bool) -> None:
        """An empty database; DatabaseNotEmptyException where it has tables."""
        handle = self._handle("drop_database")
        if not self.database_exists(name):
            if ignore_if_exists:
                return
            raise exceptions.DatabaseNotExistException(f"Database {name} does not exist in Catalog {handle.name}.")
        if handle.session.catalog_objects(handle.name, name) or self.list_functions(name):
            raise exceptions.DatabaseNotEmptyException(f"Database {name} in catalog {handle.name} is not empty.")
        handle.session.execute(f"DROP DATABASE {handle.database(name)}")

    def alter_database(self, name: str, new_database: CatalogDatabase, ignore_if_not_exists: bool) -> None:
        """Sets its properties."""
        handle = self._handle("alter_database")
        if not self.database_exists(name):
            if ignore_if_not_exists:
                return
            raise exceptions.DatabaseNotExistException(f"Database {name} does not exist in Catalog {handle.name}.")
        if new_database.get_properties():
            handle.session.execute(f"ALTER DATABASE {handle.database(name)}{_options(' SET', new_database.get_properties())}")

    # --- tables and views
    def list_tables(self, database_name: str) -> list[str]:
        """Tables and views."""
        handle = self._handle("list_tables")
        self._need_database(database_name)
        return [name for name, _ in handle.session.catalog_objects(handle.name, database_name)]

    def list_views(self, database_name: str) -> list[str]:
        handle = self._handle("list_views")
        self._need_database(database_name)
        return [name for name, is_view in handle.session.catalog_objects(handle.name, database_name) if is_view]

    def list_materialized_tables(self, database_name: str) -> list[str]:
        """None: there are no materialized tables."""
        self._need_database(database_name)
        return []

    def _need_database(self, name: str) -> None:
        if not self.database_exists(name):
            catalog = self._handle("list_databases").name
            raise exceptions.DatabaseNotExistException(f"Database {name} does not exist in Catalog {catalog}.")

    def get_table(self, table_path: ObjectPath) -> CatalogBaseTable:
        """A table or view; TableNotExistException where there is none."""
        handle = self._handle("get_table")
        found = handle.session.catalog_object(handle.name, table_path.get_database_name(), table_path.get_object_name())
        if found is None:
            raise exceptions.TableNotExistException(f"Table (or view) {table_path} does not exist in Catalog {handle.name}.")
        return _table_of(found)

    def table_exists(self, table_path: ObjectPath) -> bool:
        database = table_path.get_database_name()
        return self.database_exists(database) and table_path.get_object_name() in self.list_tables(database)

    def _missing_table(self, path: ObjectPath, ignore: bool) -> bool:
        """Whether it is missing and may be; raises where it is missing and may not."""
        if self.table_exists(path):
            return False
        if ignore:
            return True
        raise exceptions.TableNotExistException(f"Table (or view) {path} does not exist in Catalog {self._handle('get_table').name}.")

    def drop_table(self, table_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        handle = self._handle("drop_table")
        if not self._missing_table(table_path, ignore_if_not_exists):
            kind = "VIEW" if self.get_table(table_path)._query is not None else "TABLE"
            handle.session.execute(f"DROP {kind} {handle.path(table_path)}")
            handle.partitions.pop(table_path, None)

    def rename_table(self, table_path: ObjectPath, new_table_name: str, ignore_if_not_exists: bool) -> None:
        handle = self._handle("rename_table")
        if self._missing_table(table_path, ignore_if_not_exists):
            return
        renamed = ObjectPath(table_path.get_database_name(), new_table_name)
        if self.table_exists(renamed):
            raise exceptions.TableAlreadyExistException(f"Table (or view) {renamed} already exists in Catalog {handle.name}.")
        kind = "VIEW" if self.get_table(table_path)._query is not None else "TABLE"
        handle.session.execute(f"ALTER {kind} {handle.path(table_path)} RENAME TO {quote(new_table_name)}")

    def create_table(self, table_path: ObjectPath, table: CatalogBaseTable, ignore_if_exists: bool) -> None:
        """A table or a view; TableAlreadyExistException where there is one."""
        handle = self._handle("create_table")
        self._need_database(table_path.get_database_name())
        if self.table_exists(table_path):
            if ignore_if_exists:
                return
            raise exceptions.TableAlreadyExistException(f"Table (or view) {table_path} already exists in Catalog {handle.name}.")
        handle.session.execute(table._create_statement(handle.path(table_path), False))

    def alter_table(self, table_path: ObjectPath, new_table: CatalogBaseTable, ignore_if_not_exists: bool) -> None:
        """Puts another definition in its place."""
        handle = self._handle("alter_table")
        if self._missing_table(table_path, ignore_if_not_exists):
            return
        before = self.get_table(table_path)
        self.drop_table(table_path, False)
        try:
            handle.session.execute(new_table._create_statement(handle.path(table_path), False))
        except Exception:
            handle.session.execute(before._create_statement(handle.path(table_path), False))
            raise

    # --- partitions: noted, not used by queries
    def _partitions(self, path: ObjectPath, method: str) -> dict[CatalogPartitionSpec, CatalogPartition]:
        handle = self._handle(method)
        self._missing_table(path, False)
        if not self.get_table(path)._parts.get("partition_keys"):
            raise exceptions.TableNotPartitionedException(f"Table {path} in catalog {handle.name} is not partitioned.")
        return handle.partitions.setdefault(path, {})

    def _known_partitions(self, path: ObjectPath, method: str) -> dict[CatalogPartitionSpec, CatalogPartition]:
        """None where there is no table, or one without partitions."""
        self._handle(method)
        try:
            return self._partitions(path, method)
        except (exceptions.TableNotExistException, exceptions.TableNotPartitionedException):
            return {}

    def list_partitions(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec | None = None) -> list[CatalogPartitionSpec]:
        """The partitions that have the given values."""
        wanted = ({} if partition_spec is None else partition_spec.get_partition_spec()).items()
        return [spec for spec in self._partitions(table_path, "list_partitions") if wanted <= spec.get_partition_spec().items()]

    def get_partition(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> CatalogPartition:
        """PartitionNotExistException where there is none."""
        found = self._known_partitions(table_path, "get_partition")
        if partition_spec not in found:
            raise exceptions.PartitionNotExistException(f"Partition {partition_spec} of table {table_path} does not exist.")
        return found[partition_spec]

    def partition_exists(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> bool:
        return partition_spec in self._known_partitions(table_path, "partition_exists")

    def create_partition(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec, partition: CatalogPartition, ignore_if_exists: bool
    ) -> None:
        """PartitionAlreadyExistsException where there is one; PartitionSpecInvalidException where it does not name the keys."""
        found = self._partitions(table_path, "create_partition")
        keys = self.get_table(table_path)._parts["partition_keys"]
        if set(keys) != set(partition_spec.get_partition_spec()):
            raise exceptions.PartitionSpecInvalidException(
                f"{partition_spec} does not match the partition keys {keys} of table {table_path}."
            )
        if partition_spec in found and not ignore_if_exists:
            raise exceptions.PartitionAlreadyExistsException(f"Partition {partition_spec} of table {table_path} already exists.")
        found.setdefault(partition_spec, partition)

    def drop_partition(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec, ignore_if_not_exists: bool) -> None:
        found = self._known_partitions(table_path, "drop_partition")
        if found.pop(partition_spec, None) is None and not ignore_if_not_exists:
            raise exceptions.PartitionNotExistException(f"Partition {partition_spec} of table {table_path} does not exist.")

    def alter_partition(
        self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec, new_partition: CatalogPartition, ignore_if_not_exists: bool
    ) -> None:
        """Puts another definition in its place."""
        found = self._known_partitions(table_path, "alter_partition")
        if partition_spec in found:
            found[partition_spec] = new_partition
        elif not ignore_if_not_exists:
            raise exceptions.PartitionNotExistException(f"Partition {partition_spec} of table {table_path} does not exist.")

    # --- functions and procedures
    def list_functions(self, database_name: str) -> list[str]:
        handle = self._handle("list_functions")
        self._need_database(database_name)
        return handle.session.catalog_functions(handle.name, database_name)

    def list_procedures(self, database_name: str) -> list[str]:
        """None: there are no procedures."""
        self._need_database(database_name)
        return []

    def get_function(self, function_path: ObjectPath) -> CatalogFunction:
        """FunctionNotExistException where there is none."""
        handle = self._handle("get_function")
        found = handle.session.catalog_function(handle.name, function_path.get_database_name(), function_path.get_object_name())
        if found is None:
            raise exceptions.FunctionNotExistException(f"Function {function_path} does not exist in Catalog {handle.name}.")
        return CatalogFunction(found)

    def get_procedure(self, procedure_path: ObjectPath) -> Procedure:
        """Refused: there are no procedures."""
        raise unsupported(f"the procedure {procedure_path}: stored procedures; Catalog.get_procedure")

    def function_exists(self, function_path: ObjectPath) -> bool:
        database = function_path.get_database_name()
        return self.database_exists(database) and function_path.get_object_name().lower() in self.list_functions(database)

    def create_function(self, function_path: ObjectPath, function: CatalogFunction, ignore_if_exists: bool) -> None:
        """FunctionAlreadyExistException where there is one."""
        handle = self._handle("create_function")
        self._need_database(function_path.get_database_name())
        if self.function_exists(function_path):
            if ignore_if_exists:
                return
            raise exceptions.FunctionAlreadyExistException(f"Function {function_path} already exists in Catalog {handle.name}.")
        language = function.get_function_language()
        handle.session.execute(f"CREATE FUNCTION {handle.path(function_path)} AS {_text(function.get_class_name())} LANGUAGE {language}")

    def alter_function(self, function_path: ObjectPath, new_function: CatalogFunction, ignore_if_not_exists: bool) -> None:
        """Puts another definition in its place."""
        handle = self._handle("alter_function")
        if self._missing_function(function_path, ignore_if_not_exists):
            return
        language = new_function.get_function_language()
        handle.session.execute(f"DROP FUNCTION {handle.path(function_path)}")
        handle.session.execute(
            f"CREATE FUNCTION {handle.path(function_path)} AS {_text(new_function.get_class_name())} LANGUAGE {language}"
        )

    def drop_function(self, function_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        handle = self._handle("drop_function")
        if not self._missing_function(function_path, ignore_if_not_exists):
            handle.session.execute(f"DROP FUNCTION {handle.path(function_path)}")

    def _missing_function(self, path: ObjectPath, ignore: bool) -> bool:
        if self.function_exists(path):
            return False
        if ignore:
            return True
        raise exceptions.FunctionNotExistException(f"Function {path} does not exist in Catalog {self._handle('get_function').name}.")

    # --- models: noted, not used by queries
    def list_models(self, database_name: str) -> list[str]:
        handle = self._handle("list_models")
        return sorted(path.get_object_name() for path in handle.models if path.get_database_name() == database_name)

    def get_model(self, model_path: ObjectPath) -> ModelDescriptor:
        """ModelNotExistException where there is none."""
        handle = self._handle("get_model")
        if model_path not in handle.models:
            raise exceptions.ModelNotExistException(f"Model {model_path} does not exist in Catalog {handle.name}.")
        return handle.models[model_path]

    def model_exists(self, model_path: ObjectPath) -> bool:
        return model_path in self._handle("model_exists").models

    def drop_model(self, model_path: ObjectPath, ignore_if_not_exists: bool) -> None:
        if self.model_exists(model_path) or not ignore_if_not_exists:
            self.get_model(model_path)
            del self._handle("drop_model").models[model_path]

    def rename_model(self, model_path: ObjectPath, new_model_name: str, ignore_if_not_exists: bool) -> None:
        handle = self._handle("rename_model")
        if self.model_exists(model_path) or not ignore_if_not_exists:
            renamed = ObjectPath(model_path.get_database_name(), new_model_name)
            if renamed in handle.models:
                raise exceptions.ModelAlreadyExistException(f"Model {renamed} already exists in Catalog {handle.name}.")
            handle.models[renamed] = self.get_model(model_path)
            del handle.models[model_path]

    def create_model(self, model_path: ObjectPath, model: ModelDescriptor, ignore_if_exists: bool) -> None:
        """ModelAlreadyExistException where there is one."""
        handle = self._handle("create_model")
        self._need_database(model_path.get_database_name())
        if self.model_exists(model_path) and not ignore_if_exists:
            raise exceptions.ModelAlreadyExistException(f"Model {model_path} already exists in Catalog {handle.name}.")
        handle.models.setdefault(model_path, model)

    def alter_model(self, model_path: ObjectPath, new_model: ModelDescriptor, ignore_if_not_exists: bool) -> None:
        """Puts another definition in its place."""
        if self.model_exists(model_path) or not ignore_if_not_exists:
            self.get_model(model_path)
            self._handle("alter_model").models[model_path] = new_model

    # --- statistics: noted, not used by queries
    def _statistics(self, key: Any, otherwise: Callable[[], _Value]) -> _Value:
        found: _Value = self._handle("get_table_statistics").statistics.get(key) or otherwise()
        return found

    def get_table_statistics(self, table_path: ObjectPath) -> CatalogTableStatistics:
        """As they were set; -1 where they are not known."""
        self._missing_table(table_path, False)
        return self._statistics((table_path, "table"), _unknown_sizes)

    def get_table_column_statistics(self, table_path: ObjectPath) -> CatalogColumnStatistics:
        """As they were set; empty where they are not known."""
        self._missing_table(table_path, False)
        return self._statistics((table_path, "columns"), CatalogColumnStatistics)

    def get_partition_statistics(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> CatalogTableStatistics:
        """As they were set; -1 where they are not known."""
        self.get_partition(table_path, partition_spec)
        return self._statistics((table_path, partition_spec, "table"), _unknown_sizes)

    def bulk_get_partition_statistics(
        self, table_path: ObjectPath, partition_specs: list[CatalogPartitionSpec]
    ) -> list[CatalogTableStatistics]:
        """`get_partition_statistics` of each."""
        return [self.get_partition_statistics(table_path, spec) for spec in partition_specs]

    def get_partition_column_statistics(self, table_path: ObjectPath, partition_spec: CatalogPartitionSpec) -> CatalogColumnStatistics:
        """As they were set; empty where they are not known."""
        self.get_partition(table_path, partition_spec)
        return self._statistics((table_path, partition_spec, "columns"), CatalogColumnStatistics)

    def bulk_get_partition_column_statistics(
        self, table_path: ObjectPath, partition_specs: list[CatalogPartitionSpec]
    ) -> list[CatalogColumnStatistics]:
        """`get_partition_column_statistics` of each."""
        return [self.get_partition_column_statistics(table_path, spec) for spec in partition_specs]

    def alter_table_statistics(self, table_path: ObjectPath, table_statistics: CatalogTableStatistics, ignore_if_not_exists: bool) -> None:
        """Notes sizes."""
        if not self._missing_table(table_path, ignore_if_not_exists):
            self._handle("alter_table_statistics").statistics[(table_path, "table")] = table_statistics

    def alter_table_column_statistics(
        self, table_path: ObjectPath, column_statistics: CatalogColumnStatistics, ignore_if_not_exists: bool
    ) -> None:
        """Notes statistics of columns."""
        if not self._missing_table(table_path, ignore_if_not_exists):
            self._handle("alter_table_column_statistics").statistics[(table_path, "columns")] = column_statistics

    def alter_partition_statistics(
        self,
        table_path: ObjectPath,
        partition_spec: CatalogPartitionSpec,
        partition_statistics: CatalogTableStatistics,
        ignore_if_not_exists: bool,
    ) -> None:
        """Notes sizes."""
        if self.partition_exists(table_path, partition_spec) or not ignore_if_not_exists:
            self.get_partition(table_path, partition_spec)
            self._handle("alter_partition_statistics").statistics[(table_path, partition_spec, "table")] = partition_statistics

    def alter_partition_column_statistics(
        self,
        table_path: ObjectPath,
        partition_spec: CatalogPartitionSpec,
        column_statistics: CatalogColumnStatistics,
        ignore_if_not_exists: bool,
    ) -> None:
        """Notes statistics of columns."""
        if self.partition_exists(table_path, partition_spec) or not ignore_if_not_exists:
            self.get_partition(table_path, partition_spec)
            self._handle("alter_partition_column_statistics").statistics[(table_path, partition_spec, "columns")] = column_statistics


class HiveCatalog(Catalog):
    """Refused: there is no Hive metastore here."""

    def __init__(
        self,
        catalog_name: str,
        default_database: str | None = None,
        hive_conf_dir: str | None = None,
        hadoop_conf_dir: str | None = None,
        hive_version: str | None = None,
    ) -> None:
        super().__init__(None)
        raise unsupported(
            f"HiveCatalog ({catalog_name}): keep the tables in a catalog of type generic_in_memory, or derive one from Catalog; it"
        )


def _unknown_sizes() -> CatalogTableStatistics:
    return CatalogTableStatistics(-1, -1, -1, -1)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _options(word: str, values: dict[str, str]) -> str:
    return f"{word} ({', '.join(f'{_text(k)} = {_text(v)}' for k, v in values.items())})" if values else ""


def _table_of(parts: dict[str, Any]) -> CatalogBaseTable:
    """What the engine tells about a table or a view."""
    from thalweg.table.schema import Schema

    return CatalogBaseTable({**parts, "schema": Schema(parts["schema"])})


use_flink_names(globals())
