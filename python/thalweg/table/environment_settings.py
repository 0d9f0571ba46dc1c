"""Settings with which a TableEnvironment starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.table.nested_types import quote

if TYPE_CHECKING:
    from thalweg._native import Session

__all__ = ["EnvironmentSettings"]

_MODE = "execution.runtime-mode"
_CATALOG = "table.builtin-catalog-name"
_DATABASE = "table.builtin-database-name"
_DEFAULT_CATALOG = "default_catalog"
_DEFAULT_DATABASE = "default_database"


class EnvironmentSettings:
    """Streaming or batch, the built-in catalog, and configuration."""

    def __init__(self, j_environment_settings: Configuration) -> None:
        self._configuration = j_environment_settings

    class Builder:
        """Collects settings."""

        def __init__(self) -> None:
            self._configuration = Configuration()

        def with_configuration(self, config: Configuration) -> EnvironmentSettings.Builder:
            """Adds configuration."""
            self._configuration.add_all(config)
            return self

        def in_batch_mode(self) -> EnvironmentSettings.Builder:
            """Results when all input is read."""
            self._configuration.set_string(_MODE, "BATCH")
            return self

        def in_streaming_mode(self) -> EnvironmentSettings.Builder:
            """Results as input comes; the default."""
            self._configuration.set_string(_MODE, "STREAMING")
            return self

        def with_built_in_catalog_name(self, built_in_catalog_name: str) -> EnvironmentSettings.Builder:
            """Instead of default_catalog."""
            self._configuration.set_string(_CATALOG, built_in_catalog_name)
            return self

        def with_built_in_database_name(self, built_in_database_name: str) -> EnvironmentSettings.Builder:
            """Instead of default_database."""
            self._configuration.set_string(_DATABASE, built_in_database_name)
            return self

        def with_catalog_store(self, catalog_store: Any) -> EnvironmentSettings.Builder:
            """Refused: catalogs are kept in memory."""
            from thalweg.util.notices import unsupported

            raise unsupported("EnvironmentSettings.with_catalog_store")

        def build(self) -> EnvironmentSettings:
            """The settings."""
            return EnvironmentSettings(Configuration(self._configuration))

    def get_built_in_catalog_name(self) -> str:
        return self._configuration.get_string(_CATALOG, None) or _DEFAULT_CATALOG

    def get_built_in_database_name(self) -> str:
        return self._configuration.get_string(_DATABASE, None) or _DEFAULT_DATABASE

    def is_streaming_mode(self) -> bool:
        return (self._configuration.get_string(_MODE, None) or "STREAMING").upper() == "STREAMING"

    def get_configuration(self) -> Configuration:
        return self._configuration

    @staticmethod
    def new_instance() -> EnvironmentSettings.Builder:
        """A builder."""
        return EnvironmentSettings.Builder()

    @staticmethod
    def in_streaming_mode() -> EnvironmentSettings:
        """Settings for streaming."""
        return EnvironmentSettings.new_instance().in_streaming_mode().build()

    @staticmethod
    def in_batch_mode() -> EnvironmentSettings:
        """Settings for batch."""
        return EnvironmentSettings.new_instance().in_batch_mode().build()


def name_built_in_catalog(session: Session, config: dict[str, str]) -> None:
    """Gives the catalog and the database that are there from the start the names of the settings."""
    catalog, database = config.get(_CATALOG) or _DEFAULT_CATALOG, config.get(_DATABASE) or _DEFAULT_DATABASE
    if (catalog, database) == (_DEFAULT_CATALOG, _DEFAULT_DATABASE):
        return
    from thalweg.table.table_descriptor import _text

    current = _DEFAULT_CATALOG
    # A catalog in use can't be dropped, and two can't have one name: the new one comes over another where only the database differs.
    for name in [catalog] if catalog != current else ["_between", catalog]:
        session.execute(f"CREATE CATALOG {quote(name)} WITH ('type' = 'generic_in_memory', 'default-database' = {_text(database)})")
        session.execute(f"USE CATALOG {quote(name)}")
        session.execute(f"DROP CATALOG {quote(current)}")
        current = name


use_flink_names(globals())
