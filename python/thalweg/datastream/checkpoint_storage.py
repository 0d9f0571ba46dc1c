"""Where checkpoints are kept."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["CheckpointStorage", "CustomCheckpointStorage", "FileSystemCheckpointStorage", "JobManagerCheckpointStorage"]


class CheckpointStorage:
    """Base of the storages."""

    def __init__(self, j_checkpoint_storage: Any) -> None:
        path = j_checkpoint_storage
        self._path = path.rstrip("/") if isinstance(path, str) and path.rstrip("/") else path


class JobManagerCheckpointStorage(CheckpointStorage):
    """In memory; a path makes them survive the process."""

    DEFAULT_MAX_STATE_SIZE = 5 * 1024 * 1024

    def __init__(
        self, checkpoint_path: str | None = None, max_state_size: int | None = None, j_jobmanager_checkpoint_storage: Any = None
    ) -> None:
        super().__init__(checkpoint_path)
        self._max_state_size = max_state_size or self.DEFAULT_MAX_STATE_SIZE

    def get_checkpoint_path(self) -> str | None:
        path: str | None = self._path
        return path

    def get_max_state_size(self) -> int:
        return self._max_state_size

    def get_savepoint_path(self) -> str | None:
        return None


class FileSystemCheckpointStorage(CheckpointStorage):
    """In files below a folder."""

    MAX_FILE_STATE_THRESHOLD = 1024 * 1024

    def __init__(
        self,
        checkpoint_path: str | None = None,
        file_state_size_threshold: int | None = None,
        write_buffer_size: int = -1,
        j_filesystem_checkpoint_storage: Any = None,
    ) -> None:
        super().__init__(checkpoint_path)
        self._threshold = 20480 if file_state_size_threshold is None else file_state_size_threshold
        self._write_buffer_size = write_buffer_size

    def get_checkpoint_path(self) -> str | None:
        path: str | None = self._path
        return path

    def get_savepoint_path(self) -> str | None:
        return None

    def get_min_file_size_threshold(self) -> int:
        return self._threshold

    def get_write_buffer_size(self) -> int:
        return self._write_buffer_size


class CustomCheckpointStorage(CheckpointStorage):
    """Kept for programs that name it."""

    def __init__(self, j_custom_checkpoint_storage: Any) -> None:
        super().__init__(j_custom_checkpoint_storage)


use_flink_names(globals())
