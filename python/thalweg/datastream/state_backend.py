"""Where state lives while a job runs: in memory, whatever a program names."""

from __future__ import annotations

from enum import Enum
from typing import Any
from urllib.parse import urlsplit

from thalweg._flink_names import use_flink_names

__all__ = ["CustomStateBackend", "EmbeddedRocksDBStateBackend", "HashMapStateBackend", "PredefinedOptions", "StateBackend"]


class StateBackend:
    """Base of the backends."""

    def __init__(self, j_state_backend: Any) -> None:
        self._j_state_backend = j_state_backend


class HashMapStateBackend(StateBackend):
    """State in memory."""

    def __init__(self, j_hashmap_state_backend: Any = None) -> None:
        super().__init__(j_hashmap_state_backend)


class PredefinedOptions(Enum):
    """Tunings of RocksDB; without effect here."""

    DEFAULT = 0
    SPINNING_DISK_OPTIMIZED = 1
    SPINNING_DISK_OPTIMIZED_HIGH_MEM = 2
    FLASH_SSD_OPTIMIZED = 3


class EmbeddedRocksDBStateBackend(StateBackend):
    """Accepted; state is in memory all the same."""

    def __init__(self, enable_incremental_checkpointing: bool | None = None, j_embedded_rocks_db_state_backend: Any = None) -> None:
        super().__init__(j_embedded_rocks_db_state_backend)
        self._incremental = bool(enable_incremental_checkpointing)
        self._paths: list[str] | None = None
        self._options = PredefinedOptions.DEFAULT
        self._factory: str | None = None
        self._threads = 4

    def set_db_storage_paths(self, *paths: str) -> None:
        self._paths = [urlsplit(path).path.rstrip("/") or "/" for path in paths]

    def get_db_storage_paths(self) -> list[str] | None:
        return self._paths

    def is_incremental_checkpoints_enabled(self) -> bool:
        return self._incremental

    def set_predefined_options(self, options: PredefinedOptions) -> None:
        self._options = options

    def get_predefined_options(self) -> PredefinedOptions:
        return self._options

    def set_options(self, options_factory_class_name: str) -> None:
        self._factory = options_factory_class_name

    def get_options(self) -> str | None:
        return self._factory

    def get_number_of_transfer_threads(self) -> int:
        return self._threads

    def set_number_of_transfer_threads(self, number_of_transfering_threads: int) -> None:
        self._threads = number_of_transfering_threads


class CustomStateBackend(StateBackend):
    """Kept for programs that name it."""

    def __init__(self, j_custom_state_backend: Any) -> None:
        super().__init__(j_custom_state_backend)


def _from_j_state_backend(j_state_backend: Any) -> StateBackend:
    """Flink's name; there is no Java side, so it gives the backend itself, or one that names what it was given."""
    return j_state_backend if isinstance(j_state_backend, StateBackend) else CustomStateBackend(j_state_backend)


use_flink_names(globals())
