"""The entry point of the DataStream API."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.common.execution_config import ExecutionConfig, milliseconds
from thalweg.datastream.checkpoint_config import CheckpointConfig
from thalweg.datastream.checkpointing_mode import CheckpointingMode
from thalweg.datastream.execution_mode import RuntimeExecutionMode
from thalweg.table import function_files
from thalweg.util.exceptions import illegal_argument
from thalweg.util.notices import notice

if TYPE_CHECKING:
    from thalweg._native import Job, Relation, Result, Session
    from thalweg.common.job_client import JobClient
    from thalweg.common.job_execution_result import JobExecutionResult
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.common.watermark_strategy import WatermarkStrategy
    from thalweg.datastream.data_stream import DataStream, DataStreamSink
    from thalweg.datastream.graph import Step

__all__ = ["StreamExecutionEnvironment"]


class StreamExecutionEnvironment:
    """Makes streams of sources, and runs the program that stands on them.

    ::

        env = StreamExecutionEnvironment.get_execution_environment()
        env.from_collection([1, 2, 3]).map(lambda x: x * 2).print()
        env.execute("doubles")
    """

    def __init__(self, j_stream_execution_environment: Configuration | None = None, serializer: Any = None) -> None:
        del serializer
        self._configuration = j_stream_execution_environment if j_stream_execution_environment is not None else Configuration()
        self._steps: list[Step] = []
        self._native_session: Session | None = None
        self._default_parallelism = 1
        self._pushed: dict[str, str] = {}

    @property
    def _j_stream_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment itself: programs give it to get_j_env_configuration."""
        return self

    @staticmethod
    def get_execution_environment(configuration: Configuration | None = None) -> StreamExecutionEnvironment:
        """A new environment."""
        return StreamExecutionEnvironment(Configuration(configuration))

    def _set(self, key: str, value: Any) -> StreamExecutionEnvironment:
        self._configuration._put(key, value)
        return self

    def get_config(self) -> ExecutionConfig:
        """Settings of the execution; changing them changes this environment."""
        return ExecutionConfig(self._configuration)

    def configure(self, configuration: Configuration) -> None:
        """Adds configuration."""
        self._configuration.add_all(configuration)

    # --- parallelism and mode
    def set_parallelism(self, parallelism: int) -> StreamExecutionEnvironment:
        """How many subtasks each operator has."""
        if parallelism < 1 and parallelism != -1:
            raise illegal_argument("Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFAULT (use system default).")
        return self._set("parallelism.default", parallelism)

    def get_parallelism(self) -> int:
        return self._configuration.get_integer("parallelism.default", 1) or 1

    def set_max_parallelism(self, max_parallelism: int) -> StreamExecutionEnvironment:
        """The highest parallelism a job may be restarted with."""
        if not 0 < max_parallelism <= 32768:
            raise illegal_argument(f"maxParallelism is out of bounds 0 < maxParallelism <= 32768. Found: {max_parallelism}")
        return self._set("pipeline.max-parallelism", max_parallelism)

    def get_max_parallelism(self) -> int:
        return self._configuration.get_integer("pipeline.max-parallelism", -1) or -1

    def get_default_local_parallelism(self) -> int:
        return self._default_parallelism

    def set_default_local_parallelism(self, parallelism: int) -> None:
        """The parallelism where none is set."""
        self._default_parallelism = parallelism
        if not self._configuration.contains_key("parallelism.default"):
            self.set_parallelism(parallelism)

    def set_runtime_mode(self, execution_mode: RuntimeExecutionMode) -> StreamExecutionEnvironment:
        """Streaming or batch."""
        mode = RuntimeExecutionMode.STREAMING if execution_mode is RuntimeExecutionMode.AUTOMATIC else execution_mode
        return self._set("execution.runtime-mode", mode.name)

    def register_slot_sharing_group(self, slot_sharing_group: Any) -> StreamExecutionEnvironment:
        """Accepted: there are no slots."""
        del slot_sharing_group
        return self

    def set_buffer_timeout(self, timeout_millis: int) -> StreamExecutionEnvironment:
        """How long a partial batch waits for more rows."""
        return self._set("execution.buffer-timeout.interval", f"{timeout_millis} ms")

    def get_buffer_timeout(self) -> int:
        older = self._configuration.get_string("execution.buffer-timeout", None)
        return milliseconds(self._configuration.get_string("execution.buffer-timeout.interval", None) or older, 100)

    def disable_operator_chaining(self) -> StreamExecutionEnvironment:
        """Each operator on a thread of its own."""
        return self._set("pipeline.operator-chaining.enabled", False)

    def is_chaining_enabled(self) -> bool:
        older = self._configuration.get_boolean("pipeline.operator-chaining", True)
        return bool(self._configuration.get_boolean("pipeline.operator-chaining.enabled", older))

    def is_chaining_of_operators_with_different_max_parallelism_enabled(self) -> bool:
        return True

    # --- checkpoints and state
    def get_checkpoint_config(self) -> CheckpointConfig:
        """Settings of checkpoints; changing them changes this environment."""
        return CheckpointConfig(self._configuration)

    def enable_checkpointing(self, interval: int, mode: CheckpointingMode | None = None) -> StreamExecutionEnvironment:
        """Takes a checkpoint every `interval` milliseconds."""
        self.get_checkpoint_config().set_checkpoint_interval(interval)
        if mode is not None:
            self.get_checkpoint_config().set_checkpointing_mode(mode)
        return self

    def get_checkpoint_interval(self) -> int:
        return self.get_checkpoint_config().get_checkpoint_interval()

    def get_checkpointing_mode(self) -> CheckpointingMode:
        return self.get_checkpoint_config().get_checkpointing_mode()

    def get_checkpointing_consistency_mode(self) -> CheckpointingMode:
        return self.get_checkpointing_mode()

    def is_unaligned_checkpoints_enabled(self) -> bool:
        return self.get_checkpoint_config().is_unaligned_checkpoints_enabled()

    def is_force_unaligned_checkpoints(self) -> bool:
        return self.get_checkpoint_config().is_force_unaligned_checkpoints()

    def set_state_backend(self, state_backend: Any) -> StreamExecutionEnvironment:
        """Accepted: state is in memory."""
        del state_backend
        return self

    def set_restart_strategy(self, restart_strategy_configuration: Any) -> None:
        """What happens after a failure."""
        for key, value in restart_strategy_configuration._options.items():
            self._set(key, value)

    def enable_changelog_state_backend(self, enabled: bool) -> StreamExecutionEnvironment:
        """Accepted: snapshots are quick without it."""
        return self._set("state.changelog.enabled", enabled)

    def is_changelog_state_backend_enabled(self) -> bool | None:
        return self._configuration.get_boolean("state.changelog.enabled", None)

    def set_default_savepoint_directory(self, directory: str) -> StreamExecutionEnvironment:
        """Where savepoints go when no folder is given."""
        return self._set("execution.checkpointing.savepoint-dir", directory)

    def get_default_savepoint_directory(self) -> str | None:
        return self._configuration.get_string("execution.checkpointing.savepoint-dir", None)

    # --- what only the JVM needs
    def add_jars(self, *jars_path: str) -> None:
        """Accepted: connectors and formats are built in."""
        notice(f"add_jars: connectors and formats are built in; {len(jars_path)} jar(s) not needed")

    def add_classpaths(self, *classpaths: str) -> None:
        """Accepted: there is no JVM."""
        notice(f"add_classpaths: there is no JVM; {len(classpaths)} path(s) not needed")

    def add_python_file(self, file_path: str) -> None:
        """Makes a module, or the modules of a folder or zip file, importable."""
        function_files.importable(file_path)

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """What is not installed here, pip installs before the program runs; without network from `requirements_cache_dir`."""
        value = function_files.added(None, requirements_file_path, requirements_cache_dir)
        self._configuration.set_string(function_files.REQUIREMENTS, value)

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Unpacks an archive; while a program runs by `execute`, its functions find it as `target_dir` in the working folder."""
        before = self._configuration.get_string(function_files.ARCHIVES, None)
        self._configuration.set_string(function_files.ARCHIVES, function_files.added(before, archive_path, target_dir))

    def set_python_executable(self, python_exec: str) -> None:
        """Kept, also as the environment variable `python` that functions see; they run in this process."""
        import os

        os.environ["python"] = python_exec  # noqa: SIM112 (Flink's name)
        self._set("python.executable", python_exec)

    def register_cached_file(self, file_path: str, name: str, executable: bool = False) -> None:
        """Accepted: functions read files where they are."""
        del file_path, name, executable

    # --- sources
    def from_collection(self, collection: list[Any], type_info: TypeInformation | None = None) -> DataStream:
        """A stream of the elements of a list, of the declared type where there is one."""
        from thalweg.datastream.sources import collection_stream

        return collection_stream(self, collection, type_info)

    def from_source(
        self, source: Any, watermark_strategy: WatermarkStrategy, source_name: str, type_info: TypeInformation | None = None
    ) -> DataStream:
        """A stream of what a source reads: KafkaSource, FileSource, NumberSequenceSource, DataGeneratorSource."""
        from thalweg.datastream.sources import source_stream

        return source_stream(self, source, watermark_strategy, source_name, type_info)

    def add_source(self, source_func: Any, source_name: str = "Custom Source", type_info: TypeInformation | None = None) -> DataStream:
        """A stream of what a SourceFunction of Flink's connectors reads."""
        from thalweg.datastream.sources import source_stream

        return source_stream(self, source_func, None, source_name, type_info)

    def create_input(self, input_format: Any, type_info: TypeInformation | None = None) -> DataStream:
        """A stream of what an input format reads."""
        from thalweg.datastream.sources import source_stream

        return source_stream(self, input_format, None, "Custom File Source", type_info)

    # --- running
    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Runs the program and waits for its end; raises what it failed with."""
        from thalweg.common.job_execution_result import JobExecutionResult
        from thalweg.util.silence import wait_for_job

        with function_files.files_of(self._configuration.to_dict()):
            job = self._job_of(self._start(job_name))
            try:
                wait_for_job(job, -1)
            except KeyboardInterrupt:
                self._session().end_job(job)
                print(job.summary(), file=sys.stderr)
                raise
        return JobExecutionResult(job)

    def execute_async(self, job_name: str = "Flink Streaming Job") -> JobClient:
        """Starts the program and gives a handle on the job."""
        from thalweg.common.job_client import JobClient

        return JobClient(self._job_of(self._start(job_name)))

    def get_execution_plan(self) -> str:
        """The program's steps as JSON, in Flink's form."""
        from thalweg.datastream.execution_plan import plan_json

        if not self._steps:
            raise self._no_operators()
        return plan_json(self._steps)

    @staticmethod
    def _job_of(result: Result) -> Job:
        job = result.job
        assert job is not None
        from thalweg.control.registry import publish

        publish(job)
        return job

    @staticmethod
    def _no_operators() -> Exception:
        from thalweg.util.exceptions import Py4JJavaError

        text = "No operators defined in streaming topology. Cannot execute."
        return Py4JJavaError(text, class_name="java.lang.IllegalStateException")

    def _add_step(self, step: Step) -> None:
        """A step that runs with the next execution."""
        self._steps.append(step)

    def _add_relation(self, name: str, relation: Relation) -> None:
        """The end of a table's stream, which runs with the next execution."""
        from thalweg.datastream.graph import RelationStep

        self._steps.append(RelationStep(self, name, relation))

    def _step_parallelism(self) -> int:
        return self.get_parallelism()

    def _watermark_interval(self) -> int:
        return milliseconds(self._configuration.get_string("pipeline.auto-watermark-interval", None), 200)

    def _session(self) -> Session:
        """The engine's session, with what the program changed in the configuration since the last call."""
        wanted = self._configuration.to_dict()
        if self._native_session is None:
            from thalweg._session import new_session

            self._native_session = new_session(wanted)
        else:
            for key, value in wanted.items():
                if self._pushed.get(key) != value:
                    self._native_session.set(key, value)
            for key in self._pushed.keys() - wanted.keys():
                self._native_session.reset(key)
        self._pushed = wanted
        return self._native_session

    def _translate_for_tables(self, step: Step, session: Session) -> Relation:
        """A step as part of a table: it and what leads to it run with the table, and once only."""
        from thalweg.datastream.graph import Translation

        translation = Translation(session, self.is_chaining_enabled())
        relation = translation.relation(step)
        translation.keep()
        self._steps = [one for one in self._steps if not translation.has(one)]
        return relation

    def _attach_sink(self, stream: DataStream, sink: Any) -> DataStreamSink:
        from thalweg.datastream.sinks import attach_sink

        return attach_sink(stream, sink)

    def _start(self, job_name: str | None, collected: DataStream | None = None) -> Result:
        """Starts a job of all steps since the last one; with `collected`, the result has its records."""
        from thalweg import _native
        from thalweg.datastream.graph import Translation

        steps, self._steps = self._steps, []
        if not steps and collected is None:
            raise self._no_operators()
        translation = Translation(self._session(), self.is_chaining_enabled())
        consumed = {id(edge.step) for step in steps for edges in step.inputs for edge in edges}
        rows = None if collected is None else translation.collected(collected)
        ends = [step for step in steps if id(step) not in consumed and not translation.has(step)]
        relations = [translation.relation(step) for step in ends]
        name = job_name or self._configuration.get_string("pipeline.name", None) or "Flink Streaming Job"
        print(end="", flush=True)
        _collect_garbage_less_often()
        return _native.execute_streams(translation.session, relations, rows, name)

    def close(self) -> None:
        """Nothing to close."""


def _collect_garbage_less_often() -> None:
    """Python looks for cycles after every 700 new objects by default: with records as objects that is most of a job's time."""
    import gc

    young, middle, old = gc.get_threshold()
    if 0 < young < _OBJECTS_BETWEEN_COLLECTIONS:
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, middle, old)


_OBJECTS_BETWEEN_COLLECTIONS = 50_000


use_flink_names(globals())
