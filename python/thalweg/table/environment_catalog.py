"""What a TableEnvironment does with catalogs: tables, views, functions, their lists."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg.table.nested_types import quote
from thalweg.table.paths import qualify, quote_path
from thalweg.util.exceptions import ValidationException
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Session
    from thalweg.table.catalog import Catalog, CatalogDescriptor, CatalogHandle
    from thalweg.table.model_descriptor import ModelDescriptor
    from thalweg.table.module import LoadedModules, Module, ModuleEntry
    from thalweg.table.table import Table
    from thalweg.table.table_descriptor import TableDescriptor


class EnvironmentCatalog:
    """The catalog methods of a TableEnvironment."""

    _session: Session
    _anonymous: int
    _modules: LoadedModules
    _handles: dict[str, CatalogHandle]
    _registered_catalogs: dict[str, Catalog]
    _models: dict[bool, dict[tuple[str, ...], ModelDescriptor]]

    def _synced(self) -> Session:
        raise NotImplementedError

    def _table(self, relation: Any) -> Table:
        from thalweg.table.table import Table

        return Table(relation, self)  # type: ignore[arg-type]

    def _read(self, relation: Any, path: str) -> Table:
        """A table that is read by its path."""
        from thalweg.table.table import query_operation

        table = self._table(relation)
        full = qualify(path, self._session.current())
        table._operation = lambda: query_operation().source(relation, full)
        return table

    def _read_registered(self, path: str) -> Table:
        """A table that statements can describe."""
        from thalweg.table.described_schema import described_schema

        table = self._read(self._synced().from_path(path), path)
        table._schema = partial(described_schema, self._session, qualify(path, self._session.current()))
        return table

    # --- tables and views
    def from_path(self, path: str) -> Table:
        """A registered table or view."""
        try:
            return self._read_registered(path)
        except ValidationException as error:
            if error.code_name != "TableNotFound":
                raise
            raise ValidationException(f"Table {quote_path(path)} was not found.", error.code, error.code_name) from None

    def from_descriptor(self, descriptor: TableDescriptor) -> Table:
        """A table that is only described here."""
        return self._read_registered(self._anonymous_table(descriptor))

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
        """The modules whose functions are found, in order."""
        return self._modules.used()

    def list_full_modules(self) -> list[ModuleEntry]:
        """All loaded modules, those in use first."""
        return self._modules.entries()

    def list_models(self) -> list[str]:
        """Models of the current database, temporary ones too."""
        return sorted({*self._model_names(False), *self._model_names(True)})

    def list_temporary_models(self) -> list[str]:
        return sorted(self._model_names(True))

    def _model_names(self, temporary: bool) -> list[str]:
        return [path[2] for path in self._models[temporary] if path[:2] == self._session.current()]

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
        self._create_function(name, function, True)

    def create_temporary_function(self, path: str, function: Any) -> None:
        """Makes a Python function callable by name in SQL."""
        self._create_function(path, function, False)

    def _create_function(self, path: str, function: Any, system: bool) -> None:
        from thalweg.table.row_functions import aggregates_of
        from thalweg.table.udf import native_function

        native = native_function(function, path)
        self._synced().create_function(path, native, True, system)
        if native.kind.endswith("aggregate"):
            aggregates_of(self).add(path.lower())

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

    # --- catalogs
    def create_catalog(self, catalog_name: str, catalog_descriptor: CatalogDescriptor) -> None:
        """Makes a catalog of the descriptor's type; `generic_in_memory` is there."""
        from thalweg.table.table_descriptor import _text

        options = ", ".join(f"{_text(key)} = {_text(value)}" for key, value in catalog_descriptor._options.items())
        comment = f" COMMENT {_text(catalog_descriptor._comment)}" if catalog_descriptor._comment else ""
        self._synced().execute(f"CREATE CATALOG {quote(catalog_name)}{comment} WITH ({options})")

    def register_catalog(self, catalog_name: str, catalog: Catalog) -> None:
        """Makes the tables of a catalog that is written in Python known to SQL."""
        from thalweg.table.catalog_bridge import CatalogBridge

        self._synced().register_catalog(catalog_name, CatalogBridge(catalog_name, catalog), catalog.get_default_database())
        self._registered_catalogs[catalog_name] = catalog

    def get_catalog(self, catalog_name: str) -> Catalog | None:
        """A catalog by name; None where there is none."""
        if catalog_name in self._registered_catalogs:
            return self._registered_catalogs[catalog_name]
        if catalog_name not in self.list_catalogs():
            return None
        from thalweg.table.catalog import Catalog, CatalogHandle

        if catalog_name not in self._handles:
            default = "default_database" if catalog_name == "default_catalog" else "default"
            self._handles[catalog_name] = CatalogHandle(self._session, catalog_name, default)
        return Catalog(self._handles[catalog_name])

    # --- modules
    def load_module(self, module_name: str, module: Module) -> None:
        """Loads a module of functions and uses it, after the others."""
        self._modules.load(self._synced(), module_name, module)

    def unload_module(self, module_name: str) -> None:
        """Takes a module away; the core module stays."""
        self._modules.unload(self._synced(), module_name)

    def use_modules(self, *module_names: str) -> None:
        """The modules whose functions are found, in this order; the core module must be one of them."""
        self._modules.use(self._synced(), module_names)

    # --- models: registered and listed; ML_PREDICT refuses them by name. A temporary one hides a permanent one of its name.
    def _model_path(self, path: str) -> tuple[str, ...]:
        return tuple(qualify(path, self._session.current()))

    def create_model(self, model_path: str, model_descriptor: ModelDescriptor, ignore_if_exists: bool = False) -> None:
        """Registers a model."""
        self._add_model(model_path, model_descriptor, ignore_if_exists, False)

    def create_temporary_model(self, model_path: str, model_descriptor: ModelDescriptor, ignore_if_exists: bool = False) -> None:
        """Registers a model for this environment's life."""
        self._add_model(model_path, model_descriptor, ignore_if_exists, True)

    def _add_model(self, path: str, descriptor: ModelDescriptor, ignore_if_exists: bool, temporary: bool) -> None:
        full, known = self._model_path(path), self._models[temporary]
        if full in known and not ignore_if_exists:
            kind = "Temporary model" if temporary else "Model"
            raise ValidationException(f"{kind} '{_identifier(full)}' already exists")
        known.setdefault(full, descriptor)

    def drop_model(self, model_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Whether there was one; without `ignore_if_not_exists` it is an error where there was none."""
        return self._remove_model(model_path, ignore_if_not_exists, False)

    def drop_temporary_model(self, model_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Whether there was one; without `ignore_if_not_exists` it is an error where there was none."""
        return self._remove_model(model_path, ignore_if_not_exists, True)

    def _remove_model(self, path: str, ignore_if_not_exists: bool, temporary: bool) -> bool:
        full = self._model_path(path)
        if not temporary and full in self._models[True]:
            raise ValidationException(
                f"Temporary model with identifier '{_identifier(full)}' exists. Drop it first before removing the permanent model."
            )
        if self._models[temporary].pop(full, None) is not None:
            return True
        if not ignore_if_not_exists:
            kind = "Temporary model" if temporary else "Model"
            raise ValidationException(f"{kind} with identifier '{_identifier(full)}' does not exist.")
        return False


def _identifier(path: tuple[str, ...]) -> str:
    return ".".join(quote(part) for part in path)
