"""How long state lives."""

from __future__ import annotations

from abc import ABC
from enum import Enum
from typing import cast

from thalweg._flink_names import use_flink_names
from thalweg.common.time import Duration, Time

__all__ = ["StateTtlConfig"]


class _UpdateType(Enum):
    """What renews a value's time of access."""

    Disabled = 0
    OnCreateAndWrite = 1
    OnReadAndWrite = 2


class _StateVisibility(Enum):
    """Whether an expired value that is still stored may be seen."""

    ReturnExpiredIfNotCleanedUp = 0
    NeverReturnExpired = 1


class _TtlTimeCharacteristic(Enum):
    """Whose time values expire by."""

    ProcessingTime = 0


class _Strategies(Enum):
    """Ways to clean up."""

    FULL_STATE_SCAN_SNAPSHOT = 0
    INCREMENTAL_CLEANUP = 1
    ROCKSDB_COMPACTION_FILTER = 2


class _CleanupStrategy(ABC):
    """Base of the settings of a way to clean up."""


class _EmptyCleanupStrategy(_CleanupStrategy):
    """A way without settings."""


class _IncrementalCleanupStrategy(_CleanupStrategy):
    """Some keys are looked at on each access."""

    def __init__(self, cleanup_size: int, run_cleanup_for_every_record: bool) -> None:
        self._cleanup_size = cleanup_size
        self._run_cleanup_for_every_record = run_cleanup_for_every_record

    def get_cleanup_size(self) -> int:
        """How many keys at a time."""
        return self._cleanup_size

    def run_cleanup_for_every_record(self) -> bool:
        """Whether records that do not touch the state clean up too."""
        return self._run_cleanup_for_every_record


class _RocksdbCompactFilterCleanupStrategy(_CleanupStrategy):
    """Settings of RocksDB's compaction filter."""

    def __init__(self, query_time_after_num_entries: int, periodic_compaction_time: Duration | None = None) -> None:
        self._query_time_after_num_entries = query_time_after_num_entries
        self._periodic_compaction_time = Duration.of_days(30) if periodic_compaction_time is None else periodic_compaction_time

    def get_query_time_after_num_entries(self) -> int:
        """After how many entries the clock is read again."""
        return self._query_time_after_num_entries

    def get_periodic_compaction_time(self) -> Duration:
        """How old a file may get before it is compacted."""
        return self._periodic_compaction_time


class _CleanupStrategies:
    """The chosen ways to clean up. Here expired values go when they are read, and their keys with them."""

    Strategies = _Strategies
    CleanupStrategy = _CleanupStrategy
    EmptyCleanupStrategy = _EmptyCleanupStrategy
    IncrementalCleanupStrategy = _IncrementalCleanupStrategy
    RocksdbCompactFilterCleanupStrategy = _RocksdbCompactFilterCleanupStrategy
    EMPTY_STRATEGY = _EmptyCleanupStrategy()

    def __init__(self, strategies: dict[_Strategies, _CleanupStrategy], is_cleanup_in_background: bool) -> None:
        self._strategies = strategies
        self._is_cleanup_in_background = is_cleanup_in_background

    def is_cleanup_in_background(self) -> bool:
        """Whether cleaning happens without being asked for."""
        return self._is_cleanup_in_background

    def in_full_snapshot(self) -> bool:
        """Whether expired values are left out of full snapshots."""
        return _Strategies.FULL_STATE_SCAN_SNAPSHOT in self._strategies

    def get_incremental_cleanup_strategy(self) -> _IncrementalCleanupStrategy | None:
        """The settings of incremental cleaning; None where it is off."""
        default = _IncrementalCleanupStrategy(5, False) if self._is_cleanup_in_background else None
        return cast("_IncrementalCleanupStrategy | None", self._strategies.get(_Strategies.INCREMENTAL_CLEANUP, default))

    def get_rocksdb_compact_filter_cleanup_strategy(self) -> _RocksdbCompactFilterCleanupStrategy | None:
        """The settings of RocksDB's filter; None where it is off."""
        default = _RocksdbCompactFilterCleanupStrategy(1000) if self._is_cleanup_in_background else None
        chosen = self._strategies.get(_Strategies.ROCKSDB_COMPACTION_FILTER, default)
        return cast("_RocksdbCompactFilterCleanupStrategy | None", chosen)


class _Builder:
    """Builds a StateTtlConfig; the defaults are OnCreateAndWrite, NeverReturnExpired, processing time."""

    def __init__(self, ttl: Time) -> None:
        self._ttl = ttl
        self._update_type = _UpdateType.OnCreateAndWrite
        self._state_visibility = _StateVisibility.NeverReturnExpired
        self._ttl_time_characteristic = _TtlTimeCharacteristic.ProcessingTime
        self._is_cleanup_in_background = True
        self._strategies: dict[_Strategies, _CleanupStrategy] = {}

    def set_update_type(self, update_type: _UpdateType) -> _Builder:
        """What renews a value."""
        self._update_type = update_type
        return self

    def update_ttl_on_create_and_write(self) -> _Builder:
        """Writing renews a value."""
        return self.set_update_type(_UpdateType.OnCreateAndWrite)

    def update_ttl_on_read_and_write(self) -> _Builder:
        """Reading and writing renew a value."""
        return self.set_update_type(_UpdateType.OnReadAndWrite)

    def set_state_visibility(self, state_visibility: _StateVisibility) -> _Builder:
        """Whether expired values may be seen."""
        self._state_visibility = state_visibility
        return self

    def return_expired_if_not_cleaned_up(self) -> _Builder:
        """Expired values are seen until they are cleaned up."""
        return self.set_state_visibility(_StateVisibility.ReturnExpiredIfNotCleanedUp)

    def never_return_expired(self) -> _Builder:
        """Expired values are never seen."""
        return self.set_state_visibility(_StateVisibility.NeverReturnExpired)

    def set_ttl_time_characteristic(self, ttl_time_characteristic: _TtlTimeCharacteristic) -> _Builder:
        """Whose time counts."""
        self._ttl_time_characteristic = ttl_time_characteristic
        return self

    def use_processing_time(self) -> _Builder:
        """The clock counts; there is no other choice yet."""
        return self.set_ttl_time_characteristic(_TtlTimeCharacteristic.ProcessingTime)

    def cleanup_full_snapshot(self) -> _Builder:
        """Leaves expired values out of full snapshots."""
        self._strategies[_Strategies.FULL_STATE_SCAN_SNAPSHOT] = _CleanupStrategies.EMPTY_STRATEGY
        return self

    def cleanup_incrementally(self, cleanup_size: int, run_cleanup_for_every_record: bool) -> _Builder:
        """Looks at `cleanup_size` keys on each access."""
        self._strategies[_Strategies.INCREMENTAL_CLEANUP] = _IncrementalCleanupStrategy(cleanup_size, run_cleanup_for_every_record)
        return self

    def cleanup_in_rocksdb_compact_filter(
        self, query_time_after_num_entries: int, periodic_compaction_time: Duration | None = None
    ) -> _Builder:
        """Kept for programs that say it: state is not in RocksDB here."""
        strategy = _RocksdbCompactFilterCleanupStrategy(query_time_after_num_entries, periodic_compaction_time)
        self._strategies[_Strategies.ROCKSDB_COMPACTION_FILTER] = strategy
        return self

    def disable_cleanup_in_background(self) -> _Builder:
        """Expired values go only when they are read."""
        self._is_cleanup_in_background = False
        return self

    def set_ttl(self, ttl: Time) -> _Builder:
        """How long a value lives after it was last renewed."""
        self._ttl = ttl
        return self

    def build(self) -> StateTtlConfig:
        """The configuration."""
        return StateTtlConfig(
            self._update_type,
            self._state_visibility,
            self._ttl_time_characteristic,
            self._ttl,
            _CleanupStrategies(self._strategies, self._is_cleanup_in_background),
        )


class StateTtlConfig:
    """Time to live of state.

    ::

        config = StateTtlConfig.new_builder(Time.hours(1)).update_ttl_on_read_and_write().build()
        descriptor.enable_time_to_live(config)
    """

    UpdateType = _UpdateType
    StateVisibility = _StateVisibility
    TtlTimeCharacteristic = _TtlTimeCharacteristic
    Builder = _Builder
    CleanupStrategies = _CleanupStrategies

    def __init__(
        self,
        update_type: _UpdateType,
        state_visibility: _StateVisibility,
        ttl_time_characteristic: _TtlTimeCharacteristic,
        ttl: Time,
        cleanup_strategies: _CleanupStrategies,
    ) -> None:
        self._update_type = update_type
        self._state_visibility = state_visibility
        self._ttl_time_characteristic = ttl_time_characteristic
        self._ttl = ttl
        self._cleanup_strategies = cleanup_strategies

    @staticmethod
    def new_builder(ttl: Time) -> _Builder:
        """Starts a configuration whose values live for `ttl`."""
        return _Builder(ttl)

    def get_update_type(self) -> _UpdateType:
        """Which accesses make a value live on."""
        return self._update_type

    def get_state_visibility(self) -> _StateVisibility:
        """Whether values that have expired are given while they are there."""
        return self._state_visibility

    def get_ttl(self) -> Time:
        """How long a value lives after its last update."""
        return self._ttl

    def get_ttl_time_characteristic(self) -> _TtlTimeCharacteristic:
        """Always processing time."""
        return self._ttl_time_characteristic

    def is_enabled(self) -> bool:
        """False where the update type is Disabled."""
        return self._update_type is not _UpdateType.Disabled

    def get_cleanup_strategies(self) -> _CleanupStrategies:
        """What was asked for; here expired values go by timers, whatever it is."""
        return self._cleanup_strategies

    def __repr__(self) -> str:
        return (
            f"StateTtlConfig<update_type={self._update_type}, state_visibility={self._state_visibility}, "
            f"ttl_time_characteristic={self._ttl_time_characteristic}, ttl={self._ttl}>"
        )


def _name_as_nested(owner: type, prefix: str) -> None:
    """Gives the classes that hang on `owner` the names they have there, so that they print and pickle so."""
    for name, value in list(vars(owner).items()):
        if isinstance(value, type) and not name.startswith("_"):
            value.__qualname__ = f"{prefix}.{name}"
            value.__name__ = name
            _name_as_nested(value, value.__qualname__)


_name_as_nested(StateTtlConfig, "StateTtlConfig")
use_flink_names(globals(), "pyflink.datastream.state")
