"""Confluent's environment in this process: the catalog `examples`, and managed tables on an embedded broker."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thalweg.table.confluent.confluent_table_descriptor import ROWTIME, with_system_column
from thalweg.table.confluent.marketplace import create_marketplace
from thalweg.table.paths import qualify
from thalweg.table.table import Table
from thalweg.table.table_descriptor import TableDescriptor
from thalweg.table.table_environment import TableEnvironment

if TYPE_CHECKING:
    from thalweg._native import Relation
    from thalweg.cli.embedded_broker import EmbeddedBroker
    from thalweg.common.configuration import Configuration
    from thalweg.table.catalog import ResolvedSchema
    from thalweg.table.query_operation import Operation
    from thalweg.table.table_pipeline import TablePipeline
    from thalweg.table.table_result import TableResult
    from thalweg.table.table_schema import TableSchema

_SERVERS = "thalweg.managed.bootstrap.servers"
_CREATE = re.compile(r"\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMPORARY\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<path>[^\s(]+)", re.IGNORECASE)
_DROP = re.compile(r"\s*DROP\s+(?:TEMPORARY\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?(?P<path>[^\s;]+)", re.IGNORECASE)
_CONNECTOR = re.compile(r"'connector'\s*=\s*'(?!confluent')", re.IGNORECASE)
_BUCKETS = re.compile(r"INTO\s+(\d+)\s+BUCKETS", re.IGNORECASE)


class _Managed:
    """The embedded broker, from the first managed table on, and the topics on it."""

    def __init__(self) -> None:
        self._broker: EmbeddedBroker | None = None
        self._tools: Any = None

    def start(self) -> str:
        """The broker's address."""
        if self._broker is None:
            from thalweg import _native
            from thalweg.cli.embedded_broker import EmbeddedBroker

            self._broker = EmbeddedBroker(registry_port=0)
            self._tools = _native.KafkaTools({"bootstrap.servers": self._broker.address})
        return self._broker.address

    def registry(self) -> str:
        """The URL of the broker's schema registry."""
        assert self._broker is not None
        return f"http://localhost:{self._broker.registry_port}"

    def create_topic(self, name: str, partitions: int) -> None:
        """The table's topic is there from the start: a query may read it before the first row is written."""
        if name not in {topic for topic, _ in self._tools.topics()}:
            self._tools.create_topic(name, partitions, {})

    def delete_topic(self, name: str) -> None:
        """With its table, its records go."""
        if self._tools is not None and name in {topic for topic, _ in self._tools.topics()}:
            self._tools.delete_topic(name)


class LocalEnvironment(TableEnvironment):
    """A TableEnvironment with the catalog `examples`, whose tables without a connector are topics of an embedded broker."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(configuration)
        create_marketplace(self._session)
        self._managed = _Managed()
        if catalog := configuration.get_string("sql.current-catalog", None):
            self.use_catalog(catalog)
        if database := configuration.get_string("sql.current-database", None):
            self.use_database(database)

    # --- managed tables
    def _manage(self, path: str, text: str) -> None:
        """Before a managed table is made: the broker, and the topic where it has several partitions."""
        address = self._managed.start()
        if self._configuration.get_string(_SERVERS, None) != address:
            self._configuration.set_string(_SERVERS, address)
        buckets = _BUCKETS.search(text)
        self._managed.create_topic(self._topic(path), int(buckets.group(1)) if buckets else 1)

    def _topic(self, path: str) -> str:
        return ".".join(qualify(path, self._session.current()))

    def execute_sql(self, stmt: str) -> TableResult:
        created = _CREATE.match(stmt)
        if created is not None and not _CONNECTOR.search(stmt):
            self._manage(created.group("path"), stmt)
        result = super().execute_sql(stmt)
        dropped = _DROP.match(stmt)
        if dropped is not None:
            self._managed.delete_topic(self._topic(dropped.group("path")))
        return result

    def _described(self, path: str, descriptor: TableDescriptor) -> TableDescriptor:
        options = descriptor.get_options()
        if options.get("connector", "confluent") != "confluent":
            return descriptor
        parts = dict(descriptor._parts())
        if parts["schema"] is not None:
            parts["schema"] = with_system_column(parts["schema"])
        self._manage(path, parts["distribution"] or "")
        for side in ("key", "value"):
            if options.get(f"{side}.format") == "avro-registry":
                options[f"{side}.avro-confluent.url"] = self._managed.registry()
        return TableDescriptor({**parts, "options": options})

    def create_table(self, path: str, descriptor: TableDescriptor, ignoreIfExists: bool = False) -> bool:  # noqa: N803
        return super().create_table(path, self._described(path, descriptor), ignoreIfExists)

    createTable = create_table  # noqa: N815 - so spelled in Confluent's documentation

    def create_temporary_table(self, path: str, descriptor: TableDescriptor, ignoreIfExists: bool = False) -> None:  # noqa: N803
        super().create_temporary_table(path, self._described(path, descriptor), ignoreIfExists)

    def drop_table(self, table_path: str, ignore_if_not_exists: bool = True) -> bool:
        topic = self._topic(table_path)
        dropped = super().drop_table(table_path, ignore_if_not_exists)
        if dropped:
            self._managed.delete_topic(topic)
        return dropped

    # --- the system column
    def _table(self, relation: Relation) -> Table:
        names = [name for name, _ in relation.columns()]
        return SystemColumnTable(relation, self) if ROWTIME in names and len(names) > 1 else Table(relation, self)


class SystemColumnTable(Table):
    """A table with the column `$rowtime`, which is there for whoever names it, and otherwise not shown."""

    def _derive(self, relation: Relation, operation: Callable[[], Operation] | None = None) -> Table:
        if ROWTIME not in [name for name, _ in relation.columns()]:
            return super()._derive(relation, operation)
        table = SystemColumnTable(relation, self._t_env)
        table._operation = operation
        return table

    def _shown(self) -> Table:
        return Table(self._relation.select([("col", name) for name in self._columns if name != ROWTIME]), self._t_env)

    def select(self, *fields: Any) -> Table:
        return Table(super().select(*fields)._relation, self._t_env)

    def get_schema(self) -> TableSchema:
        return self._shown().get_schema()

    def get_resolved_schema(self) -> ResolvedSchema:
        return self._shown().get_resolved_schema()

    def execute(self) -> TableResult:
        return self._shown().execute()

    def insert_into(self, table_path_or_descriptor: str | TableDescriptor, overwrite: bool = False) -> TablePipeline:
        return self._shown().insert_into(table_path_or_descriptor, overwrite)

    def to_pandas(self) -> Any:
        return self._shown().to_pandas()
