"""How file sinks name, sort and close their files."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.utils import JavaObjectWrapper
from thalweg.datastream.connectors.description import FileNames

__all__ = [
    "BucketAssigner", "DefaultRollingPolicy", "FileCompactStrategy", "FileCompactor", "OnCheckpointRollingPolicy", "OutputFileConfig",
    "RollingPolicy",
]  # fmt: skip


class BucketAssigner(JavaObjectWrapper):
    """Says in which folder below the base path a record goes: one of the two kinds below."""

    def __init__(self, j_bucket_assigner: Any) -> None:
        super().__init__(j_bucket_assigner)
        self._pattern, self._zone = j_bucket_assigner

    @staticmethod
    def base_path_bucket_assigner() -> BucketAssigner:
        """Everything in the base path itself."""
        return BucketAssigner((None, None))

    @staticmethod
    def date_time_bucket_assigner(format_str: str = "yyyy-MM-dd--HH", timezone_id: str | None = None) -> BucketAssigner:
        """A folder named by the clock's time; a pattern of Java's DateTimeFormatter, in `timezone_id` or the machine's zone."""
        return BucketAssigner((format_str, timezone_id))


class RollingPolicy(JavaObjectWrapper):
    """Says when a part file is closed and the next one begun."""

    def __init__(self, j_rolling_policy: Any) -> None:
        super().__init__(j_rolling_policy)

    @staticmethod
    def default_rolling_policy(
        part_size: int = 1024 * 1024 * 128, rollover_interval: int = 60 * 1000, inactivity_interval: int = 60 * 1000
    ) -> DefaultRollingPolicy:
        """By size in bytes, by age, and by the time without a record, both in milliseconds."""
        return DefaultRollingPolicy({
            "sink.rolling-policy.file-size": f"{part_size} b",
            "sink.rolling-policy.rollover-interval": f"{rollover_interval} ms",
            "sink.rolling-policy.inactivity-interval": f"{inactivity_interval} ms",
        })  # fmt: skip

    @staticmethod
    def on_checkpoint_rolling_policy() -> OnCheckpointRollingPolicy:
        """With each checkpoint, and not otherwise."""
        return OnCheckpointRollingPolicy({
            "sink.rolling-policy.file-size": f"{2**62} b",
            "sink.rolling-policy.rollover-interval": f"{2**40} ms",
        })  # fmt: skip

    def _options(self) -> dict[str, str]:
        """The engine's options."""
        return dict(self._j_object)


class DefaultRollingPolicy(RollingPolicy):
    """By size, age and inactivity."""

    def __init__(self, j_rolling_policy: Any) -> None:
        super().__init__(j_rolling_policy)


class OnCheckpointRollingPolicy(RollingPolicy):
    """With each checkpoint."""

    def __init__(self, j_rolling_policy: Any) -> None:
        super().__init__(j_rolling_policy)


class _OutputFileConfigBuilder:
    """Builds an OutputFileConfig."""

    def __init__(self) -> None:
        self.part_prefix = "part"
        self.part_suffix = ""

    def with_part_prefix(self, prefix: str) -> _OutputFileConfigBuilder:
        """What names start with."""
        self.part_prefix = prefix
        return self

    def with_part_suffix(self, suffix: str) -> _OutputFileConfigBuilder:
        """What names end with, such as ".csv"."""
        self.part_suffix = suffix
        return self

    def build(self) -> OutputFileConfig:
        """The names."""
        return OutputFileConfig(self.part_prefix, self.part_suffix)


class OutputFileConfig(JavaObjectWrapper):
    """What the names of part files start and end with."""

    OutputFileConfigBuilder = _OutputFileConfigBuilder

    def __init__(self, part_prefix: str, part_suffix: str) -> None:
        super().__init__((part_prefix, part_suffix))
        self._prefix = part_prefix
        self._suffix = part_suffix

    @staticmethod
    def builder() -> _OutputFileConfigBuilder:
        """Starts with "part" and ""."""
        return _OutputFileConfigBuilder()

    def get_part_prefix(self) -> str:
        """What names of files begin with."""
        return self._prefix

    def get_part_suffix(self) -> str:
        """What names of files end with."""
        return self._suffix


class _CompactBuilder:
    """Builds a FileCompactStrategy."""

    def __init__(self) -> None:
        self._settings: dict[str, int] = {}

    def set_size_threshold(self, size_threshold: int) -> _CompactBuilder:
        """Files below this size, in bytes, are merged."""
        self._settings["size_threshold"] = size_threshold
        return self

    def enable_compaction_on_checkpoint(self, num_checkpoints_before_compaction: int) -> _CompactBuilder:
        """Merges every so many checkpoints."""
        self._settings["num_checkpoints"] = num_checkpoints_before_compaction
        return self

    def set_num_compact_threads(self, num_compact_threads: int) -> _CompactBuilder:
        """How many threads merge."""
        self._settings["num_threads"] = num_compact_threads
        return self

    def build(self) -> FileCompactStrategy:
        """The strategy. Raises ValueError where it says nothing about when to merge."""
        if "size_threshold" not in self._settings and "num_checkpoints" not in self._settings:
            raise ValueError("At least one of condition should be configured.")
        return FileCompactStrategy(dict(self._settings))


class FileCompactStrategy(JavaObjectWrapper):
    """When small files are merged. Refused when a sink with it is used: small files are not merged here."""

    Builder = _CompactBuilder

    def __init__(self, j_file_compact_strategy: Any) -> None:
        super().__init__(j_file_compact_strategy)

    @staticmethod
    def builder() -> _CompactBuilder:
        """Starts a strategy."""
        return _CompactBuilder()


class FileCompactor(JavaObjectWrapper):
    """How small files are merged."""

    def __init__(self, j_file_compactor: Any) -> None:
        super().__init__(j_file_compactor)

    @staticmethod
    def concat_file_compactor(file_delimiter: bytes | None = None) -> FileCompactor:
        """End to end, with `file_delimiter` between them."""
        return FileCompactor(("concat", file_delimiter))

    @staticmethod
    def identical_file_compactor() -> FileCompactor:
        """Not at all."""
        return FileCompactor(("identical", None))


def file_names(config: OutputFileConfig | None, assigner: BucketAssigner) -> FileNames:
    """What a sink's settings say about its files."""
    prefix, suffix = ("part", "") if config is None else (config.get_part_prefix(), config.get_part_suffix())
    return FileNames(prefix, suffix, assigner._pattern, assigner._zone)


use_flink_names(globals(), "pyflink.datastream.connectors.file_system")
