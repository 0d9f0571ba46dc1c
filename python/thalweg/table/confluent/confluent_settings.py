"""Settings of a session: from a properties file, from code, from the environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.table.environment_settings import EnvironmentSettings
from thalweg.util.exceptions import Py4JJavaError
from thalweg.util.notices import notice

if TYPE_CHECKING:
    from thalweg.table.table_environment import TableEnvironment

__all__ = ["ConfluentFlinkException", "ConfluentSettings"]

LOCAL = "local"
_FILE_VARIABLE = "FLINK_PROPERTIES"

# In the order in which a missing one is told. The first spelling is the one that is told.
_REQUIRED = {
    "client.organization-id": ("client.organization-id", "client.organization"),
    "client.environment-id": ("client.environment-id", "client.environment"),
    "client.cloud": ("client.cloud",),
    "client.region": ("client.region",),
    "client.flink-api-key": ("client.flink-api-key",),
    "client.flink-api-secret": ("client.flink-api-secret",),
    "client.compute-pool-id": ("client.compute-pool-id", "client.compute-pool"),
}
_SPELLINGS = {spelling: key for key, spellings in _REQUIRED.items() for spelling in spellings}
_SPELLINGS["client.principal"] = "client.principal-id"
_VARIABLES = {
    "CLOUD_PROVIDER": "client.cloud",
    "CLOUD_REGION": "client.region",
    "FLINK_API_KEY": "client.flink-api-key",
    "FLINK_API_SECRET": "client.flink-api-secret",
    "ORG_ID": "client.organization-id",
    "ENV_ID": "client.environment-id",
    "COMPUTE_POOL_ID": "client.compute-pool-id",
    "PRINCIPAL_ID": "client.principal-id",
    "REST_ENDPOINT": "client.rest-endpoint",
}
_SQL_OPTIONS = {"sql.local-time-zone": "table.local-time-zone", "sql.state-ttl": "table.exec.state.ttl"}
_CURRENT = ("sql.current-catalog", "sql.current-database")


class ConfluentFlinkException(Py4JJavaError):
    """Settings are missing, or ask for what is not there."""

    java_class = "io.confluent.flink.plugin.ConfluentFlinkException"


class ConfluentSettings(EnvironmentSettings):
    """Settings for `TableEnvironment.create`.

    Where several say something of the same option, the properties file wins over code, and code over the environment.
    """

    @staticmethod
    def from_file(path: str) -> ConfluentSettings:
        """Reads a properties file; what it lacks comes from the environment."""
        return ConfluentSettings.new_builder_from_file(path).build()

    @staticmethod
    def from_global_variables() -> ConfluentSettings:
        """Reads the environment, and the properties file that FLINK_PROPERTIES names."""
        return ConfluentSettings.new_builder().build()

    @staticmethod
    def new_builder() -> ConfluentSettings.Builder:
        """A builder over the environment and the properties file that FLINK_PROPERTIES names, if it does."""
        return ConfluentSettings.Builder(os.environ.get(_FILE_VARIABLE))

    @staticmethod
    def new_builder_from_file(path: str) -> ConfluentSettings.Builder:
        """A builder over the environment and a properties file."""
        return ConfluentSettings.Builder(path)

    def _create_environment(self) -> TableEnvironment:
        """The environment of these settings: `TableEnvironment.create` asks for it."""
        configuration = self.get_configuration()
        endpoint = configuration.get_string("client.rest-endpoint", None) or ""
        if endpoint.rstrip("/").rpartition("//")[2] == LOCAL:
            from thalweg.table.confluent.local import LocalEnvironment

            return LocalEnvironment(configuration)
        for key in _REQUIRED:
            if not configuration.get_string(key, None):
                raise ConfluentFlinkException(f"Parameter '{key}' not found.")
        raise ConfluentFlinkException(
            "This version does not reach Confluent Cloud. To run the program in this process, "
            "set client.rest-endpoint = local (in code: .set_rest_endpoint('local'); in the environment: REST_ENDPOINT=local)."
        )

    class Builder:
        """Collects options. Setters return the builder."""

        def __init__(self, path: str | None = None) -> None:
            self._file = {} if path is None else read_properties(path)
            self._code: dict[str, str] = {}

        def set_option(self, key: str, value: str) -> ConfluentSettings.Builder:
            """Any option: `client.*`, `sql.*`, or one of Flink's."""
            self._code[key] = str(value)
            return self

        def set_cloud(self, cloud: str) -> ConfluentSettings.Builder:
            """The cloud provider, for example "aws"."""
            return self.set_option("client.cloud", cloud)

        def set_region(self, region: str) -> ConfluentSettings.Builder:
            """The provider's region, for example "us-east-1"."""
            return self.set_option("client.region", region)

        def set_flink_api_key(self, key: str) -> ConfluentSettings.Builder:
            """The API key for Flink."""
            return self.set_option("client.flink-api-key", key)

        def set_flink_api_secret(self, secret: str) -> ConfluentSettings.Builder:
            """The secret of the API key."""
            return self.set_option("client.flink-api-secret", secret)

        def set_organization_id(self, organization_id: str) -> ConfluentSettings.Builder:
            """The organization."""
            return self.set_option("client.organization-id", organization_id)

        def set_environment_id(self, environment_id: str) -> ConfluentSettings.Builder:
            """The environment, for example "env-z3y2x1"."""
            return self.set_option("client.environment-id", environment_id)

        def set_compute_pool_id(self, compute_pool_id: str) -> ConfluentSettings.Builder:
            """The compute pool, for example "lfcp-8m03rm"."""
            return self.set_option("client.compute-pool-id", compute_pool_id)

        def set_principal_id(self, principal_id: str) -> ConfluentSettings.Builder:
            """Who runs the statements, for example a service account."""
            return self.set_option("client.principal-id", principal_id)

        def set_context_name(self, context_name: str) -> ConfluentSettings.Builder:
            """A name for this session."""
            return self.set_option("client.context", context_name)

        def set_statement_name(self, statement_name: str) -> ConfluentSettings.Builder:
            """A name for the statement that is submitted next."""
            return self.set_option("client.statement-name", statement_name)

        def set_rest_endpoint(self, rest_endpoint: str) -> ConfluentSettings.Builder:
            """The REST endpoint; "local" runs everything in this process."""
            return self.set_option("client.rest-endpoint", rest_endpoint)

        def set_catalog_cache(self, expiration: str) -> ConfluentSettings.Builder:
            """How long catalog objects are kept, for example "5 min"; nothing is cached in this process."""
            return self.set_option("client.catalog-cache", expiration)

        def build(self) -> ConfluentSettings:
            """The settings."""
            from_environment = {key: os.environ[name] for name, key in _VARIABLES.items() if os.environ.get(name)}
            merged: dict[str, str] = {}
            for layer in (from_environment, self._code, self._file):
                merged.update({_SPELLINGS.get(key, key): value for key, value in layer.items()})
            configuration = Configuration()
            for key, value in merged.items():
                _set(configuration, key, value)
            return ConfluentSettings(configuration)


def _set(configuration: Configuration, key: str, value: str) -> None:
    if key.startswith("sql.") and key not in _SQL_OPTIONS and key not in _CURRENT:
        notice(f"{key}: this option has no meaning in this process")
    configuration.set_string(_SQL_OPTIONS.get(key, key), value)


def read_properties(path: str) -> dict[str, str]:
    """A properties file of Java's kind: `key=value` or `key: value`, `#` and `!` for comments, a backslash goes on in the next line."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise ConfluentFlinkException(f"Properties file '{path}' cannot be read: {error.strerror}") from None
    found: dict[str, str] = {}
    for written in text.replace("\\\r\n", "").replace("\\\n", "").splitlines():
        line = written.strip()
        if not line or line[0] in "#!":
            continue
        place = min((line.find(mark) for mark in "=:" if mark in line), default=-1)
        if place < 0:
            found[line] = ""
        else:
            found[line[:place].strip()] = line[place + 1 :].strip()
    return {key: value for key, value in found.items() if value}


use_flink_names(globals())
