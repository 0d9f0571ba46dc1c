"""Settings with which a TableEnvironment starts."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration

__all__ = ["EnvironmentSettings"]

_MODE = "execution.runtime-mode"
_CATALOG = "table.builtin-catalog-name"
_DATABASE = "table.builtin-database-name"


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
        return self._configuration.get_string(_CATALOG, None) or "default_catalog"

    def get_built_in_database_name(self) -> str:
        return self._configuration.get_string(_DATABASE, None) or "default_database"

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


use_flink_names(globals())
