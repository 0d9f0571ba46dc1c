"""The entry point of the Table API and SQL."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg._session import new_session
from thalweg.common.configuration import Configuration
from thalweg.table import function_files
from thalweg.table.environment_catalog import EnvironmentCatalog
from thalweg.table.environment_settings import EnvironmentSettings, name_built_in_catalog
from thalweg.table.module import LoadedModules
from thalweg.table.sql_dialect import SqlDialect
from thalweg.table.table import Table, query_operation
from thalweg.table.table_config import TableConfig
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Insert, Session
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.datastream.data_stream import DataStream
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment
    from thalweg.table.changelog_mode import ChangelogMode
    from thalweg.table.compiled_plan import CompiledPlan
    from thalweg.table.explain_detail import ExplainDetail
    from thalweg.table.plan_reference import PlanReference
    from thalweg.table.schema import Schema
    from thalweg.table.statement_set import StatementSet
    from thalweg.table.table_descriptor import TableDescriptor
    from thalweg.table.table_result import TableResult
    from thalweg.util.java_names import JavaNames

__all__ = ["StreamTableEnvironment", "TableEnvironment"]


class TableEnvironment(EnvironmentCatalog):
    """Holds tables, views, functions and configuration, and runs statements.

    ::

        t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        t_env.execute_sql("SELECT 1 AS one").print()
    """

    def __init__(self, j_tenv: Configuration | None = None, serializer: Any = None) -> None:
        del serializer
        self._configuration = j_tenv if j_tenv is not None else Configuration()
        self._config = TableConfig(self._configuration)
        self._pushed = self._configuration.to_dict()
        self._session = self._new_session(self._pushed)
        name_built_in_catalog(self._session, self._pushed)
        self._anonymous = 0
        self._modules = LoadedModules()
        self._handles = {}
        self._registered_catalogs = {}
        self._models = {False: {}, True: {}}

    @staticmethod
    def _new_session(config: dict[str, str]) -> Session:
        return new_session(config)

    @staticmethod
    def create(environment_settings: EnvironmentSettings | Configuration) -> TableEnvironment:
        """A new environment."""
        made = getattr(environment_settings, "_create_environment", None)
        if made is not None:
            environment: TableEnvironment = made()
            return environment
        return TableEnvironment(_configuration_of(environment_settings))

    @property
    def _j_tenv(self) -> JavaNames:
        """This environment under the method names that it has in Java."""
        from thalweg.util.java_names import JavaNames

        return JavaNames(self)

    def _synced(self) -> Session:
        """The session, with what the program changed in the configuration since the last call."""
        wanted = self._configuration.to_dict()
        if wanted != self._pushed:
            if self._config.get_sql_dialect() == SqlDialect.HIVE:
                raise unsupported("the Hive dialect")
            for key, value in wanted.items():
                if self._pushed.get(key) != value:
                    self._session.set(key, value)
            for key in self._pushed.keys() - wanted.keys():
                self._session.reset(key)
            self._pushed = wanted
        return self._session

    def _is_streaming(self) -> bool:
        return str(self._configuration.get_string("execution.runtime-mode", "STREAMING")).upper() != "BATCH"

    # --- statements
    def execute_sql(self, stmt: str) -> TableResult:
        """Runs one statement. A query's rows come with `print` or `collect`; an INSERT runs on, `wait` waits for its end."""
        from thalweg.table.table_result import TableResult

        return TableResult(self._synced().execute(_statement(stmt)))

    def sql_query(self, query: str) -> Table:
        """A query as a Table."""
        table = Table(self._synced().query(_statement(query)), self)
        table._operation = lambda: query_operation().query(table._native)
        return table

    def explain_sql(self, stmt: str, *extra_details: ExplainDetail | str) -> str:
        """The abstract syntax tree and the optimized plans of a query or an INSERT."""
        return self._synced().explain([("sql", stmt)], [str(d) for d in extra_details])

    def create_statement_set(self) -> StatementSet:
        """Collects INSERTs that run as one job."""
        from thalweg.table.statement_set import StatementSet

        return StatementSet([], self)

    def _insert(self, target: str | TableDescriptor, table: Table, overwrite: bool) -> Insert:
        """A table with its sink; a descriptor becomes a table without a public name."""
        path = target if isinstance(target, str) else self._anonymous_table(target, table)
        return ("table", (path, table._relation, overwrite))

    # --- configuration
    def get_config(self) -> TableConfig:
        """The configuration; changes hold for what comes after."""
        return self._config

    def add_python_file(self, file_path: str) -> None:
        """Makes a module, or the modules of a folder or zip file, importable for functions."""
        function_files.importable(file_path)

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """What is not installed here, pip installs before the first function is opened; without network from `requirements_cache_dir`."""
        value = function_files.added(None, requirements_file_path, requirements_cache_dir)
        self._configuration.set_string(function_files.REQUIREMENTS, value)

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Unpacks an archive; functions find it as `target_dir` in the working folder, which is the process's while they are open."""
        before = self._configuration.get_string(function_files.ARCHIVES, None)
        self._configuration.set_string(function_files.ARCHIVES, function_files.added(before, archive_path, target_dir))

    # --- plans
    def load_plan(self, plan_reference: PlanReference) -> CompiledPlan:
        """A plan that was compiled before, from a file or from text."""
        from thalweg.table.compiled_plan import CompiledPlan

        return CompiledPlan._load(plan_reference, self)

    def compile_plan_sql(self, stmt: str) -> CompiledPlan:
        """Plans an INSERT, to be kept or run."""
        from thalweg.table.compiled_plan import CompiledPlan

        return CompiledPlan._of([("sql", stmt)], self)

    def execute_plan(self, plan_reference: PlanReference) -> TableResult:
        """Runs a plan that was compiled before."""
        return self.load_plan(plan_reference).execute()

    # --- tables of Python values
    def from_elements(self, elements: Any, schema: Any = None, verify_schema: bool = True) -> Table:
        """A table of rows (tuples, lists, dicts, Rows), or of `row(...)` expressions.

        `schema` is a ROW type or a list of names; without types they follow from the values.
        """
        from thalweg.table.element_source import table_of_elements

        return self._read(table_of_elements(self._synced(), elements, schema, verify_schema), "Unregistered_Collection_Source")

    def from_pandas(self, pdf: Any, schema: Any = None, splits_num: int = 1) -> Table:
        """A table of a pandas DataFrame."""
        from thalweg.table.pandas_bridge import table_of_frame

        del splits_num
        return Table(table_of_frame(self._synced(), pdf, schema), self)


class StreamTableEnvironment(TableEnvironment):
    """A TableEnvironment whose tables and a StreamExecutionEnvironment's streams become each other."""

    def __init__(self, j_tenv: Configuration | None = None) -> None:
        super().__init__(j_tenv)
        self._stream_environment: StreamExecutionEnvironment | None = None

    @staticmethod
    def create(  # type: ignore[override]
        stream_execution_environment: StreamExecutionEnvironment | EnvironmentSettings | None = None,
        environment_settings: EnvironmentSettings | None = None,
    ) -> StreamTableEnvironment:
        """A new environment; settings win over the stream environment's configuration."""
        environment = stream_execution_environment
        if isinstance(environment, (EnvironmentSettings, Configuration)):
            environment_settings, environment = environment, None
        if environment is None:
            return StreamTableEnvironment(_configuration_of(environment_settings))
        configuration = environment._configuration
        if environment_settings is not None:
            configuration.add_all(environment_settings.get_configuration())
        result = StreamTableEnvironment(configuration)
        result._stream_environment = environment
        return result

    def from_data_stream(self, data_stream: DataStream, *fields_or_schema: Any) -> Table:
        """A table of a stream's records, which only add rows.

        Columns are the fields of the records' type, named by expressions (`col("a")`, `.rowtime` and `.proctime` add time attributes), or
        described by one Schema, whose metadata key "rowtime" is the records' timestamp.
        """
        from thalweg.table.stream_bridge import table_of_stream

        table = Table(table_of_stream(self._synced(), data_stream, fields_or_schema), self)
        return _declared(table, fields_or_schema[0] if len(fields_or_schema) == 1 else None)

    def from_changelog_stream(
        self, data_stream: DataStream, schema: Schema | None = None, changelog_mode: ChangelogMode | None = None
    ) -> Table:
        """A table that a stream of Rows changes, by their kinds."""
        from thalweg.table.stream_bridge import table_of_changelog

        return _declared(Table(table_of_changelog(self._synced(), data_stream, schema, changelog_mode), self), schema)

    def to_data_stream(self, table: Table) -> DataStream:
        """The rows of a table, which may only be added, as a stream of Rows with names."""
        from thalweg.table.stream_bridge import stream_of_table

        return stream_of_table(self._environment(), table, changelog=False)

    def to_changelog_stream(
        self, table: Table, target_schema: Schema | None = None, changelog_mode: ChangelogMode | None = None
    ) -> DataStream:
        """The changes of a table as a stream of Rows with names and kinds."""
        from thalweg.table.stream_bridge import changelog_of_table

        return changelog_of_table(self._environment(), table, target_schema, changelog_mode)

    def to_append_stream(self, table: Table, type_info: TypeInformation) -> DataStream:
        """The rows of a table, which may only be added, as records of `type_info`."""
        from thalweg.table.stream_bridge import stream_of_table

        return stream_of_table(self._environment(), table, changelog=False).map(list, output_type=type_info)

    def to_retract_stream(self, table: Table, type_info: TypeInformation) -> DataStream:
        """The changes of a table as (True, row) for rows that come and (False, row) for rows that go."""
        from thalweg.table.stream_bridge import retractions_of_table

        return retractions_of_table(self._environment(), table, type_info)

    def create_temporary_view(self, view_path: str, table_or_data_stream: Any, *fields_or_schema: Any) -> None:
        """Registers a Table or a DataStream under a name."""
        from thalweg.datastream.data_stream import DataStream

        if isinstance(table_or_data_stream, DataStream):
            table_or_data_stream = self.from_data_stream(table_or_data_stream, *fields_or_schema)
            fields_or_schema = ()
        super().create_temporary_view(view_path, table_or_data_stream, *fields_or_schema)

    def _environment(self) -> StreamExecutionEnvironment:
        """The environment of the streams; its jobs run in this one's session."""
        if self._stream_environment is None:
            from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment

            self._stream_environment = StreamExecutionEnvironment(self._configuration)
        self._stream_environment._native_session = self._synced()
        return self._stream_environment


def _statement(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a SQL statement is a str, not {text!r} of {type(text).__name__}")
    return text


def _declared(table: Table, schema: Any) -> Table:
    """The table, which shows what the program's schema says of its columns."""
    from thalweg.table.described_schema import declared_schema
    from thalweg.table.schema import Schema

    if isinstance(schema, Schema):
        table._schema = partial(declared_schema, table._relation.columns(), schema)
    return table


def _configuration_of(settings: EnvironmentSettings | Configuration | None) -> Configuration:
    if settings is None:
        return Configuration()
    if isinstance(settings, Configuration):
        return Configuration(settings)
    return Configuration(settings.get_configuration())


use_flink_names(globals())
