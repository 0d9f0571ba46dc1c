"""How the engine asks a catalog that is written in Python."""

from __future__ import annotations

from typing import Any

from thalweg.table.catalog import Catalog, CatalogBaseTable, CatalogDatabase, CatalogFunction, ObjectPath
from thalweg.table.nested_types import quote
from thalweg.util.exceptions import DatabaseNotExistException, FunctionNotExistException, TableNotExistException


class CatalogBridge:
    """Hands a catalog's objects to the engine as statements and plain values, and the engine's to the catalog as its classes."""

    def __init__(self, name: str, catalog: Catalog) -> None:
        self._name = name
        self._catalog = catalog

    def databases(self) -> list[str]:
        return sorted(self._catalog.list_databases())

    def database(self, name: str) -> tuple[str | None, dict[str, str]] | None:
        """Comment and properties; None where there is none."""
        if name not in self._catalog.list_databases():
            return None
        try:
            found = self._catalog.get_database(name)
        except (DatabaseNotExistException, NotImplementedError):
            return (None, {})
        return (found.get_comment(), found.get_properties())

    def put_database(self, name: str, properties: dict[str, str], comment: str | None) -> None:
        database = CatalogDatabase.create_instance(properties, comment)
        if name in self._catalog.list_databases():
            self._catalog.alter_database(name, database, False)
        else:
            self._catalog.create_database(name, database, False)

    def remove_database(self, name: str) -> None:
        self._catalog.drop_database(name, False)

    def objects(self, database: str) -> list[str]:
        """Tables and views."""
        try:
            return sorted(self._catalog.list_tables(database))
        except DatabaseNotExistException:
            return []

    def statement(self, database: str, name: str) -> str | None:
        """The CREATE TABLE or CREATE VIEW of an object; None where there is none."""
        try:
            found = self._catalog.get_table(ObjectPath(database, name))
        except (TableNotExistException, DatabaseNotExistException):
            return None
        return found._create_statement(".".join(quote(part) for part in (self._name, database, name)), False)

    def put_object(self, database: str, name: str, parts: dict[str, Any]) -> None:
        from thalweg.table.schema import Schema

        table = CatalogBaseTable({**parts, "schema": Schema(parts["schema"])})
        path = ObjectPath(database, name)
        if self._catalog.table_exists(path):
            self._catalog.alter_table(path, table, False)
        else:
            self._catalog.create_table(path, table, False)

    def remove_object(self, database: str, name: str) -> None:
        self._catalog.drop_table(ObjectPath(database, name), False)

    def functions(self, database: str) -> list[str]:
        """Names in lower case; a catalog without functions need not say so."""
        try:
            return sorted(name.lower() for name in self._catalog.list_functions(database))
        except (DatabaseNotExistException, NotImplementedError):
            return []

    def function(self, database: str, name: str) -> tuple[str, str] | None:
        """(class, language); None where there is none."""
        try:
            found = self._catalog.get_function(ObjectPath(database, name))
        except (FunctionNotExistException, DatabaseNotExistException, NotImplementedError):
            return None
        return (found.get_class_name(), found.get_function_language())

    def put_function(self, database: str, name: str, identifier: str, language: str) -> None:
        self._catalog.create_function(ObjectPath(database, name), CatalogFunction.create_instance(identifier, language), True)

    def remove_function(self, database: str, name: str) -> None:
        self._catalog.drop_function(ObjectPath(database, name), False)
