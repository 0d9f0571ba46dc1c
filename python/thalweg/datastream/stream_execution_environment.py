"""The environment of the DataStream API, as far as Table programs need it."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.common.execution_config import ExecutionConfig, milliseconds
from thalweg.datastream.checkpoint_config import CheckpointConfig
from thalweg.datastream.checkpointing_mode import CheckpointingMode
from thalweg.datastream.execution_mode import RuntimeExecutionMode
from thalweg.util.notices import notice, unsupported

__all__ = ["StreamExecutionEnvironment"]


class StreamExecutionEnvironment:
    """Holds the configuration that a StreamTableEnvironment shares."""

    def __init__(self, j_stream_execution_environment: Configuration | None = None, serializer: Any = None) -> None:
        del serializer
        self._configuration = j_stream_execution_environment if j_stream_execution_environment is not None else Configuration()

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
        return self._set("parallelism.default", parallelism)

    def get_parallelism(self) -> int:
        return self._configuration.get_integer("parallelism.default", 1) or 1

    def set_max_parallelism(self, max_parallelism: int) -> StreamExecutionEnvironment:
        """The highest parallelism a job may be restarted with."""
        return self._set("pipeline.max-parallelism", max_parallelism)

    def get_max_parallelism(self) -> int:
        return self._configuration.get_integer("pipeline.max-parallelism", -1) or -1

    def get_default_local_parallelism(self) -> int:
        return 1

    def set_default_local_parallelism(self, parallelism: int) -> None:
        """The parallelism where none is set."""
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
        return milliseconds(self._configuration.get_string("execution.buffer-timeout.interval", None), 100)

    def disable_operator_chaining(self) -> StreamExecutionEnvironment:
        """Each operator on a thread of its own."""
        return self._set("pipeline.operator-chaining.enabled", False)

    def is_chaining_enabled(self) -> bool:
        return bool(self._configuration.get_boolean("pipeline.operator-chaining.enabled", True))

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
        """Makes a file's or folder's modules importable."""
        import sys

        if file_path not in sys.path:
            sys.path.insert(0, file_path)

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """Accepted: functions run in this process, with what is installed here."""
        del requirements_cache_dir
        notice(f"set_python_requirements({requirements_file_path!r}): functions run in this Python; install them here")

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Accepted: functions run in this process."""
        del target_dir
        notice(f"add_python_archive({archive_path!r}): functions run in this process; nothing is unpacked")

    def set_python_executable(self, python_exec: str) -> None:
        """Kept; functions run in this process."""
        self._set("python.executable", python_exec)

    def register_cached_file(self, file_path: str, name: str, executable: bool = False) -> None:
        """Accepted: functions read files where they are."""
        del file_path, name, executable

    # --- streams
    def execute(self, job_name: str | None = None) -> Any:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.execute (the DataStream API)")

    def execute_async(self, job_name: str = "Flink Streaming Job") -> Any:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.execute_async (the DataStream API)")

    def get_execution_plan(self) -> str:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.get_execution_plan (the DataStream API)")

    def create_input(self, input_format: Any, type_info: Any = None) -> Any:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.create_input (the DataStream API)")

    def add_source(self, source_func: Any, source_name: str = "Custom Source", type_info: Any = None) -> Any:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.add_source (the DataStream API)")

    def from_source(self, source: Any, watermark_strategy: Any, source_name: str, type_info: Any = None) -> Any:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.from_source (the DataStream API)")

    def from_collection(self, collection: list[Any], type_info: Any = None) -> Any:
        """Refused: DataStream programs are not there yet."""
        raise unsupported("StreamExecutionEnvironment.from_collection (the DataStream API)")

    def close(self) -> None:
        """Nothing to close."""


use_flink_names(globals())
