"""What every user function of the DataStream API stands on: its base class, its context, its keyed state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    ValueState,
    ValueStateDescriptor,
)
from thalweg.metrics import MetricGroup

__all__ = ["Function", "KeyedStateStore", "RuntimeContext"]


class KeyedStateStore(ABC):
    """Gives handles to the state of the current key; only functions on keyed streams have one. Ask for them in `open`."""

    @abstractmethod
    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        """A handle to one value a key."""

    @abstractmethod
    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        """A handle to a list a key."""

    @abstractmethod
    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        """A handle to a map a key."""

    @abstractmethod
    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        """A handle to one reduced value a key."""

    @abstractmethod
    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        """A handle to one accumulator a key."""


class RuntimeContext(KeyedStateStore):
    """Where a function runs, and its state. A function gets it in `open`."""

    @abstractmethod
    def get_task_name(self) -> str:
        """The operator's name."""

    @abstractmethod
    def get_number_of_parallel_subtasks(self) -> int:
        """The operator's parallelism."""

    @abstractmethod
    def get_max_number_of_parallel_subtasks(self) -> int:
        """The highest parallelism the job may be restarted with."""

    @abstractmethod
    def get_index_of_this_subtask(self) -> int:
        """0 to parallelism - 1."""

    @abstractmethod
    def get_attempt_number(self) -> int:
        """How often the subtask was restarted; 0 the first time."""

    @abstractmethod
    def get_task_name_with_subtasks(self) -> str:
        """The operator's name with `(index + 1/parallelism)`."""

    @abstractmethod
    def get_job_parameter(self, key: str, default_value: str) -> str:
        """A value of pipeline.global-job-parameters."""

    @abstractmethod
    def get_metrics_group(self) -> MetricGroup:
        """Where the function's metrics go."""


class Function(ABC):
    """Base of user functions. One object of it serves each subtask."""

    def open(self, runtime_context: RuntimeContext) -> None:
        """Called before the first record."""

    def close(self) -> None:
        """Called after the last record, also after a failure."""


use_flink_names(globals(), "pyflink.datastream.functions")
