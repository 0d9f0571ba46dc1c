"""What assigners, triggers, evictors and window functions are told while the window operator calls them."""

from __future__ import annotations

from typing import Any

from thalweg.datastream.function_base import KeyedStateStore, RuntimeContext
from thalweg.datastream.runtime.keyed_state import StateStore, merge_state
from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext
from thalweg.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    State,
    StateDescriptor,
    ValueState,
    ValueStateDescriptor,
)
from thalweg.datastream.window_base import Evictor, Trigger, WindowAssigner
from thalweg.datastream.window_functions import InternalWindowFunction
from thalweg.metrics import MetricGroup

__all__ = ["AssignerContext", "EvictionContext", "FunctionContext", "MergingWindowState", "TriggerContext"]


class AssignerContext(WindowAssigner.WindowAssignerContext):
    """Time and the key's state."""

    def __init__(self, context: Any, runtime_context: RuntimeContext) -> None:
        self._context = context
        self._runtime_context = runtime_context

    def get_current_processing_time(self) -> int:
        return int(self._context.now())

    def get_runtime_context(self) -> RuntimeContext:
        return self._runtime_context


class TriggerContext(Trigger.OnMergeContext):
    """Timers and state of the window whose bytes are `pane`, of the key of the current row."""

    def __init__(self, context: Any, runtime_context: OperatorRuntimeContext, store: StateStore) -> None:
        self._context = context
        self._runtime_context = runtime_context
        self._store = store
        self.pane = b""
        self.merged: list[dict[str, Any]] = []  # the state of the windows that are being merged

    def get_current_processing_time(self) -> int:
        return int(self._context.now())

    def get_metric_group(self) -> MetricGroup:
        return self._runtime_context.get_metrics_group()

    def get_current_watermark(self) -> int:
        return int(self._context.current_watermark)

    def register_processing_time_timer(self, time: int) -> None:
        self._context.register_timer("processing", time, self.pane)

    def register_event_time_timer(self, time: int) -> None:
        self._context.register_timer("event", time, self.pane)

    def delete_processing_time_timer(self, time: int) -> None:
        self._context.delete_timer("processing", time, self.pane)

    def delete_event_time_timer(self, time: int) -> None:
        self._context.delete_timer("event", time, self.pane)

    def get_partitioned_state(self, state_descriptor: StateDescriptor) -> State:
        return self._store.get_any(state_descriptor)

    def merge_partitioned_state(self, state_descriptor: StateDescriptor) -> None:
        merge_state(state_descriptor, self._store.current, self.merged)


class EvictionContext(Evictor.EvictorContext):
    """Time."""

    def __init__(self, context: Any, runtime_context: OperatorRuntimeContext) -> None:
        self._context = context
        self._runtime_context = runtime_context

    def get_current_processing_time(self) -> int:
        return int(self._context.now())

    def get_current_watermark(self) -> int:
        return int(self._context.current_watermark)

    def get_metric_group(self) -> MetricGroup:
        return self._runtime_context.get_metrics_group()


class FunctionContext(InternalWindowFunction.InternalWindowContext):
    """Time and both kinds of state."""

    def __init__(self, context: Any, window_state: KeyedStateStore, global_state: KeyedStateStore) -> None:
        self._context = context
        self._window_state = window_state
        self._global_state = global_state

    def current_processing_time(self) -> int:
        return int(self._context.now())

    def current_watermark(self) -> int:
        return int(self._context.current_watermark)

    def window_state(self) -> KeyedStateStore:
        return self._window_state

    def global_state(self) -> KeyedStateStore:
        return self._global_state


class MergingWindowState(KeyedStateStore):
    """The state of a window that merges with others: there is none, since it could not be merged."""

    def _refuse(self, descriptor: StateDescriptor) -> Exception:
        return Exception(f"Per-window state is not allowed when using merging windows (state {descriptor.name!r}); use global_state().")

    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        raise self._refuse(state_descriptor)

    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        raise self._refuse(state_descriptor)

    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        raise self._refuse(state_descriptor)

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        raise self._refuse(state_descriptor)

    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        raise self._refuse(state_descriptor)
