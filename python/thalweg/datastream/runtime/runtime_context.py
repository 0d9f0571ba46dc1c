"""What a user function is told about where it runs."""

from __future__ import annotations

from typing import Any

from thalweg.datastream.function_base import KeyedStateStore, RuntimeContext
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
from thalweg.metrics.local import LocalMetricGroup

__all__ = ["OperatorRuntimeContext"]


class OperatorRuntimeContext(RuntimeContext):
    """The context of one subtask, over the engine's own; `store` is None where the stream has no keys."""

    def __init__(self, context: Any, store: KeyedStateStore | None = None) -> None:
        self._context = context
        self._store = store
        self._metrics: MetricGroup = getattr(context, "metric_group", None) or LocalMetricGroup()

    def get_task_name(self) -> str:
        return str(getattr(self._context, "task_name", ""))

    def get_number_of_parallel_subtasks(self) -> int:
        return int(self._context.parallelism)

    def get_max_number_of_parallel_subtasks(self) -> int:
        return int(getattr(self._context, "max_parallelism", 128))

    def get_index_of_this_subtask(self) -> int:
        return int(self._context.subtask)

    def get_attempt_number(self) -> int:
        return int(getattr(self._context, "attempt", 0))

    def get_task_name_with_subtasks(self) -> str:
        return f"{self.get_task_name()} ({self.get_index_of_this_subtask() + 1}/{self.get_number_of_parallel_subtasks()})"

    def get_job_parameter(self, key: str, default_value: str) -> str:
        parameters: dict[str, str] | None = getattr(self._context, "job_parameters", None)
        if parameters is None:
            from thalweg.table.function_runtime import job_parameters

            parameters = job_parameters(self._context.config)
        return parameters.get(key, default_value)

    def get_metrics_group(self) -> MetricGroup:
        return self._metrics

    def _keyed(self, name: str) -> KeyedStateStore:
        if self._store is None:
            raise RuntimeError(f"State {name!r} needs a keyed stream: call key_by() before this operation")
        return self._store

    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        return self._keyed(state_descriptor.name).get_state(state_descriptor)

    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        return self._keyed(state_descriptor.name).get_list_state(state_descriptor)

    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        return self._keyed(state_descriptor.name).get_map_state(state_descriptor)

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        return self._keyed(state_descriptor.name).get_reducing_state(state_descriptor)

    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        return self._keyed(state_descriptor.name).get_aggregating_state(state_descriptor)
