"""What a TableEnvironment does with catalogs: tables, views, functions, their lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.table.nested_types import quote
from thalweg.table.paths import quote_path
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Session
    from thalweg.table.table import Table
    from thalweg.table.table_descriptor import TableDescriptor


class EnvironmentCatalog:
    """The catalog methods of a TableEnvironment."""

    _session: Session
    _anonymous: int

    def _synced(self) -> Session:
        raise NotImplementedError

    def _table(self, relation: Any) -> Table:
        from thalweg.table.table import Table

        return Table(relation, self)  # type: ignore[arg-type]

    # --- tables and views
    def from_path(self, path: str) -> Table:
        """A registered table or view."""
        return self._table(self._synced().from_path(path))

    def from_descriptor(self, descriptor: TableDescriptor) -> Table:
        """A table that is only described here."""
        return self._table(self._synced().from_path(self._anonymous_table(descriptor)))

    def _anonymous_table(self, descriptor: TableDescriptor, query: Table | None = None) -> str:
        """Registers a descriptor under a name that no program can write by accident; a sink without a schema takes the query's."""
        self._anonymous += 1
        if descriptor.get_schema() is None and query is not None:
            from thalweg.table.schema import Schema
            from thalweg.table.table_descriptor import TableDescriptor

            schema = query.get_schema()
            columns = Schema.new_builder().from_fields(schema.get_field_names(), schema.get_field_data_types()).build()
            descriptor = TableDescriptor({**descriptor._parts(), "schema": columns})
        connector = descriptor.get_options().get("connector", "")
        path = quote(f"*anonymous_{connector}${self._anonymous}*")
        self._session.execute(descriptor._create_statement(path, True, False))
        return path

    def create_temporary_table(self, path: str, descriptor: TableDescriptor, ignoreIfExists: bool = False) -> None:  # noqa: N803
        """Registers a table for this environment's life."""
        self._synced().execute(descriptor._create_statement(quote_path(path), True, ignoreIfExists))

    def create_table(self, path: str, descriptor: TableDescriptor, ignoreIfExists: bool = False) -> bool:  # noqa: N803
        """Registers a table in a catalog; whether it was not there before."""
        existed = ignoreIfExists and path in self.list_tables()
        self._synced().execute(descriptor._create_statement(quote_path(path), False, ignoreIfExists))
        return not existed

    def create_temporary_view(self, view_path: str, table_or_data_stream: Any, *fields_or_schema: Any) -> None:
        """Registers a Table under a name."""
        relation = getattr(table_or_data_stream, "_relation", None)
        if relation is None or fields_or_schema:
            raise unsupported("create_temporary_view of a DataStream")
        self._synced().create_view(view_path, relation, True, False)

    def create_view(self, view_path: str, table: Table, ignore_if_exists: bool = False) -> bool:
        """Registers a Table as a view in a catalog; whether it was not there before."""
        existed = view_path in self.list_views()
        self._synced().create_view(view_path, table._relation, False, ignore_if_exists)
        return not existed

    def drop_temporary_table(self, table_path: str) -> bool:
        """Whether there was one."""
        return self._synced().drop("TABLE", table_path, True)

    def drop_table(self, table_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Whether there was one; without `ignore_if_not_exists` it is an error where there was none."""
        if not ignore_if_not_exists:
            self._synced().execute(f"DROP TABLE {quote_path(table_path)}")
            return True
        return self._synced().drop("TABLE", table_path, False)

    def drop_temporary_view(self, view_path: str) -> bool:
        """Whether there was one."""
        return self._synced().drop("VIEW", view_path, True)

    def drop_view(self, view_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Whether there was one; without `ignore_if_not_exists` it is an error where there was none."""
        if not ignore_if_not_exists:
            self._synced().execute(f"DROP VIEW {quote_path(view_path)}")
            return True
        return self._synced().drop("VIEW", view_path, False)

    # --- lists
    def _names(self, kind: str) -> list[str]:
        return [name for name in self._synced().list(kind) if not name.startswith("*anonymous")]

    def list_catalogs(self) -> list[str]:
        return self._names("catalogs")

    def list_databases(self) -> list[str]:
        return self._names("databases")

    def list_tables(self) -> list[str]:
        """Tables and views of the current database, temporary ones too."""
        return self._names("tables")

    def list_views(self) -> list[str]:
        return self._names("views")

    def list_materialized_tables(self) -> list[str]:
        return []

    def list_temporary_tables(self) -> list[str]:
        """Temporary tables and views."""
        return self._names("temporary_tables")

    def list_temporary_views(self) -> list[str]:
        return self._names("temporary_views")

    def list_functions(self) -> list[str]:
        return self._names("functions")

    def list_user_defined_functions(self) -> list[str]:
        return self._names("user_functions")

    def list_modules(self) -> list[str]:
        return self._names("modules")

    def list_full_modules(self) -> list[Any]:
        from thalweg.table.module import ModuleEntry

        return [ModuleEntry(name, True) for name in self._names("modules")]

    def list_models(self) -> list[str]:
        return []

    def list_temporary_models(self) -> list[str]:
        return []

    # --- where names are looked for
    def get_current_catalog(self) -> str:
        return self._session.current()[0]

    def use_catalog(self, catalog_name: str) -> None:
        """Makes it the catalog of names without one."""
        self._synced().execute(f"USE CATALOG {quote(catalog_name)}")

    def get_current_database(self) -> str:
        return self._session.current()[1]

    def use_database(self, database_name: str) -> None:
        """Makes it the database of names without one."""
        self._synced().execute(f"USE {quote(database_name)}")

    # --- functions
    def create_temporary_system_function(self, name: str, function: Any) -> None:
        """Makes a Python function callable by name in SQL, everywhere."""
        from thalweg.table.udf import native_function

        self._synced().create_function(name, native_function(function, name), True, True)

    def create_temporary_function(self, path: str, function: Any) -> None:
        """Makes a Python function callable by name in SQL."""
        from thalweg.table.udf import native_function

        self._synced().create_function(path, native_function(function, path), True, False)

    def drop_temporary_system_function(self, name: str) -> bool:
        """Whether there was one."""
        return self._synced().drop("SYSTEM FUNCTION", name, True)

    def drop_temporary_function(self, path: str) -> bool:
        """Whether there was one."""
        return self._synced().drop("FUNCTION", path, True)

    def drop_function(self, path: str) -> bool:
        """Whether there was one."""
        return self._synced().drop("FUNCTION", path, False)

    def create_java_temporary_system_function(self, name: str, function_class_name: str) -> None:
        """Refused: there is no JVM."""
        raise unsupported(f"the Java function {function_class_name}")

    def create_java_function(self, path: str, function_class_name: str, ignore_if_exists: bool | None = None) -> None:
        """Refused: there is no JVM."""
        raise unsupported(f"the Java function {function_class_name}")

    def create_java_temporary_function(self, path: str, function_class_name: str) -> None:
        """Refused: there is no JVM."""
        raise unsupported(f"the Java function {function_class_name}")

    # --- catalogs, modules, models: later
    def create_catalog(self, catalog_name: str, catalog_descriptor: Any) -> None:
        """Refused: further catalogs are not there yet."""
        raise unsupported("TableEnvironment.create_catalog")

    def register_catalog(self, catalog_name: str, catalog: Any) -> None:
        """Refused: further catalogs are not there yet."""
        raise unsupported("TableEnvironment.register_catalog")

    def get_catalog(self, catalog_name: str) -> Any:
        """Refused: catalog objects are not there yet."""
        raise unsupported("TableEnvironment.get_catalog")

    def load_module(self, module_name: str, module: Any) -> None:
        """Refused: there are no further modules."""
        raise unsupported("TableEnvironment.load_module")

    def unload_module(self, module_name: str) -> None:
        """Refused: the core module stays."""
        raise unsupported("TableEnvironment.unload_module")

    def use_modules(self, *module_names: str) -> None:
        """Accepted for the core module alone."""
        if module_names != ("core",):
            raise unsupported(f"the modules {', '.join(module_names)}")

    def create_model(self, model_path: str, model_descriptor: Any, ignore_if_exists: bool = False) -> None:
        """Refused: models are not there yet."""
        raise unsupported("TableEnvironment.create_model")

    def create_temporary_model(self, model_path: str, model_descriptor: Any, ignore_if_exists: bool = False) -> None:
        """Refused: models are not there yet."""
        raise unsupported("TableEnvironment.create_temporary_model")

    def drop_model(self, model_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Refused: models are not there yet."""
        raise unsupported("TableEnvironment.drop_model")

    def drop_temporary_model(self, model_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Refused: models are not there yet."""
        raise unsupported("TableEnvironment.drop_temporary_model")
